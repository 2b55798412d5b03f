// SPDX-License-Identifier: BSD-3-Clause
// Cracks as triangles and polylines that grow. [PKAGDG05] §2.1, §3
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "methods/meshless/weights/crack_geometry.hpp"
#include "methods/numerics/box_tree.hpp"

namespace deformbench::meshless {

/// A front: crack nodes in a row, m.
struct CrackFront {
  std::vector<Vector3> nodes;  ///< at least two; of a closed front the first does not stand at the end again
  bool is_closed = false;
};

struct FrontSegment {
  Vector3 from, to;  ///< m
};

struct CrackTriangle {
  std::array<Vector3, 3> corners;  ///< m; an end point of a segment that lies on it is on the side of its normal
  int crack;
};

/// What has been added or has moved since somebody last asked, for updates that look no farther.
struct CrackChanges {
  std::vector<std::array<Vector3, 3>> surfaces;  ///< triangles that were added
  std::vector<FrontSegment> fronts;              ///< segments that were added or taken away
  bool empty() const { return surfaces.empty() && fronts.empty(); }
};

/// Whether a segment crosses a triangle is decided by exact signs. A segment of which no end lies on a surface is found
/// to cross it where it meets any of its closed triangles, edges and corners included, and nowhere else: none slips
/// through between two triangles that have corners in common to the bit. An end on a triangle lies on the side of its
/// normal; a segment within the plane of a triangle does not cross it.
///
/// How a crack grows: `add_triangles` for what its fronts have swept, then `set_fronts`; `take_changes` to update
/// weights.
class TriangulatedCracks final : public CrackGeometry {
 public:
  TriangulatedCracks() = default;
  TriangulatedCracks(const TriangulatedCracks&) = delete;
  TriangulatedCracks& operator=(const TriangulatedCracks&) = delete;

  /// A crack without triangles and fronts; returns its number, 0, 1, …
  int add_crack();
  /// Finite corners (m) in the order of the normal. Triangles without area are left out: nothing crosses them.
  void add_triangles(int crack, std::span<const std::array<Vector3, 3>> triangles);
  /// All fronts of the crack, in place of those before; none where it cuts the body through or has stopped for good.
  void set_fronts(int crack, std::vector<CrackFront> fronts);

  /// Two cracks have become one, as where their fronts have merged: depths of both count to the fronts of both.
  void join(int first, int second);

  /// All corners and front nodes elsewhere: `place` of a point and of the unit normal of a triangle at it (zero of a
  /// front node), which has to be the same for the same point. Nothing counts as changed after it.
  void carry(const std::function<Vector3(const Vector3& x, const Vector3& normal)>& place);

  std::optional<double> crossing_depth(const Vector3& a, const Vector3& b) const override;
  /// The same by every triangle of every crack, without the search structure: for tests and controls.
  std::optional<double> crossing_depth_of_all(const Vector3& a, const Vector3& b) const;
  /// m, to the nearest point of the fronts of the crack and of those that it is joined with; infinite without any.
  double front_distance(int crack, const Vector3& x) const;

  int crack_count() const { return int(cracks_.size()); }
  const std::vector<CrackTriangle>& triangles() const { return triangles_; }
  const std::vector<CrackFront>& fronts(int crack) const { return cracks_[std::size_t(crack)].fronts; }
  const std::vector<FrontSegment>& front_segments(int crack) const { return cracks_[std::size_t(crack)].segments; }
  /// Everything since the last call; all there is at the first.
  CrackChanges take_changes();

 private:
  struct Crack {
    std::vector<CrackFront> fronts;
    std::vector<FrontSegment> segments;
    std::vector<int> joined;  ///< all cracks that are one with it, itself included
  };
  /// Takes the depth of the crossing with a triangle, if there is one, into `deepest`.
  void take_crossing(const CrackTriangle& triangle, const Vector3& a, const Vector3& b,
                     std::optional<double>& deepest) const;

  void sort_boxes();

  std::vector<Crack> cracks_;
  std::vector<CrackTriangle> triangles_;
  // The first triangles are sorted; later ones are looked at one by one until there are enough of them to sort anew.
  std::vector<numerics::Box> sorted_boxes_, later_boxes_;
  numerics::BoxTree sorted_;
  CrackChanges changes_;
};

/// Whether the segment from a to b crosses the triangle, by exact signs.
bool crosses(const std::array<Vector3, 3>& corners, const Vector3& a, const Vector3& b);

/// Segments of a front, in their order.
std::vector<FrontSegment> segments_of(const CrackFront& front);

}  // namespace deformbench::meshless
