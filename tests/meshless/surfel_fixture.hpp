// SPDX-License-Identifier: BSD-3-Clause
// Surfaces of the tests of surfels.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "experiments/pauly_et_al_2005/scenes/node_clouds.hpp"
#include "experiments/scenes/round_surfaces.hpp"
#include "methods/meshless/surface/surfel_sampling.hpp"
#include "methods/meshless/surface/surfel_sheet.hpp"
#include "methods/meshless/weights/weight_rule.hpp"
#include "methods/model/rigid_body.hpp"
#include "methods/model/triangle_mesh.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::meshless {

inline SurfelSheet sheet_of(std::span<const Surfel> surfels) {
  SurfelSheet sheet(surfels.front().radius());
  for (const Surfel& surfel : surfels) sheet.append(surfel);
  return sheet;
}

/// Sphere of radius 1 about the origin; facets lie less than 1e-4 inside.
inline model::TriangleMesh unit_sphere() {
  return scenes::icosphere(1.0, 5);
}

/// [0, 1]³.
inline model::TriangleMesh unit_box() {
  return scenes::box_surface(Vector3::Zero(), Vector3::Ones());
}

/// The plane z = 0 cut open where x < front.
class HalfPlaneCrack final : public CrackGeometry {
 public:
  explicit HalfPlaneCrack(double front) : front_(front) {}
  std::optional<double> crossing_depth(const Vector3& a, const Vector3& b) const override {
    if ((a[2] > 0.0) == (b[2] > 0.0)) return {};
    const double t = a[2] / (a[2] - b[2]), x = a[0] + t * (b[0] - a[0]);
    if (x >= front_) return {};
    return front_ - x;
  }

 private:
  double front_;
};

inline constexpr WeightRule kTransparent{Weights::Transparency, 1.0};
inline constexpr WeightRule kLineOfSight{Weights::Visibility, 1.0};

}  // namespace deformbench::meshless
