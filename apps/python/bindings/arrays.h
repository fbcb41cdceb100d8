// Between NumPy's arrays and the engine's: every shape and dtype is checked at the door, and an error names
// the argument, what came and what was expected. Compiled once; nothing here drags Eigen's templates into
// the bindings.
#pragma once

#include <pybind11/numpy.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/math/types.h"

namespace stiction::python {

namespace py = pybind11;

inline bool IsAnything(PyObject*) {
  return true;
}

// An argument from which NumPy makes an array: checked by the functions below, not by its type.
class ArrayLike : public py::object {
 public:
  PYBIND11_OBJECT_DEFAULT(ArrayLike, py::object, IsAnything)
};

// An array of doubles as a result.
class FloatArray : public py::array {
 public:
  using py::array::array;
  FloatArray(py::array&& array) : py::array(std::move(array)) {}  // NOLINT: any array of the functions below
};

// An array of records.
class StructuredArray : public py::array {
 public:
  using py::array::array;
  explicit StructuredArray(py::array&& array) : py::array(std::move(array)) {}
};

// A picture.
class ImageArray : public py::array {
 public:
  using py::array::array;
  explicit ImageArray(py::array&& array) : py::array(std::move(array)) {}
};

// A name, or the index behind it.
class NameOrIndex : public py::object {
 public:
  PYBIND11_OBJECT_DEFAULT(NameOrIndex, py::object, IsAnything)
};

// A str, or anything with __fspath__.
class PathLike : public py::object {
 public:
  PYBIND11_OBJECT_DEFAULT(PathLike, py::object, IsAnything)
};

// Those of stiction/_types.py.
class DistanceObject : public py::object {
 public:
  PYBIND11_OBJECT_DEFAULT(DistanceObject, py::object, IsAnything)
};
class SolutionObject : public py::object {
 public:
  PYBIND11_OBJECT_DEFAULT(SolutionObject, py::object, IsAnything)
};
class ScenarioResultObject : public py::object {
 public:
  PYBIND11_OBJECT_DEFAULT(ScenarioResultObject, py::object, IsAnything)
};

class RolloutObject : public py::object {
 public:
  PYBIND11_OBJECT_DEFAULT(RolloutObject, py::object, IsAnything)
};

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

// Copies, row-major.
FloatArray MakeVector(const double* data, py::ssize_t size);
FloatArray MakeVector(const Eigen::Ref<const VectorXd>& values);
FloatArray MakeMatrix(const Eigen::Ref<const MatrixXd>& values);

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

// The words of signatures, which are those of the stubs.
template <>
struct handle_type_name<stiction::python::ArrayLike> {
  static constexpr auto name = const_name("ArrayLike");
};
template <>
struct handle_type_name<stiction::python::FloatArray> {
  static constexpr auto name = const_name("FloatArray");
};
template <>
struct handle_type_name<stiction::python::StructuredArray> {
  static constexpr auto name = const_name("StructuredArray");
};
template <>
struct handle_type_name<stiction::python::ImageArray> {
  static constexpr auto name = const_name("ImageArray");
};
template <>
struct handle_type_name<stiction::python::NameOrIndex> {
  static constexpr auto name = const_name("str | int");
};
template <>
struct handle_type_name<stiction::python::PathLike> {
  static constexpr auto name = const_name("str | os.PathLike[str]");
};
template <>
struct handle_type_name<stiction::python::DistanceObject> {
  static constexpr auto name = const_name("Distance");
};
template <>
struct handle_type_name<stiction::python::SolutionObject> {
  static constexpr auto name = const_name("Solution");
};
template <>
struct handle_type_name<stiction::python::ScenarioResultObject> {
  static constexpr auto name = const_name("ScenarioResult");
};
template <>
struct handle_type_name<stiction::python::RolloutObject> {
  static constexpr auto name = const_name("Rollout");
};

}  // namespace pybind11::detail
