#include "io/sdf/module.h"

#include <dlfcn.h>

#include <cstring>

namespace stiction::sdformat {
namespace {

std::string ReadLoaderError() {
  const char* error = dlerror();
  return error ? error : "no reason given";
}

// Looked for where the program says (its RUNPATH), and stays loaded.
const Module* LoadModule(const xml::Element& raw) {
  const std::string file = kModuleFile;
  void* library = dlopen(kModuleFile, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    raw.Fail("SDFormat is read by " + file + ", which cannot be loaded: " + ReadLoaderError() +
             "; name its folder, lib/stiction where the engine is installed, in LD_LIBRARY_PATH");
  const auto* module = static_cast<const Module*>(dlsym(library, kModuleName));
  if (!module) raw.Fail(file + " is not of this engine: " + ReadLoaderError());
  if (std::strcmp(module->version, STICTION_VERSION) != 0)
    raw.Fail(file + " is of version " + module->version + ", and this program of " + STICTION_VERSION);
  return module;
}

}  // namespace

File ParseFile(const std::string& path, const xml::Element& raw, const IncludedFiles& includes) {
  static const Module* const module = LoadModule(raw);
  File file;
  module->parse(path, raw, includes, file);
  return file;
}

}  // namespace stiction::sdformat
