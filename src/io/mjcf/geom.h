// Geoms of an MJCF file, by the kind of their shape.
#pragma once

#include <optional>
#include <string>

#include "io/mjcf/body.h"

namespace stiction::mjcf {

// Adds the geom, with the contact rules and the colour of the spec. Throws LoadError if its name is taken.
void AddGeom(Context& context, xml::Element& element, const GeomSpec& spec, Geom geom, const GeomMass& mass);

// The geom's mesh. Null if it cannot be had and may be left out (ModelRepairs), which is noted; throws
// LoadError if the geom names none.
MeshAsset* FindMesh(Context& context, xml::Element& element, const GeomSpec& spec);

// Geoms that are meshes, height fields and signed distance fields. `name` is the geom's.
void ReadMeshGeom(Context& context, xml::Element& element, const GeomSpec& spec, const std::string& name,
                  const Scope& scope);
void ReadHeightFieldGeom(Context& context, xml::Element& element, const GeomSpec& spec,
                         const std::string& name, const Scope& scope);
void ReadFieldGeom(Context& context, xml::Element& element, const GeomSpec& spec, const std::string& name,
                   const Scope& scope);

// The colour of a geom or site: its own, or that of its material.
std::optional<Color> FindColor(const Context& context, xml::Element& element,
                               const std::optional<Color>& rgba, const std::string& material);

// The material of that name; null: none.
SharedMaterial FindMaterial(const Context& context, const std::string& name);
// Makes a material, with its texture where visuals are asked for, once all textures are read.
void FinishMaterial(Context& context, const std::string& name, const MaterialSpec& spec,
                    xml::Element& element);

// Whether the geom is part of what the model looks like.
bool IsSeen(const Compiler& compiler, const GeomSpec& spec);
// Adds the geom's mesh to what the model looks like. False if it is not to be shown, or cannot be, which is
// no reason not to load the model.
bool AddMeshVisual(Context& context, xml::Element& element, const GeomSpec& spec, const std::string& name,
                   MeshAsset& asset, const Scope& scope);
// Some models have no more than what stands in a hidden group: better to see that than nothing.
void ShowBareBodies(Model& model);

// LoadOptions::ground.
void AddGround(Context& context);
// Throws LoadError for a plane on a body of the built model that moves.
void CheckPlanes(const Context& context, const Model& model);

}  // namespace stiction::mjcf
