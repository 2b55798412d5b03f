// SPDX-License-Identifier: BSD-3-Clause
#include "methods/peers/eigen_body.hpp"

#include <Eigen/Geometry>
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SVD>

namespace deformbench::peers {
Eigen::Matrix<double, 3, 4> shape_gradients(const model::TetMesh& mesh, Eigen::Index element) {
  Eigen::Matrix4d homogeneous;
  for (int k = 0; k < 4; ++k)
    homogeneous.col(k) << mesh.rest_positions.row(mesh.tetrahedra(element, k)).transpose(), 1.0;
  const Eigen::Matrix4d barycentric = homogeneous.inverse();  // row k: gradient of N_k, then its constant term
  return barycentric.leftCols<3>().transpose();
}

StrainMatrix strain_matrix(const model::TetMesh& mesh, Eigen::Index element) {
  const Eigen::Matrix<double, 3, 4> gradients = shape_gradients(mesh, element);
  StrainMatrix result;
  result.volume = model::tetrahedron_volume(mesh, mesh.rest_positions, element);
  for (int k = 0; k < 4; ++k) {
    const Vector3 g = gradients.col(k);
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

EigenBody::EigenBody(const Scene& scene, const Parameters& parameters, const RunContext& context)
    : scene_(scene),
      masses_(lumped_masses(scene)),
      positions_(scene.start_positions()),
      velocities_(scene.start_velocities()),
      iterations_(int(parameters.integer("cg_iterations"))),
      clock_(context.time_phases) {
  const Eigen::Index elements = scene.tet_mesh.element_count();
  stiffness_.reserve(std::size_t(elements));
  for (Eigen::Index e = 0; e < elements; ++e) {
    const StrainMatrix strain = strain_matrix(scene.tet_mesh, e);
    stiffness_.push_back(strain.volume * strain.b.transpose() * isotropic_elasticity(scene.material_of(e)) * strain.b);
  }
  number_free_vertices();
}

StepReport EigenBody::step() {
  clock_.start();
  const double dt = scene_.time_step;
  const Points prescribed = prescribed_velocities(time_ + dt);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(3 * free_count_);
  Eigen::VectorXd guess(3 * free_count_);
  clock_.charge(EigenPhases::Other);
  const SparseMatrix& a = assemble(b, prescribed);
  clock_.charge(EigenPhases::Assembly);
  const Points loads = external_forces(scene_, masses_, time_ + dt);
  for (Eigen::Index i = 0; i < masses_.size(); ++i) {
    const int row = row_of(int(i));
    if (row < 0) continue;
    b.segment<3>(3 * row) += masses_[i] * velocities_.row(i).transpose() + dt * loads.row(i).transpose();
    guess.segment<3>(3 * row) = velocities_.row(i).transpose();
  }

  Eigen::ConjugateGradient<SparseMatrix, Eigen::Lower | Eigen::Upper, Eigen::IdentityPreconditioner> cg;
  cg.setMaxIterations(iterations_);
  cg.setTolerance(0.0);
  cg.compute(a);
  const Eigen::VectorXd v = cg.solveWithGuess(b, guess);
  clock_.charge(EigenPhases::Solve);

  for (Eigen::Index i = 0; i < masses_.size(); ++i) {
    const int row = row_of(int(i));
    const Vector3 velocity = row < 0 ? Vector3(prescribed.row(i).transpose()) : Vector3(v.segment<3>(3 * row));
    velocities_.row(i) = velocity.transpose();
  }
  positions_ += dt * velocities_;
  time_ += dt;
  StepReport report;
  report.outcome = positions_.allFinite() ? StepOutcome::Advanced : StepOutcome::Diverged;
  report.solves = 1;
  report.assemblies = 1;
  report.iterations = int(cg.iterations());
  const auto elements = std::int64_t(stiffness_.size());
  report.work = Work{.gradients = elements, .hessians = elements, .products = report.iterations};
  report.residual = cg.error();
  clock_.charge(EigenPhases::Other);
  return report;
}

StateView EigenBody::state() const {
  return {time_, PointsView(positions_.data(), positions_.rows(), 3),
          PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
}

double EigenBody::elastic_energy(const Eigen::Ref<const Points>& positions) const {
  double energy = 0.0;
  for (Eigen::Index e = 0; e < element_count(); ++e) energy += element_energy(positions, e);
  return energy;
}

Points EigenBody::elastic_forces(const Eigen::Ref<const Points>& positions) const {
  Points forces = Points::Zero(positions.rows(), 3);
  for (Eigen::Index e = 0; e < element_count(); ++e) {
    const Vector12 f = element_force(positions, e);
    for (int k = 0; k < 4; ++k) forces.row(vertex(e, k)) += f.segment<3>(3 * k).transpose();
  }
  return forces;
}

double EigenBody::element_energy(const Eigen::Ref<const Points>& positions, Eigen::Index e) const {
  const Vector12 u = unrotated_displacements(positions, e, rotation(positions, e));
  return 0.5 * u.dot(stiffness_[std::size_t(e)] * u);
}

EigenBody::Vector12 EigenBody::element_force(const Eigen::Ref<const Points>& positions, Eigen::Index e) const {
  const Matrix3 r = rotation(positions, e);
  const Vector12 f = stiffness_[std::size_t(e)] * unrotated_displacements(positions, e, r);
  Vector12 turned;
  for (int k = 0; k < 4; ++k) turned.segment<3>(3 * k) = -(r * f.segment<3>(3 * k));
  return turned;
}

void EigenBody::number_free_vertices() {
  free_index_.assign(std::size_t(masses_.size()), 0);
  for (const auto& motion : scene_.prescribed)
    for (const int v : motion.vertices) free_index_[std::size_t(v)] = -1;
  for (int& index : free_index_)
    if (index == 0) index = free_count_++;
}

/// Velocities (n×3, m/s) that move prescribed vertices to their targets at `time`; zero elsewhere.
Points EigenBody::prescribed_velocities(double time) const {
  Points result = Points::Zero(masses_.size(), 3);
  for (const auto& motion : scene_.prescribed)
    for (std::size_t k = 0; k < motion.vertices.size(); ++k) {
      const int v = motion.vertices[k];
      const Vector3 target = motion.position_at(k, scene_.tet_mesh.rest_positions.row(v).transpose(), time);
      result.row(v) = (target.transpose() - positions_.row(v)) / scene_.time_step;
    }
  return result;
}

Matrix3 EigenBody::rotation_of(const Matrix3& f) const {
  const Eigen::JacobiSVD<Matrix3> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3 u = svd.matrixU();
  if ((u * svd.matrixV().transpose()).determinant() < 0) u.col(2) *= -1.0;  // the smallest singular direction
  return u * svd.matrixV().transpose();
}

Matrix3 EigenBody::rotation(const Eigen::Ref<const Points>& positions, Eigen::Index e) const {
  return rotation_of(model::deformation_gradient(scene_.tet_mesh, positions, e));
}

EigenBody::Vector12 EigenBody::unrotated_displacements(const Eigen::Ref<const Points>& positions, Eigen::Index e,
                                                       const Matrix3& r) const {
  Vector12 u;
  for (int k = 0; k < 4; ++k) {
    const int v = scene_.tet_mesh.tetrahedra(e, k);
    u.segment<3>(3 * k) =
        r.transpose() * positions.row(v).transpose() - scene_.tet_mesh.rest_positions.row(v).transpose();
  }
  return u;
}

MethodDescriptor eigen_peer() {
  MethodDescriptor method;
  method.paper = {"MG04", "M. Müller, M. Gross: Interactive Virtual Materials, Graphics Interface 2004"};
  method.parameters = {{"cg_iterations", "1", 20LL, "Exact number of plain CG iterations from v_n, [MG04] §7", 1.0}};
  method.supports = [](const Scene& scene, const Parameters&) {
    if (scene.tet_mesh.element_count() == 0) return Support::no("the scene has no tetrahedra");
    if (!scene.colliders.empty()) return Support::no("the peers with Eigen do not support plane colliders");
    if (!scene.rigid_bodies.empty() || !scene.attachments.empty() || !scene.constraints.empty())
      return Support::no("the peers with Eigen support neither rigid bodies nor explicit constraints");
    if (!scene.heat_sources.empty()) return Support::no("the peers with Eigen do not support heat sources");
    if (!scene.cracks.empty()) return Support::no("the peers with Eigen do not support initial cracks");
    if (const std::string refusal = model::roller_refusal(scene.prescribed, "the peers with Eigen"); !refusal.empty())
      return Support::no(refusal);
    return Support::yes();
  };
  method.known_violations = {
      {"linear_momentum", "20 unpreconditioned CG iterations leave a residual with a net force", "B-IVM-15", 0.092},
      {"angular_momentum", "implicit Euler with the rotations of the step's start damps a spin", "IVM-01", 9.2e-6}};
  return method;
}

}  // namespace deformbench::peers
