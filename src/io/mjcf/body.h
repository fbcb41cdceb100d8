// What stands in an MJCF <body>, each element read into the context.
#pragma once

#include <string>

#include "io/mjcf/context.h"

namespace stiction::mjcf {

// Where the element being read stands: on which body, in which <frame>, under which childclass.
struct Scope {
  int body = 0;           // the builder's index
  RigidTransform X_BF{};  // frame F of the enclosing <frame> and <replicate> elements on the body
  int default_class = Defaults::kMain;
  std::string suffix{};  // appended to names by <replicate>
};

// The element's name in this scope; empty if it has none.
std::string ReadName(xml::Element& element, const Scope& scope);

// camera.cpp: how a camera or light that was added goes along with its body; AimCameras turns those that have
// targets to them, once all bodies are known.
void SetMode(Context& context, xml::Element& element, const Scope& scope, CameraMode mode, bool is_light,
             int index);
void AimCameras(Context& context);
void ReadBody(Context& context, xml::Element& element, const Scope& scope);
void ReadJoint(Context& context, xml::Element& element, const Scope& scope);
void ReadFreeJoint(Context& context, xml::Element& element, const Scope& scope);
void ReadGeom(Context& context, xml::Element& element, const Scope& scope);
void ReadSite(Context& context, xml::Element& element, const Scope& scope);
// A frame on the body, and where visuals are asked for how it is drawn. Without a name nothing can refer to
// it.
void AddSite(Context& context, xml::Element& element, const SiteSpec& spec, const std::string& name, int body,
             const RigidTransform& X_BS);
void ReadCamera(Context& context, xml::Element& element, const Scope& scope);
void ReadLight(Context& context, xml::Element& element, const Scope& scope);
void ReadInertial(Context& context, xml::Element& element, const Scope& scope);
void ReadAttach(Context& context, xml::Element& element, const Scope& scope);
void ReadComposite(Context& context, xml::Element& element, const Scope& scope);

// Of what an element says in whatever words: a body with its name, index returned; a joint on the scope's
// body; a primitive with its mass.
int AddBody(Context& context, xml::Element& element, const Body& body);
void AddJoint(Context& context, xml::Element& element, const JointSpec& spec, const std::string& name,
              const Scope& scope);
void AddPiece(Context& context, xml::Element& element, const GeomSpec& spec, const std::string& name,
              const Scope& scope);

}  // namespace stiction::mjcf
