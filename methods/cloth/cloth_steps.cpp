// SPDX-License-Identifier: BSD-3-Clause
// One substep of each scheme. [B05] §8, §9
#include "methods/cloth/cloth_simulation.hpp"

namespace deformbench::cloth {
namespace {

using VectorMap = Eigen::Map<Eigen::VectorXd>;
using ConstVectorMap = Eigen::Map<const Eigen::VectorXd>;
/// Rounds of implicit_step in which vertices that would end inside an obstacle become constrained.
constexpr int kContactRounds = 5;

}  // namespace

void ClothSimulation::place_bodies() {
  bodies_.clear();
  for (const model::RigidBody& body : scene_.rigid_bodies) {
    const model::Pose pose = body.pose_at(time_);
    bodies_.push_back({0.0, Matrix3::Zero(), pose.position, pose.orientation, body.velocity_at(time_),
                       body.angular_velocity_at(time_)});
  }
}

Points ClothSimulation::forces_at(const Points& x, double time, const Points* v) {
  work_.gradients += forces_.element_count();
  Points forces = external_forces(scene_, masses_, time);
  forces_.add_elastic(x, forces);
  if (v != nullptr && forces_.is_damped()) forces_.add_damping(x, *v, forces);
  return forces;
}

void ClothSimulation::lead_held(double h, double end_time, Points& v) const {
  Points end = positions_;
  place_prescribed(scene_, end_time, end);
  v = v.cwiseProduct(is_free_) + (Points::Ones(v.rows(), 3) - is_free_).cwiseProduct(end - positions_) / h;
}

void ClothSimulation::collide_and_move(double h, double end_time) {
  contacts_ = obstacles_.stop(positions_, h, end_time, is_free_, velocities_);
  const Points start = positions_;
  positions_ += h * velocities_;
  place_prescribed(scene_, end_time, positions_);
  if (!options_.motion.strain_limits.is_on()) keep_layers_apart(start, h);
}

void ClothSimulation::keep_layers_apart(const Points& start, double h) {
  collisions_.resolve(start, is_free_, h, velocities_, positions_);
  clock_.charge(StepPhases::Motion);
  clock_.move(StepPhases::Motion, StepPhases::Broad, collisions_.phase_seconds());
  collision_totals_.add(collisions_);
}

void ClothSimulation::stop_what_moved(const Points& start, double h, double end_time) {
  if (!obstacles_.has_obstacles()) return;
  const Points way = (positions_ - start) / h;
  Points stopped = way;
  obstacles_.stop(start, h, end_time, is_free_, stopped);
  for (Eigen::Index i = 0; i < way.rows(); ++i) {
    if (stopped.row(i) == way.row(i)) continue;
    velocities_.row(i) += stopped.row(i) - way.row(i);
    positions_.row(i) = start.row(i) + h * stopped.row(i);
  }
}

void ClothSimulation::keep_moved_layers_apart(const Points& start, double h) {
  // Collisions act on the mean velocities of the substep, and change those at its end by as much.
  const Points end = positions_, velocities = velocities_, way = (end - start) / h;
  velocities_ = way;
  keep_layers_apart(start, h);
  const Points changed = velocities_ - way;
  velocities_ = velocities + changed;
  for (Eigen::Index i = 0; i < way.rows(); ++i)
    if (changed.row(i).isZero(0.0)) positions_.row(i) = end.row(i);  // to the bit
}

void ClothSimulation::solve_velocities(double part, const Points& forces, const Points& start, const Sparse* extra,
                                       const std::vector<VertexContact>& constrained, Points& v) {
  const Eigen::Index n = 3 * v.rows();
  const Points weights = masses_.replicate<1, 3>();
  std::vector<Eigen::Triplet<double>> diagonal;
  for (Eigen::Index i = 0; i < n; ++i)
    diagonal.emplace_back(int(i), int(i), (1.0 + options_.mass_damping * part) * masses_[i / 3]);
  Sparse a(n, n);
  a.setFromTriplets(diagonal.begin(), diagonal.end());
  a += part * forces_.damping_matrix(positions_);
  if (extra != nullptr) a += *extra;
  const Points b = weights.cwiseProduct(start) + part * forces;
  Eigen::VectorXd solution = ConstVectorMap(v.data(), n);
  const FilteredResult result =
      filtered_solve(a, ConstVectorMap(b.data(), n), Filter(is_free_, constrained), options_.motion.solver_tolerance,
                     options_.motion.solver_iterations, solution);
  VectorMap(v.data(), n) = solution;
  if (forces_.is_damped()) work_.gradients += forces_.element_count();
  work_.products += result.iterations;
  ++report_.solves;
  ++report_.assemblies;
  report_.iterations += result.iterations;
  report_.residual = result.residual;
  report_.converged = report_.converged.value_or(true) && result.converged;
  report_.tolerance = options_.motion.solver_tolerance;
}

void ClothSimulation::symplectic_step(double h, double end_time) {
  // v⁺ = v + h a(x), x⁺ = x + h v⁺; contact before anything moves. [B05] §8
  const Points forces = forces_at(positions_, end_time - h, &velocities_);
  velocities_ = (velocities_ + h * masses_.cwiseInverse().asDiagonal() * forces) / (1.0 + options_.mass_damping * h);
  lead_held(h, end_time, velocities_);
  collide_and_move(h, end_time);
}

void ClothSimulation::half_step(double h, double end_time) {
  const double half = 0.5 * h;
  const bool is_implicit = options_.motion.first_half_is_implicit && forces_.is_damped();
  Points forces = forces_at(positions_, end_time - h, is_implicit ? nullptr : &velocities_);
  if (is_implicit)
    solve_velocities(half, forces, Points(velocities_), nullptr, {}, velocities_);
  else
    velocities_ += half * (masses_.cwiseInverse().asDiagonal() * forces - options_.mass_damping * velocities_);
  lead_held(h, end_time, velocities_);
  // [B05] §9: the collision velocity v^{n+1/2}, x^{n+1} = x^n + Δt v^{n+1/2} …
  collide_and_move(h, end_time);

  // … then v^{n+1} = v^{n+1/2} + Δt/2 a(x^{n+1}, v^{n+1}), which couples collided vertices with the others.
  forces = forces_at(positions_, end_time, nullptr);
  std::vector<VertexContact> constrained;
  const Points middle = velocities_;
  if (options_.motion.scheme == Scheme::HalfStepConstrained) {
    constrained = contacts_;  // stronger: their normal velocities equal the obstacle's
    for (const VertexContact& contact : constrained) {
      const Vector3 velocity = velocities_.row(contact.vertex);
      velocities_.row(contact.vertex) +=
          ((contact.obstacle_speed - velocity.dot(contact.normal)) * contact.normal).transpose();
    }
  }
  solve_velocities(half, forces, middle, nullptr, constrained, velocities_);
}

void ClothSimulation::implicit_step(double h, double end_time) {
  // (M + h D + h² K) v⁺ = M v + h f(x): one Newton iteration of implicit Euler, as in Baraff and Witkin 1998.
  const Points forces = forces_at(positions_, end_time - h, nullptr), start = velocities_;
  const Sparse stiffness = h * h * forces_.stiffness_matrix(positions_, StiffnessKind::Semidefinite);
  work_.hessians += forces_.element_count();
  lead_held(h, end_time, velocities_);
  std::vector<VertexContact> constrained;
  for (int round = 0; round < kContactRounds; ++round) {
    solve_velocities(h, forces, start, &stiffness, constrained, velocities_);
    const std::vector<VertexContact> met = obstacles_.stop(positions_, h, end_time, is_free_, velocities_);
    if (met.empty()) break;
    constrained.insert(constrained.end(), met.begin(), met.end());
  }
  collide_and_move(h, end_time);
  contacts_.insert(contacts_.end(), constrained.begin(), constrained.end());
}

void ClothSimulation::substep(double h, double end_time) {
  const Points start = options_.motion.strain_limits.is_on() ? positions_ : Points();
  switch (options_.motion.scheme) {
    case Scheme::Symplectic:
      symplectic_step(h, end_time);
      break;
    case Scheme::HalfStep:
    case Scheme::HalfStepConstrained:
      half_step(h, end_time);
      break;
    case Scheme::Implicit:
      implicit_step(h, end_time);
      break;
  }
  if (options_.motion.strain_limits.is_on()) {
    strain_limits_.limit(forces_.springs(), h, positions_, velocities_);
    stop_what_moved(start, h, end_time);
    keep_moved_layers_apart(start, h);
  }
  if (options_.motion.plasticity.changes_anything()) plastic_springs_.advance(positions_, h, forces_.springs());
}

}  // namespace deformbench::cloth
