// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/elasticity/elastic_model.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "methods/numerics/polar_decomposition.hpp"

namespace deformbench::fem {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

Matrix3 matrix_of(const Vector6& tensor) {
  Matrix3 m;
  m << tensor[0], tensor[3], tensor[5], tensor[3], tensor[1], tensor[4], tensor[5], tensor[4], tensor[2];
  return m;
}

/// sym(RᵀF) − I, which is B (Rᵀx − x0). [MG04] eq. 2, 13
Matrix3 total_strain(const Matrix3& f, const Matrix3& r) {
  const Matrix3 unrotated = r.transpose() * f;
  return 0.5 * (unrotated + unrotated.transpose()) - Matrix3::Identity();
}

/// σ = E ε. [MG04] eq. 3
Matrix3 stress_of(const model::Material& material, const Matrix3& strain) {
  return 2.0 * material.lame_mu() * strain + material.lame_lambda() * strain.trace() * Matrix3::Identity();
}

Matrix3 gradient(const Scene& scene, const RestElement& rest, const Eigen::Ref<const Points>& x, Eigen::Index e) {
  // Differences from the first corner: translations drop out before anything is rounded. [MG04] eq. 9–12
  const auto corner = [&](int a) { return Vector3(x.row(scene.tet_mesh.tetrahedra(e, a)).transpose()); };
  const Vector3 origin = corner(0);
  Matrix3 f = Matrix3::Zero();
  for (int a = 1; a < 4; ++a) f += (corner(a) - origin) * rest.gradients.col(a).transpose();
  return f;
}

/// V (λ b_a b_bᵀ + μ b_b b_aᵀ + μ (b_a·b_b) I), the 3×3 block of K_e = V BᵀEB. [MG04] eq. 4
Matrix3 stiffness_block(const model::Material& material, double volume, const Vector3& ba, const Vector3& bb) {
  const double lambda = material.lame_lambda(), mu = material.lame_mu();
  return volume * (lambda * ba * bb.transpose() + mu * bb * ba.transpose() + mu * ba.dot(bb) * Matrix3::Identity());
}

void add_block(Triplets& triplets, int i, int j, const Matrix3& block) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) triplets.emplace_back(3 * i + r, 3 * j + c, block(r, c));
}

}  // namespace

RestElement rest_element(const model::TetMesh& mesh, Eigen::Index e) {
  const auto corner = [&](int a) { return Vector3(mesh.rest_positions.row(mesh.tetrahedra(e, a)).transpose()); };
  Matrix3 columns;
  for (int a = 1; a < 4; ++a) columns.col(a - 1) = corner(a) - corner(0);
  // By elimination: with cofactors, Eigen's choice for 3×3, the error grows with the square of the condition number.
  const Eigen::PartialPivLU<Matrix3> edges(columns);
  RestElement rest;
  rest.volume = edges.determinant() / 6.0;
  const Matrix3 inverse = edges.inverse();
  rest.gradients.rightCols<3>() = inverse.transpose();
  rest.gradients.col(0) = -(rest.gradients.col(1) + rest.gradients.col(2) + rest.gradients.col(3));
  return rest;
}

Matrix3 best_fit_rotation(const Scene& scene, const Eigen::VectorXd& masses, const Eigen::Ref<const Points>& positions,
                          bool keep_reflection) {
  const Points& rest = scene.tet_mesh.rest_positions;
  const double mass = masses.sum();
  const Eigen::RowVector3d rest_centre = masses.transpose() * rest / mass;
  const Eigen::RowVector3d centre = masses.transpose() * positions / mass;
  const Matrix3 fit = (positions.rowwise() - centre).transpose() * masses.asDiagonal() * (rest.rowwise() - rest_centre);
  return keep_reflection ? numerics::polar_orthogonal_factor(fit) : numerics::polar_rotation(fit);
}

Vector6 ElasticModel::stress(Eigen::Index element, const Eigen::Ref<const Points>& positions, const Matrix3& rotation,
                             const Vector6& plastic_strain) const {
  return stress(element, rest_element(scene_.tet_mesh, element), positions, rotation, plastic_strain);
}

Vector6 ElasticModel::stress(Eigen::Index element, const RestElement& rest, const Eigen::Ref<const Points>& positions,
                             const Matrix3& rotation, const Vector6& plastic_strain) const {
  const Matrix3 strain = total_strain(gradient(scene_, rest, positions, element), rotation) - matrix_of(plastic_strain);
  const Matrix3 s = stress_of(scene_.material_of(element), strain);
  Vector6 result;
  result << s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(2, 0);
  return result;
}

double largest_stiffness(const model::Material& material, const RestElement& rest) {
  Eigen::Matrix<double, 12, 12> k;
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      k.block<3, 3>(3 * a, 3 * b) =
          stiffness_block(material, rest.volume, rest.gradients.col(a), rest.gradients.col(b));
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 12, 12>>(k, Eigen::EigenvaluesOnly).eigenvalues()[11];
}

double stable_time_step(const Scene& scene, double rest_stiffness) {
  double largest = 0.0;  // ω²
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) {
    const RestElement rest = rest_element(scene.tet_mesh, e);
    const double mass = 0.25 * scene.material_of(e).density * rest.volume;
    largest = std::max(largest, rest_stiffness * largest_stiffness(scene.material_of(e), rest) / mass);
  }
  return 2.0 / std::sqrt(largest);
}

double ElasticModel::stiffness_bound() const {
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(scene_.tet_mesh.vertex_count());
  for (Eigen::Index e = 0; e < scene_.tet_mesh.element_count(); ++e) {
    const double largest = largest_stiffness(scene_.material_of(e), rest_element(scene_.tet_mesh, e));
    for (int a = 0; a < 4; ++a) sums[scene_.tet_mesh.tetrahedra(e, a)] += largest;
  }
  return sums.size() ? sums.maxCoeff() : 0.0;
}

// ---- element-based warping and linear elasticity

/// [MG04] §2.4
std::vector<Matrix3> ElementModel::rotations(const Eigen::Ref<const Points>& positions) const {
  const Eigen::Index elements = scene_.tet_mesh.element_count();
  std::vector<Matrix3> result(std::size_t(elements), Matrix3::Identity());
  if (rule_.kind == RotationKind::Identity) return result;
  if (rule_.kind == RotationKind::Global) {
    std::fill(result.begin(), result.end(),
              best_fit_rotation(scene_, lumped_masses(scene_), positions, rule_.keep_reflection));
    return result;
  }
  for (Eigen::Index e = 0; e < elements; ++e) {
    const Matrix3 f = gradient(scene_, rest_element(scene_.tet_mesh, e), positions, e);
    Matrix3& r = result[std::size_t(e)];
    if (rule_.kind == RotationKind::Qr)
      r = numerics::gram_schmidt_rotation(f, rule_.keep_reflection);
    else
      r = rule_.keep_reflection ? numerics::polar_orthogonal_factor(f) : numerics::polar_rotation(f);
  }
  return result;
}

/// [MG04] eq. 14
Matrix3 ElementModel::elastic_strain(Eigen::Index element, const Matrix3& f, const Matrix3& rotation) const {
  const Matrix3 total = total_strain(f, rotation);
  if (!plastic_) return total;
  return total - matrix_of(plastic_(int(element)));
}

double ElementModel::energy(const Eigen::Ref<const Points>& positions) const {
  const std::vector<Matrix3> r = rotations(positions);
  double sum = 0.0;
  for (Eigen::Index e = 0; e < scene_.tet_mesh.element_count(); ++e) {
    const RestElement rest = rest_element(scene_.tet_mesh, e);
    const Matrix3 strain = elastic_strain(e, gradient(scene_, rest, positions, e), r[std::size_t(e)]);
    const auto& material = scene_.material_of(e);
    sum += rest.volume *
           (material.lame_mu() * strain.squaredNorm() + 0.5 * material.lame_lambda() * strain.trace() * strain.trace());
  }
  return sum;
}

/// [MG04] eq. 6 without rotation and plastic strain, [MG04] eq. 7, 8 with the rotation, [MG04] eq. 15 with ε_p.
Points ElementModel::forces(const Eigen::Ref<const Points>& positions) const {
  const std::vector<Matrix3> r = rotations(positions);
  Points result = Points::Zero(positions.rows(), 3);
  for (Eigen::Index e = 0; e < scene_.tet_mesh.element_count(); ++e) {
    const RestElement rest = rest_element(scene_.tet_mesh, e);
    const Matrix3& rotation = r[std::size_t(e)];
    const Matrix3 f = gradient(scene_, rest, positions, e);
    const Matrix3 p = rest.volume * rotation * stress_of(scene_.material_of(e), elastic_strain(e, f, rotation));
    // B-IVM-11: [MG04] eq. 4 writes the resisting force; this is the force on the node, its negative.
    for (int a = 0; a < 4; ++a) result.row(scene_.tet_mesh.tetrahedra(e, a)) -= (p * rest.gradients.col(a)).transpose();
  }
  return result;
}

/// K' of [MG04] eq. 8
Eigen::SparseMatrix<double> ElementModel::stiffness(const Eigen::Ref<const Points>& positions) const {
  const std::vector<Matrix3> r = rotations(positions);
  const Eigen::Index n = scene_.tet_mesh.vertex_count();
  Triplets triplets;
  triplets.reserve(144 * r.size());
  for (Eigen::Index e = 0; e < scene_.tet_mesh.element_count(); ++e) {
    const RestElement rest = rest_element(scene_.tet_mesh, e);
    const Eigen::Matrix<double, 3, 4> b = r[std::size_t(e)] * rest.gradients;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        add_block(triplets, scene_.tet_mesh.tetrahedra(e, i), scene_.tet_mesh.tetrahedra(e, j),
                  stiffness_block(scene_.material_of(e), rest.volume, b.col(i), b.col(j)));
  }
  Eigen::SparseMatrix<double> k(3 * n, 3 * n);
  k.setFromTriplets(triplets.begin(), triplets.end());
  return k;
}

// ---- vertex-based warping

VertexModel::VertexModel(const Scene& scene) : ElasticModel(scene) {
  rest_stiffness_ = ElementModel(scene, {RotationKind::Identity, false}).stiffness(scene.tet_mesh.rest_positions);
}

std::vector<Matrix3> VertexModel::rotations(const Eigen::Ref<const Points>& positions) const {
  // Least-squares fit of the edges to the neighbours, which are taken from the pattern of K.
  const Points& rest = scene_.tet_mesh.rest_positions;
  std::vector<Matrix3> result(std::size_t(rest.rows()));
  for (Eigen::Index i = 0; i < rest.rows(); ++i) {
    Matrix3 fit = Matrix3::Zero(), spread = Matrix3::Zero();
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator k(rest_stiffness_, 3 * i); k; ++k) {
      if (k.col() % 3 != 0 || k.col() / 3 == i) continue;
      const Vector3 edge = (rest.row(k.col() / 3) - rest.row(i)).transpose();
      fit += (positions.row(k.col() / 3) - positions.row(i)).transpose() * edge.transpose();
      spread += edge * edge.transpose();
    }
    // [MDMJC02]: the best linear map of rest edges to deformed ones, then its rotation.
    result[std::size_t(i)] = numerics::polar_rotation(fit * spread.inverse());
  }
  return result;
}

double VertexModel::energy(const Eigen::Ref<const Points>& positions) const {
  const std::vector<Matrix3> r = rotations(positions);
  const Points& rest = scene_.tet_mesh.rest_positions;
  double sum = 0.0;
  for (Eigen::Index row = 0; row < rest_stiffness_.rows(); ++row) {
    const Eigen::Index i = row / 3;
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator k(rest_stiffness_, row); k; ++k) {
      const Eigen::Index j = k.col() / 3;
      if (j == i) continue;
      const Vector3 d = r[std::size_t(i)].transpose() * (positions.row(j) - positions.row(i)).transpose() -
                        (rest.row(j) - rest.row(i)).transpose();
      sum -= 0.25 * d[row % 3] * k.value() * d[k.col() % 3];
    }
  }
  return sum;
}

Points VertexModel::forces(const Eigen::Ref<const Points>& positions) const {
  const std::vector<Matrix3> r = rotations(positions);
  const Points& rest = scene_.tet_mesh.rest_positions;
  Points result(rest.rows(), 3);
  for (Eigen::Index i = 0; i < rest.rows(); ++i) {
    Vector3 local = Vector3::Zero();
    for (int c = 0; c < 3; ++c) {
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator k(rest_stiffness_, 3 * i + c); k; ++k) {
        const Eigen::Index j = k.col() / 3;
        if (j == i) continue;  // Σ_j K_ij = 0: only differences matter
        const double d = r[std::size_t(i)].col(k.col() % 3).dot((positions.row(j) - positions.row(i)).transpose()) -
                         (rest(j, k.col() % 3) - rest(i, k.col() % 3));
        local[c] += k.value() * d;
      }
    }
    result.row(i) = -(r[std::size_t(i)] * local).transpose();
  }
  return result;
}

std::vector<Matrix3> VertexModel::element_rotations(const Eigen::Ref<const Points>& positions) const {
  const std::vector<Matrix3> r = rotations(positions);
  std::vector<Matrix3> result(std::size_t(scene_.tet_mesh.element_count()));
  for (std::size_t e = 0; e < result.size(); ++e) {
    Matrix3 sum = Matrix3::Zero();
    for (int a = 0; a < 4; ++a) sum += r[std::size_t(scene_.tet_mesh.tetrahedra(Eigen::Index(e), a))];
    result[e] = numerics::polar_rotation(sum);
  }
  return result;
}

Eigen::SparseMatrix<double> VertexModel::stiffness(const Eigen::Ref<const Points>& positions) const {
  const std::vector<Matrix3> r = rotations(positions);
  Triplets triplets;
  triplets.reserve(std::size_t(3 * rest_stiffness_.nonZeros()));
  for (Eigen::Index i = 0; i < scene_.tet_mesh.vertex_count(); ++i) {
    const Matrix3& rotation = r[std::size_t(i)];
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator k(rest_stiffness_, 3 * i); k; ++k) {
      if (k.col() % 3 != 0) continue;
      const Eigen::Index j = k.col() / 3;
      Matrix3 block;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) block(a, b) = rest_stiffness_.coeff(3 * i + a, 3 * j + b);
      add_block(triplets, int(i), int(j), rotation * block * rotation.transpose());
    }
  }
  Eigen::SparseMatrix<double> k(rest_stiffness_.rows(), rest_stiffness_.cols());
  k.setFromTriplets(triplets.begin(), triplets.end());
  return k;
}

}  // namespace deformbench::fem
