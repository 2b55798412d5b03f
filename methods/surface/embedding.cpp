// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/embedding.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "methods/model/error.hpp"
#include "methods/surface/closed_surface.hpp"
#include "methods/surface/overlap.hpp"

namespace deformbench::surface {
namespace {

// A vertex on a face belongs to both sides up to rounding of its barycentric coordinates (~20 ulp for shapely
// elements).
constexpr double kContainsTolerance = 1e-12;

TetCorners corners_of(const model::TetMesh& mesh, Eigen::Index e) {
  TetCorners x;
  for (Eigen::Index c = 0; c < 4; ++c) {
    x[static_cast<std::size_t>(c)] = mesh.rest_positions.row(mesh.tetrahedra(e, c)).transpose();
  }
  return x;
}

// Uniform grid over the elements' bounding boxes.
class ElementGrid {
 public:
  explicit ElementGrid(const model::TetMesh& mesh) : mesh_(mesh) {
    const Vector3 low = mesh.rest_positions.colwise().minCoeff().transpose();
    const Vector3 high = mesh.rest_positions.colwise().maxCoeff().transpose();
    const Vector3 extent = (high - low).cwiseMax(1e-300);
    const double cells = std::max<double>(1.0, static_cast<double>(mesh.element_count()) / 2.0);
    size_ = std::max(std::cbrt(extent.prod() / cells), extent.maxCoeff() / 512.0);
    origin_ = low;
    for (int k = 0; k < 3; ++k) count_[k] = std::max(1, static_cast<int>(std::ceil(extent[k] / size_)));
    std::vector<std::array<Eigen::Vector3i, 2>> ranges(static_cast<std::size_t>(mesh.element_count()));
    starts_.assign(static_cast<std::size_t>(count_.prod()) + 1, 0);
    for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
      const TetCorners x = corners_of(mesh, e);
      const double pad = 1e-9 * size_;
      auto& range = ranges[static_cast<std::size_t>(e)];
      range[0] = cell_of(x[0].cwiseMin(x[1]).cwiseMin(x[2]).cwiseMin(x[3]) - Vector3::Constant(pad));
      range[1] = cell_of(x[0].cwiseMax(x[1]).cwiseMax(x[2]).cwiseMax(x[3]) + Vector3::Constant(pad));
      for_cells(range[0], range[1], [&](std::size_t cell) { ++starts_[cell + 1]; });
    }
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    entries_.resize(static_cast<std::size_t>(starts_.back()));
    std::vector<int> next(starts_.begin(), starts_.end() - 1);
    for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
      const auto& range = ranges[static_cast<std::size_t>(e)];
      for_cells(range[0], range[1],
                [&](std::size_t cell) { entries_[static_cast<std::size_t>(next[cell]++)] = static_cast<int>(e); });
    }
  }

  // Lowest element containing p, or −1.
  int containing(const Vector3& p) const {
    const std::size_t cell = index(cell_of(p));
    for (int k = starts_[cell]; k < starts_[cell + 1]; ++k) {  // ascending element indices
      const int e = entries_[static_cast<std::size_t>(k)];
      if (barycentric_in(mesh_, e, p).minCoeff() >= -kContainsTolerance) return e;
    }
    return -1;
  }

  // Closest element to a point outside all, and its squared distance.
  std::pair<int, double> closest(const Vector3& p) const {
    const Eigen::Vector3i home = cell_of(p);
    std::pair<int, double> best{-1, std::numeric_limits<double>::infinity()};
    for (int ring = 0;; ++ring) {
      const Eigen::Vector3i low = (home.array() - ring).max(0);
      const Eigen::Vector3i high = (home.array() + ring).min(count_.array() - 1);
      const auto examine = [&](std::size_t cell) {
        for (int n = starts_[cell]; n < starts_[cell + 1]; ++n) {
          const int e = entries_[static_cast<std::size_t>(n)];
          const double d = squared_distance_to_faces(p, corners_of(mesh_, e));
          if (d < best.second || (d == best.second && e < best.first)) best = {e, d};
        }
      };
      for (int i = low[0]; i <= high[0]; ++i) {  // only the shell: inner cells were seen in earlier rings
        for (int j = low[1]; j <= high[1]; ++j) {
          const bool on_shell = std::abs(i - home[0]) == ring || std::abs(j - home[1]) == ring;
          for (int k = home[2] - ring; k <= home[2] + ring; k += on_shell || ring == 0 ? 1 : 2 * ring) {
            if (k >= low[2] && k <= high[2]) examine(index({i, j, k}));
          }
        }
      }
      // What lies in no examined cell is at least this far away.
      double bound = std::numeric_limits<double>::infinity();
      for (int k = 0; k < 3; ++k) {
        if (low[k] > 0) bound = std::min(bound, p[k] - (origin_[k] + size_ * low[k]));
        if (high[k] < count_[k] - 1) bound = std::min(bound, origin_[k] + size_ * (high[k] + 1) - p[k]);
      }
      if (best.first >= 0 && (std::isinf(bound) || (bound > 0 && best.second < bound * bound))) return best;
      if (std::isinf(bound)) return best;
    }
  }

 private:
  Eigen::Vector3i cell_of(const Vector3& p) const {
    Eigen::Vector3i cell;
    for (int k = 0; k < 3; ++k) {
      cell[k] = static_cast<int>(
          std::clamp(std::floor((p[k] - origin_[k]) / size_), 0.0, static_cast<double>(count_[k] - 1)));
    }
    return cell;
  }
  std::size_t index(const Eigen::Vector3i& c) const {
    return (static_cast<std::size_t>(c[0]) * static_cast<std::size_t>(count_[1]) + static_cast<std::size_t>(c[1])) *
               static_cast<std::size_t>(count_[2]) +
           static_cast<std::size_t>(c[2]);
  }
  template <class F>
  void for_cells(const Eigen::Vector3i& low, const Eigen::Vector3i& high, F&& f) const {
    for (int i = low[0]; i <= high[0]; ++i) {
      for (int j = low[1]; j <= high[1]; ++j) {
        for (int k = low[2]; k <= high[2]; ++k) f(index({i, j, k}));
      }
    }
  }

  const model::TetMesh& mesh_;
  double size_ = 1.0;
  Vector3 origin_;
  Eigen::Vector3i count_;
  std::vector<int> starts_;
  std::vector<int> entries_;
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
  const auto n = static_cast<std::size_t>(surface.vertex_count());
  elements_.resize(n);
  outside_.assign(n, 0.0);
  barycentric_.resize(surface.vertex_count(), 4);
  rest_positions_ = surface.positions;
  const ElementGrid grid(tets);
  for (std::size_t v = 0; v < n; ++v) {
    const Vector3 p = surface.positions.row(static_cast<Eigen::Index>(v)).transpose();
    int element = grid.containing(p);
    if (element < 0) {
      const auto [closest, squared] = grid.closest(p);
      element = closest;
      outside_[v] = std::sqrt(squared);
    }
    elements_[v] = element;
    barycentric_.row(static_cast<Eigen::Index>(v)) = barycentric_in(tets, element, p).transpose();
  }
  points_.append(tets, elements_, barycentric_, rest_normals_);
}

double Embedding::max_outside_distance() const {
  return outside_.empty() ? 0.0 : *std::max_element(outside_.begin(), outside_.end());
}

void Embedding::require_containment(double tolerance, const std::string& name) const {
  const auto worst = std::max_element(outside_.begin(), outside_.end());
  if (worst == outside_.end() || *worst <= tolerance) return;
  const auto count = std::count_if(outside_.begin(), outside_.end(), [&](double d) { return d > tolerance; });
  const auto v = worst - outside_.begin();
  throw InputError(
      fmt::format("{}: vertex {} ({:.6g}, {:.6g}, {:.6g}) sticks out of the tetrahedral mesh by {:.6g} m "
                  "({} of {} vertices stick out); expected at most {:.6g} m",
                  name, v, rest_positions_(v, 0), rest_positions_(v, 1), rest_positions_(v, 2), *worst, count,
                  outside_.size(), tolerance));
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
  if (static_cast<Eigen::Index>(rotations.size()) != tetrahedra_.rows()) {
    throw std::invalid_argument(
        fmt::format("embedding: got {} rotations, expected one an element, {}", rotations.size(), tetrahedra_.rows()));
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
  if (static_cast<Eigen::Index>(rotations.size()) != tetrahedra_.rows()) {
    throw std::invalid_argument(
        fmt::format("embedding: got {} rotations, expected one an element, {}", rotations.size(), tetrahedra_.rows()));
  }
  positions.resize(vertex_count(), 3);
  normals.resize(vertex_count(), 3);
  points_.pass<true, NormalMap::Rotation>(x.data(), tetrahedra_, rotations.data(), positions.data(), normals.data());
}

}  // namespace deformbench::surface
