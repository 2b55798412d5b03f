// SPDX-License-Identifier: BSD-3-Clause
// A meshless solid: nodes moved by leap-frog in substeps of the scene's time step. [PKAGDG05] §2
#pragma once

#include <memory>

#include "methods/facets.hpp"
#include "methods/meshless/contact/body_contact.hpp"
#include "methods/meshless/contact/rigid_pieces.hpp"
#include "methods/meshless/cracks/crack_part.hpp"
#include "methods/meshless/meshless_options.hpp"
#include "methods/meshless/rebasing.hpp"
#include "methods/meshless/step_phases.hpp"
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
  /// `threads`: at most; the state does not depend on their number.
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
  /// `rigid_piece` (code: its first node) for every piece that becomes rigid. `node_split` (code: the node) for every
  /// node that is split. In the first step, and where a crack has made it so, `rank_deficient_node` for every node
  /// whose neighbours lie in a plane or on a line, and `stable_time_step` with 2/ω_max where the substeps were not
  /// given.
  std::span<const SimulationEvent> step_events() const override { return events_; }
  /// Of nodes, pairs, shape functions, surfels and cracks (README.md).
  std::vector<std::string> array_names() const override;
  MethodArray array(const std::string& name) const override;

  /// Nodes against planes and rigid bodies, surfels against other parts; as the last substep ended.
  Contacts step_contacts() const override;
  std::span<const std::string> phase_names() const override { return PhaseClock::kNames; }
  std::span<const double> phase_seconds() const override { return clock_.seconds(); }

  /// Takes the shape now as reference: nodes with their elastic strains and neighbours, cracks, surfels, the skin.
  /// Positions, velocities and masses stay. A step does it by itself where nodes have flowed by `rebase_flow`; says so
  /// in an event `reference` (code: how many times so far), with the energy before and after.
  void rebase();

 private:
  void substep(double h, double end_time);
  void report_cloud();
  /// As many as `safety` asks for; says so in an event. Throws InputError where that would look like a hang.
  int stable_substeps();
  void report_rank(std::size_t node);
  /// Pieces that are small enough become rigid; says so in events.
  void make_rigid();
  double elastic_energy_of(std::span<const int> nodes) const;
  void set_held();
  void set_contact_stiffnesses();
  /// Contact forces at the present positions, at `time`.
  void add_contact_forces(double time);
  /// One pass of [PKAGDG05] §4; new nodes follow the linear motion about the node they are parts of, with its velocity.
  void resample();
  /// Cracks as they are at the end of a step.
  void advance_cracks(double end_time);
  /// ∂u/∂x of every node.
  std::vector<Matrix3> displacement_gradients() const;
  MethodArray plastic_strain_array() const;
  /// Plastic flow at the present positions.
  void flow();
  bool has_flowed_far() const;
  /// Of all nodes, after the elasticity has read them anew.
  void set_plastic_state();
  /// The same of these alone.
  void set_plastic_state(std::span<const int> nodes);
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
  std::vector<double> held_values_;  ///< of every one of `held_`: where it was, then its velocity
  Points loads_;                     ///< n×3, N: f_ext
  double last_load_change_ = 0.0;    ///< s
  double loaded_at_ = 0.0;           ///< s, the time of `loads_`
  int threads_ = 1, substeps_ = 1;
  long long steps_ = 0;
  double time_ = 0.0;
  Points positions_, velocities_, acceleration_;
  std::vector<double> contact_stiffnesses_;  ///< n, N/m
  std::vector<char> is_touched_;             ///< n, 1 of nodes behind planes and inside of bodies
  RigidPieces rigid_;
  std::unique_ptr<BodyContact> body_contact_;      ///< null where pieces pass through each other
  std::vector<Matrix3> plastic_strains_;           ///< of every node; empty without additive plasticity
  std::vector<PlasticStretch> plastic_stretches_;  ///< of every node; empty without multiplicative plasticity
  PartedPairs parted_;                             ///< empty before the first new reference
  std::vector<double> largest_supports_;           ///< of every node, m; the same, and where supports stay
  int references_ = 0;                             ///< new ones so far
  std::vector<SimulationEvent> events_;
  std::optional<NodeResampling> resampling_;
  std::vector<const SimulationPart*> parts_;
  bool may_resample_ = true;           ///< cracks or nodes have changed since nothing was left to split
  std::unique_ptr<CrackPart> cracks_;  ///< null where the options ask for none
  PhaseClock clock_;
};

}  // namespace deformbench::meshless
