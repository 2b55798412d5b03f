// SPDX-License-Identifier: BSD-3-Clause
// Surfaces that the tests are made of.
#pragma once

#include <functional>
#include <string>

#include "methods/model/error.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::surface_test {

/// Octahedron refined `levels` times onto the sphere: 8·4^levels triangles, outward.
model::TriangleMesh sphere(const Vector3& centre, double radius, int levels);
/// Torus about the z axis: 2·around·across triangles, outward.
model::TriangleMesh torus(const Vector3& centre, double radius, double tube, int around, int across);
/// Box with two triangles per face, outward.
model::TriangleMesh box(const Vector3& low, const Vector3& high);
/// Both meshes as one, indices of the second shifted; `flip_second` turns its triangles over.
model::TriangleMesh join(const model::TriangleMesh& first, const model::TriangleMesh& second, bool flip_second = false);
/// Corners, edge middles and centre of every triangle, as points without triangles.
model::TriangleMesh samples_of(const model::TriangleMesh& mesh);

/// What the InputError says that `action` ends with.
inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

}  // namespace deformbench::surface_test
