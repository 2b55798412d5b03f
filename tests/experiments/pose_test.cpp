// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/poses.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <nlohmann/json.hpp>
#include <numbers>

#include "methods/model/error.hpp"
#include "tests/experiments/probe_measure.hpp"

namespace deformbench::tests {
namespace {

using harness::PoseSequence;
using nlohmann::json;

Points posed(const Scene& scene, const std::string& field, double value, json parameters = json::object(),
             std::uint64_t seed = 1) {
  return PoseSequence({{"field", field}, {"parameters", parameters}, {"values", {value}}}).positions(scene, 0, seed);
}

Scene slender_bar() {
  return built("bar", {{"length_m", 1.0}, {"side_m", 0.02}, {"cells_along", 100LL}});
}

TEST(BendPose, QuarterCircleHasItsTipAtTheRadiusAndItsAxisKeepsItsLength) {
  Scene scene = slender_bar();
  scene.initial_positions = posed(scene, "bend", 90.0);
  const double radius = 2.0 / std::numbers::pi;
  EXPECT_LT((vector_of(measured("tip_position", scene)) - Vector3(radius, radius, 0)).norm(), 1e-12);
  // Fibres at a distance y from the axis are longer by 1 − y/R, and so are the elements.
  const double fibre = 0.01 / radius;
  EXPECT_GT(measured("min_det_f", scene)[0], 1.0 - 1.01 * fibre);
  EXPECT_LT(measured("max_det_f", scene)[0], 1.0 + 1.01 * fibre);
}

TEST(BendPose, FullCircleBringsTheTipBackToTheRoot) {
  Scene scene = slender_bar();
  scene.initial_positions = posed(scene, "bend", 360.0);
  EXPECT_LT(vector_of(measured("tip_position", scene)).norm(), 1e-12);
}

TEST(BendPose, NoAngleIsTheRestShape) {
  const Scene scene = slender_bar();
  for (const char* field : {"bend", "twist", "linear_twist", "rotate"})
    EXPECT_LT((posed(scene, field, 0.0) - scene.tet_mesh.rest_positions).cwiseAbs().maxCoeff(), 1e-15) << field;
}

TEST(TwistPose, TurnsTheTipByTheAngleAndKeepsLengthAndVolume) {
  Scene scene = slender_bar();
  const Points twisted = posed(scene, "twist", 90.0);
  for (const int v : scene.vertex_sets.at("tip")) {
    const Vector3 x = scene.tet_mesh.rest_positions.row(v);
    EXPECT_LT((twisted.row(v).transpose() - Vector3(x.x(), -x.z(), x.y())).norm(), 1e-15);
  }
  scene.initial_positions = twisted;
  // Second order in the twist of one cell, (π/2/100 · a/h)².
  EXPECT_NEAR(measured("volume", scene)[0] / 4e-4, 1.0, 1e-3);
}

TEST(LinearTwistPose, GrowsTheVolumeByOneThirdOfTheAngleSquared) {
  Scene scene = slender_bar();
  scene.initial_positions = posed(scene, "linear_twist", 90.0);
  const double angle = std::numbers::pi / 2;
  // closed form `torsion_of_linear_fem`: V/V0 = 1 + Θ²/3; piecewise linear interpolation along x errs by (Θ/N)²/6.
  EXPECT_NEAR(measured("volume", scene)[0] / 4e-4, 1.0 + angle * angle / 3.0, 1e-4);
}

TEST(RigidPoses, KeepAllDistances) {
  const Scene scene = built("bar");
  const auto& rest = scene.tet_mesh.rest_positions;
  for (const auto& [field, value] :
       std::vector<std::pair<std::string, double>>{{"rotate", 77.0}, {"random_rigid", 3}}) {
    const Points moved = posed(scene, field, value);
    EXPECT_GT((moved - rest).norm(), 1.0) << field;
    for (Eigen::Index i = 0; i < rest.rows(); ++i)
      EXPECT_NEAR((moved.row(i) - moved.row(0)).norm(), (rest.row(i) - rest.row(0)).norm(), 1e-13) << field;
  }
}

TEST(RandomPoses, DependOnSeedAndSampleOnly) {
  const Scene scene = built("bar");
  for (const char* field : {"random_rigid", "random_positions", "random_affine"}) {
    EXPECT_EQ(posed(scene, field, 2), posed(scene, field, 2)) << field;
    EXPECT_NE(posed(scene, field, 2), posed(scene, field, 3)) << field;
    EXPECT_NE(posed(scene, field, 2), posed(scene, field, 2, json::object(), 9)) << field;
  }
}

TEST(RandomPoses, PositionsAreDisplacedByTheDeviation) {
  const Scene scene = built("bar", {{"cells_across", 5LL}});
  const Points shift = posed(scene, "random_positions", 0, {{"deviation_m", 0.2}}) - scene.tet_mesh.rest_positions;
  const auto n = double(shift.size());
  EXPECT_NEAR(std::sqrt(shift.squaredNorm() / n), 0.2, 5.0 * 0.2 / std::sqrt(2.0 * n));  // five standard errors
}

TEST(BendDifferences, MoveOneCoordinateOfTheBentBarThereAndBack) {
  const Scene scene = built("bar");
  const json parameters{{"angle_deg", 40.0}, {"step_m", 1e-3}};
  const Points bent = posed(scene, "bend", 40.0);
  for (Eigen::Index k = 0; k < bent.size(); ++k) {
    Points expected = bent;
    expected.data()[k] += 1e-3;
    EXPECT_EQ(posed(scene, "bend_differences", 2.0 * double(k), parameters), expected) << k;
    expected.data()[k] = bent.data()[k] - 1e-3;
    EXPECT_EQ(posed(scene, "bend_differences", 2.0 * double(k) + 1.0, parameters), expected) << k;
  }
  EXPECT_THROW(posed(scene, "bend_differences", 2.0 * double(bent.size()), parameters), InputError);
}

TEST(AffinePoses, HaveOneVolumeRatioEverywhere) {
  const std::map<std::string, std::pair<double, double>> expected{{"stretch", {1.5, 1.5 * 0.85 * 0.85}},
                                                                  {"dilate", {0.5, 0.125}},
                                                                  {"squash", {-0.25, -0.25}},
                                                                  {"shear", {0.7, 1.0}}};
  for (const auto& [field, pair] : expected) {
    Scene scene = built("bar");
    const json parameters = field == "stretch" ? json{{"lateral_ratio", 0.3}} : json::object();
    scene.initial_positions = posed(scene, field, pair.first, parameters);
    EXPECT_NEAR(measured("min_det_f", scene)[0], pair.second, 1e-13) << field;
    EXPECT_NEAR(measured("max_det_f", scene)[0], pair.second, 1e-13) << field;
  }
}

TEST(Squash, WithATwistIsSquashedFirstAndTurnedAfter) {
  const Scene scene = built("bar");
  const Points rest = scene.tet_mesh.rest_positions, moved = posed(scene, "squash", 0.1, {{"twist_deg", 90.0}});
  const double length = rest.col(0).maxCoeff() - rest.col(0).minCoeff();
  const Eigen::RowVector3d centre = 0.5 * (rest.colwise().maxCoeff() + rest.colwise().minCoeff());
  for (Eigen::Index i = 0; i < rest.rows(); ++i) {
    const double angle = 0.5 * std::numbers::pi * (rest(i, 0) - rest.col(0).minCoeff()) / length;
    const double y = 0.1 * (rest(i, 1) - centre[1]), z = rest(i, 2) - centre[2];
    EXPECT_NEAR(moved(i, 0), rest(i, 0), 1e-14);
    EXPECT_NEAR(moved(i, 1) - centre[1], std::cos(angle) * y - std::sin(angle) * z, 1e-14);
    EXPECT_NEAR(moved(i, 2) - centre[2], std::sin(angle) * y + std::cos(angle) * z, 1e-14);
  }
}

TEST(PoseSequence, CountGivesSampleNumbers) {
  const PoseSequence poses({{"field", "random_rigid"}, {"values", {{"count", 4}}}});
  EXPECT_EQ(poses.values(), (std::vector<double>{0, 1, 2, 3}));
}

TEST(PoseSequence, BadInputIsRefusedWithWhatWasExpected) {
  const std::vector<std::pair<json, std::string>> cases{
      {{{"field", "bent"}, {"values", {1}}}, "expected one of rest, bend"},
      {{{"field", "bend"}, {"values", {"x"}}}, "expected a list of numbers"},
      {{{"field", "bend"}, {"values", json::array()}}, "expected a list of numbers"},
      {{{"field", "bend"}, {"values", {{"count", 0}}}}, "expected a list of numbers"},
      {{{"field", "random_positions"}, {"parameters", {{"deviation_m", -1.0}}}, {"values", {1}}}, "deviation_m"},
      {{{"field", "twist"}, {"parameters", {{"axis", 1}}}, {"values", {1}}}, "pose field twist"},
  };
  for (const auto& [poses, message] : cases) {
    try {
      PoseSequence sequence(poses);
      FAIL() << poses << " accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(message)) << poses;
    }
  }
  EXPECT_THROW(posed(built("bar"), "random_rigid", 0.5), InputError);
}

}  // namespace
}  // namespace deformbench::tests
