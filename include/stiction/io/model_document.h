// A model as text, on its way to files: what the writers make (mjcf_writer.h, urdf_writer.h).
#pragma once

#include <string>
#include <vector>

#include "stiction/io/import_report.h"

namespace stiction {

// A mesh beside the model's file, in Wavefront's OBJ format.
struct ModelAsset {
  std::string file;  // relative to the folder of the model's file: "arm_assets/link1.obj"
  std::string text;
};

struct ModelDocument {
  std::string text;
  std::vector<ModelAsset> assets;
  std::vector<std::string> extensions;  // words that the format's other readers do not know, sorted
  // What the format cannot say: approximated, or ignored where it is left out. Nothing else is lost.
  ImportReport report;
};

// Writes the assets, then the file, each under another name first: what is there when this throws is what was
// there before, or complete. Assets of the same names are overwritten. Throws std::runtime_error: a folder
// that does not exist, a file that cannot be written.
void SaveDocument(const ModelDocument& document, const std::string& path);

}  // namespace stiction
