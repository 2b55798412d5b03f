// SPDX-License-Identifier: BSD-3-Clause
// The step of fem_simulation.hpp in the arithmetic T, with its facets. A body that cracks derives from it
// (cracking_body.hpp). Internal to the folder.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "methods/facets.hpp"
#include "methods/fem/body_state.hpp"
#include "methods/fem/fem_options.hpp"
#include "methods/fem/heating.hpp"
#include "methods/fem/vertex_warping.hpp"
#include "methods/fem/warped_elements.hpp"
#include "methods/method.hpp"
#include "methods/numerics/direct_solver.hpp"
#include "methods/phase_clock.hpp"

namespace deformbench::fem {

struct StepPhases {
  enum Phase { Rotation, Assembly, Solve, Fracture, Other };
  inline static const std::array<std::string, 5> kNames{"rotation", "assembly", "solve", "fracture", "other"};
};
using PhaseClock = deformbench::PhaseClock<StepPhases>;

template <class T>
class ImplicitEuler : public Simulation,
                      public ElasticityFacet,
                      public RotationFacet,
                      public StressFacet,
                      public PlasticStrainFacet,
                      public SystemOperatorFacet,
                      public StepMatrixFacet,
                      public PhaseTimesFacet {
 public:
  ImplicitEuler(const Scene& scene, const FemOptions& options, const RunContext& context);

  StepReport step() override;
  StateView state() const override;
  double elastic_energy(const Eigen::Ref<const Points>& x) const override { return model_->energy(x); }
  Points elastic_forces(const Eigen::Ref<const Points>& x) const override { return model_->forces(x); }
  std::vector<Matrix3> rotations(const Eigen::Ref<const Points>& x) const override { return model_->rotations(x); }
  std::vector<Vector6> element_stresses(const Eigen::Ref<const Points>& x) const override;
  std::vector<Vector6> plastic_strains() const override;
  std::span<const std::uint8_t> heated() const override { return heating_.heated(); }
  Eigen::SparseMatrix<double> system_matrix(const Eigen::Ref<const Points>& x) const override;
  Eigen::SparseMatrix<double> stiffness_matrix(const Eigen::Ref<const Points>& x) const override {
    return model_->stiffness(x);
  }
  double stiffness_bound() const override { return model_->stiffness_bound(); }
  Eigen::SparseMatrix<double> solved_matrix() const override;
  std::vector<StoredStiffness> stored_stiffness() const override;
  std::span<const std::string> phase_names() const override { return PhaseClock::kNames; }
  std::span<const double> phase_seconds() const override { return clock_.seconds(); }

 protected:
  /// Called with the state at the end of a step that is finite.
  virtual void after_step() {}
  /// Heat, rotations, next plastic strains and suspects of the stress test, at the positions of now.
  void prepare(const std::optional<StressTest>& test, std::vector<Suspect>* suspects);
  /// Everything with one entry per vertex or edge, after `scene_`, `graph_`, `masses_` and `body_` have followed.
  void follow_topology(const GraphChange& change);
  /// ε_p as the element's force knows it.
  Vector6 stored_strain(int element) const {
    return elements_ ? elements_->plastic_strain(element) : Vector6(Vector6::Zero());
  }

  Scene scene_;  ///< as it is now
  const FemOptions options_;
  const int threads_;
  const bool check_residual_;
  const double scale_;  ///< c = Δt (Δt + β), s²
  MeshGraph graph_;
  Eigen::VectorXd masses_;  ///< kg, one per vertex
  BodyState<T> body_;
  PhaseClock clock_;
  std::unique_ptr<ElasticModel> model_;
  std::optional<WarpedElements<T>> elements_;
  bool prepared_ = false;  ///< the pass of the next step has been done
  bool stepped_ = false;
  bool matrix_was_solved_ = false;  ///< full_ or upper_ are those of the last step
  mutable bool state_is_stale_ = true;

 private:
  void set_plasticity();
  void heat();
  void size_vectors();
  void assemble();
  bool factorise();
  template <class Matrix>
  void solve(Matrix& a, StepReport& report);
  template <class Matrix>
  void iterate(const Matrix& a, T* v, double b_norm, StepReport& report);
  /// r = b − A v in the arithmetic of the step. Returns ‖r‖₂.
  template <class Matrix>
  double form_residual(const Matrix& a, const T* v);
  /// ‖b − A v‖₂ / ‖b‖₂ of the step's equation by `model_`, at the start of the step with the velocities `before` and
  /// the solved ones; independent of the matrix, the right-hand side and the arithmetic of the solver.
  double true_residual(const Points& before) const;
  void add_prescribed(T* to, double factor = 1.0) const;
  void solve_direct(T* v);
  template <class Matrix>
  void set_preconditioner(const Matrix& a);
  bool is_plastic() const { return options_.plastic.has_value(); }

  Heating heating_;
  numerics::KrylovSpace<T> krylov_;
  std::optional<VertexWarping<T>> vertices_;
  numerics::FullBlockMatrix<T> full_;
  numerics::UpperBlockMatrix<T> upper_;
  std::optional<numerics::DirectSolver> direct_;
  std::vector<int> free_rows_;  ///< scalar row of the graph's order behind each unknown of the factorisation
  bool factorised_ = true;
  bool matrix_is_current_ = false;  ///< of linear elasticity: assembled since the last change
  numerics::AlignedVector<T> operand_, right_side_, product_, rest_force_, weights_;
  mutable Points positions_, velocities_;
};

extern template class ImplicitEuler<float>;
extern template class ImplicitEuler<double>;

}  // namespace deformbench::fem
