// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/weights/front_scans.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "methods/meshless/weights/point_shape.hpp"
#include "methods/model/triangle_distance.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::meshless {
namespace {

constexpr int kDenseIntervals = 128;    // 1 % of a support each
constexpr int kCoveredPoints = 33;      // per line, at which M is tested
constexpr int kBisected = 3;            // the steepest of these intervals
constexpr int kAttempts = 1000;         // at lines inside the body without crack crossings
constexpr double kMostCondition = 1e5;  // of M, along the whole line

/// ω and Φ of one node at any point.
class NodeFunctions {
 public:
  NodeFunctions(const NodeCloud& cloud, const CrackWeights& weights) : cloud_(cloud), weights_(weights) {}

  double weight(int node, const Vector3& x) const {
    return weights_.graph().rule().weight(weights_.cracks(), cloud_.rest.row(node), cloud_.supports[std::size_t(node)],
                                          x);
  }
  PointShape shapes(const Vector3& x) const {
    return shape_functions_at(cloud_, weights_.graph().nodes_around(x), x,
                              [&](int i, const Vector3& at) { return weight(i, at); });
  }
  double shape(int node, const Vector3& x) const {
    const PointShape shape = shapes(x);
    const auto found = std::find(shape.nodes.begin(), shape.nodes.end(), node);
    return found == shape.nodes.end() ? 0.0 : shape.values[std::size_t(found - shape.nodes.begin())];
  }
  double value(ScannedFunction function, int node, const Vector3& x) const {
    return function == ScannedFunction::Weight ? weight(node, x) : shape(node, x);
  }

 private:
  const NodeCloud& cloud_;
  const CrackWeights& weights_;
};

/// Frame at a crack point: `along` the front, `ahead` of the surface, and its `normal`.
struct Frame {
  Vector3 origin, along, ahead, normal;
};

struct OnCrack {
  const CrackTriangle* triangle = nullptr;
  Vector3 point;
  double distance = std::numeric_limits<double>::infinity();
};
OnCrack nearest_on_cracks(const TriangulatedCracks& cracks, const Vector3& x) {
  OnCrack nearest;
  for (const CrackTriangle& triangle : cracks.triangles()) {
    const auto& [a, b, c] = triangle.corners;
    const Vector3 weights = model::closest_on_triangle(x, a, b, c).weights;
    const Vector3 point = weights[0] * a + weights[1] * b + weights[2] * c;
    if (const double distance = (point - x).norm(); distance < nearest.distance) nearest = {&triangle, point, distance};
  }
  return nearest;
}

/// By default `along` is the first edge of the triangle.
Frame frame_at(const OnCrack& place, std::optional<Vector3> along) {
  const auto& [a, b, c] = place.triangle->corners;
  Frame frame;
  frame.origin = place.point;
  frame.normal = (b - a).cross(c - a).normalized();
  frame.along = along ? along->normalized() : (b - a).normalized();
  frame.ahead = frame.along.cross(frame.normal).normalized();
  if (frame.ahead.dot(place.point - (a + b + c) / 3.0) < 0.0) frame.ahead = -frame.ahead;
  return frame;
}

/// At a random front point, if `at_front`; otherwise at the crack point nearest to a random node.
Frame random_frame(const NodeCloud& cloud, const TriangulatedCracks& cracks, bool at_front,
                   numerics::RandomStream& random) {
  const auto crack = int(random.below(std::uint64_t(cracks.crack_count())));
  const auto& segments = cracks.front_segments(crack);
  if (at_front && !segments.empty()) {
    const FrontSegment& segment = segments[random.below(segments.size())];
    const Vector3 along = segment.to - segment.from;
    return frame_at(nearest_on_cracks(cracks, segment.from + random.uniform() * along), along);
  }
  const auto node = Eigen::Index(random.below(std::uint64_t(cloud.size())));
  return frame_at(nearest_on_cracks(cracks, cloud.rest.row(node)), {});
}

struct Line {
  int node;
  Vector3 from, to;
};

/// Whether shape functions exist along the whole line: the nodes span the same space, and M is well-conditioned.
bool is_covered(const NodeFunctions& functions, const Line& line, int rank) {
  for (int k = 0; k < kCoveredPoints; ++k) {
    const PointShape shape = functions.shapes(line.from + double(k) / (kCoveredPoints - 1) * (line.to - line.from));
    if (shape.rank < rank || shape.condition > kMostCondition) return false;
  }
  return true;
}

/// A line at a height of 0.02 to 0.4 supports above the crack's tangent plane, for a node within 0.7 supports. At
/// fronts the node is on the other side, so that the visibility line passes the front; at surfaces on the same side, so
/// that a curved one may hide it.
std::optional<Line> random_line(const NodeCloud& cloud, const CrackWeights& weights, bool at_front,
                                numerics::RandomStream& random) {
  const Frame frame = random_frame(cloud, weights.cracks(), at_front, random);
  std::vector<int> near = weights.graph().nodes_around(frame.origin);
  std::erase_if(near, [&](int i) {
    return (Vector3(cloud.rest.row(i)) - frame.origin).norm() > 0.7 * cloud.supports[std::size_t(i)];
  });
  if (near.empty()) return {};
  const int node = near[random.below(near.size())];
  const double h = cloud.supports[std::size_t(node)], turn = random.uniform(-1.0, 1.0);
  const Vector3 own = cloud.rest.row(node);
  const double side = (frame.normal.dot(own - frame.origin) > 0.0) == at_front ? -1.0 : 1.0;
  const double low = side * random.uniform(0.02, 0.4), high = side * random.uniform(0.02, 0.4);
  // If nodes are coplanar, the line lies in their plane.
  const Matrix3& plane = cloud.projections[std::size_t(node)];
  const Vector3 middle = own + plane * (frame.origin - own);
  const Vector3 way = (plane * (frame.ahead + turn * frame.along)).normalized();
  const Line line{node, middle + h * (low * frame.normal - 0.5 * way), middle + h * (high * frame.normal + 0.5 * way)};
  if (!line.from.allFinite() || weights.cracks().crossing_depth(line.from, line.to)) return {};
  const double rounding = kScanWidth * h;
  const Vector3 lowest = cloud.rest.colwise().minCoeff(), highest = cloud.rest.colwise().maxCoeff();
  for (const Vector3& end : {line.from, line.to})
    if ((end.array() < lowest.array() - rounding).any() || (end.array() > highest.array() + rounding).any()) return {};
  return line;
}

FrontScan steepest(const NodeFunctions& functions, ScannedFunction function, const Line& line, double support) {
  const double length = (line.to - line.from).norm();
  const auto value = [&](double share) {
    return functions.value(function, line.node, line.from + share * (line.to - line.from));
  };
  std::vector<double> dense(kDenseIntervals + 1);
  for (int k = 0; k <= kDenseIntervals; ++k) dense[std::size_t(k)] = value(double(k) / kDenseIntervals);
  std::vector<std::size_t> order(kDenseIntervals);
  std::iota(order.begin(), order.end(), std::size_t(0));
  const auto rise = [&](std::size_t k) { return std::abs(dense[k + 1] - dense[k]); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rise(a) > rise(b); });
  FrontScan best{};
  double largest = -1.0;
  for (int n = 0; n < kBisected; ++n) {
    const std::size_t k = order[std::size_t(n)];
    FrontScan scan{
        line.node, function,    line.from, line.to, double(k) / kDenseIntervals, double(k + 1) / kDenseIntervals,
        dense[k],  dense[k + 1]};
    while ((scan.right_share - scan.left_share) * length > kScanWidth * support) {
      const double middle = 0.5 * (scan.left_share + scan.right_share), at_middle = value(middle);
      const bool is_left = std::abs(at_middle - scan.left_value) > std::abs(scan.right_value - at_middle);
      (is_left ? scan.right_share : scan.left_share) = middle;
      (is_left ? scan.right_value : scan.left_value) = at_middle;
    }
    if (const double jump = std::abs(scan.right_value - scan.left_value); jump > largest) {
      largest = jump;
      best = scan;
    }
  }
  return best;
}

}  // namespace

std::vector<FrontScan> scan_fronts(const NodeCloud& cloud, const CrackWeights& weights) {
  std::vector<FrontScan> scans;
  if (weights.cracks().crack_count() == 0) return scans;
  numerics::RandomStream random(1);
  const NodeFunctions functions(cloud, weights);
  for (const bool at_front : {true, false}) {
    int lines = 0;
    for (int attempt = 0; attempt < kAttempts && lines < kScansOfBody / 2; ++attempt) {
      const auto line = random_line(cloud, weights, at_front, random);
      if (!line || !is_covered(functions, *line, cloud.ranks[std::size_t(line->node)] + 1)) continue;
      ++lines;
      const double support = cloud.supports[std::size_t(line->node)];
      for (const ScannedFunction function : {ScannedFunction::Weight, ScannedFunction::ShapeFunction})
        scans.push_back(steepest(functions, function, *line, support));
    }
  }
  return scans;
}

WeightSlice slice_of_front(const NodeCloud& cloud, const CrackWeights& weights) {
  WeightSlice slice;
  const TriangulatedCracks& cracks = weights.cracks();
  if (cracks.crack_count() == 0 || cracks.front_segments(0).empty()) return slice;
  const auto& segments = cracks.front_segments(0);
  const FrontSegment& middle = segments[segments.size() / 2];
  const Frame frame =
      frame_at(nearest_on_cracks(cracks, 0.5 * (middle.from + middle.to)), Vector3(middle.to - middle.from));
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < cloud.size(); ++i) {
    const double h = cloud.supports[std::size_t(i)];
    const Vector3 wanted = frame.origin - h * (0.1 * frame.ahead + 0.25 * frame.normal);
    const double distance = (Vector3(cloud.rest.row(i)) - wanted).norm();
    if (distance >= least) continue;
    least = distance;
    slice.node = int(i);
  }
  // The plane contains the node, so that ω is 1 there.
  const double h = cloud.supports[std::size_t(slice.node)];
  const Vector3 node = cloud.rest.row(slice.node);
  const Vector3 centre = frame.origin + frame.along * frame.along.dot(node - frame.origin);
  const NodeFunctions functions(cloud, weights);
  slice.points.resize(kSliceSide * kSliceSide, 3);
  for (int row = 0; row < kSliceSide; ++row)
    for (int column = 0; column < kSliceSide; ++column) {
      const double u = 2.4 * (double(column) / (kSliceSide - 1) - 0.5),
                   v = 2.4 * (double(row) / (kSliceSide - 1) - 0.5);
      const Vector3 x = centre + h * (u * frame.ahead + v * frame.normal);
      slice.points.row(row * kSliceSide + column) = x;
      slice.weight.push_back(functions.weight(slice.node, x));
      slice.shape.push_back(functions.shape(slice.node, x));
    }
  return slice;
}

}  // namespace deformbench::meshless
