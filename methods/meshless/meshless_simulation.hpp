// SPDX-License-Identifier: BSD-3-Clause
// A meshless solid: nodes moved by leap-frog in substeps of the scene's time step. [PKAGDG05] §2
#pragma once

#include "methods/facets.hpp"
#include "methods/meshless/meshless_options.hpp"

namespace deformbench::meshless {

class MeshlessSimulation final : public Simulation, public ElasticityFacet, public EventsFacet, public ArraysFacet {
 public:
  /// `threads`: at most; the state does not depend on their number.
  MeshlessSimulation(const Scene& scene, const MeshlessOptions& options, int threads = 1);

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
  /// Of nodes and of pairs (README.md).
  std::vector<std::string> array_names() const override;
  MethodArray array(const std::string& name) const override;

 private:
  void substep(double h, double end_time);
  void report_cloud();
  /// work(first, count) on all coordinates, in a part for each thread.
  template <class Work>
  void each_part(Work&& work);
  /// The loads at `time`, formed anew only while they change.
  void load_at(double time);
  /// M⁻¹ (f + f_ext) at the present positions, 0 in prescribed coordinates.
  void set_acceleration(double time);
  /// v = kept v + push a, then x += h v; prescribed coordinates go where they are at `end_time`, with the velocity that
  /// takes them there.
  void kick_and_drift(double kept, double push, double h, double end_time);

  const Scene scene_;
  const MeshlessOptions options_;
  const NodeCloud cloud_;
  const MlsElasticity elasticity_;
  const Eigen::VectorXd masses_;
  Points mobility_;                  ///< n×3, 1/kg; 0 where the scene prescribes the coordinate
  std::vector<Eigen::Index> held_;   ///< the prescribed coordinates, row by row
  std::vector<double> held_values_;  ///< of every one of `held_`: where it was, then its velocity
  Points loads_;                     ///< n×3, N: f_ext
  double last_load_change_ = 0.0;    ///< s
  double loaded_at_ = 0.0;           ///< s, the time of `loads_`
  double stable_step_ = 0.0;
  int threads_ = 1, substeps_ = 1;
  long long steps_ = 0;
  double time_ = 0.0;
  Points positions_, velocities_, acceleration_;
  std::vector<SimulationEvent> events_;
};

}  // namespace deformbench::meshless
