// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/weights/exact_side.hpp"

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

namespace deformbench::meshless {
namespace {

// Arbitrary length; up to 1024 bits, sufficient for ordinary coordinates, without heap allocation.
namespace mp = boost::multiprecision;
using Integer =
    mp::number<mp::cpp_int_backend<1024, 0, mp::signed_magnitude, mp::unchecked, std::allocator<mp::limb_type>>,
               mp::et_off>;
using Integers = std::array<Integer, 3>;

/// Exponent of the last bit of a non-zero coordinate.
int last_bit(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return exponent - std::numeric_limits<double>::digits;
}

int sign_by_integers(const std::array<const Vector3*, 4>& points) {
  int least = std::numeric_limits<int>::max();
  for (const Vector3* p : points)
    for (int k = 0; k < 3; ++k)
      if ((*p)[k] != 0.0) least = std::min(least, last_bit((*p)[k]));
  std::array<Integers, 4> x;
  for (std::size_t n = 0; n < 4; ++n)
    for (int k = 0; k < 3; ++k) {
      const double value = (*points[n])[k];
      if (value == 0.0) continue;
      const int bit = last_bit(value);
      x[n][std::size_t(k)] = Integer(std::int64_t(std::ldexp(value, -bit))) << unsigned(bit - least);
    }
  for (std::size_t n = 1; n < 4; ++n)
    for (std::size_t k = 0; k < 3; ++k) x[n][k] -= x[0][k];
  const auto& [origin, u, v, w] = x;
  const Integer determinant =
      u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
  return determinant.sign();
}

}  // namespace

int exact_side(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  const double ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
  const double vx = c[0] - a[0], vy = c[1] - a[1], vz = c[2] - a[2];
  const double wx = d[0] - a[0], wy = d[1] - a[1], wz = d[2] - a[2];
  const double yz = vy * wz, zy = vz * wy, zx = vz * wx, xz = vx * wz, xy = vx * wy, yx = vy * wx;
  const double value = ux * (yz - zy) + uy * (zx - xz) + uz * (xy - yx);
  const double permanent = std::abs(ux) * (std::abs(yz) + std::abs(zy)) + std::abs(uy) * (std::abs(zx) + std::abs(xz)) +
                           std::abs(uz) * (std::abs(xy) + std::abs(yx));
  // 8 ε × permanent bounds the rounding (Shewchuk 1997: 7 ε + 56 ε²), ε = 2⁻⁵³; the rest bounds underflow.
  const double bound = 0x1p-50 * permanent + 0x1p-1000;
  if (value > bound) return 1;
  if (value < -bound) return -1;
  // A difference is 0 only for equal numbers: coincident points, as of adjacent triangles, and points in an
  // axis-aligned plane need no integers.
  const auto is_zero = [](double x, double y, double z) { return x == 0.0 && y == 0.0 && z == 0.0; };
  if (is_zero(ux, vx, wx) || is_zero(uy, vy, wy) || is_zero(uz, vz, wz)) return 0;
  if (a == b || a == c || a == d || b == c || b == d || c == d) return 0;
  return sign_by_integers({&a, &b, &c, &d});
}

}  // namespace deformbench::meshless
