// Between NumPy's arrays and the engine's: every shape and dtype is checked at the door, and an error names
// the argument, what came and what was expected. Compiled once; nothing here drags Eigen's templates into
// the bindings.
#pragma once

#include <pybind11/numpy.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/math/types.h"

namespace stiction::python {

namespace py = pybind11;

// A type's name in signatures, which are those of the stubs.
template <std::size_t kSize>
struct StubName {
  consteval StubName(const char (&name)[kSize]) {
    std::copy_n(name, kSize, text);
  }  // NOLINT: as it is written
  char text[kSize];
};

inline bool IsAnything(PyObject*) {
  return true;
}

// An object of any type: who takes one as an argument checks it.
template <StubName kName>
class NamedObject : public py::object {
 public:
  PYBIND11_OBJECT_DEFAULT(NamedObject, py::object, IsAnything)
};

// An array as a result.
template <StubName kName>
class NamedArray : public py::array {
 public:
  using py::array::array;
  NamedArray(py::array&& array) : py::array(std::move(array)) {}  // NOLINT: any array of the functions below
};

// Arguments.
using ArrayLike = NamedObject<"ArrayLike">;    // NumPy makes an array of it, which ReadNumbers checks
using NameOrIndex = NamedObject<"str | int">;  // a name, or the index behind it
using WholeNumber = NamedObject<"int">;        // ReadWhole checks it
using PathLike = NamedObject<"str | os.PathLike[str]">;  // ReadPath checks it
// Results.
using FloatArray = NamedArray<"FloatArray">;            // of doubles
using StructuredArray = NamedArray<"StructuredArray">;  // of records
using ImageArray = NamedArray<"ImageArray">;            // a picture
// Those of stiction/_types.py.
using DistanceObject = NamedObject<"Distance">;
using SolutionObject = NamedObject<"Solution">;
using RolloutObject = NamedObject<"Rollout">;
using ScenarioResultObject = NamedObject<"ScenarioResult">;

// A row-major array as it came, its numbers as doubles, contiguous. Keeps it alive.
struct Numbers {
  py::array array;
  const double* data() const { return static_cast<const double*>(array.data()); }
  std::vector<py::ssize_t> shape() const { return {array.shape(), array.shape() + array.ndim()}; }
  py::ssize_t size() const { return array.size(); }
};

// As a size in `shape`: any.
inline constexpr py::ssize_t kAny = -1;

// The argument as numbers of exactly this shape. Any strides, and every real dtype, are fine; so is a
// sequence of numbers. Throws TypeError: not an array of real numbers; ValueError: another shape, or a
// number that is not finite, with its index (infinite ones pass where the argument may be `unbounded`).
Numbers ReadNumbers(const char* argument, const py::handle& value, const std::vector<py::ssize_t>& shape,
                    bool unbounded = false);
VectorXd ReadVector(const char* argument, const py::handle& value, py::ssize_t size, bool unbounded = false);
Vector3d ReadVector3(const char* argument, const py::handle& value);

// The whole number that a value is, NumPy's too, clipped to what a size can be. Nothing where it is none:
// arrays have the method that makes whole numbers, but only those of one whole number and no dimension one.
std::optional<py::ssize_t> ToWhole(const py::handle& value);
// The same of an argument. Throws TypeError: no such thing; ValueError: below `least` or beyond what the
// engine counts.
int ReadWhole(const char* argument, const py::handle& value, int least);
std::optional<int> ReadWhole(const char* argument, const std::optional<WholeNumber>& value, int least);

// Copies, row-major.
FloatArray MakeVector(const double* data, py::ssize_t size);
FloatArray MakeVector(const Eigen::Ref<const VectorXd>& values);
FloatArray MakeMatrix(const Eigen::Ref<const MatrixXd>& values);
// A copy of what stays as it is: NumPy refuses to write into it.
FloatArray MakeConstant(const Eigen::Ref<const VectorXd>& values);

// The memory itself, which `owner` holds alive; writable.
FloatArray ViewVector(double* data, py::ssize_t size, const py::handle& owner);
FloatArray ViewRows(double* data, py::ssize_t rows, py::ssize_t columns, const py::handle& owner);

// The name nearest to a misspelt one; empty: none is near.
std::string FindNearest(std::string_view word, const std::vector<std::string>& names);
// "no body 'hnd'; did you mean 'hand'?", or with the names that there are.
std::string UnknownName(const std::string& what, std::string_view word,
                        const std::vector<std::string>& names);

// A str or anything with __fspath__. Throws TypeError.
std::string ReadPath(const char* argument, const py::handle& path);

}  // namespace stiction::python

namespace pybind11::detail {

template <stiction::python::StubName kName>
struct handle_type_name<stiction::python::NamedObject<kName>> {
  static constexpr auto name = const_name(kName.text);
};
template <stiction::python::StubName kName>
struct handle_type_name<stiction::python::NamedArray<kName>> {
  static constexpr auto name = const_name(kName.text);
};

}  // namespace pybind11::detail
