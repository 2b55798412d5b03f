// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/run_cell.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/harness/run/cell_setup.hpp"
#include "experiments/harness/trace/trace_reader.hpp"
#include "methods/model/error.hpp"
#include "tests/experiments/probe_measure.hpp"
#include "tests/harness/small_cell.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using tests::clock_of;

/// Ten steps of springs on a small block, kinetic energy and tip each step.
json spec_of(json method_parameters = json::object()) {
  json spec =
      tests::small_cell("spinning_block", "anchored_springs", 10, {{"step", clock_of({"kinetic_energy", "volume"})}});
  spec["scene"]["parameters"]["time_step_s"] = 0.5;
  spec["method"]["parameters"] = std::move(method_parameters);
  return spec;
}

class RunCell : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("deformbench_run_cell_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  CellOutcome run(const json& spec) {
    return run_cell(spec, json::object(), tests::spring_registry(), builtin_scenes(), path());
  }
  std::filesystem::path path() const { return folder_ / "cell.h5"; }
  std::filesystem::path folder_;
};

TEST_F(RunCell, ARefusalIsTheResultWhereItIsExpectedAndAnErrorWhereItIsNot) {
  json spec = tests::small_cell("skinned_block", "anchored_springs", 2, {{"step", clock_of({"skin_boundary_edges"})}});
  spec["scene"]["parameters"]["skin_open"] = true;
  EXPECT_THROW(run(spec), InputError);
  EXPECT_FALSE(std::filesystem::exists(path()));
  spec["expect"] = {{"status", "unsupported"}, {"because", "the surface has a hole"}};
  const CellOutcome outcome = run(spec);
  EXPECT_EQ(outcome.status, CellStatus::Unsupported);
  EXPECT_THAT(outcome.reason, HasSubstr("expected two (a closed surface)"));
  const TraceReader trace(path());
  EXPECT_EQ(trace.status(), "unsupported");
}

TEST_F(RunCell, ASceneThatCannotBeBuiltIsARefusalToo) {
  json spec = tests::small_cell("mesh_text", "anchored_springs", 2, {{"step", clock_of({"volume"})}});
  spec["scene"]["parameters"]["text"] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nt 0 1 2 4\n";
  EXPECT_THROW(run(spec), InputError);
  EXPECT_FALSE(std::filesystem::exists(path()));
  spec["expect"] = {{"status", "unsupported"}, {"because", "there is no vertex 4"}};
  EXPECT_THAT(run(spec).reason, HasSubstr("text:5: tetrahedron 0 has vertex 4"));
  EXPECT_EQ(TraceReader(path()).status(), "unsupported");
}

TEST_F(RunCell, WritesTheStartAndEveryStep) {
  const CellOutcome outcome = run(spec_of());
  EXPECT_EQ(outcome.status, CellStatus::Completed) << outcome.reason;
  const TraceReader trace(path());
  EXPECT_EQ(trace.status(), "completed");
  EXPECT_THAT(trace.steps("step"), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_DOUBLE_EQ(trace.times("step").back(), 5.0);
  // Straight lines from a spin of 5 rad/s: V/V0 = 1 + (ωt)², exactly.
  const auto volume = trace.channel("step", "volume").values;
  for (std::size_t k = 0; k < volume.size(); ++k)
    EXPECT_NEAR(volume[k] / 0.008, 1.0 + 6.25 * double(k * k), 1e-9 * volume[k] / 0.008) << k;
  EXPECT_EQ(trace.spec(), spec_of());
}

TEST_F(RunCell, EachClockHasItsOwnCadenceAndTheLastRow) {
  json spec = spec_of();
  spec["channels"]["step"]["every"] = 4;
  spec["channels"]["frame"] = {{"every", 5}, {"names", {"positions"}}};
  ASSERT_EQ(run(spec).status, CellStatus::Completed);
  const TraceReader trace(path());
  EXPECT_THAT(trace.steps("step"), ElementsAre(0, 4, 8, 10));
  EXPECT_THAT(trace.steps("frame"), ElementsAre(0, 5, 10));
  EXPECT_THAT(trace.channel("frame", "positions").shape, ElementsAre(3, 27, 3));
}

TEST_F(RunCell, PositionThatIsNotFiniteEndsAsDivergedWithTheRowsBeforeIt) {
  const CellOutcome outcome = run(spec_of({{"motion", "nan"}, {"fails_at_step", 4}}));
  EXPECT_EQ(outcome.status, CellStatus::Diverged);
  EXPECT_EQ(outcome.reason, "step 4 (2 s): the position of vertex 3 is not finite");
  const TraceReader trace(path());
  EXPECT_EQ(trace.status(), "diverged");
  EXPECT_EQ(trace.status_reason(), outcome.reason);
  EXPECT_THAT(trace.steps("step"), ElementsAre(0, 1, 2, 3));
  ASSERT_EQ(trace.events().size(), 1u);
  EXPECT_EQ(trace.events()[0].step, 4);
}

TEST_F(RunCell, VelocityThatIsNotFiniteEndsAsDiverged) {
  const CellOutcome outcome = run(spec_of({{"motion", "infinite_velocity"}}));
  EXPECT_EQ(outcome.status, CellStatus::Diverged);
  EXPECT_EQ(outcome.reason, "step 3 (1.5 s): the velocity of vertex 0 is not finite");
}

TEST_F(RunCell, MethodThatReportsDivergenceIsBelieved) {
  const CellOutcome outcome = run(spec_of({{"motion", "diverge"}}));
  EXPECT_EQ(outcome.status, CellStatus::Diverged);
  EXPECT_THAT(outcome.reason, HasSubstr("step 3 (1.5 s): the method reports"));
  EXPECT_EQ(TraceReader(path()).steps("step").size(), 3u);
}

TEST_F(RunCell, MethodThatThrowsIsFailedWithItsWords) {
  const CellOutcome outcome = run(spec_of({{"motion", "throw"}}));
  EXPECT_EQ(outcome.status, CellStatus::Failed);
  EXPECT_EQ(outcome.reason, "step 3 (1.5 s): out of springs");
}

TEST_F(RunCell, SolverThatMissesItsToleranceIsFailedWithTheNumbers) {
  const CellOutcome outcome = run(spec_of({{"motion", "unconverged"}}));
  EXPECT_EQ(outcome.status, CellStatus::Failed);
  EXPECT_EQ(outcome.reason,
            "step 3 (1.5 s): the linear solver stopped after 3 iterations at a relative residual of 95, expected at "
            "most 1e-10");
  EXPECT_THAT(TraceReader(path()).steps("step"), ElementsAre(0, 1, 2));
}

TEST(MissedTolerance, SaysWhichSolveStopped) {
  StepReport report;
  report.solves = 12;
  report.iterations = 0;  // direct
  report.residual = 2e-3;
  report.tolerance = 1e-8;
  report.converged = false;
  report.is_nonlinear = true;
  EXPECT_EQ(missed_tolerance(report),
            "the nonlinear solve stopped after 12 linear systems at a relative residual of 0.002, expected at most "
            "1e-08");
  report.is_nonlinear = false;
  report.iterations = 30;
  EXPECT_EQ(missed_tolerance(report),
            "the linear solver stopped after 30 iterations at a relative residual of 0.002, expected at most 1e-08");
  report.converged = true;
  EXPECT_EQ(missed_tolerance(report), std::nullopt);
}

TEST_F(RunCell, SolverThatMayMissItsToleranceSaysSoInItsChannel) {
  json spec = spec_of({{"motion", "unconverged_allowed"}});
  spec["schedule"]["steps"] = 4;
  spec["channels"]["step"]["names"] = {"solver_converged", "solver_true_residual"};
  const CellOutcome outcome = run(spec);
  EXPECT_EQ(outcome.status, CellStatus::Completed) << outcome.reason;
  const auto converged = TraceReader(path()).channel("step", "solver_converged").values;
  EXPECT_TRUE(std::isnan(converged[0]));  // nobody was asked at the start
  EXPECT_THAT(std::vector<double>(converged.begin() + 1, converged.end()), ElementsAre(1.0, 1.0, 0.0, 1.0));
  for (const double residual : TraceReader(path()).channel("step", "solver_true_residual").values)
    EXPECT_TRUE(std::isnan(residual));  // springs have none to form
}

TEST_F(RunCell, SceneThatTheMethodRefusesIsUnsupportedWithTheReason) {
  json spec = spec_of();
  spec["scene"] = {{"name", "free_falling_block"}, {"parameters", {{"ground", "plane"}}}};
  const CellOutcome outcome = run(spec);
  EXPECT_EQ(outcome.status, CellStatus::Unsupported);
  EXPECT_EQ(outcome.reason, "springs know no colliders");
  EXPECT_EQ(TraceReader(path()).status(), "unsupported");
}

TEST_F(RunCell, TheTraceSaysWhichComponentsOfAVertexArePrescribedWhereNotAllAre) {
  for (const bool rolls : {false, true}) {
    SceneRegistry scenes;
    scenes.add({"on_rollers", "A tetrahedron on rollers.", {}, [rolls](const Parameters&) {
                  Scene scene = tests::built("single_tetrahedron");
                  model::PrescribedMotion ends, guide;
                  ends.vertices = {1, 3};
                  ends.components = {true, !rolls, !rolls};
                  guide.vertices = {3};
                  guide.components = {!rolls, true, !rolls};
                  scene.prescribed = {guide, ends};
                  return scene;
                }});
    const json spec = tests::small_cell("on_rollers", "anchored_springs", 2, {{"step", clock_of({"kinetic_energy"})}});
    run_cell(spec, json::object(), tests::spring_registry(), scenes, path());
    const TraceReader trace(path());
    EXPECT_THAT(trace.scene_array("prescribed_vertices").values, ElementsAre(1, 3));
    EXPECT_EQ(trace.has("/scene/prescribed_components"), rolls);
    if (rolls) {
      EXPECT_THAT(trace.scene_array("prescribed_components").values, ElementsAre(1, 0, 0, 1, 1, 0));
    }
    std::filesystem::remove(path());
  }
}

TEST_F(RunCell, StaticsStopAtTheFirstStepBelowTheResidual) {
  // Each step goes half of the way: the unbalanced force is 2⁻ⁿ of the load of the heaviest vertex.
  json spec = spec_of({{"motion", "settle"}});
  spec["scene"] = {{"name", "free_falling_block"}, {"parameters", json::object()}};
  spec["schedule"] = {{"until_static", {{"residual", 1e-3}, {"max_steps", 100}}}};
  spec["channels"]["step"]["every"] = 4;
  const CellOutcome outcome = run(spec);
  EXPECT_EQ(outcome.status, CellStatus::Completed) << outcome.reason;
  EXPECT_THAT(TraceReader(path()).steps("step"), ElementsAre(0, 4, 8, 10));  // 2⁻¹⁰ < 1e-3 < 2⁻⁹
}

TEST_F(RunCell, StaticsThatDoNotSettleInTimeFailWithTheResidualReached) {
  json spec = spec_of({{"motion", "settle"}});
  spec["scene"] = {{"name", "free_falling_block"}, {"parameters", json::object()}};
  spec["schedule"] = {{"until_static", {{"residual", 1e-3}, {"max_steps", 5}}}};
  const CellOutcome outcome = run(spec);
  EXPECT_EQ(outcome.status, CellStatus::Failed);
  EXPECT_THAT(outcome.reason, HasSubstr("not static after 5 steps: unbalanced force over largest force is 0.031"));
  EXPECT_THAT(outcome.reason, testing::Not(HasSubstr("cycle")));
}

TEST_F(RunCell, StaticsOnRollersAreJudgedByTheFreeComponents) {
  SceneRegistry scenes;
  scenes.add({"on_rollers", "A block that falls along rollers.", {}, [](const Parameters&) {
                Scene scene = tests::built("free_falling_block");
                model::PrescribedMotion guide;
                for (int v = 0; v < int(scene.vertex_count()); ++v) guide.vertices.push_back(v);
                guide.components = {false, false, true};
                scene.prescribed = {guide};
                return scene;
              }});
  ASSERT_EQ(scenes.at("on_rollers").build(Parameters({}, {}, "")).gravity[2], 0.0);
  json spec = spec_of({{"motion", "settle"}});
  spec["scene"] = {{"name", "on_rollers"}, {"parameters", json::object()}};
  spec["schedule"] = {{"until_static", {{"residual", 1e-3}, {"max_steps", 100}}}};
  const CellOutcome outcome = run_cell(spec, json::object(), tests::spring_registry(), scenes, path());
  EXPECT_EQ(outcome.status, CellStatus::Completed) << outcome.reason;
  EXPECT_EQ(TraceReader(path()).steps("step").back(), 10);  // as without them
}

TEST_F(RunCell, StaticsThatAlternateSaySo) {
  json spec = spec_of({{"motion", "alternate"}});
  spec["scene"] = {{"name", "free_falling_block"}, {"parameters", json::object()}};
  spec["schedule"] = {{"until_static", {{"residual", 1e-3}, {"max_steps", 21}}}};
  const CellOutcome outcome = run(spec);
  EXPECT_EQ(outcome.status, CellStatus::Failed);
  EXPECT_THAT(outcome.reason, HasSubstr("not static after 21 steps"));
  EXPECT_THAT(outcome.reason, HasSubstr("cycle of 2 states, up to 0.25 m from one to the next"));
}

TEST_F(RunCell, StaticsWithoutForcesAreJudgedByPositions) {
  json spec = spec_of();
  spec["method"] = {{"name", "flight"}, {"id", "free_flight"}, {"parameters", json::object()}};
  spec["schedule"] = {{"until_static", {{"residual", 1e-3}, {"max_steps", 5}}}};
  const CellOutcome outcome = run(spec);  // a body that flies freely never rests
  EXPECT_EQ(outcome.status, CellStatus::Failed);
  EXPECT_THAT(outcome.reason, HasSubstr("not static after 5 steps"));
}

TEST_F(RunCell, PosesAreMeasuredWithoutStepping) {
  json spec = spec_of();
  spec["schedule"] = {{"poses", {{"field", "dilate"}, {"values", {1.0, 2.0, 3.0}}}}};
  spec["channels"] = {{"pose", {{"every", 1}, {"names", {"volume", "elastic_energy"}}}},
                      {"operator", {{"every", 2}, {"names", {"condition_number"}}}}};
  ASSERT_EQ(run(spec).status, CellStatus::Completed);
  const TraceReader trace(path());
  EXPECT_THAT(trace.channel("pose", "pose_parameter").values, ElementsAre(1.0, 2.0, 3.0));
  EXPECT_NEAR(trace.channel("pose", "volume").values[2], 27 * 0.008, 1e-14);
  EXPECT_EQ(trace.channel("pose", "elastic_energy").values[0], 0.0);
  EXPECT_THAT(trace.channel("operator", "pose_parameter").values, ElementsAre(1.0, 3.0));
  EXPECT_TRUE(trace.has_channel("operator", "operator_converged"));
}

TEST_F(RunCell, EnsembleMembersAreLeadingRowsAndDifferByTheirSeed) {
  json spec = spec_of();
  spec["scene"] = {{"name", "tangled_block"}, {"parameters", json::object()}};
  spec["ensemble"] = {{"seeds", {4, 5, 4}}};
  spec["channels"]["step"]["names"] = {"elastic_energy"};
  ASSERT_EQ(run(spec).status, CellStatus::Completed);
  const ChannelData energy = TraceReader(path()).channel("step", "elastic_energy");
  ASSERT_THAT(energy.shape, ElementsAre(3, 11));
  EXPECT_EQ(energy.values[0], energy.values[22]);
  EXPECT_NE(energy.values[0], energy.values[11]);
}

TEST_F(RunCell, OneDivergedMemberMakesTheCellDivergedAndTheOthersFinish) {
  json spec = spec_of({{"motion", "nan"}, {"fails_at_step", 4}});
  spec["ensemble"] = {{"seeds", {1, 2}}};
  const CellOutcome outcome = run(spec);
  EXPECT_EQ(outcome.status, CellStatus::Diverged);
  EXPECT_THAT(outcome.reason, HasSubstr("seed 1: step 4 (2 s)"));
}

TEST_F(RunCell, ReferenceRunsAlongTheStepsWithTheNumbersOfTheScene) {
  json spec = spec_of();
  spec["references"] = {{{"id", "free_spin_of_linear_fem"},
                         {"parameters", {{"angular_velocity_rad_s", "$scene.parameters.angular_velocity_rad_s.2"}}}}};
  spec["scene"]["parameters"]["angular_velocity_rad_s"] = {0, 0, 5};
  ASSERT_EQ(run(spec).status, CellStatus::Completed);
  const TraceReader trace(path());
  const auto references = trace.references();
  ASSERT_EQ(references.size(), 1u);
  const auto volume = trace.channel("step", "volume").values;
  ASSERT_EQ(references[0].values.size(), volume.size());
  EXPECT_EQ(references[0].clock, "step");
  for (std::size_t k = 0; k < volume.size(); ++k)
    EXPECT_NEAR(volume[k] / volume[0], references[0].values[k], 1e-9 * references[0].values[k]);
}

TEST_F(RunCell, SpecsThatCannotBeRunAreRefusedBeforeAFileIsMade) {
  const std::vector<std::pair<json, std::string>> cases{
      {{{"op", "replace"}, {"path", "/scene/name"}, {"value", "barr"}}, "scene 'barr'"},
      {{{"op", "add"}, {"path", "/scene/parameters/lenght_m"}, {"value", 1}}, "parameter 'lenght_m' of scene"},
      {{{"op", "add"}, {"path", "/scene/parameters/side_m"}, {"value", -1}}, "got -1, expected a finite number > 0"},
      {{{"op", "replace"}, {"path", "/method/id"}, {"value", "springz"}}, "springz"},
      {{{"op", "replace"}, {"path", "/method/id"}, {"value", "free_flight"}}, ""},
      {{{"op", "replace"}, {"path", "/channels/step/names/0"}, {"value", "energy"}}, "channel 'energy': unknown"},
      {{{"op", "replace"}, {"path", "/channels/step/every"}, {"value", 0}}, "every 0, expected"},
      {{{"op", "add"}, {"path", "/channels/pose"}, {"value", {{"names", {"volume"}}}}}, "clock 'pose' does not go"},
      {{{"op", "add"}, {"path", "/references/-"}, {"value", {{"id", "no_such"}}}}, "no_such"},
      {{{"op", "add"},
        {"path", "/references/-"},
        {"value", {{"id", "free_spin_of_linear_fem"}, {"parameters", {{"angular_velocity_rad_s", "$scene.omega"}}}}}},
       "'$scene.omega': the cell has no key 'omega'"},
  };
  for (const auto& [change, message] : cases) {
    json spec = spec_of();
    spec = spec.patch(json::array({change}));
    if (message.empty()) spec["channels"]["step"]["names"] = {"elastic_energy"};
    try {
      run(spec);
      FAIL() << change << " accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message.empty() ? "method free_flight" : message)) << change;
    }
    EXPECT_FALSE(std::filesystem::exists(path()) || std::filesystem::exists(path().string() + ".part")) << change;
  }
}

}  // namespace
}  // namespace deformbench::harness
