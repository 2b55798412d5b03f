// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <numbers>

#include "methods/model/error.hpp"
#include "tests/experiments/probe_measure.hpp"

namespace deformbench::tests {
namespace {

constexpr double kStiffness = 2e5;

/// Smallest and largest lumped mass of the vertices that are not held.
std::pair<double, double> free_masses(const Scene& scene) {
  const Eigen::VectorXd masses = lumped_masses(scene);
  std::vector<double> values(masses.data(), masses.data() + masses.size());
  for (const auto& motion : scene.prescribed)
    for (const int v : motion.vertices) values[std::size_t(v)] = -1.0;
  std::erase(values, -1.0);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, *high};
}

// On separate springs A is diagonal: m + Δt² k.
TEST(OperatorProbes, ConditionNumberOfSeparateSpringsIsTheRatioOfTheirEffectiveMasses) {
  for (const long long across : {2LL, 5LL}) {  // 117 and 1,980 free degrees of freedom: dense and Lanczos
    const Scene scene = built("bar", {{"cells_across", across}});
    const auto [low, high] = free_masses(scene);
    const double spring = scene.time_step * scene.time_step * kStiffness;
    EXPECT_NEAR(measured("lambda_min", scene, kStiffness)[0], low + spring, 1e-8 * low) << across;
    EXPECT_NEAR(measured("lambda_max", scene, kStiffness)[0], high + spring, 1e-8 * high) << across;
    const double condition = (high + spring) / (low + spring);
    EXPECT_NEAR(measured("condition_number", scene, kStiffness)[0], condition, 1e-8 * condition) << across;
    EXPECT_EQ(measured("operator_converged", scene, kStiffness)[0], 1.0) << across;
  }
}

// With springs that push, some of the masses have a negative sum m + Δt² k.
TEST(OperatorProbes, SpectrumOfAnIndefiniteMatrixHasSignsAndCounts) {
  const Scene scene = built("bar", {{"cells_across", 2LL}});
  const auto [low, high] = free_masses(scene);
  const double squared = scene.time_step * scene.time_step, spring = -0.6 * (low + high) / squared;
  const auto spectrum = measured("system_spectrum", scene, spring);
  ASSERT_EQ(spectrum.size(), 5u);
  EXPECT_NEAR(spectrum[0], low + squared * spring, 1e-10 * high);
  EXPECT_NEAR(spectrum[1], high + squared * spring, 1e-10 * high);
  const Eigen::VectorXd masses = lumped_masses(scene);
  double least = std::numeric_limits<double>::infinity(), largest = 0.0;
  int negative = 0;
  for (int v = 0; v < scene.vertex_count(); ++v) {
    if (std::ranges::count(scene.prescribed.front().vertices, v) > 0) continue;
    const double sum = masses[v] + squared * spring;
    least = std::min(least, std::abs(sum)), largest = std::max(largest, std::abs(sum));
    negative += 3 * (sum < 0.0);
  }
  EXPECT_NEAR(spectrum[2], least, 1e-10 * high);
  EXPECT_NEAR(spectrum[3], largest, 1e-10 * high);
  EXPECT_EQ(int(spectrum[4]), negative);
  EXPECT_GT(negative, 0);
}

TEST(OperatorProbes, BoundIsLargestMassPlusStiffnessBoundOverSmallestMass) {
  const Scene scene = built("bar");
  const auto [low, high] = free_masses(scene);
  const double bound = high + scene.time_step * scene.time_step * kStiffness;
  EXPECT_NEAR(measured("lambda_max_bound", scene, kStiffness)[0], bound, 1e-10 * bound);
  EXPECT_NEAR(measured("condition_bound", scene, kStiffness)[0], bound / low, 1e-10 * bound / low);
  EXPECT_GE(measured("condition_bound", scene, kStiffness)[0], measured("condition_number", scene, kStiffness)[0]);
}

TEST(OperatorProbes, SpringsHaveNoZeroModesAndAreSymmetric) {
  const Scene scene = built("bar");
  EXPECT_EQ(measured("stiffness_zero_modes", scene)[0], 0.0);
  EXPECT_EQ(measured("stiffness_asymmetry", scene)[0], 0.0);
}

TEST(OperatorProbes, WhatAStepComputesWithIsWrittenRowByRow) {
  const Scene scene = built("bar");
  const auto matrix = measured("solved_matrix", scene, kStiffness);
  const std::size_t rows = 3 * std::size_t(scene.vertex_count());
  ASSERT_EQ(matrix.size(), rows * rows);
  EXPECT_EQ(matrix[rows + 5], 7.0);
  EXPECT_EQ(matrix[5 * rows + 1], 0.0);
  EXPECT_EQ(matrix[4 * rows + 4], lumped_masses(scene)[1] + scene.time_step * scene.time_step * kStiffness);
  const auto stored = measured("element_stored_stiffness", scene);
  ASSERT_EQ(stored.size(), 11 * std::size_t(scene.tet_mesh.element_count()));
  EXPECT_EQ(stored[2 * 11 + 3], 203.0);
  EXPECT_THROW(measured("solved_matrix", built("bar", {{"cells_across", 4LL}})), InputError);
}

TEST(OperatorProbes, LowestFrequencyOfSeparateSpringsIsThatOfTheHeaviestVertex) {
  const Scene scene = built("bar");
  const auto [low, high] = free_masses(scene);
  const double expected = std::sqrt(kStiffness / high) / (2.0 * std::numbers::pi);
  EXPECT_NEAR(measured("natural_frequencies", scene, kStiffness)[0], expected, 1e-9 * expected);
}

}  // namespace
}  // namespace deformbench::tests
