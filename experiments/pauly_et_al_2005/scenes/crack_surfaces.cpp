// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/pauly_et_al_2005/scenes/crack_surfaces.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <vector>

namespace deformbench::scenes {
namespace {

constexpr int kSegments = 11;  // per straight front
constexpr int kSectors = 48;   // per circle
constexpr int kRings = 12;

}  // namespace

CrackFrame crack_frame(const Vector3& tip, double tilt, double roll) {
  const Matrix3 turn = (Eigen::AngleAxisd(roll, Vector3::UnitX()) * Eigen::AngleAxisd(tilt, Vector3::UnitZ())).matrix();
  return {tip, turn.col(0), turn.col(2), turn.col(1)};
}

model::InitialCrack strip_crack(const CrackFrame& frame, double width, double length, double bend, double bend_at) {
  // Lines across the strip, from the far end to the front.
  const Vector3 ridge = -bend_at * frame.ahead;
  const Vector3 back = ridge - (length - bend_at) * (std::cos(bend) * frame.ahead + std::sin(bend) * frame.normal);
  std::vector<Vector3> lines{back, Vector3::Zero()};
  if (bend != 0.0) lines.insert(lines.begin() + 1, ridge);
  model::InitialCrack crack;
  crack.surface.positions.resize(Eigen::Index(lines.size()) * (kSegments + 1), 3);
  crack.surface.triangles.resize(2 * Eigen::Index(lines.size() - 1) * kSegments, 3);
  Eigen::Index triangle = 0;
  std::vector<int> front;
  for (int l = 0; l < int(lines.size()); ++l)
    for (int k = 0; k <= kSegments; ++k) {
      const int v = l * (kSegments + 1) + k;
      crack.surface.positions.row(v) =
          frame.tip + lines[std::size_t(l)] + width * (double(k) / kSegments - 0.5) * frame.along;
      if (l + 1 == int(lines.size())) front.push_back(v);
      if (l == 0 || k == 0) continue;
      const int below = v - kSegments - 1;
      crack.surface.triangles.row(triangle++) << below - 1, below, v;
      crack.surface.triangles.row(triangle++) << below - 1, v, v - 1;
    }
  crack.fronts = {front};
  return crack;
}

model::InitialCrack cap_crack(const CrackFrame& frame, double radius, double curvature) {
  model::InitialCrack crack;
  crack.surface.positions.resize(1 + kRings * kSectors, 3);
  crack.surface.triangles.resize(kSectors + 2 * (kRings - 1) * kSectors, 3);
  // Height above the plane of the front, at equal angular steps from the pole.
  const double widest = std::isfinite(curvature) ? std::asin(std::min(1.0, radius / curvature)) : 0.0;
  const auto point = [&](int ring, double turn) -> Vector3 {
    const double share = double(ring) / kRings;
    const double out = widest > 0.0 ? curvature * std::sin(share * widest) : share * radius;
    const double up = widest > 0.0 ? curvature * (std::cos(share * widest) - std::cos(widest)) : 0.0;
    return frame.tip + out * (std::cos(turn) * frame.ahead + std::sin(turn) * frame.along) + up * frame.normal;
  };
  crack.surface.positions.row(0) = point(0, 0.0);
  const auto vertex = [](int ring, int sector) { return 1 + (ring - 1) * kSectors + sector % kSectors; };
  Eigen::Index triangle = 0;
  std::vector<int> front;
  for (int ring = 1; ring <= kRings; ++ring)
    for (int s = 0; s < kSectors; ++s) {
      crack.surface.positions.row(vertex(ring, s)) = point(ring, 2.0 * std::numbers::pi * s / kSectors);
      if (ring == kRings) front.push_back(vertex(ring, s));
      if (ring == 1) {
        crack.surface.triangles.row(triangle++) << 0, vertex(1, s), vertex(1, s + 1);
        continue;
      }
      crack.surface.triangles.row(triangle++) << vertex(ring - 1, s), vertex(ring, s), vertex(ring, s + 1);
      crack.surface.triangles.row(triangle++) << vertex(ring - 1, s), vertex(ring, s + 1), vertex(ring - 1, s + 1);
    }
  front.push_back(front.front());
  crack.fronts = {front};
  return crack;
}

model::InitialCrack plane_cut(const Vector3& centre, const Matrix3& axes, double diagonal, double advance_end) {
  model::InitialCrack crack;
  const Vector3 u = axes.col(0), v = axes.col(1);
  const double end = advance_end > 0.0 ? -0.6 : 1.0;  // relative to the diagonal, along u
  crack.surface.positions.resize(4, 3);
  crack.surface.positions.row(0) = centre + diagonal * (-u - v);
  crack.surface.positions.row(1) = centre + diagonal * (end * u - v);
  crack.surface.positions.row(2) = centre + diagonal * (end * u + v);
  crack.surface.positions.row(3) = centre + diagonal * (-u + v);
  crack.surface.triangles.resize(2, 3);
  crack.surface.triangles << 0, 1, 2, 0, 2, 3;
  if (advance_end > 0.0) {
    crack.fronts = {{1, 2}};
    crack.advance = 1.2 * diagonal * u;
    crack.ramp.end = advance_end;
  }
  return crack;
}

}  // namespace deformbench::scenes
