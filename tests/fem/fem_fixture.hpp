// SPDX-License-Identifier: BSD-3-Clause
// Small bodies and simulations for the tests of methods/fem.
#pragma once

#include <Eigen/Geometry>
#include <map>
#include <memory>
#include <string>

#include "methods/facets.hpp"
#include "methods/fem/nonlinear/register_nonlinear.hpp"
#include "methods/fem/register_fem.hpp"
#include "methods/model/structured.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::fem {

inline constexpr double kGravity = 9.81;  // m/s²

using Settings = std::map<std::string, ParameterValue>;

inline Scene block_scene(std::array<int, 3> cells = {4, 2, 2}, double cell = 0.1,
                         model::BlockSplit split = model::BlockSplit::AlternatingFive) {
  Scene scene;
  scene.name = "block";
  scene.tet_mesh = model::make_block(cells, Vector3::Zero(), cell * Vector3(cells[0], cells[1], cells[2]), split);
  scene.materials = {model::Material{}};
  return scene;
}

/// One regular-ish tetrahedron with edges of about a tenth of a metre.
inline Scene tetrahedron_scene() {
  Scene scene;
  scene.name = "tetrahedron";
  scene.tet_mesh.rest_positions.resize(4, 3);
  scene.tet_mesh.rest_positions << 0, 0, 0, 0.11, 0.01, 0, 0.02, 0.1, 0.01, 0, 0.02, 0.12;
  scene.tet_mesh.tetrahedra.resize(1, 4);
  scene.tet_mesh.tetrahedra << 0, 1, 2, 3;
  scene.materials = {model::Material{}};
  return scene;
}

inline Registry element_methods() {
  Registry registry;
  register_fem(registry);
  nonlinear::register_nonlinear(registry);
  return registry;
}

inline std::unique_ptr<Simulation> make(const std::string& id, const Scene& scene, const Settings& settings = {},
                                        int threads = 1, bool check_residual = false) {
  const Registry registry = element_methods();
  const MethodDescriptor& method = registry.at(id);
  RunContext context;
  context.threads = threads;
  context.check_residual = check_residual;
  return method.create(scene, Parameters(method.parameters, settings, id), context);
}

inline Points moved(const Points& rest, const Matrix3& r, const Vector3& t) {
  return (rest * r.transpose()).rowwise() + t.transpose();
}

inline Points shaken(const Points& rest, double size, numerics::RandomStream& random) {
  Points x = rest;
  for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] += size * random.normal();
  return x;
}

inline Eigen::VectorXd flat(const Points& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), x.size());
}

inline Vector3 momentum(const Simulation& simulation) {
  const StateView state = simulation.state();
  return state.velocities.transpose() * state.masses;
}

inline const Settings after_solve = {{"contact_rule", std::string("after_solve")}};
inline const Settings as_the_paper = {
    {"cg_iterations", 20LL}, {"cg_preconditioner", std::string("none")}, {"cg_start", std::string("velocity")}};

}  // namespace deformbench::fem
