// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/mueller_et_al_2007/scenes/turned_parts.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace deformbench::scenes {

model::TriangleMesh extrude(const Section& section, double length, int slices, int rings, bool is_inward) {
  const int n = section.points;
  std::vector<Vector3> points;
  std::vector<std::array<int, 3>> triangles;
  const auto ring = [&](double scale, double z) {
    const int first = int(points.size());
    for (int k = 0; k < n; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / n, r = scale * section.radius(angle);
      points.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    }
    return first;
  };
  // Joins two rings with equal angular direction; seen from outside the second is to the left of the first's
  // direction.
  const auto join = [&](int lower, int upper) {
    for (int k = 0; k < n; ++k) {
      const int next = (k + 1) % n;
      triangles.push_back({lower + k, lower + next, upper + next});
      triangles.push_back({lower + k, upper + next, upper + k});
    }
  };
  const auto fan = [&](int ring_first, double z, bool is_upper) {
    const int centre = int(points.size());
    points.emplace_back(0, 0, z);
    for (int k = 0; k < n; ++k) {
      const int a = ring_first + k, b = ring_first + (k + 1) % n;
      triangles.push_back(is_upper ? std::array{a, b, centre} : std::array{b, a, centre});
    }
  };
  const double half = 0.5 * length;
  int last = ring(1.0 / rings, -half);
  fan(last, -half, false);
  const auto add_ring = [&](double scale, double z) {
    const int next = ring(scale, z);
    join(last, next);
    last = next;
  };
  for (int k = 2; k <= rings; ++k) add_ring(double(k) / rings, -half);
  for (int k = 1; k <= slices; ++k) add_ring(1.0, -half + length * k / slices);
  for (int k = rings - 1; k >= 1; --k) add_ring(double(k) / rings, half);
  fan(last, half, true);

  model::TriangleMesh mesh;
  mesh.positions.resize(Eigen::Index(points.size()), 3);
  for (std::size_t i = 0; i < points.size(); ++i) mesh.positions.row(Eigen::Index(i)) = points[i];
  mesh.triangles.resize(Eigen::Index(triangles.size()), 3);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    auto [a, b, c] = triangles[t];
    if (is_inward) std::swap(b, c);
    mesh.triangles.row(Eigen::Index(t)) << a, b, c;
  }
  return mesh;
}

Section gear_section(double mean_radius, double tooth_height, int teeth, int points_a_tooth) {
  constexpr double kFlatness =
      1.5;  // steepness of the teeth: tanh(1.5 cos)/tanh(1.5) lies between a cosine and a square wave
  return {[=](double angle) {
            return mean_radius +
                   0.5 * tooth_height * std::tanh(kFlatness * std::cos(teeth * angle)) / std::tanh(kFlatness);
          },
          teeth * points_a_tooth};
}

Section drum_section(double radius, int ridges, double height, double width, int points) {
  return {[=](double angle) {
            if (ridges == 0) return radius;
            const double pitch = 2.0 * std::numbers::pi / ridges;
            const double from_ridge = std::remainder(angle, pitch) * radius / (0.5 * width);
            if (std::abs(from_ridge) >= 1.0) return radius;
            const double c = std::cos(0.5 * std::numbers::pi * from_ridge);
            return radius - height * c * c;
          },
          points};
}

}  // namespace deformbench::scenes
