// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/lattice_cells.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/surface/overlap.hpp"

namespace deformbench::surface {
namespace {

using Eigen::Vector3i;

constexpr int kMargin = 3;  // cubes around the surface's bounding box
// Relative growth of cells in contact tests: far above rounding, far below any relevant size.
constexpr double kContactMargin = 1e-9;

// Larger boxes are subdivided before testing whether all their cubes are kept.
constexpr int kCubesLookedAt = 27;

struct CubeRange {
  Vector3i low, high;  // inclusive
  std::int64_t count() const { return ((high - low).cast<std::int64_t>().array() + std::int64_t{1}).prod(); }
  // Whether `test` holds for a cube; stops at the first.
  template <class Test>
  bool any(Test&& test) const {
    for (int i = low[0]; i <= high[0]; ++i)
      for (int j = low[1]; j <= high[1]; ++j)
        for (int k = low[2]; k <= high[2]; ++k)
          if (test(Vector3i(i, j, k))) return true;
    return false;
  }
};

TriangleCorners triangle_corners(const model::TriangleMesh& surface, Eigen::Index t) {
  TriangleCorners p;
  for (Eigen::Index c = 0; c < 3; ++c) p[std::size_t(c)] = surface.positions.row(surface.triangles(t, c)).transpose();
  return p;
}

// Numbers vertices in ascending lattice order and orients every tetrahedron positively.
template <class Position>
model::TetMesh compact_mesh(const std::vector<std::array<std::int64_t, 4>>& tetrahedra, Position&& position) {
  std::vector<std::int64_t> used;
  used.reserve(4 * tetrahedra.size());
  for (const auto& tet : tetrahedra) used.insert(used.end(), tet.begin(), tet.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  model::TetMesh mesh;
  mesh.rest_positions.resize(Eigen::Index(used.size()), 3);
  for (std::size_t v = 0; v < used.size(); ++v)
    mesh.rest_positions.row(Eigen::Index(v)) = position(used[v]).transpose();
  mesh.tetrahedra.resize(Eigen::Index(tetrahedra.size()), 4);
  for (std::size_t t = 0; t < tetrahedra.size(); ++t) {
    const auto row = Eigen::Index(t);
    for (std::size_t c = 0; c < 4; ++c) {
      mesh.tetrahedra(row, Eigen::Index(c)) =
          int(std::lower_bound(used.begin(), used.end(), tetrahedra[t][c]) - used.begin());
    }
    if (model::tetrahedron_volume(mesh, mesh.rest_positions, row) < 0.0)
      std::swap(mesh.tetrahedra(row, 2), mesh.tetrahedra(row, 3));
  }
  return mesh;
}

}  // namespace

CubeGrid::CubeGrid(const Vector3& low, const Vector3& high, double cell_size, const Vector3& anchor) : size(cell_size) {
  const Vector3 middle = 0.5 * (low + high);
  for (int k = 0; k < 3; ++k) {
    const int half = int(std::ceil(0.5 * (high[k] - low[k]) / size)) + kMargin;
    origin[k] = middle[k] - (half + anchor[k]) * size;
    count[k] = 2 * half + 1;
  }
}

std::size_t CubeGrid::cube_count() const {
  return std::size_t(count[0]) * std::size_t(count[1]) * std::size_t(count[2]);
}

Vector3i CubeGrid::cube(std::size_t i) const {
  const auto ny = std::size_t(count[1]);
  const auto nz = std::size_t(count[2]);
  return {int(i / (ny * nz)), int(i / nz % ny), int(i % nz)};
}

Vector3i CubeGrid::cube_at(const Vector3& p) const {
  Vector3i c;
  for (int k = 0; k < 3; ++k) c[k] = std::clamp(int(std::floor((p[k] - origin[k]) / size)), 0, count[k] - 1);
  return c;
}

// ---- cubes ----------------------------------------------------------------------------------------------------

bool CubeCells::on_border(std::size_t cell) const {
  const Vector3i c = grid_.cube(cell);
  return (c.array() == 0).any() || (c.array() == grid_.count.array() - 1).any();
}

int CubeCells::neighbours(std::size_t cell, std::array<std::size_t, 6>& out) const {
  const Vector3i c = grid_.cube(cell);
  int found = 0;
  for (int k = 0; k < 3; ++k) {
    for (const int step : {-1, 1}) {
      Vector3i other = c;
      other[k] += step;
      if (grid_.contains(other)) out[std::size_t(found++)] = grid_.index(other);
    }
  }
  return found;
}

void CubeCells::keep_touched(const model::TriangleMesh& surface, const TriangleTree& tree, KeptCells& kept) const {
  const double margin = kContactMargin * grid_.size;
  const auto cubes_of = [&](const Vector3& low, const Vector3& high) {
    return CubeRange{grid_.cube_at(low - Vector3::Constant(margin)), grid_.cube_at(high + Vector3::Constant(margin))};
  };
  tree.visit(
      [&](const Vector3& low, const Vector3& high) {
        const CubeRange range = cubes_of(low, high);
        if (range.low == range.high) kept[grid_.index(range.low)] = 1;  // all its triangles would keep only this cube
        return range.count() > kCubesLookedAt ||
               range.any([&](const Vector3i& c) { return kept[grid_.index(c)] == 0; });
      },
      [&](int t) {
        const TriangleCorners p = triangle_corners(surface, t);
        const CubeRange range = cubes_of(p[0].cwiseMin(p[1]).cwiseMin(p[2]), p[0].cwiseMax(p[1]).cwiseMax(p[2]));
        range.any([&](const Vector3i& c) {
          auto& flag = kept[grid_.index(c)];
          if (flag == 0 &&
              (range.low == range.high || triangle_overlaps_box(p, grid_.centre(c), 0.5 * grid_.size, margin)))
            flag = 1;
          return false;
        });
      });
}

namespace {

// Mask (bit 4i + 2j + k) of the kept cubes around a lattice vertex. It is good if the kept cubes are face-connected
// among themselves, and the others too: the boundary is then a disc. For bad masks the table has the good superset with
// the fewest additions (the smallest of ties).
std::array<std::uint8_t, 256> repaired_masks() {
  const auto connected = [](unsigned mask) {
    if (mask == 0) return true;
    unsigned reached = mask & (~mask + 1u);
    for (unsigned before = 0; before != reached;) {
      before = reached;
      for (unsigned bit = 0; bit < 8; ++bit) {
        if ((reached >> bit & 1u) == 0) continue;
        for (const unsigned step : {1u, 2u, 4u}) reached |= (1u << (bit ^ step)) & mask;
      }
    }
    return reached == mask;
  };
  std::array<std::uint8_t, 256> table{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    unsigned best = 255;
    for (unsigned super = 0; super < 256; ++super) {
      if ((super & mask) != mask || !connected(super) || !connected(~super & 255u)) continue;
      if (std::popcount(super) < std::popcount(best)) best = super;
    }
    table[mask] = std::uint8_t(best);
  }
  return table;
}

}  // namespace

int CubeCells::make_boundary_manifold(KeptCells& kept) const {
  static const std::array<std::uint8_t, 256> repaired = repaired_masks();
  int added = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 1; i < grid_.count[0]; ++i) {
      for (int j = 1; j < grid_.count[1]; ++j) {
        for (int k = 1; k < grid_.count[2]; ++k) {
          unsigned mask = 0;
          std::array<std::size_t, 8> cubes;
          for (unsigned bit = 0; bit < 8; ++bit) {
            cubes[bit] = grid_.index({i - 1 + int(bit >> 2), j - 1 + int(bit >> 1 & 1u), k - 1 + int(bit & 1u)});
            mask |= unsigned(kept[cubes[bit]] != 0) << bit;
          }
          if (repaired[mask] == mask) continue;
          for (unsigned bit = 0; bit < 8; ++bit) {
            if ((repaired[mask] >> bit & 1u) == 0 || kept[cubes[bit]] != 0) continue;
            kept[cubes[bit]] = 1;
            ++added;
          }
          changed = true;
        }
      }
    }
  }
  return added;
}

model::TetMesh CubeCells::mesh(const KeptCells& kept) const {
  // Corner c of a cube is (c & 1, c >> 1 & 1, c >> 2). The central tetrahedron has the even or the odd corners; parity
  // alternates so that diagonals of common faces agree.
  constexpr int kEven[5][4] = {{0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}};
  const std::int64_t ny = grid_.count[1] + 1;
  const std::int64_t nz = grid_.count[2] + 1;
  std::vector<std::array<std::int64_t, 4>> tetrahedra;
  for (std::size_t cell = 0; cell < kept.size(); ++cell) {
    if (kept[cell] == 0) continue;
    const Vector3i c = grid_.cube(cell);
    const int mirror = (c.sum() & 1) != 0 ? 1 : 0;  // mirrored in x
    for (const auto& tet : kEven) {
      std::array<std::int64_t, 4> vertices;
      for (std::size_t v = 0; v < 4; ++v) {
        const int corner = tet[v] ^ mirror;
        vertices[v] = ((c[0] + (corner & 1)) * ny + c[1] + (corner >> 1 & 1)) * nz + c[2] + (corner >> 2);
      }
      tetrahedra.push_back(vertices);
    }
  }
  return compact_mesh(tetrahedra, [&](std::int64_t v) {
    return grid_.corner({int(v / (ny * nz)), int(v / nz % ny), int(v % nz)});
  });
}

// ---- body-centred lattice -------------------------------------------------------------------------------------

namespace {

// Corners of the cube's lower face normal to `axis`, relative to the cube, in cyclic order.
Vector3i face_corner(int axis, int n) {
  const int u = (axis + 1) % 3;
  const int w = (axis + 2) % 3;
  Vector3i c = Vector3i::Zero();
  c[u] = (n == 1 || n == 2) ? 1 : 0;
  c[w] = (n == 2 || n == 3) ? 1 : 0;
  return c;
}

// Conservative test whether box [low, high] (in cubes from the grid's origin) may reach the cell at edge e of the lower
// face of `cube` normal to `axis`. Relative to the face centre the cell is |a| + r ≤ ½ along the axis and |s| ≤ r
// across, with r towards the edge: four separating planes. The slack far exceeds rounding and kContactMargin.
bool may_reach(const Vector3& low, const Vector3& high, const Vector3i& cube, int axis, int e) {
  constexpr double kSlack = 1e-6;
  const int u = (axis + 1) % 3;
  const int w = (axis + 2) % 3;
  const int r = e % 2 == 0 ? w : u;
  const int s = e % 2 == 0 ? u : w;
  const double nearest_a = std::max({low[axis] - cube[axis], cube[axis] - high[axis], 0.0});
  double low_r = low[r] - cube[r] - 0.5, high_r = high[r] - cube[r] - 0.5;
  if (e == 0 || e == 3) {  // the lower edge
    std::swap(low_r, high_r);
    low_r = -low_r;
    high_r = -high_r;
  }
  const double nearest_s = std::max({low[s] - cube[s] - 0.5, cube[s] + 0.5 - high[s], 0.0});
  return high_r >= nearest_s - kSlack && nearest_a + low_r <= 0.5 + kSlack;
}

}  // namespace

bool BodyCentredCells::is_cell(std::size_t cell) const {
  return grid_.cube(cell / 12)[int(cell / 4 % 3)] > 0;
}

bool BodyCentredCells::on_border(std::size_t cell) const {
  const Vector3i c = grid_.cube(cell / 12);
  return (c.array() <= 1).any() || (c.array() == grid_.count.array() - 1).any();
}

std::array<std::int64_t, 4> BodyCentredCells::vertices(std::size_t cell) const {
  const int axis = int(cell / 4 % 3);
  const int e = int(cell % 4);
  const Vector3i upper = grid_.cube(cell / 12);
  const Vector3i lower = upper - Vector3i::Unit(axis);
  const std::int64_t ny = grid_.count[1] + 1;
  const std::int64_t nz = grid_.count[2] + 1;
  const auto number = [&](const Vector3i& c) { return (c[0] * ny + c[1]) * nz + c[2]; };
  return {2 * number(lower) + 1, 2 * number(upper) + 1, 2 * number(upper + face_corner(axis, e)),
          2 * number(upper + face_corner(axis, (e + 1) % 4))};
}

Vector3 BodyCentredCells::position(std::int64_t vertex) const {
  const std::int64_t ny = grid_.count[1] + 1;
  const std::int64_t nz = grid_.count[2] + 1;
  const std::int64_t n = vertex / 2;
  const Vector3i c(int(n / (ny * nz)), int(n / nz % ny), int(n % nz));
  return vertex % 2 == 0 ? grid_.corner(c) : grid_.centre(c);
}

Vector3 BodyCentredCells::centre(std::size_t cell) const {
  Vector3 sum = Vector3::Zero();
  for (const std::int64_t v : vertices(cell)) sum += position(v);
  return 0.25 * sum;
}

int BodyCentredCells::neighbours(std::size_t cell, std::array<std::size_t, 6>& out) const {
  const int axis = int(cell / 4 % 3);
  const int e = int(cell % 4);
  const int u = (axis + 1) % 3;
  const int w = (axis + 2) % 3;
  const Vector3i upper = grid_.cube(cell / 12);
  const std::size_t base = cell - std::size_t(e);
  int found = 0;
  const auto add = [&](Vector3i cube, int other_axis, int edge) {
    if (!grid_.contains(cube) || cube[other_axis] == 0) return;
    out[std::size_t(found++)] = 12 * grid_.index(cube) + std::size_t(4 * other_axis + edge);
  };
  out[std::size_t(found++)] = base + std::size_t((e + 1) % 4);
  out[std::size_t(found++)] = base + std::size_t((e + 3) % 4);
  // Across (centre, edge) lies the cell at the same edge on the other face of that centre's cube: edges 0 and 2 run
  // along u on the lower and upper side in w, edges 3 and 1 along w on the lower and upper side in u.
  const bool along_u = e % 2 == 0;
  const int other_axis = along_u ? w : u;
  const int side = (e == 1 || e == 2) ? 1 : 0;
  const Vector3i shift = side * Vector3i::Unit(other_axis);
  add(upper + shift, other_axis, along_u ? 3 : 0);                         // on the lower side of the upper cube
  add(upper - Vector3i::Unit(axis) + shift, other_axis, along_u ? 1 : 2);  // on the upper side of the lower cube
  return found;
}

std::size_t BodyCentredCells::cell_at(const Vector3& p) const {
  Vector3i cube = grid_.cube_at(p);
  const Vector3 q = (p - grid_.centre(cube)) / grid_.size;
  int axis = 0;
  q.cwiseAbs().maxCoeff(&axis);
  if (q[axis] > 0) cube[axis] = std::min(cube[axis] + 1, grid_.count[axis] - 1);
  const double qu = q[(axis + 1) % 3];
  const double qw = q[(axis + 2) % 3];
  int e = 0;
  if (std::abs(qu) > std::abs(qw)) {
    e = qu > 0 ? 1 : 3;
  } else {
    e = qw > 0 ? 2 : 0;
  }
  return 12 * grid_.index(cube) + std::size_t(4 * axis + e);
}

void BodyCentredCells::keep_touched(const model::TriangleMesh& surface, const TriangleTree& tree,
                                    KeptCells& kept) const {
  const double margin = kContactMargin * grid_.size;
  const auto cubes_of = [&](const Vector3& low, const Vector3& high) {
    const CubeRange range{grid_.cube_at(low - Vector3::Constant(margin)),
                          grid_.cube_at(high + Vector3::Constant(margin))};
    // The upper faces of the last cubes belong to their neighbours.
    const Vector3i last = (range.high + Vector3i::Ones()).cwiseMin(grid_.count - Vector3i::Ones());
    return CubeRange{range.low, last};
  };
  // Whether a box reaches a cell that is not yet kept; calls `look` with each until it returns true.
  const auto reaches = [&](const Vector3& low, const Vector3& high, const CubeRange& range, auto&& look) {
    const Vector3 l = (low - grid_.origin) / grid_.size, h = (high - grid_.origin) / grid_.size;
    return range.any([&](const Vector3i& cube) {
      const std::size_t base = 12 * grid_.index(cube);
      for (int axis = 0; axis < 3; ++axis) {
        if (cube[axis] == 0) continue;  // no cells there
        for (int e = 0; e < 4; ++e) {
          const std::size_t cell = base + std::size_t(4 * axis + e);
          if (kept[cell] == 0 && may_reach(l, h, cube, axis, e) && look(cell)) return true;
        }
      }
      return false;
    });
  };
  tree.visit(
      [&](const Vector3& low, const Vector3& high) {
        if ((high - low).maxCoeff() < grid_.size) {
          // Cells are convex: a box with all corners well inside a cell has its triangles inside it.
          const Vector3 l = low - Vector3::Constant(margin), h = high + Vector3::Constant(margin);
          const std::size_t home = cell_at(l);
          bool in_one = true;
          for (int corner = 1; corner < 8 && in_one; ++corner)
            in_one = cell_at({corner & 1 ? h[0] : l[0], corner & 2 ? h[1] : l[1], corner & 4 ? h[2] : l[2]}) == home;
          if (in_one) {
            kept[home] = 1;
            return false;
          }
        }
        const CubeRange range = cubes_of(low, high);
        return range.count() > kCubesLookedAt || reaches(low, high, range, [](std::size_t) { return true; });
      },
      [&](int t) {
        const TriangleCorners p = triangle_corners(surface, t);
        const std::size_t a = cell_at(p[0]);
        kept[a] = 1;
        if (a == cell_at(p[1]) && a == cell_at(p[2])) return;
        const Vector3 low = p[0].cwiseMin(p[1]).cwiseMin(p[2]), high = p[0].cwiseMax(p[1]).cwiseMax(p[2]);
        reaches(low, high, cubes_of(low, high), [&](std::size_t cell) {
          const auto numbers = vertices(cell);
          TetCorners x;
          for (std::size_t c = 0; c < 4; ++c) x[c] = position(numbers[c]);
          if (triangle_overlaps_tetrahedron(p, x, margin)) kept[cell] = 1;
          return false;
        });
      });
}

int BodyCentredCells::make_boundary_manifold(KeptCells& kept) const {
  int added = 0;
  // One cell per pinch and pass; a pinch has at most 24 cells around it, so this terminates.
  for (int pass = 0; pass < 200; ++pass) {
    std::vector<std::array<std::int64_t, 4>> cells;
    std::unordered_map<std::int64_t, int> number;
    std::vector<std::int64_t> lattice_vertex;
    for (std::size_t cell = 0; cell < kept.size(); ++cell) {
      if (kept[cell] != 0) cells.push_back(vertices(cell));
    }
    Tetrahedra tetrahedra(Eigen::Index(cells.size()), 4);
    for (std::size_t t = 0; t < cells.size(); ++t) {
      for (std::size_t c = 0; c < 4; ++c) {
        const auto [it, is_new] = number.try_emplace(cells[t][c], int(lattice_vertex.size()));
        if (is_new) lattice_vertex.push_back(cells[t][c]);
        tetrahedra(Eigen::Index(t), Eigen::Index(c)) = it->second;
      }
    }
    model::TriangleMesh boundary;
    boundary.triangles = model::boundary_triangles(tetrahedra);
    boundary.positions = Points::Zero(Eigen::Index(lattice_vertex.size()), 3);
    for (std::size_t v = 0; v < lattice_vertex.size(); ++v)
      boundary.positions.row(Eigen::Index(v)) = position(lattice_vertex[v]).transpose();
    std::vector<std::vector<std::int64_t>> pinches;
    for (const model::Finding& finding : model::find_problems(boundary)) {
      if (finding.kind != model::FindingKind::NonManifoldEdge && finding.kind != model::FindingKind::SharedFanVertex)
        continue;
      auto& pinch = pinches.emplace_back();
      for (const int v : finding.vertices) pinch.push_back(lattice_vertex[std::size_t(v)]);
    }
    if (pinches.empty()) break;
    for (const auto& pinch : pinches) {
      std::size_t best = kept.size();
      int best_score = -1;
      const Vector3i home = grid_.cube_at(position(pinch.front()));
      for (int i = home[0] - 1; i <= home[0] + 1; ++i) {
        for (int j = home[1] - 1; j <= home[1] + 1; ++j) {
          for (int k = home[2] - 1; k <= home[2] + 1; ++k) {
            if (!grid_.contains({i, j, k})) continue;
            for (std::size_t n = 0; n < 12; ++n) {
              const std::size_t cell = 12 * grid_.index({i, j, k}) + n;
              if (kept[cell] != 0 || !is_cell(cell)) continue;
              const auto corners = vertices(cell);
              const bool at_pinch = std::all_of(pinch.begin(), pinch.end(), [&](std::int64_t v) {
                return std::find(corners.begin(), corners.end(), v) != corners.end();
              });
              if (!at_pinch) continue;
              std::array<std::size_t, 6> around;
              const int count = neighbours(cell, around);
              int score = 0;
              for (int m = 0; m < count; ++m) score += kept[around[std::size_t(m)]];
              if (score > best_score) {
                best_score = score;
                best = cell;
              }
            }
          }
        }
      }
      if (best == kept.size()) continue;
      kept[best] = 1;
      ++added;
    }
  }
  return added;
}

model::TetMesh BodyCentredCells::mesh(const KeptCells& kept) const {
  std::vector<std::array<std::int64_t, 4>> tetrahedra;
  for (std::size_t cell = 0; cell < kept.size(); ++cell) {
    if (kept[cell] != 0) tetrahedra.push_back(vertices(cell));
  }
  return compact_mesh(tetrahedra, [&](std::int64_t v) { return position(v); });
}

}  // namespace deformbench::surface
