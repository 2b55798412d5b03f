// SPDX-License-Identifier: BSD-3-Clause
// A trace of cloth that tears beside a rigid body: frames, channels, scene arrays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "experiments/harness/run/run_cell.hpp"
#include "experiments/harness/trace/provenance.hpp"
#include "experiments/harness/trace/trace_reader.hpp"
#include "experiments/harness/trace/validate.hpp"
#include "methods/facets.hpp"
#include "tests/harness/probes/puppet.hpp"
#include "tests/harness/small_cell.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;
using testing::Each;
using testing::ElementsAre;
using tests::clock_of;

/// Flies in straight lines; at step 3 vertex 2 of the unit square gets a duplicate for the second triangle, and at step
/// 5 the other end of the diagonal too. A ball flies along.
class TearingSquare final : public Simulation, public TopologyFacet, public EventsFacet {
 public:
  TearingSquare(const Scene& scene, double bad_at)
      : scene_(scene),
        bad_at_(bad_at),
        positions_(scene.start_positions()),
        velocities_(scene.start_velocities()),
        masses_(lumped_masses(scene)),
        parents_{0, 1, 2, 3} {
    ball_ = {2.0, Matrix3::Identity(), {0, 0, 5}, Matrix3::Identity(), {0, 1, 0}, {0, 0, 1}};
  }
  StepReport step() override {
    ++step_;
    events_.clear();
    positions_ += scene_.time_step * velocities_;
    ball_.position += scene_.time_step * ball_.velocity;
    if (step_ == 3) tear(2);
    if (step_ == 5) tear(0);
    if (step_ == bad_at_) ball_.angular_velocity.x() = std::numeric_limits<double>::quiet_NaN();
    return {};
  }
  StateView state() const override {
    return {double(step_) * scene_.time_step,
            PointsView(positions_.data(), positions_.rows(), 3),
            PointsView(velocities_.data(), velocities_.rows(), 3),
            ScalarsView(masses_.data(), masses_.size()),
            {&ball_, 1}};
  }
  const Scene& current_scene() const override { return scene_; }
  std::span<const int> parents() const override { return parents_; }
  std::int64_t topology_version() const override { return std::int64_t(parents_.size()) - 4; }
  std::span<const SimulationEvent> step_events() const override { return events_; }

 private:
  void tear(int v) {
    const auto born = int(positions_.rows());
    for (Points* rows : {&positions_, &velocities_, &scene_.cloth.rest_positions}) {
      rows->conservativeResize(born + 1, 3);
      rows->row(born) = rows->row(v).eval();
    }
    for (int k = 0; k < 3; ++k)
      if (scene_.cloth.triangles(1, k) == v) scene_.cloth.triangles(1, k) = born;
    parents_.push_back(v);
    masses_ = lumped_masses(scene_);
    events_.push_back({"cloth_tear", v, "vertex tears"});
  }

  Scene scene_;
  double bad_at_;
  Points positions_, velocities_;
  Eigen::VectorXd masses_;
  std::vector<int> parents_;
  RigidBodyState ball_;
  std::int64_t step_ = 0;
  std::vector<SimulationEvent> events_;
};

Registry registry_of() {
  Registry registry;
  MethodDescriptor method;
  method.id = "tearing_square";
  method.summary = "Straight lines, and a tear.";
  method.paper = {"none", "none"};
  method.parameters = {{"bad_at_step", "1", -1.0, "When the ball is lost."}};
  method.supports = [](const Scene&, const Parameters&) { return Support::yes(); };
  method.create = [](const Scene& scene, const Parameters& parameters, const RunContext&) {
    return std::make_unique<TearingSquare>(scene, parameters.real("bad_at_step"));
  };
  registry.add(method);
  return registry;
}

Scene square_and_ball(const Parameters&) {
  Scene scene = tests::unit_square();
  scene.initial_velocities = Points::Zero(4, 3);
  scene.initial_velocities.col(0).setConstant(2.0);
  model::RigidBody ball;
  ball.name = "ball";
  ball.shape.radius = 0.25;
  ball.mass = 2.0;
  ball.start.position = {0, 0, 5};
  scene.rigid_bodies = {ball};
  scene.attachments = {{3, 0, true}};
  scene.constraints = {{model::ConstraintKind::Distance, {0, 1, -1, -1}, 1.0}};
  scene.colliders = {{Vector3::UnitY(), -1.0}};
  scene.vertex_sets["tip"] = {1};
  return scene;
}

SceneRegistry scenes_of() {
  SceneRegistry scenes;
  scenes.add({"unit_square", "Two triangles and a ball.", {}, square_and_ball});
  return scenes;
}

json spec_of(json channels) {
  return tests::small_cell("unit_square", "tearing_square", 6, std::move(channels));
}

class TornCloth : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("deformbench_tearing_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path path() const { return folder_ / "cell.h5"; }
  CellOutcome run(const json& spec) {
    return run_cell(spec, run_provenance({1, 1, "0123"}), registry_of(), scenes_of(), path());
  }
  TraceReader completed(const json& spec) {
    const CellOutcome outcome = run(spec);
    EXPECT_EQ(outcome.status, CellStatus::Completed) << outcome.reason;
    for (const Finding& finding : validate(path())) ADD_FAILURE() << finding.text();
    return TraceReader(path());
  }
  std::filesystem::path folder_;
};

TEST_F(TornCloth, ChannelsAreThoseOfTheClothAsItIsTorn) {
  const auto trace =
      completed(spec_of({{"step", clock_of({"torn_vertices", "vertex_count", "component_count", "boundary_length",
                                            "edge_strain_max", "surface_area", "non_manifold_edges", "mass",
                                            "linear_momentum", "component_volumes", "constraint_values"})}}));
  const auto at = [&](const char* name) { return trace.channel("step", name).values; };
  EXPECT_THAT(at("torn_vertices"), ElementsAre(0, 0, 0, 1, 1, 2, 2));
  EXPECT_THAT(at("vertex_count"), ElementsAre(4, 4, 4, 5, 5, 6, 6));
  EXPECT_THAT(at("component_count"), ElementsAre(1, 1, 1, 2, 2, 2, 2));  // triangles hang together through edges
  const double open = 4.0 + 2.0 * std::sqrt(2.0);
  const auto length = at("boundary_length");
  for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(length[k], k < 3 ? 4.0 : open, 1e-15) << k;
  EXPECT_THAT(at("edge_strain_max"), Each(testing::DoubleNear(0.0, 1e-15)));
  EXPECT_THAT(at("surface_area"), Each(testing::DoubleNear(1.0, 1e-15)));
  EXPECT_THAT(at("non_manifold_edges"), Each(0.0));
  EXPECT_THAT(at("mass"), Each(testing::DoubleNear(4.0, 1e-14)));  // 2 kg of cloth, 2 kg of ball
  const auto momentum = at("linear_momentum");
  for (std::size_t k = 0; k < 7; ++k) {
    EXPECT_NEAR(momentum[3 * k], 4.0, 1e-14) << k;
    EXPECT_NEAR(momentum[3 * k + 1], 2.0, 1e-14) << k;
  }
  EXPECT_THAT(trace.channel("step", "component_volumes").shape, ElementsAre(7, 1));  // of the start: one piece
  EXPECT_THAT(at("constraint_values"), Each(testing::DoubleNear(0.0, 1e-15)));
}

TEST_F(TornCloth, FramesHaveTrianglesInPlaceOfTetrahedra) {
  const auto trace =
      completed(spec_of({{"frame", clock_of({"positions", "rigid_positions", "rigid_orientations"}, 2)}}));
  const auto frames = trace.frames();
  ASSERT_EQ(frames.size(), 4u);
  const std::vector<std::size_t> vertices{4, 4, 5, 6};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_FALSE(trace.has(frames[k].object + "/tetrahedra"));
    EXPECT_THAT(trace.dataset(frames[k].object + "/positions").shape, ElementsAre(vertices[k], 3));
    EXPECT_THAT(trace.dataset(frames[k].object + "/triangles").shape, ElementsAre(2, 3));
  }
  EXPECT_THAT(trace.dataset("/frames/1/triangles").values, ElementsAre(0, 1, 2, 0, 2, 3));
  EXPECT_THAT(trace.dataset("/frames/2/triangles").values, ElementsAre(0, 1, 2, 0, 4, 3));
  EXPECT_THAT(trace.dataset("/frames/3/triangles").values, ElementsAre(0, 1, 2, 5, 4, 3));
  EXPECT_THAT(trace.dataset("/frames/3/parents").values, ElementsAre(0, 1, 2, 3, 2, 0));
  EXPECT_THAT(trace.channel("frame", "rigid_positions").shape, ElementsAre(4, 1, 3));
  EXPECT_THAT(trace.channel("frame", "rigid_orientations").shape, ElementsAre(4, 1, 3, 3));
  EXPECT_NEAR(trace.channel("frame", "rigid_positions").values[3 * 3 + 1], 6 * 0.01, 1e-15);
}

TEST_F(TornCloth, SceneHasTheClothTheConstraintsAndTheBodies) {
  const auto trace = completed(spec_of({{"step", clock_of({"mass"})}}));
  EXPECT_THAT(trace.scene_array("triangles").values, ElementsAre(0, 1, 2, 0, 2, 3));
  EXPECT_THAT(trace.scene_array("masses").values, testing::SizeIs(4));
  EXPECT_THAT(trace.scene_array("constraint_vertices").values, ElementsAre(0, 1, -1, -1));
  EXPECT_THAT(trace.scene_array("constraint_kinds").values, ElementsAre(0));
  EXPECT_THAT(trace.scene_array("constraint_rest_values").values, ElementsAre(1.0));
  EXPECT_THAT(trace.scene_array("rigid_masses").values, ElementsAre(2.0));
  EXPECT_THAT(trace.scene_array("rigid_kinematic").values, ElementsAre(0));
  EXPECT_THAT(trace.scene_array("rigid_start_positions").values, ElementsAre(0, 0, 5));
  EXPECT_THAT(trace.scene_array("attachments").values, ElementsAre(3, 0));
  EXPECT_THAT(trace.scene_array("plane_normals").values, ElementsAre(0, 1, 0));
  EXPECT_THAT(trace.scene_array("plane_offsets").values, ElementsAre(-1));
  const auto corners = trace.scene_array("rigid_0_positions");
  for (std::size_t v = 0; v < corners.shape[0]; ++v)
    EXPECT_NEAR(std::hypot(corners.values[3 * v], corners.values[3 * v + 1], corners.values[3 * v + 2]), 0.25, 1e-15);
  EXPECT_THAT(trace.scene_array("rigid_0_triangles").shape, ElementsAre(testing::Gt(100u), 3));
}

TEST_F(TornCloth, RigidBodyThatIsNotFiniteEndsTheRun) {
  json spec = spec_of({{"step", clock_of({"mass"})}});
  spec["method"]["parameters"] = {{"bad_at_step", 4.0}};
  const CellOutcome outcome = run(spec);
  EXPECT_EQ(outcome.status, CellStatus::Diverged);
  EXPECT_EQ(outcome.reason, "step 4 (0.04 s): the velocity of rigid body 0 is not finite");
}

TEST_F(TornCloth, PosesMoveTheClothAndLeaveTheBodies) {
  json spec = spec_of({{"pose", clock_of({"surface_area", "edge_strain_max", "linear_momentum"})}});
  spec["schedule"] = {{"poses", {{"field", "dilate"}, {"values", {1.0, 2.0}}}}};
  const auto trace = completed(spec);
  EXPECT_THAT(trace.channel("pose", "surface_area").values,
              ElementsAre(testing::DoubleNear(1.0, 1e-15), testing::DoubleNear(4.0, 1e-14)));
  EXPECT_NEAR(trace.channel("pose", "edge_strain_max").values[1], 1.0, 1e-14);
  EXPECT_THAT(trace.channel("pose", "linear_momentum").values, Each(0.0));
}

}  // namespace
}  // namespace deformbench::harness
