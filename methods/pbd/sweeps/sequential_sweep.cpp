// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/sweeps/sequential_sweep.hpp"

#include <numeric>

#include "methods/pbd/sweeps/newton_step.hpp"
#include "methods/pbd/sweeps/stiffness_share.hpp"

namespace deformbench::pbd {

SequentialSweep::SequentialSweep(const MeshConstraints& constraints, const Eigen::VectorXd& inverse_masses,
                                 const PbdOptions& options, std::uint64_t seed)
    : stretch_(constraints.stretch),
      bend_(constraints.bend),
      inverse_masses_(inverse_masses),
      options_(options),
      stretch_share_(stiffness_share(options.stretch_stiffness, options)),
      bend_share_(stiffness_share(options.bend_stiffness, options)),
      multipliers_(options.is_compliant ? stretch_.size() + bend_.size() : 0, 0.0),
      order_(stretch_.size() + bend_.size()),
      random_(seed) {
  std::iota(order_.begin(), order_.end(), std::size_t(0));
  if (options.order == SweepOrder::Reverse) std::reverse(order_.begin(), order_.end());
}

void SequentialSweep::begin_step(double time_step) {
  time_step_ = time_step;
  std::fill(multipliers_.begin(), multipliers_.end(), 0.0);
}

void SequentialSweep::set_start(const Points& positions) {
  if (options_.gradients_at == GradientsAt::Start) start_ = positions;
}

void SequentialSweep::iterate() {
  if (options_.order == SweepOrder::Random)
    for (std::size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[random_.below(k)]);
  if (options_.order == SweepOrder::Jacobi) {
    corrections_.setZero(positions_.rows(), 3);
    counts_.setZero(positions_.rows());
  }
  for (const std::size_t index : order_) project(index);
  if (options_.order == SweepOrder::Symmetric)
    for (auto index = order_.rbegin(); index != order_.rend(); ++index) project(*index);
  if (options_.order == SweepOrder::Jacobi) apply_jacobi();
}

void SequentialSweep::project(std::size_t index) {
  double none = 0.0;
  double& multiplier = options_.is_compliant ? multipliers_[index] : none;
  const bool at_start = options_.gradients_at == GradientsAt::Start;
  const auto gather = [](const auto& vertices, const Points& from) {
    std::array<Vector3, std::tuple_size_v<std::decay_t<decltype(vertices)>>> x;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = from.row(vertices[k]).transpose();
    return x;
  };
  if (index < stretch_.size()) {
    const StretchConstraint& c = stretch_[index];
    const std::array<int, 2> vertices = {c.a, c.b};
    const Evaluated<2> at = evaluate_stretch(gather(vertices, positions_), c.rest_length);
    project<2>(vertices, at,
               at_start ? evaluate_stretch(gather(vertices, start_), c.rest_length).gradients : at.gradients,
               stretch_share_, options_.stretch_compliance, multiplier);
  } else {
    const BendConstraint& c = bend_[index - stretch_.size()];
    const BendAngle angle = options_.bend_angle;
    const Evaluated<4> at = evaluate_bend(angle, gather(c.vertices, positions_), c.rest_angle);
    project<4>(c.vertices, at,
               at_start ? evaluate_bend(angle, gather(c.vertices, start_), c.rest_angle).gradients : at.gradients,
               bend_share_, options_.bend_compliance, multiplier);
  }
}

template <int n>
void SequentialSweep::project(const std::array<int, n>& vertices, const Evaluated<n>& at,
                              const std::array<Vector3, n>& directions, double share, double compliance,
                              double& multiplier) {
  NewtonSums sums;
  for (std::size_t k = 0; k < n; ++k) {
    const double w = inverse_masses_[vertices[k]], product = directions[k].dot(at.gradients[k]);
    sums.weighted += w * directions[k].squaredNorm();
    sums.newton += w * product;
    sums.plain += product;
    sums.inverse_mass += w;
  }
  if (!(sums.weighted > 0.0)) return;  // nothing can move, or no gradient
  double factor;                       // Δp_i = factor · w_i · direction_i
  if (options_.is_compliant) {
    factor = compliant_change(sums, at.value, compliance / (time_step_ * time_step_),
                              multiplier);  // α̃ = α/Δt². [MMC16] eq. 18
    multiplier += factor;
  } else if (options_.mass_weighting == MassWeighting::Corrected) {
    factor = corrected_scale(sums, at.value, share);
  } else {
    if (!(sums.plain > 0.0)) return;
    factor = printed_scale(sums, at.value, share, n);
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double w = inverse_masses_[vertices[k]];
    if (w > 0.0) move(vertices[k], factor * w * directions[k]);
  }
}

void SequentialSweep::move(int vertex, const Vector3& correction) {
  if (options_.order != SweepOrder::Jacobi) {
    positions_.row(vertex) += correction.transpose();
    return;
  }
  corrections_.row(vertex) += correction.transpose();
  counts_[vertex] += 1.0;
}

void SequentialSweep::apply_jacobi() {
  for (Eigen::Index v = 0; v < positions_.rows(); ++v) {
    if (counts_[v] == 0.0) continue;
    positions_.row(v) += options_.jacobi_omega / (options_.jacobi_average ? counts_[v] : 1.0) * corrections_.row(v);
  }
}

}  // namespace deformbench::pbd
