// SPDX-License-Identifier: BSD-3-Clause
// Reference elasticity of each method in double precision, one element at a time: energies, forces, stresses and
// matrices at any positions. The step uses the batched form (warped_elements.hpp), which tests compare with it.
#pragma once

#include <Eigen/SparseCore>
#include <functional>
#include <vector>

#include "methods/model/scene.hpp"

namespace deformbench::fem {

enum class RotationKind {
  Polar,     ///< rotation of the polar decomposition of every element's deformation gradient, [MG04] §2.4
  Qr,        ///< Gram–Schmidt: cheaper; forces are no gradient, torque ≠ 0 (B-IVM-8b)
  Identity,  ///< none: linear elasticity
  Global,    ///< one rotation for the whole body: mass-weighted best fit
};

struct RotationRule {
  RotationKind kind = RotationKind::Polar;
  bool keep_reflection = false;  ///< as printed: the polar factor of an inverted element has determinant −1
};

/// ∇N_a of the four shape functions of [MG04] eq. 1, β of [CS6967] §1.3 (columns, 1/m), and the rest volume (m³).
struct RestElement {
  Eigen::Matrix<double, 3, 4> gradients;
  double volume;
};
RestElement rest_element(const model::TetMesh& mesh, Eigen::Index element);
/// λ_max of K_e = V BᵀEB, N/m.
double largest_stiffness(const model::Material& material, const RestElement& rest);
/// A lower bound of the largest stable step 2/ω_max of symplectic Euler and leap-frog at rest, undamped (s): no
/// frequency of the mesh exceeds the largest of a single element with a quarter of its mass at each corner (Irons &
/// Treharne 1971). `rest_stiffness`: of the material, relative to linear elasticity.
double stable_time_step(const Scene& scene, double rest_stiffness);

/// [MG04] §2.1–2.4: f_e = −R_e K_e (R_eᵀx − x0), K_e = V BᵀEB.
class ElasticModel {
 public:
  explicit ElasticModel(const Scene& scene) : scene_(scene) {}
  virtual ~ElasticModel() = default;
  virtual std::vector<Matrix3> rotations(const Eigen::Ref<const Points>& positions) const = 0;
  virtual double energy(const Eigen::Ref<const Points>& positions) const = 0;  ///< J, at current plastic strains
  virtual Points forces(const Eigen::Ref<const Points>& positions) const = 0;
  /// One rotation per element, for its stress.
  virtual std::vector<Matrix3> element_rotations(const Eigen::Ref<const Points>& positions) const = 0;
  virtual Eigen::SparseMatrix<double> stiffness(const Eigen::Ref<const Points>& positions) const = 0;
  /// σ = E (B (Rᵀx − x0) − ε_p) of an element in its frame (Pa); [MG04] §6 prints it without ε_p (B-IVM-2).
  Vector6 stress(Eigen::Index element, const Eigen::Ref<const Points>& positions, const Matrix3& rotation,
                 const Vector6& plastic_strain = Vector6::Zero()) const;
  /// The same with a precomputed rest_element.
  Vector6 stress(Eigen::Index element, const RestElement& rest, const Eigen::Ref<const Points>& positions,
                 const Matrix3& rotation, const Vector6& plastic_strain) const;
  /// max_i Σ_{e∋i} λ_max(K_e).
  double stiffness_bound() const;

 protected:
  const Scene& scene_;
};

/// Plastic strain of each element, as subtracted from the total strain: tensor xx yy zz xy yz zx.
using PlasticStrainSource = std::function<Vector6(int element)>;

class ElementModel final : public ElasticModel {
 public:
  ElementModel(const Scene& scene, RotationRule rule, PlasticStrainSource plastic = {})
      : ElasticModel(scene), rule_(rule), plastic_(std::move(plastic)) {}
  std::vector<Matrix3> rotations(const Eigen::Ref<const Points>& positions) const override;
  double energy(const Eigen::Ref<const Points>& positions) const override;
  Points forces(const Eigen::Ref<const Points>& positions) const override;
  std::vector<Matrix3> element_rotations(const Eigen::Ref<const Points>& positions) const override {
    return rotations(positions);
  }
  Eigen::SparseMatrix<double> stiffness(const Eigen::Ref<const Points>& positions) const override;

 private:
  Matrix3 elastic_strain(Eigen::Index element, const Matrix3& gradient, const Matrix3& rotation) const;

  RotationRule rule_;
  PlasticStrainSource plastic_;
};

/// [MDMJC02]: f_i = −R_i Σ_j K_ij (R_iᵀx_j − x0_j), one rotation per vertex.
class VertexModel final : public ElasticModel {
 public:
  explicit VertexModel(const Scene& scene);
  std::vector<Matrix3> rotations(const Eigen::Ref<const Points>& positions) const override;  ///< one per vertex
  /// −¼ Σ_i Σ_j d_ijᵀ K_ij d_ij with d_ij = R_iᵀ(x_j − x_i) − (x0_j − x0_i): the linear energy if all R_i agree, J.
  /// The force is not the gradient of this or any other energy.
  double energy(const Eigen::Ref<const Points>& positions) const override;
  Points forces(const Eigen::Ref<const Points>& positions) const override;
  /// Polar rotation of the sum of vertex rotations.
  std::vector<Matrix3> element_rotations(const Eigen::Ref<const Points>& positions) const override;
  /// Blocks R_i K_ij R_iᵀ: not symmetric.
  Eigen::SparseMatrix<double> stiffness(const Eigen::Ref<const Points>& positions) const override;

 private:
  Eigen::SparseMatrix<double, Eigen::RowMajor> rest_stiffness_;  ///< 3n×3n, N/m
};

/// Best-fit rotation of the rest shape to `positions`, weighted by the lumped masses.
Matrix3 best_fit_rotation(const Scene& scene, const Eigen::VectorXd& masses, const Eigen::Ref<const Points>& positions,
                          bool keep_reflection);

}  // namespace deformbench::fem
