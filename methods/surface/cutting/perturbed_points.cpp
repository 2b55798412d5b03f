// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/cutting/perturbed_points.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>

#include "methods/model/split_mix.hpp"

namespace deformbench::surface {
namespace {

namespace mp = boost::multiprecision;
// Arbitrary length; up to 1024 bits (determinants of ordinary coordinates need 600) without heap allocation.
using Integer =
    mp::number<mp::cpp_int_backend<1024, 0, mp::signed_magnitude, mp::unchecked, std::allocator<mp::limb_type>>,
               mp::et_off>;
using Rational = mp::number<mp::rational_adaptor<Integer::backend_type>, mp::et_off>;
using Exact3 = std::array<Integer, 3>;
using Homogeneous = std::array<Integer, 4>;  // the last is positive

constexpr int kOutwardQuantum = 110;  // 2⁻⁸⁰ of the extent, in units of 2⁻³⁰ of that
constexpr int kRandomQuantum = 162;   // 2⁻¹⁰⁰ of the extent, in units of 2⁻⁶² of that

// value = mantissa · 2^exponent, mantissa odd or 0.
struct Dyadic {
  std::int64_t mantissa = 0;
  int exponent = 0;
};
Dyadic dyadic(double value) {
  if (value == 0.0) return {};
  int exponent = 0;
  auto mantissa = std::int64_t(std::ldexp(std::frexp(value, &exponent), 53));
  const int zeros = std::countr_zero(std::uint64_t(mantissa));
  return {mantissa >> zeros, exponent - 53 + zeros};
}

int sign_of(const Integer& value) {
  return value.sign();
}

Integer determinant3(const Exact3& u, const Exact3& v, const Exact3& w) {
  return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

Exact3 minus(const Exact3& a, const Exact3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

}  // namespace

// Perturbed points as integers, in units of 2^−bits of the scaled unit.
struct PerturbedPoints::Exact {
  const std::vector<double>& scaled;
  std::size_t surface_count;
  int bits = kRandomQuantum;
  std::vector<std::array<std::int64_t, 3>> outward{}, random{};  // perturbation of the tetrahedral mesh

  mutable std::vector<std::unique_ptr<const Exact3>> known{};  // cache of points

  const Exact3& point(PointId p) const {
    const std::size_t row = p >= 0 ? std::size_t(p) : surface_count + std::size_t(~p);
    if (known.empty()) known.resize(scaled.size() / 3);
    if (known[row]) return *known[row];
    Exact3 x;
    for (std::size_t k = 0; k < 3; ++k) {
      const Dyadic d = dyadic(scaled[3 * row + k]);
      x[k] = Integer(d.mantissa) << unsigned(d.mantissa == 0 ? 0 : d.exponent + bits);
      if (p < 0) {
        const auto v = std::size_t(~p);
        x[k] += Integer(outward[v][k]) << unsigned(bits - kOutwardQuantum);
        x[k] += Integer(random[v][k]) << unsigned(bits - kRandomQuantum);
      }
    }
    known[row] = std::make_unique<const Exact3>(std::move(x));
    return *known[row];
  }
  Integer determinant(PointId a, PointId b, PointId c, PointId d) const {
    const Exact3& origin = point(a);
    return determinant3(minus(point(b), origin), minus(point(c), origin), minus(point(d), origin));
  }
  // Distances of p and q from a plane that separates them, up to a common factor.
  std::array<Integer, 2> distances(PointId p, PointId q, const PlaneIds& plane) const {
    return {abs(determinant(plane[0], plane[1], plane[2], p)), abs(determinant(plane[0], plane[1], plane[2], q))};
  }
  Homogeneous point(const Site& site) const {
    const Exact3& p = point(site.first);
    if (site.kind == Site::Kind::Vertex) return {p[0], p[1], p[2], 1};
    const Exact3& q = point(site.second);
    std::array<Integer, 2> weight{1, 1};
    if (site.kind == Site::Kind::Crossing) weight = distances(site.first, site.second, site.plane);
    Homogeneous result;
    for (std::size_t k = 0; k < 3; ++k) result[k] = p[k] * weight[1] + q[k] * weight[0];
    result[3] = weight[0] + weight[1];
    return result;
  }
};

PerturbedPoints::~PerturbedPoints() = default;

PerturbedPoints::PerturbedPoints(const Points& surface, const model::TetMesh& tets, const Points& outward)
    : surface_count_(std::size_t(surface.rows())), exact_(new Exact{scaled_, surface_count_}) {
  Vector3 low = tets.rest_positions.colwise().minCoeff().transpose();
  Vector3 high = tets.rest_positions.colwise().maxCoeff().transpose();
  if (surface.rows() > 0) {
    low = low.cwiseMin(surface.colwise().minCoeff().transpose());
    high = high.cwiseMax(surface.colwise().maxCoeff().transpose());
  }
  int exponent = 0;
  std::frexp((high - low).maxCoeff(), &exponent);
  scale_ = std::ldexp(1.0, exponent);
  scaled_.reserve(std::size_t(surface.size() + tets.rest_positions.size()));
  for (const Points* points : {&surface, &tets.rest_positions}) {
    for (Eigen::Index i = 0; i < points->size(); ++i) {
      const double value = std::ldexp(points->data()[i], -exponent);
      scaled_.push_back(value);
      exact_->bits = std::max(exact_->bits, -dyadic(value).exponent);
    }
  }
  // Coordinates far from the origin have less precision than 2⁻⁴⁰ of the extent.
  for (const double value : scaled_) placed_ = std::max(placed_, 0x1p-50 * std::abs(value));
  const auto vertex_count = std::size_t(tets.vertex_count());
  exact_->outward.resize(vertex_count);
  exact_->random.resize(vertex_count);
  for (std::size_t v = 0; v < vertex_count; ++v) {
    for (std::size_t k = 0; k < 3; ++k) {
      exact_->outward[v][k] = std::llround(std::ldexp(outward(Eigen::Index(v), Eigen::Index(k)), 30));
      std::uint64_t state = 3 * v + k;
      exact_->random[v][k] = std::int64_t(model::split_mix(state) >> 1) - (std::int64_t{1} << 62);
    }
  }
}

int PerturbedPoints::exact_side(PointId a, PointId b, PointId c, PointId d) const {
  ++exact_count_;
  return sign_of(exact_->determinant(a, b, c, d));
}

Site PerturbedPoints::crossing(PointId p, PointId q, const PlaneIds& plane) const {
  const Determinant dp = determinant(plane[0], plane[1], plane[2], p);
  const Determinant dq = determinant(plane[0], plane[1], plane[2], q);
  const Vector3 from = Eigen::Map<const Vector3>(coordinates(p));
  const Vector3 to = Eigen::Map<const Vector3>(coordinates(q));
  const double whole = std::abs(dp.value) + std::abs(dq.value);
  double share = 0.5;
  if (std::abs(dp.value) > dp.bound && std::abs(dq.value) > dq.bound &&
      (dp.bound + dq.bound) * (to - from).norm() < 0.25 * placed_ * whole) {
    share = std::abs(dp.value) / whole;
  } else {
    ++exact_count_;
    const auto exact = exact_->distances(p, q, plane);
    const Integer share_64 = (exact[0] << 64) / (exact[0] + exact[1]);
    share = std::ldexp(share_64.convert_to<double>(), -64);
  }
  const Vector3 position =
      share <= 0.5 ? Vector3(from + share * (to - from)) : Vector3(to - (1.0 - share) * (to - from));
  return {Site::Kind::Crossing, p, q, plane, scale_ * position};
}

Site PerturbedPoints::middle(PointId p, PointId q) const {
  return {Site::Kind::Middle, p, q, {}, 0.5 * (position(p) + position(q))};
}

int PerturbedPoints::compare_crossings(PointId p, PointId q, const PlaneIds& a, const PlaneIds& b) const {
  const auto share = [&](const PlaneIds& plane, double& error) {
    const Determinant dp = determinant(plane[0], plane[1], plane[2], p);
    const Determinant dq = determinant(plane[0], plane[1], plane[2], q);
    const double whole = std::abs(dp.value) + std::abs(dq.value);
    error = whole > 0.0 ? 2.0 * (dp.bound + dq.bound) / whole : 1.0;
    return whole > 0.0 ? std::abs(dp.value) / whole : 0.5;
  };
  double error_a = 0.0, error_b = 0.0;
  const double difference = share(a, error_a) - share(b, error_b);
  if (std::abs(difference) > 2.0 * (error_a + error_b) + 0x1p-50) return difference < 0.0 ? -1 : 1;
  ++exact_count_;
  const Exact& exact = *exact_;
  const auto [ap, aq] = exact.distances(p, q, a);
  const auto [bp, bq] = exact.distances(p, q, b);
  return sign_of(ap * bq - bp * aq);  // ap / (ap + aq) against bp / (bp + bq)
}

namespace {

struct Projection {
  std::size_t first, second;  // indices of the kept coordinates
  int sign;                   // sign of the normal's dropped coordinate
};
Projection projection_of(const Vector3& normal) {
  Eigen::Index axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  const auto k = std::size_t(axis);
  return {(k + 1) % 3, (k + 2) % 3, normal[axis] > 0.0 ? 1 : -1};
}

}  // namespace

FramedPlane PerturbedPoints::framed(const PlaneIds& plane) const {
  const Vector3 origin = position(plane[0]);
  return {plane, (position(plane[1]) - origin).cross(position(plane[2]) - origin).normalized()};
}

int PerturbedPoints::turn(const FramedPlane& plane, const Site& p, const Site& q, const Site& r) const {
  const Vector3 u = q.position - p.position;
  const Vector3 v = r.position - p.position;
  const double area = u.cross(v).dot(plane.normal);
  if (std::abs(area) > 8.0 * placed_ * scale_ * (u.norm() + v.norm() + placed_ * scale_)) return area > 0.0 ? 1 : -1;
  ++exact_count_;
  const Exact& exact = *exact_;
  const auto [i, j, sign] = projection_of(plane.normal);
  const Homogeneous a = exact.point(p);
  const Homogeneous b = exact.point(q);
  const Homogeneous c = exact.point(r);
  return sign * sign_of(determinant3({a[i], a[j], a[3]}, {b[i], b[j], b[3]}, {c[i], c[j], c[3]}));
}

bool PerturbedPoints::coincide(const Site& p, const Site& q) const {
  if ((p.position - q.position).squaredNorm() > 16.0 * placed_ * placed_ * scale_ * scale_) return false;
  ++exact_count_;
  const Homogeneous a = exact_->point(p);
  const Homogeneous b = exact_->point(q);
  for (std::size_t k = 0; k < 3; ++k) {
    if (a[k] * b[3] != b[k] * a[3]) return false;
  }
  return true;
}

int PerturbedPoints::area_sign(const FramedPlane& plane, std::span<const Site> loop) const {
  double area = 0.0, length = 0.0;
  for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
    const Vector3 u = loop[k].position - loop[0].position;
    const Vector3 v = loop[k + 1].position - loop[0].position;
    area += u.cross(v).dot(plane.normal);
    length += u.norm() + v.norm();
  }
  if (std::abs(area) > 8.0 * placed_ * scale_ * (length + placed_ * scale_)) return area > 0.0 ? 1 : -1;
  ++exact_count_;
  const Exact& exact = *exact_;
  const auto [i, j, sign] = projection_of(plane.normal);
  std::vector<std::array<Rational, 2>> points;
  for (const Site& site : loop) {
    const Homogeneous h = exact.point(site);
    points.push_back({Rational(h[i], h[3]), Rational(h[j], h[3])});
  }
  Rational sum = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto& a = points[k];
    const auto& b = points[(k + 1) % points.size()];
    sum += a[0] * b[1] - a[1] * b[0];
  }
  return sign * sum.sign();
}

}  // namespace deformbench::surface
