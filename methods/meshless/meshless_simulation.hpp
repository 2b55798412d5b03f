// SPDX-License-Identifier: BSD-3-Clause
// A meshless solid: nodes moved by leap-frog in substeps of the scene's time step. [PKAGDG05] §2
#pragma once

#include "methods/facets.hpp"
#include "methods/meshless/meshless_options.hpp"
#include "methods/meshless/surface/surfel_surface.hpp"
#include "methods/meshless/weights/crack_weights.hpp"

namespace deformbench::meshless {

class MeshlessSimulation final : public Simulation,
                                 public ElasticityFacet,
                                 public EventsFacet,
                                 public ArraysFacet,
                                 public ContactFacet {
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
  /// In the first step, and where a crack has made it so, `rank_deficient_node` for every node whose neighbours lie in
  /// a plane or on a line, and `stable_time_step` with 2/ω_max where the substeps were not given.
  std::span<const SimulationEvent> step_events() const override { return events_; }
  /// Of nodes and of pairs (README.md).
  std::vector<std::string> array_names() const override;
  MethodArray array(const std::string& name) const override;

  Contacts step_contacts() const override { return {.with_bodies = contacts_}; }

 private:
  void substep(double h, double end_time);
  void report_cloud();
  /// As many as `safety` asks for; says so in an event. Throws InputError where that would look like a hang.
  int stable_substeps();
  void report_rank(std::size_t node);
  /// Cracks as they are at the end of a step.
  void advance_cracks(double end_time);
  /// ∂u/∂x of every node.
  std::vector<Matrix3> displacement_gradients() const;
  MethodArray plastic_strain_array() const;
  /// Plastic flow at the present positions.
  void flow();
  /// M⁻¹ (f + f_ext) at the present positions, 0 in prescribed coordinates.
  void set_acceleration(double time);
  /// x += h v; prescribed coordinates go where they are at `end_time`, with the velocity that takes them there.
  void drift(double h, double end_time);

  const Scene scene_;
  const MeshlessOptions options_;
  NodeCloud cloud_;
  CrackWeights weights_;
  SurfelSurface surface_;
  MlsElasticity elasticity_;
  const Eigen::VectorXd masses_;
  Points is_held_;  ///< n×3, 1 where the scene prescribes the coordinate
  int substeps_ = 1;
  long long steps_ = 0;
  double time_ = 0.0;
  Points positions_, velocities_, acceleration_;
  std::vector<double> contact_stiffnesses_;  ///< n, N/m
  int contacts_ = 0;                         ///< nodes behind planes at the end of the last substep
  std::vector<Matrix3> plastic_strains_;     ///< of every node; empty without plasticity
  std::vector<SimulationEvent> events_;
};

}  // namespace deformbench::meshless
