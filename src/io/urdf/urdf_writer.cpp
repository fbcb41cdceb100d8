#include "stiction/io/urdf_writer.h"

#include <filesystem>
#include <stdexcept>

#include "io/urdf/writer_class.h"
#include "io/xml/reader.h"

namespace stiction {
namespace urdf {
namespace {

template <typename Elements>
std::vector<std::vector<int>> ListByBody(const Elements& elements, int num_bodies) {
  std::vector<std::vector<int>> lists(num_bodies);
  for (std::size_t i = 0; i < elements.size(); ++i) lists[elements[i].body].push_back(static_cast<int>(i));
  return lists;
}

// The name, or with a number behind it where it is taken.
std::string ClaimName(const std::string& wanted, std::unordered_set<std::string>& taken) {
  std::string name = wanted;
  for (int i = 1; !taken.insert(name).second; ++i) name = wanted + "_" + std::to_string(i);
  return name;
}

}  // namespace

Writer::Writer(const Model& model, const std::string& path)
    : model_(model),
      path_(path),
      assets_(std::filesystem::path(path).stem().string() + "_assets"),
      p_BL_(model.bodies.size(), Vector3d::Zero()),
      root_frame_(FindRootFrame()),
      geoms_of_(ListByBody(model.geoms, model.num_bodies())),
      visuals_of_(ListByBody(model.visuals, model.num_bodies())),
      frames_of_(ListByBody(model.frames, model.num_bodies())) {
  for (std::vector<int>& visuals : visuals_of_)
    std::erase_if(visuals, [&](int v) { return model.visuals[v].is_site; });
}

ModelDocument Writer::Write() {
  root_ = document_.NewElement("robot");
  document_.InsertEndChild(root_);
  mjcf::Set(*root_, "name", model_.name.empty() ? "robot" : model_.name);
  NameElements();
  CollectMimics();
  CollectMotors();
  for (int b = 0; b < model_.num_bodies(); ++b) WriteBody(b);
  WriteTransmissions();
  WriteMaterials();
  NoteJoints();
  NoteGeoms();
  NoteContacts();
  NoteMechanisms();
  NoteOptions();
  tinyxml2::XMLPrinter printer;
  document_.Print(&printer);
  ModelDocument out{printer.CStr(), assets_.TakeFiles(), {extensions_.begin(), extensions_.end()}, report_};
  if (out.text.size() > xml::kMaxFileBytes)
    throw std::invalid_argument("the model takes more text than any reader accepts");
  return out;
}

void Writer::Note(ImportStatus status, const std::string& item, const std::string& why, ImportLoss loss) {
  report_.items.push_back({path_, 0, item, status, why, loss});
}

void Writer::NoteCount(int count, const std::string& item, const std::string& what, const std::string& why) {
  if (count == 0) return;
  Note(ImportStatus::kIgnored, item,
       std::to_string(count) + " " + what + (count == 1 ? "" : "s") + ": " + why);
}

std::string Writer::ClaimLink(const std::string& wanted) {
  return ClaimName(wanted, taken_links_);
}

std::string Writer::ClaimJoint(const std::string& wanted) {
  return ClaimName(wanted, taken_joints_);
}

// Of the world's frames the first at its origin can be what the root link is called: read again it is the
// same frame.
int Writer::FindRootFrame() const {
  for (std::size_t f = 0; f < model_.frames.size(); ++f) {
    const Frame& frame = model_.frames[f];
    const bool is_origin = frame.X_BF.R.isIdentity(0.0) && frame.X_BF.p.isZero(0.0);
    if (frame.body == 0 && is_origin && !frame.name.empty()) return static_cast<int>(f);
  }
  return -1;
}

// All have names, which are those of the model unless a body and a frame share one. Names that stand in the
// model go first, so that those made up here come out alike when the file is written again.
void Writer::NameElements() {
  for (const Body& body : model_.bodies) {
    if (!body.name.empty() && &body != &model_.bodies.front()) taken_links_.insert(body.name);
  }
  for (const Joint& joint : model_.joints) {
    if (!joint.name.empty()) taken_joints_.insert(joint.name);
  }
  for (const Frame& frame : model_.frames) {
    if (frame.name.empty()) {
      frame_names_.emplace_back();  // nobody can ask for it
      continue;
    }
    frame_names_.push_back(ClaimLink(frame.name));
    if (frame_names_.back() == frame.name) continue;
    Note(ImportStatus::kApproximated, "site",
         "\"" + frame.name + "\" has the name of a body: its link is called \"" + frame_names_.back() + "\"");
  }
  for (int j = 0; j < model_.num_joints(); ++j) {
    const std::string& name = model_.joints[j].name;
    joint_names_.push_back(name.empty() ? ClaimJoint("joint" + std::to_string(j)) : name);
  }
  link_names_.push_back(root_frame_ >= 0 ? frame_names_[root_frame_] : ClaimLink("world"));
  for (int b = 1; b < model_.num_bodies(); ++b) {
    const std::string& name = model_.bodies[b].name;
    link_names_.push_back(name.empty() ? ClaimLink("body" + std::to_string(b)) : name);
  }
}

void Writer::WriteBody(int index) {
  const Body& body = model_.bodies[index];
  std::string parent = index > 0 ? link_names_[body.parent] : "";
  RigidTransform X_PB = body.X_PB;
  if (index > 0) X_PB.p -= p_BL_[body.parent];  // from the parent link's frame, turned as the body's
  const std::vector<Piece> pieces = MakePieces(index);
  num_pieces_.push_back(static_cast<int>(pieces.size()));
  Vector3d p_BL = Vector3d::Zero();  // of the link so far
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool is_last = i + 1 == pieces.size();
    const std::string link = is_last ? link_names_[index] : ClaimLink(pieces[i].name + "_link");
    const Vector3d& p_BJ = pieces[i].p_BJ;
    const RigidTransform X_LJ =
        i == 0 ? RigidTransform{X_PB.R, X_PB * p_BJ} : RigidTransform{Matrix3d::Identity(), p_BJ - p_BL};
    AddJoint(pieces[i], X_LJ, parent, link);
    if (!is_last) AddLink(link), ++num_massless_;
    parent = link;
    p_BL = p_BJ;
  }
  p_BL_[index] = p_BL;
  if (!p_BL.isZero(0.0)) {
    Note(ImportStatus::kApproximated, "body",
         "\"" + link_names_[index] + "\": its link's frame stands at the joint, by " +
             mjcf::ToText(std::span<const double>(p_BL.data(), 3)) + " m from the body's");
  }
  Output& link = AddLink(link_names_[index]);
  if (index > 0) WriteInertial(body.inertia, p_BL, link);
  WriteShapes(index, link);
  WriteFrames(index);
}

void Writer::WriteFrames(int body) {
  for (const int f : frames_of_[body]) {
    if (f == root_frame_ || frame_names_[f].empty()) continue;
    RigidTransform X_LF = model_.frames[f].X_BF;
    X_LF.p -= p_BL_[body];
    AddJoint({.name = ClaimJoint(frame_names_[f] + "_fixed")}, X_LF, link_names_[body], frame_names_[f]);
    AddLink(frame_names_[f]);
  }
}

// In front, where other readers look for what a name means.
void Writer::WriteMaterials() {
  Output* last = nullptr;
  for (const auto& [name, color] : material_list_) {
    Output* material = document_.NewElement("material");
    mjcf::Set(*material, "name", name);
    std::string rgba;
    for (const float part : {color.r, color.g, color.b, color.a})
      rgba += (rgba.empty() ? "" : " ") + mjcf::ToText(part);
    mjcf::Set(*material->InsertNewChildElement("color"), "rgba", rgba);
    if (last)
      root_->InsertAfterChild(last, material);
    else
      root_->InsertFirstChild(material);
    last = material;
  }
}

}  // namespace urdf

ModelDocument MakeUrdf(const Model& model, const std::string& path) {
  return urdf::Writer(model, path).Write();
}

}  // namespace stiction
