// Changes of inputs that keep their syntax, so that they pass the parser and reach the reader behind it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/target.h"
#include "tests/support/random_numbers.h"

namespace stiction::fuzz {

using testing::RandomNumbers;

// Changes bytes without regard to syntax; the result is at most `max_bytes` long.
using ByteMutation = std::function<std::string(std::string bytes, std::size_t max_bytes)>;

// Flips, inserts, removes, repeats and overwrites bytes.
std::string MutateBytes(std::string bytes, std::size_t max_bytes, RandomNumbers& random);

// Of an XML document: elements are doubled, deleted, moved, swapped, taken over from a donor, renamed;
// attributes get hostile values, values of others, lose or gain numbers. Text that is none changes byte by
// byte.
std::string MutateXml(const std::string& text, const std::string& donor, RandomNumbers& random,
                      const ByteMutation& mutate_bytes, std::size_t max_bytes);

// Of a JSON document: values become hostile, others of the document, or vanish; arrays grow and shrink.
std::string MutateJson(const std::string& text, RandomNumbers& random, const ByteMutation& mutate_bytes,
                       std::size_t max_bytes);

#ifdef STICTION_WITH_HDF5
// Of an HDF5 file, through HDF5 itself, so that checksums hold: numbers of a dataset become hostile; datasets
// get another shape or type, or vanish; links lead elsewhere.
std::string MutateHdf5(const std::string& image, RandomNumbers& random, const ByteMutation& mutate_bytes,
                       std::size_t max_bytes);
#endif

// By the target's syntax; once in eight byte by byte, and never longer than the target takes.
std::string Mutate(const Target& target, const std::vector<std::string>& seeds, const std::string& input,
                   RandomNumbers& random, const ByteMutation& mutate_bytes, std::size_t max_bytes);

// Words that readers are wrong about: ends of ranges, numbers that are none, paths that lead out.
std::string MakeHostileWord(RandomNumbers& random);
double MakeHostileNumber(RandomNumbers& random);

}  // namespace stiction::fuzz
