// SPDX-License-Identifier: BSD-3-Clause
#include "methods/collision/moving_pair.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace deformbench::collision {
namespace {

using Corners = std::array<Vector3, 4>;

Vector3 unit(const Vector3& v) {
  const double size = v.norm();
  return size > 0.0 && std::isfinite(size) ? Vector3(v / size) : Vector3(Vector3::Zero());
}

/// Unit normal of a face or of two edges, on the side of `difference`.
Vector3 along_normal(const Vector3& difference, const Vector3& normal) {
  const double side = difference.dot(normal);
  return side > 0.0 ? unit(normal) : side < 0.0 ? unit(-normal) : Vector3(Vector3::Zero());
}

/// Unit vector along `difference`, orthogonal to an edge.
Vector3 across_edge(const Vector3& difference, const Vector3& edge) {
  const double squared = edge.squaredNorm();
  if (!(squared > 0.0)) return unit(difference);
  Vector3 direction = unit(difference);
  for (int k = 0; k < 2; ++k) direction = unit(direction - direction.dot(edge) / squared * edge);
  return direction;
}

/// Direction of `difference` from a point of an edge at `s`, 0 … 1; orthogonal to the edge in its interior.
Vector3 from_segment(const Vector3& difference, const Vector3& edge, double s) {
  return s > 0.0 && s < 1.0 ? across_edge(difference, edge) : unit(difference);
}

/// The closest points found so far. Directions cost more than distances: only the final one is computed.
class Nearest {
 public:
  bool improves(const Vector3& difference) {
    const double squared = difference.squaredNorm();
    if (!(squared < least_)) return false;
    least_ = squared;
    best_.difference = difference;
    return true;
  }
  void inside(const std::array<double, 4>& weights, const Vector3& along, const Vector3& normal) {
    best_.weights = weights;
    is_inside_ = true;
    along_ = along;
    edge_ = normal;
  }
  /// From a point of `edge` at `s`, 0 … 1.
  void on_segment(const std::array<double, 4>& weights, const Vector3& edge, double s) {
    best_.weights = weights;
    is_inside_ = false;
    edge_ = edge;
    s_ = s;
  }
  Closest result() {
    best_.direction = is_inside_ ? along_normal(along_, edge_) : from_segment(best_.difference, edge_, s_);
    return best_;
  }

 private:
  Closest best_{Vector3::Zero(), {}, Vector3::Zero()};
  double least_ = std::numeric_limits<double>::infinity(), s_ = 0.0;
  bool is_inside_ = false;
  Vector3 along_ = Vector3::Zero(), edge_ = Vector3::Zero();
};

/// Parameter 0 … 1 of the point of the segment from b to c nearest to `point`.
double nearest_on_segment(const Vector3& point, const Vector3& b, const Vector3& c) {
  const Vector3 along = c - b;
  const double squared = along.squaredNorm();
  return squared > 0.0 ? std::clamp(along.dot(point - b) / squared, 0.0, 1.0) : 0.0;
}

Closest closest_to_triangle(const Corners& x) {
  Nearest nearest;
  const Vector3 e1 = x[2] - x[1], e2 = x[3] - x[1], d = x[0] - x[1];
  const Vector3 normal = e1.cross(e2);
  const double squared = normal.squaredNorm();
  if (squared > 0.0) {
    const double v = d.cross(e2).dot(normal) / squared, w = e1.cross(d).dot(normal) / squared;
    if (v >= 0.0 && w >= 0.0 && v + w <= 1.0 && nearest.improves(d - v * e1 - w * e2))
      nearest.inside({1.0, v + w - 1.0, -v, -w}, d, normal);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t b = 1 + k, c = 1 + (k + 1) % 3;
    const double s = nearest_on_segment(x[0], x[b], x[c]);
    const Vector3 edge = x[c] - x[b];
    if (!nearest.improves((x[0] - x[b]) - s * edge)) continue;
    std::array<double, 4> weights{1.0, 0.0, 0.0, 0.0};
    weights[b] = s - 1.0;
    weights[c] = -s;
    nearest.on_segment(weights, edge, s);
  }
  return nearest.result();
}

Closest closest_of_edges(const Corners& x) {
  Nearest nearest;
  const Vector3 u = x[1] - x[0], w = x[3] - x[2], r = x[0] - x[2];
  const Vector3 normal = u.cross(w);
  const double squared = normal.squaredNorm();
  if (squared > 0.0) {
    const double s = w.cross(r).dot(normal) / squared, t = u.cross(r).dot(normal) / squared;
    if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0 && nearest.improves(r + s * u - t * w))
      nearest.inside({1.0 - s, s, t - 1.0, -t}, r, normal);
  }
  // If the edges are parallel, or a closest point is an end: test all ends.
  for (std::size_t k = 0; k < 2; ++k) {
    const double t = nearest_on_segment(x[k], x[2], x[3]);
    std::array<double, 4> weights{0.0, 0.0, t - 1.0, -t};
    weights[k] = 1.0;
    if (nearest.improves((x[k] - x[2]) - t * w)) nearest.on_segment(weights, w, t);
    const double s = nearest_on_segment(x[2 + k], x[0], x[1]);
    weights = {1.0 - s, s, 0.0, 0.0};
    weights[2 + k] = -1.0;
    if (nearest.improves((x[0] - x[2 + k]) + s * u)) nearest.on_segment(weights, u, s);
  }
  return nearest.result();
}

/// A pair as differences between vertices of the first and the second primitive, as needed for separating planes.
class Differences {
 public:
  explicit Differences(const MovingPair& pair) {
    const std::size_t first = pair.kind == PairKind::PointTriangle ? 1 : 2;
    double largest = 0.0;
    for (std::size_t i = 0; i < first; ++i)
      for (std::size_t j = first; j < 4; ++j) {
        start_[count_] = pair.start[i] - pair.start[j];
        end_[count_] = pair.end[i] - pair.end[j];
        largest = std::max({largest, start_[count_].cwiseAbs().maxCoeff(), end_[count_].cwiseAbs().maxCoeff()});
        ++count_;
      }
    // Error bound in units u = 2⁻⁵³ of the largest difference: 1 for a difference, 4 between the ends of the step,
    // 3·4 + 12 = 24 for the three products with a normal of components ≤ 1. The margin is 32 u.
    margin_ = 0x1p-48 * largest + 1e-290;
    // Error bound of a determinant of three differences, and of the mean of three: 66 u of the cube of the largest. The
    // margin is 256 u.
    determinant_margin_ = 0x1p-45 * largest * largest * largest + 1e-290;
  }

  /// Whether the four vertices are in no plane together from start to end: the determinant of three differences is
  /// cubic in time, and has no root if its Bernstein coefficients have one sign.
  bool are_never_coplanar() const {
    const Vector3 first = start_[1].cross(start_[2]), last = end_[1].cross(end_[2]);
    const Vector3 mixed = start_[1].cross(end_[2]) + end_[1].cross(start_[2]);
    const double b0 = start_[0].dot(first), b3 = end_[0].dot(last);
    const double b1 = end_[0].dot(first) + start_[0].dot(mixed), b2 = end_[0].dot(mixed) + start_[0].dot(last);
    const double low = std::min({b0, b3, b1 / 3.0, b2 / 3.0}), high = std::max({b0, b3, b1 / 3.0, b2 / 3.0});
    return low > determinant_margin_ || high < -determinant_margin_;
  }

  /// Whether a plane across the mean difference separates the pair from start to end.
  bool are_apart_along_their_mean() const {
    Vector3 n = Vector3::Zero();
    for (std::size_t k = 0; k < count_; ++k) n += start_[k] + end_[k];
    const double size = n.cwiseAbs().maxCoeff();
    if (!(size > 0.0)) return false;
    n /= size;
    for (std::size_t k = 0; k < count_; ++k)
      if (!(n.dot(start_[k]) > margin_ && n.dot(end_[k]) > margin_)) return false;
    return true;
  }

  /// Whether a plane whose normal moves linearly from n0 to n1 separates the pair from time t0 to t1. The product of
  /// two linear functions is quadratic, and positive if its three Bernstein coefficients are.
  bool are_kept_apart(double t0, double t1, const Vector3& n0, const Vector3& n1) const {
    for (std::size_t k = 0; k < count_; ++k) {
      const Vector3 a = (1.0 - t0) * start_[k] + t0 * end_[k], b = (1.0 - t1) * start_[k] + t1 * end_[k];
      if (!(n0.dot(a) > margin_ && n1.dot(b) > margin_ && 0.5 * (n0.dot(b) + n1.dot(a)) > margin_)) return false;
    }
    return true;
  }

  bool are_apart_along_an_axis() const {
    for (int c = 0; c < 3; ++c) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t k = 0; k < count_; ++k) {
        low = std::min({low, start_[k][c], end_[k][c]});
        high = std::max({high, start_[k][c], end_[k][c]});
      }
      if (low > margin_ || high < -margin_) return true;
    }
    return false;
  }

 private:
  std::array<Vector3, 4> start_, end_;
  std::size_t count_ = 0;
  double margin_ = 0.0, determinant_margin_ = 0.0;
};

/// A time and its closest points.
struct Moment {
  double time;
  Closest closest;
};

class Search {
 public:
  explicit Search(const MovingPair& pair) : pair_(pair), differences_(pair) {}

  std::optional<FirstContact> run() {
    // These cost less than closest points.
    if (differences_.are_apart_along_an_axis() || differences_.are_apart_along_their_mean() ||
        differences_.are_never_coplanar())
      return std::nullopt;
    for (std::size_t k = 0; k < 4; ++k) {
      start_[k] = pair_.start[k] - pair_.start[0];
      end_[k] = pair_.end[k] - pair_.end[0];
      size_ = std::max({size_, start_[k].norm(), end_[k].norm()});
    }
    const Moment first = at(0.0);
    // For most pairs one fixed plane suffices, at half the work.
    if (differences_.are_kept_apart(0.0, 1.0, first.closest.direction, first.closest.direction)) return std::nullopt;
    const Moment last = at(1.0);
    trusted_ = first.closest.direction;
    return look(first, last, 0);
  }

 private:
  Moment at(double time) const {
    Corners x;
    for (std::size_t k = 0; k < 4; ++k) x[k] = (1.0 - time) * start_[k] + time * end_[k];
    return {time, closest_points(pair_.kind, x)};
  }

  std::optional<FirstContact> look(const Moment& from, const Moment& to, int depth) {
    // The direction between closest points is a reliable normal if their distance is far above rounding.
    if (from.closest.difference.norm() > 1e-12 * size_) trusted_ = from.closest.direction;
    const Vector3 &n0 = from.closest.direction, &n1 = to.closest.direction;
    if (differences_.are_kept_apart(from.time, to.time, n0, n1) ||
        differences_.are_kept_apart(from.time, to.time, n0, n0) ||
        differences_.are_kept_apart(from.time, to.time, n1, n1))
      return std::nullopt;
    if (depth == kDeepest || ++intervals_ > kMostIntervals) return contact(from);
    const Moment middle = at(0.5 * (from.time + to.time));
    if (auto found = look(from, middle, depth + 1)) return found;
    return look(middle, to, depth + 1);
  }

  FirstContact contact(const Moment& moment) const {
    FirstContact found{moment.time, trusted_, moment.closest.weights};
    // Inside both primitives, the normal of the triangle, or of both edges, on the side the pair came from.
    bool is_inside = true;
    for (const double weight : found.weights) is_inside &= std::abs(weight) > 1e-9;
    if (!is_inside && trusted_ != Vector3::Zero()) return found;
    Corners x;
    for (std::size_t k = 0; k < 4; ++k) x[k] = (1.0 - moment.time) * start_[k] + moment.time * end_[k];
    const bool is_point = pair_.kind == PairKind::PointTriangle;
    const Vector3 u = is_point ? x[2] - x[1] : x[1] - x[0], w = is_point ? x[3] - x[1] : x[3] - x[2];
    const Vector3 normal = u.cross(w);
    if (normal.norm() > 1e-8 * u.norm() * w.norm())
      found.normal = normal.normalized() * (normal.dot(trusted_) < 0.0 ? -1.0 : 1.0);
    if (found.normal == Vector3::Zero()) found.normal = Vector3::UnitX();
    return found;
  }

  static constexpr int kDeepest = 40;
  const MovingPair& pair_;
  const Differences differences_;
  Corners start_, end_;  ///< relative to the first vertex, for accuracy far from the origin
  double size_ = 0.0;
  Vector3 trusted_ = Vector3::Zero();
  int intervals_ = 0;
};

}  // namespace

Closest closest_points(PairKind kind, const std::array<Vector3, 4>& positions) {
  return kind == PairKind::PointTriangle ? closest_to_triangle(positions) : closest_of_edges(positions);
}

std::optional<FirstContact> first_contact(const MovingPair& pair) {
  return Search(pair).run();
}

}  // namespace deformbench::collision
