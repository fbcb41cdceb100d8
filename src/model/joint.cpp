#include "stiction/model/joint.h"

namespace stiction {
namespace {

template <typename... Types>
std::optional<JointKind> FindByName(std::string_view name, std::type_identity<std::variant<Types...>>) {
  std::optional<JointKind> found;
  const auto try_one = [&]<typename T>(std::type_identity<T>) {
    if (name == T::kTraits.name) found = T{};
  };
  (try_one(std::type_identity<Types>{}), ...);
  return found;
}

}  // namespace

std::optional<JointKind> FindJointKind(std::string_view name) {
  return FindByName(name, std::type_identity<JointKind>{});
}

}  // namespace stiction
