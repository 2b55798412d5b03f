// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/pbd_body.hpp"

#include <algorithm>
#include <limits>

#include "methods/model/boundary_surface.hpp"
#include "methods/numerics/team.hpp"
#include "methods/pbd/damping.hpp"
#include "methods/pbd/explicit_constraints.hpp"
#include "methods/pbd/solid/tetrahedral_edges.hpp"
#include "methods/pbd/step_objective.hpp"

namespace deformbench::pbd {
namespace {

const Scene& checked(const Scene& scene) {
  check_scene(scene);
  return scene;
}

}  // namespace

PbdBody::PbdBody(const Scene& scene, const PbdOptions& options, const RunContext& context,
                 std::vector<std::unique_ptr<Constraint>> own)
    : scene_(checked(scene)),
      options_(options),
      context_(context),
      clock_(context.time_phases),
      constraints_(options, context.seed),
      bodies_(scene) {
  x_ = scene.start_positions();
  v_ = scene.start_velocities();
  for (const auto& attachment : scene.attachments) {
    const model::RigidBody& body = scene.rigid_bodies[std::size_t(attachment.body)];
    const Vector3 anchor =
        body.start.orientation.transpose() * (x_.row(attachment.vertex).transpose() - body.start.position);
    (attachment.pulls_body && !body.is_kinematic() ? joined_ : following_).push_back({attachment, anchor});
  }
  for (const auto& constraint : scene.constraints) constraints_.add(make_constraint(constraint, options.bend_angle));
  for (auto& constraint : own) constraints_.add(std::move(constraint));
  fixed_count_ = constraints_.size();
  follow_scene();
}

void PbdBody::follow_scene() {
  p_ = x_;
  masses_ = lumped_masses(scene_);
  hold_vertices();
  if (options_.contact_compliance > 0.0) {
    const auto& cloth = scene_.cloth;
    const Eigen::VectorXd areas = cloth.triangle_count() > 0
                                      ? model::vertex_areas(cloth.rest_positions, cloth.triangles)
                                      : model::contact_areas(scene_.tet_mesh);
    contact_compliances_ = options_.contact_compliance * areas.cwiseInverse();
  }
  if (scene_.cloth.triangle_count() > 0) make_sweeps();
  if (scene_.tet_mesh.element_count() > 0) make_solid();
}

void PbdBody::hold_vertices() {
  held_.clear();
  rollers_.clear();
  w_ = masses_.cwiseInverse();
  std::vector<std::ptrdiff_t> at(std::size_t(masses_.size()), -1);
  for (std::size_t m = 0; m < scene_.prescribed.size(); ++m) {
    for (std::size_t k = 0; k < scene_.prescribed[m].vertices.size(); ++k) {
      const int vertex = scene_.prescribed[m].vertices[k];
      auto& entry = at[std::size_t(vertex)];
      if (entry < 0) {
        entry = std::ptrdiff_t(held_.size());
        held_.push_back({.vertex = vertex, .target = x_.row(vertex)});
      }
      for (std::size_t c = 0; c < 3; ++c) {  // the later motion takes precedence
        if (!scene_.prescribed[m].components[c]) continue;
        held_[std::size_t(entry)].motion[c] = std::ptrdiff_t(m);
        held_[std::size_t(entry)].index[c] = k;
      }
    }
  }
  const auto rolling = std::stable_partition(held_.begin(), held_.end(), [](const Held& h) { return h.is_whole(); });
  rollers_.assign(rolling, held_.end());
  held_.erase(rolling, held_.end());
  for (const Held& held : held_) w_[held.vertex] = 0.0;  // [MHHR07] §3.6
  for (const Anchored& anchored : following_) w_[anchored.attachment.vertex] = 0.0;
  find_components();
}

void PbdBody::find_components() {
  std::vector<bool> is_free(std::size_t(masses_.size()));
  for (std::size_t i = 0; i < is_free.size(); ++i) is_free[i] = !is_held(int(i));
  // DEVIATION [MHHR07] §3.5: each connected piece has its own global motion, computed from its free vertices, since
  // held vertices otherwise have infinite mass.
  if (scene_.cloth.triangle_count() > 0) {
    components_ = free_components(scene_.cloth.triangles, is_free);
  } else if (scene_.tet_mesh.element_count() > 0) {
    components_ = free_components(joining_triangles(scene_.tet_mesh.tetrahedra), is_free);
  } else {
    components_.assign(1, {});
    for (std::size_t i = 0; i < is_free.size(); ++i)
      if (is_free[i]) components_.front().push_back(int(i));
  }
}

/// Mesh constraints that are projected by a sweep.
MeshConstraints PbdBody::swept_constraints() const {
  MeshConstraints swept{mesh_.stretch, mesh_.bend, {}};
  if (!options_.is_compliant && options_.stretch_stiffness == 0.0) swept.stretch.clear();
  if (!options_.is_compliant && options_.bend_stiffness == 0.0) swept.bend.clear();
  // DEVIATION [MHHR07] §4.1: no bend constraint whose only free vertex is an end of the common edge. At a straight held
  // border that vertex cannot change the angle: C and its gradient are rounding, and their quotient is arbitrary.
  std::erase_if(swept.bend, [&](const BendConstraint& bend) {
    const auto held = [&](std::size_t k) { return is_held(bend.vertices[k]); };
    return held(2) && held(3) && (held(0) || held(1));
  });
  return swept;
}

void PbdBody::make_sweeps() {
  mesh_ = build_mesh_constraints(scene_.cloth);
  const MeshConstraints swept = swept_constraints();
  swept_ = swept.stretch.size() + swept.bend.size();
  sweep_.reset();
  if (!swept.stretch.empty() || !swept.bend.empty())
    sweep_ = make_sweep(swept, w_, options_, context_.seed + sweeps_made_++, context_.threads);
  constraints_.clear_from(fixed_count_);
  if (options_.pressure > 0.0) {
    for (const VolumeConstraint& volume : mesh_.volume) {
      auto constraint = make_volume_constraint(volume, options_.pressure, options_.pressure_volume);
      constraint->stiffness = options_.pressure_stiffness;
      constraint->compliance = options_.pressure_compliance;
      constraints_.add(std::move(constraint));
    }
  }
  make_collisions();
  if (!options_.self_collision) return;
  const auto& cloth = scene_.cloth;
  if (self_collision_)
    self_collision_->set_triangles(cloth.triangles, cloth.rest_positions);
  else
    self_collision_.emplace(cloth.triangles, cloth.vertex_count(), options_.thickness, cloth.rest_positions);
}

void PbdBody::make_collisions() {
  if (options_.collisions.detection == collision::Detection::None || scene_.cloth.triangle_count() == 0) return;
  collisions_ =
      std::make_unique<collision::Collisions>(masses_, scene_.cloth.triangles, options_.collisions, context_.threads);
  is_free_ = Points::Ones(masses_.size(), 3);
  for (Eigen::Index i = 0; i < masses_.size(); ++i)
    if (is_held(int(i))) is_free_.row(i).setZero();
  for (const Held& roller : rollers_)
    for (int c = 0; c < 3; ++c)
      if (roller.motion[std::size_t(c)] >= 0) is_free_(roller.vertex, c) = 0.0;
}

/// Moves the end of the substep so that no two layers of cloth have passed through each other. [B05] §10 to §13
void PbdBody::keep_apart(double dt) {
  Points velocities = (p_ - x_) / dt;
  contacts_.with_itself =
      std::max(contacts_.with_itself, collisions_->resolve(x_, is_free_, dt, velocities, p_).first_contacts);
}

void PbdBody::make_solid() {
  if (options_.is_compliant && options_.solid_constraints == SolidConstraints::NeoHookean) {
    solid_ = std::make_unique<NeoHookeanSolid>(scene_, w_, options_, context_);
    parts_ = {solid_.get()};
    return;
  }
  mesh_ = {edge_distances(scene_.tet_mesh), {}, {}};
  if (const MeshConstraints swept = swept_constraints(); !swept.stretch.empty()) {
    sweep_ = make_sweep(swept, w_, options_, context_.seed, context_.threads);
    swept_ = swept.stretch.size();
  }
  constraints_.clear_from(fixed_count_);
  if (!options_.is_compliant && options_.volume_stiffness == 0.0) return;
  for (const auto& volume : tetrahedron_volumes(scene_.tet_mesh, options_.volume_stiffness, options_.volume_compliance))
    constraints_.add(make_constraint(volume, options_.bend_angle));
}

StepReport PbdBody::step() {
  clock_.start();
  StepReport report;
  report.substeps = options_.substeps;
  report.iterations = options_.substeps * options_.iterations;
  contacts_ = {};
  work_ = {};
  const double dt = scene_.time_step / options_.substeps;  // [MSL19] eq. 6, §4
  for (int k = 0; k < options_.substeps; ++k) {
    if (!substep(k, time_ + k * dt, dt)) {
      report.outcome = StepOutcome::Diverged;
      return report;
    }
    after_substep();
  }
  time_ += scene_.time_step;
  report.work = work_;
  clock_.charge(PhaseClock::Update);
  return report;
}

/// work(first, count) on all vertices, split by the sweep's number of threads for locality.
template <class Work>
void PbdBody::on_vertices(Work&& work) {
  const int threads = options_.order == SweepOrder::Coloured && x_.rows() >= kVerticesForThreads ? context_.threads : 1;
  numerics::run_team(threads, [&](int thread) {
    const Eigen::Index first = x_.rows() * thread / threads;
    work(first, x_.rows() * (thread + 1) / threads - first);
  });
}

/// From `time` to time + dt; numbers are the lines of the algorithm in [MHHR07] §3.1.
bool PbdBody::substep(int index, double time, double dt) {
  bodies_.predict(time, dt);
  predict(time + dt, dt);  // 5–7
  clock_.charge(PhaseClock::Predict);
  detect(dt);  // 8
  clock_.charge(PhaseClock::Detect);
  project(index, dt);  // 9–11
  if (collisions_) keep_apart(dt);
  on_vertices([&](Eigen::Index first, Eigen::Index count) {  // 13
    v_.middleRows(first, count) = (p_.middleRows(first, count) - x_.middleRows(first, count)) / dt;
  });
  x_.swap(p_);  // 14
  bodies_.finish();
  velocity_update_.update_velocities(bodies_, w_, options_, x_, v_);  // 16
  for (const Held& roller : rollers_)
    for (int c = 0; c < 3; ++c)
      if (roller.motion[std::size_t(c)] >= 0) v_(roller.vertex, c) = (x_(roller.vertex, c) - p_(roller.vertex, c)) / dt;
  clock_.charge(PhaseClock::Update);
  const auto is_finite = [](const RigidBodyState& body) {
    return body.position.allFinite() && body.velocity.allFinite();
  };
  return x_.allFinite() && v_.allFinite() && std::all_of(bodies_.states().begin(), bodies_.states().end(), is_finite);
}

/// Velocities from loads, then predicted positions. [MSL19] eq. 3
void PbdBody::predict(double end, double dt) {
  if (options_.mass_damping > 0.0) v_ /= 1.0 + options_.mass_damping * dt;
  on_vertices([&](Eigen::Index first, Eigen::Index count) {
    v_.middleRows(first, count).rowwise() += dt * scene_.gravity.transpose();
  });
  for (const auto& load : scene_.point_loads)
    v_.row(load.vertex) += dt * w_[load.vertex] * load.ramp.value_at(end) * load.force.transpose();
  if (!scene_.traction_loads.empty()) {
    tractions_.setZero(x_.rows(), 3);
    add_traction_forces(scene_, end, tractions_);
    v_ += dt * w_.asDiagonal() * tractions_;
  }
  if (options_.damping > 0.0)
    for (const auto& component : components_) damp_velocities(component, x_, masses_, options_.damping, v_);
  on_vertices([&](Eigen::Index first, Eigen::Index count) {
    p_.middleRows(first, count) = x_.middleRows(first, count) + dt * v_.middleRows(first, count);
  });
  for (Held& held : held_) held.target = target_of(held, end);
  for (Held& roller : rollers_) roller.target = target_of(roller, end);
  place_held();
  place_rollers();
}

Vector3 PbdBody::target_of(const Held& held, double time) const {
  const Vector3 rest = scene_.rest_positions().row(held.vertex);
  Vector3 target = rest, moved = rest;
  for (std::size_t c = 0; c < 3; ++c) {
    if (held.motion[c] < 0) continue;
    if (c == 0 || held.motion[c] != held.motion[c - 1])
      moved = scene_.prescribed[std::size_t(held.motion[c])].position_at(held.index[c], rest, time);
    target[Eigen::Index(c)] = moved[Eigen::Index(c)];
  }
  return target;
}

void PbdBody::place_rollers() {
  for (const Held& roller : rollers_)
    for (int c = 0; c < 3; ++c)
      if (roller.motion[std::size_t(c)] >= 0) p_(roller.vertex, c) = roller.target[c];
}

void PbdBody::place_held() {
  for (const Anchored& anchored : following_)
    p_.row(anchored.attachment.vertex) = bodies_.point_of(anchored.attachment.body, anchored.anchor);
  for (const Held& held : held_) p_.row(held.vertex) = held.target;
}

void PbdBody::detect(double dt) {
  const auto count = [](int& most, std::size_t now) { most = std::max(most, int(now)); };
  if (!bodies_.empty() || !scene_.colliders.empty()) {
    find_body_contacts(scene_, x_, p_, w_, bodies_.motion(), options_, body_contacts_);
    count(contacts_.with_bodies, body_contacts_.size());
  }
  if (!bodies_.empty() && options_.corner_contacts && scene_.cloth.triangle_count() > 0) {
    find_corner_contacts(scene_, scene_.cloth.triangles, x_, p_, bodies_.motion(), options_, corner_contacts_);
    count(contacts_.corners, corner_contacts_.size());
  }
  if (self_collision_) {
    const double at_once = std::numeric_limits<double>::infinity();
    self_collision_->regain_at_most(options_.recovery_speed > 0.0 ? dt * options_.recovery_speed : at_once);
    self_collision_->find(x_, p_, self_contacts_);
    count(contacts_.with_itself, self_contacts_.size());
  }
  triangle_contacts_.begin(corner_contacts_, self_contacts_);
  velocity_update_.begin(body_contacts_, v_, scene_.gravity.norm(), dt, contact_compliances_);
}

bool PbdBody::has_contacts() const {
  return !body_contacts_.empty() || !corner_contacts_.empty() || !self_contacts_.empty();
}

void PbdBody::begin_constraints(double dt) {
  constraints_.begin_step(x_, dt);
  if (!sweep_) return;
  sweep_->begin_step(dt);
  sweep_->set_start(x_);
}

void PbdBody::project(int substep, double dt) {
  if (log_ != nullptr) {
    log_->stop_clock();
    predicted_ = p_;
  }
  if (solid_) solid_->begin_step(dt, p_);
  place_rollers();
  if (log_ != nullptr) log_iterate(substep, 0, dt);
  begin_constraints(dt);
  const bool is_mesh_alone = !options_.resets_multipliers && !solid_ && constraints_.empty() && following_.empty() &&
                             joined_.empty() && rollers_.empty() && !has_contacts();
  if (is_mesh_alone && sweep_ && log_ == nullptr) {
    sweep_->run(p_, options_.iterations);
    for (int k = 0; k < options_.iterations; ++k) count_projections();
  }
  if (is_mesh_alone && log_ != nullptr) {
    if (sweep_) sweep_->load(p_);
    for (int k = 1; k <= options_.iterations; ++k) {
      if (sweep_) sweep_->iterate();
      count_projections();
      log_->stop_clock();
      if (sweep_) sweep_->store(p_);
      log_iterate(substep, k, dt);
    }
  }
  for (int k = 0; k < (is_mesh_alone ? 0 : options_.iterations); ++k) {
    if (options_.resets_multipliers && k > 0) {
      if (solid_) solid_->begin_step(dt, p_);
      begin_constraints(dt);
    }
    if (sweep_) {
      sweep_->load(p_);
      sweep_->iterate();
      sweep_->store(p_);
    }
    if (solid_) solid_->sweep(p_, work_);
    constraints_.sweep(w_, p_);
    count_projections();
    clock_.charge(PhaseClock::Sweep);
    project_attachments();
    project_contacts();
    place_rollers();
    if (log_ != nullptr) {
      log_->stop_clock();
      log_iterate(substep, k + 1, dt);
    }
    clock_.charge(PhaseClock::Contacts);
  }
  if (options_.precision == Precision::Single || !following_.empty())
    place_held();  // undo rounding to float; bodies moved
  clock_.charge(PhaseClock::Sweep);
}

void PbdBody::count_projections() {
  const auto visits = std::int64_t(swept_ + constraints_.size()) * (options_.order == SweepOrder::Symmetric ? 2 : 1);
  work_.gradients += visits, work_.local_solves += visits;
}

Support PbdBody::iterations_have(IterationQuantity quantity) const {
  switch (quantity) {
    case IterationQuantity::Objective:
    case IterationQuantity::GradientNorm: {
      const std::string refusal = objective_refusal(scene_, swept_constraints(), constraints_, options_);
      return refusal.empty() ? Support::yes() : Support::no(refusal);
    }
    case IterationQuantity::StretchViolationRms:
    case IterationQuantity::StretchViolationMax:
      return mesh_.stretch.empty() ? Support::no("the scene has no cloth with edges") : Support::yes();
    case IterationQuantity::LinearIterations:
    case IterationQuantity::NewtonDecrement:
      break;
  }
  return Support::no("position based methods solve no linear system");
}

/// Logs p after `iteration` iterations of a substep, with the log's clock stopped.
void PbdBody::log_iterate(int substep, int iteration, double dt) {
  Iteration row{IterationKind::Projection};
  row.substep = substep;
  row.iteration = iteration;
  row.work = work_;
  const MeshConstraints swept = swept_constraints();
  if (objective_refusal(scene_, swept, constraints_, options_).empty()) {
    Points free_masses = masses_.replicate<1, 3>();
    for (Eigen::Index i = 0; i < masses_.size(); ++i)
      if (is_held(int(i))) free_masses.row(i).setZero();
    for (const Held& roller : rollers_)
      for (int c = 0; c < 3; ++c)
        if (roller.motion[std::size_t(c)] >= 0) free_masses(roller.vertex, c) = 0.0;
    const StepObjective objective =
        step_objective(p_, predicted_, free_masses, dt, swept, constraints_, solid_.get(), options_);
    row[IterationQuantity::Objective] = objective.value;
    row[IterationQuantity::GradientNorm] = objective.gradient_norm;
  }
  const StretchViolation stretch = stretch_violation(p_, mesh_.stretch);
  row[IterationQuantity::StretchViolationRms] = stretch.rms;
  row[IterationQuantity::StretchViolationMax] = stretch.max;
  log_->add(row);
}

void PbdBody::project_attachments() {
  for (const Anchored& anchored : joined_) bodies_.project(anchored.attachment, anchored.anchor, w_, options_, p_);
  if (!following_.empty()) place_held();
}

void PbdBody::project_contacts() {
  triangle_contacts_.project(bodies_, w_, options_, x_, p_);
  velocity_update_.project(bodies_, w_, options_, x_, p_);  // last, so that nothing pushes a vertex back into a body
}

StateView PbdBody::state() const {
  return {time_, PointsView(x_.data(), x_.rows(), 3), PointsView(v_.data(), v_.rows(), 3),
          ScalarsView(masses_.data(), masses_.size()), bodies_.states()};
}

}  // namespace deformbench::pbd
