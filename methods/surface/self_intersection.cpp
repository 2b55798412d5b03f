// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/self_intersection.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "methods/numerics/spatial_hash.hpp"

namespace deformbench::surface {
namespace {

using Corners = std::array<Vector3, 3>;

double volume6(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  return (b - a).dot((c - a).cross(d - a));
}

double area2(const Vector3& a, const Vector3& b, const Vector3& c, int drop) {
  const int u = (drop + 1) % 3;
  const int w = (drop + 2) % 3;
  return (b[u] - a[u]) * (c[w] - a[w]) - (b[w] - a[w]) * (c[u] - a[u]);
}

bool coplanar_segments_meet(const Vector3& p, const Vector3& q, const Vector3& a, const Vector3& b, int drop) {
  const double s1 = area2(p, q, a, drop);
  const double s2 = area2(p, q, b, drop);
  const double s3 = area2(a, b, p, drop);
  const double s4 = area2(a, b, q, drop);
  return ((s1 >= 0) != (s2 >= 0) || s1 == 0 || s2 == 0) && ((s3 >= 0) != (s4 >= 0) || s3 == 0 || s4 == 0) &&
         !(s1 == 0 && s2 == 0 &&
           (std::max(p[(drop + 1) % 3], q[(drop + 1) % 3]) < std::min(a[(drop + 1) % 3], b[(drop + 1) % 3]) ||
            std::max(a[(drop + 1) % 3], b[(drop + 1) % 3]) < std::min(p[(drop + 1) % 3], q[(drop + 1) % 3]) ||
            std::max(p[(drop + 2) % 3], q[(drop + 2) % 3]) < std::min(a[(drop + 2) % 3], b[(drop + 2) % 3]) ||
            std::max(a[(drop + 2) % 3], b[(drop + 2) % 3]) < std::min(p[(drop + 2) % 3], q[(drop + 2) % 3])));
}

// Closed segment p–q against the closed triangle t, by signs of volumes.
bool segment_meets_triangle(const Vector3& p, const Vector3& q, const Corners& t) {
  const double vp = volume6(t[0], t[1], t[2], p);
  const double vq = volume6(t[0], t[1], t[2], q);
  if ((vp > 0 && vq > 0) || (vp < 0 && vq < 0)) return false;
  if (vp == 0 && vq == 0) {  // coplanar: test against the edges and the interior
    const Vector3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
    int drop = 0;
    normal.cwiseAbs().maxCoeff(&drop);
    for (std::size_t c = 0; c < 3; ++c) {
      if (coplanar_segments_meet(p, q, t[c], t[(c + 1) % 3], drop)) return true;
    }
    const double s1 = area2(t[0], t[1], p, drop);
    const double s2 = area2(t[1], t[2], p, drop);
    const double s3 = area2(t[2], t[0], p, drop);
    return (s1 >= 0 && s2 >= 0 && s3 >= 0) || (s1 <= 0 && s2 <= 0 && s3 <= 0);
  }
  const double s1 = volume6(p, q, t[0], t[1]);
  const double s2 = volume6(p, q, t[1], t[2]);
  const double s3 = volume6(p, q, t[2], t[0]);
  return (s1 >= 0 && s2 >= 0 && s3 >= 0) || (s1 <= 0 && s2 <= 0 && s3 <= 0);
}

Corners corners_of(const model::TriangleMesh& mesh, Eigen::Index t) {
  Corners p;
  for (Eigen::Index c = 0; c < 3; ++c) p[std::size_t(c)] = mesh.positions.row(mesh.triangles(t, c)).transpose();
  return p;
}

}  // namespace

bool triangles_intersect(const model::TriangleMesh& mesh, Eigen::Index first, Eigen::Index second) {
  const std::array<Corners, 2> p{corners_of(mesh, first), corners_of(mesh, second)};
  std::array<std::array<bool, 3>, 2> common{};
  int shared = 0;
  for (Eigen::Index a = 0; a < 3; ++a) {
    for (Eigen::Index b = 0; b < 3; ++b) {
      if (mesh.triangles(first, a) != mesh.triangles(second, b)) continue;
      common[0][std::size_t(a)] = common[1][std::size_t(b)] = true;
      ++shared;
    }
  }
  if (shared == 3) return true;
  if (shared == 2) {  // they intersect elsewhere only if folded flat onto each other
    const Vector3 n0 = (p[0][1] - p[0][0]).cross(p[0][2] - p[0][0]);
    const Vector3 n1 = (p[1][1] - p[1][0]).cross(p[1][2] - p[1][0]);
    return n0.dot(n1) < 0.0 && n0.cross(n1).norm() <= 1e-12 * n0.norm() * n1.norm();
  }
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t c = 0; c < 3; ++c) {
      if (common[side][c] || common[side][(c + 1) % 3])
        continue;  // with a common vertex only the opposite edge can cross
      if (segment_meets_triangle(p[side][c], p[side][(c + 1) % 3], p[1 - side])) return true;
    }
  }
  return false;
}

std::vector<std::array<int, 2>> self_intersections(const model::TriangleMesh& mesh, std::size_t limit) {
  std::vector<std::array<int, 2>> found;
  if (mesh.triangle_count() == 0) return found;
  const std::vector<numerics::Box> boxes = numerics::boxes_of(mesh.positions, mesh.triangles);
  double mean = 0.0;
  for (const numerics::Box& box : boxes) mean += (box.high - box.low).maxCoeff() / double(boxes.size());
  double size = mean > 0.0 ? 2.0 * mean : 1.0;
  // A few large triangles among many small ones would fill too many cells each; then cells are enlarged.
  for (;; size *= 2.0) {
    double entries = 0.0;
    for (const numerics::Box& box : boxes) entries += ((box.high - box.low).array() / size + 1.0).prod();
    if (entries <= 27.0 * double(boxes.size())) break;
  }
  numerics::SpatialHash hash;
  hash.build(boxes, size);
  for (int t = 0; t < int(boxes.size()); ++t) {
    hash.for_overlaps(boxes[std::size_t(t)], [&](int other) {
      if (other > t && triangles_intersect(mesh, t, other)) found.push_back({t, other});
    });
  }
  std::sort(found.begin(), found.end());
  if (found.size() > limit) found.resize(limit);
  return found;
}

}  // namespace deformbench::surface
