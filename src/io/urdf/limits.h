// Numbers of a URDF's <limit>.
#pragma once

namespace stiction::urdf {

// Ends of ranges, efforts and speeds from here on are none: the format has no other word for that where it
// wants a number. (MuJoCo's largest number, too.)
inline constexpr double kNoLimit = 1e10;

}  // namespace stiction::urdf
