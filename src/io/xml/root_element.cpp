#include "io/xml/root_element.h"

#include <filesystem>
#include <fstream>

namespace stiction::xml {

std::string PeekRootElement(const std::string& path) {
  constexpr size_t kNumBytes = 64 << 10;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return "";
  std::string text(kNumBytes, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(stream.gcount()));

  // The first tag that is neither a declaration nor a comment.
  for (size_t i = text.find('<'); i != std::string::npos; i = text.find('<', i)) {
    if (text.compare(i, 4, "<!--") == 0) {
      i = text.find("-->", i + 4);
    } else if (text.compare(i, 2, "<?") == 0 || text.compare(i, 2, "<!") == 0) {
      i = text.find('>', i);
    } else {
      return text.substr(i + 1, text.find_first_of(" \t\r\n/>", i) - i - 1);
    }
    if (i == std::string::npos) break;
  }
  return "";
}

}  // namespace stiction::xml
