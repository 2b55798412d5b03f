// SPDX-License-Identifier: BSD-3-Clause
// Growing cracks as triangles and polylines. [PKAGDG05] §2.1, §3
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "methods/meshless/weights/crack_geometry.hpp"
#include "methods/numerics/box_tree.hpp"

namespace deformbench::meshless {

/// A front as a polyline of crack nodes, m.
struct CrackFront {
  std::vector<Vector3> nodes;  ///< at least two; a closed front does not repeat the first
  bool is_closed = false;
};

struct FrontSegment {
  Vector3 from, to;  ///< m
};

struct CrackTriangle {
  std::array<Vector3, 3> corners;  ///< m; segment end points on it count as on the side of its normal
  int crack;
};

/// Changes since the last query, for local updates.
struct CrackChanges {
  std::vector<std::array<Vector3, 3>> surfaces;  ///< triangles that were added
  std::vector<FrontSegment> fronts;              ///< segments that were added or removed
  bool empty() const { return surfaces.empty() && fronts.empty(); }
};

/// Segment–triangle crossings are decided by exact signs. A segment without end points on a surface crosses it if and
/// only if it meets any of its closed triangles: no segment slips between two triangles with bitwise equal corners.
/// An end point on a triangle counts as on the side of its normal; coplanar segments do not cross.
///
/// Growth of a crack: `add_triangles` for the area swept by its fronts, then `set_fronts`; `take_changes` to update
/// weights.
class TriangulatedCracks final : public CrackGeometry {
 public:
  TriangulatedCracks() = default;
  TriangulatedCracks(const TriangulatedCracks&) = delete;
  TriangulatedCracks& operator=(const TriangulatedCracks&) = delete;

  /// Adds a crack without triangles and fronts; returns its number, 0, 1, …
  int add_crack();
  /// Finite corners (m), right-handed about the normal. Skips triangles without area: nothing crosses them.
  void add_triangles(int crack, std::span<const std::array<Vector3, 3>> triangles);
  /// Replaces all fronts of the crack; none if it cuts through the body or has stopped permanently.
  void set_fronts(int crack, std::vector<CrackFront> fronts);

  /// Joins two cracks, for example when their fronts merge: depths of both are measured to the fronts of both.
  void join(int first, int second);

  /// Maps corners and front nodes to place(x, unit triangle normal; zero for front nodes), which must depend on x
  /// alone, bit for bit. Resets the recorded changes.
  void carry(const std::function<Vector3(const Vector3& x, const Vector3& normal)>& place);

  std::optional<double> crossing_depth(const Vector3& a, const Vector3& b) const override;
  /// Crossing depth by brute force over all triangles, for tests.
  std::optional<double> crossing_depth_of_all(const Vector3& a, const Vector3& b) const;
  /// m, to the nearest front point of the crack and of cracks joined with it; infinite without fronts.
  double front_distance(int crack, const Vector3& x) const;

  int crack_count() const { return int(cracks_.size()); }
  const std::vector<CrackTriangle>& triangles() const { return triangles_; }
  const std::vector<CrackFront>& fronts(int crack) const { return cracks_[std::size_t(crack)].fronts; }
  const std::vector<FrontSegment>& front_segments(int crack) const { return cracks_[std::size_t(crack)].segments; }
  /// Changes since the last call; the first call returns everything.
  CrackChanges take_changes();

 private:
  struct Crack {
    std::vector<CrackFront> fronts;
    std::vector<FrontSegment> segments;
    std::vector<int> joined;  ///< cracks joined with it, including itself
  };
  /// Updates `deepest` by the depth of the crossing with a triangle, if any.
  void take_crossing(const CrackTriangle& triangle, const Vector3& a, const Vector3& b,
                     std::optional<double>& deepest) const;

  void sort_boxes();

  std::vector<Crack> cracks_;
  std::vector<CrackTriangle> triangles_;
  // Sorted triangles are in the BVH; later ones are tested linearly until they are sorted too.
  std::vector<numerics::Box> sorted_boxes_, later_boxes_;
  numerics::BoxTree sorted_;
  CrackChanges changes_;
};

/// Whether the segment from a to b crosses the triangle, by exact signs.
bool crosses(const std::array<Vector3, 3>& corners, const Vector3& a, const Vector3& b);

/// Segments of a front, in order.
std::vector<FrontSegment> segments_of(const CrackFront& front);

}  // namespace deformbench::meshless
