// SPDX-License-Identifier: BSD-3-Clause
// A meshless solid: nodes moved by leap-frog in substeps of the scene's time step. [PKAGDG05] §2
#pragma once

#include "methods/facets.hpp"
#include "methods/meshless/meshless_options.hpp"
#include "methods/meshless/weights/crack_weights.hpp"

namespace deformbench::meshless {

class MeshlessSimulation final : public Simulation, public ElasticityFacet, public EventsFacet, public ArraysFacet {
 public:
  MeshlessSimulation(const Scene& scene, const MeshlessOptions& options);

  std::span<const SimulationPart* const> parts() const override { return parts_; }
  StepReport step() override;
  StateView state() const override;

  double elastic_energy(const Eigen::Ref<const Points>& positions) const override {
    return elasticity_.energy(positions);
  }
  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override {
    return elasticity_.forces(positions);
  }
  /// `node_split` (code: the node) for every node that is split. In the first step, and where a crack has made it so,
  /// `rank_deficient_node` for every node whose neighbours lie in a plane or on a line, and `stable_time_step` with
  /// 2/ω_max where the substeps were not given.
  std::span<const SimulationEvent> step_events() const override { return events_; }
  /// Of nodes and of pairs (README.md).
  std::vector<std::string> array_names() const override;
  MethodArray array(const std::string& name) const override;

 private:
  void substep(double h, double end_time);
  void report_cloud();
  /// As many as `safety` asks for; says so in an event. Throws InputError where that would look like a hang.
  int stable_substeps();
  void report_rank(std::size_t node);
  void set_held();
  /// One pass of [PKAGDG05] §4; new nodes follow the linear motion about the node they are parts of, with its velocity.
  void resample();
  /// Cracks as they are at the end of a step.
  void advance_cracks(double end_time);
  /// M⁻¹ (f + f_ext) at the present positions, 0 in prescribed coordinates.
  void set_acceleration(double time);
  /// x += h v; prescribed coordinates go where they are at `end_time`, with the velocity that takes them there.
  void drift(double h, double end_time);

  Scene scene_;
  const MeshlessOptions options_;
  NodeCloud cloud_;
  CrackWeights weights_;
  const MlsElasticity elasticity_;
  Eigen::VectorXd masses_;
  Points is_held_;  ///< n×3, 1 where the scene prescribes the coordinate
  int substeps_ = 1;
  long long steps_ = 0;
  double time_ = 0.0;
  Points positions_, velocities_, acceleration_;
  std::vector<SimulationEvent> events_;
  std::optional<NodeResampling> resampling_;
  std::vector<const SimulationPart*> parts_;
  bool may_resample_ = true;  ///< cracks or nodes have changed since nothing was left to split
};

}  // namespace deformbench::meshless
