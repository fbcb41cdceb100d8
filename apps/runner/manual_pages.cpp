#include "manual_pages.h"

#include <algorithm>
#include <cctype>

namespace stiction::runner {
namespace {

std::string JoinWith(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::string ReplaceAll(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// Text of a man page: backslashes and what begins a line as a request does are taken for what they are, and
// hyphens can be copied.
std::string Roff(const std::string& text) {
  std::string out = ReplaceAll(ReplaceAll(text, "\\", "\\e"), "-", "\\-");
  if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
  return ReplaceAll(ReplaceAll(out, "\n.", "\n\\&."), "\n'", "\n\\&'");
}

// A literal of a shell, in single quotes.
std::string QuoteShell(const std::string& text) {
  return "'" + ReplaceAll(text, "'", "'\\''") + "'";
}

std::vector<std::string> ListFlags(const ManualCommand& command) {
  std::vector<std::string> flags;
  for (const ManualOption& option : command.options) {
    if (!option.is_positional) flags.insert(flags.end(), option.names.begin(), option.names.end());
  }
  return flags;
}

// The positional words that a command takes, where they are known; else nothing, and files go.
std::vector<std::string> ListPositionalChoices(const ManualCommand& command) {
  for (const ManualOption& option : command.options) {
    if (option.is_positional && !option.choices.empty()) return option.choices;
  }
  return {};
}

std::string Synopsis(const std::string& name, const ManualCommand& command) {
  std::string text = ".B " + Roff(name) + "\n";
  if (!ListFlags(command).empty()) text += ".RI [ OPTION ]...\n";
  for (const ManualOption& option : command.options) {
    if (option.is_positional) text += ".I " + Roff(option.names.front()) + "\n";
  }
  return text;
}

std::string DescribeInMan(const ManualOption& option) {
  std::string text = ".TP\n";
  if (option.is_positional)
    text += ".I " + Roff(option.names.front());
  else
    text += ".BR " + Roff(JoinWith(option.names, " \", \" "));
  if (!option.value.empty()) text += (option.is_positional ? " " : " \" ") + Roff(option.value);
  if (!option.value.empty() && !option.is_positional) text += "\"";
  return text + "\n" + Roff(option.description.empty() ? "." : option.description) + "\n";
}

// bash: the words of a case, a line a flag of a command.
std::string BashValues(const ManualCommand& command, const std::string& place) {
  std::string text;
  for (const ManualOption& option : command.options) {
    if (option.is_positional || !option.takes_value) continue;
    std::string pattern;
    for (const std::string& name : option.names)
      pattern += (pattern.empty() ? "" : "|") + QuoteShell(place + " " + name);
    text += "    " + pattern + ") ";
    text += option.choices.empty() ? "files=1" : "words=" + QuoteShell(JoinWith(option.choices, " "));
    text += "; is_value=1 ;;\n";
  }
  return text;
}

// A comment mark, a colon or a bracket would end zsh's description.
std::string ZshText(const std::string& text) {
  std::string out;
  for (const char c : text.substr(0, text.find('\n'))) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string ZshArguments(const ManualCommand& command, const std::string& inputs) {
  std::string text = "_arguments -S";
  for (const ManualOption& option : command.options) {
    if (option.is_positional) continue;
    for (const std::string& name : option.names) {
      std::string spec = "*" + name + "[" + ZshText(option.description) + "]";
      if (option.takes_value)
        spec += ":value:" + (option.choices.empty() ? "_files" : "(" + JoinWith(option.choices, " ") + ")");
      text += " \\\n      " + QuoteShell(spec);
    }
  }
  const std::vector<std::string> words = ListPositionalChoices(command);
  return text + " \\\n      " +
         QuoteShell("*:file:" + (words.empty() ? inputs : "(" + JoinWith(words, " ") + ")")) + "\n";
}

std::string FishOptions(const std::string& program, const ManualCommand& command,
                        const std::string& condition) {
  std::string text;
  const std::string start =
      "complete -c " + program + (condition.empty() ? "" : " -n " + QuoteShell(condition));
  for (const ManualOption& option : command.options) {
    if (option.is_positional) continue;
    text += start;
    for (const std::string& name : option.names)
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (option.takes_value && option.choices.empty()) text += " -r";
    if (!option.choices.empty()) text += " -x -a " + QuoteShell(JoinWith(option.choices, " "));
    text += " -d " + QuoteShell(option.description.substr(0, option.description.find('\n'))) + "\n";
  }
  const std::vector<std::string> words = ListPositionalChoices(command);
  if (!words.empty()) text += start + " -f -a " + QuoteShell(JoinWith(words, " ")) + "\n";
  return text;
}

}  // namespace

std::string MakeManPage(const ManualProgram& program, const ManualCommand* command) {
  const ManualCommand& page = command ? *command : program.main;
  const std::string name = command ? program.main.name + " " + command->name : program.main.name;
  const std::string title = ReplaceAll(name, " ", "-");
  std::string text = ".TH " + Roff(title) + " 1 \"\" \"Stiction " STICTION_VERSION "\" \"Stiction\"\n";
  text += ".SH NAME\n" + Roff(title) + " \\- " + Roff(page.description) + "\n.SH SYNOPSIS\n";
  if (!command && !program.commands.empty())
    text += ".B " + Roff(name) + "\n.I COMMAND\n.RI [ ARGUMENT ]...\n";
  else
    text += Synopsis(name, page);
  if (!command && !program.commands.empty()) {
    text += ".SH COMMANDS\n";
    for (const ManualCommand& each : program.commands)
      text += ".TP\n.BR " + Roff(name + "-" + each.name) + " (1)\n" + Roff(each.description) + "\n";
  }
  text += ".SH OPTIONS\n";
  for (const ManualOption& option : page.options) text += DescribeInMan(option);
  const std::string& footer = page.footer.empty() ? program.main.footer : page.footer;
  if (!footer.empty()) text += ".SH NOTES\n" + Roff(footer) + "\n";
  text += ".SH \"SEE ALSO\"\n";
  if (command) text += ".BR " + Roff(program.main.name) + " (1)";
  for (const ManualCommand& other : program.commands) {
    if (&other == command) continue;
    if (text.back() != '\n') text += ",\n";
    text += ".BR " + Roff(program.main.name + "-" + other.name) + " (1)";
  }
  if (program.commands.empty()) text += ".BR stiction (1)";
  return text + "\n";
}

// What is typed is looked at as a whole line up to the cursor: bash breaks words at ":" and "=", which stand
// inside of ours.
std::string MakeBashCompletion(const ManualProgram& program) {
  const std::string& name = program.main.name;
  const std::string function = "_" + ReplaceAll(name, "-", "_");
  std::string values = BashValues(program.main, ""), flags, positionals;
  flags += "    '') flags=" + QuoteShell(JoinWith(ListFlags(program.main), " ")) + " ;;\n";
  std::vector<std::string> commands;
  for (const ManualCommand& command : program.commands) {
    commands.push_back(command.name);
    values += BashValues(command, command.name);
    flags += "    " + command.name + ") flags=" + QuoteShell(JoinWith(ListFlags(command), " ")) + " ;;\n";
    const std::vector<std::string> words = ListPositionalChoices(command);
    if (!words.empty())
      positionals +=
          "      " + command.name + ") words=" + QuoteShell(JoinWith(words, " ")) + "; files= ;;\n";
  }
  std::string text = "# bash completion for " + name + "\n" + function + R"(() {
  local line=${COMP_LINE:0:COMP_POINT} current previous command= words= files= flags= is_value= head= tail=
  local -a typed=($line)
  current=${line##* }
  previous=${typed[${#typed[@]} - 1]}
  [[ -n $current ]] && previous=${typed[${#typed[@]} - 2]}
  if [[ $current == --*=* ]]; then previous=${current%%=*}; current=${current#*=}; fi
)";
  if (!commands.empty())
    text +=
        "  if (( ${#typed[@]} == 1 )) || { (( ${#typed[@]} == 2 )) && [[ -n $current ]]; }; then\n"
        "    words=" +
        QuoteShell(JoinWith(commands, " ")) +
        "; flags=" + QuoteShell(JoinWith(ListFlags(program.main), " ")) +
        "\n    COMPREPLY=($(compgen -W \"$words $flags\" -- \"$current\")); return\n  fi\n"
        "  command=${typed[1]}\n";
  text += "  case \"$command $previous\" in\n" + values + "  esac\n  case \"$command\" in\n" + flags +
          "  esac\n"
          "  if [[ -z $is_value && $current == -* ]]; then\n"
          "    COMPREPLY=($(compgen -W \"$flags\" -- \"$current\")); return\n  fi\n"
          "  if [[ -z $is_value ]]; then\n    words=" +
          QuoteShell(JoinWith(program.inputs, " ")) + "; files=1\n    case \"$command\" in\n" + positionals +
          R"(    *) ;;
    esac
  fi
  tail=$current
  [[ -n $words && $current == *,* ]] && head="${current%,*}," tail=${current##*,}
  COMPREPLY=($(compgen -W "$words" -P "$head" -- "$tail"))
  [[ -n $files ]] && COMPREPLY+=($(compgen -f -- "$current"))
  if [[ $COMP_WORDBREAKS == *:* && $current == *:* ]]; then
    local i
    for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"${current%:*}:"}; done
  fi
}
complete -o filenames -F )" +
          function + " " + name + "\n";
  return text;
}

std::string MakeZshCompletion(const ManualProgram& program) {
  const std::string& name = program.main.name;
  const std::string function = "_" + ReplaceAll(name, "-", "_");
  const std::string inputs = function + "_input";
  std::string text = "#compdef " + name + "\n" + inputs + "() {\n  _files\n  compadd -- " +
                     JoinWith(program.inputs, " ") + "\n}\n" + function + "() {\n";
  if (program.commands.empty())
    return text + "  " + ZshArguments(program.main, inputs) + "}\n" + function + " \"$@\"\n";
  text += "  if (( CURRENT == 2 )); then\n    local -a commands=(\n";
  for (const ManualCommand& command : program.commands)
    text += "      " + QuoteShell(command.name + ":" + ZshText(command.description)) + "\n";
  text +=
      "    )\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words; (( CURRENT-- ))\n  case $command in\n";
  for (const ManualCommand& command : program.commands)
    text += "    " + command.name + ")\n      " + ZshArguments(command, inputs) + "      ;;\n";
  return text + "  esac\n}\n" + function + " \"$@\"\n";
}

std::string MakeFishCompletion(const ManualProgram& program) {
  const std::string& name = program.main.name;
  std::string text = "# fish completion for " + name + "\n";
  if (program.commands.empty()) return text + FishOptions(name, program.main, "");
  std::vector<std::string> commands;
  for (const ManualCommand& command : program.commands) commands.push_back(command.name);
  const std::string none = "not __fish_seen_subcommand_from " + JoinWith(commands, " ");
  for (const ManualCommand& command : program.commands)
    text += "complete -c " + name + " -n " + QuoteShell(none) + " -f -a " + command.name + " -d " +
            QuoteShell(command.description) + "\n";
  text += FishOptions(name, program.main, none);
  for (const ManualCommand& command : program.commands)
    text += FishOptions(name, command, "__fish_seen_subcommand_from " + command.name);
  text += "complete -c " + name + " -n 'not __fish_seen_subcommand_from list' -a " +
          QuoteShell(JoinWith(program.inputs, " ")) + "\n";
  return text;
}

}  // namespace stiction::runner
