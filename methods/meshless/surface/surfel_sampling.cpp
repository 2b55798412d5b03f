// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/surface/surfel_sampling.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "methods/meshless/surface/point_grid.hpp"
#include "methods/model/disjoint_sets.hpp"
#include "methods/model/error.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::meshless {
namespace {

constexpr double kSpacing = 0.8;  ///< minimum distance of surfels, in radii
/// Longest edge of the candidate lattice on a triangle, in radii: every point is within 1/√3 of it (0.104) of a
/// candidate, and every candidate within kSpacing of a surfel.
constexpr double kCandidateSpacing = 0.18;
constexpr std::size_t kMostCandidates = 20'000'000;

struct Candidate {
  Vector3 position, normal;
};

Vector3 corner(const model::TriangleMesh& mesh, Eigen::Index t, int k) {
  return mesh.positions.row(mesh.triangles(t, k)).transpose();
}

Vector3 area_vector(const model::TriangleMesh& mesh, Eigen::Index t) {
  return (corner(mesh, t, 1) - corner(mesh, t, 0)).cross(corner(mesh, t, 2) - corner(mesh, t, 0));
}

double angle_between(const Vector3& a, const Vector3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// Unit vertex normals, per sheet.
std::map<std::pair<int, int>, Vector3> vertex_normals(const model::TriangleMesh& mesh, const std::vector<int>& sheets) {
  std::map<std::pair<int, int>, Vector3> normals;
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    const Vector3 area = area_vector(mesh, t);
    if (!(area.norm() > 0.0)) continue;
    for (int k = 0; k < 3; ++k) {
      const Vector3 at = corner(mesh, t, k);
      const double angle = angle_between(corner(mesh, t, (k + 1) % 3) - at, corner(mesh, t, (k + 2) % 3) - at);
      const auto found = normals.try_emplace({sheets[std::size_t(t)], mesh.triangles(t, k)}, Vector3::Zero()).first;
      found->second += angle * area.normalized();
    }
  }
  for (auto& [key, normal] : normals) normal.normalize();
  return normals;
}

int pieces_of_edge(const model::TriangleMesh& mesh, Eigen::Index t, double spacing) {
  double longest = 0.0;
  for (int k = 0; k < 3; ++k) longest = std::max(longest, (corner(mesh, t, k) - corner(mesh, t, (k + 1) % 3)).norm());
  return std::max(1, int(std::min(1e6, std::ceil(longest / spacing))));
}

/// A triangle with its corner normals and the number of subdivisions per edge.
struct Patch {
  std::array<Vector3, 3> x, n;
  int pieces;

  Vector3 place(int i, int j) const {
    const double b = double(i) / pieces, c = double(j) / pieces;
    return (1.0 - b - c) * x[0] + b * x[1] + c * x[2];
  }
};

constexpr int kBlock = 16;  ///< lattice points per block, accepted or rejected as a whole

/// Calls f(i, j) for the lattice points in the region.
template <class F>
void for_lattice(const Patch& patch, const std::optional<numerics::Box>& region, F&& f) {
  const int last = patch.pieces;
  for (int i0 = 0; i0 <= last; i0 += kBlock)
    for (int j0 = 0; i0 + j0 <= last; j0 += kBlock) {
      if (region) {
        const Vector3 a = patch.place(i0, j0), b = patch.place(i0 + kBlock, j0), c = patch.place(i0, j0 + kBlock),
                      d = patch.place(i0 + kBlock, j0 + kBlock);
        const numerics::Box block{a.cwiseMin(b).cwiseMin(c).cwiseMin(d), a.cwiseMax(b).cwiseMax(c).cwiseMax(d)};
        if (!overlap(block, *region)) continue;
      }
      for (int i = i0; i < i0 + kBlock && i <= last; ++i)
        for (int j = j0; j < j0 + kBlock && i + j <= last; ++j)
          if (const Vector3 at = patch.place(i, j); !region || overlap({at, at}, *region)) f(i, j);
    }
}

/// Lattice points on every triangle, including its corners.
std::vector<std::vector<Candidate>> candidates_of(const model::TriangleMesh& mesh, const std::vector<int>& sheets,
                                                  double spacing, const std::optional<numerics::Box>& region) {
  const auto normals = vertex_normals(mesh, sheets);
  std::vector<std::vector<Candidate>> found;
  std::size_t count = 0;
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t) {
    const int sheet = sheets[std::size_t(t)];
    if (std::size_t(sheet) >= found.size()) found.resize(std::size_t(sheet) + 1);
    if (!(area_vector(mesh, t).norm() > 0.0)) continue;
    Patch patch{{}, {}, pieces_of_edge(mesh, t, spacing)};
    for (int k = 0; k < 3; ++k) {
      patch.x[std::size_t(k)] = corner(mesh, t, k);
      patch.n[std::size_t(k)] = normals.at({sheet, mesh.triangles(t, k)});
    }
    for_lattice(patch, region, [&](int i, int j) {
      const double b = double(i) / patch.pieces, c = double(j) / patch.pieces;
      const Vector3 normal = (1.0 - b - c) * patch.n[0] + b * patch.n[1] + c * patch.n[2];
      if (++count > kMostCandidates)
        throw InputError(fmt::format("surfels: more than {} places to choose from: a larger radius", kMostCandidates));
      found[std::size_t(sheet)].push_back({patch.place(i, j), normal.normalized()});
    });
  }
  return found;
}

/// In random order, accepts every candidate not too close to an accepted one.
std::vector<Surfel> chosen(std::vector<Candidate>& candidates, double radius) {
  numerics::RandomStream random(1);
  for (std::size_t k = candidates.size(); k > 1; --k) std::swap(candidates[k - 1], candidates[random.below(k)]);
  const double spacing = kSpacing * radius;
  PointGrid grid(spacing);
  std::vector<Surfel> surfels;
  for (const Candidate& candidate : candidates) {
    bool is_free = true;
    grid.for_cells_of({candidate.position.array() - spacing, candidate.position.array() + spacing}, [&](int k) {
      is_free = is_free && (surfels[std::size_t(k)].position - candidate.position).norm() >= spacing;
    });
    if (!is_free) continue;
    grid.append(candidate.position);
    surfels.push_back(round_surfel(candidate.position, candidate.normal, radius));
  }
  return surfels;
}

}  // namespace

std::vector<int> sheets_of_triangles(const model::TriangleMesh& mesh, double crease_angle) {
  model::DisjointSets sets(std::size_t(mesh.triangle_count()));
  std::map<std::pair<int, int>, int> first_at;  // per edge, its first triangle
  for (Eigen::Index t = 0; t < mesh.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int from = mesh.triangles(t, k), to = mesh.triangles(t, (k + 1) % 3);
      const std::pair<int, int> edge{std::min(from, to), std::max(from, to)};
      const auto [at, is_new] = first_at.try_emplace(edge, int(t));
      if (is_new) continue;
      const double angle = angle_between(area_vector(mesh, t), area_vector(mesh, at->second));
      if (angle <= crease_angle) sets.unite(int(t), at->second);
    }
  std::vector<int> sheets(std::size_t(mesh.triangle_count()));
  std::map<int, int> number_of_root;
  for (std::size_t t = 0; t < sheets.size(); ++t)
    sheets[t] = number_of_root.try_emplace(sets.root(int(t)), int(number_of_root.size())).first->second;
  return sheets;
}

std::vector<std::vector<Surfel>> sample_surface(const model::TriangleMesh& mesh, const SurfelSampling& sampling,
                                                const std::optional<numerics::Box>& region) {
  if (!(sampling.radius > 0.0 && std::isfinite(sampling.radius)))
    throw InputError(fmt::format("surfels: radius {} m, expected > 0", sampling.radius));
  const std::vector<int> sheets = sheets_of_triangles(mesh, sampling.crease_angle);
  auto candidates = candidates_of(mesh, sheets, kCandidateSpacing * sampling.radius, region);
  std::vector<std::vector<Surfel>> surfels;
  for (auto& of_sheet : candidates) surfels.push_back(chosen(of_sheet, sampling.radius));
  return surfels;
}

}  // namespace deformbench::meshless
