// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/constraint_set.hpp"

#include <algorithm>
#include <utility>

#include "methods/pbd/projection.hpp"
#include "methods/pbd/sweeps/stiffness_share.hpp"

namespace deformbench::pbd {

namespace {
/// Separates this random stream from the others of a run.
constexpr std::uint64_t kOrderStream = 0x70626421;
}  // namespace

ConstraintSet::ConstraintSet(const PbdOptions& options, std::uint64_t seed)
    : options_(options), random_(seed, kOrderStream) {}

void ConstraintSet::add(std::unique_ptr<Constraint> constraint) {
  const std::size_t cardinality = constraint->vertices().size();
  const std::size_t first = gradient_count();
  const double stated = constraint->stiffness;
  gradients_.resize(std::max(gradients_.size(), cardinality));
  weights_.resize(gradients_.size());
  order_.push_back(constraints_.size());
  constraints_.push_back({std::move(constraint), stated, stiffness_share(stated, options_), 0.0, first});
}

void ConstraintSet::clear_from(std::size_t first) {
  constraints_.erase(constraints_.begin() + std::ptrdiff_t(first), constraints_.end());
  order_.resize(first);
  for (std::size_t k = 0; k < first; ++k) order_[k] = k;
}

void ConstraintSet::begin_step(const Points& start, double time_step) {
  time_step_ = time_step;
  for (Entry& entry : constraints_) {
    entry.multiplier = 0.0;
    if (entry.constraint->stiffness == entry.stated) continue;
    entry.stated = entry.constraint->stiffness;
    entry.stiffness = stiffness_share(entry.stated, options_);
  }
  if (options_.gradients_at == GradientsAt::Predicted || constraints_.empty()) return;
  start_gradients_.resize(gradient_count());
  for (const Entry& entry : constraints_)
    entry.constraint->evaluate(start,
                               std::span(start_gradients_).subspan(entry.first, entry.constraint->vertices().size()));
}

std::size_t ConstraintSet::gradient_count() const {
  return constraints_.empty() ? 0 : constraints_.back().first + constraints_.back().constraint->vertices().size();
}

std::span<const Vector3> ConstraintSet::directions(const Entry& entry) const {
  const std::size_t count = entry.constraint->vertices().size();
  // DEVIATION [MHHR07] §3.3: gradients at x_n keep Σ x_n × mΔp = 0 and hence the angular momentum of the step
  // (B-PBD-5).
  if (options_.gradients_at == GradientsAt::Start) return std::span(start_gradients_).subspan(entry.first, count);
  return std::span(gradients_).first(count);
}

double ConstraintSet::scale_of(Entry& entry, const Eigen::VectorXd& inverse_masses, const Points& positions) {
  const std::span<const int> vertices = entry.constraint->vertices();
  for (std::size_t k = 0; k < vertices.size(); ++k) weights_[k] = inverse_masses[vertices[k]];
  const std::span<Vector3> gradients = std::span(gradients_).first(vertices.size());
  const double value = entry.constraint->evaluate(positions, gradients);
  const Linearised linearised{value, directions(entry), gradients, std::span(weights_).first(vertices.size())};
  const bool is_inequality = entry.constraint->is_inequality;
  if (!options_.is_compliant)
    return correction_scale(linearised, is_inequality, entry.stiffness, options_.mass_weighting);
  const double scaled = entry.constraint->compliance / (time_step_ * time_step_);
  return multiplier_change(linearised, is_inequality, scaled, entry.multiplier);
}

void ConstraintSet::sweep(const Eigen::VectorXd& inverse_masses, Points& positions) {
  if (options_.order == SweepOrder::Jacobi) {
    jacobi_sweep(inverse_masses, positions);
    return;
  }
  if (options_.order == SweepOrder::Random)
    for (std::size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[random_.below(k)]);
  const bool is_symmetric = options_.order == SweepOrder::Symmetric;
  if (options_.order != SweepOrder::Reverse)
    for (const std::size_t index : order_) project(constraints_[index], inverse_masses, positions);
  if (options_.order == SweepOrder::Reverse || is_symmetric)
    for (auto index = order_.rbegin(); index != order_.rend(); ++index)
      project(constraints_[*index], inverse_masses, positions);
}

bool ConstraintSet::all_compliant() const {
  return std::all_of(constraints_.begin(), constraints_.end(),
                     [](const Entry& entry) { return entry.constraint->compliance > 0.0; });
}

double ConstraintSet::add_energy(const Points& positions, Points& gradient) const {
  double energy = 0.0;
  std::vector<Vector3> gradients;
  for (const Entry& entry : constraints_) {
    const std::span<const int> vertices = entry.constraint->vertices();
    gradients.resize(vertices.size());
    const double value = entry.constraint->evaluate(positions, gradients);
    if (entry.constraint->is_inequality && value >= 0.0) continue;
    const double force = value / entry.constraint->compliance;
    energy += 0.5 * force * value;
    for (std::size_t k = 0; k < vertices.size(); ++k) gradient.row(vertices[k]) += force * gradients[k].transpose();
  }
  return energy;
}

void ConstraintSet::project(Entry& entry, const Eigen::VectorXd& inverse_masses, Points& positions) {
  const double scale = scale_of(entry, inverse_masses, positions);
  if (scale == 0.0) return;
  entry.multiplier += scale;
  const std::span<const Vector3> along = directions(entry);
  const std::span<const int> vertices = entry.constraint->vertices();
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (weights_[i] > 0.0) positions.row(vertices[i]) += scale * weights_[i] * along[i].transpose();
}

void ConstraintSet::jacobi_sweep(const Eigen::VectorXd& inverse_masses, Points& positions) {
  sums_.setZero(positions.rows(), 3);
  counts_.assign(std::size_t(positions.rows()), 0);
  for (Entry& entry : constraints_) {
    const double scale = scale_of(entry, inverse_masses, positions);
    entry.multiplier += options_.jacobi_omega * scale;
    const std::span<const Vector3> along = directions(entry);
    const std::span<const int> vertices = entry.constraint->vertices();
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      if (!(weights_[i] > 0.0)) continue;
      if (scale != 0.0) sums_.row(vertices[i]) += scale * weights_[i] * along[i].transpose();
      ++counts_[std::size_t(vertices[i])];
    }
  }
  for (Eigen::Index i = 0; i < positions.rows(); ++i) {
    const int count = counts_[std::size_t(i)];
    if (count == 0) continue;
    positions.row(i) += options_.jacobi_omega / (options_.jacobi_average ? count : 1) * sums_.row(i);
  }
}

}  // namespace deformbench::pbd
