// In place of what reads SDFormat (src/io/sdf/parse.cpp), for test programs that read none: those then do not
// load libsdformat, which compiles regular expressions for 35 ms whenever a program starts, and CTest starts
// one per test.
#include "io/sdf/sdf_file.h"
#include "stiction/model/load_error.h"

namespace stiction::sdformat {

File ParseFile(const std::string& path, const xml::Element&, const IncludedFiles&) {
  throw LoadError(path, 0, "", "this test program is linked without libsdformat; test SDFormat in tests/io");
}

}  // namespace stiction::sdformat
