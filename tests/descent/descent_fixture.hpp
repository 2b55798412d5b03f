// SPDX-License-Identifier: BSD-3-Clause
// Small bodies and simulations for the tests of methods/descent.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <map>
#include <memory>
#include <string>

#include "methods/descent/block_sweep.hpp"
#include "methods/descent/register_descent.hpp"
#include "methods/facets.hpp"
#include "methods/fem/nonlinear/register_nonlinear.hpp"
#include "methods/model/structured.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::descent {

using Settings = std::map<std::string, ParameterValue>;

inline ParameterValue word(const char* value) {
  return std::string(value);
}

inline Points shaken(const Points& rest, double size, std::uint64_t seed) {
  numerics::RandomStream random(seed);
  Points x = rest;
  for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] += size * random.normal();
  return x;
}

/// A block whose ends at x = 0 are held, of two materials in turn, its nodes moved off the lattice.
inline Scene held_block(double young_modulus = 1e5, std::array<int, 3> cells = {4, 2, 2}) {
  Scene scene;
  scene.name = "held_block";
  scene.tet_mesh = model::make_block(cells, Vector3::Zero(), 0.1 * Vector3(cells[0], cells[1], cells[2]),
                                     model::BlockSplit::AlternatingFive);
  Points& rest = scene.tet_mesh.rest_positions;
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = model::vertices_on_plane(rest, 0, 0.0, 1e-9);
  rest = shaken(rest, 0.008, 5);
  scene.materials.assign(2, model::Material{});
  scene.materials[0].young_modulus = young_modulus;
  scene.materials[1].young_modulus = 3 * young_modulus;
  scene.materials[1].poisson_ratio = 0.45;
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) scene.element_material.push_back(int(e % 2));
  scene.gravity = {0, -9.81, 0};
  scene.time_step = 0.01;
  return scene;
}

inline std::unique_ptr<Simulation> make(const std::string& id, const Scene& scene, const Settings& settings = {},
                                        int threads = 1) {
  Registry registry;
  register_descent(registry);
  nonlinear::register_nonlinear(registry);
  const MethodDescriptor& method = registry.at(id);
  RunContext context;
  context.threads = threads;
  return method.create(scene, Parameters(method.parameters, settings, id), context);
}

inline Points after(const std::string& id, const Scene& scene, int steps, const Settings& settings = {},
                    int threads = 1) {
  const auto simulation = make(id, scene, settings, threads);
  for (int k = 0; k < steps; ++k) EXPECT_EQ(simulation->step().outcome, StepOutcome::Advanced);
  return simulation->state().positions;
}

/// The iterations of one step.
inline std::vector<Iteration> watched_step(Simulation& simulation) {
  IterationLog log;
  auto& facet = dynamic_cast<IterationFacet&>(simulation);
  facet.watch_iterations(&log);
  log.begin_step();
  simulation.step();
  facet.watch_iterations(nullptr);
  return log.rows();
}

inline double largest(const Points& difference) {
  return difference.cwiseAbs().maxCoeff();
}

}  // namespace deformbench::descent
