// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/weights/front_scans.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "methods/meshless/weights/point_shape.hpp"
#include "methods/model/triangle_distance.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::meshless {
namespace {

constexpr int kDenseIntervals = 256;  // 0.5 % of a support each
constexpr int kBisected = 3;          // of these intervals, the steepest
constexpr int kAttempts = 2000;       // at lines that cross no crack

/// ω and Φ of one node at any point.
class NodeFunctions {
 public:
  NodeFunctions(const NodeCloud& cloud, const CrackWeights& weights) : cloud_(cloud), weights_(weights) {}

  double weight(int node, const Vector3& x) const {
    return weights_.graph().rule().weight(weights_.cracks(), cloud_.rest.row(node), cloud_.supports[std::size_t(node)],
                                          x);
  }
  double shape(int node, const Vector3& x) const {
    const std::vector<int> near = weights_.graph().nodes_around(x);
    const PointShape shape =
        shape_functions_at(cloud_, near, x, [&](int i, const Vector3& at) { return weight(i, at); });
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

/// Axes at a point of a crack: `along` the front, `ahead` away from the surface, `normal` of it.
struct Frame {
  Vector3 origin, along, ahead, normal;
};

Frame frame_at(const TriangulatedCracks& cracks, int crack, const Vector3& origin, std::optional<Vector3> along) {
  const CrackTriangle* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const CrackTriangle& triangle : cracks.triangles()) {
    if (triangle.crack != crack) continue;
    const auto& [a, b, c] = triangle.corners;
    const Vector3 weights = model::closest_on_triangle(origin, a, b, c).weights;
    const double distance = (weights[0] * a + weights[1] * b + weights[2] * c - origin).norm();
    if (distance >= least) continue;
    least = distance;
    nearest = &triangle;
  }
  const auto& [a, b, c] = nearest->corners;
  Frame frame;
  frame.origin = origin;
  frame.normal = (b - a).cross(c - a).normalized();
  frame.along = along ? along->normalized() : (b - a).normalized();
  frame.ahead = frame.along.cross(frame.normal);
  if (frame.ahead.dot(origin - (a + b + c) / 3.0) < 0.0) frame.ahead = -frame.ahead;
  return frame;
}

/// At a random point of a front, or of the surface in half of the cases and where there is no front.
Frame random_frame(const TriangulatedCracks& cracks, numerics::RandomStream& random) {
  const auto crack = int(random.below(std::uint64_t(cracks.crack_count())));
  const auto& segments = cracks.front_segments(crack);
  if (!segments.empty() && random.uniform() < 0.5) {
    const FrontSegment& segment = segments[random.below(segments.size())];
    const Vector3 along = segment.to - segment.from;
    return frame_at(cracks, crack, segment.from + random.uniform() * along, along);
  }
  std::vector<const CrackTriangle*> own;
  for (const CrackTriangle& triangle : cracks.triangles())
    if (triangle.crack == crack) own.push_back(&triangle);
  const auto& [a, b, c] = own[random.below(own.size())]->corners;
  double u = random.uniform(), v = random.uniform();
  if (u + v > 1.0) {
    u = 1.0 - u;
    v = 1.0 - v;
  }
  return frame_at(cracks, crack, a + u * (b - a) + v * (c - a), {});
}

struct Line {
  int node;
  Vector3 from, to;
};

/// On one side of the plane that touches the crack, at heights of 0.02 to 0.5 supports.
std::optional<Line> random_line(const NodeCloud& cloud, const CrackWeights& weights, const Frame& frame,
                                numerics::RandomStream& random) {
  const std::vector<int> near = weights.graph().nodes_around(frame.origin);
  if (near.empty()) return {};
  const int node = near[random.below(near.size())];
  const double h = cloud.supports[std::size_t(node)], turn = random.uniform(-1.0, 1.0);
  const double side = random.uniform() < 0.5 ? -1.0 : 1.0;
  const double low = side * random.uniform(0.02, 0.5), high = side * random.uniform(0.02, 0.5);
  // Nodes in a plane have fields in that plane alone.
  const bool is_flat = cloud.ranks[std::size_t(node)] < 3;
  const Vector3 way = (frame.ahead + (is_flat ? 0.0 : turn) * frame.along).normalized();
  const Line line{node, frame.origin + h * (low * frame.normal - 0.7 * way),
                  frame.origin + h * (high * frame.normal + 0.7 * way)};
  if (weights.cracks().crossing_depth(line.from, line.to)) return {};
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
  for (int attempt = 0; attempt < kAttempts && scans.size() < 2 * kScansOfBody; ++attempt) {
    const auto line = random_line(cloud, weights, random_frame(weights.cracks(), random), random);
    if (!line) continue;
    const double support = cloud.supports[std::size_t(line->node)];
    for (const ScannedFunction function : {ScannedFunction::Weight, ScannedFunction::ShapeFunction})
      scans.push_back(steepest(functions, function, *line, support));
  }
  return scans;
}

WeightSlice slice_of_front(const NodeCloud& cloud, const CrackWeights& weights) {
  WeightSlice slice;
  const TriangulatedCracks& cracks = weights.cracks();
  if (cracks.crack_count() == 0 || cracks.front_segments(0).empty()) return slice;
  const auto& segments = cracks.front_segments(0);
  const FrontSegment& middle = segments[segments.size() / 2];
  const Frame frame = frame_at(cracks, 0, 0.5 * (middle.from + middle.to), Vector3(middle.to - middle.from));
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < cloud.size(); ++i) {
    const double h = cloud.supports[std::size_t(i)];
    const Vector3 wanted = frame.origin - h * (0.1 * frame.ahead + 0.25 * frame.normal);
    const double distance = (Vector3(cloud.rest.row(i)) - wanted).norm();
    if (distance >= least) continue;
    least = distance;
    slice.node = int(i);
  }
  // The plane goes through the node, so that ω is 1 there.
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
