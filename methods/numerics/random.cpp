// SPDX-License-Identifier: BSD-3-Clause
// Compiled without contraction of a*b+c, so that every machine rounds alike.
#include "methods/numerics/random.hpp"

#include <bit>
#include <cmath>

#include "methods/model/split_mix.hpp"

namespace deformbench::numerics {
namespace {

/// ln x for normal x > 0 from + − × ÷ alone: x = m 2^k, m in [√½, √2), then the series of 2 artanh((m−1)/(m+1)),
/// whose remainder after thirteen terms is 2 z²⁷/27 < 1e-21 for |z| ≤ 0.1716.
double portable_log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = int((bits >> 52) & 0x7ff) - 1023;
  double mantissa = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
  if (mantissa > 1.4142135623730951) {
    mantissa *= 0.5;
    exponent += 1;
  }
  const double z = (mantissa - 1.0) / (mantissa + 1.0);
  const double square = z * z;
  double sum = 0.0;
  for (int k = 25; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
  return 2.0 * z * sum + exponent * 0.6931471805599453;
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t state = seed;
  std::uint64_t mixed = model::split_mix(state) ^ (stream * 0xd1342543de82ef95ULL);
  for (auto& word : state_) word = model::split_mix(mixed);
}

std::uint64_t RandomStream::bits() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double RandomStream::uniform() {
  return double(bits() >> 11) * 0x1p-53;
}

double RandomStream::uniform(double low, double high) {
  return low + (high - low) * uniform();
}

std::uint64_t RandomStream::below(std::uint64_t count) {
  const std::uint64_t limit = count * (UINT64_MAX / count);
  std::uint64_t value = bits();
  while (value >= limit) value = bits();
  return value % count;
}

double RandomStream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double a, b, square;
  do {  // Marsaglia's polar method
    a = 2.0 * uniform() - 1.0;
    b = 2.0 * uniform() - 1.0;
    square = a * a + b * b;
  } while (square >= 1.0 || square < 0x1p-100);
  const double factor = std::sqrt(-2.0 * portable_log(square) / square);
  spare_ = b * factor;
  has_spare_ = true;
  return a * factor;
}

Vector3 RandomStream::direction() {
  for (;;) {
    const double x = 2.0 * uniform() - 1.0, y = 2.0 * uniform() - 1.0, z = 2.0 * uniform() - 1.0;
    const double square = (x * x + y * y) + z * z;
    if (square > 1.0 || square < 1e-4) continue;
    const double length = std::sqrt(square);
    return {x / length, y / length, z / length};
  }
}

Matrix3 RandomStream::rotation() {
  double w, x, y, z, square;
  do {
    w = 2.0 * uniform() - 1.0, x = 2.0 * uniform() - 1.0, y = 2.0 * uniform() - 1.0, z = 2.0 * uniform() - 1.0;
    square = (w * w + x * x) + (y * y + z * z);
  } while (square > 1.0 || square < 1e-4);
  const double s = 2.0 / square;
  Matrix3 r;
  r(0, 0) = 1.0 - s * (y * y + z * z), r(0, 1) = s * (x * y - w * z), r(0, 2) = s * (x * z + w * y);
  r(1, 0) = s * (x * y + w * z), r(1, 1) = 1.0 - s * (x * x + z * z), r(1, 2) = s * (y * z - w * x);
  r(2, 0) = s * (x * z - w * y), r(2, 1) = s * (y * z + w * x), r(2, 2) = 1.0 - s * (x * x + y * y);
  return r;
}

}  // namespace deformbench::numerics
