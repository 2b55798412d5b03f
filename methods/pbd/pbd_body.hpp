// SPDX-License-Identifier: BSD-3-Clause
// One deformable body and its step, following the lines of the algorithm in [MHHR07] §3.1.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "methods/facets.hpp"
#include "methods/method.hpp"
#include "methods/pbd/bodies/rigid_bodies.hpp"
#include "methods/pbd/cloth/self_collision.hpp"
#include "methods/pbd/constraint_set.hpp"
#include "methods/pbd/options/pbd_options.hpp"
#include "methods/pbd/solid/neo_hookean_solid.hpp"
#include "methods/pbd/sweeps/sweep.hpp"
#include "methods/pbd/triangle_contacts.hpp"
#include "methods/pbd/velocity_update.hpp"
#include "methods/phase_clock.hpp"

namespace deformbench::pbd {

struct StepPhases {
  enum Phase { Predict, Detect, Sweep, Contacts, Update };
  inline static const std::array<std::string, 5> kNames{"predict", "detect", "sweep", "contacts", "update"};
};
using PhaseClock = deformbench::PhaseClock<StepPhases>;

class PbdBody : public Simulation, public ContactFacet, public PhaseTimesFacet, public IterationFacet {
 public:
  PbdBody(const Scene& scene, const PbdOptions& options, const RunContext& context,
          std::vector<std::unique_ptr<Constraint>> own);

  StepReport step() override;
  StateView state() const override;
  std::span<const SimulationPart* const> parts() const override { return parts_; }
  Contacts step_contacts() const override { return contacts_; }
  std::span<const std::string> phase_names() const override { return PhaseClock::kNames; }
  std::span<const double> phase_seconds() const override { return clock_.seconds(); }
  Support iterates() const override { return Support::yes(); }
  Support iterations_have(IterationQuantity quantity) const override;
  void watch_iterations(IterationLog* log) override { log_ = log; }

 protected:
  /// Called at the end of every (sub)step with a finite state.
  virtual void after_substep() {}
  /// Rebuilds masses, held vertices, constraints and sweeps from scene_.cloth and scene_.prescribed; x_ and v_ must
  /// have a row for every vertex.
  void follow_scene();
  bool is_held(int vertex) const { return !(w_[vertex] > 0.0); }

  Scene scene_;
  PbdOptions options_;
  RunContext context_;
  PhaseClock clock_;
  Points x_, v_, p_;        ///< n×3: m, m/s, and the predicted and projected positions (m)
  Eigen::VectorXd masses_;  ///< n, kg
  Eigen::VectorXd w_;       ///< n, 1/kg; 0 for vertices with prescribed motion
  MeshConstraints mesh_;    ///< of the current scene_.cloth

 private:
  /// A vertex with prescribed motion in all components, or in some: a roller, free in the others.
  struct Held {
    int vertex;
    std::array<std::ptrdiff_t, 3> motion{-1, -1, -1};  ///< x, y, z: index in Scene::prescribed, or −1
    std::array<std::size_t, 3> index{};                ///< Scene::prescribed[motion].vertices[index]
    Vector3 target;                                    ///< m, at the end of the (sub)step
    bool is_whole() const { return motion[0] >= 0 && motion[1] >= 0 && motion[2] >= 0; }
  };
  /// A vertex attached to a body.
  struct Anchored {
    model::Attachment attachment;
    Vector3 anchor;  ///< m, body frame
  };
  void hold_vertices();
  void find_components();
  void make_sweeps();
  void make_solid();
  MeshConstraints swept_constraints() const;
  /// Adds one iteration over mesh and explicit constraints.
  void count_projections();
  bool substep(int index, double time, double time_step);
  template <class Work>
  void on_vertices(Work&& work);
  void predict(double end, double time_step);
  void detect(double time_step);
  void project(int substep, double time_step);
  void log_iterate(int substep, int iteration, double time_step);
  void project_attachments();
  void project_contacts();
  bool has_contacts() const;
  void make_collisions();
  void keep_apart(double time_step);
  Vector3 target_of(const Held& held, double time) const;
  void place_held();
  void place_rollers();
  void begin_constraints(double time_step);  ///< λ = 0

  double time_ = 0.0;             ///< s
  std::unique_ptr<Sweep> sweep_;  ///< stretch and bend constraints of the mesh; null without any
  std::unique_ptr<NeoHookeanSolid> solid_;
  std::vector<const SimulationPart*> parts_;
  ConstraintSet constraints_;    ///< all other persistent constraints
  std::size_t fixed_count_ = 0;  ///< of them, those independent of mesh changes
  std::optional<SelfCollision> self_collision_;
  std::vector<SelfContact> self_contacts_;
  std::unique_ptr<collision::Collisions> collisions_;  ///< null if the options disable it
  Points is_free_;                                     ///< n×3, 1 or 0: components that collisions may move
  RigidBodies bodies_;
  std::vector<BodyContact> body_contacts_;
  std::vector<CornerContact> corner_contacts_;
  TriangleContacts triangle_contacts_;
  VelocityUpdateRule velocity_update_;
  Eigen::VectorXd contact_compliances_;       ///< m/N per vertex; none: rigid contacts
  std::vector<Held> held_;                    ///< fully held, w = 0
  std::vector<Held> rollers_;                 ///< partly held; projected last
  Points tractions_;                          ///< N, at the end of the (sub)step
  std::vector<Anchored> following_;           ///< one-way attachments, w = 0: carried by their bodies
  std::vector<Anchored> joined_;              ///< two-way attachments: they pull their bodies
  std::vector<std::vector<int>> components_;  ///< sets of free vertices damped together
  std::uint64_t sweeps_made_ = 0;
  std::size_t swept_ = 0;  ///< constraints of sweep_
  Work work_;              ///< of the step
  Contacts contacts_;
  IterationLog* log_ = nullptr;  ///< null without logging
  Points predicted_;             ///< start of a logged substep's iterations
};

}  // namespace deformbench::pbd
