// SPDX-License-Identifier: BSD-3-Clause
// Cloth, or particles that springs hold together, moved by forces. [B05]
#pragma once

#include "methods/cloth/cloth_forces.hpp"
#include "methods/cloth/cloth_options.hpp"
#include "methods/facets.hpp"

namespace deformbench::cloth {

class ClothSimulation final : public Simulation, public ElasticityFacet {
 public:
  /// Throws InputError for a scene that check_scene refuses.
  ClothSimulation(const Scene& scene, const ClothOptions& options, const RunContext& context);

  StepReport step() override;
  StateView state() const override;

  double elastic_energy(const Eigen::Ref<const Points>& positions) const override { return forces_.energy(positions); }
  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override;

 private:
  void substep(double h, double end_time);

  const Scene scene_;
  const ClothOptions options_;
  ClothForces forces_;
  PlasticSprings plastic_springs_;
  const Eigen::VectorXd masses_;
  Points is_free_;  ///< n×3, 0 where the scene prescribes the coordinate
  StrainLimits strain_limits_;
  Points positions_, velocities_;
  double time_ = 0.0;
};

}  // namespace deformbench::cloth
