// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/mueller_et_al_2007/scenes/characters.hpp"

#include <fmt/format.h>

#include <cmath>

#include "experiments/scenes/animal_models.hpp"
#include "methods/model/error.hpp"
#include "methods/surface/procedural/body.hpp"
#include "methods/surface/procedural/isosurface.hpp"
#include "methods/surface/procedural/remesh.hpp"

namespace deformbench::scenes {
namespace {

/// A toy bear standing on y = 0 with spread arms, facing +z; about one metre high.
surface::Body bear_body() {
  surface::Body body;
  body.begin_part("trunk", 0.08);
  body.add_capsule({0, 0.36, 0}, {0, 0.50, 0}, 0.20, 0.165);  // belly and chest
  body.begin_part("head", 0.05);
  body.add_capsule({-0.03, 0.80, 0}, {0.03, 0.80, 0}, 0.165, 0.165);
  body.add_capsule({0, 0.765, 0.13}, {0, 0.760, 0.17}, 0.075, 0.060);  // snout
  for (const double side : {-1.0, 1.0}) {
    body.begin_part("ears", 0.03);
    body.add_capsule({0.125 * side, 0.935, 0}, {0.150 * side, 0.965, 0}, 0.062, 0.058, {1.0, 1.0, 1.35});
    body.begin_part("arms", 0.05);
    body.add_capsule({0.16 * side, 0.565, 0}, {0.42 * side, 0.60, 0.02}, 0.082, 0.072);
    body.add_capsule({0.42 * side, 0.60, 0.02}, {0.45 * side, 0.605, 0.02}, 0.085, 0.080);  // hand
    body.begin_part("legs", 0.06);
    body.add_capsule({0.115 * side, 0.26, 0}, {0.185 * side, 0.09, 0.0}, 0.105, 0.090);
    body.add_capsule({0.185 * side, 0.085, 0.0}, {0.195 * side, 0.085, 0.09}, 0.085, 0.075);  // foot
  }
  body.begin_part("tail", 0.03);
  body.add_capsule({0, 0.27, -0.19}, {0, 0.28, -0.21}, 0.055, 0.055);
  return body;
}

model::TriangleMesh bear(int triangles) {
  const surface::Body body = bear_body();
  constexpr double kArea = 1.9;  // m², surface area; the initial lattice has about four times the wanted triangles
  constexpr double kSurplus = 4.0;
  double spacing = std::sqrt(kArea * 4.0 / (kSurplus * triangles));
  model::TriangleMesh marched = surface::march(body, spacing);
  for (int attempt = 0; attempt < 8; ++attempt) {
    const double surplus = double(marched.triangle_count()) / triangles;
    if (surplus > 0.75 * kSurplus && surplus < 1.35 * kSurplus) break;
    spacing *= std::sqrt(std::max(surplus, 0.05) / kSurplus);
    marched = surface::march(body, spacing);
  }
  model::TriangleMesh mesh = surface::remesh(marched, body, triangles);
  if (!surface::untangle(mesh, 20))
    throw InputError(fmt::format("bear: {} triangles are too few for its parts, expected 600 or more", triangles));
  return mesh;
}

}  // namespace

model::TriangleMesh character_surface(const std::string& model, int triangles, double length,
                                      const std::string& scene) {
  model::TriangleMesh mesh;
  if (model == "bear") {
    if (triangles < 400)
      throw InputError(fmt::format("scene {}: a bear of {} triangles, expected 400 or more", scene, triangles));
    mesh = bear(triangles);
    scale_to(mesh, length);
  } else {
    mesh = animal_surface(model, triangles, length, true, scene);
  }
  const Vector3 middle = 0.5 * (mesh.positions.colwise().maxCoeff() + mesh.positions.colwise().minCoeff());
  mesh.positions.rowwise() -= middle.transpose();
  return mesh;
}

}  // namespace deformbench::scenes
