// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/meshless_simulation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "methods/meshless/cloud_arrays.hpp"
#include "methods/model/error.hpp"

namespace deformbench::meshless {
namespace {

constexpr double kMostSubsteps = 1e7;  // as the parameter's maximum: more would look like a hang

}  // namespace

MeshlessSimulation::MeshlessSimulation(const Scene& scene, const MeshlessOptions& options)
    : scene_(scene),
      options_(options),
      cloud_(make_node_cloud(scene, options.cloud)),
      elasticity_(cloud_, options.elastic),
      masses_(Eigen::Map<const Eigen::VectorXd>(cloud_.masses.data(), cloud_.size())),
      is_held_(Points::Zero(cloud_.size(), 3)),
      positions_(scene.start_positions()),
      velocities_(scene.start_velocities()) {
  const auto prescribed = prescribed_components(scene_);
  for (Eigen::Index v = 0; v < cloud_.size(); ++v)
    for (int c = 0; c < 3; ++c) is_held_(v, c) = prescribed[std::size_t(v)][std::size_t(c)];
  stable_step_ = stable_time_step(elasticity_, cloud_, is_held_);
  const double needed = std::ceil(scene_.time_step / (options_.safety * stable_step_));
  if (options_.substeps == 0 && needed > kMostSubsteps)
    throw InputError(
        fmt::format("meshless: a time step of {} s needs {:.2g} substeps of at most {:.3g} s, expected at most {:.0g}",
                    scene_.time_step, needed, options_.safety * stable_step_, kMostSubsteps));
  substeps_ = options_.substeps > 0 ? options_.substeps : std::max(1, int(needed));
  report_cloud();
  if (options_.cracks.stress != CrackStress::None)
    cracks_ = std::make_unique<CrackPart>(scene_, options_.cracks, cloud_, elasticity_);
  velocities_.array() *= 1.0 - is_held_.array();
}

void MeshlessSimulation::report_cloud() {
  events_.push_back({"stable_time_step", 0, fmt::format("{:.6g} s about rest, {} substeps", stable_step_, substeps_)});
  for (std::size_t i = 0; i < cloud_.ranks.size(); ++i)
    if (cloud_.ranks[i] < 3)
      events_.push_back({"rank_deficient_node", std::int64_t(i), fmt::format("rank {} of 3", cloud_.ranks[i])});
}

std::vector<std::string> MeshlessSimulation::array_names() const {
  std::vector<std::string> names = cloud_array_names();
  if (cracks_) {
    const auto more = CrackPart::array_names();
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

MethodArray MeshlessSimulation::array(const std::string& name) const {
  if (cracks_ && (name.starts_with("crack_") || name.starts_with("front_"))) return cracks_->array(name);
  return cloud_array(name, cloud_, elasticity_, positions_);
}

StateView MeshlessSimulation::state() const {
  return {time_, PointsView(positions_.data(), positions_.rows(), 3),
          PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
}

void MeshlessSimulation::set_acceleration(double time) {
  acceleration_ = elasticity_.forces(positions_) + external_forces(scene_, masses_, time);
  acceleration_.array().colwise() /= masses_.array();
  acceleration_.array() *= 1.0 - is_held_.array();
}

void MeshlessSimulation::drift(double h, double end_time) {
  const Points before = positions_;
  positions_ += h * velocities_;
  place_prescribed(scene_, end_time, positions_);
  velocities_ = (is_held_.array() > 0.0).select((positions_ - before).array() / h, velocities_.array());
}

/// Half a kick, a drift, half a kick. The second half is damped by the velocity that it ends with, so that both
/// together are of second order.
void MeshlessSimulation::substep(double h, double end_time) {
  const double half = 0.5 * h, damping = half * options_.mass_damping;
  velocities_ = (1.0 - damping) * velocities_ + half * acceleration_;
  drift(h, end_time);
  set_acceleration(end_time);
  const Points moved = velocities_;
  velocities_ = (velocities_ + half * acceleration_) / (1.0 + damping);
  velocities_ = (is_held_.array() > 0.0).select(moved.array(), velocities_.array());
}

StepReport MeshlessSimulation::step() {
  if (steps_ > 0) events_.clear();
  if (acceleration_.rows() == 0) set_acceleration(time_);
  const double h = scene_.time_step / substeps_, start = double(steps_) * scene_.time_step;
  ++steps_;
  StepReport report;
  report.substeps = substeps_;
  for (int k = 1; k <= substeps_; ++k) {
    time_ = k == substeps_ ? double(steps_) * scene_.time_step : start + k * h;
    substep(h, time_);
    if (positions_.allFinite() && velocities_.allFinite()) continue;
    report.outcome = StepOutcome::Diverged;
    return report;
  }
  // [PKAGDG05] fig. 8: cracks advance once stresses are known.
  if (cracks_) cracks_->advance(scene_.time_step, time_, positions_);
  return report;
}

}  // namespace deformbench::meshless
