// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "methods/model/error.hpp"
#include "tests/pbd/sweeps/sweep_fixture.hpp"

namespace deformbench::pbd {
namespace {

TEST(MakeSweep, RefusesWhatThereIsNotAndSaysSoBeforehand) {
  const Scene scene = hung_cloth(4);
  const MeshConstraints mesh = build_mesh_constraints(scene.cloth);
  const auto expect_refusal = [&](auto change, const std::string& what) {
    PbdOptions options;
    change(options);
    EXPECT_THAT(sweep_refusal(options), testing::HasSubstr(what));
    EXPECT_THROW(make_sweep(mesh, inverse_masses_of(scene), options, 1, 1), InputError);
  };
  expect_refusal([](PbdOptions& o) { o.precision = Precision::Single, o.execution = Execution::Sequential; },
                 "precision");
  expect_refusal([](PbdOptions& o) { o.precision = Precision::Single, o.order = SweepOrder::Jacobi; }, "precision");
  expect_refusal([](PbdOptions& o) { o.precision = Precision::Single, o.bend_angle = BendAngle::AsPrinted; },
                 "precision");
  expect_refusal([](PbdOptions& o) { o.order = SweepOrder::Coloured, o.mass_weighting = MassWeighting::AsPrinted; },
                 "order");
  expect_refusal([](PbdOptions& o) { o.order = SweepOrder::Coloured, o.gradients_at = GradientsAt::Start; }, "order");
  expect_refusal([](PbdOptions& o) { o.is_compliant = true, o.mass_weighting = MassWeighting::AsPrinted; },
                 "mass_weighting");
  EXPECT_EQ(sweep_refusal(PbdOptions{}), "");
}

}  // namespace
}  // namespace deformbench::pbd
