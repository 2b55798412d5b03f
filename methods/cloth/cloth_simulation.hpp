// SPDX-License-Identifier: BSD-3-Clause
// Cloth, particles that springs hold together, or a block of tetrahedra, moved by forces. [B05]
#pragma once

#include "methods/cloth/cloth_forces.hpp"
#include "methods/cloth/cloth_options.hpp"
#include "methods/cloth/collision/collision_totals.hpp"
#include "methods/facets.hpp"

namespace deformbench::cloth {

class ClothSimulation final : public Simulation, public ElasticityFacet, public ContactFacet, public ArraysFacet {
 public:
  /// Throws InputError for a scene that check_scene refuses.
  ClothSimulation(const Scene& scene, const ClothOptions& options, const RunContext& context);

  StepReport step() override;
  StateView state() const override;

  double elastic_energy(const Eigen::Ref<const Points>& positions) const override { return forces_.energy(positions); }
  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override;
  /// Pairs of the surface that would have met in the last step's substeps.
  Contacts step_contacts() const override;
  /// collision_counts, sweep_contacts of the last step (README.md); damping_forces, hinge_vertices, hinge_sines,
  /// hinge_slopes, hinge_energies, stiffness_places, stiffness_entries: at the state as it is.
  std::vector<std::string> array_names() const override;
  MethodArray array(const std::string& name) const override;

 private:
  int substeps_needed() const;  ///< as many as the safety factor asks for; throws InputError where that would hang
  void substep(double h, double end_time);

  const Scene scene_;
  const ClothOptions options_;
  ClothForces forces_;
  PlasticSprings plastic_springs_;
  const Eigen::VectorXd masses_;
  Points is_free_;  ///< n×3, 0 where the scene prescribes the coordinate
  StrainLimits strain_limits_;
  Points positions_, velocities_;
  int substeps_ = 1;
  cloth_collision::Collisions collisions_;
  cloth_collision::CollisionTotals collision_totals_;  ///< of the last step
  double time_ = 0.0;
};

}  // namespace deformbench::cloth
