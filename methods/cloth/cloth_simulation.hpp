// SPDX-License-Identifier: BSD-3-Clause
// Force-based simulation: cloth, mass–spring systems, tetrahedral blocks. [B05]
#pragma once

#include "methods/cloth/cloth_forces.hpp"
#include "methods/cloth/cloth_options.hpp"
#include "methods/cloth/contact/vertex_contact.hpp"
#include "methods/cloth/integrators/filtered_solve.hpp"
#include "methods/collision/collision_totals.hpp"
#include "methods/facets.hpp"

namespace deformbench::cloth {

/// Motion: forces, solves, motion. The others are collision::CollisionPhases in the same order.
struct StepPhases {
  enum Phase { Motion, Broad, Narrow, Impulses, Zones };
  inline static const std::array<std::string, 5> kNames{"motion", "collision_broad", "collision_narrow",
                                                        "collision_impulses", "collision_zones"};
};

class ClothSimulation final : public Simulation,
                              public ElasticityFacet,
                              public ContactFacet,
                              public EventsFacet,
                              public ArraysFacet,
                              public PhaseTimesFacet {
 public:
  /// Throws InputError if check_scene rejects the scene.
  ClothSimulation(const Scene& scene, const ClothOptions& options, const RunContext& context);

  StepReport step() override;
  StateView state() const override;

  double elastic_energy(const Eigen::Ref<const Points>& positions) const override { return forces_.energy(positions); }
  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override;
  /// Stops of vertices by obstacles in the last substep; surface pairs that would have collided in the last step.
  Contacts step_contacts() const override;
  /// `collisions_unresolved` and `vertices_stopped` (code: their number) if collisions of the step stayed unresolved or
  /// were resolved only by stopping vertices; `vertices_in_obstacles` if any is inside.
  std::span<const SimulationEvent> step_events() const override { return events_; }
  /// collision_counts, sweep_contacts of the last step; damping_forces, hinge_vertices, hinge_sines, hinge_slopes,
  /// hinge_energies, stiffness_places, stiffness_entries at the current state (README.md).
  std::vector<std::string> array_names() const override;
  MethodArray array(const std::string& name) const override;
  std::span<const std::string> phase_names() const override { return StepPhases::kNames; }
  std::span<const double> phase_seconds() const override { return clock_.seconds(); }

 private:
  int substeps_needed() const;  ///< number that the safety factor requires; throws InputError above a million
  void substep(double h, double end_time);
  // Integration schemes: update velocities and positions from the current state. [B05] §8, §9
  void symplectic_step(double h, double end_time);
  void half_step(double h, double end_time);
  void implicit_step(double h, double end_time);
  /// External and elastic forces (N); also damping forces if `v` is given.
  Points forces_at(const Points& x, double time, const Points* v);
  /// Sets the velocities of held components so that they reach their prescribed positions at `end_time`.
  void lead_held(double h, double end_time, Points& v) const;
  /// Stops vertices at obstacles, moves all vertices and records the contacts.
  void collide_and_move(double h, double end_time);
  /// Corrects the end of a substep so that no layers pass through each other on the path from `start`. [B05] §10 to §13
  void keep_layers_apart(const Points& start, double h);
  /// Stops vertices that limits moved into obstacles.
  void stop_what_moved(const Points& start, double h, double end_time);
  /// As keep_layers_apart, for displacements that differ from h·velocity, as after strain limits.
  void keep_moved_layers_apart(const Points& start, double h);
  /// Solves (M (1 + γ part) + part·D(x) + extra) v = M `start` + part·forces for the free components; `v` prescribes
  /// the others.
  void solve_velocities(double part, const Points& forces, const Points& start, const Sparse* extra,
                        const std::vector<VertexContact>& constrained, Points& v);
  void place_bodies();

  const Scene scene_;
  const ClothOptions options_;
  ClothForces forces_;
  PlasticSprings plastic_springs_;
  const Eigen::VectorXd masses_;
  Points is_free_;  ///< n×3, 0 if the scene prescribes the coordinate
  StrainLimits strain_limits_;
  const VertexContacts obstacles_;
  const double size_;  ///< m, bounding-box diagonal of the rest shape
  std::vector<VertexContact> contacts_;
  Points positions_, velocities_;
  std::vector<RigidBodyState> bodies_;
  StepReport report_;
  Work work_;
  int substeps_ = 1;
  PhaseClock<StepPhases> clock_;
  collision::Collisions collisions_;
  collision::CollisionTotals collision_totals_;  ///< of the last step
  std::vector<SimulationEvent> events_;          ///< of the last step
  double time_ = 0.0;
};

}  // namespace deformbench::cloth
