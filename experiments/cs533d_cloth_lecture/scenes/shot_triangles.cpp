// SPDX-License-Identifier: BSD-3-Clause
// Many separate pairs of initially disjoint triangles, most of which collide within one step. Coordinates are random,
// or small integers for degenerate contacts: at corners, along edges, coplanar, at the very start or end.
#include <algorithm>

#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"
#include "methods/surface/self_intersection.hpp"

namespace deformbench::scenes {
namespace {

Scene build_shot_triangles(const Parameters& p) {
  Scene scene;
  scene.name = "shot_triangles";
  scene.time_step = p.real("time_step_s");
  scene.cloth.area_density = p.real("area_density_kg_m2");
  const Eigen::Index count = p.integer("count");
  const bool is_whole = p.text("coordinates") == "small_integers";
  scene.cloth.rest_positions.resize(6 * count, 3);
  scene.cloth.triangles.resize(2 * count, 3);
  scene.initial_velocities.resize(6 * count, 3);
  const int side = int(std::ceil(std::cbrt(double(count))));
  for (Eigen::Index n = 0; n < count; ++n) {
    numerics::RandomStream random(std::uint64_t(p.integer("seed")), std::uint64_t(n));
    const auto coordinate = [&] { return is_whole ? double(random.below(4)) : random.uniform(); };
    model::TriangleMesh pair{Points(6, 3), Triangles(2, 3)};
    pair.triangles << 0, 1, 2, 3, 4, 5;
    bool is_good = false;
    while (!is_good) {
      for (Eigen::Index i = 0; i < pair.positions.size(); ++i) pair.positions.data()[i] = coordinate();
      is_good = !surface::triangles_intersect(pair, 0, 1);
      for (int t = 0; t < 2; ++t) {
        const Vector3 a = pair.positions.row(3 * t).transpose();
        is_good &= (Vector3(pair.positions.row(3 * t + 1).transpose()) - a)
                       .cross(Vector3(pair.positions.row(3 * t + 2).transpose()) - a)
                       .norm() > 1e-3;
      }
    }
    const Vector3 place = 16.0 * Vector3(double(n % side), double(n / side % side), double(n / side / side));
    // The first triangle flies through the second, or every vertex moves independently; integer motions are exact.
    const Vector3 flight(coordinate() - (is_whole ? 1.0 : 0.5), coordinate() - (is_whole ? 1.0 : 0.5), coordinate());
    for (Eigen::Index k = 0; k < 6; ++k) {
      const Vector3 at = pair.positions.row(k).transpose();
      Vector3 to(coordinate(), coordinate(), coordinate());
      if (n % 2 == 0) to = at + (k < 3 ? Vector3(2.0 * flight) : Vector3::Zero());
      scene.cloth.rest_positions.row(6 * n + k) = (at + place).transpose();
      scene.initial_velocities.row(6 * n + k) = (to - at).transpose() / scene.time_step;
    }
    scene.cloth.triangles.middleRows(2 * n, 2) = pair.triangles.array() + int(6 * n);
  }
  return scene;
}

}  // namespace

SceneDescriptor shot_triangles() {
  return {"shot_triangles",
          "Separate pairs of triangles, apart at the start, that move through each other within one step.",
          {choice_parameter("coordinates", "random", {"random", "small_integers"}, "Of their corners."),
           positive_parameter("area_density_kg_m2", "kg/m^2", 1.0, "Mass per area."),
           positive_parameter("time_step_s", "s", 1.0, "Time step, in which they move through each other."),
           count_parameter("count", 100, 1, "Number of pairs."), seed_parameter("Seed of corners and motions.")},
          build_shot_triangles};
}

}  // namespace deformbench::scenes
