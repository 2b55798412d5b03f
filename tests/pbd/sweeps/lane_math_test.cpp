// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/sweeps/lane_math.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "methods/numerics/random.hpp"

namespace deformbench::pbd {
namespace {

template <class T, int N>
Pack<T, N> angles(Pack<T, N> y, Pack<T, N> x) {
  const ReducedAngle<T, N> reduced(y, x);
  return reduced.angle(reduced.numerator / reduced.denominator);
}

/// Error over the spacing of numbers at the exact value.
template <class T>
double largest_error_in_ulp() {
  constexpr int N = numerics::register_lanes<T>;
  numerics::RandomStream random(3);
  double worst = 0.0;
  for (int trial = 0; trial < 20000; ++trial) {
    Pack<T, N> y, x;
    for (int k = 0; k < N; ++k) {
      const double angle = random.uniform(-M_PI, M_PI), scale = std::exp(random.uniform(-20.0, 20.0));
      // One in three within 1e−6 of an axis or a diagonal, where the reduction changes.
      const double near =
          trial % 3 == 0 ? std::round(angle * 8 / M_PI) * M_PI / 8 + 1e-6 * random.uniform(-1.0, 1.0) : angle;
      y[k] = T(scale * std::sin(near)), x[k] = T(scale * std::cos(near));
    }
    const Pack<T, N> got = angles<T, N>(y, x);
    for (int k = 0; k < N; ++k) {
      const double exact = std::atan2(double(y[k]), double(x[k]));
      const T at = std::abs(T(exact));
      const double ulp = double(std::nextafter(at, std::numeric_limits<T>::infinity()) - at);
      worst = std::max(worst, std::abs(double(got[k]) - exact) / ulp);
    }
  }
  return worst;
}

// Three roundings of the quotient, the sum and an offset that is itself rounded; the library's own half ulp (double).
TEST(LaneMath, DoubleAngleIsWithinFourUlp) {
  EXPECT_LT(largest_error_in_ulp<double>(), 4.0);
}
TEST(LaneMath, FloatAngleIsWithinFourUlp) {
  EXPECT_LT(largest_error_in_ulp<float>(), 4.0);
}

TEST(LaneMath, AnglesOnTheAxesAreExact) {
  const double a = 2.5;
  const Pack<double, 4> y = {0.0, a, 0.0, -a}, x = {a, 0.0, -a, 0.0};
  const Pack<double, 4> got = angles<double, 4>(y, x);
  EXPECT_EQ(got[0], 0.0);
  EXPECT_EQ(got[1], M_PI_2);
  EXPECT_EQ(got[2], M_PI);
  EXPECT_EQ(got[3], -M_PI_2);
}

template <class T, int N>
void expect_gather_and_scatter() {
  std::vector<T> rows(4 * 64);
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = T(k);
  std::int32_t at[N];
  for (int k = 0; k < N; ++k) at[k] = 4 * ((7 * k + 3) % 64);
  Rows<T, N> lanes;
  lanes.gather(rows.data(), at);
  for (int k = 0; k < N; ++k) {
    EXPECT_EQ(lanes.x[k], T(at[k]));
    EXPECT_EQ(lanes.y[k], T(at[k] + 1));
    EXPECT_EQ(lanes.z[k], T(at[k] + 2));
    EXPECT_EQ(lanes.w[k], T(at[k] + 3));
  }
  std::vector<T> copy(rows.size(), T(-1));
  lanes.scatter(copy.data(), at);
  for (int k = 0; k < N; ++k)
    for (int c = 0; c < 4; ++c) EXPECT_EQ(copy[std::size_t(at[k] + c)], rows[std::size_t(at[k] + c)]);
  EXPECT_EQ(std::count(copy.begin(), copy.end(), T(-1)), 4 * (64 - N));
}

TEST(LaneMath, RowsAreGatheredAndScatteredInOrder) {
  expect_gather_and_scatter<double, 4>();
  expect_gather_and_scatter<float, 4>();
  expect_gather_and_scatter<float, 8>();
  expect_gather_and_scatter<double, numerics::register_lanes<double>>();
  expect_gather_and_scatter<float, numerics::register_lanes<float>>();
}

TEST(LaneMath, SquareRootIsThatOfEveryLane) {
  constexpr int N = numerics::register_lanes<double>;
  Pack<double, N> a;
  for (int k = 0; k < N; ++k) a[k] = 0.3 * k * k;
  const Pack<double, N> root = square_root<double, N>(a);
  for (int k = 0; k < N; ++k) EXPECT_EQ(root[k], std::sqrt(0.3 * k * k));
}

}  // namespace
}  // namespace deformbench::pbd
