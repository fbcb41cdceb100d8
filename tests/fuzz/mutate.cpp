#include "tests/fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <limits>

namespace stiction::fuzz {
namespace {

void ChangeSomeBytes(std::string& bytes, RandomNumbers& random) {
  const int size = static_cast<int>(bytes.size());
  const int at = random.Index(size), length = 1 + random.Index(std::min(64, size - at));
  switch (random.Index(6)) {
    case 0:
      bytes[static_cast<std::size_t>(at)] ^= static_cast<char>(1 << random.Index(8));
      return;
    case 1:
      bytes[static_cast<std::size_t>(at)] = static_cast<char>(random.Index(256));
      return;
    case 2:
      bytes.erase(static_cast<std::size_t>(at), static_cast<std::size_t>(length));
      return;
    case 3:
      bytes.insert(static_cast<std::size_t>(random.Index(size)), bytes.substr(at, length));
      return;
    case 4: {
      constexpr std::array<std::uint32_t, 8> kWords{0,          1,          0x7fffffff, 0x80000000,
                                                    0xffffffff, 0x7f800000, 0x7fc00000, 0x00010000};
      const std::uint32_t word = kWords[static_cast<std::size_t>(random.Index(8))];
      for (int k = 0; k < 4 && at + k < size; ++k)
        bytes[static_cast<std::size_t>(at + k)] = static_cast<char>(word >> (8 * k));
      return;
    }
    default:
      bytes.insert(static_cast<std::size_t>(at), MakeHostileWord(random));
  }
}

}  // namespace

std::string MakeHostileWord(RandomNumbers& random) {
  static const std::vector<std::string> kWords = {"",
                                                  "0",
                                                  "-0",
                                                  "1",
                                                  "-1",
                                                  "2",
                                                  "3",
                                                  "0.5",
                                                  "1e-3",
                                                  "1e-9",
                                                  "1e-300",
                                                  "5e-324",
                                                  "1e9",
                                                  "1e154",
                                                  "1e200",
                                                  "1.7976931348623157e308",
                                                  "-1e30",
                                                  "nan",
                                                  "inf",
                                                  "-inf",
                                                  "1e400",
                                                  "2147483647",
                                                  "64",
                                                  "-2147483648",
                                                  "255",
                                                  "65536",
                                                  "100000000",
                                                  "4294967296",
                                                  "0 0 0",
                                                  "1 0 0 0",
                                                  "1 1 1",
                                                  "0 0 0 0 0 0",
                                                  "1e308 1e308 1e308",
                                                  "true",
                                                  "false",
                                                  "auto",
                                                  "none",
                                                  "world",
                                                  "ghost",
                                                  "..",
                                                  "../x",
                                                  "/etc/passwd",
                                                  "%2e%2e",
                                                  "package://a/b.stl",
                                                  "${x}",
                                                  " ",
                                                  "\xc3\xa9"};
  if (random.Index(40) == 0) return std::string(static_cast<std::size_t>(1 + random.Index(3000)), 'a');
  return kWords[static_cast<std::size_t>(random.Index(static_cast<int>(kWords.size())))];
}

double MakeHostileNumber(RandomNumbers& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr std::array kNumbers{0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                0.5,
                                -2.0,
                                3.0,
                                1e-9,
                                1e-30,
                                1e-300,
                                5e-324,
                                1e9,
                                -1e9,
                                1e154,
                                1e200,
                                1e308,
                                -1e308,
                                kInfinity,
                                -kInfinity,
                                2147483647.0,
                                -2147483648.0,
                                4294967296.0,
                                9007199254740993.0,
                                std::numeric_limits<double>::quiet_NaN()};
  return kNumbers[static_cast<std::size_t>(random.Index(static_cast<int>(kNumbers.size())))];
}

std::string MutateBytes(std::string bytes, std::size_t max_bytes, RandomNumbers& random) {
  const int changes = 1 + random.Index(4);
  for (int k = 0; k < changes; ++k) {
    if (bytes.empty())
      bytes = MakeHostileWord(random);
    else
      ChangeSomeBytes(bytes, random);
  }
  if (bytes.size() > max_bytes) bytes.resize(max_bytes);
  return bytes;
}

std::string Mutate(const Target& target, const std::vector<std::string>& seeds, const std::string& input,
                   RandomNumbers& random, const ByteMutation& mutate_bytes, std::size_t max_bytes) {
  max_bytes = std::min(max_bytes, target.max_bytes);
  std::string out;
  if (target.syntax == Syntax::kBytes || random.Index(8) == 0) {
    out = mutate_bytes(input, max_bytes);
  } else if (target.syntax == Syntax::kXml) {
    const std::string none;
    const std::string& donor =
        seeds.empty() ? none : seeds[static_cast<std::size_t>(random.Index(static_cast<int>(seeds.size())))];
    out = MutateXml(input, donor, random, mutate_bytes, max_bytes);
  } else if (target.syntax == Syntax::kJson) {
    out = MutateJson(input, random, mutate_bytes, max_bytes);
  } else {
#ifdef STICTION_WITH_HDF5
    // From a seed: HDF5 itself does not survive to change a file whose bytes were changed before.
    out = MutateHdf5(
        seeds.empty() ? input : seeds[static_cast<std::size_t>(random.Index(static_cast<int>(seeds.size())))],
        random, mutate_bytes, max_bytes);
#endif
  }
  return out.size() <= max_bytes ? out : input;
}

}  // namespace stiction::fuzz
