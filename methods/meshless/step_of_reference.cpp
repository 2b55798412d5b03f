// SPDX-License-Identifier: BSD-3-Clause
// Plastic flow of a meshless solid, and rebasing once it has flowed far. [PKAGDG05] §2, §5
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "methods/meshless/meshless_simulation.hpp"

namespace deformbench::meshless {
namespace {

constexpr double kMostGrowth = 4.0;  // current / initial supports: 64 times as many pairs in a thick body

}  // namespace

void MeshlessSimulation::flow() {
  clock_.charge(PhaseClock::Motion);
  if (!options_.plasticity.is_on) return;
  if (!plastic_stretches_.empty()) {
    for (Eigen::Index i = 0; i < cloud_.size(); ++i) {
      if (cloud_.ranks[std::size_t(i)] < 3) continue;  // strain is unknown in some direction, so no flow
      PlasticStretch& plastic = plastic_stretches_[std::size_t(i)];
      const PlasticStretch next = flowed(elasticity_.deformation_gradient(i, positions_), plastic, options_.plasticity);
      if (next.flowed == plastic.flowed) continue;
      plastic = next;
      elasticity_.set_plastic_metric(i, plastic.metric);
    }
    clock_.charge(PhaseClock::Flow);
    return;
  }
  if (plastic_strains_.empty()) return;
  const double factor = options_.elastic.strain == Strain::Green ? 0.5 : 1.0;
  for (Eigen::Index i = 0; i < cloud_.size(); ++i) {
    const Matrix3 f = elasticity_.deformation_gradient(i, positions_);
    Matrix3& plastic = plastic_strains_[std::size_t(i)];
    plastic = flowed(factor * (f.transpose() * f - cloud_.projections[std::size_t(i)]), plastic, options_.plasticity);
  }
  elasticity_.set_plastic_strains(plastic_strains_);
  clock_.charge(PhaseClock::Flow);
}

void MeshlessSimulation::set_plastic_state() {
  if (!plastic_strains_.empty()) elasticity_.set_plastic_strains(plastic_strains_);
  for (std::size_t i = 0; i < plastic_stretches_.size(); ++i)
    elasticity_.set_plastic_metric(Eigen::Index(i), plastic_stretches_[i].metric);
}

void MeshlessSimulation::set_plastic_state(std::span<const int> nodes) {
  if (!plastic_strains_.empty()) elasticity_.set_plastic_strains(plastic_strains_);
  if (plastic_stretches_.empty()) return;
  for (const int i : nodes) elasticity_.set_plastic_metric(i, plastic_stretches_[std::size_t(i)].metric);
}

bool MeshlessSimulation::has_flowed_far() const {
  return options_.rebase_flow > 0.0 &&
         std::any_of(plastic_stretches_.begin(), plastic_stretches_.end(),
                     [&](const PlasticStretch& of) { return of.since_base > options_.rebase_flow; });
}

void MeshlessSimulation::rebase() {
  if (!plastic_strains_.empty()) throw std::logic_error("rebase: of a solid whose plastic strains are additive");
  const double before = elasticity_.energy(positions_);
  ++references_;
  if (resampling_) resampling_->follow_reference(cloud_);
  // Held nodes keep the positions they would have had.
  for (auto& motion : scene_.prescribed)
    if (motion.targets.rows() == 0) motion.targets = scene_.particles.rest_positions(motion.vertices, Eigen::all);
  ReferenceMap map(cloud_, options_.weights, weights_.cracks(), positions_ - cloud_.rest, displacement_gradients());
  for (Eigen::Index v = 0; v < scene_.skin.positions.rows(); ++v)
    scene_.skin.positions.row(v) = map.place(scene_.skin.positions.row(v)).transpose();
  if (!surface_.empty()) surface_.carry(positions_ - cloud_.rest, displacement_gradients());
  parted_ = PartedPairs(cloud_, parted_);
  scene_.particles.rest_positions = positions_;
  // An elastic solid also has strains that its new reference must keep.
  if (plastic_stretches_.empty()) plastic_stretches_.assign(std::size_t(cloud_.size()), {});
  if (options_.has_stretched_supports && largest_supports_.empty())
    for (const double support : cloud_.supports) largest_supports_.push_back(kMostGrowth * support);
  const int cut = meshless::rebase(cloud_, elasticity_, positions_, plastic_stretches_, parted_, largest_supports_);
  scene_.particles.supports = Eigen::Map<const Eigen::VectorXd>(cloud_.supports.data(), cloud_.size());
  if (cracks_) cracks_->carry(scene_.skin, map);
  weights_.carry([&](const Vector3& x, const Vector3& normal) { return map.place_between(x, normal); }, cloud_);
  elasticity_.follow();
  set_plastic_state();
  if (resampling_) resampling_->follow_skin();
  surface_.rebase(cloud_, options_.weights, weights_.cracks());
  may_resample_ = true;
  events_.push_back({"reference", references_,
                     fmt::format("energy {:.9g} J before, {:.9g} J after, {} elastic stretches cut", before,
                                 elasticity_.energy(positions_), cut)});
  clock_.charge(PhaseClock::Reference);
  if (options_.substeps == 0) substeps_ = stable_substeps();
  clock_.charge(PhaseClock::StableStep);
  acceleration_.resize(cloud_.size(), 3);
  set_acceleration(time_);
}

}  // namespace deformbench::meshless
