// SPDX-License-Identifier: BSD-3-Clause
// A run that leaves physics ends diverged and says which bound it is over, whatever the method; the worst motion that
// the scene's own forces can make goes on.
#include "experiments/harness/run/physical_bounds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "experiments/harness/run/run_cell.hpp"
#include "experiments/harness/trace/provenance.hpp"
#include "experiments/harness/trace/trace_reader.hpp"
#include "experiments/harness/trace/validate.hpp"
#include "methods/model/error.hpp"
#include "methods/registry.hpp"
#include "tests/experiments/probe_measure.hpp"
#include "tests/harness/small_cell.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using tests::built;

/// A method of deformbench whose state is told wrong by seven times more a step: in the distance of its vertices from
/// vertex 0, in their speed, or in the place of all of them.
class Overstated : public Simulation {
 public:
  Overstated(std::unique_ptr<Simulation> inner, std::string lie) : inner_(std::move(inner)), lie_(std::move(lie)) {
    tell();
  }
  StepReport step() override {
    const StepReport report = inner_->step();
    factor_ *= 7.0;
    tell();
    return report;
  }
  StateView state() const override {
    StateView state = inner_->state();
    return {state.time, PointsView(positions_.data(), positions_.rows(), 3),
            PointsView(velocities_.data(), velocities_.rows(), 3), state.masses, state.rigid_bodies};
  }

 protected:
  double factor() const { return factor_; }

 private:
  void tell() {
    positions_ = inner_->state().positions;
    velocities_ = inner_->state().velocities;
    if (factor_ == 1.0) return;
    const Eigen::RowVector3d first = positions_.row(0);
    if (lie_ == "stretch") positions_ = (factor_ * (positions_.rowwise() - first)).rowwise() + first;
    if (lie_ == "speed") velocities_.array() += factor_;
    if (lie_ == "place") positions_.array() += factor_;
  }

  std::unique_ptr<Simulation> inner_;
  std::string lie_;
  double factor_ = 1.0;
  Points positions_, velocities_;
};

/// The same, with an elastic energy that is 0 J at the start and wrong by seven times more a step.
class Strained final : public Overstated, public ElasticityFacet {
 public:
  using Overstated::Overstated;
  double elastic_energy(const Eigen::Ref<const Points>&) const override { return factor() - 1.0; }
  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override {
    return Points::Zero(positions.rows(), 3);
  }
};

Registry overstating_registry() {
  Registry registry;
  MethodDescriptor method;
  method.id = "overstated";
  method.summary = "Another method, its state told wrong.";
  method.paper = {"none", "none"};
  method.parameters = {{"inner", "", std::string("pbd"), "Method."}, {"lie", "", std::string("none"), "About what."}};
  method.supports = [](const Scene&, const Parameters&) { return Support::yes(); };
  method.create = [](const Scene& scene, const Parameters& p,
                     const RunContext& context) -> std::unique_ptr<Simulation> {
    const Registry methods = builtin_registry();
    const MethodDescriptor& inner = methods.at(p.text("inner"));
    auto honest = inner.create(scene, Parameters(inner.parameters, {}, inner.id), context);
    const std::string& lie = p.text("lie");
    if (lie == "strain") return std::make_unique<Strained>(std::move(honest), lie);
    return std::make_unique<Overstated>(std::move(honest), lie);
  };
  registry.add(method);
  return registry;
}

/// A run of `inner` on a scene, its state told wrong.
CellOutcome told(const std::filesystem::path& path, const char* inner, const char* scene, const std::string& lie,
                 int steps) {
  json spec = tests::small_cell(scene, "overstated", steps, {{"step", tests::clock_of({"kinetic_energy"})}});
  spec["method"]["parameters"] = {{"inner", inner}, {"lie", lie}};
  return run_cell(spec, run_provenance({1, 1, "0123"}), overstating_registry(), builtin_scenes(), path);
}

class Bounds : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("deformbench_bounds_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  CellOutcome run(const std::string& lie, int steps = 30) {
    return told(path(), GetParam().first, GetParam().second, lie, steps);
  }
  std::filesystem::path path() const { return folder_ / "cell.h5"; }
  std::filesystem::path folder_;
};

TEST_P(Bounds, HonestMotionIsNoDivergence) {
  const CellOutcome outcome = run("none");
  EXPECT_EQ(outcome.status, CellStatus::Completed) << outcome.reason;
}

TEST_P(Bounds, StretchBeyondAnySolidIsDivergence) {
  const CellOutcome outcome = run("stretch");
  EXPECT_EQ(outcome.status, CellStatus::Diverged);
  EXPECT_THAT(outcome.reason, testing::StartsWith("step 4 ("));  // 7⁴ > 1000 > 7³
  EXPECT_THAT(outcome.reason, HasSubstr(" s): the edge of vertices "));
  EXPECT_THAT(outcome.reason, HasSubstr(" times as long as at rest, over the bound of 1e+03"));
  EXPECT_EQ(TraceReader(path()).status(), "diverged");
  EXPECT_EQ(TraceReader(path()).steps("step").size(), 4u);
}

TEST_P(Bounds, MoreEnergyThanIsSuppliedIsDivergence) {
  const CellOutcome outcome = run("speed");
  EXPECT_EQ(outcome.status, CellStatus::Diverged);
  EXPECT_THAT(outcome.reason, HasSubstr("kinetic energy "));
  EXPECT_THAT(outcome.reason, HasSubstr(" J is over 10 times the "));
  EXPECT_THAT(outcome.reason, HasSubstr(" J supplied"));
}

TEST_P(Bounds, PlaceThatNothingCanReachIsDivergence) {
  const CellOutcome outcome = run("place");
  EXPECT_EQ(outcome.status, CellStatus::Diverged);
  EXPECT_THAT(outcome.reason, HasSubstr("vertex 0 is "));
  EXPECT_THAT(outcome.reason, HasSubstr(" m away from every place of the scene, over the bound of "));
}

TEST_P(Bounds, TraceSaysWhichBoundsWereInForceAndWhy) {
  run("none", 5);
  const TraceReader trace(path());
  EXPECT_EQ(trace.scene_array("bound_stretch").values, (std::vector<double>{kLargestStretch}));
  EXPECT_EQ(trace.scene_array("bound_kinetic_energy").values, (std::vector<double>{kEnergyFactor}));
  EXPECT_GT(trace.scene_array("bound_distance").values.at(0), 0.0);
  EXPECT_GT(trace.scene_array("supplied_energy").values.at(0), 0.0);
  EXPECT_GE(trace.scene_array("correction_energy").values.at(0), 0.0);
  EXPECT_THAT(trace.scene_array("bound_box").shape, testing::ElementsAre(2, 3));
  for (const Finding& finding : validate(path())) ADD_FAILURE() << finding.text();
}

INSTANTIATE_TEST_SUITE_P(All, Bounds,
                         testing::Values(std::pair("linear_fem", "free_falling_block"),
                                         std::pair("warped_fem", "free_falling_block"),
                                         std::pair("linear_fem", "step_load_bar"),
                                         std::pair("warped_fem", "twisted_bar"), std::pair("pbd", "hanging_cloth"),
                                         std::pair("xpbd", "hanging_cloth"), std::pair("pbd", "hung_chain")),
                         [](const auto& test) { return std::string(test.param.first) + "_" + test.param.second; });

TEST(ElasticEnergy, BeyondWhatIsSuppliedIsDivergenceWhereObstaclesAreAtRest) {
  const auto path = std::filesystem::temp_directory_path() / ("deformbench_strain_" + std::to_string(getpid()) + ".h5");
  const CellOutcome landed = told(path, "warped_fem", "drop_and_slide", "strain", 30);
  EXPECT_EQ(landed.status, CellStatus::Diverged);
  EXPECT_THAT(landed.reason, HasSubstr("kinetic and elastic energy "));
  EXPECT_THAT(landed.reason, HasSubstr(" J is over 10 times the "));
  EXPECT_EQ(told(path, "warped_fem", "drop_and_slide", "none", 30).status, CellStatus::Completed);
  EXPECT_EQ(told(path, "warped_fem", "free_falling_block", "strain", 30).status, CellStatus::Completed);
  std::filesystem::remove(path);
}

class SceneBounds : public testing::TestWithParam<std::string> {};

TEST_P(SceneBounds, AreNumbersAboveZeroOrHaveAReason) {
  const Scene scene = built(GetParam());
  const BoundsInForce bounds = bounds_in_force(scene, nullptr, 1.0);
  for (const model::Bound* bound : {&bounds.distance, &bounds.stretch, &bounds.kinetic_energy}) {
    EXPECT_GT(bound->limit, 0.0);
    EXPECT_FALSE(bound->because.empty());
  }
  for (const auto& [own, derived] :
       {std::pair(&scene.bounds.distance, &bounds.distance), std::pair(&scene.bounds.stretch, &bounds.stretch),
        std::pair(&scene.bounds.kinetic_energy, &bounds.kinetic_energy)}) {
    if (!*own) {
      EXPECT_TRUE(std::isfinite(derived->limit));
    }
  }
  EXPECT_TRUE(std::isfinite(bounds.supplied.total(1)));
  EXPECT_GT(bounds.supplied.total(1), 0.0);
  EXPECT_FALSE(bounds.places.isEmpty());
}

std::vector<std::string> ids_of_scenes() {
  std::vector<std::string> ids;
  const SceneRegistry scenes = builtin_scenes();
  for (const auto& scene : scenes.all()) ids.push_back(scene.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(All, SceneBounds, testing::ValuesIn(ids_of_scenes()),
                         [](const auto& test) { return test.param; });

TEST(SuppliedEnergy, OfAFreeFallIsThatOfStepsOfFirstOrder) {
  const Scene scene = built("free_falling_block", {{"velocity_m_s", std::vector<double>{3.0, 0.0, 0.0}}});
  const double mass = 1000.0 * 0.008, g = 9.81, duration = 2.0, dt = scene.time_step;
  const SuppliedEnergy supplied = bounds_in_force(scene, nullptr, duration).supplied;
  EXPECT_NEAR(supplied.start, 0.5 * mass * 9.0, 1e-9);
  EXPECT_NEAR(supplied.gravity, mass * g * (3.0 * duration + 0.5 * g * duration * (duration + dt)), 1e-7);
  EXPECT_EQ(supplied.loads, 0.0);
  EXPECT_EQ(supplied.driven, 0.0);
}

TEST(SuppliedEnergy, OfAFallEndsAtTheFloorAndOfAHeldClothAtItsStretch) {
  const Scene block = built("free_falling_block", {{"ground", std::string("plane")}, {"ground_distance_m", 0.5}});
  EXPECT_NEAR(bounds_in_force(block, nullptr, 1e6).supplied.gravity, 8.0 * 9.81 * 0.7, 1e-9);  // its top falls 0.7 m
  const Scene cloth = built("hanging_cloth", {{"side_m", 2.0}, {"area_density_kg_m2", 0.25}});
  EXPECT_NEAR(bounds_in_force(cloth, nullptr, 1e6).supplied.gravity, 1.0 * 9.81 * kLargestStretch * std::sqrt(8.0),
              1e-6);
}

TEST(SuppliedEnergy, OfABodyOnRollersIsThatOfAFallWhileOneThatIsHeldHangs) {
  Scene scene = built("free_falling_block");
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = {0};
  const double hanging = bounds_in_force(scene, nullptr, 1e4).supplied.gravity;
  scene.prescribed[0].components = {true, false, true};
  const double fall = 8.0 * 9.81 * 0.5 * 9.81 * 1e4 * (1e4 + scene.time_step);
  EXPECT_NEAR(bounds_in_force(scene, nullptr, 1e4).supplied.gravity, fall, 1e-9 * fall);
  EXPECT_LT(hanging, 1e-3 * fall);
}

TEST(SuppliedEnergy, OfALoadedHeldTetrahedronIsForceTimesTravel) {
  Scene scene = built("single_tetrahedron");
  scene.point_loads.assign(1, {});
  scene.point_loads[0].force = Vector3(0, 3, 4);
  scene.prescribed.clear();
  const double mass = lumped_masses(scene).sum(), duration = 0.5;
  const double free = bounds_in_force(scene, nullptr, duration).supplied.loads;
  EXPECT_NEAR(free, 5.0 * 0.5 * (5.0 / mass + scene.gravity.norm()) * duration * (duration + scene.time_step),
              1e-9 * free);
}

TEST(SuppliedEnergy, OfALoadAfterATableIsThatOfItsLargestValue) {
  Scene scene = built("single_tetrahedron");
  scene.point_loads.assign(1, {});
  scene.point_loads[0].force = Vector3(0, 3, 4);
  scene.prescribed.clear();
  Scene larger = scene;
  larger.point_loads[0].force *= 7.0;
  scene.point_loads[0].ramp = {.end = 0.4, .table = {{0.0, 0.0}, {0.2, -7.0}, {0.4, 1.0}}};
  EXPECT_EQ(bounds_in_force(scene, nullptr, 0.5).supplied.loads, bounds_in_force(larger, nullptr, 0.5).supplied.loads);
}

TEST(SuppliedEnergy, OfAMotionAfterATableIsThatOfItsFastestPart) {
  // Almost at rest for 100 s, and 1 m within 1 ms somewhere between two samples.
  Scene scene = built("stretched_bar");
  scene.time_step = 1e-3;
  scene.prescribed.resize(1);
  scene.prescribed[0].translation = Vector3(1, 0, 0);
  scene.prescribed[0].targets.resize(0, 3);
  scene.prescribed[0].ramp = {.end = 100.0, .table = {{0.0, 0.0}, {33.3331, 0.0}, {33.3341, 1.0}, {100.0, 1.0}}};
  const double fast = bounds_in_force(scene, nullptr, 100.0).supplied.driven;
  scene.prescribed[0].ramp = {.end = 100.0, .table = {{0.0, 0.0}, {100.0, 1.0}}};
  EXPECT_GT(fast, 1e6 * bounds_in_force(scene, nullptr, 100.0).supplied.driven);
}

TEST(SuppliedEnergy, OfAMethodWithoutElasticEnergyIsOneCorrectionOfTheStart) {
  // Stretched by a tenth along its length of 1 m: 0.1 m in a step of 0.01 s, by the square of the substeps.
  const Scene scene =
      built("particle_chain",
            {{"links", 1LL}, {"disturbed", std::string("stretched")}, {"disturbance", 0.1}, {"time_step_s", 0.01}});
  const SuppliedEnergy supplied = bounds_in_force(scene, nullptr, 1.0).supplied;
  EXPECT_GT(supplied.correction, 0.0);
  EXPECT_NEAR(supplied.total(3) - supplied.total(1), 8.0 * supplied.correction, 1e-9 * supplied.correction);
}

TEST(SceneBound, OfTheSceneReplacesTheDerivedOneAndNeedsAReason) {
  Scene scene = built("hanging_cloth");
  scene.bounds.stretch = model::Bound{3.0, "it tears at three"};
  EXPECT_EQ(bounds_in_force(scene, nullptr, 1.0).stretch.limit, 3.0);
  scene.bounds.stretch = model::Bound{std::numeric_limits<double>::infinity(), "melts"};
  const BoundsInForce bounds = bounds_in_force(scene, nullptr, 1.0);
  EXPECT_FALSE(std::isfinite(bounds.stretch.limit));
  EXPECT_EQ(bounds.stretch.because, "melts");
  EXPECT_TRUE(std::isfinite(bounds.distance.limit));
  scene.bounds.stretch = model::Bound{3.0, ""};
  EXPECT_THROW(bounds_in_force(scene, nullptr, 1.0), InputError);
  scene.bounds.stretch = model::Bound{0.0, "none"};
  EXPECT_THROW(bounds_in_force(scene, nullptr, 1.0), InputError);
}

}  // namespace
}  // namespace deformbench::harness
