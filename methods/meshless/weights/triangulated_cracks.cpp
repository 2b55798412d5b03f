// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/weights/triangulated_cracks.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "methods/meshless/weights/exact_side.hpp"

namespace deformbench::meshless {
namespace {

constexpr std::size_t kMostLater = 32;  // triangles tested linearly

numerics::Box box_of(std::span<const Vector3> points) {
  numerics::Box box{points.front(), points.front()};
  for (const Vector3& p : points) {
    box.low = box.low.cwiseMin(p);
    box.high = box.high.cwiseMax(p);
  }
  return box;
}

double distance_to(const FrontSegment& segment, const Vector3& x) {
  const Vector3 along = segment.to - segment.from, way = x - segment.from;
  const double squared = along.squaredNorm();
  const double share = squared > 0.0 ? std::clamp(way.dot(along) / squared, 0.0, 1.0) : 0.0;
  return (way - share * along).norm();
}

/// Intersection point of a segment that crosses the triangle.
Vector3 crossing_of(const std::array<Vector3, 3>& corners, const Vector3& a, const Vector3& b) {
  const auto& [p, q, r] = corners;
  const Vector3 normal = (q - p).cross(r - p);
  const double height_a = std::abs((a - p).dot(normal)), height_b = std::abs((b - p).dot(normal));
  const double sum = height_a + height_b;
  return a + (sum > 0.0 ? height_a / sum : 0.5) * (b - a);
}

/// Sortable key of a segment.
auto key_of(const FrontSegment& s) {
  return std::tuple(s.from.x(), s.from.y(), s.from.z(), s.to.x(), s.to.y(), s.to.z());
}
bool before(const FrontSegment& a, const FrontSegment& b) {
  return key_of(a) < key_of(b);
}

}  // namespace

bool crosses(const std::array<Vector3, 3>& corners, const Vector3& a, const Vector3& b) {
  const auto& [p, q, r] = corners;
  // A point on the plane counts as above it, so that crossing is decided uniquely.
  const bool a_above = exact_side(p, q, r, a) >= 0, b_above = exact_side(p, q, r, b) >= 0;
  if (a_above == b_above) return false;
  // The line passes all edges on the same side or meets them; 0 fits either. Both triangles at an edge evaluate the
  // same exact determinant, so their signs agree.
  const int pq = exact_side(a, b, p, q), qr = exact_side(a, b, q, r);
  if (pq * qr < 0) return false;
  const int rp = exact_side(a, b, r, p);
  return pq * rp >= 0 && qr * rp >= 0;
}

std::vector<FrontSegment> segments_of(const CrackFront& front) {
  std::vector<FrontSegment> segments;
  for (std::size_t k = 1; k < front.nodes.size(); ++k) segments.push_back({front.nodes[k - 1], front.nodes[k]});
  if (front.is_closed && front.nodes.size() > 2) segments.push_back({front.nodes.back(), front.nodes.front()});
  return segments;
}

int TriangulatedCracks::add_crack() {
  cracks_.emplace_back();
  const int crack = int(cracks_.size()) - 1;
  cracks_.back().joined = {crack};
  return crack;
}

void TriangulatedCracks::join(int first, int second) {
  std::vector<int> all = cracks_[std::size_t(first)].joined;
  const std::vector<int>& others = cracks_[std::size_t(second)].joined;
  if (std::find(all.begin(), all.end(), second) != all.end()) return;
  all.insert(all.end(), others.begin(), others.end());
  for (const int crack : all) {
    Crack& one = cracks_[std::size_t(crack)];
    one.joined = all;
    // Each front is new relative to the area of the others.
    changes_.fronts.insert(changes_.fronts.end(), one.segments.begin(), one.segments.end());
  }
}

void TriangulatedCracks::add_triangles(int crack, std::span<const std::array<Vector3, 3>> triangles) {
  for (const auto& corners : triangles) {
    if (!((corners[1] - corners[0]).cross(corners[2] - corners[0]).squaredNorm() > 0.0)) continue;
    triangles_.push_back({corners, crack});
    later_boxes_.push_back(box_of(corners));
    changes_.surfaces.push_back(corners);
  }
  // Rare enough that sorting costs less than testing the later ones linearly.
  if (later_boxes_.size() > std::max(kMostLater, sorted_boxes_.size() / 256)) sort_boxes();
}

void TriangulatedCracks::sort_boxes() {
  sorted_boxes_.insert(sorted_boxes_.end(), later_boxes_.begin(), later_boxes_.end());
  later_boxes_.clear();
  sorted_.update(sorted_boxes_);
}

void TriangulatedCracks::carry(const std::function<Vector3(const Vector3&, const Vector3&)>& place) {
  // `place` may query the cracks, so they are unchanged until all positions are known.
  std::vector<CrackTriangle> triangles = triangles_;
  for (CrackTriangle& triangle : triangles) {
    const auto [p, q, r] = triangle.corners;
    const Vector3 normal = (q - p).cross(r - p).normalized();
    for (Vector3& corner : triangle.corners) corner = place(corner, normal);
  }
  std::vector<std::vector<CrackFront>> fronts;
  for (const Crack& crack : cracks_) {
    fronts.push_back(crack.fronts);
    for (CrackFront& front : fronts.back())
      for (Vector3& node : front.nodes) node = place(node, Vector3::Zero());
  }
  triangles_ = std::move(triangles);
  sorted_boxes_.clear();
  later_boxes_.clear();
  for (const CrackTriangle& triangle : triangles_) later_boxes_.push_back(box_of(triangle.corners));
  if (!later_boxes_.empty()) sort_boxes();
  for (std::size_t k = 0; k < cracks_.size(); ++k) {
    Crack& crack = cracks_[k];
    crack.fronts = std::move(fronts[k]);
    crack.segments.clear();
    for (const CrackFront& front : crack.fronts) {
      const auto segments = segments_of(front);
      crack.segments.insert(crack.segments.end(), segments.begin(), segments.end());
    }
  }
  changes_ = {};
}

void TriangulatedCracks::set_fronts(int crack, std::vector<CrackFront> fronts) {
  Crack& own = cracks_[std::size_t(crack)];
  std::vector<FrontSegment> old = own.segments, now;
  for (const CrackFront& front : fronts) {
    const auto segments = segments_of(front);
    now.insert(now.end(), segments.begin(), segments.end());
  }
  own.fronts = std::move(fronts);
  own.segments = now;
  std::sort(old.begin(), old.end(), before);
  std::sort(now.begin(), now.end(), before);
  std::set_symmetric_difference(old.begin(), old.end(), now.begin(), now.end(), std::back_inserter(changes_.fronts),
                                before);
}

double TriangulatedCracks::front_distance(int crack, const Vector3& x) const {
  double least = std::numeric_limits<double>::infinity();
  for (const int one : cracks_[std::size_t(crack)].joined)
    for (const FrontSegment& segment : cracks_[std::size_t(one)].segments)
      least = std::min(least, distance_to(segment, x));
  return least;
}

void TriangulatedCracks::take_crossing(const CrackTriangle& triangle, const Vector3& a, const Vector3& b,
                                       std::optional<double>& deepest) const {
  if (!crosses(triangle.corners, a, b)) return;
  const double depth = front_distance(triangle.crack, crossing_of(triangle.corners, a, b));
  if (!deepest || depth > *deepest) deepest = depth;
}

/// DEVIATION [PKAGDG05] §2.1: of several crossings the deepest counts, so that an additional crack never increases a
/// weight; the paper considers one.
std::optional<double> TriangulatedCracks::crossing_depth(const Vector3& a, const Vector3& b) const {
  std::optional<double> deepest;
  const numerics::Box box{a.cwiseMin(b), a.cwiseMax(b)};
  if (!sorted_boxes_.empty()) {
    thread_local std::vector<int> met;
    met.clear();
    sorted_.find_met(a, b, met);
    for (const int t : met) take_crossing(triangles_[std::size_t(t)], a, b, deepest);
  }
  for (std::size_t k = 0; k < later_boxes_.size(); ++k)
    if (numerics::overlap(later_boxes_[k], box)) take_crossing(triangles_[sorted_boxes_.size() + k], a, b, deepest);
  return deepest;
}

std::optional<double> TriangulatedCracks::crossing_depth_of_all(const Vector3& a, const Vector3& b) const {
  std::optional<double> deepest;
  for (const CrackTriangle& triangle : triangles_) take_crossing(triangle, a, b, deepest);
  return deepest;
}

CrackChanges TriangulatedCracks::take_changes() {
  return std::exchange(changes_, {});
}

}  // namespace deformbench::meshless
