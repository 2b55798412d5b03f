// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/surface/surfel_probes.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "methods/model/triangle_distance.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::meshless {
namespace {

constexpr int kMotionIntervals = 128;   // per line
constexpr int kBisectedMotion = 3;      // the steepest of these
constexpr int kMotionAttempts = 20000;  // at lines within the body without crack crossings
constexpr double kAmongNodes = 0.45;    // in supports; upper bound for a lattice of half a support

/// Frame at a point of a front: `along` it, `back` into the crack, crack `normal`.
struct FrontFrame {
  Vector3 origin, along, back, normal;
};

FrontFrame random_front_frame(const TriangulatedCracks& cracks, numerics::RandomStream& random) {
  std::vector<std::pair<int, const FrontSegment*>> segments;
  for (int crack = 0; crack < cracks.crack_count(); ++crack)
    for (const FrontSegment& segment : cracks.front_segments(crack)) segments.emplace_back(crack, &segment);
  const auto [crack, segment] = segments[random.below(segments.size())];
  FrontFrame frame;
  frame.origin = segment->from + random.uniform() * (segment->to - segment->from);
  frame.along = (segment->to - segment->from).normalized();
  double least = std::numeric_limits<double>::infinity();
  for (const CrackTriangle& triangle : cracks.triangles()) {
    if (triangle.crack != crack) continue;
    const auto& [a, b, c] = triangle.corners;
    const Vector3 weights = model::closest_on_triangle(frame.origin, a, b, c).weights;
    const double distance = (weights[0] * a + weights[1] * b + weights[2] * c - frame.origin).norm();
    if (distance >= least) continue;
    least = distance;
    frame.normal = (b - a).cross(c - a).normalized();
    frame.back = frame.normal.cross(frame.along);
    if (frame.back.dot((a + b + c) / 3.0 - frame.origin) < 0.0) frame.back = -frame.back;
  }
  return frame;
}

bool has_any_front(const TriangulatedCracks& cracks) {
  for (int crack = 0; crack < cracks.crack_count(); ++crack)
    if (!cracks.front_segments(crack).empty()) return true;
  return false;
}

struct Nearest {
  double distance, support;  // m
};

Nearest nearest_node(const NodeCloud& cloud, const Vector3& x) {
  Eigen::Index nearest = 0;
  const double squared = (cloud.rest.rowwise() - x.transpose()).rowwise().squaredNorm().minCoeff(&nearest);
  return {std::sqrt(squared), cloud.supports[std::size_t(nearest)]};
}

/// Fronts may extend beyond the body, where no node is near.
bool is_among_nodes(const NodeCloud& cloud, const Vector3& x) {
  const Nearest nearest = nearest_node(cloud, x);
  return nearest.distance < kAmongNodes * nearest.support;
}

template <class Displacement>
MotionScan steepest_motion(const Displacement& displacement, const Vector3& from, const Vector3& to, double support) {
  const auto at = [&](double share) -> Vector3 { return displacement(from + share * (to - from)); };
  std::vector<Vector3> dense;
  for (int k = 0; k <= kMotionIntervals; ++k) dense.push_back(at(double(k) / kMotionIntervals));
  std::vector<std::size_t> order(kMotionIntervals);
  std::iota(order.begin(), order.end(), std::size_t(0));
  const auto rise = [&](std::size_t k) { return (dense[k + 1] - dense[k]).norm(); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rise(a) > rise(b); });
  MotionScan best{};
  double largest = -1.0;
  for (int n = 0; n < kBisectedMotion; ++n) {
    const std::size_t k = order[std::size_t(n)];
    MotionScan scan{from,     to,          support, double(k) / kMotionIntervals, double(k + 1) / kMotionIntervals,
                    dense[k], dense[k + 1]};
    while ((scan.right_share - scan.left_share) * (to - from).norm() > kMotionScanWidth * support) {
      const double middle = 0.5 * (scan.left_share + scan.right_share);
      const Vector3 u = at(middle);
      const bool is_left = (u - scan.left_u).norm() > (scan.right_u - u).norm();
      (is_left ? scan.right_share : scan.left_share) = middle;
      (is_left ? scan.right_u : scan.left_u) = u;
    }
    if (const double jump = (scan.right_u - scan.left_u).norm(); jump > largest) {
      largest = jump;
      best = scan;
    }
  }
  return best;
}

}  // namespace

std::vector<ProjectedEnd> project_ends(const SurfelSurface& surface) {
  std::vector<ProjectedEnd> ends;
  if (surface.empty()) return ends;
  numerics::RandomStream random(2);
  const std::span<const Surfel> surfels = surface.motion().surfels();
  for (int k = 0; k < kProjectedPoints; ++k) {
    const std::size_t surfel = random.below(surfels.size());
    const int sheet = surface.sheets_of_surfels()[surfel];
    const double off = kProjectedReach * surface.radius() * random.uniform();
    const Vector3 from = surfels[surfel].position + off * random.direction();
    ends.push_back({sheet, from, surface.project_end(sheet, from)});
  }
  return ends;
}

std::vector<MotionScan> scan_motion(const SurfelSurface& surface, const NodeCloud& cloud,
                                    const TriangulatedCracks& cracks, const NodeMotion& motion) {
  std::vector<MotionScan> scans;
  if (!has_any_front(cracks)) return scans;
  numerics::RandomStream random(3);
  const auto displacement = [&](const Vector3& x) {
    return surface.motion().displacement_at(x, Vector3::Zero(), &cracks, motion.u, motion.gradients);
  };
  for (int attempt = 0; attempt < kMotionAttempts && int(scans.size()) < kMotionLines; ++attempt) {
    const FrontFrame frame = random_front_frame(cracks, random);
    if (!is_among_nodes(cloud, frame.origin)) continue;
    const double h = nearest_node(cloud, frame.origin).support, side = random.uniform() < 0.5 ? -1.0 : 1.0;
    const double low = side * random.uniform(0.02, 0.5), high = side * random.uniform(0.02, 0.5);
    const Vector3 way = (frame.back + random.uniform(-1.0, 1.0) * frame.along).normalized();
    const Vector3 from = frame.origin + h * (low * frame.normal + 0.7 * way),
                  to = frame.origin + h * (high * frame.normal - 0.7 * way);
    if (!is_among_nodes(cloud, from) || !is_among_nodes(cloud, to) || cracks.crossing_depth(from, to)) continue;
    scans.push_back(steepest_motion(displacement, from, to, h));
  }
  return scans;
}

std::vector<FrontGap> gaps_behind_fronts(const SurfelSurface& surface, const NodeCloud& cloud,
                                         const TriangulatedCracks& cracks, const NodeMotion& motion) {
  std::vector<FrontGap> gaps;
  if (!has_any_front(cracks)) return gaps;
  numerics::RandomStream random(4);
  int places = 0;
  for (int attempt = 0; attempt < kMotionAttempts && places < kGapsOfBody; ++attempt) {
    const FrontFrame frame = random_front_frame(cracks, random);
    const double h = nearest_node(cloud, frame.origin).support;
    if (!is_among_nodes(cloud, frame.origin) || !is_among_nodes(cloud, frame.origin + h * frame.back)) continue;
    ++places;
    for (const double depth : {1e-6 * h, 0.25 * h, 0.5 * h, h}) {
      const Vector3 x = frame.origin + depth * frame.back;
      const auto side = [&](double sign) -> Vector3 {
        return surface.motion().displacement_at(x, sign * 1e-9 * h * frame.normal, &cracks, motion.u, motion.gradients);
      };
      gaps.push_back({frame.origin, depth, h, side(1.0), side(-1.0)});
    }
  }
  return gaps;
}

}  // namespace deformbench::meshless
