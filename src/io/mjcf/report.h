// Why the MJCF reader leaves an element or attribute alone, for the import report.
#pragma once

#include <string_view>

#include "io/xml/element.h"

namespace stiction::mjcf {

xml::Unread ExplainUnread(const xml::Element& element, std::string_view attribute);

}  // namespace stiction::mjcf
