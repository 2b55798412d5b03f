// SPDX-License-Identifier: BSD-3-Clause
// Warped stiffness FEM written the obvious way with Eigen alone: element matrices of 12×12, a polar
// decomposition by SVD, triplets and setFromTriplets in every step, Eigen's own conjugate gradients.
// It shares no code with methods/fem on purpose: it is the yardstick of speed and an oracle of results.
// [MG04] eq. 2–8 and 16 without plasticity; lumped masses; C = 0.
#include <Eigen/Geometry>
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SVD>
#include <Eigen/SparseCore>

#include "methods/facets.hpp"
#include "methods/peers/register_peers.hpp"

namespace deformbench::peers {

namespace {

using Matrix12 = Eigen::Matrix<double, 12, 12>;
using Vector12 = Eigen::Matrix<double, 12, 1>;
using SparseMatrix = Eigen::SparseMatrix<double>;

/// B_e (6×12) and V_e of one element. [MG04] eq. 2
struct StrainMatrix {
  Eigen::Matrix<double, 6, 12> b = Eigen::Matrix<double, 6, 12>::Zero();
  double volume = 0.0;
};

StrainMatrix strain_matrix(const model::TetMesh& mesh, Eigen::Index element) {
  Eigen::Matrix4d homogeneous;
  for (int k = 0; k < 4; ++k)
    homogeneous.col(k) << mesh.rest_positions.row(mesh.tetrahedra(element, k)).transpose(), 1.0;
  const Eigen::Matrix4d barycentric = homogeneous.inverse();  // row k: gradient of N_k, then its constant
  StrainMatrix result;
  result.volume = model::tetrahedron_volume(mesh, mesh.rest_positions, element);
  for (int k = 0; k < 4; ++k) {
    const Vector3 g = barycentric.block<1, 3>(k, 0).transpose();
    result.b.block<6, 3>(0, 3 * k) << g[0], 0, 0, 0, g[1], 0, 0, 0, g[2], g[1], g[0], 0, 0, g[2], g[1], g[2], 0, g[0];
  }
  return result;
}

Eigen::Matrix<double, 6, 6> isotropic_elasticity(const model::Material& material) {
  const double lambda = material.lame_lambda();
  const double mu = material.lame_mu();
  Eigen::Matrix<double, 6, 6> e = Eigen::Matrix<double, 6, 6>::Zero();
  e.topLeftCorner<3, 3>().setConstant(lambda);
  e.diagonal() << lambda + 2 * mu, lambda + 2 * mu, lambda + 2 * mu, mu, mu, mu;
  return e;
}

/// Rotation of the polar decomposition; det = +1 also for inverted elements.
Matrix3 rotation_of(const Matrix3& f) {
  const Eigen::JacobiSVD<Matrix3> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3 u = svd.matrixU();
  if ((u * svd.matrixV().transpose()).determinant() < 0) u.col(2) *= -1.0;  // the smallest singular direction
  return u * svd.matrixV().transpose();
}

class NaiveEigen final : public Simulation, public ElasticityFacet {
 public:
  NaiveEigen(const Scene& scene, const Parameters& parameters)
      : scene_(scene),
        iterations_(static_cast<int>(parameters.integer("cg_iterations"))),
        masses_(lumped_masses(scene)),
        positions_(scene.start_positions()),
        velocities_(scene.start_velocities()) {
    const Eigen::Index elements = scene.tet_mesh.element_count();
    stiffness_.reserve(static_cast<std::size_t>(elements));
    for (Eigen::Index e = 0; e < elements; ++e) {
      const StrainMatrix strain = strain_matrix(scene.tet_mesh, e);
      stiffness_.push_back(strain.volume * strain.b.transpose() * isotropic_elasticity(scene.material_of(e)) *
                           strain.b);
    }
    number_free_vertices();
  }

  StepReport step() override {
    const double dt = scene_.time_step;
    const Points prescribed = prescribed_velocities(time_ + dt);
    SparseMatrix a(3 * free_count_, 3 * free_count_);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(3 * free_count_);
    Eigen::VectorXd guess(3 * free_count_);
    assemble(a, b, prescribed);
    const Points loads = external_forces(scene_, masses_, time_ + dt);
    for (Eigen::Index i = 0; i < masses_.size(); ++i) {
      const int row = free_index_[static_cast<std::size_t>(i)];
      if (row < 0) continue;
      b.segment<3>(3 * row) += masses_[i] * velocities_.row(i).transpose() + dt * loads.row(i).transpose();
      guess.segment<3>(3 * row) = velocities_.row(i).transpose();
    }

    Eigen::ConjugateGradient<SparseMatrix, Eigen::Lower | Eigen::Upper, Eigen::IdentityPreconditioner> cg;
    cg.setMaxIterations(iterations_);
    cg.setTolerance(0.0);
    cg.compute(a);
    const Eigen::VectorXd v = cg.solveWithGuess(b, guess);

    for (Eigen::Index i = 0; i < masses_.size(); ++i) {
      const int row = free_index_[static_cast<std::size_t>(i)];
      const Vector3 velocity = row < 0 ? Vector3(prescribed.row(i).transpose()) : Vector3(v.segment<3>(3 * row));
      velocities_.row(i) = velocity.transpose();
    }
    positions_ += dt * velocities_;
    time_ += dt;
    StepReport report;
    report.outcome = positions_.allFinite() ? StepOutcome::Advanced : StepOutcome::Diverged;
    report.solves = 1;
    report.assemblies = 1;
    report.iterations = static_cast<int>(cg.iterations());
    report.residual = cg.error();
    return report;
  }

  StateView state() const override {
    return {time_, PointsView(positions_.data(), positions_.rows(), 3),
            PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
  }

  double elastic_energy(const Eigen::Ref<const Points>& positions) const override {
    double energy = 0.0;
    for (Eigen::Index e = 0; e < scene_.tet_mesh.element_count(); ++e) {
      const Vector12 u = unrotated_displacements(positions, e, rotation(positions, e));
      energy += 0.5 * u.dot(stiffness_[static_cast<std::size_t>(e)] * u);
    }
    return energy;
  }

  Points elastic_forces(const Eigen::Ref<const Points>& positions) const override {
    Points forces = Points::Zero(positions.rows(), 3);
    for (Eigen::Index e = 0; e < scene_.tet_mesh.element_count(); ++e) {
      const Matrix3 r = rotation(positions, e);
      const Vector12 f = stiffness_[static_cast<std::size_t>(e)] * unrotated_displacements(positions, e, r);
      for (int k = 0; k < 4; ++k)
        forces.row(scene_.tet_mesh.tetrahedra(e, k)) -= (r * f.segment<3>(3 * k)).transpose();
    }
    return forces;
  }

 private:
  void number_free_vertices() {
    free_index_.assign(static_cast<std::size_t>(masses_.size()), 0);
    for (const auto& motion : scene_.prescribed)
      for (const int v : motion.vertices) free_index_[static_cast<std::size_t>(v)] = -1;
    for (int& index : free_index_)
      if (index == 0) index = free_count_++;
  }

  /// n×3, m/s: the velocities that bring prescribed vertices to their targets at `time`; zero elsewhere.
  Points prescribed_velocities(double time) const {
    Points result = Points::Zero(masses_.size(), 3);
    for (const auto& motion : scene_.prescribed)
      for (std::size_t k = 0; k < motion.vertices.size(); ++k) {
        const int v = motion.vertices[k];
        const Vector3 target = motion.position_at(k, scene_.tet_mesh.rest_positions.row(v).transpose(), time);
        result.row(v) = (target.transpose() - positions_.row(v)) / scene_.time_step;
      }
    return result;
  }

  Matrix3 rotation(const Eigen::Ref<const Points>& positions, Eigen::Index e) const {
    return rotation_of(model::deformation_gradient(scene_.tet_mesh, positions, e));
  }

  /// Rᵀ x − x0 of the element's four vertices. [MG04] eq. 7
  Vector12 unrotated_displacements(const Eigen::Ref<const Points>& positions, Eigen::Index e,
                                   const Matrix3& r) const {
    Vector12 u;
    for (int k = 0; k < 4; ++k) {
      const int v = scene_.tet_mesh.tetrahedra(e, k);
      u.segment<3>(3 * k) = r.transpose() * positions.row(v).transpose() -
                            scene_.tet_mesh.rest_positions.row(v).transpose();
    }
    return u;
  }

  /// A = M + Δt² K' of the free vertices; b gets −Δt (K'x + f0') and the prescribed columns. [MG04] eq. 8, 16
  void assemble(SparseMatrix& a, Eigen::VectorXd& b, const Points& prescribed) const {
    const double dt = scene_.time_step;
    std::vector<Eigen::Triplet<double>> triplets;
    triplets.reserve(144 * stiffness_.size() + 3 * static_cast<std::size_t>(masses_.size()));
    for (Eigen::Index e = 0; e < scene_.tet_mesh.element_count(); ++e) {
      const Matrix3 r = rotation(positions_, e);
      Matrix12 r12 = Matrix12::Zero();
      for (int k = 0; k < 4; ++k) r12.block<3, 3>(3 * k, 3 * k) = r;
      const Matrix12& k0 = stiffness_[static_cast<std::size_t>(e)];
      const Matrix12 warped = r12 * k0 * r12.transpose();
      const Vector12 force = r12 * (k0 * unrotated_displacements(positions_, e, r));
      for (int i = 0; i < 4; ++i) {
        const int row = free_index_[static_cast<std::size_t>(scene_.tet_mesh.tetrahedra(e, i))];
        if (row < 0) continue;
        b.segment<3>(3 * row) -= dt * force.segment<3>(3 * i);
        for (int j = 0; j < 4; ++j) {
          const int vertex = scene_.tet_mesh.tetrahedra(e, j);
          const int column = free_index_[static_cast<std::size_t>(vertex)];
          if (column < 0) {
            b.segment<3>(3 * row) -= dt * dt * warped.block<3, 3>(3 * i, 3 * j) * prescribed.row(vertex).transpose();
            continue;
          }
          for (int p = 0; p < 3; ++p)
            for (int q = 0; q < 3; ++q)
              triplets.emplace_back(3 * row + p, 3 * column + q, dt * dt * warped(3 * i + p, 3 * j + q));
        }
      }
    }
    for (Eigen::Index i = 0; i < masses_.size(); ++i) {
      const int row = free_index_[static_cast<std::size_t>(i)];
      if (row < 0) continue;
      for (int p = 0; p < 3; ++p) triplets.emplace_back(3 * row + p, 3 * row + p, masses_[i]);
    }
    a.setFromTriplets(triplets.begin(), triplets.end());
  }

  const Scene scene_;
  const int iterations_;
  const Eigen::VectorXd masses_;
  Points positions_, velocities_;
  double time_ = 0.0;
  std::vector<Matrix12> stiffness_;
  std::vector<int> free_index_;   ///< row of a free vertex, −1 where prescribed
  int free_count_ = 0;
};

}  // namespace

void register_peers(Registry& registry) {
  MethodDescriptor naive;
  naive.id = "naive_eigen";
  naive.summary = "Warped stiffness FEM the obvious way: SVD, triplets and Eigen's CG every step; the yardstick of speed";
  naive.paper = {"MG04", "M. Müller, M. Gross: Interactive Virtual Materials, Graphics Interface 2004"};
  naive.parameters = {{"cg_iterations", "1", 20LL, "Exact number of plain CG iterations from v_n, [MG04] §7", 1.0}};
  naive.supports = [](const Scene& scene, const Parameters&) {
    if (scene.tet_mesh.element_count() == 0) return Support::no("the scene has no tetrahedra");
    if (!scene.colliders.empty()) return Support::no("the naive peer knows no plane colliders");
    if (!scene.rigid_bodies.empty() || !scene.attachments.empty() || !scene.constraints.empty())
      return Support::no("the naive peer knows no rigid bodies and no explicit constraints");
    if (!scene.heat_sources.empty()) return Support::no("the naive peer knows no heat sources");
    return Support::yes();
  };
  naive.create = [](const Scene& scene, const Parameters& parameters, const RunContext&) {
    return std::make_unique<NaiveEigen>(scene, parameters);
  };
  naive.known_violations = {
      {"linear_momentum", "20 unpreconditioned CG iterations leave a residual with a net force", "B-IVM-15", 0.092},
      {"angular_momentum", "implicit Euler with the rotations of the step's start damps a spin", "IVM-01", 9.2e-6}};
  registry.add(std::move(naive));
  register_naive_pbd(registry);
}

}  // namespace deformbench::peers
