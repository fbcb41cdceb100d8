#include <tinyxml2.h>

#include <algorithm>

#include "tests/fuzz/mutate.h"

namespace stiction::fuzz {
namespace {

using tinyxml2::XMLAttribute;
using tinyxml2::XMLElement;

void ListElements(XMLElement* root, std::vector<XMLElement*>& out) {
  out.push_back(root);
  for (XMLElement* child = root->FirstChildElement(); child; child = child->NextSiblingElement())
    ListElements(child, out);
}

bool Contains(const XMLElement* whole, const XMLElement* part) {
  for (const tinyxml2::XMLNode* node = part; node; node = node->Parent()) {
    if (node == whole) return true;
  }
  return false;
}

std::vector<const XMLAttribute*> ListAttributes(const XMLElement& element) {
  std::vector<const XMLAttribute*> out;
  for (const XMLAttribute* a = element.FirstAttribute(); a; a = a->Next()) out.push_back(a);
  return out;
}

template <typename T>
T& Pick(std::vector<T>& list, RandomNumbers& random) {
  return list[static_cast<std::size_t>(random.Index(static_cast<int>(list.size())))];
}

// One document while it is changed; its list of elements is made anew where the tree has changed.
class XmlChange {
 public:
  XmlChange(tinyxml2::XMLDocument& document, const tinyxml2::XMLDocument& donor, RandomNumbers& random,
            const ByteMutation& mutate_bytes)
      : document_(document), random_(random), mutate_bytes_(mutate_bytes) {
    if (donor.RootElement()) ListElements(const_cast<XMLElement*>(donor.RootElement()), donated_);
  }

  void Apply() {
    elements_.clear();
    ListElements(document_.RootElement(), elements_);
    XMLElement* element = Pick(elements_, random_);
    switch (random_.Index(12)) {
      case 0:
        return Insert(element->DeepClone(&document_)->ToElement(), element->Parent());
      case 1:
        return Insert(element->DeepClone(&document_)->ToElement(), Pick(elements_, random_));
      case 2:
        if (element != document_.RootElement()) document_.DeleteNode(element);
        return;
      case 3:
        return Move(element, Pick(elements_, random_));
      case 4:
      case 5:
        if (donated_.empty()) return;
        return Insert(Pick(donated_, random_)->DeepClone(&document_)->ToElement(), element);
      case 6:
        // A copy: it may be its own name, which goes when the new one comes.
        if (random_.Index(4) == 0) element->SetName(std::string(Pick(elements_, random_)->Name()).c_str());
        if (element->GetText()) element->SetText(Change(element->GetText()).c_str());
        return;
      case 7:
        return TakeAttribute(element, donated_.empty() ? elements_ : donated_);
      default:
        return ChangeAttribute(element);
    }
  }

 private:
  void Insert(XMLElement* child, tinyxml2::XMLNode* parent) {
    if (!parent || parent == &document_) parent = document_.RootElement();
    if (random_.Index(2) == 0 && parent->FirstChild())
      parent->InsertFirstChild(child);
    else
      parent->InsertEndChild(child);
  }

  void Move(XMLElement* element, XMLElement* parent) {
    if (element == document_.RootElement() || Contains(element, parent)) return;
    parent->InsertEndChild(element);
  }

  void TakeAttribute(XMLElement* element, std::vector<XMLElement*>& from) {
    const XMLElement* other = nullptr;
    for (int attempt = 0; attempt < 8; ++attempt) {
      other = Pick(from, random_);
      if (std::string_view(other->Name()) == element->Name() && other->FirstAttribute()) break;
    }
    std::vector<const XMLAttribute*> attributes = ListAttributes(*other);
    if (attributes.empty()) return;
    const XMLAttribute* taken = Pick(attributes, random_);
    element->SetAttribute(taken->Name(), taken->Value());
  }

  void ChangeAttribute(XMLElement* element) {
    std::vector<const XMLAttribute*> attributes = ListAttributes(*element);
    if (attributes.empty()) return;
    const XMLAttribute* attribute = Pick(attributes, random_);
    const std::string name = attribute->Name();
    if (random_.Index(8) == 0) return element->DeleteAttribute(name.c_str());
    element->SetAttribute(name.c_str(), Change(attribute->Value()).c_str());
  }

  // Another value: a hostile one, one of another attribute, or the same with one of its words changed.
  std::string Change(const std::string& value) {
    switch (random_.Index(6)) {
      case 0:
        return MakeHostileWord(random_);
      case 1: {
        std::vector<const XMLAttribute*> others = ListAttributes(*Pick(elements_, random_));
        return others.empty() ? value : Pick(others, random_)->Value();
      }
      case 2:
        return mutate_bytes_(value, value.size() + 16);
      default:
        return ChangeWord(value);
    }
  }

  std::string ChangeWord(const std::string& value) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < value.size();) {
      const std::size_t end = std::min(value.find(' ', at), value.size());
      words.push_back(value.substr(at, end - at));
      at = end + 1;
    }
    if (words.empty()) return MakeHostileWord(random_);
    const auto place = words.begin() + random_.Index(static_cast<int>(words.size()));
    const int kind = random_.Index(4);
    if (kind == 0)
      words.erase(place);
    else if (kind == 1)
      words.insert(place, MakeHostileWord(random_));
    else
      *place = MakeHostileWord(random_);
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
    return out;
  }

  tinyxml2::XMLDocument& document_;
  RandomNumbers& random_;
  const ByteMutation& mutate_bytes_;
  std::vector<XMLElement*> elements_, donated_;
};

}  // namespace

std::string MutateXml(const std::string& text, const std::string& donor, RandomNumbers& random,
                      const ByteMutation& mutate_bytes, std::size_t max_bytes) {
  tinyxml2::XMLDocument document, donated;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS || !document.RootElement())
    return mutate_bytes(text, max_bytes);
  donated.Parse(donor.data(), donor.size());
  XmlChange change(document, donated, random, mutate_bytes);
  const int changes = 1 + random.Index(4);
  for (int k = 0; k < changes; ++k) change.Apply();
  tinyxml2::XMLPrinter printer(nullptr, true);
  document.Print(&printer);
  return printer.CStr();
}

}  // namespace stiction::fuzz
