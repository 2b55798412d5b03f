// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/sampling/octree.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "methods/surface/overlap.hpp"
#include "methods/surface/triangle_tree.hpp"

namespace deformbench::meshless {
namespace {

/// Number of axes in which two touching cells overlap by more than a point.
int axes_in_common(const OctreeCell& a, const OctreeCell& b) {
  int count = 0;
  for (std::size_t c = 0; c < 3; ++c) count += a.corner[c] < b.corner[c] + b.edge && b.corner[c] < a.corner[c] + a.edge;
  return count;
}

bool touch(const OctreeCell& a, const OctreeCell& b) {
  for (std::size_t c = 0; c < 3; ++c)
    if (a.corner[c] > b.corner[c] + b.edge || b.corner[c] > a.corner[c] + a.edge) return false;
  return true;
}

bool are_adjacent(const OctreeCell& a, const OctreeCell& b, Adjacency adjacency) {
  return adjacency == Adjacency::Corners || axes_in_common(a, b) == 2;
}

std::array<OctreeCell, 8> parts_of(const OctreeCell& cell) {
  std::array<OctreeCell, 8> parts;
  const int half = cell.edge / 2;
  for (int k = 0; k < 8; ++k)
    parts[std::size_t(k)] = {
        {cell.corner[0] + half * (k & 1), cell.corner[1] + half * (k >> 1 & 1), cell.corner[2] + half * (k >> 2)},
        half};
  return parts;
}

}  // namespace

Octree::Key Octree::key_of(const OctreeCell& cell) {
  Key key = Key(std::bit_width(unsigned(cell.edge)));
  for (const int c : cell.corner) key = key << 16 | Key(c);
  return key;
}

OctreeCell Octree::cell_of(Key key) {
  OctreeCell cell{{}, 1 << (int(key >> 48) - 1)};
  for (int c = 0; c < 3; ++c) cell.corner[std::size_t(c)] = int(key >> 16 * (2 - c) & 0xffff);
  return cell;
}

int Octree::level_of(const OctreeCell& cell) const {
  return levels_ + 1 - int(std::bit_width(unsigned(cell.edge)));
}

Vector3 Octree::low_of(const OctreeCell& cell) const {
  return low_ + unit_.cwiseProduct(Vector3(cell.corner[0], cell.corner[1], cell.corner[2]));
}

Octree::Octree(const model::TriangleMesh& surface, const OctreeOptions& options) : levels_(options.levels) {
  const Vector3 low = surface.positions.colwise().minCoeff(), high = surface.positions.colwise().maxCoeff();
  Vector3 extent = high - low;
  if (options.root == RootCell::Cube) extent.setConstant(extent.maxCoeff());
  low_ = 0.5 * (low + high - extent);
  unit_ = extent / double(1 << levels_);
  divide_at(surface);
  balance(options.adjacency);
  for (const auto& [key, ignored] : leaf_) cells_.push_back(cell_of(key));
  std::sort(cells_.begin(), cells_.end(), [](const OctreeCell& a, const OctreeCell& b) {
    return std::tie(a.corner[2], a.corner[1], a.corner[0]) < std::tie(b.corner[2], b.corner[1], b.corner[0]);
  });
  for (std::size_t k = 0; k < cells_.size(); ++k) leaf_[key_of(cells_[k])] = int(k);
}

std::array<OctreeCell, 8> Octree::divide(const OctreeCell& leaf) {
  leaf_.erase(key_of(leaf));
  const std::array<OctreeCell, 8> parts = parts_of(leaf);
  for (const OctreeCell& part : parts) leaf_.emplace(key_of(part), 0);
  return parts;
}

void Octree::divide_at(const model::TriangleMesh& surface) {
  model::TriangleMesh scaled = surface;  // scaled to edge 1 of the finest cells
  for (Eigen::Index v = 0; v < scaled.positions.rows(); ++v)
    scaled.positions.row(v) = (Vector3(surface.positions.row(v)) - low_).cwiseQuotient(unit_);
  const surface::TriangleTree tree(scaled);
  const auto contains_surface = [&](const OctreeCell& cell) {
    const Vector3 low(cell.corner[0], cell.corner[1], cell.corner[2]), high = low.array() + cell.edge;
    bool found = false;
    tree.visit(
        [&](const Vector3& from, const Vector3& to) {
          return !found && (from.array() <= high.array()).all() && (to.array() >= low.array()).all();
        },
        [&](int t) {
          if (found) return;
          surface::TriangleCorners corners;
          for (int c = 0; c < 3; ++c) corners[std::size_t(c)] = scaled.positions.row(scaled.triangles(t, c));
          found = surface::triangle_overlaps_box(corners, 0.5 * (low + high), 0.5 * cell.edge, 0.0);
        });
    return found;
  };
  std::vector<OctreeCell> open{{{0, 0, 0}, 1 << levels_}};
  leaf_.emplace(key_of(open[0]), 0);
  while (!open.empty()) {
    const OctreeCell cell = open.back();
    open.pop_back();
    if (cell.edge == 1 || !contains_surface(cell)) continue;
    for (const OctreeCell& part : divide(cell)) open.push_back(part);
  }
}

void Octree::balance(Adjacency adjacency) {
  std::vector<OctreeCell> open;
  for (const auto& [key, ignored] : leaf_) open.push_back(cell_of(key));
  while (!open.empty()) {
    const OctreeCell cell = open.back();
    open.pop_back();
    if (!leaf_.contains(key_of(cell))) continue;  // already divided
    std::vector<OctreeCell> coarse;
    for_touching(cell, [&](const OctreeCell& other) {
      if (other.edge > 2 * cell.edge && are_adjacent(cell, other, adjacency)) coarse.push_back(other);
    });
    for (const OctreeCell& other : coarse)
      for (const OctreeCell& part : divide(other)) open.push_back(part);
    if (!coarse.empty()) open.push_back(cell);  // the parts may still be too coarse
  }
}

template <class F>
void Octree::for_touching(const OctreeCell& cell, F&& f) const {
  std::vector<OctreeCell> open{{{0, 0, 0}, 1 << levels_}};
  while (!open.empty()) {
    const OctreeCell here = open.back();
    open.pop_back();
    if (!touch(cell, here)) continue;
    if (leaf_.contains(key_of(here))) {
      f(here);
    } else {
      for (const OctreeCell& part : parts_of(here)) open.push_back(part);
    }
  }
}

std::vector<int> Octree::adjacent(int cell, Adjacency adjacency) const {
  std::vector<int> found;
  const OctreeCell& own = cells_[std::size_t(cell)];
  for_touching(own, [&](const OctreeCell& other) {
    const int place = leaf_.at(key_of(other));
    if (place != cell && are_adjacent(own, other, adjacency)) found.push_back(place);
  });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace deformbench::meshless
