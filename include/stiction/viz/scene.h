// A model as a draw list: shapes at their poses, contacts with their forces, frames, axes, inertia.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "stiction/model/model.h"
#include "stiction/sim/contact.h"
#include "stiction/viz/draw_list.h"

namespace stiction {

// What is drawn besides the shapes.
struct SceneOptions {
  bool shapes = true;      // and the paths of spatial tendons
  bool collision = false;  // shapes that collide instead of what bodies look like
  bool contacts = false;   // points and normals; patches by their pressure
  bool forces = false;     // arrows, length = force
  bool cones = false;      // friction cones, coloured by state
  bool frames = false;     // of bodies
  bool sites = true;       // of MJCF, as their groups say
  bool joint_axes = false;
  bool centers = false;  // of mass, a sphere a body
  bool inertia = false;  // boxes of the same principal moments
  bool labels = false;   // names of bodies
  bool is_transparent = false;
  double force_scale = 1.0;  // longest arrow as a part of the scene's size
  int selected_body = -1;    // drawn brighter, and in DrawList::outline; -1 and the world: none
  // Bodies that are not drawn, nor met by rays: true at their index. Those beyond its end are.
  std::vector<bool> hidden{};
  bool is_hidden(int body) const {
    return static_cast<std::size_t>(body) < hidden.size() && hidden[static_cast<std::size_t>(body)];
  }
  // Groups of geoms and visuals that are drawn, a bit for each; none: what the model shows (Geom::is_seen).
  std::optional<unsigned int> groups{};
};

// Sticking, sliding or open, of a contact's impulse and the friction coefficient of its pair.
enum class ContactState { kOpen, kStick, kSlip };
ContactState ClassifyContact(const Model& model, const Contact& contact);

class SceneDrawing {
 public:
  // Prepares meshes and colours of a model, which must outlive it.
  explicit SceneDrawing(const Model& model);

  // Static triangles, to be uploaded once; DrawList::mesh_instances follows their order.
  const std::vector<DrawMesh>& meshes() const { return meshes_; }
  // Pictures, likewise: what DrawSurface::texture and DrawLighting::sky name.
  const std::vector<SharedTexture>& textures() const { return textures_; }

  // Clears the list and draws the model at X_WB, a pose per body.
  //   contacts  of the last step; dt its timestep [s]
  //   worst     constraint index of the contact to highlight, -1: none
  void Draw(const std::vector<RigidTransform>& X_WB, const std::vector<Contact>& contacts, double dt,
            int worst, const SceneOptions& options, DrawList& list) const;

  // Adds the shapes of one body, in the body's axes: for who moves them on their own.
  void DrawBody(int body, const SceneOptions& options, DrawList& list) const;

  // Axis-aligned box of all shapes but planes at X_WB: [lower, upper]. A unit box where there is none.
  std::pair<Vector3d, Vector3d> CalcBounds(const std::vector<RigidTransform>& X_WB) const;
  // The same without the few trees that stand far off all others, such as what falls upon a scene from a
  // height: what a first picture is to show.
  std::pair<Vector3d, Vector3d> CalcMainBounds(const std::vector<RigidTransform>& X_WB) const;
  // Half of the diagonal of CalcBounds in the file's configuration: the scale of arrows and cameras [m].
  double size() const { return size_; }

  // Metres of an arrow a N·s of impulse: the largest of the contacts is drawn half as long as the scene's
  // size, times SceneOptions::force_scale. Zero where no contact carries anything.
  double CalcImpulseScale(const std::vector<Contact>& contacts, const SceneOptions& options) const;

  // What is drawn that a ray meets first and where, planes included; none if it meets nothing. d is a unit
  // vector.
  struct Hit {
    int body = -1;
    int geom = -1;  // -1: a visual
    Vector3d p_W;
    double distance = 0.0;
  };
  std::optional<Hit> Pick(const std::vector<RigidTransform>& X_WB, const Vector3d& p_W, const Vector3d& d_W,
                          const SceneOptions& options = {}) const;

 private:
  // Something that is drawn of a body.
  struct Part {
    int body = 0;
    int geom = -1;  // -1: a visual
    RigidTransform X_BP{};
    const Shape* shape = nullptr;        // a primitive or hull, or
    const TriangleMesh* mesh = nullptr;  // a mesh
    int draw_mesh = -1;                  // into meshes(); -1: a primitive
    DrawColor color{};
    DrawSurface surface{};
    bool is_look = true;       // drawn unless collision shapes are
    bool is_collision = true;  // drawn where they are
    bool is_site = false;
    int group = 0;
    bool is_drawn(const SceneOptions& options) const;
    // Not a part of what another stands for, and no mark.
    bool is_solid() const { return !is_site && (shape != nullptr || mesh != nullptr); }
  };
  // Meshes that were made of one thing.
  struct MeshParts {
    int first = 0;               // into meshes_
    std::vector<int> materials;  // one per mesh, -1: none
  };

  // Of a part at X; none of planes, sites and what another part stands for.
  std::optional<std::pair<Vector3d, Vector3d>> CalcPartBounds(const Part& part,
                                                              const RigidTransform& X) const;
  void AddParts();
  void AddGeomPart(int geom);
  void AddVisualParts(const Visual& visual);
  void AddPart(Part part, const std::optional<Color>& color, const SharedMaterial& material);
  const MeshParts& AddMesh(const void* key, const ConvexHull* hull, const TriangleMesh* mesh,
                           const FieldSolid* field = nullptr);
  int AddShapeMesh(const Shape& shape);
  int AddTexture(const SharedTexture& texture);
  DrawSurface MakeSurface(const Material& material, const Part& part);
  void PrepareLighting();
  DrawLighting MakeLighting(const std::vector<RigidTransform>& X_WB) const;
  void DrawShapes(const std::vector<RigidTransform>& X_WB, const SceneOptions& options, DrawList& list) const;
  //   X  pose of the part
  void DrawPart(const Part& part, const RigidTransform& X, const SceneOptions& options, DrawList& list) const;
  // Half lengths of the rectangle that stands for a plane [m].
  Vector3d CalcSeenHalfSize(const Part& part) const;
  void DrawTendons(const std::vector<RigidTransform>& X_WB, const SceneOptions& options,
                   DrawList& list) const;
  void DrawContacts(const std::vector<Contact>& contacts, double dt, int worst, const SceneOptions& options,
                    DrawList& list) const;
  void DrawPatches(const std::vector<Contact>& contacts, DrawList& list) const;
  void DrawMarks(const std::vector<RigidTransform>& X_WB, const SceneOptions& options, DrawList& list) const;

  const Model* model_;
  std::vector<DrawMesh> meshes_;
  std::map<const void*, MeshParts> meshes_of_;              // by what they were made of
  std::vector<std::pair<Vector3d, Vector3d>> mesh_bounds_;  // of all that was made of the same [m]
  std::vector<SharedTexture> textures_;
  DrawLighting surroundings_;  // all but the lamps
  std::vector<Part> parts_;
  double size_ = 1.0;
};

}  // namespace stiction
