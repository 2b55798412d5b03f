// SPDX-License-Identifier: BSD-3-Clause
// What the harness measures and writes of a body whose vertices split while it runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <Eigen/LU>

#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/harness/run/run_cell.hpp"
#include "experiments/harness/trace/provenance.hpp"
#include "experiments/harness/trace/trace_reader.hpp"
#include "experiments/harness/trace/validate.hpp"
#include "methods/model/error.hpp"
#include "tests/experiments/anchored_springs.hpp"
#include "tests/experiments/splitting_springs.hpp"
#include "tests/harness/small_cell.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::clock_of;

/// Six steps of a block of 27 vertices; at step 3 it is cut through.
json splitting_spec(json channels, json scene_parameters = json::object()) {
  json spec = tests::small_cell("spinning_block", "splitting_body", 6, std::move(channels));
  spec["scene"]["parameters"] = std::move(scene_parameters);
  return spec;
}

class ChangingTopology : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("deformbench_splitting_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  TraceReader run(const json& spec, const SceneRegistry& scenes = builtin_scenes()) {
    Registry registry = tests::spring_registry();
    registry.add(tests::splitting_method());
    const CellOutcome outcome = run_cell(spec, run_provenance({1, 1, "0123"}), registry, scenes, path());
    EXPECT_EQ(outcome.status, CellStatus::Completed) << outcome.reason;
    for (const Finding& finding : validate(path())) ADD_FAILURE() << finding.text();
    return TraceReader(path());
  }
  std::filesystem::path path() const { return folder_ / "cell.h5"; }
  std::filesystem::path folder_;
};

TEST_F(ChangingTopology, MassMomentaAndVolumeAreThoseOfTheBodyBeforeAndAfterASplit) {
  const auto trace =
      run(splitting_spec({{"step", clock_of({"mass", "linear_momentum", "angular_momentum", "kinetic_energy", "volume",
                                             "vertex_count", "split_count", "component_count"})}},
                         {{"velocity_m_s", {1, 2, 3}}}));
  const auto at = [&](const char* name) { return trace.channel("step", name).values; };
  const auto count = at("vertex_count"), splits = at("split_count");
  EXPECT_THAT(count, ElementsAre(27, 27, 27, 36, 36, 36, 36));  // the middle layer of 3×3 vertices, twice
  EXPECT_THAT(splits, ElementsAre(0, 0, 0, 9, 9, 9, 9));
  EXPECT_THAT(at("component_count"), ElementsAre(1, 1, 1, 2, 2, 2, 2));
  // Straight lines: forces do not act, so that everything but the volume is conserved, to rounding of sums of 36 terms.
  for (const char* name : {"mass", "linear_momentum", "angular_momentum", "kinetic_energy"}) {
    const auto values = at(name);
    const std::size_t width = values.size() / 7;
    double scale = 0.0;
    for (const double value : values) scale = std::max(scale, std::abs(value));
    ASSERT_GT(scale, 0.0) << name;
    for (std::size_t row = 1; row < 7; ++row)
      for (std::size_t k = 0; k < width; ++k)
        EXPECT_NEAR(values[row * width + k], values[k], 1e-13 * scale) << name << " row " << row;
  }
}

TEST_F(ChangingTopology, MotionForcesAndEnergyAreThoseOfTheMeshOfNow) {
  const auto trace = run(splitting_spec({{"step", clock_of({"max_displacement", "min_det_f", "max_det_f", "min_quality",
                                                            "max_speed", "unbalanced_force", "elastic_energy", "mass"},
                                                           2)}},
                                        {{"angular_velocity_rad_s", {0, 0, 0}}, {"velocity_m_s", {1, 2, 2}}}));
  const auto moved = trace.channel("step", "max_displacement").values;
  const auto times = trace.times("step");
  for (std::size_t k = 0; k < moved.size(); ++k) EXPECT_NEAR(moved[k], 3.0 * times[k], 1e-13) << k;
  // The vertices of the cut, x = 0, are the heaviest; when they have split they are as heavy as their likes on a face.
  // All are equally far from rest, |x − X| = 3 t, so that the largest force is the largest mass times that.
  const auto unbalanced = trace.channel("step", "unbalanced_force").values,
             energy = trace.channel("step", "elastic_energy").values, mass = trace.channel("step", "mass").values;
  for (std::size_t k = 1; k < moved.size(); ++k) {
    EXPECT_NEAR(energy[k], 4.5 * mass[k] * times[k] * times[k], 1e-12 * energy[k]) << k;
    EXPECT_GT(unbalanced[k], 0.0);
  }
  const double force_a_second_whole = unbalanced[1] / times[1], force_a_second_cut = unbalanced[2] / times[2];
  EXPECT_LT(force_a_second_cut, 0.75 * force_a_second_whole);
  for (const double ratio : trace.channel("step", "min_det_f").values) EXPECT_NEAR(ratio, 1.0, 1e-12);
  for (const double ratio : trace.channel("step", "max_det_f").values) EXPECT_NEAR(ratio, 1.0, 1e-12);
}

TEST_F(ChangingTopology, FramesHaveTheMeshOfTheirTimeAndFieldsOfItsLength) {
  const auto trace = run(splitting_spec(
      {{"step", clock_of({"volume"})}, {"frame", clock_of({"positions", "rotations", "element_plastic_strains"}, 2)}}));
  const auto frames = trace.frames();
  ASSERT_EQ(frames.size(), 4u);
  const std::vector<std::size_t> vertices{27, 27, 36, 36};
  const auto first = trace.scene_array("tetrahedra").values;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(frames[k].step, std::int64_t(2 * k));
    EXPECT_DOUBLE_EQ(frames[k].time, trace.times("frame")[k]);
    const auto positions = trace.dataset(frames[k].object + "/positions");
    EXPECT_THAT(positions.shape, ElementsAre(vertices[k], 3));
    EXPECT_EQ(positions.unit, "m");
    EXPECT_THAT(trace.dataset(frames[k].object + "/velocities").shape, ElementsAre(vertices[k], 3));
    // Elements keep their place; a corner is the vertex it was, or a copy of it.
    const auto tetrahedra = trace.dataset(frames[k].object + "/tetrahedra").values;
    const auto parents = trace.dataset(frames[k].object + "/parents").values;
    ASSERT_EQ(tetrahedra.size(), first.size());
    ASSERT_EQ(parents.size(), vertices[k]);
    for (std::size_t i = 0; i < first.size(); ++i)
      ASSERT_EQ(parents[std::size_t(tetrahedra[i])], first[i]) << k << ' ' << i;
    EXPECT_EQ(tetrahedra == first, k < 2);
  }
  // One row per element: a series as ever.
  EXPECT_THAT(trace.channel("frame", "element_plastic_strains").shape, ElementsAre(4, first.size() / 4, 6));
  EXPECT_TRUE(trace.has_channel("frame", "rotations"));
  EXPECT_FALSE(trace.has_channel("frame", "positions"));
  EXPECT_FALSE(trace.has("/frames/0/element_plastic_strains"));
}

TEST_F(ChangingTopology, PositionsOfAFrameAreThoseOfTheState) {
  const auto trace = run(splitting_spec({{"frame", clock_of({"positions"}, 3)}},
                                        {{"angular_velocity_rad_s", {0, 0, 0}}, {"velocity_m_s", {1, 0, 0}}}));
  const auto rest = trace.scene_array("rest_positions").values;
  for (const auto& frame : trace.frames()) {
    const auto positions = trace.dataset(frame.object + "/positions").values;
    const auto parents = trace.dataset(frame.object + "/parents").values;
    for (std::size_t v = 0; v < parents.size(); ++v)
      for (std::size_t k = 0; k < 3; ++k)
        ASSERT_NEAR(positions[3 * v + k], rest[3 * std::size_t(parents[v]) + k] + (k == 0 ? frame.time : 0.0), 1e-14);
  }
}

TEST_F(ChangingTopology, EventsOfTheMethodStandAtTheirStep) {
  json spec = splitting_spec({{"step", clock_of({"split_count"})}});
  spec["method"]["parameters"] = {{"splits_at_step", 2}, {"splits_per_step", 4}};
  const auto trace = run(spec);
  std::vector<std::int64_t> steps;
  for (const TraceEvent& event : trace.events()) {
    EXPECT_EQ(event.kind, "vertex_split");
    EXPECT_EQ(event.detail, "vertex " + std::to_string(event.code) + " splits");
    steps.push_back(event.step);
  }
  EXPECT_THAT(steps, ElementsAre(2, 2, 2, 2, 3, 3, 3, 3, 4));
  EXPECT_THAT(trace.channel("step", "split_count").values, ElementsAre(0, 0, 4, 8, 9, 9, 9));
}

TEST_F(ChangingTopology, PlasticStrainIsMeasuredAsATensor) {
  const auto trace = run(splitting_spec({{"step", clock_of({"plastic_strain_max", "plastic_strain_mean"})},
                                         {"frame", clock_of({"element_plastic_strains", "heated_elements"}, 6)}}));
  const auto elements = trace.scene_array("tetrahedra").shape[0];
  // Element e at step n: xx = n (e+1), xy = half of it: |ε| = n (e+1) √(1 + 2/4).
  const auto largest = trace.channel("step", "plastic_strain_max").values;
  for (std::size_t n = 0; n < largest.size(); ++n)
    EXPECT_NEAR(largest[n], double(n * elements) * std::sqrt(1.5), 1e-12 * double(elements * 6));
  const auto heated = trace.channel("frame", "heated_elements");
  EXPECT_THAT(heated.shape, ElementsAre(2, elements));
  double hot = 0.0;
  for (std::size_t e = 0; e < elements; ++e) hot += heated.values[elements + e];
  EXPECT_EQ(hot, 6.0);
}

TEST_F(ChangingTopology, FieldOfVerticesOnAnotherClockThanFrameIsRefused) {
  try {
    run(splitting_spec({{"step", clock_of({"positions"})}}));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("channel 'positions'"));
    EXPECT_THAT(error.what(), HasSubstr("expected clock 'frame'"));
  }
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(ChangingTopology, MethodThatSplitsNothingKeepsItsRectangularFrames) {
  json spec = splitting_spec(
      {{"step", clock_of({"split_count", "vertex_count", "component_count"})}, {"frame", clock_of({"positions"}, 3)}});
  spec["method"]["id"] = "anchored_springs";
  const auto trace = run(spec);
  EXPECT_THAT(trace.frames(), IsEmpty());
  EXPECT_THAT(trace.channel("frame", "positions").shape, ElementsAre(3, 27, 3));
  EXPECT_THAT(trace.channel("step", "split_count").values, Each(0.0));
  EXPECT_THAT(trace.channel("step", "vertex_count").values, Each(27.0));
  EXPECT_THAT(trace.channel("step", "component_count").values, Each(1.0));
}

TEST_F(ChangingTopology, MembersOfAnEnsembleHaveTheirOwnFrames) {
  json spec = splitting_spec({{"frame", clock_of({"positions"}, 3)}});
  spec["ensemble"] = {{"seeds", {1, 2}}};
  const auto frames = run(spec).frames();
  ASSERT_EQ(frames.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(frames[k].member, std::int64_t(k / 3));
    EXPECT_EQ(frames[k].step, std::int64_t(3 * (k % 3)));
  }
}

/// A block with a closed surface inside.
json skinned_spec(json channels) {
  json spec = splitting_spec(std::move(channels));
  spec["scene"] = {{"name", "skinned_block"}, {"parameters", json::object()}};
  return spec;
}

TEST_F(ChangingTopology, VolumesOfTheSkinDoNotCancelFarFromTheOrigin) {
  const SceneRegistry known = builtin_scenes();
  SceneRegistry scenes;
  for (SceneDescriptor scene : known.all()) {
    if (scene.id == "skinned_block") {
      scene.build = [build = scene.build](const Parameters& parameters) {
        Scene far = build(parameters);
        const Vector3 way(1e4, -2e4, 3e4);
        far.tet_mesh.rest_positions.rowwise() += way.transpose();
        far.skin.positions.rowwise() += way.transpose();
        return far;
      };
    }
    scenes.add(scene);
  }
  const auto trace = run(skinned_spec({{"step", clock_of({"skin_volume_error", "skin_piece_count"})}}), scenes);
  // Rounding of coordinates 4e4 times the body's size: 1e-16 · 4e4 of a length, not its third power of a volume.
  EXPECT_THAT(trace.channel("step", "skin_volume_error").values, Each(testing::DoubleNear(0.0, 1e-9)));
  EXPECT_EQ(trace.channel("step", "skin_piece_count").values.back(), 2.0);
}

TEST_F(ChangingTopology, SkinIsCutWithTheMeshAndStaysClosed) {
  const auto trace = run(skinned_spec(
      {{"step", clock_of({"skin_boundary_edges", "skin_area_vector", "skin_volume_error", "skin_piece_count",
                          "skin_triangle_count", "skin_grid_builds"})},
       {"frame", clock_of({"skin_positions", "skin_normals_rotated", "skin_rest_positions", "skin_elements"}, 3)}}));
  const auto at = [&](const char* name) { return trace.channel("step", name).values; };
  EXPECT_THAT(at("skin_boundary_edges"), Each(0.0));
  EXPECT_THAT(at("skin_area_vector"), Each(testing::Lt(1e-13)));
  EXPECT_THAT(at("skin_volume_error"), Each(testing::DoubleNear(0.0, 1e-13)));
  EXPECT_EQ(at("skin_piece_count").front(), 1.0);
  EXPECT_EQ(at("skin_piece_count").back(), 2.0);
  EXPECT_GT(at("skin_triangle_count").back(), at("skin_triangle_count").front());
  int cuts = 0;
  for (const TraceEvent& event : trace.events()) {
    if (event.kind != "surface_cut") continue;
    ++cuts;
    EXPECT_EQ(event.step, 3);
    EXPECT_GT(event.code, 0);
    EXPECT_THAT(event.detail, HasSubstr("faces opened"));
  }
  EXPECT_EQ(cuts, 1);
  for (const auto& frame : trace.frames()) {
    const auto positions = trace.dataset(frame.object + "/skin_positions"),
               normals = trace.dataset(frame.object + "/skin_normals_rotated"),
               triangles = trace.dataset(frame.object + "/skin_triangles"),
               origins = trace.dataset(frame.object + "/skin_origins");
    EXPECT_EQ(normals.shape, positions.shape);
    EXPECT_EQ(origins.shape[0], triangles.shape[0]);
    const bool has_crack = std::any_of(origins.values.begin(), origins.values.end(), [](double o) { return o < 0; });
    EXPECT_EQ(has_crack, frame.step >= 3) << frame.step;
    // Every vertex lies at rest in the element that it follows.
    const auto rest = trace.dataset(frame.object + "/skin_rest_positions"),
               elements = trace.dataset(frame.object + "/skin_elements");
    const auto corners = trace.dataset("/scene/rest_positions"), tets = trace.dataset("/scene/tetrahedra");
    ASSERT_EQ(rest.shape, positions.shape);
    ASSERT_EQ(elements.shape[0], positions.shape[0]);
    const auto point = [](const auto& data, std::size_t row) {
      return Vector3(data.values[3 * row], data.values[3 * row + 1], data.values[3 * row + 2]);
    };
    for (std::size_t v = 0; v < elements.values.size(); ++v) {
      const auto e = std::size_t(elements.values[v]);
      const auto corner = [&](std::size_t a) { return point(corners, std::size_t(tets.values[4 * e + a])); };
      Matrix3 edges;
      for (std::size_t a = 1; a < 4; ++a) edges.col(Eigen::Index(a) - 1) = corner(a) - corner(0);
      const Vector3 inner = edges.inverse() * (point(rest, v) - corner(0));
      EXPECT_GT(std::min(inner.minCoeff(), 1.0 - inner.sum()), -1e-9) << frame.step << ": vertex " << v;
    }
  }
}

}  // namespace
}  // namespace deformbench::harness
