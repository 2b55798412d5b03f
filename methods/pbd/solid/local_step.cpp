// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/solid/local_step.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

namespace deformbench::pbd {
namespace {

using Matrix9 = Eigen::Matrix<double, 9, 9>;
using Vector9 = Eigen::Matrix<double, 9, 1>;

/// a:(b g)
double product(const Matrix3& a, const Matrix3& b, const Matrix3& g) {
  return a.cwiseProduct(b * g).sum();
}

/// ∂C_D/∂F = F/√I_C; zero at F = 0, where direction and force vanish.
Matrix3 deviatoric_gradient(const Matrix3& f, double norm) {
  return norm > 0.0 ? Matrix3(f / norm) : Matrix3(Matrix3::Zero());
}

/// [v]×
Matrix3 cross_matrix(const Vector3& v) {
  Matrix3 m;
  m << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return m;
}

/// I + root K root in row-wise F, with K = V Δt² ∂P/∂F. Since root [v]× root = [adj(root) v]×, second derivatives of J
/// between rows become cross-product matrices. `curvature`: V Δt² (l (J − 1) − μ), or 0.
Matrix9 local_system(const LocalLaw& law, const LocalMobility& mobility, const Matrix3& f, const Matrix3& cofactor,
                     double shear, double curvature) {
  Vector9 along;  // root ∂J/∂F
  for (int i = 0; i < 3; ++i) along.segment<3>(3 * i) = mobility.root * cofactor.row(i).transpose();
  Matrix9 system = (law.weight * law.material.lambda) * along * along.transpose();
  const Matrix3 own = Matrix3::Identity() + shear * mobility.g;
  for (int i = 0; i < 3; ++i) system.block<3, 3>(3 * i, 3 * i) += own;
  if (curvature == 0.0) return system;
  // J = f0·(f1 × f2): ∂²J/∂f0∂f1 = −[f2]×, ∂²J/∂f1∂f2 = −[f0]×, ∂²J/∂f2∂f0 = −[f1]×.
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Matrix3 block = -curvature * cross_matrix(mobility.adjugate * f.row(k).transpose());
    system.block<3, 3>(3 * i, 3 * j) += block;
    system.block<3, 3>(3 * j, 3 * i) -= block;
  }
  return system;
}

/// Z of `system` Z = root residual; false if the system is not positive definite.
bool solve(const Matrix9& system, const LocalMobility& mobility, const Matrix3& residual, Matrix3& z) {
  const Eigen::LLT<Matrix9> factor(system);
  if (factor.info() != Eigen::Success) return false;
  Vector9 right;
  for (int i = 0; i < 3; ++i) right.segment<3>(3 * i) = mobility.root * residual.row(i).transpose();
  const Vector9 solution = factor.solve(right);
  for (int i = 0; i < 3; ++i) z.row(i) = solution.segment<3>(3 * i);
  return z.allFinite();
}

}  // namespace

MobilityAxes mobility_axes(const Matrix3& g) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> eigen(g);
  const double rounding = 1e-13 * eigen.eigenvalues().maxCoeff();  // a few hundred ulp
  Vector3 roots, inverses;
  for (int k = 0; k < 3; ++k) {
    const double value = eigen.eigenvalues()[k];
    roots[k] = value > rounding ? std::sqrt(value) : 0.0;
    inverses[k] = value > rounding ? 1.0 / roots[k] : 0.0;
  }
  Matrix3 directions = eigen.eigenvectors();
  if (directions.determinant() < 0.0) directions.col(0) *= -1.0;
  return {directions, roots, inverses};
}

LocalMobility local_mobility(const Matrix3& g) {
  const auto [axes, roots, inverses] = mobility_axes(g);
  const Vector3 others(roots[1] * roots[2], roots[2] * roots[0], roots[0] * roots[1]);
  const auto with = [&axes = axes](const Vector3& values) -> Matrix3 {
    return axes * values.asDiagonal() * axes.transpose();
  };
  return {g, with(roots), with(inverses), with(others)};
}

Matrix3 project_one_by_one(const LocalLaw& law, const LocalMobility& mobility, Matrix3& f, Multipliers& multipliers) {
  const double norm = f.norm();
  const Matrix3 direction = deviatoric_gradient(f, norm);
  const double soft = 1.0 / (law.material.mu * law.weight);
  const double change = (-norm - soft * multipliers.deviatoric) / (product(direction, direction, mobility.g) + soft);
  multipliers.deviatoric += change;
  Matrix3 correction = change * direction;
  f += correction * mobility.g;
  const Matrix3 cofactor = cofactors(f);
  const double value = f.determinant() - 1.0 - law.material.mu / law.material.lambda;
  const double bulk = 1.0 / (law.material.lambda * law.weight);
  const double growth = (-value - bulk * multipliers.hydrostatic) / (product(cofactor, cofactor, mobility.g) + bulk);
  multipliers.hydrostatic += growth;
  f += growth * cofactor * mobility.g;
  return correction + growth * cofactor;
}

Matrix3 project_coupled(const LocalLaw& law, const LocalMobility& mobility, const Matrix3& f,
                        Multipliers& multipliers) {
  const double norm = f.norm();
  const Matrix3 direction = deviatoric_gradient(f, norm), cofactor = cofactors(f);
  const double soft = 1.0 / (law.material.mu * law.weight), bulk = 1.0 / (law.material.lambda * law.weight);
  const double deviatoric = -norm - soft * multipliers.deviatoric;
  const double hydrostatic =
      -(f.determinant() - 1.0 - law.material.mu / law.material.lambda) - bulk * multipliers.hydrostatic;
  // Both gradients are parallel at rest. The Schur complement is formed as a sum of squares, so that stiff tetrahedra
  // do not lose it to cancellation.
  const double sum = product(cofactor, cofactor, mobility.g) + bulk;
  const double share = product(direction, cofactor, mobility.g) / sum;
  const Matrix3 across = direction - share * cofactor;
  const double schur = soft + product(across, across, mobility.g) + share * share * bulk;
  const double change = (deviatoric - share * hydrostatic) / schur;
  multipliers.deviatoric += change;
  multipliers.hydrostatic += hydrostatic / sum - share * change;
  return change * across + (hydrostatic / sum) * cofactor;
}

Matrix3 newton_change(const LocalLaw& law, const LocalMobility& mobility, const Matrix3& f, const Matrix3& applied,
                      Work& work) {
  const double volume = law.weight * (law.material.lambda * (f.determinant() - 1.0) - law.material.mu);
  const double shear = law.weight * law.material.mu;
  const Matrix3 cofactor = cofactors(f);
  const Matrix3 residual = -(shear * f + volume * cofactor) - applied;
  const auto objective = [&](const Matrix3& change) {
    ++work.energies;
    const Matrix3 all = applied + change;
    return 0.5 * product(all, all, mobility.g) + law.weight * law.material.energy(f + change * mobility.g);
  };
  Matrix3 z;
  // If the energy is not convex, multiples of μ I are added until the system is positive definite; otherwise the
  // indefinite part is replaced by an upper bound, since singular values of ∂²J/∂F² are at most |F|.
  bool is_solved = false;
  for (const double more : {0.0, 0.0625, 0.25, 1.0})
    if (!is_solved) {
      ++work.local_solves;
      is_solved = solve(local_system(law, mobility, f, cofactor, (1.0 + more) * shear, volume), mobility, residual, z);
    }
  if (!is_solved) {
    ++work.local_solves;
    is_solved = solve(local_system(law, mobility, f, cofactor, shear + std::abs(volume) * f.norm(), 0.0), mobility,
                      residual, z);
  }
  if (!is_solved) return Matrix3::Zero();
  // ΔF = Z root. If the mobility is singular, components of S outside its range move nothing and are kept.
  Matrix3 change = z * mobility.root_inverse;
  // Armijo's condition with the usual 1e-4, up to rounding of the two objectives.
  const double start = objective(Matrix3::Zero()), slope = -residual.cwiseProduct(z * mobility.root).sum();
  const double rounding = 1e-13 * (std::abs(start) + shear * (3.0 + f.squaredNorm()));
  for (int halvings = 0; halvings < 20; ++halvings, change *= 0.5) {
    const double share = std::ldexp(1e-4, -halvings);
    ++work.trials;
    if (objective(change) <= start + share * slope + rounding) return change;
  }
  return Matrix3::Zero();
}

}  // namespace deformbench::pbd
