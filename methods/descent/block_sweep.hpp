// SPDX-License-Identifier: BSD-3-Clause
// One sweep of vertex block descent [CLYY24] §3: every vertex in turn takes a Newton step of the step's objective in
// its own position, x_i += H_i⁻¹ f_i with f_i = −∂Φ/∂x_i and H_i = ∂²Φ/∂x_i² (3×3). For one vertex,
//   Φ_i = m_i w/2 |x_i − y_i|² + Σ V Ψ over its tetrahedra + damping + its potential against obstacles,
// with w = 1/Δt² and y_i = x_i(t) + Δt v_i + loads/(m_i w).
#pragma once

#include <memory>
#include <string>

#include "methods/descent/stars.hpp"
#include "methods/fem/body/obstacle_potential.hpp"

namespace deformbench::descent {

enum class DampingForm {
  /// [CLYY24] §3.3: the force −k_d/Δt K_ii (x_i − x_i(t)), K_ii the elastic block; rigid motions are damped too.
  AsPrinted,
  /// The potential k_d/Δt Σ V [μ ‖E − E(t)‖² + λ/2 tr²(E − E(t))] of the Green strain E: zero
  /// in rigid motions; stiffness-proportional damping at small strains.
  Strain,
};
enum class SingularRule {
  Relative,   ///< |det H_i| ≤ ε (Σ_k |H_kk|/3)³
  AsPrinted,  ///< |det H_i| ≤ ε in (N/m)³: unit-dependent
};
enum class BlockSearch {
  None,
  Armijo,  ///< halves the step of a vertex until Φ_i falls enough, up to rounding
};

struct SweepSettings {
  double damping = 0.0;  ///< k_d, s
  DampingForm damping_form = DampingForm::Strain;
  double singular = 0.0;  ///< ε: a vertex with a singular block does not move
  SingularRule singular_rule = SingularRule::Relative;
  BlockSearch search = BlockSearch::None;
  double relaxation = 1.0;  ///< ω, 0 … 2: factor of the Newton step, unused by a line search [CHCZMT24]
};

/// The objective of a step. Vectors have four numbers per node, in the graph's order.
struct StepProblem {
  double inertia = 0.0;    ///< w, 1/s²
  double time_step = 0.0;  ///< s
  numerics::AlignedVector<double> y, before;
  numerics::AlignedVector<double> loads;   ///< N, if static; else empty: y includes them
  std::vector<numerics::Components> held;  ///< prescribed components, one entry per node
  const fem::ObstaclePotential<double>* obstacles = nullptr;
};

class BlockSweep {
 public:
  /// `body` must outlive it.
  BlockSweep(const fem::Body<double>& body, Schedule schedule, const SweepSettings& settings)
      : body_(body),
        stars_(body.scene, body.graph, std::move(schedule)),
        settings_(settings),
        skips_(stars_.schedule.nodes.size(), 0) {}
  virtual ~BlockSweep() = default;

  /// Call after `problem.before` and `time_step` are set for the step.
  void begin_step(const StepProblem& problem);
  /// Moves every vertex in x once, on the body's threads.
  void run(const StepProblem& problem, double* x);
  const Schedule& schedule() const { return stars_.schedule; }
  /// Per node: how often its block was singular since begin_step.
  const std::vector<int>& skips() const { return skips_; }
  /// Force and block of a visit's vertex as if none were held, for tests.
  struct Block {
    Vector3 force;
    Matrix3 matrix;
  };
  virtual Block block(const StepProblem& problem, const double* x, int visit) const = 0;

 protected:
  virtual void visit_range(const StepProblem& problem, double* x, int low, int high) = 0;
  virtual void hold_strains(const double*) {}

  const fem::Body<double>& body_;
  const Stars stars_;
  const SweepSettings settings_;
  std::vector<int> skips_;
};

/// Four tetrahedra at a time; `is_plain`: one at a time in plain Eigen, the reference of tests and benchmarks. `law`:
/// one of descent_laws(), else InputError.
std::unique_ptr<BlockSweep> make_sweep(const std::string& law, bool is_plain, const fem::Body<double>& body,
                                       Schedule schedule, const SweepSettings& settings);
std::vector<std::string> descent_laws();

}  // namespace deformbench::descent
