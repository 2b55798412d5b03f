// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/pbd_body.hpp"

#include "methods/pbd/damping.hpp"
#include "methods/pbd/explicit_constraints.hpp"

namespace deformbench::pbd {

PbdBody::PbdBody(const Scene& scene, const PbdOptions& options, const RunContext& context,
                 std::vector<std::unique_ptr<Constraint>> own)
    : scene_(scene), options_(options), context_(context), clock_(context.time_phases), constraints_(options, context.seed) {
  check_scene(scene);
  x_ = scene.start_positions();
  v_ = scene.start_velocities();
  p_ = x_;
  masses_ = lumped_masses(scene);
  read_held();
  for (const auto& constraint : scene.constraints) constraints_.add(make_constraint(constraint, options.bend_angle));
  for (auto& constraint : own) constraints_.add(std::move(constraint));
}

void PbdBody::read_held() {
  held_.clear();
  w_ = masses_.cwiseInverse();
  std::vector<std::ptrdiff_t> at(static_cast<std::size_t>(masses_.size()), -1);
  for (std::size_t m = 0; m < scene_.prescribed.size(); ++m) {
    for (std::size_t k = 0; k < scene_.prescribed[m].vertices.size(); ++k) {
      const int vertex = scene_.prescribed[m].vertices[k];
      auto& entry = at[static_cast<std::size_t>(vertex)];
      if (entry < 0) {
        entry = static_cast<std::ptrdiff_t>(held_.size());
        held_.push_back({});
      }
      held_[static_cast<std::size_t>(entry)] = {vertex, m, k};  // a vertex named twice obeys the later motion
      w_[vertex] = 0.0;  // [MHHR07] §3.6
    }
  }
  std::vector<bool> is_free(static_cast<std::size_t>(masses_.size()));
  for (std::size_t i = 0; i < is_free.size(); ++i) is_free[i] = w_[static_cast<Eigen::Index>(i)] > 0.0;
  if (scene_.cloth.triangle_count() > 0) {
    components_ = free_components(scene_.cloth.triangles, is_free);
  } else {
    components_.assign(1, {});
    for (std::size_t i = 0; i < is_free.size(); ++i)
      if (is_free[i]) components_.front().push_back(static_cast<int>(i));
  }
}

StepReport PbdBody::step() {
  clock_.start();
  StepReport report;
  report.substeps = options_.substeps;
  report.iterations = options_.substeps * options_.iterations;
  const double dt = scene_.time_step / options_.substeps;
  for (int k = 0; k < options_.substeps; ++k) {
    if (substep(time_ + k * dt, dt)) continue;
    report.outcome = StepOutcome::Diverged;
    break;
  }
  time_ += scene_.time_step;
  return report;
}

void PbdBody::predict(double end, double dt) {
  for (Eigen::Index i = 0; i < x_.rows(); ++i)
    if (w_[i] > 0.0) v_.row(i) += dt * scene_.gravity.transpose();
  for (const auto& load : scene_.point_loads)
    v_.row(load.vertex) += dt * w_[load.vertex] * load.ramp.value_at(end) * load.force.transpose();
  if (options_.damping > 0.0)
    for (const auto& component : components_) damp_velocities(component, x_, masses_, options_.damping, v_);
  p_ = x_ + dt * v_;
  for (const Held& held : held_) {
    const Vector3 rest = scene_.rest_positions().row(held.vertex);
    p_.row(held.vertex) = scene_.prescribed[held.motion].position_at(held.index, rest, end);
  }
}

/// From `time` to time + dt; the numbers are lines of the listing in [MHHR07] §3.1.
bool PbdBody::substep(double time, double dt) {
  predict(time + dt, dt);  // 5–7
  clock_.charge(PhaseClock::Predict);
  constraints_.begin_step(x_, dt);
  for (int k = 0; k < options_.iterations; ++k) constraints_.sweep(w_, p_);  // 9–11
  clock_.charge(PhaseClock::Sweep);
  v_ = (p_ - x_) / dt;  // 13
  x_ = p_;              // 14
  clock_.charge(PhaseClock::Update);
  return x_.allFinite() && v_.allFinite();
}

StateView PbdBody::state() const {
  return {time_, PointsView(x_.data(), x_.rows(), 3), PointsView(v_.data(), v_.rows(), 3),
          ScalarsView(masses_.data(), masses_.size())};
}

}  // namespace deformbench::pbd
