// An element of a model file as the readers see it: plain data, together with the fate of every attribute.
//
// Nothing is dropped in silence, and no reader has to remember that: Read...() marks an attribute as
// honoured, Note() says where that is not the whole truth, and AppendReport() walks the tree at the end. An
// attribute that nobody read, or an element that nobody visited, is then reported as ignored, with its line.
//
// Numbers are strict: the whole token must be a finite decimal number ("-1m", "nan" and "1e400" are errors).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/io/import_report.h"
#include "stiction/math/types.h"

namespace stiction::xml {

// What becomes of an element or attribute; no status yet: nobody looked at it.
struct Fate {
  std::optional<ImportStatus> status;
  std::string why;
  ImportLoss loss = ImportLoss::kPhysical;  // of what is ignored
  bool is_whole = false;                    // of an element: stands for all that it contains
};

struct Attribute {
  std::string name;
  std::string value;
  int line = 0;
  Fate fate;
};

class Element {
 public:
  using Children = std::vector<std::unique_ptr<Element>>;

  Element(std::shared_ptr<const std::string> file, int line, std::string name,
          std::vector<Attribute> attributes)
      : file_(std::move(file)), line_(line), name_(std::move(name)), attributes_(std::move(attributes)) {}

  const std::string& file() const { return *file_; }
  int line() const { return line_; }
  const std::string& name() const { return name_; }
  const Element* parent() const { return parent_; }
  const std::vector<Attribute>& attributes() const { return attributes_; }
  const Children& children() const { return children_; }
  const Fate& fate() const { return fate_; }
  // What stands between the tags, blanks at its ends removed; empty if child elements come first.
  const std::string& text() const { return text_; }
  void set_text(std::string text) { text_ = std::move(text); }
  // Whether a text stands there, be it of blanks alone, as of a CDATA section.
  bool has_text() const { return has_text_; }
  void set_has_text(bool has_text) { has_text_ = has_text; }

  void Append(std::unique_ptr<Element> child);
  // Puts others behind the child at `index`.
  void InsertAfter(int index, Children others);
  // A copy with all that is below it, as if nobody had looked at it yet.
  std::unique_ptr<Element> Clone() const;
  // Hands over the children, leaving none.
  Children TakeChildren() { return std::move(children_); }

  // First child of this name, visited; nullptr if there is none.
  Element* FindChild(std::string_view name) const;

  // The attribute's text without marking it as read; nullptr if absent.
  const std::string* Peek(std::string_view attribute) const;
  bool Has(std::string_view attribute) const { return Peek(attribute) != nullptr; }

  // Each leaves `value` alone and returns false where the attribute is absent. Throws LoadError on malformed
  // text.
  bool Read(std::string_view attribute, std::string& value);
  bool Read(std::string_view attribute, double& value);
  bool Read(std::string_view attribute, bool& value);  // "true" or "false"
  bool Read(std::string_view attribute, int& value);
  bool Read(std::string_view attribute, Vector3d& value);
  // Between `min` and `max` numbers into values[0, n); returns n, 0 where the attribute is absent. Entries
  // beyond n stay.
  int ReadNumbers(std::string_view attribute, int min, int max, double* values);
  // Any count of numbers; empty where the attribute is absent.
  std::vector<double> ReadList(std::string_view attribute);
  // One of `words`; throws LoadError naming them otherwise.
  bool ReadWord(std::string_view attribute, const std::vector<std::string_view>& words, std::string& value);
  // The numbers that stand between the tags, `count` of them.
  std::vector<double> ReadText(int count);
  // Throws LoadError if absent.
  std::string RequireString(std::string_view attribute);
  double RequireNumber(std::string_view attribute);
  Vector3d RequireVector(std::string_view attribute);

  // Gives an attribute that is there another text, as if the file had it.
  void Rewrite(std::string_view attribute, std::string value);

  // Says that a reader understood this element.
  void Visit();
  // Fates; the last word counts. Noting an attribute that is absent does nothing. `loss` is of what is
  // ignored.
  void Note(ImportStatus status, std::string why, ImportLoss loss = ImportLoss::kPhysical);
  void Note(std::string_view attribute, ImportStatus status, std::string why,
            ImportLoss loss = ImportLoss::kPhysical);

  // The same of an element that nobody is to read: it stands for all that it contains.
  void NoteWhole(ImportStatus status, std::string why);

  // Throws LoadError at this element, or at the attribute's line.
  [[noreturn]] void Fail(const std::string& message) const;
  [[noreturn]] void Fail(std::string_view attribute, const std::string& message) const;
  // "geom name="g1"", for messages.
  std::string Label() const;

 private:
  Attribute* FindAttribute(std::string_view attribute);
  Attribute* MarkRead(std::string_view attribute);

  std::shared_ptr<const std::string> file_;
  int line_;
  std::string name_;
  std::vector<Attribute> attributes_;
  Children children_;
  Element* parent_ = nullptr;
  Fate fate_;
  std::string text_;
  bool has_text_ = false;
};

// Why nobody read an element (empty attribute name) or one of its attributes, and what is lost with it.
struct Unread {
  std::string why;
  ImportLoss loss = ImportLoss::kPhysical;
};
using ExplainUnread = Unread (*)(const Element& element, std::string_view attribute);

// One item for each element and attribute below and at `root`, in document order. An element that nobody
// visited, or that is ignored, stands for all that it contains.
void AppendReport(const Element& root, ExplainUnread explain, ImportReport& report);

}  // namespace stiction::xml
