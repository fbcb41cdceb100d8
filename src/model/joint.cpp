#include "stiction/model/joint.h"

#include <type_traits>

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

template <typename... Types>
constexpr std::array<JointTraits, sizeof...(Types)> ListTraits(std::type_identity<std::variant<Types...>>) {
  static_assert((JointType<Types> && ...), "a joint type lacks an operation: see joint/joint_type.h");
  return {Types::kTraits...};
}

}  // namespace

constinit const std::array<JointTraits, std::variant_size_v<JointKind>> kJointTraits =
    ListTraits(std::type_identity<JointKind>{});

double Joint::reference() const {
  return std::visit([](const auto& k) { return k.Reference(); }, kind);
}

std::optional<JointKind> FindJointKind(std::string_view name) {
  return FindByName(name, std::type_identity<JointKind>{});
}

}  // namespace stiction
