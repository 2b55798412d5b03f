// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/meshless_simulation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "methods/meshless/cloud_arrays.hpp"
#include "methods/model/error.hpp"
#include "methods/numerics/team.hpp"

namespace deformbench::meshless {
namespace {

constexpr double kMostSubsteps = 1e7;  // as the parameter's maximum: more would look like a hang

}  // namespace

MeshlessSimulation::MeshlessSimulation(const Scene& scene, const MeshlessOptions& options, int threads)
    : scene_(scene),
      options_(options),
      cloud_(make_node_cloud(scene, options.cloud)),
      elasticity_(cloud_, options.elastic, threads),
      masses_(Eigen::Map<const Eigen::VectorXd>(cloud_.masses.data(), cloud_.size())),
      mobility_(cloud_.size(), 3),
      positions_(scene.start_positions()),
      velocities_(scene.start_velocities()) {
  const auto prescribed = prescribed_components(scene_);
  Points is_held = Points::Zero(cloud_.size(), 3);
  for (Eigen::Index v = 0; v < cloud_.size(); ++v)
    for (int c = 0; c < 3; ++c) {
      const bool is_free = !prescribed[std::size_t(v)][std::size_t(c)];
      mobility_(v, c) = is_free ? 1.0 / masses_[v] : 0.0;
      if (is_free) continue;
      is_held(v, c) = 1.0;
      held_.push_back(3 * v + c);
    }
  held_values_.resize(held_.size());
  for (const auto& load : scene_.point_loads) last_load_change_ = std::max(last_load_change_, load.ramp.last_change());
  for (const auto& load : scene_.traction_loads)
    last_load_change_ = std::max(last_load_change_, load.ramp.last_change());
  threads_ = elasticity_.threads();
  stable_step_ = stable_time_step(elasticity_, cloud_, is_held);
  const double needed = std::ceil(scene_.time_step / (options_.safety * stable_step_));
  if (options_.substeps == 0 && needed > kMostSubsteps)
    throw InputError(
        fmt::format("meshless: a time step of {} s needs {:.2g} substeps of at most {:.3g} s, expected at most {:.0g}",
                    scene_.time_step, needed, options_.safety * stable_step_, kMostSubsteps));
  substeps_ = options_.substeps > 0 ? options_.substeps : std::max(1, int(needed));
  report_cloud();
  velocities_.array() *= 1.0 - is_held.array();
}

void MeshlessSimulation::report_cloud() {
  events_.push_back({"stable_time_step", 0, fmt::format("{:.6g} s about rest, {} substeps", stable_step_, substeps_)});
  for (std::size_t i = 0; i < cloud_.ranks.size(); ++i)
    if (cloud_.ranks[i] < 3)
      events_.push_back({"rank_deficient_node", std::int64_t(i), fmt::format("rank {} of 3", cloud_.ranks[i])});
}

std::vector<std::string> MeshlessSimulation::array_names() const {
  return cloud_array_names();
}

MethodArray MeshlessSimulation::array(const std::string& name) const {
  return cloud_array(name, cloud_, elasticity_, positions_);
}

StateView MeshlessSimulation::state() const {
  return {time_, PointsView(positions_.data(), positions_.rows(), 3),
          PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
}

template <class Work>
void MeshlessSimulation::each_part(Work&& work) {
  numerics::run_team(threads_, [&](int thread) {
    const Eigen::Index first = positions_.size() * thread / threads_;
    work(first, positions_.size() * (thread + 1) / threads_ - first);
  });
}

void MeshlessSimulation::load_at(double time) {
  const bool is_first = loads_.rows() == 0;
  // After the last ramp has ended, with some margin for rounding, loads are dead.
  if (!is_first && loaded_at_ > last_load_change_ + scene_.time_step) return;
  loads_ = external_forces(scene_, masses_, time);
  loaded_at_ = time;
}

void MeshlessSimulation::set_acceleration(double time) {
  load_at(time);
  elasticity_.forces(positions_, acceleration_);
  each_part([&](Eigen::Index first, Eigen::Index count) {
    for (Eigen::Index k = first; k < first + count; ++k)
      acceleration_.data()[k] = mobility_.data()[k] * (acceleration_.data()[k] + loads_.data()[k]);
  });
}

void MeshlessSimulation::kick_and_drift(double kept, double push, double h, double end_time) {
  double *x = positions_.data(), *v = velocities_.data();
  for (std::size_t k = 0; k < held_.size(); ++k) held_values_[k] = x[held_[k]];
  each_part([&](Eigen::Index first, Eigen::Index count) {
    const double* a = acceleration_.data();
    for (Eigen::Index k = first; k < first + count; ++k) {
      v[k] = kept * v[k] + push * a[k];
      x[k] += h * v[k];
    }
  });
  if (held_.empty()) return;
  place_prescribed(scene_, end_time, positions_);
  for (std::size_t k = 0; k < held_.size(); ++k) held_values_[k] = (x[held_[k]] - held_values_[k]) / h;
}

/// Half a kick, a drift, half a kick. The second half is damped by the velocity that it ends with, so that both
/// together are of second order.
void MeshlessSimulation::substep(double h, double end_time) {
  const double half = 0.5 * h, damping = half * options_.mass_damping;
  kick_and_drift(1.0 - damping, half, h, end_time);
  set_acceleration(end_time);
  const double kept = 1.0 / (1.0 + damping);
  each_part([&](Eigen::Index first, Eigen::Index count) {
    double* v = velocities_.data();
    for (Eigen::Index k = first; k < first + count; ++k) v[k] = kept * (v[k] + half * acceleration_.data()[k]);
  });
  for (std::size_t k = 0; k < held_.size(); ++k) velocities_.data()[held_[k]] = held_values_[k];
}

StepReport MeshlessSimulation::step() {
  if (steps_ > 0) events_.clear();
  if (acceleration_.rows() == 0) {
    acceleration_.resize(cloud_.size(), 3);
    set_acceleration(time_);
  }
  const double h = scene_.time_step / substeps_, start = double(steps_) * scene_.time_step;
  ++steps_;
  StepReport report;
  report.substeps = substeps_;
  for (int k = 1; k <= substeps_; ++k) {
    time_ = k == substeps_ ? double(steps_) * scene_.time_step : start + k * h;
    substep(h, time_);
    if (positions_.allFinite() && velocities_.allFinite()) continue;
    report.outcome = StepOutcome::Diverged;
    break;
  }
  return report;
}

}  // namespace deformbench::meshless
