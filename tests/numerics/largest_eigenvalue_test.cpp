// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/largest_eigenvalue.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace deformbench::numerics {
namespace {

/// Second differences on a line of n points that is held beyond its ends: 4 sin²(kπ/(2(n + 1))), k = 1 … n.
Eigen::VectorXd second_differences(const Eigen::VectorXd& w) {
  Eigen::VectorXd result = 2.0 * w;
  const Eigen::Index n = w.size();
  result.head(n - 1) -= w.tail(n - 1);
  result.tail(n - 1) -= w.head(n - 1);
  return result;
}

double closed_form(int n) {
  const double sine = std::sin(n * std::numbers::pi / (2 * (n + 1)));
  return 4.0 * sine * sine;
}

TEST(LargestEigenvalue, IsThatOfALineFromBelow) {
  for (const int n : {1, 2, 10, 400}) {
    const double found = largest_eigenvalue(Eigen::VectorXd::Ones(n), second_differences);
    EXPECT_NEAR(found, closed_form(n), 1e-6 * closed_form(n)) << n;
    EXPECT_LE(found, closed_form(n) * (1.0 + 1e-12)) << n;
  }
}

TEST(LargestEigenvalue, LeavesOutWhatIsNotFree) {
  Eigen::VectorXd is_free = Eigen::VectorXd::Ones(30);
  is_free[10] = 0.0;  // two lines of 10 and 19 points
  EXPECT_NEAR(largest_eigenvalue(is_free, second_differences), closed_form(19), 1e-5);
  EXPECT_EQ(largest_eigenvalue(Eigen::VectorXd::Zero(5), second_differences), 0.0);
}

TEST(LargestEigenvalue, IsZeroOfNothing) {
  EXPECT_EQ(
      largest_eigenvalue(Eigen::VectorXd::Ones(4), [](const Eigen::VectorXd& w) { return Eigen::VectorXd(0.0 * w); }),
      0.0);
}

}  // namespace
}  // namespace deformbench::numerics
