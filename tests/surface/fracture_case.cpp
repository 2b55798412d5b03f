// SPDX-License-Identifier: BSD-3-Clause
#include "tests/surface/fracture_case.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "methods/model/mesh_checks.hpp"

namespace deformbench::surface_test {

BreakingMesh::BreakingMesh(const model::TetMesh& rest) : rest_(rest), tetrahedra_(rest.tetrahedra) {
  parents_.resize(std::size_t(rest.vertex_count()));
  std::iota(parents_.begin(), parents_.end(), 0);
  elements_of_.resize(parents_.size());
  for (int e = 0; e < int(tetrahedra_.rows()); ++e) {
    for (int c = 0; c < 4; ++c) elements_of_[std::size_t(tetrahedra_(e, c))].push_back(e);
  }
}

std::vector<int> BreakingMesh::elements_at(int vertex) const {
  return elements_of_[std::size_t(vertex)];
}

bool BreakingMesh::share_face_at(int e, int f, int vertex) const {
  int shared = 0;
  bool has = false;
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      if (tetrahedra_(e, a) != tetrahedra_(f, b)) continue;
      ++shared;
      has = has || tetrahedra_(e, a) == vertex;
    }
  }
  return shared == 3 && has;
}

void BreakingMesh::replace(const std::vector<int>& elements, int vertex) {
  const int copy = vertex_count();
  parents_.push_back(parents_[std::size_t(vertex)]);
  elements_of_.push_back(elements);
  for (const int e : elements) {
    std::erase(elements_of_[std::size_t(vertex)], e);
    for (int c = 0; c < 4; ++c) {
      if (tetrahedra_(e, c) == vertex) tetrahedra_(e, c) = copy;
    }
  }
}

bool BreakingMesh::split(int vertex, const Vector3& normal) {
  const Vector3 at = rest_.rest_positions.row(parents_[std::size_t(vertex)]).transpose();
  std::vector<int> positive;
  const std::vector<int> star = elements_at(vertex);
  std::set<int> around;
  for (const int e : star) {
    Vector3 centre = Vector3::Zero();
    for (int c = 0; c < 4; ++c) {
      centre += 0.25 * rest_.rest_positions.row(rest_.tetrahedra(e, c)).transpose();
      around.insert(tetrahedra_(e, c));
    }
    if (normal.dot(centre - at) > 0.0) positive.push_back(e);
  }
  if (positive.empty() || positive.size() == star.size()) return false;
  replace(positive, vertex);
  around.insert(vertex_count() - 1);
  separate_hinges({around.begin(), around.end()});
  return true;
}

void BreakingMesh::separate_hinges(std::vector<int> vertices) {
  for (std::size_t n = 0; n < vertices.size(); ++n) {
    std::vector<int> rest = elements_at(vertices[n]);
    for (bool first = true; !rest.empty(); first = false) {
      std::vector<int> part{rest.front()};
      rest.erase(rest.begin());
      for (std::size_t k = 0; k < part.size(); ++k) {
        for (std::size_t i = rest.size(); i-- > 0;) {
          if (!share_face_at(part[k], rest[i], vertices[n])) continue;
          part.push_back(rest[i]);
          rest.erase(rest.begin() + std::ptrdiff_t(i));
        }
      }
      if (!first) replace(part, vertices[n]);
    }
  }
}

bool BreakingMesh::split_at_random(numerics::RandomStream& random) {
  const auto vertex = int(random.below(std::uint64_t(vertex_count())));
  return split(vertex, random.direction());
}

bool BreakingMesh::detach_at_random(numerics::RandomStream& random) {
  const auto vertex = int(random.below(std::uint64_t(vertex_count())));
  std::vector<int> gone;
  for (const int e : elements_at(vertex)) {
    if (random.below(2) == 0) gone.push_back(e);
  }
  if (gone.empty() || gone.size() == elements_at(vertex).size()) return false;
  replace(gone, vertex);
  return true;
}

void BreakingMesh::separate_all() {
  for (int e = 0; e < int(tetrahedra_.rows()); ++e) {
    for (int c = 0; c < 4; ++c) {
      if (elements_at(tetrahedra_(e, c)).size() > 1) replace({e}, tetrahedra_(e, c));
    }
  }
}

Points BreakingMesh::positions(const Points& of_parents) const {
  Points x(vertex_count(), 3);
  for (int v = 0; v < vertex_count(); ++v) x.row(v) = of_parents.row(parents_[std::size_t(v)]);
  return x;
}

std::vector<int> BreakingMesh::parts() const {
  std::vector<int> part(std::size_t(tetrahedra_.rows()), -1);
  std::map<std::array<int, 3>, std::vector<int>> faces;
  const auto face = [&](int e, int opposite) {
    std::array<int, 3> f{};
    for (int c = 0, k = 0; c < 4; ++c) {
      if (c != opposite) f[std::size_t(k++)] = tetrahedra_(e, c);
    }
    std::sort(f.begin(), f.end());
    return f;
  };
  for (int e = 0; e < int(part.size()); ++e) {
    for (int c = 0; c < 4; ++c) faces[face(e, c)].push_back(e);
  }
  int count = 0;
  for (int seed = 0; seed < int(part.size()); ++seed) {
    if (part[std::size_t(seed)] >= 0) continue;
    std::vector<int> pending{seed};
    part[std::size_t(seed)] = count;
    while (!pending.empty()) {
      const int e = pending.back();
      pending.pop_back();
      for (int c = 0; c < 4; ++c) {
        for (const int other : faces[face(e, c)]) {
          if (part[std::size_t(other)] >= 0) continue;
          part[std::size_t(other)] = count;
          pending.push_back(other);
        }
      }
    }
    ++count;
  }
  return part;
}

testing::AssertionResult is_watertight(const surface::FracturingSurface& surface, double rest_volume) {
  const auto triangles = surface.triangles();
  const auto x = surface.rest_positions();
  std::vector<std::array<int, 2>> edges;
  Vector3 sum = Vector3::Zero();
  double area = 0.0;
  std::vector<bool> used(std::size_t(surface.vertex_count()), false);
  for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
    for (int c = 0; c < 3; ++c) {
      edges.push_back({triangles(t, c), triangles(t, (c + 1) % 3)});
      if (edges.back()[0] == edges.back()[1])
        return testing::AssertionFailure() << "triangle " << t << " has a vertex twice";
      used[std::size_t(triangles(t, c))] = true;
    }
    const Vector3 a = x.row(triangles(t, 0)).transpose();
    const Vector3 vector = 0.5 * (x.row(triangles(t, 1)).transpose() - a).cross(x.row(triangles(t, 2)).transpose() - a);
    sum += vector;
    area += vector.norm();
  }
  std::sort(edges.begin(), edges.end());
  for (std::size_t n = 0; n < edges.size(); ++n) {
    if (n > 0 && edges[n] == edges[n - 1]) {
      return testing::AssertionFailure() << "edge " << edges[n][0] << "–" << edges[n][1]
                                         << " of more than two triangles";
    }
    if (!std::binary_search(edges.begin(), edges.end(), std::array{edges[n][1], edges[n][0]})) {
      return testing::AssertionFailure() << "edge " << edges[n][0] << "–" << edges[n][1] << " is open";
    }
  }
  if (std::find(used.begin(), used.end(), false) != used.end())
    return testing::AssertionFailure() << "a vertex is not used";
  if (!(sum.norm() < 1e-12 * area))
    return testing::AssertionFailure() << "area vectors add up to " << sum.norm() / area << " of the area";
  const surface::SurfacePieces pieces = surface.pieces();
  const double volume = std::accumulate(pieces.volumes.begin(), pieces.volumes.end(), 0.0);
  if (!(std::abs(volume - rest_volume) < 1e-10 * rest_volume)) {
    return testing::AssertionFailure() << "volumes add up to " << volume << ", expected " << rest_volume;
  }
  const auto b = surface.barycentric();
  if (!(b.minCoeff() > -1e-9))
    return testing::AssertionFailure() << "a vertex is outside its element: " << b.minCoeff();
  return testing::AssertionSuccess();
}

testing::AssertionResult follows_connected_elements(const surface::FracturingSurface& surface,
                                                    const BreakingMesh& mesh) {
  const std::vector<int> parts = mesh.parts();
  const auto triangles = surface.triangles();
  const auto part = [&](Eigen::Index t, int c) {
    return parts[std::size_t(surface.elements()[std::size_t(triangles(t, c))])];
  };
  for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
    if (part(t, 0) != part(t, 1) || part(t, 1) != part(t, 2)) {
      return testing::AssertionFailure() << "triangle " << t << " spans parts " << part(t, 0) << ", " << part(t, 1)
                                         << ", " << part(t, 2);
    }
  }
  return testing::AssertionSuccess();
}

namespace {

using Facets = std::vector<std::vector<Vector3>>;  // of a convex body, outward

// Keeps normal·x ≤ offset, with a unit normal; what is within 1e-12 m of the plane counts as on it.
Facets clipped(const Facets& body, const Vector3& normal, double offset) {
  constexpr double kOn = 1e-12;
  double low = 0.0, high = 0.0;
  for (const auto& facet : body) {
    for (const Vector3& p : facet) {
      low = std::min(low, normal.dot(p) - offset);
      high = std::max(high, normal.dot(p) - offset);
    }
  }
  if (high <= kOn) return body;
  if (low >= -kOn) return {};
  Facets result;
  std::vector<Vector3> rim;
  for (const auto& facet : body) {
    std::vector<Vector3> kept;
    for (std::size_t i = 0; i < facet.size(); ++i) {
      const Vector3& a = facet[i];
      const Vector3& b = facet[(i + 1) % facet.size()];
      const double da = normal.dot(a) - offset;
      const double db = normal.dot(b) - offset;
      if (da <= kOn) kept.push_back(a);
      if (std::abs(da) <= kOn) rim.push_back(a);
      if ((da > kOn && db < -kOn) || (da < -kOn && db > kOn)) {
        kept.push_back(a + da / (da - db) * (b - a));
        rim.push_back(kept.back());
      }
    }
    if (kept.size() > 2) result.push_back(kept);
  }
  Vector3 centre = Vector3::Zero();  // the rim is convex: sort it around its centre
  for (const Vector3& p : rim) centre += p / double(rim.size());
  const Vector3 u = normal.unitOrthogonal();
  const Vector3 v = normal.cross(u);
  std::sort(rim.begin(), rim.end(), [&](const Vector3& a, const Vector3& b) {
    return std::atan2(v.dot(a - centre), u.dot(a - centre)) < std::atan2(v.dot(b - centre), u.dot(b - centre));
  });
  result.push_back(rim);
  return result;
}

double volume_of(const Facets& body) {
  double volume = 0.0;
  for (const auto& facet : body) {
    for (std::size_t k = 1; k + 1 < facet.size(); ++k) volume += facet[0].dot(facet[k].cross(facet[k + 1])) / 6.0;
  }
  return volume;
}

}  // namespace

std::vector<double> clipped_volumes(const model::TriangleMesh& surface, const model::TetMesh& mesh) {
  const Vector3 origin = surface.positions.colwise().mean().transpose() + Vector3(1.1e-3, -2.3e-3, 0.7e-3);
  std::vector<double> volumes(std::size_t(mesh.element_count()), 0.0);
  for (Eigen::Index t = 0; t < surface.triangle_count(); ++t) {
    std::array<Vector3, 3> p;
    for (int c = 0; c < 3; ++c) p[std::size_t(c)] = surface.positions.row(surface.triangles(t, c)).transpose() - origin;
    const double sign = p[0].dot(p[1].cross(p[2])) < 0.0 ? -1.0 : 1.0;
    if (sign < 0.0) std::swap(p[1], p[2]);
    const Vector3 o = Vector3::Zero();
    const Facets cone{{p[0], p[1], p[2]}, {o, p[1], p[0]}, {o, p[2], p[1]}, {o, p[0], p[2]}};
    for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
      std::array<Vector3, 4> x;
      for (int c = 0; c < 4; ++c)
        x[std::size_t(c)] = mesh.rest_positions.row(mesh.tetrahedra(e, c)).transpose() - origin;
      const Vector3 low = p[0].cwiseMin(p[1]).cwiseMin(p[2]).cwiseMin(o),
                    high = p[0].cwiseMax(p[1]).cwiseMax(p[2]).cwiseMax(o);
      if ((x[0].cwiseMin(x[1]).cwiseMin(x[2]).cwiseMin(x[3]).array() > high.array()).any()) continue;
      if ((x[0].cwiseMax(x[1]).cwiseMax(x[2]).cwiseMax(x[3]).array() < low.array()).any()) continue;
      Facets body = cone;
      for (const auto& [a, b, c] :
           {std::array{1, 2, 3}, std::array{0, 3, 2}, std::array{0, 1, 3}, std::array{0, 2, 1}}) {
        const Vector3& at = x[std::size_t(a)];
        const Vector3 normal = (x[std::size_t(b)] - at).cross(x[std::size_t(c)] - at).normalized();
        body = clipped(body, normal, normal.dot(at));
      }
      volumes[std::size_t(e)] += sign * volume_of(body);
    }
  }
  return volumes;
}

testing::AssertionResult stays_watertight(const model::TetMesh& mesh, const model::TriangleMesh& shape, int splits,
                                          std::uint64_t seed, surface::SurfaceCut* total, int check_every) {
  surface::FracturingSurface surface(mesh, shape);
  BreakingMesh breaking(mesh);
  const double volume = model::enclosed_volume(shape);
  if (auto result = is_watertight(surface, volume); !result) return result << " before any split";
  numerics::RandomStream random(seed);
  for (int k = 0; k < splits; ++k) {
    const bool detach = seed % 2 == 1 && random.below(4) == 0;
    if (!(detach ? breaking.detach_at_random(random) : breaking.split_at_random(random))) continue;
    const surface::SurfaceCut cut = surface.follow(breaking.tetrahedra());
    if (total != nullptr) {
      total->faces_opened += cut.faces_opened;
      total->triangles_cut += cut.triangles_cut;
      total->triangles_added += cut.triangles_added;
      total->vertices_added += cut.vertices_added;
      total->slivers += cut.slivers;
      total->edges_divided += cut.edges_divided;
      total->overlapping_cracks += cut.overlapping_cracks;
    }
    if (k % check_every != 0 && k + 1 != splits) continue;
    if (auto result = is_watertight(surface, volume); !result)
      return result << " after split " << k << ", seed " << seed;
    if (auto result = follows_connected_elements(surface, breaking); !result)
      return result << " after split " << k << ", seed " << seed;
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult separates_into_clipped_parts(const model::TetMesh& mesh, const model::TriangleMesh& shape,
                                                      double tolerance, surface::SurfaceCut* total) {
  surface::FracturingSurface surface(mesh, shape);
  BreakingMesh breaking(mesh);
  breaking.separate_all();
  const surface::SurfaceCut cut = surface.follow(breaking.tetrahedra());
  if (total != nullptr) *total = cut;
  if (auto result = is_watertight(surface, model::enclosed_volume(shape)); !result) return result;
  if (auto result = follows_connected_elements(surface, breaking); !result) return result;
  const std::vector<double> expected = clipped_volumes(shape, mesh);
  std::vector<double> found(expected.size(), 0.0);
  const surface::SurfacePieces pieces = surface.pieces();
  std::vector<int> element_of(pieces.volumes.size());
  for (Eigen::Index t = 0; t < surface.triangle_count(); ++t) {
    element_of[std::size_t(pieces.of_triangle[std::size_t(t)])] =
        surface.elements()[std::size_t(surface.triangles()(t, 0))];
  }
  for (std::size_t p = 0; p < pieces.volumes.size(); ++p) found[std::size_t(element_of[p])] += pieces.volumes[p];
  for (std::size_t e = 0; e < expected.size(); ++e) {
    if (std::abs(found[e] - expected[e]) > tolerance) {
      return testing::AssertionFailure() << "element " << e << " holds " << found[e] << " m³, expected " << expected[e];
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace deformbench::surface_test
