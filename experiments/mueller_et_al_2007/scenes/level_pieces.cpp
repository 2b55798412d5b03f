// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/mueller_et_al_2007/scenes/level_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace deformbench::scenes {

int LevelSurface::cells(double length) const {
  return std::max(1, int(std::lround(length / cell_)));
}

int LevelSurface::vertex(const Vector3& p) {
  for (std::size_t i = piece_; i < points_.size(); ++i)
    if ((points_[i] - p).cwiseAbs().maxCoeff() < 1e-9) return int(i);
  points_.push_back(p);
  return int(points_.size()) - 1;
}

void LevelSurface::add_quad(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  const int i = vertex(a), j = vertex(b), k = vertex(c), l = vertex(d);
  if (i != j && j != k && i != k) triangles_.push_back({i, j, k});
  if (i != k && k != l && i != l) triangles_.push_back({i, k, l});
}

void LevelSurface::add_face(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  const int nu = cells(std::max((b - a).norm(), (c - d).norm())), nv = cells(std::max((d - a).norm(), (c - b).norm()));
  const auto at = [&](int i, int j) -> Vector3 {
    const double u = double(i) / nu, v = double(j) / nv;
    return (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * d + u * c);
  };
  for (int j = 0; j < nv; ++j)
    for (int i = 0; i < nu; ++i) add_quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
}

void LevelSurface::add_floor(const Vector3& low, const Vector3& high) {
  piece_ = points_.size();
  add_face({low.x(), 0, high.z()}, {high.x(), 0, high.z()}, {high.x(), 0, low.z()}, {low.x(), 0, low.z()});
}

void LevelSurface::add_box(const Vector3& l, const Vector3& h) {
  piece_ = points_.size();
  add_face({l.x(), l.y(), h.z()}, {h.x(), l.y(), h.z()}, {h.x(), h.y(), h.z()}, {l.x(), h.y(), h.z()});  // +z
  add_face({h.x(), l.y(), l.z()}, {l.x(), l.y(), l.z()}, {l.x(), h.y(), l.z()}, {h.x(), h.y(), l.z()});  // −z
  add_face({h.x(), l.y(), h.z()}, {h.x(), l.y(), l.z()}, {h.x(), h.y(), l.z()}, {h.x(), h.y(), h.z()});  // +x
  add_face({l.x(), l.y(), l.z()}, {l.x(), l.y(), h.z()}, {l.x(), h.y(), h.z()}, {l.x(), h.y(), l.z()});  // −x
  add_face({l.x(), h.y(), h.z()}, {h.x(), h.y(), h.z()}, {h.x(), h.y(), l.z()}, {l.x(), h.y(), l.z()});  // +y
}

void LevelSurface::add_stairs(const Vector3& foot, double width, double depth, double rise, int steps,
                              double platform) {
  piece_ = points_.size();
  const double back = foot.z() - 0.5 * width, front = foot.z() + 0.5 * width;
  for (int k = 0; k < steps; ++k) {
    const double from = foot.x() + k * depth, to = k + 1 < steps ? from + depth : from + depth + platform;
    const double below = foot.y() + k * rise, top = below + rise;
    add_face({from, below, back}, {from, below, front}, {from, top, front}, {from, top, back});  // riser
    add_face({from, top, front}, {to, top, front}, {to, top, back}, {from, top, back});          // tread
    // Sides in layers of one rise, so that adjacent steps share corners.
    for (int layer = 0; layer <= k; ++layer) {
      const double y = foot.y() + layer * rise;
      add_face({from, y, front}, {to, y, front}, {to, y + rise, front}, {from, y + rise, front});
      add_face({to, y, back}, {from, y, back}, {from, y + rise, back}, {to, y + rise, back});
      if (k + 1 == steps) add_face({to, y, front}, {to, y, back}, {to, y + rise, back}, {to, y + rise, front});
    }
  }
}

void LevelSurface::add_arcade(const Vector3& middle, int bays, double bay, double radius, double spring,
                              double thickness) {
  piece_ = points_.size();
  const double half = 0.5 * bay, front = 0.5 * thickness, top = spring + half;
  const int jamb = cells(spring), arc = 4 * std::max(2, cells(0.25 * std::numbers::pi * radius)),
            radial = cells(half - radius);
  const int across = cells(thickness);
  // Inner curve: up the left jamb, along the arch, down the right jamb; outer curve: exit points of the rays from the
  // bay.
  std::vector<std::array<Eigen::Vector2d, 2>> curve;
  for (int k = 0; k < jamb; ++k) {
    const double y = spring * k / jamb;
    curve.push_back({Eigen::Vector2d(-radius, y), Eigen::Vector2d(-half, y)});
  }
  for (int k = 0; k <= arc; ++k) {
    const double angle = std::numbers::pi * (1.0 - double(k) / arc);
    const Eigen::Vector2d ray(std::cos(angle), std::sin(angle)), centre(0, spring);
    curve.push_back({centre + radius * ray, centre + half / ray.cwiseAbs().maxCoeff() * ray});
  }
  for (int k = jamb - 1; k >= 0; --k) {
    const double y = spring * k / jamb;
    curve.push_back({Eigen::Vector2d(radius, y), Eigen::Vector2d(half, y)});
  }
  for (int b = 0; b < bays; ++b) {
    const double x0 = middle.x() + (b - 0.5 * (bays - 1)) * bay;
    const auto place = [&](const Eigen::Vector2d& q, double z) {
      return Vector3(x0 + q.x(), middle.y() + q.y(), middle.z() + z);
    };
    for (std::size_t k = 0; k + 1 < curve.size(); ++k) {
      const auto& [in, out] = curve[k];
      const auto& [in_next, out_next] = curve[k + 1];
      for (int r = 0; r < radial; ++r) {
        const double u = double(r) / radial, v = double(r + 1) / radial;
        const Eigen::Vector2d a = in + u * (out - in), c = in_next + u * (out_next - in_next);
        const Eigen::Vector2d a2 = in + v * (out - in), c2 = in_next + v * (out_next - in_next);
        add_quad(place(a, front), place(c, front), place(c2, front), place(a2, front));
        add_quad(place(c, -front), place(a, -front), place(a2, -front), place(c2, -front));
      }
      const bool is_top = std::min(out.y(), out_next.y()) > top - 1e-9;
      const bool is_end = std::max(out.x(), out_next.x()) < -half + 1e-9  ? b == 0
                          : std::min(out.x(), out_next.x()) > half - 1e-9 ? b + 1 == bays
                                                                          : false;
      for (int j = 0; j < across; ++j) {
        const double z = front - thickness * j / across, deeper = front - thickness * (j + 1) / across;
        add_quad(place(in, z), place(in, deeper), place(in_next, deeper), place(in_next, z));
        if (is_top || is_end) add_quad(place(out, z), place(out_next, z), place(out_next, deeper), place(out, deeper));
      }
    }
  }
}

void LevelSurface::add_pillar(const Vector3& foot, double radius, double height) {
  piece_ = points_.size();
  constexpr int kSides = 20;
  const int slices = cells(height);
  const auto at = [&](int k, double y, double r) {
    const double angle = 2.0 * std::numbers::pi * k / kSides;
    return Vector3(foot.x() + r * std::cos(angle), foot.y() + y, foot.z() - r * std::sin(angle));
  };
  for (int k = 0; k < kSides; ++k) {
    for (int j = 0; j < slices; ++j) {
      const double y = height * j / slices, above = height * (j + 1) / slices;
      add_quad(at(k, y, radius), at(k + 1, y, radius), at(k + 1, above, radius), at(k, above, radius));
    }
    const Vector3 tip(foot.x(), foot.y() + height, foot.z());
    add_quad(at(k, height, radius), at(k + 1, height, radius), tip, tip);
  }
}

model::TriangleMesh LevelSurface::mesh() const {
  model::TriangleMesh mesh;
  mesh.positions.resize(Eigen::Index(points_.size()), 3);
  for (std::size_t i = 0; i < points_.size(); ++i) mesh.positions.row(Eigen::Index(i)) = points_[i];
  mesh.triangles.resize(Eigen::Index(triangles_.size()), 3);
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    mesh.triangles.row(Eigen::Index(t)) << triangles_[t][0], triangles_[t][1], triangles_[t][2];
  return mesh;
}

}  // namespace deformbench::scenes
