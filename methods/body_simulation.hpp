// SPDX-License-Identifier: BSD-3-Clause
// Base class of external methods that simulate one deformable body: scene, masses, time, positions and velocities, as
// returned by `state`.
#pragma once

#include "methods/method.hpp"

namespace deformbench {

class BodySimulation : public Simulation {
 public:
  explicit BodySimulation(const Scene& scene)
      : scene_(scene),
        masses_(lumped_masses(scene)),
        positions_(scene.start_positions()),
        velocities_(scene.start_velocities()) {}

  StateView state() const override {
    return {time_, PointsView(positions_.data(), positions_.rows(), 3),
            PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
  }

 protected:
  const Scene scene_;
  const Eigen::VectorXd masses_;   ///< kg, lumped
  double time_ = 0.0;              ///< s; a step advances it by scene_.time_step
  Points positions_, velocities_;  ///< n×3, m and m/s
};

}  // namespace deformbench
