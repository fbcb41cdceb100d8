// The shapes of a model as data of a page: meshes once, parts with the body on which they stand.
#pragma once

#include "json_output.h"
#include "stiction/viz/scene.h"

namespace stiction::runner {

// {meshes, textures, parts, bodies, size, lower, upper}:
//   meshes  {count, lower [3], extent [3], position: u16 x 3 a vertex within that box, normal: i8 x 3, index:
//           u32 x 3 a triangle, corner: f32 x 2 a vertex, where it lies in a picture; only of meshes that
//           show one so}, base64 of little-endian numbers
//   textures  page_textures.h
//   parts   {body, shape: number of DrawPrimitive, mesh (of shape mesh), pose [12], color [4]}; pose as
//           DrawInstance has it, on the body; where it shows a picture also texture, mapping: number of
//           DrawMapping, repeat [2]
//   bodies  names by number, the world first
// Where detailed meshes have more than a page's share of triangles, the shapes that collide stand in their
// place, and `note` says so.
Json MakePageScene(const Model& model, const SceneDrawing& drawing, std::string& note);

}  // namespace stiction::runner
