// SPDX-License-Identifier: BSD-3-Clause
// The variants of the sequential sweep against the general solver's constraint objects, one after the other.
#include <gtest/gtest.h>

#include "methods/pbd/explicit_constraints.hpp"
#include "methods/pbd/projection.hpp"
#include "tests/pbd/sweeps/sweep_fixture.hpp"

namespace deformbench::pbd {
namespace {

/// The constraints of the mesh as objects, in the listed order.
std::vector<std::unique_ptr<Constraint>> objects_of(const MeshConstraints& mesh, BendAngle angle) {
  std::vector<std::unique_ptr<Constraint>> result;
  for (const auto& c : mesh.stretch)
    result.push_back(
        make_constraint({model::ConstraintKind::Distance, {c.a, c.b, -1, -1}, c.rest_length, 1.0, 0.0, false}, angle));
  for (const auto& c : mesh.bend)
    result.push_back(make_constraint({model::ConstraintKind::Bend, c.vertices, c.rest_angle, 1.0, 0.0, false}, angle));
  return result;
}

struct Case {
  MassWeighting weighting;
  BendAngle angle;
  bool is_compliant;
  bool is_reverse;
};

void expect_same_as_objects(const Case& c) {
  Scene scene = hung_cloth(6);
  for (Eigen::Index v = 0; v < 36; ++v)
    scene.cloth.rest_positions(v, 1) = 0.05 * std::sin(1.0 + double(v));  // not flat at rest
  const MeshConstraints mesh = build_mesh_constraints(scene.cloth);
  const Eigen::VectorXd w = inverse_masses_of(scene);
  PbdOptions options;
  options.iterations = 3;
  options.stretch_stiffness = 0.8, options.bend_stiffness = 0.3;
  options.stretch_compliance = 1e-5, options.bend_compliance = 1e-2;
  options.mass_weighting = c.weighting, options.bend_angle = c.angle, options.is_compliant = c.is_compliant;
  options.order = c.is_reverse ? SweepOrder::Reverse : SweepOrder::Forward;
  options.execution = Execution::Sequential;
  const Points x = crumpled(scene, 0.02);
  const Points result = swept(mesh, w, options, x);

  Points p = x;
  const auto objects = objects_of(mesh, c.angle);
  std::vector<double> multipliers(objects.size(), 0.0);
  for (int k = 0; k < options.iterations; ++k)
    for (std::size_t j = 0; j < objects.size(); ++j) {
      const std::size_t at = c.is_reverse ? objects.size() - 1 - j : j;
      const bool is_stretch = at < mesh.stretch.size();
      const double stiffness = is_stretch ? options.stretch_stiffness : options.bend_stiffness;
      const double compliance = is_stretch ? options.stretch_compliance : options.bend_compliance;
      project(*objects[at], w, c.is_compliant ? compliance / (0.01 * 0.01) : 1.0 - std::pow(1.0 - stiffness, 1.0 / 3.0),
              c.weighting, c.is_compliant ? &multipliers[at] : nullptr, p);
    }
  // A few ulp of 1 m in each of some 60 corrections that follow one another; arccos near flat divides them by the sine
  // of the fold, which is of the order of 0.01 at the flattest pairs.
  EXPECT_LT(largest_difference(result, p), c.angle == BendAngle::AsPrinted ? 1e-10 : 1e-12);
  EXPECT_GT(largest_difference(result, x), 1e-3);
}

TEST(SequentialSweep, IsTheGeneralProjectionOfEveryConstraintInTurn) {
  for (const bool is_reverse : {false, true}) {
    expect_same_as_objects({MassWeighting::Corrected, BendAngle::Signed, false, is_reverse});
    expect_same_as_objects({MassWeighting::AsPrinted, BendAngle::Signed, false, is_reverse});
    expect_same_as_objects({MassWeighting::Corrected, BendAngle::AsPrinted, false, is_reverse});
    expect_same_as_objects({MassWeighting::AsPrinted, BendAngle::AsPrinted, false, is_reverse});
    expect_same_as_objects({MassWeighting::Corrected, BendAngle::Signed, true, is_reverse});
  }
}

TEST(SequentialSweep, JacobiTakesTheMeanOfAVertexsCorrections) {
  // A V of two stretch constraints from held ends to one vertex: with k = 1 each asks for its own length.
  MeshConstraints mesh;
  mesh.stretch = {{0, 2, 1.0}, {1, 2, 1.0}};
  Points x(3, 3);
  x << 0, 0, 0, 3, 0, 0, 1.2, 0, 0;
  const Eigen::Vector3d w(0.0, 0.0, 1.0);
  PbdOptions options;
  options.order = SweepOrder::Jacobi;
  options.iterations = 1;
  // Corrections −0.2 (to 1.0) and +0.8 (to 2.0).
  EXPECT_NEAR(swept(mesh, w, options, x)(2, 0), 1.2 + 0.3, 1e-15);
  options.jacobi_omega = 0.5;
  EXPECT_NEAR(swept(mesh, w, options, x)(2, 0), 1.2 + 0.15, 1e-15);
  options.jacobi_average = false;
  EXPECT_NEAR(swept(mesh, w, options, x)(2, 0), 1.2 + 0.3, 1e-15);
}

TEST(SequentialSweep, RandomOrderIsAnotherEveryIterationAndTheSameForASeed) {
  const Scene scene = hung_cloth(6);
  const MeshConstraints mesh = build_mesh_constraints(scene.cloth);
  const Eigen::VectorXd w = inverse_masses_of(scene);
  PbdOptions options;
  options.order = SweepOrder::Random;
  const Points x = crumpled(scene, 0.02);
  const auto one_iteration = [&](std::uint64_t seed, int earlier) {
    const auto sweep = make_sweep(mesh, w, options, seed, 1);
    Points p = x;
    sweep->run(p, earlier);
    p = x;
    sweep->run(p, 1);
    return p;
  };
  EXPECT_EQ(one_iteration(1, 0), one_iteration(1, 0));
  EXPECT_GT(largest_difference(one_iteration(1, 0), one_iteration(2, 0)), 1e-6);
  EXPECT_GT(largest_difference(one_iteration(1, 0), one_iteration(1, 1)), 1e-6);
}

TEST(SequentialSweep, GradientsOfTheStartKeepTheAngularMomentumOfTheStep) {  // B-PBD-5
  Scene scene = hung_cloth(6);
  scene.prescribed.clear();
  const MeshConstraints mesh = build_mesh_constraints(scene.cloth);
  const Eigen::VectorXd masses = lumped_masses(scene);
  const Points x = crumpled(scene, 0.02), p = crumpled(scene, 0.02, 8);
  for (const GradientsAt at : {GradientsAt::Start, GradientsAt::Predicted}) {
    PbdOptions options;
    options.gradients_at = at;
    const auto sweep = make_sweep(mesh, masses.cwiseInverse(), options, 1, 1);
    Points q = p;
    sweep->begin_step(0.01);
    sweep->set_start(x);
    sweep->run(q, 10);
    Vector3 torque = Vector3::Zero();  // Σ m x × Δp, which is the change of L times Δt
    for (Eigen::Index v = 0; v < x.rows(); ++v)
      torque += masses[v] * x.row(v).transpose().cross((q - p).row(v).transpose());
    if (at == GradientsAt::Start)
      EXPECT_LT(torque.norm(), 1e-15);
    else
      EXPECT_GT(torque.norm(), 1e-7);
  }
}

}  // namespace
}  // namespace deformbench::pbd
