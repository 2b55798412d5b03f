// SPDX-License-Identifier: BSD-3-Clause
// A meshless solid, integrated by leap-frog in substeps of the scene's time step. [PKAGDG05] §2
#pragma once

#include <memory>

#include "methods/facets.hpp"
#include "methods/meshless/contact/body_contact.hpp"
#include "methods/meshless/contact/rigid_pieces.hpp"
#include "methods/meshless/cracks/crack_part.hpp"
#include "methods/meshless/meshless_options.hpp"
#include "methods/meshless/nodes/step_phases.hpp"
#include "methods/meshless/surface/rebasing.hpp"
#include "methods/meshless/surface/surfel_surface.hpp"
#include "methods/meshless/weights/crack_weights.hpp"

namespace deformbench::meshless {

class MeshlessSimulation final : public Simulation,
                                 public ElasticityFacet,
                                 public EventsFacet,
                                 public ArraysFacet,
                                 public ContactFacet,
                                 public PhaseTimesFacet {
 public:
  /// `threads`: maximum; the state does not depend on it.
  MeshlessSimulation(const Scene& scene, const MeshlessOptions& options, int threads = 1, bool time_phases = false);

  std::span<const SimulationPart* const> parts() const override { return parts_; }
  StepReport step() override;
  StateView state() const override;

  double elastic_energy(const Eigen::Ref<const Points>& positions) const override {
    return elasticity_.energy(positions);
  }
  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override {
    return elasticity_.forces(positions);
  }
  /// `rigid_piece` (code: its first node) for every newly rigid piece. `node_split` (code: the node) for every split
  /// node. In the first step and after crack growth, `rank_deficient_node` for every node with coplanar or collinear
  /// neighbours, and `stable_time_step` with 2/ω_max if the number of substeps is not given.
  std::span<const SimulationEvent> step_events() const override { return events_; }
  /// Arrays of nodes, pairs, shape functions, surfels and cracks (README.md).
  std::vector<std::string> array_names() const override;
  MethodArray array(const std::string& name) const override;

  /// Contacts of nodes with planes and rigid bodies, and of surfels with other parts, at the end of the last substep.
  Contacts step_contacts() const override;
  std::span<const std::string> phase_names() const override { return PhaseClock::kNames; }
  std::span<const double> phase_seconds() const override { return clock_.seconds(); }

  /// Makes the current shape the reference for nodes, cracks, surfels and skin. Keeps elastic strains, positions,
  /// velocities and masses. Called by `step` once a node has flowed by `rebase_flow`. Event `reference` (code: its
  /// number): energy before and after. Throws std::logic_error with additive plasticity.
  void rebase();

 private:
  void substep(double h, double end_time);
  void report_cloud();
  /// Number required by `safety`, reported in an event. Throws InputError if it exceeds 1e7.
  int stable_substeps();
  void report_rank(std::size_t node);
  /// Makes small pieces rigid and reports them in events.
  void make_rigid();
  void set_held();
  void set_contact_stiffnesses();
  /// Adds contact forces at the current positions, at `time`.
  void add_contact_forces(double time);
  /// One pass of [PKAGDG05] §4; new nodes are displaced by their parent's F and get its velocity.
  void resample();
  /// Applies the cracks as of `end_time` (s).
  void advance_cracks(double end_time);
  /// ∂u/∂x per node.
  std::vector<Matrix3> displacement_gradients() const;
  MethodArray plastic_strain_array() const;
  /// Plastic flow at the current positions.
  void flow();
  bool has_flowed_far() const;
  /// Passes the plastic state of all nodes to the elasticity after `follow()`.
  void set_plastic_state();
  /// The same for these nodes only.
  void set_plastic_state(std::span<const int> nodes);
  /// work(first, count) on all coordinates, one part per thread.
  template <class Work>
  void each_part(Work&& work);
  /// External loads at `time`, recomputed only while they change.
  void load_at(double time);
  /// M⁻¹ (f + f_ext) at the current positions, 0 for prescribed coordinates.
  void set_acceleration(double time);
  /// v = kept v + push a, then x += h v; prescribed coordinates are placed for `end_time`, and `held_values_` gets
  /// their velocity.
  void kick_and_drift(double kept, double push, double h, double end_time);

  Scene scene_;
  const MeshlessOptions options_;
  NodeCloud cloud_;
  CrackWeights weights_;
  SurfelSurface surface_;
  MlsElasticity elasticity_;
  Eigen::VectorXd masses_;
  Points is_held_;                   ///< n×3, 1 where the scene prescribes the coordinate
  Points mobility_;                  ///< n×3, 1/kg; 0 where the scene prescribes the coordinate
  std::vector<Eigen::Index> held_;   ///< the prescribed coordinates, row by row
  std::vector<double> held_values_;  ///< per entry of `held_`: previous position, then velocity
  Points loads_;                     ///< n×3, N: f_ext
  double last_load_change_ = 0.0;    ///< s
  double loaded_at_ = 0.0;           ///< s, the time of `loads_`
  int threads_ = 1, substeps_ = 1;
  long long steps_ = 0;
  Work work_;  ///< of the present step
  double time_ = 0.0;
  Points positions_, velocities_, acceleration_;
  std::vector<double> contact_stiffnesses_;  ///< n, N/m
  std::vector<char> is_touched_;             ///< n, 1 for nodes behind planes or inside bodies
  RigidPieces rigid_;
  std::unique_ptr<BodyContact> body_contact_;      ///< null without contact between pieces
  std::vector<Matrix3> plastic_strains_;           ///< per node; empty without additive plasticity
  std::vector<PlasticStretch> plastic_stretches_;  ///< per node; empty without multiplicative plasticity
  PartedPairs parted_;                             ///< empty before the first new reference
  std::vector<double> largest_supports_;           ///< m, per node; empty if supports are kept
  int references_ = 0;                             ///< number of new references so far
  std::vector<SimulationEvent> events_;
  std::optional<NodeResampling> resampling_;
  std::vector<const SimulationPart*> parts_;
  bool may_resample_ = true;           ///< cracks or nodes have changed since the last pass without splits
  std::unique_ptr<CrackPart> cracks_;  ///< null if the options disable cracks
  PhaseClock clock_;
};

}  // namespace deformbench::meshless
