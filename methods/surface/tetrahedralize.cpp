// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/tetrahedralize.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/error.hpp"
#include "methods/surface/closed_surface.hpp"
#include "methods/surface/lattice_cells.hpp"
#include "methods/surface/ray_crossings.hpp"
#include "methods/surface/triangle_tree.hpp"

namespace deformbench::surface {
namespace {

constexpr double kMostLatticeCells = 1 << 26;

struct Filled {
  KeptCells kept;
  int count = 0;  // tetrahedra
  int added = 0;  // tetrahedra
};

struct Box {
  Vector3 low, high;
};

Box bounds_of(const model::TriangleMesh& surface) {
  Box box{Vector3::Constant(std::numeric_limits<double>::infinity()),
          Vector3::Constant(-std::numeric_limits<double>::infinity())};
  for (Eigen::Index i = 0; i < surface.triangles.size(); ++i) {
    const Vector3 p = surface.positions.row(surface.triangles.data()[i]).transpose();
    box.low = box.low.cwiseMin(p);
    box.high = box.high.cwiseMax(p);
  }
  return box;
}

/// A surface prepared for any number of lattices.
struct Prepared {
  ClosedSurface closed;
  Box box;
  TriangleTree tree;
  RayCrossings rays;
  explicit Prepared(const model::TriangleMesh& surface)
      : closed(closed_surface(surface)), box(bounds_of(closed.mesh)), tree(closed.mesh), rays(closed.mesh) {}
};

// Cells that touch no triangle are entirely inside or outside, as is every connected region of them: one ray per region
// decides.
template <class Cells>
Filled fill(const Cells& cells, const Prepared& surface) {
  Filled result;
  result.kept.assign(cells.cell_count(), 0);
  cells.keep_touched(surface.closed.mesh, surface.tree, result.kept);
  std::vector<std::uint8_t> seen = result.kept;
  std::vector<std::size_t> region;
  std::array<std::size_t, 6> around;
  const auto flood = [&](std::size_t first) {
    region.assign(1, first);
    seen[first] = 1;
    for (std::size_t next = 0; next < region.size(); ++next) {
      const int count = cells.neighbours(region[next], around);
      for (int n = 0; n < count; ++n) {
        const std::size_t other = around[std::size_t(n)];
        if (seen[other] != 0) continue;
        seen[other] = 1;
        region.push_back(other);
      }
    }
  };
  for (std::size_t cell = 0; cell < seen.size(); ++cell) {
    if (seen[cell] == 0 && cells.is_cell(cell) && cells.on_border(cell)) flood(cell);
  }
  for (std::size_t cell = 0; cell < seen.size(); ++cell) {
    if (seen[cell] != 0 || !cells.is_cell(cell)) continue;
    flood(cell);
    if (surface.rays.winding(cells.centre(cell)) < 1) continue;
    for (const std::size_t inner : region) result.kept[inner] = 1;
  }
  result.added = Cells::kTetrahedraPerCell * cells.make_boundary_manifold(result.kept);
  result.count = Cells::kTetrahedraPerCell * int(std::count(result.kept.begin(), result.kept.end(), 1));
  return result;
}

template <class F>
auto with_cells(const CubeGrid& grid, CellLattice lattice, F&& f) {
  return lattice == CellLattice::Cubes ? f(CubeCells(grid)) : f(BodyCentredCells(grid));
}

LatticeMesh finish(model::TetMesh mesh, double cell_size, const Vector3& anchor, int added) {
  LatticeMesh result{std::move(mesh), cell_size, anchor, added, 0, 1, {}};
  model::TriangleMesh boundary{result.mesh.rest_positions, model::boundary_triangles(result.mesh)};
  for (const model::Finding& finding : model::find_problems(boundary)) {
    if (finding.kind == model::FindingKind::NonManifoldEdge || finding.kind == model::FindingKind::SharedFanVertex)
      ++result.pinches;
  }
  result.parts = model::face_connected_parts(result.mesh.tetrahedra);
  if (result.pinches > 0) {
    result.warnings.push_back(
        fmt::format("tetrahedral mesh: {} boundary edges and vertices are not manifold", result.pinches));
  }
  if (result.parts > 1) result.warnings.push_back(fmt::format("tetrahedral mesh: falls into {} parts", result.parts));
  return result;
}

LatticeMesh in_cells_of(const Prepared& surface, double cell_size, CellLattice lattice, const Vector3& anchor) {
  const CubeGrid grid(surface.box.low, surface.box.high, cell_size, anchor);
  LatticeMesh result = with_cells(grid, lattice, [&](const auto& lattice_cells) {
    const Filled filled = fill(lattice_cells, surface);
    return finish(lattice_cells.mesh(filled.kept), cell_size, anchor, filled.added);
  });
  result.warnings.insert(result.warnings.begin(), surface.closed.warnings.begin(), surface.closed.warnings.end());
  return result;
}

}  // namespace

CellLattice cell_lattice_from_name(const std::string& name) {
  if (name == "cubes") return CellLattice::Cubes;
  if (name == "body_centred") return CellLattice::BodyCentred;
  throw InputError(fmt::format("lattice: got '{}', expected cubes or body_centred", name));
}

LatticeMesh tetrahedralize(const model::TriangleMesh& surface, double cell_size, CellLattice lattice,
                           const Vector3& anchor) {
  if (!(cell_size > 0.0) || !std::isfinite(cell_size)) {
    throw InputError(fmt::format("cell size: got {}, expected a positive length in m", cell_size));
  }
  const Prepared prepared(surface);
  const double cells = ((prepared.box.high - prepared.box.low) / cell_size).array().ceil().max(1.0).prod();
  if (cells > kMostLatticeCells) {
    throw InputError(fmt::format("cell size: {} m gives {:.3g} cells in the bounding box, expected at most {:.3g}",
                                 cell_size, cells, kMostLatticeCells));
  }
  return in_cells_of(prepared, cell_size, lattice, anchor);
}

LatticeMesh tetrahedralize_to_count(const model::TriangleMesh& surface, int target, CellLattice lattice,
                                    double tolerance) {
  if (target < 5) throw InputError(fmt::format("tetrahedra: got a target of {}, expected at least 5", target));
  if (!(tolerance >= 0.0)) throw InputError(fmt::format("tolerance: got {}, expected a number ≥ 0", tolerance));
  const Prepared prepared(surface);
  const ClosedSurface& closed = prepared.closed;
  const Box& box = prepared.box;
  const int wanted_characteristic = euler_characteristic(closed.mesh.triangles);
  const double volume = model::enclosed_volume(closed.mesh);
  // Tetrahedra per cube: 5, or 12 in the body-centred lattice.
  const double per_cube = lattice == CellLattice::Cubes ? 5.0 : 12.0;

  using Score = std::tuple<int, int, double>;  // difference in handles, difference from the target, cell size
  // The first lattice with the right handles and the exact count ends the search.
  std::optional<Score> best;
  double best_size = 0.0;
  Vector3 best_anchor = Vector3::Zero();
  int nearest = 0;
  double size = 1.5 * std::cbrt(volume * per_cube / target);  // approximate: thin parts need more cells than they fill
  const auto perfect = [&best] { return best && std::get<0>(*best) == 0 && std::get<1>(*best) == 0; };
  const std::vector<double> fractions =
      lattice == CellLattice::Cubes ? std::vector<double>{0.0, 0.25, 0.5, 0.75} : std::vector<double>{0.0, 0.5};
  for (const double fx : fractions) {
    for (const double fy : fractions) {
      for (const double fz : fractions) {
        const Vector3 anchor(fx, fy, fz);
        double low = 0.0;                                       // has too many tetrahedra
        double high = std::numeric_limits<double>::infinity();  // has too few
        for (int trial = 0; trial < 8 && !perfect(); ++trial) {
          const CubeGrid grid(box.low, box.high, size, anchor);
          if (double(grid.cube_count()) > kMostLatticeCells) {
            throw InputError(
                fmt::format("tetrahedra: a target of {} takes more than {:.3g} cells", target, kMostLatticeCells));
          }
          const int count = with_cells(grid, lattice, [&](const auto& cells) {
            const Filled filled = fill(cells, prepared);
            if (std::abs(filled.count - target) <= tolerance * target) {
              const Triangles boundary = model::boundary_triangles(cells.mesh(filled.kept));
              const Score score{std::abs(euler_characteristic(boundary) - wanted_characteristic),
                                std::abs(filled.count - target), size};
              if (!best || score < *best) {
                best = score;
                best_size = size;
                best_anchor = anchor;
              }
            }
            return filled.count;
          });
          if (nearest == 0 || std::abs(count - target) < std::abs(nearest - target)) nearest = count;
          if (count == target) break;
          (count > target ? low : high) = size;
          // Counts scale about as size^-2.5 (between surface and volume); bisects if that leaves the bracket.
          double next = size * std::pow(double(count) / target, 0.4);
          if (!(next > low && next < high))
            next = std::isinf(high) ? 1.5 * low : (low > 0.0 ? 0.5 * (low + high) : 0.7 * high);
          if (next == size) break;
          size = next;
        }
      }
    }
  }
  if (!best) {
    throw InputError(fmt::format("tetrahedra: no lattice gives {} within {:.3g} %; the nearest count found is {}",
                                 target, 100.0 * tolerance, nearest));
  }
  return in_cells_of(prepared, best_size, lattice, best_anchor);
}

}  // namespace deformbench::surface
