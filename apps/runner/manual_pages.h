// The flags of a program as plain data, and what is made of them.
#pragma once

#include <string>
#include <vector>

namespace stiction::runner {

struct ManualOption {
  std::vector<std::string> names{};  // "--solver", or of one with a place of its own "FILE"
  bool is_positional = false;
  bool takes_value = false;
  std::string value{};  // "NAME [auto]"
  std::string description{};
  std::vector<std::string> choices{};  // of the value; empty: any
};

struct ManualCommand {
  std::string name{}, description{}, footer{};
  std::vector<ManualOption> options{};  // those with a place of their own first
};

struct ManualProgram {
  ManualCommand main;
  std::vector<ManualCommand> commands{};
  std::vector<std::string> inputs{};  // what may stand where a file does
};

// For man(1), in the macros of man(7): of the program, or of one of its commands.
std::string MakeManPage(const ManualProgram& program, const ManualCommand* command);

// A function for the shell: commands, flags, their values where they are known, and files.
std::string MakeBashCompletion(const ManualProgram& program);
std::string MakeZshCompletion(const ManualProgram& program);
std::string MakeFishCompletion(const ManualProgram& program);

}  // namespace stiction::runner
