// SPDX-License-Identifier: BSD-3-Clause
// The interface every method stands behind: a Simulation advances a state; a MethodDescriptor says what the
// method is, what it takes and what it can do. See facets.hpp for what only a method can know.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "methods/model/scene.hpp"
#include "methods/parameters.hpp"

namespace deformbench {

enum class StepOutcome {
  Advanced,  ///< the state is finite and one time step later
  Diverged,  ///< the state is not to be used further
};

/// What happened inside one step.
struct StepReport {
  StepOutcome outcome = StepOutcome::Advanced;
  int substeps = 1;
  int solves = 0;      ///< linear systems solved
  int assemblies = 0;  ///< system matrices assembled
  int iterations = 0;  ///< linear solver iterations, all solves together
  double residual = 0.0;  ///< ‖b − A v‖₂ / ‖b‖₂ of the last solve, as the solver knows it; 0 for direct solves
  /// Whether the last solve met `tolerance`. Nothing where no tolerance was asked for: a direct solve, a fixed number
  /// of iterations, an explicit step. A run of which a step says false has failed, unless `may_miss_tolerance`.
  std::optional<bool> converged = {};
  double tolerance = 0.0;           ///< what `residual` had to reach, where `converged` says something
  bool may_miss_tolerance = false;  ///< the user wants the run to go on without
  /// `residual` formed anew, by the method's model in double precision, whatever the solver's arithmetic; only filled
  /// when RunContext::check_residual is set and the method can.
  std::optional<double> true_residual = {};
};

struct RigidBodyState {
  double mass;               ///< kg
  Matrix3 inertia;           ///< kg m², body frame
  Vector3 position;          ///< m, centre of mass
  Matrix3 orientation;       ///< body to world
  Vector3 velocity;          ///< m/s
  Vector3 angular_velocity;  ///< rad/s, world
};

/// Views into the method's own arrays, valid until the next call of a non-const member.
struct StateView {
  double time;            ///< s
  PointsView positions;   ///< n×3, m
  PointsView velocities;  ///< n×3, m/s, at the time of the positions
  ScalarsView masses;     ///< n, kg
  std::span<const RigidBodyState> rigid_bodies = {};
};

/// A component of a simulation that answers facets of its own (facets.hpp).
class SimulationPart {
 public:
  virtual ~SimulationPart() = default;
};

/// One run. Knows no files and no references.
class Simulation {
 public:
  virtual ~Simulation() = default;
  /// Who answers facets beside the simulation itself; the same for its whole life.
  virtual std::span<const SimulationPart* const> parts() const { return {}; }
  /// Advances by exactly `scene.time_step`.
  virtual StepReport step() = 0;
  virtual StateView state() const = 0;
};

struct Citation {
  std::string key;   ///< "MG04"
  std::string text;  ///< authors, title, venue, year
};

/// Yes, or no and why.
struct Support {
  bool supported = true;
  std::string reason;
  static Support yes() { return {}; }
  static Support no(std::string why) { return {false, std::move(why)}; }
};

/// An invariant that the method breaks by its nature; a test asserts that it really does.
struct KnownViolation {
  std::string invariant;  ///< name in the contract suite
  std::string reason;
  std::string claim;     ///< id in the claims ledger, or erratum
  double measured_size;  ///< as the suite measures it
};

struct RunContext {
  std::uint64_t seed = 1;
  int threads = 1;
  bool time_phases = false;  ///< record phase times (PhaseTimesFacet); off outside timing passes
  bool check_residual =
      false;  ///< fill StepReport::true_residual, which may cost more than the step; off in timing passes
};

struct MethodDescriptor {
  std::string id;       ///< snake_case
  std::string summary;  ///< one sentence
  Citation paper;
  ParameterSpec parameters;
  std::function<Support(const Scene&, const Parameters&)> supports;
  std::function<std::unique_ptr<Simulation>(const Scene&, const Parameters&, const RunContext&)> create;
  std::vector<KnownViolation> known_violations = {};
  std::vector<std::string> not_comparable = {};  ///< what to know before its numbers stand beside those of others
  /// Why this build has it not, such as a library that was not found; empty when it has. Declarations may name the
  /// method all the same: its cells are reported as not built.
  std::string not_built = {};
};

}  // namespace deformbench
