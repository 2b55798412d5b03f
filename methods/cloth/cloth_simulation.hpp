// SPDX-License-Identifier: BSD-3-Clause
// Cloth, or particles that springs hold together, moved by forces. [B05]
#pragma once

#include "methods/cloth/cloth_forces.hpp"
#include "methods/cloth/cloth_options.hpp"
#include "methods/cloth/collision/collision_totals.hpp"
#include "methods/facets.hpp"

namespace deformbench::cloth {

class ClothSimulation final : public Simulation,
                              public ElasticityFacet,
                              public ContactFacet,
                              public EventsFacet,
                              public ArraysFacet {
 public:
  /// Throws InputError for a scene that check_scene refuses.
  ClothSimulation(const Scene& scene, const ClothOptions& options, const RunContext& context);

  StepReport step() override;
  StateView state() const override;

  double elastic_energy(const Eigen::Ref<const Points>& positions) const override { return forces_.energy(positions); }
  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override;
  /// Pairs of the surface that would have met in the last step's substeps.
  Contacts step_contacts() const override;
  /// `collisions_unresolved` and `vertices_stopped` (code: how many) of a step whose collisions were not all resolved,
  /// or by stopping vertices alone.
  std::span<const SimulationEvent> step_events() const override { return events_; }
  /// collision_counts, sweep_contacts (README.md).
  std::vector<std::string> array_names() const override;
  MethodArray array(const std::string& name) const override;

 private:
  void substep(double h, double end_time);

  const Scene scene_;
  const ClothOptions options_;
  const ClothForces forces_;
  const Eigen::VectorXd masses_;
  Points is_free_;  ///< n×3, 0 where the scene prescribes the coordinate
  Points positions_, velocities_;
  cloth_collision::Collisions collisions_;
  cloth_collision::CollisionTotals collision_totals_;  ///< of the last step
  std::vector<SimulationEvent> events_;                ///< of the last step
  double time_ = 0.0;
};

}  // namespace deformbench::cloth
