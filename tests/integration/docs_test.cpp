// The Markdown files beside the code: their links lead somewhere, the code that they quote is there, and
// their commands run. And of all text files: no merge was left half done.
//
//   <!-- from: PATH -->   the block of code that follows stands line by line in PATH, which is compiled or
//   run elsewhere
//   <!-- save: NAME -->   the block is a file, for the commands of the same document
//   <!-- tested: run -->  every line of the block is a command that exits with 0, in a folder with these
//   files and assets/
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/integration/shell.h"

namespace stiction {
namespace {

struct CodeBlock {
  std::string place;   // file and line
  std::string marker;  // the comment in the line before the block, if there is one
  std::vector<std::string> lines;
};

std::vector<std::string> ReadLines(const fs::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<fs::path> FindDocuments() {
  const fs::path root = STICTION_SOURCE_DIR;
  std::vector<fs::path> documents{root / "README.md", root / ".github" / "CONTRIBUTING.md"};
  for (const char* folder : {"src", "apps", "assets", "tests", "third_party"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".md") documents.push_back(entry.path());
    }
  }
  return documents;
}

std::vector<CodeBlock> FindBlocks(const fs::path& document) {
  std::vector<CodeBlock> blocks;
  std::string marker;
  bool inside = false;
  int number = 0;
  for (const std::string& line : ReadLines(document)) {
    ++number;
    if (line.starts_with("```")) {
      if (!inside) blocks.push_back({document.string() + ":" + std::to_string(number), marker, {}});
      inside = !inside;
    } else if (inside) {
      blocks.back().lines.push_back(line);
    }
    marker = line.starts_with("<!--") ? line : "";
  }
  EXPECT_FALSE(inside) << document << " does not close a block of code";
  return blocks;
}

// "PATH" of "<!-- word: PATH -->"; empty if the marker is another.
std::string MarkerValue(const std::string& marker, const std::string& word) {
  const std::string begin = "<!-- " + word + ": ", end = " -->";
  if (!marker.starts_with(begin) || !marker.ends_with(end)) return "";
  return marker.substr(begin.size(), marker.size() - begin.size() - end.size());
}

// The anchors of a document's headings, as web pages of it have them.
std::vector<std::string> FindAnchors(const fs::path& document) {
  std::vector<std::string> anchors;
  for (const std::string& line : ReadLines(document)) {
    const size_t level = line.find_first_not_of('#');
    if (level == 0 || level == std::string::npos || line[level] != ' ') continue;
    std::string anchor;
    for (const char c : line.substr(level + 1)) {
      if (c == ' ') anchor += '-';
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    anchors.push_back(anchor);
  }
  return anchors;
}

bool ContainsInOrder(const std::vector<std::string>& all, const std::vector<std::string>& part) {
  return std::search(all.begin(), all.end(), part.begin(), part.end()) != all.end();
}

TEST(Docs, LinksLeadSomewhere) {
  const std::regex link(R"(\]\(([^)\s]+)\))");
  int count = 0;
  for (const fs::path& document : FindDocuments()) {
    std::ifstream in(document);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      const std::string target = (*it)[1];
      if (target.starts_with("http")) continue;
      const size_t hash = target.find('#');
      const fs::path path = hash == 0 ? document : document.parent_path() / target.substr(0, hash);
      EXPECT_TRUE(fs::exists(path)) << document << " links to " << target;
      ++count;
      if (hash == std::string::npos || path.extension() != ".md") continue;
      const auto anchors = FindAnchors(path);
      EXPECT_NE(std::find(anchors.begin(), anchors.end(), target.substr(hash + 1)), anchors.end())
          << document << " links to " << target;
    }
  }
  EXPECT_GT(count, 50);
}

TEST(Docs, QuotedCodeIsWhatIsCompiled) {
  int count = 0;
  for (const fs::path& document : FindDocuments()) {
    for (const CodeBlock& block : FindBlocks(document)) {
      const std::string source = MarkerValue(block.marker, "from");
      if (source.empty()) continue;
      ++count;
      const fs::path path = fs::path(STICTION_SOURCE_DIR) / source;
      ASSERT_TRUE(fs::exists(path)) << block.place << " quotes " << source;
      EXPECT_TRUE(ContainsInOrder(ReadLines(path), block.lines))
          << block.place << ": these lines do not stand in " << source;
    }
  }
  EXPECT_GE(count, 3);
}

// What git writes around the two sides of a conflict; here not as such, so that this file holds none.
bool IsConflictMark(const std::string& line) {
  for (const char mark : {'<', '|', '>'})
    if (line.starts_with(std::string(7, mark) + ' ')) return true;
  return line == std::string(7, '=') || line == std::string(7, '=') + '\r';
}

TEST(Docs, NoFileHoldsTheMarksOfAMerge) {
  const fs::path root = STICTION_SOURCE_DIR;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(root))
    if (entry.is_regular_file()) files.push_back(entry.path());
  for (const char* folder : {".github", "apps", "assets", "include", "src", "tests", "third_party"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.is_regular_file()) files.push_back(entry.path());
  int num_texts = 0;
  for (const fs::path& file : files) {
    const std::vector<std::string> lines = ReadLines(file);
    // As git tells them: a file with a zero byte is no text.
    const auto has_zero = [](const std::string& line) { return line.find('\0') != std::string::npos; };
    if (std::any_of(lines.begin(), lines.end(), has_zero)) continue;
    ++num_texts;
    for (std::size_t i = 0; i < lines.size(); ++i)
      EXPECT_FALSE(IsConflictMark(lines[i])) << file << ":" << i + 1 << ": " << lines[i];
  }
  EXPECT_GE(num_texts, 500);
  EXPECT_TRUE(IsConflictMark(std::string(7, '<') + " HEAD"));
}

// Runs a command in `folder`, with the programs of this build.
ShellOutcome RunLine(const fs::path& folder, const std::string& line) {
  const fs::path programs = fs::path(STICTION_RUNNER).parent_path();
  return RunShell("cd " + Quote(folder) + " && PATH=" + Quote(programs) + ":$PATH && " + line);
}

TEST(Docs, CommandsRun) {
  const fs::path folder = fs::path(::testing::TempDir()) / ("stiction_docs_" + std::to_string(getpid()));
  int count = 0;
  for (const fs::path& document : FindDocuments()) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    fs::copy(fs::path(STICTION_SOURCE_DIR) / "assets", folder / "assets", fs::copy_options::recursive);
    for (const CodeBlock& block : FindBlocks(document)) {
      const std::string name = MarkerValue(block.marker, "save");
      if (!name.empty()) {
        std::ofstream file(folder / name);
        for (const std::string& line : block.lines) file << line << '\n';
      }
      if (MarkerValue(block.marker, "tested") != "run") continue;
      for (const std::string& line : block.lines) {
        const ShellOutcome outcome = RunLine(folder, line);
        EXPECT_EQ(outcome.code, 0) << block.place << ": " << line << "\n" << outcome.out;
        ++count;
      }
    }
  }
  fs::remove_all(folder);
  EXPECT_GE(count, 10);
}

}  // namespace
}  // namespace stiction
