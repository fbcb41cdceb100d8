#include "arrays.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace stiction::python {
namespace {

std::string FormatShape(const std::vector<py::ssize_t>& shape) {
  std::string out = "(";
  for (std::size_t i = 0; i < shape.size(); ++i)
    out += (i == 0 ? "" : ", ") + (shape[i] == kAny ? "n" : std::to_string(shape[i]));
  return out + (shape.size() == 1 ? ",)" : ")");
}

std::string TypeName(const py::handle& value) {
  return Py_TYPE(value.ptr())->tp_name;
}

bool Fits(const py::array& array, const std::vector<py::ssize_t>& shape) {
  if (array.ndim() != static_cast<py::ssize_t>(shape.size())) return false;
  for (py::ssize_t i = 0; i < array.ndim(); ++i)
    if (shape[i] != kAny && array.shape(i) != shape[i]) return false;
  return true;
}

// "[2, 1]" of the flat index.
std::string FormatIndex(const py::array& array, py::ssize_t flat) {
  std::string out;
  for (py::ssize_t i = array.ndim() - 1; i >= 0; --i) {
    out = std::to_string(flat % array.shape(i)) + (out.empty() ? "" : ", ") + out;
    flat /= array.shape(i);
  }
  return "[" + out + "]";
}

// As an array of whatever dtype; TypeError where NumPy finds none with real numbers.
py::array MakeRealArray(const std::string& argument, const py::handle& value) {
  const auto refuse = [&](const std::string& came) {
    throw py::type_error(argument + ": expected an array of real numbers; " + came + " came");
  };
  py::array array = py::array::ensure(value);  // clears NumPy's error where there is none
  if (!array) refuse(TypeName(value));
  const char kind = array.dtype().kind();
  if (std::strchr("fiub", kind) == nullptr) {
    refuse(py::isinstance<py::array>(value) || kind == 'c'
               ? "dtype " + std::string(py::str(array.dtype()))
               : TypeName(value) + ", whose elements are not such");
  }
  return array;
}

void CheckFinite(const std::string& argument, const Numbers& numbers, bool unbounded) {
  const double* data = numbers.data();
  for (py::ssize_t i = 0; i < numbers.size(); ++i) {
    if (std::isfinite(data[i]) || (unbounded && !std::isnan(data[i]))) continue;
    throw py::value_error(argument + FormatIndex(numbers.array, i) + " is " +
                          (std::isnan(data[i]) ? "nan" : "infinite") + "; expected " +
                          (unbounded ? "a number" : "finite numbers"));
  }
}

// Levenshtein's distance, of short words.
int CountEdits(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

FloatArray Copy(std::vector<py::ssize_t> shape, const double* data) {
  return py::array(py::dtype::of<double>(), std::move(shape), data);
}

}  // namespace

Numbers ReadNumbers(const char* argument, const py::handle& value, const std::vector<py::ssize_t>& shape,
                    bool unbounded) {
  const py::array array = MakeRealArray(argument, value);
  if (!Fits(array, shape)) {
    throw py::value_error(std::string(argument) + ": expected shape " + FormatShape(shape) + "; " +
                          FormatShape({array.shape(), array.shape() + array.ndim()}) + " came");
  }
  Numbers out{py::array_t<double, py::array::c_style | py::array::forcecast>(array)};
  CheckFinite(argument, out, unbounded);
  return out;
}

VectorXd ReadVector(const char* argument, const py::handle& value, py::ssize_t size, bool unbounded) {
  const Numbers numbers = ReadNumbers(argument, value, {size}, unbounded);
  return Eigen::Map<const VectorXd>(numbers.data(), numbers.size());
}

Vector3d ReadVector3(const char* argument, const py::handle& value) {
  return Vector3d(ReadNumbers(argument, value, {3}).data());
}

std::optional<py::ssize_t> ToWhole(const py::handle& value) {
  if (PyIndex_Check(value.ptr()) == 0) return {};
  const py::ssize_t number = PyNumber_AsSsize_t(value.ptr(), nullptr);
  if (number != -1 || PyErr_Occurred() == nullptr) return number;
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw py::error_already_set();
  PyErr_Clear();
  return {};
}

int ReadWhole(const char* argument, const py::handle& value, int least) {
  const std::optional<py::ssize_t> number = ToWhole(value);
  if (!number)
    throw py::type_error(std::string(argument) + ": expected a whole number; " + TypeName(value) + " came");
  if (*number >= least && *number <= std::numeric_limits<int>::max()) return static_cast<int>(*number);
  throw py::value_error(std::string(argument) + ": expected a whole number >= " + std::to_string(least) +
                        (*number < least ? "" : ", and below 2**31") + "; " + std::string(py::str(value)) +
                        " came");
}

std::optional<int> ReadWhole(const char* argument, const std::optional<WholeNumber>& value, int least) {
  return value ? std::optional(ReadWhole(argument, *value, least)) : std::nullopt;
}

FloatArray MakeVector(const double* data, py::ssize_t size) {
  return Copy({size}, data);
}

FloatArray MakeVector(const Eigen::Ref<const VectorXd>& values) {
  return Copy({values.size()}, values.data());
}

FloatArray MakeMatrix(const Eigen::Ref<const MatrixXd>& values) {
  FloatArray out = Copy({values.rows(), values.cols()}, nullptr);
  auto* data = static_cast<double*>(out.mutable_data());
  for (Eigen::Index i = 0; i < values.rows(); ++i)
    for (Eigen::Index j = 0; j < values.cols(); ++j) *data++ = values(i, j);
  return out;
}

FloatArray MakeConstant(const Eigen::Ref<const VectorXd>& values) {
  FloatArray out = MakeVector(values);
  py::detail::array_proxy(out.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return out;
}

FloatArray ViewVector(double* data, py::ssize_t size, const py::handle& owner) {
  return py::array(py::dtype::of<double>(), {size}, {}, data, owner);
}

FloatArray ViewRows(double* data, py::ssize_t rows, py::ssize_t columns, const py::handle& owner) {
  return py::array(py::dtype::of<double>(), {rows, columns}, {}, data, owner);
}

std::string FindNearest(std::string_view word, const std::vector<std::string>& names) {
  std::string nearest;
  int fewest = static_cast<int>(word.size()) / 3 + 2;  // more edits than that make another word
  for (const std::string& name : names) {
    const int edits = CountEdits(word, name);
    if (edits < fewest) fewest = edits, nearest = name;
  }
  return nearest;
}

std::string UnknownName(const std::string& what, std::string_view word,
                        const std::vector<std::string>& names) {
  constexpr std::size_t kMostListed = 20;
  const std::string message = "there is no " + what + " '" + std::string(word) + "'; ";
  const std::string nearest = FindNearest(word, names);
  if (!nearest.empty()) return message + "did you mean '" + nearest + "'?";
  if (names.empty()) return message + "there are none at all";
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i)
    list += (i == 0 ? "" : ", ") + names[i];
  return message + "known: " + list + (names.size() > kMostListed ? ", ..." : "");
}

std::string ReadPath(const char* argument, const py::handle& path) {
  PyObject* text = nullptr;
  if (PyUnicode_FSConverter(path.ptr(), &text) == 0) {
    if (PyErr_ExceptionMatches(PyExc_ValueError)) throw py::error_already_set();  // it holds a zero, say
    PyErr_Clear();
    throw py::type_error(std::string(argument) + ": expected a path (str or os.PathLike); " + TypeName(path) +
                         " came");
  }
  return py::reinterpret_steal<py::bytes>(text);
}

}  // namespace stiction::python
