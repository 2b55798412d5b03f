// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/embedding.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "methods/model/error.hpp"
#include "methods/numerics/uniform_grid.hpp"
#include "methods/surface/closed_surface.hpp"
#include "methods/surface/overlap.hpp"

namespace deformbench::surface {
namespace {

// Vertices on a face belong to both sides up to rounding of barycentric coordinates (~20 ulp for well-shaped elements).
constexpr double kContainsTolerance = 1e-12;
constexpr int kMostCells = 512;  // of the grid, per axis

TetCorners corners_of(const model::TetMesh& mesh, Eigen::Index e) {
  TetCorners x;
  for (Eigen::Index c = 0; c < 4; ++c) {
    x[std::size_t(c)] = mesh.rest_positions.row(mesh.tetrahedra(e, c)).transpose();
  }
  return x;
}

// Uniform grid over the elements' bounding boxes.
class ElementGrid {
 public:
  explicit ElementGrid(const model::TetMesh& mesh) : mesh_(mesh) {
    const numerics::Box bounds{mesh.rest_positions.colwise().minCoeff().transpose(),
                               mesh.rest_positions.colwise().maxCoeff().transpose()};
    const Vector3 extent = (bounds.high - bounds.low).cwiseMax(1e-300);
    const double cells = std::max<double>(1.0, double(mesh.element_count()) / 2.0);
    const double size = std::max(std::cbrt(extent.prod() / cells), extent.maxCoeff() / kMostCells);
    std::vector<numerics::Box> boxes = numerics::boxes_of(mesh.rest_positions, mesh.tetrahedra);
    for (numerics::Box& box : boxes) {
      box.low.array() -= 1e-9 * size;
      box.high.array() += 1e-9 * size;
    }
    grid_ = numerics::UniformGrid(boxes, bounds, size, kMostCells);
  }

  // Lowest element containing p, or −1.
  int containing(const Vector3& p) const {
    for (const int e : grid_.boxes_in(grid_.cell_of(p)))
      if (barycentric_in(mesh_, e, p).minCoeff() >= -kContainsTolerance) return e;
    return -1;
  }

  // Closest element to a point outside all elements, and its squared distance.
  std::pair<int, double> closest(const Vector3& p) const {
    const Eigen::Vector3i home = grid_.cell_of(p), count = grid_.count();
    std::pair<int, double> best{-1, std::numeric_limits<double>::infinity()};
    for (int ring = 0;; ++ring) {
      const Eigen::Vector3i low = (home.array() - ring).max(0);
      const Eigen::Vector3i high = (home.array() + ring).min(count.array() - 1);
      const auto examine = [&](const Eigen::Vector3i& cell) {
        for (const int e : grid_.boxes_in(cell)) {
          const double d = squared_distance_to_faces(p, corners_of(mesh_, e));
          if (d < best.second || (d == best.second && e < best.first)) best = {e, d};
        }
      };
      for (int i = low[0]; i <= high[0]; ++i) {  // shell only: inner cells were examined in earlier rings
        for (int j = low[1]; j <= high[1]; ++j) {
          const bool on_shell = std::abs(i - home[0]) == ring || std::abs(j - home[1]) == ring;
          for (int k = home[2] - ring; k <= home[2] + ring; k += on_shell || ring == 0 ? 1 : 2 * ring) {
            if (k >= low[2] && k <= high[2]) examine({i, j, k});
          }
        }
      }
      // Lower bound of the distance to unexamined cells.
      double bound = std::numeric_limits<double>::infinity();
      for (int k = 0; k < 3; ++k) {
        if (low[k] > 0) bound = std::min(bound, p[k] - (grid_.low()[k] + grid_.cell_size() * low[k]));
        if (high[k] < count[k] - 1) bound = std::min(bound, grid_.low()[k] + grid_.cell_size() * (high[k] + 1) - p[k]);
      }
      if (best.first >= 0 && (std::isinf(bound) || (bound > 0 && best.second < bound * bound))) return best;
      if (std::isinf(bound)) return best;
    }
  }

 private:
  const model::TetMesh& mesh_;
  numerics::UniformGrid grid_;
};

}  // namespace

Embedding::Embedding(const model::TetMesh& tets, const model::TriangleMesh& surface)
    : tet_vertex_count_(tets.vertex_count()), tetrahedra_(tets.tetrahedra), rest_normals_(vertex_normals(surface)) {
  if (tets.element_count() == 0)
    throw InputError("embedding: the tetrahedral mesh has no elements; expected at least one");
  for (Eigen::Index e = 0; e < tets.element_count(); ++e) {
    const double volume = model::tetrahedron_volume(tets, tets.rest_positions, e);
    if (!(volume > 0.0)) {
      throw InputError(
          fmt::format("embedding: element {} has the rest volume {:.6g} m³; expected a positive one", e, volume));
    }
  }
  const auto n = std::size_t(surface.vertex_count());
  elements_.resize(n);
  outside_.assign(n, 0.0);
  barycentric_.resize(surface.vertex_count(), 4);
  const ElementGrid grid(tets);
  for (std::size_t v = 0; v < n; ++v) {
    const Vector3 p = surface.positions.row(Eigen::Index(v)).transpose();
    int element = grid.containing(p);
    if (element < 0) {
      const auto [closest, squared] = grid.closest(p);
      element = closest;
      outside_[v] = std::sqrt(squared);
    }
    elements_[v] = element;
    barycentric_.row(Eigen::Index(v)) = barycentric_in(tets, element, p).transpose();
  }
  points_.append(tets, elements_, barycentric_, rest_normals_);
}

void Embedding::check_size(const Eigen::Ref<const Points>& x) const {
  if (x.rows() != tet_vertex_count_) {
    throw std::invalid_argument(fmt::format("embedding: got {} positions, expected {}", x.rows(), tet_vertex_count_));
  }
}

void Embedding::interpolate(const Eigen::Ref<const Points>& x, Points& positions) const {
  check_size(x);
  positions.resize(vertex_count(), 3);
  points_.pass<true, NormalMap::None>(x.data(), tetrahedra_, nullptr, positions.data(), nullptr);
}

void Embedding::normals_by_rotation(std::span<const Matrix3> rotations, Points& normals) const {
  if (Eigen::Index(rotations.size()) != tetrahedra_.rows()) {
    throw std::invalid_argument(
        fmt::format("embedding: got {} rotations, expected one per element, {}", rotations.size(), tetrahedra_.rows()));
  }
  normals.resize(vertex_count(), 3);
  points_.pass<false, NormalMap::Rotation>(nullptr, tetrahedra_, rotations.data(), nullptr, normals.data());
}

void Embedding::normals_by_inverse_transpose(const Eigen::Ref<const Points>& x, Points& normals) const {
  check_size(x);
  normals.resize(vertex_count(), 3);
  points_.pass<false, NormalMap::InverseTranspose>(x.data(), tetrahedra_, nullptr, nullptr, normals.data());
}

void Embedding::update(const Eigen::Ref<const Points>& x, Points& positions, Points& normals) const {
  check_size(x);
  positions.resize(vertex_count(), 3);
  normals.resize(vertex_count(), 3);
  points_.pass<true, NormalMap::InverseTranspose>(x.data(), tetrahedra_, nullptr, positions.data(), normals.data());
}

void Embedding::update(const Eigen::Ref<const Points>& x, std::span<const Matrix3> rotations, Points& positions,
                       Points& normals) const {
  check_size(x);
  if (Eigen::Index(rotations.size()) != tetrahedra_.rows()) {
    throw std::invalid_argument(
        fmt::format("embedding: got {} rotations, expected one per element, {}", rotations.size(), tetrahedra_.rows()));
  }
  positions.resize(vertex_count(), 3);
  normals.resize(vertex_count(), 3);
  points_.pass<true, NormalMap::Rotation>(x.data(), tetrahedra_, rotations.data(), positions.data(), normals.data());
}

}  // namespace deformbench::surface
