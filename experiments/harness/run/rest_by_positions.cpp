// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/rest_by_positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace deformbench::harness {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

RestByPositions::RestByPositions(const Scene& scene, const Eigen::VectorXd& masses)
    : scene_(scene), masses_(masses), start_(scene.start_positions()), last_(start_) {
  const double size = start_.rows() > 0 ? start_.cwiseAbs().maxCoeff() : 0.0;
  rounding_ = 16.0 * std::numeric_limits<double>::epsilon() * size;
  const auto prescribed = prescribed_components(scene);
  is_free_.resize(start_.rows(), 3);
  for (Eigen::Index v = 0; v < start_.rows(); ++v)
    for (Eigen::Index c = 0; c < 3; ++c) is_free_(v, c) = !prescribed[std::size_t(v)][std::size_t(c)];
}

void RestByPositions::look(const Points& positions, double time) {
  const auto length_of = [&](const Points& rows) {
    return is_free_.select(rows.array(), 0.0).matrix().rowwise().norm().eval();
  };
  const Points step = positions - last_, moved = positions - start_;
  const double now = length_of(step).maxCoeff(), dt = scene_.time_step;
  const Points external = external_forces(scene_, masses_, time);
  const double load = length_of(external).maxCoeff();
  const double held = is_free_.select(0.0, moved.array()).abs().maxCoeff();
  is_loaded_ = is_loaded_ || load > 0.0 || held > rounding_;
  largest_displacement_ = std::max(largest_displacement_, length_of(moved).maxCoeff());

  if (++steps_ >= 2) {
    const Eigen::VectorXd inertia = masses_.cwiseProduct(length_of(step - last_step_)) / (dt * dt);
    largest_force_ = std::max({largest_force_, load, inertia.maxCoeff()});
    force_ = largest_force_ > 0.0 ? inertia.maxCoeff() / largest_force_ : 0.0;
    const double shrinks = last_length_ > 0.0 ? now / last_length_ : kNever;
    motion_ = now <= rounding_ ? 0.0 : shrinks < 1.0 ? now * shrinks / (1.0 - shrinks) / largest_displacement_ : kNever;
    // Changes within rounding of two positions are not forces.
    if (now <= rounding_ && last_length_ <= rounding_) force_ = 0.0;
  }
  last_ = positions;
  last_step_ = step;
  last_length_ = now;
}

double RestByPositions::residual() const {
  if (steps_ < 2 || (is_loaded_ && largest_displacement_ <= rounding_)) return kNever;
  return std::max(force_, motion_);
}

std::string RestByPositions::text() const {
  if (is_loaded_ && largest_displacement_ <= rounding_) return "nothing that is free has moved, under load";
  return fmt::format(
      "by the positions alone, inertial force over largest force is {:.3g} and motion to come over largest "
      "displacement {:.3g}",
      force_, motion_);
}

}  // namespace deformbench::harness
