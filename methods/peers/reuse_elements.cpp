// SPDX-License-Identifier: BSD-3-Clause
// The elements of reuse_eigen: force and stiffness of a tetrahedron in six variants of one style, for comparable
// timings.
//   stored                       R K_e Rᵀ with K_e computed once, [MG04] eq. 7, 8
//   rotated_gradients            the same matrix from R∇N: nothing of the size of K_e is stored
//   rebuilt                      as stored, with V BᵀEB formed again in every step
//   st_venant_kirchhoff          the tangent in closed form, V [(g_i·S g_j) I + λ F g_i (F g_j)ᵀ + μ F g_j (F g_i)ᵀ +
//                                μ (g_i·g_j) F Fᵀ]
//   st_venant_kirchhoff_textbook V BᵀEB with B(F) of the total Lagrangian form, and the geometric stiffness
//   st_venant_kirchhoff_projected ∂²Ψ/∂F² as a 9×9 matrix, its negative eigenvalues dropped, between two shape matrices
#include <Eigen/Eigenvalues>

#include "methods/model/error.hpp"
#include "methods/peers/register_peers.hpp"
#include "methods/peers/reuse_eigen.hpp"

namespace deformbench::peers {
namespace {

class StoredElements final : public ReuseEigen {
 public:
  using ReuseEigen::ReuseEigen;

 private:
  void evaluate(Eigen::Index e, Vector12& force, Blocks& blocks) const override {
    const Matrix3 r = rotation(positions_, e);
    const Matrix12& k0 = stiffness_[std::size_t(e)];
    const Vector12 unrotated = k0 * unrotated_displacements(positions_, e, r);
    Matrix3* block = blocks.data();
    for (int i = 0; i < 4; ++i) {
      force.segment<3>(3 * i) = -(r * unrotated.segment<3>(3 * i));
      for (int j = i; j < 4; ++j) {
        const Matrix3 half = r * k0.block<3, 3>(3 * i, 3 * j);
        *block++ = half * r.transpose();
      }
    }
  }
};

class RebuiltElements final : public ReuseEigen {
 public:
  using ReuseEigen::ReuseEigen;

 private:
  void evaluate(Eigen::Index e, Vector12& force, Blocks& blocks) const override {
    const StrainMatrix strain = strain_matrix(scene_.tet_mesh, e);
    const Eigen::Matrix<double, 6, 12> eb = isotropic_elasticity(scene_.material_of(e)) * strain.b;
    const Matrix12 k0 = strain.volume * strain.b.transpose() * eb;
    const Matrix3 r = rotation(positions_, e);
    const Vector12 unrotated = k0 * unrotated_displacements(positions_, e, r);
    Matrix3* block = blocks.data();
    for (int i = 0; i < 4; ++i) {
      force.segment<3>(3 * i) = -(r * unrotated.segment<3>(3 * i));
      for (int j = i; j < 4; ++j) {
        const Matrix3 half = r * k0.block<3, 3>(3 * i, 3 * j);
        *block++ = half * r.transpose();
      }
    }
  }
};

/// Base of the elements without a stored matrix.
class GradientElements : public ReuseEigen {
 public:
  GradientElements(const Scene& scene, const Parameters& parameters, const RunContext& context)
      : ReuseEigen(scene, parameters, context) {
    for (Eigen::Index e = 0; e < element_count(); ++e) {
      gradients_.push_back(shape_gradients(scene.tet_mesh, e));
      volumes_.push_back(model::tetrahedron_volume(scene.tet_mesh, scene.tet_mesh.rest_positions, e));
    }
  }

 protected:
  using Gradients = Eigen::Matrix<double, 3, 4>;

  Matrix3 deformation_gradient(const Eigen::Ref<const Points>& positions, Eigen::Index e) const {
    Matrix3 f = Matrix3::Zero();
    for (int k = 0; k < 4; ++k)
      f += positions.row(vertex(e, k)).transpose() * gradients_[std::size_t(e)].col(k).transpose();
    return f;
  }

  std::vector<Gradients> gradients_;
  std::vector<double> volumes_;  ///< m³, at rest
};

class RotatedGradientElements final : public GradientElements {
 public:
  using GradientElements::GradientElements;

 private:
  void evaluate(Eigen::Index e, Vector12& force, Blocks& blocks) const override {
    const Matrix3 f = deformation_gradient(positions_, e), r = rotation_of(f);
    const double volume = volumes_[std::size_t(e)], lambda = volume * scene_.material_of(e).lame_lambda(),
                 mu = volume * scene_.material_of(e).lame_mu();
    const Matrix3 stretch = r.transpose() * f;
    const Matrix3 strain = 0.5 * (stretch + stretch.transpose()) - Matrix3::Identity();
    const Matrix3 stress = lambda * strain.trace() * Matrix3::Identity() + 2.0 * mu * strain;
    const Matrix3 turned = r * stress;
    const Gradients g = r * gradients_[std::size_t(e)];
    Matrix3* block = blocks.data();
    for (int i = 0; i < 4; ++i) {
      force.segment<3>(3 * i) = -(turned * gradients_[std::size_t(e)].col(i));
      for (int j = i; j < 4; ++j)
        *block++ = lambda * g.col(i) * g.col(j).transpose() + mu * g.col(j) * g.col(i).transpose() +
                   mu * g.col(i).dot(g.col(j)) * Matrix3::Identity();
    }
  }
};

/// St. Venant–Kirchhoff, Ψ = λ/2 tr²E + μ E:E, E = (FᵀF − I)/2.
class GreenElements : public GradientElements {
 public:
  using GradientElements::GradientElements;

 protected:
  double element_energy(const Eigen::Ref<const Points>& positions, Eigen::Index e) const override {
    const Matrix3 strain = green_strain(deformation_gradient(positions, e));
    const model::Material& material = scene_.material_of(e);
    return volumes_[std::size_t(e)] *
           (0.5 * material.lame_lambda() * strain.trace() * strain.trace() + material.lame_mu() * strain.squaredNorm());
  }

  Vector12 element_force(const Eigen::Ref<const Points>& positions, Eigen::Index e) const override {
    const Matrix3 f = deformation_gradient(positions, e);
    const Matrix3 piola = f * stress(f, e);
    Vector12 force;
    for (int i = 0; i < 4; ++i)
      force.segment<3>(3 * i) = -volumes_[std::size_t(e)] * (piola * gradients_[std::size_t(e)].col(i));
    return force;
  }

  static Matrix3 green_strain(const Matrix3& f) { return 0.5 * (f.transpose() * f - Matrix3::Identity()); }

  /// Second Piola–Kirchhoff stress, Pa.
  Matrix3 stress(const Matrix3& f, Eigen::Index e) const {
    const Matrix3 strain = green_strain(f);
    const model::Material& material = scene_.material_of(e);
    return material.lame_lambda() * strain.trace() * Matrix3::Identity() + 2.0 * material.lame_mu() * strain;
  }
};

class ClosedTangentElements final : public GreenElements {
 public:
  using GreenElements::GreenElements;

 private:
  void evaluate(Eigen::Index e, Vector12& force, Blocks& blocks) const override {
    const Matrix3 f = deformation_gradient(positions_, e);
    const double volume = volumes_[std::size_t(e)], lambda = volume * scene_.material_of(e).lame_lambda(),
                 mu = volume * scene_.material_of(e).lame_mu();
    const Gradients& b = gradients_[std::size_t(e)];
    const Gradients g = f * b, sb = volume * (stress(f, e) * b);
    const Matrix3 left = mu * (f * f.transpose());
    Matrix3* block = blocks.data();
    for (int i = 0; i < 4; ++i) {
      force.segment<3>(3 * i) = -(f * sb.col(i));
      for (int j = i; j < 4; ++j)
        *block++ = b.col(i).dot(sb.col(j)) * Matrix3::Identity() + lambda * g.col(i) * g.col(j).transpose() +
                   mu * g.col(j) * g.col(i).transpose() + b.col(i).dot(b.col(j)) * left;
    }
  }
};

class TextbookTangentElements final : public GreenElements {
 public:
  using GreenElements::GreenElements;

 private:
  void evaluate(Eigen::Index e, Vector12& force, Blocks& blocks) const override {
    const Matrix3 f = deformation_gradient(positions_, e), s = stress(f, e);
    const Gradients& b = gradients_[std::size_t(e)];
    Eigen::Matrix<double, 6, 12> strain;
    for (int k = 0; k < 4; ++k) {
      const auto g = b.col(k);
      for (int c = 0; c < 3; ++c) {
        strain.col(3 * k + c) << f(c, 0) * g[0], f(c, 1) * g[1], f(c, 2) * g[2], f(c, 0) * g[1] + f(c, 1) * g[0],
            f(c, 1) * g[2] + f(c, 2) * g[1], f(c, 2) * g[0] + f(c, 0) * g[2];
      }
    }
    Eigen::Matrix<double, 6, 1> voigt;
    voigt << s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(2, 0);
    const double volume = volumes_[std::size_t(e)];
    force = -volume * (strain.transpose() * voigt);
    const Eigen::Matrix<double, 6, 12> eb = isotropic_elasticity(scene_.material_of(e)) * strain;
    const Matrix12 k = volume * strain.transpose() * eb;
    const Eigen::Matrix4d geometric = volume * b.transpose() * s * b;
    Matrix3* block = blocks.data();
    for (int i = 0; i < 4; ++i)
      for (int j = i; j < 4; ++j) *block++ = k.block<3, 3>(3 * i, 3 * j) + geometric(i, j) * Matrix3::Identity();
  }
};

/// The positive semidefinite tangent of [TSIF05] computed without its structure: a dense eigendecomposition per
/// element.
class ProjectedTangentElements final : public GreenElements {
 public:
  using GreenElements::GreenElements;

 private:
  using Matrix9 = Eigen::Matrix<double, 9, 9>;

  void evaluate(Eigen::Index e, Vector12& force, Blocks& blocks) const override {
    force = element_force(positions_, e);
    const Matrix3 f = deformation_gradient(positions_, e), s = stress(f, e);
    const model::Material& material = scene_.material_of(e);
    Matrix9 tangent;  // ∂ vec P/∂ vec F, columns stacked
    for (int k = 0; k < 9; ++k) {
      Matrix3 df = Matrix3::Zero();
      df(k % 3, k / 3) = 1.0;
      const Matrix3 strain = 0.5 * (df.transpose() * f + f.transpose() * df);
      const Matrix3 ds =
          material.lame_lambda() * strain.trace() * Matrix3::Identity() + 2.0 * material.lame_mu() * strain;
      const Matrix3 dp = df * s + f * ds;
      tangent.col(k) = dp.reshaped();
    }
    const Eigen::SelfAdjointEigenSolver<Matrix9> eigen(tangent);
    tangent = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() * eigen.eigenvectors().transpose();
    Eigen::Matrix<double, 9, 12> shape = Eigen::Matrix<double, 9, 12>::Zero();
    for (int a = 0; a < 4; ++a)
      for (int k = 0; k < 3; ++k)
        shape.block<3, 3>(3 * k, 3 * a) = gradients_[std::size_t(e)](k, a) * Matrix3::Identity();
    const Matrix12 stiffness = volumes_[std::size_t(e)] * shape.transpose() * tangent * shape;
    Matrix3* block = blocks.data();
    for (int i = 0; i < 4; ++i)
      for (int j = i; j < 4; ++j) *block++ = stiffness.block<3, 3>(3 * i, 3 * j);
  }
};

}  // namespace

void register_reuse_eigen(Registry& registry) {
  MethodDescriptor reuse = eigen_peer();
  reuse.id = "reuse_eigen";
  reuse.summary = "FEM written with care in Eigen: one sparsity pattern, reused; a yardstick of speed";
  ParameterInfo elements{
      "elements", "", std::string("stored"),
      "Warped stiffness with K_e stored, from rotated gradients, or rebuilt every step; or one Newton "
      "step of St. Venant–Kirchhoff, its tangent in closed form, as in textbooks, or projected by a dense eigensolver"};
  elements.choices = {"stored",
                      "rotated_gradients",
                      "rebuilt",
                      "st_venant_kirchhoff",
                      "st_venant_kirchhoff_textbook",
                      "st_venant_kirchhoff_projected"};
  reuse.parameters.push_back(std::move(elements));
  reuse.create = [](const Scene& scene, const Parameters& parameters,
                    const RunContext& context) -> std::unique_ptr<Simulation> {
    const std::string& which = parameters.text("elements");
    if (which == "rotated_gradients") return std::make_unique<RotatedGradientElements>(scene, parameters, context);
    if (which == "rebuilt") return std::make_unique<RebuiltElements>(scene, parameters, context);
    if (which == "st_venant_kirchhoff") return std::make_unique<ClosedTangentElements>(scene, parameters, context);
    if (which == "st_venant_kirchhoff_textbook")
      return std::make_unique<TextbookTangentElements>(scene, parameters, context);
    if (which == "st_venant_kirchhoff_projected")
      return std::make_unique<ProjectedTangentElements>(scene, parameters, context);
    return std::make_unique<StoredElements>(scene, parameters, context);
  };
  registry.add(std::move(reuse));
}

}  // namespace deformbench::peers
