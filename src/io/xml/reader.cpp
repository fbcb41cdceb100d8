#include "io/xml/reader.h"

#include <tinyxml2.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "stiction/model/load_error.h"

namespace stiction::xml {
namespace {

int LineAt(std::string_view text, size_t offset) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + std::min(offset, text.size()), '\n'));
}

std::string ReadBytes(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw LoadError(path, 0, "", "no such file");
  // A directory cannot be read, and a pipe or device may never end.
  if (!fs::is_regular_file(status)) throw LoadError(path, 0, "", "is not a regular file");
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) throw LoadError(path, 0, "", "cannot be read: " + error.message());
  if (size > kMaxFileBytes) {
    throw LoadError(path, 0, "", "is larger than " + std::to_string(kMaxFileBytes >> 20) + " MiB");
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text(static_cast<size_t>(size), '\0');
  if (!stream.read(text.data(), static_cast<std::streamsize>(size))) {
    throw LoadError(path, 0, "", "cannot be read");
  }
  return text;
}

// Length of the well-formed UTF-8 character at text[i], 0 if there is none: overlong forms, surrogates and
// control characters that XML forbids are none.
int CharacterLength(std::string_view text, size_t i) {
  const auto byte = [&](size_t k) { return static_cast<unsigned char>(k < text.size() ? text[k] : 0); };
  const unsigned char lead = byte(i);
  if (lead < 0x80) return lead >= 0x20 || lead == '\t' || lead == '\n' || lead == '\r' ? 1 : 0;
  const int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  for (int k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xC0) != 0x80) return 0;
  }
  const unsigned char second = byte(i + 1);
  if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
      (lead == 0xF4 && second > 0x8F)) {
    return 0;
  }
  return length;
}

// What a file that is no UTF-8 text seems to be, and what to do.
std::string DescribeOtherBytes(std::string_view text) {
  if (text.starts_with("\x1f\x8b")) return "the file is compressed (gzip); unpack it first";
  if (text.starts_with("PK\x03\x04")) return "the file is a ZIP archive; unpack it first";
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    return "the file is UTF-16 text; save it as UTF-8";
  return "the file is not UTF-8 text, or holds a control character; save it in that encoding";
}

void CheckUtf8(const std::string& path, std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const int length = CharacterLength(text, i);
    if (length == 0) {
      throw LoadError(path, LineAt(text, i), "", DescribeOtherBytes(text));
    }
    i += length;
  }
}

// Looks at the markup before a document is built of it, so that nothing hostile reaches the parser: no
// document type declaration, and bounded numbers of elements and attributes.
void CheckMarkup(const std::string& path, std::string_view text) {
  const auto skip_past = [&](size_t from, std::string_view mark) {
    const size_t found = text.find(mark, from);
    return found == std::string_view::npos ? text.size() : found + mark.size();
  };
  int elements = 0, depth = 0;
  size_t i = 0;
  while ((i = text.find('<', i)) < text.size()) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("<!--")) {
      i = skip_past(i + 4, "-->");
    } else if (rest.starts_with("<![CDATA[")) {
      i = skip_past(i, "]]>");
    } else if (rest.starts_with("<?")) {
      i = skip_past(i, "?>");
    } else if (rest.starts_with("<!") &&
               (rest.size() < 3 || !std::isalpha(static_cast<unsigned char>(rest[2])))) {
      throw LoadError(path, LineAt(text, i), "", "a comment begins with \"<!--\", without blanks in it");
    } else if (rest.starts_with("<!")) {
      throw LoadError(path, LineAt(text, i), "",
                      "document type declarations and entities are not accepted; remove the <!DOCTYPE ...>");
    } else {
      int attributes = 0;
      char quote = 0;
      const size_t begin = i;
      for (++i; i < text.size() && (quote || text[i] != '>'); ++i) {
        if (quote) {
          if (text[i] == quote) quote = 0;
        } else if (text[i] == '"' || text[i] == '\'') {
          quote = text[i];
          ++attributes;
        }
      }
      if (++elements > 2 * kMaxElements || attributes > kMaxAttributes) {
        throw LoadError(path, LineAt(text, begin), "", "too many elements or attributes for a model file");
      }
      const bool is_end = rest.starts_with("</"), is_empty = i < text.size() && text[i - 1] == '/';
      if (is_end) --depth;
      if (!is_end && ++depth > kMaxDepth) {
        throw LoadError(path, LineAt(text, begin), "",
                        "elements are nested deeper than " + std::to_string(kMaxDepth) + " levels");
      }
      if (!is_end && is_empty) --depth;
    }
  }
}

std::string Trim(const char* text) {
  constexpr const char* kBlanks = " \t\r\n";
  const std::string_view all = text ? text : "";
  const size_t begin = all.find_first_not_of(kBlanks);
  if (begin == all.npos) return "";
  return std::string(all.substr(begin, all.find_last_not_of(kBlanks) + 1 - begin));
}

std::unique_ptr<Element> Convert(const tinyxml2::XMLElement& source,
                                 const std::shared_ptr<const std::string>& file) {
  const int line = source.GetLineNum();
  std::vector<Attribute> attributes;
  for (const tinyxml2::XMLAttribute* a = source.FirstAttribute(); a; a = a->Next()) {
    attributes.push_back({a->Name(), a->Value(), a->GetLineNum(), {}});
  }
  auto element = std::make_unique<Element>(file, line, source.Name(), std::move(attributes));
  element->set_text(Trim(source.GetText()));
  element->set_has_text(source.GetText() != nullptr);
  for (const tinyxml2::XMLElement* child = source.FirstChildElement(); child;
       child = child->NextSiblingElement()) {
    element->Append(Convert(*child, file));
  }
  return element;
}

std::string DescribeParseError(const tinyxml2::XMLDocument& document) {
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "the file is empty: it has no root element";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "malformed or repeated attribute, or the file is cut off";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an end tag is missing or does not match its start tag";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "comment without end";
    default:
      return "not well-formed XML, or the file is cut off";
  }
}

}  // namespace

std::unique_ptr<Element> ReadFile(const std::string& path) {
  return ReadText(path, ReadBytes(path));
}

std::unique_ptr<Element> ReadText(const std::string& path, const std::string& bytes) {
  if (bytes.size() > kMaxFileBytes)
    throw LoadError(path, 0, "", "is larger than " + std::to_string(kMaxFileBytes >> 20) + " MiB");
  CheckUtf8(path, bytes);
  CheckMarkup(path, bytes);
  tinyxml2::XMLDocument document;
  if (document.Parse(bytes.data(), bytes.size()) != tinyxml2::XML_SUCCESS) {
    // The parser counts no lines where the text ends early.
    const int line = document.ErrorLineNum() > 0 ? document.ErrorLineNum() : LineAt(bytes, bytes.size());
    throw LoadError(path, line, "", DescribeParseError(document));
  }
  const tinyxml2::XMLElement* root = document.RootElement();
  if (!root) throw LoadError(path, 0, "", "the file has no root element");
  if (const tinyxml2::XMLElement* second = root->NextSiblingElement()) {
    throw LoadError(path, second->GetLineNum(), second->Name(), "a second root element");
  }
  return Convert(*root, std::make_shared<const std::string>(path));
}

}  // namespace stiction::xml
