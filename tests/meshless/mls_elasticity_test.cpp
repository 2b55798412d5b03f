// SPDX-License-Identifier: BSD-3-Clause
// Energy and forces of nodes, against closed forms of homogeneous states and differences. [PKAGDG05] §2
#include "methods/meshless/nodes/mls_elasticity.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tests/meshless/cloud_fixture.hpp"

namespace deformbench::meshless {
namespace {

struct Body {
  NodeCloud cloud;
  MlsElasticity elasticity;
  Body(const Scene& scene, const ElasticOptions& options)
      : cloud(make_node_cloud(scene, {})), elasticity(cloud, options) {}
  double volume() const {
    double sum = 0.0;
    for (const double v : cloud.volumes) sum += v;
    return sum;
  }
};

const ElasticOptions kAll[] = {
    {Strain::Green, 0.0}, {Strain::TwiceGreen, 0.0}, {Strain::Green, 3e4}, {Strain::TwiceGreen, 3e4}};

TEST(MlsElasticity, ForcesAreTheSlopeOfTheEnergy) {
  for (const Scene& scene : {jittered_block(2), flat_block(2)})
    for (const ElasticOptions& options : kAll) {
      const Body body(scene, options);
      const Points x = body.cloud.rest + random_points(body.cloud.size(), 0.1, 4);
      const Points forces = body.elasticity.forces(x);
      const double scale = forces.cwiseAbs().maxCoeff(), d = 1e-5;
      ASSERT_GT(scale, 1.0);
      for (Eigen::Index k = 0; k < x.size(); ++k) {
        Points more = x, less = x;
        more.data()[k] += d, less.data()[k] -= d;
        const double slope = (body.elasticity.energy(more) - body.elasticity.energy(less)) / (2 * d);
        EXPECT_NEAR(forces.data()[k], -slope, 1e-7 * scale);
      }
    }
}

TEST(MlsElasticity, ForcesHaveNoSumAndNoMoment) {
  for (const Scene& scene : {jittered_block(3), flat_block(3)})
    for (const ElasticOptions& options : kAll) {
      const Body body(scene, options);
      const Points x = body.cloud.rest + random_points(body.cloud.size(), 0.2, 5);
      const Points forces = body.elasticity.forces(x);
      Vector3 sum = Vector3::Zero(), moment = Vector3::Zero();
      for (Eigen::Index i = 0; i < x.rows(); ++i) {
        sum += forces.row(i);
        moment += Vector3(x.row(i)).cross(Vector3(forces.row(i)));
      }
      EXPECT_LT(sum.norm(), 1e-13 * forces.norm());
      EXPECT_LT(moment.norm(), 1e-13 * forces.norm());
    }
}

/// The body stretched by 1.2 along x: ε = 0.22, or 0.44 without the ½.
TEST(MlsElasticity, AHomogeneousStretchHasItsEnergy) {
  const model::Material material;
  for (const ElasticOptions& options : kAll) {
    const Body body(jittered_block(3), options);
    Points x = body.cloud.rest;
    x.col(0) *= 1.2;
    const double strain = options.strain == Strain::Green ? 0.22 : 0.44;
    const double density = (0.5 * material.lame_lambda() + material.lame_mu()) * strain * strain +
                           0.5 * options.volume_stiffness * 0.2 * 0.2;
    EXPECT_NEAR(body.elasticity.energy(x) / (body.volume() * density), 1.0, 1e-12);
  }
}

TEST(MlsElasticity, TurningAStrainedBodyTurnsItsForcesAndKeepsItsEnergy) {
  numerics::RandomStream random(8);
  for (const Scene& scene : {jittered_block(3), flat_block(3)})
    for (const ElasticOptions& options : kAll) {
      const Body body(scene, options);
      const Points x = body.cloud.rest + random_points(body.cloud.size(), 0.1, 6);
      const Points forces = body.elasticity.forces(x);
      const double energy = body.elasticity.energy(x);
      for (int n = 0; n < 5; ++n) {
        const Matrix3 turn = random.rotation();
        const Vector3 shift = 30.0 * random.direction();
        const Points turned = (x * turn.transpose()).rowwise() + shift.transpose();
        EXPECT_NEAR(body.elasticity.energy(turned) / energy, 1.0, 1e-12);
        EXPECT_LT((body.elasticity.forces(turned) - forces * turn.transpose()).norm(), 1e-12 * forces.norm());
      }
    }
}

TEST(MlsElasticity, RestAndRigidMotionsHaveNeitherEnergyNorForces) {
  for (const Scene& scene : {jittered_block(3), flat_block(3)}) {
    const Body body(scene, {Strain::Green, 1e4});
    EXPECT_LT(body.elasticity.forces(body.cloud.rest).cwiseAbs().maxCoeff(), 1e-10);  // of 1e5 Pa on 0.1 m²
    const Matrix3 turn = Eigen::AngleAxisd(2.0, Vector3(1, 2, -1).normalized()).toRotationMatrix();
    const Points turned = body.cloud.rest * turn.transpose();
    EXPECT_LT(body.elasticity.forces(turned).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LT(body.elasticity.energy(turned), 1e-20);
  }
}

TEST(MlsElasticity, StiffnessIsTheSlopeOfTheForcesAtRest) {
  for (const Scene& scene : {jittered_block(2), flat_block(2)})
    for (const ElasticOptions& options : kAll) {
      const Body body(scene, options);
      const Points u = random_points(body.cloud.size(), 1.0, 7);
      const double d = 1e-6;
      const Points slope =
          (body.elasticity.forces(body.cloud.rest + d * u) - body.elasticity.forces(body.cloud.rest - d * u)) / (2 * d);
      EXPECT_LT((body.elasticity.stiffness_times(u) + slope).norm(), 1e-8 * slope.norm());
    }
}

}  // namespace
}  // namespace deformbench::meshless
