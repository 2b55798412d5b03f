// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "methods/projective/prefactored_system.hpp"
#include "methods/registry.hpp"
#include "tests/descent/descent_fixture.hpp"

namespace deformbench::projective {

using descent::held_block, descent::largest, descent::Settings, descent::shaken, descent::watched_step, descent::word;

inline std::unique_ptr<Simulation> make(const std::string& id, const Scene& scene, const Settings& settings = {}) {
  const Registry registry = builtin_registry();
  const MethodDescriptor& method = registry.at(id);
  const Parameters parameters(method.parameters, settings, id);
  EXPECT_TRUE(method.supports(scene, parameters).supported) << method.supports(scene, parameters).reason;
  return method.create(scene, parameters, {});
}

inline Points after(const std::string& id, const Scene& scene, int steps, const Settings& settings = {}) {
  const auto simulation = make(id, scene, settings);
  for (int k = 0; k < steps; ++k) EXPECT_EQ(simulation->step().outcome, StepOutcome::Advanced);
  return simulation->state().positions;
}

/// Σ V k G Gᵀ + w M of all vertices in the order of the mesh, dense, from shape gradients computed here.
inline Eigen::MatrixXd dense_matrix(const Scene& scene, const Eigen::VectorXd& masses, double inertia, double shares) {
  Eigen::MatrixXd a = inertia * Eigen::MatrixXd(masses.asDiagonal());
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) {
    Eigen::Matrix4d corners;
    for (int k = 0; k < 4; ++k)
      corners.row(k) << 1.0, scene.tet_mesh.rest_positions.row(scene.tet_mesh.tetrahedra(e, k));
    const Eigen::Matrix4d inverse = corners.inverse();
    const Eigen::Matrix<double, 3, 4> g = inverse.bottomRows<3>();
    const model::Material& material = scene.material_of(e);
    const double k = 2.0 * material.lame_mu() + shares * material.lame_lambda();
    const Eigen::Matrix4d block = std::abs(corners.determinant()) / 6.0 * k * g.transpose() * g;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) a(scene.tet_mesh.tetrahedra(e, i), scene.tet_mesh.tetrahedra(e, j)) += block(i, j);
  }
  return a;
}

}  // namespace deformbench::projective
