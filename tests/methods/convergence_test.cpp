// SPDX-License-Identifier: BSD-3-Clause
// Observed orders, two-sided: a slope that is too good is a defect too.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/structured.hpp"
#include "methods/registry.hpp"

namespace deformbench::tests {

namespace {

std::unique_ptr<Simulation> simulate(const std::string& id, const Scene& scene) {
  const Registry registry = builtin_registry();
  const MethodDescriptor& method = registry.at(id);
  return method.create(scene, Parameters(method.parameters, {{"solver", std::string("direct")}}, id), {});
}

/// A regular tetrahedron of edge 0.2/√2 m, dilated by one part in a thousand: it rings in a pure mode.
Scene ringing_tetrahedron(double time_step) {
  Scene scene;
  scene.name = "ringing_tetrahedron";
  scene.tet_mesh.rest_positions.resize(4, 3);
  scene.tet_mesh.rest_positions << 1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1;
  scene.tet_mesh.rest_positions *= 0.05;
  scene.tet_mesh.tetrahedra.resize(1, 4);
  scene.tet_mesh.tetrahedra << 0, 1, 3, 2;
  if (model::total_volume(scene.tet_mesh, scene.tet_mesh.rest_positions) < 0) scene.tet_mesh.tetrahedra << 0, 1, 2, 3;
  scene.materials = {model::Material{}};
  scene.initial_positions = 1.001 * scene.tet_mesh.rest_positions;
  scene.time_step = time_step;
  return scene;
}

/// ω² = 9 V K / Σ m r², closed form `regular_tetrahedron_modes`.
double dilation_frequency(const Scene& scene) {
  const auto& material = scene.materials[0];
  const double bulk = material.young_modulus / (3 * (1 - 2 * material.poisson_ratio));
  const double inertia = lumped_masses(scene).dot(scene.tet_mesh.rest_positions.rowwise().squaredNorm());
  return std::sqrt(9 * model::total_volume(scene.tet_mesh, scene.tet_mesh.rest_positions) * bulk / inertia);
}

/// |dilation after a tenth of a period − cos 36°|, over the initial dilation.
double time_error(const std::string& method, int steps) {
  const double period = 2 * std::numbers::pi / dilation_frequency(ringing_tetrahedron(1.0));
  const Scene scene = ringing_tetrahedron(0.1 * period / steps);
  const auto simulation = simulate(method, scene);
  for (int k = 0; k < steps; ++k) simulation->step();
  const double dilation = (simulation->state().positions(0, 0) / scene.tet_mesh.rest_positions(0, 0) - 1) / 1e-3;
  return std::abs(dilation - std::cos(0.2 * std::numbers::pi));
}

/// Relative error of the tip of a slender cantilever, n cells across, against Timoshenko.
double bending_error(const std::string& method, int across) {
  const double length = 0.5, side = 0.1, force = 1e-5;
  Scene scene;
  scene.name = "cantilever";
  scene.tet_mesh = model::make_block({5 * across, across, across}, Vector3(0, -side / 2, -side / 2),
                                     Vector3(length, side, side), model::BlockSplit::AlternatingFive);
  model::Material material;
  material.poisson_ratio = 0.0;  // no contraction at the clamp, which beam theory does not know
  scene.materials = {material};
  scene.time_step = 1e4;
  model::PrescribedMotion clamp;
  clamp.vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  scene.prescribed = {clamp};
  const auto tip = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, length, 1e-9);
  scene.traction_loads = {
      {model::boundary_triangles_on_plane(scene.tet_mesh, 0, length, 1e-9), Vector3(0, -force / (side * side), 0), {}}};
  const auto simulation = simulate(method, scene);
  for (int k = 0; k < 3; ++k) simulation->step();
  double deflection = 0.0;
  for (const int v : tip) deflection += scene.tet_mesh.rest_positions(v, 1) - simulation->state().positions(v, 1);
  deflection /= double(tip.size());
  const double inertia = std::pow(side, 4) / 12, shear_modulus = material.young_modulus / 2, kappa = 10.0 / 12.0;
  const double exact = force * std::pow(length, 3) / (3 * material.young_modulus * inertia) +
                       force * length / (kappa * shear_modulus * side * side);
  return std::abs(1 - deflection / exact);
}

}  // namespace

class Convergence : public testing::TestWithParam<std::string> {};

TEST_P(Convergence, ImplicitEulerIsOfFirstOrderInTime) {
  const double order = std::log2(time_error(GetParam(), 400) / time_error(GetParam(), 800));
  EXPECT_GT(order, 0.95);
  EXPECT_LT(order, 1.05);
}

TEST_P(Convergence, BendingOfLinearTetrahedraApproachesSecondOrderInSpace) {
  const double coarse = bending_error(GetParam(), 2), middle = bending_error(GetParam(), 4),
               fine = bending_error(GetParam(), 8);
  const double order = std::log2(middle / fine);
  // The ratio per halving rises towards 4, from below on coarse meshes, which lock in bending.
  EXPECT_GT(order, 1.5);
  EXPECT_LT(order, 2.1);
  EXPECT_GT(order, std::log2(coarse / middle));
}

INSTANTIATE_TEST_SUITE_P(Methods, Convergence, testing::Values("linear_fem", "warped_fem"),
                         [](const auto& given) { return given.param; });

}  // namespace deformbench::tests
