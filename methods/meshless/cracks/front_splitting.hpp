// SPDX-License-Identifier: BSD-3-Clause
// Splits a moved front where it passes through surfaces and any front whose edges new area pierces; terminates
// contracted fronts. Area ahead of nodes that end counts as swept. [PKAGDG05] §3.3
#pragma once

#include "methods/meshless/cracks/crack_state.hpp"

namespace deformbench::meshless {

struct NodeTarget {
  Vector3 raw = Vector3::Zero();    ///< m, target of the node
  Vector3 place = Vector3::Zero();  ///< m, position after clipping and snapping
  bool is_out = false, is_snapped = false;
  SheetName through = {};  ///< surface that an out node has passed through, with the side it came from
};
/// Where the edge from an inside to an outside node meets a surface.
struct EdgeBorder {
  Vector3 point = Vector3::Zero();
  SheetName sheet = {};
  int vertex = -1;
};

class FrontSplitting : private FrontOperation {
 public:
  explicit FrontSplitting(CrackState& state) : FrontOperation(state) {}

  /// Moves the nodes to `targets` and adds the area they sweep; sets `borders`, one per edge.
  void sweep(AdvancingFront& front, const std::vector<NodeTarget>& targets, std::vector<EdgeBorder>& borders);
  /// Runs of nodes inside, with new ends at their borders.
  std::vector<AdvancingFront> pieces(const AdvancingFront& front, const std::vector<NodeTarget>& targets,
                                     const std::vector<EdgeBorder>& borders);
  /// Replaces a swept front by its pieces, and records the events.
  void settle_exits(std::size_t index, const std::vector<NodeTarget>& targets, const std::vector<EdgeBorder>& borders);
  /// Fills the corners that are cut off where adjacent nodes end on different surfaces.
  void fill_corners(const AdvancingFront& front, const std::vector<NodeTarget>& targets,
                    const std::vector<EdgeBorder>& borders, int first_new);
  /// Splits fronts where triangles from `first_new` on pass through their edges, one end on either side.
  void cut_pierced_edges(int first_new);
  /// Ends all fronts that have contracted to a point in a part of a step of dt (s).
  void terminate(double dt);
  void terminate_one(std::size_t index, bool is_filled);

 private:
  EdgeBorder border(const NodeTarget& inside, const NodeTarget& outside, int own) const;
  bool cut_one(std::size_t index, int first_triangle);
  void cut_edge(std::size_t index, std::size_t edge, const SweptArea::Hit& hit);
  struct LinePoint {
    Vector3 position, direction;  ///< direction: unit, or zero
    int vertex, crack;            ///< crack of the line to the next point
  };
  std::optional<Vector3> way_ahead(const LinePoint& from, int first_new) const;
  void close_corner(const LinePoint& a, const LinePoint& b, int first_new, int depth = 0);
  bool fill_ahead(std::span<const LinePoint> line, int first_new);
  static std::vector<LinePoint> line_of(const AdvancingFront& front);
  bool runs_into_corner(const AdvancingFront& front) const;
  void fill(const AdvancingFront& front, double least);
};

}  // namespace deformbench::meshless
