// Controls of the panels. Each remembers where it stands, so that a script can find it (--ui-trace).
#pragma once

#include <imgui.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace stiction::viewer::ui {

struct Place {
  float x = 0.0f, y = 0.0f, width = 0.0f, height = 0.0f;  // in pixels of the window, from its top left corner
};

// Of the last frame, by "Panel/label".
const std::map<std::string, Place>& Places();
void ForgetPlaces();
// Notes the last item under the given name; of one with a label beside it only the item itself.
void Mark(const std::string& label, bool has_label_beside = false);

// Text in lines that end at spaces (live/line_breaks.h), until the edge of what it stands in or after
// `width`.
void Wrapped(const std::string& text);
void Wrapped(const std::string& text, float width);
// Such text in the muted colour, and a line in the letters of headings.
void Muted(const std::string& text);
void Heading(const char* text);
// A name at the left; the next item takes the rest of the line, and has a label that begins with "##".
void Field(const char* name);
// A name at the left and a value at the right.
void Row(const char* name, const std::string& value);
// Text that ends in "…" where it would be wider than `width`.
std::string Shorten(const std::string& text, float width);

enum class Icon { kPlay, kPause, kStep, kBack, kReset, kReload, kClose, kMore };
void DrawIcon(ImDrawList& list, Icon icon, ImVec2 center, float size, ImU32 color);
// A square button with a tooltip that says `label`, by which it is marked.
bool IconButton(Icon icon, const char* label, bool is_enabled = true, bool is_accent = false);

bool Button(const char* label);
// Where `is_enabled` is false: greyed, and it does nothing.
bool Button(const char* label, bool is_enabled);
bool Checkbox(const char* label, bool* value);
// A slider of a double, with its name at the left; text entry by Ctrl + click.
bool Slider(const char* label, double* value, double lower, double upper, const char* format = "%.4g");
bool Selectable(const char* label, bool is_selected);
// The one that acts where there are several.
bool AccentButton(const char* label);
// A line of numbers, wrapped. Those that are not known, NaN or kNotLogged, follow by name as "not in this
// log".
class Numbers {
 public:
  explicit Numbers(const std::string& start = "") {
    if (!start.empty()) AddText(start);
  }
  void Add(const char* name, double value, const char* unit, const char* format = "%.1e");
  void AddCount(const char* name, long long count);
  void AddText(const std::string& text);
  void Show() const;

 private:
  std::vector<std::string> parts_;  // each stays on one line
  std::string unknown_;
};
// As `format` has it, but nothing is 0, and not 0.0e+00.
std::string FormatNumber(const char* format, double value);
// A small grey question mark with an explanation.
void Hint(const char* text);

}  // namespace stiction::viewer::ui
