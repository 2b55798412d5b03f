// SPDX-License-Identifier: BSD-3-Clause
// Base of two peers, warped stiffness FEM with Eigen only: element matrices, rotations by SVD, the step with exactly
// n plain CG iterations, energy and forces. The peers differ in the assembly of the matrix. Shares no code with
// methods/fem on purpose: peers are speed baselines and test oracles. [MG04] eq. 2–8 and 16 without plasticity;
// lumped masses; C = 0.
#pragma once

#include <Eigen/SparseCore>
#include <array>
#include <string>
#include <vector>

#include "methods/facets.hpp"
#include "methods/phase_clock.hpp"
#include "methods/registry.hpp"

namespace deformbench::peers {

struct EigenPhases {
  enum Phase { Assembly, Solve, Other };  ///< assembly includes the rotations
  inline static const std::array<std::string, 3> kNames{"assembly", "solve", "other"};
};

/// B_e (6×12) and V_e of one element. [MG04] eq. 2
struct StrainMatrix {
  Eigen::Matrix<double, 6, 12> b = Eigen::Matrix<double, 6, 12>::Zero();
  double volume = 0.0;
};
StrainMatrix strain_matrix(const model::TetMesh& mesh, Eigen::Index element);
/// Columns ∇N of the four corners of an element at rest, 1/m.
Eigen::Matrix<double, 3, 4> shape_gradients(const model::TetMesh& mesh, Eigen::Index element);
/// E of [MG04] eq. 3, engineering shears.
Eigen::Matrix<double, 6, 6> isotropic_elasticity(const model::Material& material);

class EigenBody : public Simulation, public ElasticityFacet, public PhaseTimesFacet {
 public:
  EigenBody(const Scene& scene, const Parameters& parameters, const RunContext& context);
  StepReport step() override;
  StateView state() const override;
  std::span<const std::string> phase_names() const override { return EigenPhases::kNames; }
  std::span<const double> phase_seconds() const override { return clock_.seconds(); }
  double elastic_energy(const Eigen::Ref<const Points>& positions) const override;
  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override;

 protected:
  using Matrix12 = Eigen::Matrix<double, 12, 12>;
  using Vector12 = Eigen::Matrix<double, 12, 1>;
  using SparseMatrix = Eigen::SparseMatrix<double>;

  /// A = M + Δt² K' of the free vertices, 3f×3f; adds −Δt (K'x + f0') − A_p v_p to `b` (N s), v_p: `prescribed`,
  /// n×3, m/s. [MG04] eq. 8, 16
  virtual const SparseMatrix& assemble(Eigen::VectorXd& b, const Points& prescribed) = 0;
  /// Energy (J) and force on the corners (N) of an element at any positions.
  virtual double element_energy(const Eigen::Ref<const Points>& positions, Eigen::Index element) const;
  virtual Vector12 element_force(const Eigen::Ref<const Points>& positions, Eigen::Index element) const;
  /// Rotation of the polar decomposition of a deformation gradient; det = +1 also for inverted elements.
  virtual Matrix3 rotation_of(const Matrix3& f) const;

  Eigen::Index element_count() const { return scene_.tet_mesh.element_count(); }
  int vertex(Eigen::Index element, int corner) const { return scene_.tet_mesh.tetrahedra(element, corner); }
  /// Block row of a free vertex, else −1.
  int row_of(int vertex) const { return free_index_[std::size_t(vertex)]; }
  Matrix3 rotation(const Eigen::Ref<const Points>& positions, Eigen::Index element) const;
  /// Rᵀ x − x0 of the element's four vertices. [MG04] eq. 7
  Vector12 unrotated_displacements(const Eigen::Ref<const Points>& positions, Eigen::Index element,
                                   const Matrix3& r) const;

  const Scene scene_;
  const Eigen::VectorXd masses_;
  Points positions_, velocities_;
  std::vector<Matrix12> stiffness_;  ///< of an element at rest, N/m
  int free_count_ = 0;

 private:
  void number_free_vertices();
  Points prescribed_velocities(double time) const;

  const int iterations_;
  PhaseClock<EigenPhases> clock_;
  double time_ = 0.0;
  std::vector<int> free_index_;
};

/// Descriptor shared by both peers, without `id`, `summary` and `create`.
MethodDescriptor eigen_peer();

}  // namespace deformbench::peers
