// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/structured.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/error.hpp"
#include "methods/model/split_mix.hpp"

namespace deformbench::model {
namespace {

using Lattice = std::array<int, 3>;  // twice the grid coordinates: corners even, centres odd

constexpr Lattice kCorners[8] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1},
                                 {1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}};  // index 4x + 2y + z

// Corner numbers with an even and an odd coordinate sum: each four are the corners of a regular tetrahedron.
constexpr int kEvenCorners[4] = {0, 3, 5, 6};
constexpr int kOddCorners[4] = {1, 2, 4, 7};

constexpr int kPermutations[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/// Collects elements by lattice coordinates, then numbers the vertices that are used.
class BlockBuilder {
 public:
  void add(Lattice a, Lattice b, Lattice c, Lattice d) { elements_.push_back({a, b, c, d}); }

  TetMesh finish(const std::array<int, 3>& cells, const Vector3& origin, const Vector3& size) const {
    std::vector<Lattice> vertices;
    vertices.reserve(4 * elements_.size());
    for (const auto& element : elements_) vertices.insert(vertices.end(), element.begin(), element.end());
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());

    TetMesh mesh;
    mesh.rest_positions.resize(Eigen::Index(vertices.size()), 3);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        // Product before quotient: cells of whole metres get whole coordinates. The last layer is set exactly, as
        // size · n / n may differ from size (0.1 · 6 / 6).
        const auto a = Eigen::Index(axis);
        const int steps = 2 * cells[axis], step = vertices[i][axis];
        mesh.rest_positions(Eigen::Index(i), a) = origin[a] + (step == steps ? size[a] : size[a] * step / steps);
      }
    }
    mesh.tetrahedra.resize(Eigen::Index(elements_.size()), 4);
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      const auto row = Eigen::Index(e);
      for (std::size_t k = 0; k < 4; ++k) {
        const auto found = std::lower_bound(vertices.begin(), vertices.end(), elements_[e][k]);
        mesh.tetrahedra(row, Eigen::Index(k)) = int(found - vertices.begin());
      }
      if (tetrahedron_volume(mesh, mesh.rest_positions, row) < 0) {
        std::swap(mesh.tetrahedra(row, 2), mesh.tetrahedra(row, 3));
      }
    }
    return mesh;
  }

 private:
  std::vector<std::array<Lattice, 4>> elements_;
};

Lattice corner(const Lattice& cell, int number) {
  Lattice result;
  for (std::size_t a = 0; a < 3; ++a) result[a] = 2 * (cell[a] + kCorners[number][a]);
  return result;
}

void add_five(BlockBuilder& builder, const Lattice& cell) {
  const bool even = (cell[0] + cell[1] + cell[2]) % 2 == 0;
  const auto& central = even ? kOddCorners : kEvenCorners;
  const auto& cut_off = even ? kEvenCorners : kOddCorners;
  builder.add(corner(cell, central[0]), corner(cell, central[1]), corner(cell, central[2]), corner(cell, central[3]));
  for (const int c : cut_off) {
    builder.add(corner(cell, c), corner(cell, c ^ 4), corner(cell, c ^ 2), corner(cell, c ^ 1));
  }
}

void add_six(BlockBuilder& builder, const Lattice& cell) {
  constexpr int kBit[3] = {4, 2, 1};
  for (const auto& order : kPermutations) {
    const int first = kBit[order[0]];
    builder.add(corner(cell, 0), corner(cell, first), corner(cell, first | kBit[order[1]]), corner(cell, 7));
  }
}

void add_body_centred(BlockBuilder& builder, const Lattice& cell, const std::array<int, 3>& cells) {
  const Lattice centre{2 * cell[0] + 1, 2 * cell[1] + 1, 2 * cell[2] + 1};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const int side : {-1, 1}) {
      const int neighbour = cell[axis] + side;
      const bool at_boundary = neighbour < 0 || neighbour >= cells[axis];
      if (!at_boundary && side < 0) continue;  // already made by the neighbour
      Lattice apex = centre;
      apex[axis] += at_boundary ? side : 2 * side;
      const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
      Lattice ring[4];
      constexpr int kTurn[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
      for (int k = 0; k < 4; ++k) {
        ring[k] = centre;
        ring[k][axis] += side;
        ring[k][u] += kTurn[k][0];
        ring[k][v] += kTurn[k][1];
      }
      for (int k = 0; k < 4; ++k) builder.add(centre, apex, ring[k], ring[(k + 1) % 4]);
    }
  }
}

/// In [−1, 1).
double uniform(std::uint64_t& state) {
  return double(split_mix(state) >> 11) * 0x1.0p-52 - 1.0;
}

}  // namespace

BlockSplit block_split_from_name(const std::string& name) {
  for (const BlockSplit split : {BlockSplit::AlternatingFive, BlockSplit::KuhnSix, BlockSplit::BodyCentred}) {
    if (name == name_of(split)) return split;
  }
  throw InputError(fmt::format("block split '{}': expected alternating_five, kuhn_six or body_centred", name));
}

std::string name_of(BlockSplit split) {
  switch (split) {
    case BlockSplit::AlternatingFive:
      return "alternating_five";
    case BlockSplit::KuhnSix:
      return "kuhn_six";
    case BlockSplit::BodyCentred:
      return "body_centred";
  }
  return {};
}

TetMesh make_block(const std::array<int, 3>& cells, const Vector3& origin, const Vector3& size, BlockSplit split) {
  double cell_count = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto a = Eigen::Index(axis);
    if (cells[axis] < 1) {
      throw InputError(fmt::format("block: {} cells along {}, expected at least 1", cells[axis], "xyz"[axis]));
    }
    if (!(size[a] > 0) || !std::isfinite(size[a])) {
      throw InputError(fmt::format("block: size {} m along {}, expected a positive number", size[a], "xyz"[axis]));
    }
    if (!std::isfinite(origin[a])) {
      throw InputError(fmt::format("block: origin {} m along {}, expected a finite number", origin[a], "xyz"[axis]));
    }
    cell_count *= cells[axis];
  }
  // At most 24 elements per cell, and element indices times 4 must fit an int.
  if (cell_count * 24 * 4 > std::numeric_limits<int>::max()) {
    throw InputError(fmt::format("block: {}×{}×{} cells, expected at most {} cells", cells[0], cells[1], cells[2],
                                 std::numeric_limits<int>::max() / 96));
  }
  BlockBuilder builder;
  for (int i = 0; i < cells[0]; ++i) {
    for (int j = 0; j < cells[1]; ++j) {
      for (int k = 0; k < cells[2]; ++k) {
        const Lattice cell{i, j, k};
        switch (split) {
          case BlockSplit::AlternatingFive:
            add_five(builder, cell);
            break;
          case BlockSplit::KuhnSix:
            add_six(builder, cell);
            break;
          case BlockSplit::BodyCentred:
            add_body_centred(builder, cell, cells);
            break;
        }
      }
    }
  }
  return builder.finish(cells, origin, size);
}

TetMesh jitter(const TetMesh& mesh, const JitterOptions& options) {
  if (!(options.fraction >= 0 && options.fraction <= 1)) {
    throw InputError(fmt::format("jitter: fraction {}, expected a number from 0 to 1", options.fraction));
  }
  if (!(options.smallest_volume_ratio >= 0 && options.smallest_volume_ratio < 1)) {
    throw InputError(
        fmt::format("jitter: smallest volume ratio {}, expected a number in [0, 1)", options.smallest_volume_ratio));
  }
  const Eigen::Index element_count = mesh.element_count();
  Eigen::VectorXd volumes(element_count);
  for (Eigen::Index e = 0; e < element_count; ++e) {
    volumes[e] = tetrahedron_volume(mesh, mesh.rest_positions, e);
    if (!(volumes[e] > 0)) {
      throw InputError(fmt::format("jitter: element {} has volume {} m³, expected a positive one", e, volumes[e]));
    }
  }
  const double reach = options.fraction * shortest_edge(mesh);
  Points displacement(mesh.vertex_count(), 3);
  std::uint64_t state = options.seed;
  for (Eigen::Index i = 0; i < displacement.size(); ++i) displacement.data()[i] = reach * uniform(state);
  if (options.keep_boundary) {
    for (const int vertex : boundary_vertices(mesh)) displacement.row(vertex).setZero();
  }

  // Terminates: displacements tend to zero, where every element has its original volume. 60 halvings are below the
  // rounding of the coordinates.
  TetMesh result = mesh;
  for (int round = 0; round <= 60; ++round) {
    result.rest_positions = mesh.rest_positions + displacement;
    std::vector<bool> halve(std::size_t(mesh.vertex_count()), false);
    bool good = true;
    for (Eigen::Index e = 0; e < element_count; ++e) {
      const double volume = tetrahedron_volume(result, result.rest_positions, e);
      if (volume > 0 && volume >= options.smallest_volume_ratio * volumes[e]) continue;
      good = false;
      for (int k = 0; k < 4; ++k) halve[std::size_t(mesh.tetrahedra(e, k))] = true;
    }
    if (good) return result;
    for (Eigen::Index i = 0; i < mesh.vertex_count(); ++i) {
      if (halve[std::size_t(i)]) displacement.row(i) *= 0.5;
    }
  }
  throw InputError(
      "jitter: elements stay inverted however small the displacement; expected a mesh whose "
      "elements are larger than the rounding of its coordinates");
}

std::vector<int> vertices_on_plane(const Points& positions, int axis, double coordinate, double tolerance) {
  std::vector<int> vertices;
  for (Eigen::Index i = 0; i < positions.rows(); ++i) {
    if (std::abs(positions(i, axis) - coordinate) <= tolerance) vertices.push_back(int(i));
  }
  return vertices;
}

double shortest_edge(const TetMesh& mesh) {
  if (mesh.element_count() == 0) throw InputError("shortest edge: the mesh has no elements");
  double shortest = std::numeric_limits<double>::infinity();
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    for (int a = 0; a < 4; ++a) {
      for (int b = a + 1; b < 4; ++b) {
        shortest = std::min(
            shortest,
            (mesh.rest_positions.row(mesh.tetrahedra(e, a)) - mesh.rest_positions.row(mesh.tetrahedra(e, b))).norm());
      }
    }
  }
  return shortest;
}

}  // namespace deformbench::model
