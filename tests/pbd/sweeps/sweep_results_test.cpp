// SPDX-License-Identifier: BSD-3-Clause
// What lanes and threads do to the result: nothing, or what their order says.
#include <gtest/gtest.h>

#include "methods/pbd/register_pbd.hpp"
#include "methods/pbd/sweeps/blocks.hpp"
#include "methods/peers/register_peers.hpp"
#include "tests/pbd/sweeps/sweep_fixture.hpp"

namespace deformbench::pbd {
namespace {

// The same operations on the same numbers but for the order of sums and products: a few ulp of 1 m per iteration, which
// the motion of a cloth that swings amplifies. 1e−10 of its side is the bound of the task.
constexpr double kRounding = 1e-10;

double difference_after(int steps, Simulation& a, Simulation& b) {
  for (int k = 0; k < steps; ++k) a.step(), b.step();
  return largest_difference(a.state().positions, b.state().positions);
}

TEST(ScheduledSweep, HundredStepsAgreeWithTheSequentialSweep) {
  for (const char* method : {"pbd", "xpbd"})
    for (const char* order : {"forward", "symmetric"})
      for (const int n : {5, 12, 20}) {
        Settings settings{{"order", std::string(order)}, {"execution", std::string("scheduled")}};
        const auto scheduled = make(method, hung_cloth(n), settings);
        settings["execution"] = std::string("sequential");
        const auto sequential = make(method, hung_cloth(n), settings);
        EXPECT_LT(difference_after(100, *scheduled, *sequential), kRounding) << method << " " << order << " " << n;
        EXPECT_GT((scheduled->state().positions - hung_cloth(n).cloth.rest_positions).norm(), 0.5) << "it has swung";
      }
}

TEST(ScheduledSweep, HundredStepsAgreeWithTheNaivePeer) {
  Registry registry;
  peers::register_naive_pbd(registry);
  const MethodDescriptor& naive = registry.at("naive_pbd");
  const Scene scene = hung_cloth(20);
  const auto theirs = naive.create(scene, Parameters(naive.parameters, {}, "naive_pbd"), {});
  const auto ours = make(
      "pbd", scene,
      {{"order", std::string("forward")}, {"iterations", 10LL}, {"stretch_stiffness", 1.0}, {"bend_stiffness", 0.1}});
  EXPECT_LT(difference_after(100, *ours, *theirs), kRounding);
}

TEST(ScheduledSweep, OneIterationOfACrumpledClothAgreesToRounding) {
  const Scene scene = hung_cloth(15);
  const MeshConstraints constraints = build_mesh_constraints(scene.cloth);
  const Eigen::VectorXd w = inverse_masses_of(scene);
  // The last amount is far beyond the edges of 0.07 m: folded and inverted pairs.
  for (const auto& [order, amount] : std::vector<std::pair<SweepOrder, double>>{{SweepOrder::Forward, 0.01},
                                                                                {SweepOrder::Forward, 0.05},
                                                                                {SweepOrder::Forward, 0.5},
                                                                                {SweepOrder::Symmetric, 0.01},
                                                                                {SweepOrder::Symmetric, 0.05},
                                                                                {SweepOrder::Symmetric, 0.5}}) {
    PbdOptions options;
    options.order = order;
    options.iterations = 1;
    options.bend_stiffness = 1.0;
    const Points x = crumpled(scene, amount);
    const Points scheduled = swept(constraints, w, options, x);
    options.execution = Execution::Sequential;
    // Along a chain of some 60 corrections of up to `amount`/edge each.
    EXPECT_LT(largest_difference(scheduled, swept(constraints, w, options, x)), 1e-11) << amount;
  }
}

TEST(ScheduledSweep, SinglePrecisionIsTheSameSweepInFloats) {
  const Scene scene = hung_cloth(15);
  const MeshConstraints constraints = build_mesh_constraints(scene.cloth);
  for (const bool is_compliant : {false, true}) {
    PbdOptions options;
    options.is_compliant = is_compliant;
    Points x = crumpled(scene, 0.01);
    x.rowwise() += Eigen::RowVector3d(100, 0, 0);  // the sweep counts from a vertex of its own
    const Points exact = swept(constraints, inverse_masses_of(scene), options, x);
    options.precision = Precision::Single;
    const Points rounded = swept(constraints, inverse_masses_of(scene), options, x);
    // 1e-7 of the cloth's 14 edges is 1e-7 m; ten iterations of chains of corrections amplify it.
    EXPECT_LT(largest_difference(rounded, exact), 1e-4);
    EXPECT_GT(largest_difference(rounded, exact), 0.0);
    EXPECT_GT(largest_difference(x, exact), 0.005);
  }
}

TEST(LaneSweeps, LeaveHeldVerticesUntouchedToTheBit) {
  const Scene scene = hung_cloth(9);
  const MeshConstraints constraints = build_mesh_constraints(scene.cloth);
  const Points x = crumpled(scene, 0.03);
  for (const SweepOrder order : {SweepOrder::Forward, SweepOrder::Symmetric, SweepOrder::Coloured})
    for (const Precision precision : {Precision::Double, Precision::Single}) {
      PbdOptions options;
      options.order = order;
      options.precision = precision;
      const Points p = swept(constraints, inverse_masses_of(scene), options, x);
      for (const int v : scene.prescribed[0].vertices) EXPECT_EQ(p.row(v), x.row(v));
    }
}

TEST(LaneSweeps, StayFiniteWhereTrianglesCollapse) {
  const Scene scene = hung_cloth(8);
  const MeshConstraints constraints = build_mesh_constraints(scene.cloth);
  for (const SweepOrder order : {SweepOrder::Forward, SweepOrder::Symmetric, SweepOrder::Coloured})
    for (const Precision precision : {Precision::Double, Precision::Single})
      for (const double size : {0.0, 1e-12, 1e-3}) {
        PbdOptions options;
        options.order = order;
        options.precision = precision;
        Points x = size * scene.cloth.rest_positions;
        EXPECT_TRUE(swept(constraints, inverse_masses_of(scene), options, x).allFinite()) << size;
      }
}

TEST(ColouredSweep, DoesNotDependOnTheNumberOfThreads) {
  const Scene scene = hung_cloth(36);
  ASSERT_GE(scene.cloth.vertex_count(), kVerticesForThreads);
  const MeshConstraints constraints = build_mesh_constraints(scene.cloth);
  const Points x = crumpled(scene, 0.01);
  for (const bool is_compliant : {false, true})
    for (const Precision precision : {Precision::Double, Precision::Single}) {
      PbdOptions options;
      options.is_compliant = is_compliant;
      options.order = SweepOrder::Coloured;
      options.precision = precision;
      const Points one = swept(constraints, inverse_masses_of(scene), options, x, 1);
      for (const int threads : {2, 3})
        EXPECT_EQ(one, swept(constraints, inverse_masses_of(scene), options, x, threads));
    }
}

TEST(ColouredSweep, IsTheSequentialSweepInTheOrderOfItsColours) {
  const Scene scene = hung_cloth(12);
  const MeshConstraints constraints = build_mesh_constraints(scene.cloth);
  const Points x = crumpled(scene, 0.02);
  PbdOptions options;
  options.order = SweepOrder::Coloured;
  const Points coloured = swept(constraints, inverse_masses_of(scene), options, x);

  MeshConstraints relisted;
  std::vector<int> vertices;
  for (const auto& c : constraints.stretch) vertices.insert(vertices.end(), {c.a, c.b});
  for (const int c : colour_schedule({vertices, 2, 144}, 1).constraints)
    relisted.stretch.push_back(constraints.stretch[std::size_t(c)]);
  vertices.clear();
  for (const auto& c : constraints.bend) vertices.insert(vertices.end(), c.vertices.begin(), c.vertices.end());
  for (const int c : colour_schedule({vertices, 4, 144}, 1).constraints)
    relisted.bend.push_back(constraints.bend[std::size_t(c)]);
  options.order = SweepOrder::Forward;
  options.execution = Execution::Sequential;
  EXPECT_LT(largest_difference(coloured, swept(relisted, inverse_masses_of(scene), options, x)), 1e-11);
  EXPECT_GT(largest_difference(coloured, swept(constraints, inverse_masses_of(scene), options, x)), 1e-5)
      << "another order";
}

TEST(ColouredSweep, StepsOfAWholeSimulationDoNotDependOnTheNumberOfThreads) {
  const Scene scene = hung_cloth(36);
  Registry registry;
  register_pbd(registry);
  const MethodDescriptor& pbd = registry.at("pbd");
  for (const double damping : {0.0, 0.1}) {
    const Parameters parameters(pbd.parameters, {{"order", std::string("coloured")}, {"damping", damping}}, "pbd");
    const auto one = pbd.create(scene, parameters, {1, 1, false}), two = pbd.create(scene, parameters, {1, 2, false});
    EXPECT_EQ(difference_after(20, *one, *two), 0.0);
    EXPECT_GT((one->state().positions - scene.cloth.rest_positions).norm(), 0.5) << "it has swung";
  }
}

TEST(ColouredSweep, BlocksAreTheSequentialSweepInTheirOrder) {
  const int n = 36;
  const Scene scene = hung_cloth(n);
  const MeshConstraints constraints = build_mesh_constraints(scene.cloth);
  std::vector<int> pairs, fours;
  for (const auto& c : constraints.stretch) pairs.insert(pairs.end(), {c.a, c.b});
  for (const auto& c : constraints.bend) fours.insert(fours.end(), c.vertices.begin(), c.vertices.end());
  const ConstraintGraph stretches{pairs, 2, n * n}, bends{fours, 4, n * n};
  const Blocks blocks = cut_into_blocks(std::array{stretches, bends}, 2);
  ASSERT_EQ(blocks.count, 2);
  MeshConstraints relisted;
  for (const int c : block_schedule(stretches, 1, blocks).constraints)
    relisted.stretch.push_back(constraints.stretch[std::size_t(c)]);
  for (const int c : block_schedule(bends, 1, blocks).constraints)
    relisted.bend.push_back(constraints.bend[std::size_t(c)]);
  const Points x = crumpled(scene, 0.01);
  PbdOptions options;
  options.order = SweepOrder::Coloured;
  const Points blocked = swept(constraints, inverse_masses_of(scene), options, x, 2);
  options.order = SweepOrder::Forward;
  options.execution = Execution::Sequential;
  EXPECT_LT(largest_difference(blocked, swept(relisted, inverse_masses_of(scene), options, x)), 1e-11);
}

TEST(LaneSweeps, KeepTheMomentaOfEveryIteration) {  // [MHHR07] eq. 2, about the positions that are projected
  Scene scene = hung_cloth(9);
  scene.prescribed.clear();
  const MeshConstraints constraints = build_mesh_constraints(scene.cloth);
  const Eigen::VectorXd masses = lumped_masses(scene);
  const Points x = crumpled(scene, 0.02);
  for (const SweepOrder order : {SweepOrder::Forward, SweepOrder::Symmetric, SweepOrder::Coloured}) {
    PbdOptions options;
    options.order = order;
    options.iterations = 1;
    // Σ m Δp is kept by every correction; Σ m p × Δp by each about the positions before it, so for one kind alone and
    // small corrections of second order in their size.
    const Points change = swept(constraints, masses.cwiseInverse(), options, x) - x;
    EXPECT_LT((masses.transpose() * change).norm(), 1e-15);  // 0.2 kg × rounding of corrections of 0.01 m × √n
    EXPECT_GT(change.norm(), 0.01);
  }
}

}  // namespace
}  // namespace deformbench::pbd
