// SPDX-License-Identifier: BSD-3-Clause
// Interface of all methods: a Simulation advances a state; a MethodDescriptor states what the
// method is, its parameters and the scenes it supports. Method-specific quantities: facets.hpp.
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
#include "methods/work.hpp"

namespace deformbench {

enum class StepOutcome {
  Advanced,  ///< the state is finite and one time step later
  Diverged,  ///< the state must not be used
};

/// What happened inside one step.
struct StepReport {
  StepOutcome outcome = StepOutcome::Advanced;
  int substeps = 1;
  int solves = 0;      ///< linear systems solved
  int assemblies = 0;  ///< system matrices assembled
  int iterations = 0;  ///< linear solver iterations, all solves together
  double residual = 0.0;  ///< ‖b − A v‖₂ / ‖b‖₂ of the last solve, as the solver reports it; 0 for direct solves
  /// Whether the last solve met `tolerance`. Empty without a tolerance: direct solve, fixed number of iterations,
  /// explicit step. False fails the run, unless `may_miss_tolerance`.
  std::optional<bool> converged = {};
  double tolerance = 0.0;           ///< bound on `residual`, if `converged` is set
  bool is_nonlinear = false;        ///< `residual` and `converged` are the nonlinear solve's; `solves`: its linear ones
  bool may_miss_tolerance = false;  ///< the run continues if not converged
  /// `residual` recomputed from the method's model in double precision. Only if RunContext::check_residual is set and
  /// the method supports it.
  std::optional<double> true_residual = {};
  std::optional<Work> work = {};  ///< empty: not counted
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

/// A component of a simulation that implements facets (facets.hpp).
class SimulationPart {
 public:
  virtual ~SimulationPart() = default;
};

/// One run. Independent of files and reference data.
class Simulation {
 public:
  virtual ~Simulation() = default;
  /// Objects that implement facets besides the simulation itself; fixed for its lifetime.
  virtual std::span<const SimulationPart* const> parts() const { return {}; }
  /// Advances by exactly `scene.time_step`.
  virtual StepReport step() = 0;
  virtual StateView state() const = 0;
};

struct Citation {
  std::string key;   ///< "MG04"
  std::string text;  ///< authors, title, venue, year
};

/// Yes, with a caveat or without, or no and why.
struct Support {
  bool supported = true;
  std::string reason;
  static Support yes(std::string caveat = {}) { return {true, std::move(caveat)}; }
  static Support no(std::string why) { return {false, std::move(why)}; }
};

/// An invariant that the method violates by design; a test asserts the violation.
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
  std::vector<std::string> not_comparable = {};  ///< caveats for comparison with other methods
  /// Why this build lacks the method, such as a missing library; empty if built. Declarations may still name it: its
  /// cells are reported as not built.
  std::string not_built = {};
};

}  // namespace deformbench
