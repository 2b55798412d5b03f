// SPDX-License-Identifier: BSD-3-Clause
// A meshless solid: nodes moved by leap-frog in substeps of the scene's time step. [PKAGDG05] §2
#pragma once

#include <memory>

#include "methods/facets.hpp"
#include "methods/meshless/cracks/crack_part.hpp"
#include "methods/meshless/meshless_options.hpp"

namespace deformbench::meshless {

class MeshlessSimulation final : public Simulation, public ElasticityFacet, public EventsFacet, public ArraysFacet {
 public:
  MeshlessSimulation(const Scene& scene, const MeshlessOptions& options);

  StepReport step() override;
  StateView state() const override;

  double elastic_energy(const Eigen::Ref<const Points>& positions) const override {
    return elasticity_.energy(positions);
  }
  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override {
    return elasticity_.forces(positions);
  }
  /// In the first step `rank_deficient_node` for every node whose neighbours lie in a plane or on a line, and
  /// `stable_time_step` with 2/ω_max.
  std::span<const SimulationEvent> step_events() const override { return events_; }
  /// Of nodes, of pairs and of cracks (README.md).
  std::vector<std::string> array_names() const override;
  MethodArray array(const std::string& name) const override;

 private:
  void substep(double h, double end_time);
  void report_cloud();
  /// M⁻¹ (f + f_ext) at the present positions, 0 in prescribed coordinates.
  void set_acceleration(double time);
  /// x += h v; prescribed coordinates go where they are at `end_time`, with the velocity that takes them there.
  void drift(double h, double end_time);

  const Scene scene_;
  const MeshlessOptions options_;
  const NodeCloud cloud_;
  const MlsElasticity elasticity_;
  const Eigen::VectorXd masses_;
  Points is_held_;  ///< n×3, 1 where the scene prescribes the coordinate
  double stable_step_ = 0.0;
  int substeps_ = 1;
  long long steps_ = 0;
  double time_ = 0.0;
  Points positions_, velocities_, acceleration_;
  std::vector<SimulationEvent> events_;
  std::unique_ptr<CrackPart> cracks_;  ///< null where the options ask for none
};

}  // namespace deformbench::meshless
