// SPDX-License-Identifier: BSD-3-Clause
// A swinging cloth and one step of it, for the tests of sweeps.
#pragma once

#include "methods/numerics/random.hpp"
#include "methods/pbd/sweeps/sweep.hpp"
#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {

/// Side 1 m, hung by two corners.
inline Scene hung_cloth(int n) {
  Scene scene;
  scene.cloth = square_cloth(n, 1.0 / (n - 1), 0.2);
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = {0, n - 1};
  scene.gravity = {0, -9.81, 0};
  scene.time_step = 0.01;
  return scene;
}

inline Eigen::VectorXd inverse_masses_of(const Scene& scene) {
  Eigen::VectorXd w = lumped_masses(scene).cwiseInverse();
  for (const auto& motion : scene.prescribed)
    for (const int v : motion.vertices) w[v] = 0.0;
  return w;
}

/// The rest shape with every vertex but held ones displaced, by `amount` m at most in every direction.
inline Points crumpled(const Scene& scene, double amount, std::uint64_t seed = 7) {
  numerics::RandomStream random(seed);
  const Eigen::VectorXd w = inverse_masses_of(scene);
  Points x = scene.cloth.rest_positions;
  for (Eigen::Index v = 0; v < x.rows(); ++v)
    for (int k = 0; k < 3; ++k)
      if (const double d = random.uniform(-amount, amount); w[v] > 0.0) x(v, k) += d;
  return x;
}

/// `count` iterations of one step from x.
inline Points swept(const MeshConstraints& constraints, const Eigen::VectorXd& w, const PbdOptions& options,
                    const Points& x, int threads = 1) {
  const auto sweep = make_sweep(constraints, w, options, 1, threads);
  Points p = x;
  sweep->begin_step(0.01);
  sweep->set_start(x);
  sweep->run(p, options.iterations);
  return p;
}

inline double largest_difference(const Points& a, const Points& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

}  // namespace deformbench::pbd
