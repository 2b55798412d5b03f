// SPDX-License-Identifier: BSD-3-Clause
// Vertex block descent [CLYY24] as a plug-in: implicit Euler as a minimisation, one Newton step of one vertex
// after another. Stable neo-Hookean tetrahedra with the constants of implicit_fem's law of that name.
//   deformbench run cross/free_vibration --plugin vertex_block_descent.so --method vertex_block_descent
#include <Eigen/Dense>
#include <memory>
#include <vector>

#include "methods/plugin.hpp"

namespace {

using namespace deformbench;

struct Tetrahedron {
  std::array<int, 4> vertices;
  Eigen::Matrix<double, 3, 4> gradients;  ///< column a: ∇N_a in the rest shape
  double volume, m, l, mu;
};

class VertexBlockDescent final : public Simulation {
 public:
  VertexBlockDescent(const Scene& scene, int iterations)
      : scene_(scene),
        iterations_(iterations),
        masses_(lumped_masses(scene)),
        positions_(scene.start_positions()),
        velocities_(scene.start_velocities()),
        elements_of_(std::size_t(masses_.size())),
        prescribed_(prescribed_components(scene)) {
    for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) add_element(e);
  }

  StepReport step() override {
    const double dt = scene_.time_step;
    time_ += dt;
    const Points loads = external_forces(scene_, masses_, time_), before = positions_;
    const Points inertial = before + dt * velocities_ + (dt * dt * masses_.cwiseInverse()).asDiagonal() * loads;
    positions_ += dt * velocities_;  // where the iterations start from
    place_prescribed(scene_, time_, positions_);
    for (int k = 0; k < iterations_; ++k)
      for (int v = 0; v < int(masses_.size()); ++v) descend(v, inertial.row(v), dt);
    velocities_ = (positions_ - before) / dt;
    StepReport report;
    report.iterations = iterations_;
    report.outcome = positions_.allFinite() ? StepOutcome::Advanced : StepOutcome::Diverged;
    return report;
  }

  StateView state() const override {
    return {time_, PointsView(positions_.data(), positions_.rows(), 3),
            PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
  }

 private:
  void add_element(Eigen::Index e) {
    const Points& rest = scene_.rest_positions();
    const auto corners = scene_.tet_mesh.tetrahedra.row(e);
    Matrix3 edges;
    for (int a = 1; a < 4; ++a) edges.col(a - 1) = (rest.row(corners[a]) - rest.row(corners[0])).transpose();
    const auto& material = scene_.material_of(e);
    const double mu = material.young_modulus / (2 * (1 + material.poisson_ratio));
    const double lambda = 2 * mu * material.poisson_ratio / (1 - 2 * material.poisson_ratio);
    // Small strains see λ and μ: m = 4μ/3, l = λ + 5μ/6, as methods/fem/elasticity/laws/stable_neo_hookean.hpp derives.
    Tetrahedron tet{{}, {}, edges.determinant() / 6, 4 * mu / 3, lambda + 5 * mu / 6, mu};
    tet.gradients.rightCols<3>() = edges.inverse().transpose();
    tet.gradients.col(0) = -tet.gradients.rightCols<3>().rowwise().sum();
    for (int a = 0; a < 4; ++a) {
      tet.vertices[std::size_t(a)] = corners[a];
      elements_of_[std::size_t(corners[a])].push_back({int(tets_.size()), a});
    }
    tets_.push_back(tet);
  }

  /// One Newton step of one vertex: the gradient and the 3×3 block of the incremental potential.
  void descend(int v, const Vector3& inertial, double dt) {
    Vector3 force = masses_[v] / (dt * dt) * (inertial - positions_.row(v).transpose());
    Matrix3 hessian = masses_[v] / (dt * dt) * Matrix3::Identity();
    for (const auto& [index, a] : elements_of_[std::size_t(v)]) {
      const Tetrahedron& t = tets_[std::size_t(index)];
      Matrix3 f = Matrix3::Zero(), cofactor;
      for (int b = 0; b < 4; ++b)
        f += positions_.row(t.vertices[std::size_t(b)]).transpose() * t.gradients.col(b).transpose();
      for (int c = 0; c < 3; ++c) cofactor.col(c) = f.col((c + 1) % 3).cross(f.col((c + 2) % 3));
      const Vector3 g = t.gradients.col(a), fg = f * g, cg = cofactor * g;
      const double inverse = 1 / (1 + f.squaredNorm()), shear = t.m * (1 - inverse);
      force -= t.volume * (shear * fg + (t.l * (f.determinant() - 1) - t.mu) * cg);
      // J is linear in one vertex, so the block has no term of its second derivative, and is never indefinite.
      hessian += t.volume * (shear * g.squaredNorm() * Matrix3::Identity() +
                             2 * t.m * inverse * inverse * fg * fg.transpose() + t.l * cg * cg.transpose());
    }
    for (int c = 0; c < 3; ++c)
      if (prescribed_[std::size_t(v)][std::size_t(c)]) {
        hessian.row(c).setZero();
        hessian.col(c).setZero();
        hessian(c, c) = 1.0;
        force[c] = 0.0;
      }
    positions_.row(v) += hessian.ldlt().solve(force).transpose();
  }

  const Scene scene_;
  const int iterations_;
  double time_ = 0.0;
  const Eigen::VectorXd masses_;
  Points positions_, velocities_;
  std::vector<Tetrahedron> tets_;
  std::vector<std::vector<std::pair<int, int>>> elements_of_;  ///< of a vertex: element and corner
  const std::vector<std::array<bool, 3>> prescribed_;          ///< x, y, z of each vertex
};

}  // namespace

DEFORMBENCH_PLUGIN(registry) {
  MethodDescriptor method;
  method.id = "vertex_block_descent";
  method.summary = "Vertex block descent on stable neo-Hookean tetrahedra, Gauss-Seidel in the order of the vertices";
  method.paper = {"CLYY24", "A. H. Chen, Z. Liu, Y. Yang, C. Yuksel: Vertex Block Descent. ACM TOG 43(4), 2024"};
  method.parameters = {{"iterations", "1", 100LL, "Sweeps over all vertices in one time step.", 1.0}};
  method.supports = [](const Scene& scene, const Parameters&) {
    const bool fits = scene.tet_mesh.element_count() > 0 && scene.colliders.empty() && scene.rigid_bodies.empty() &&
                      scene.constraints.empty() && scene.attachments.empty() && scene.heat_sources.empty();
    return fits ? Support::yes() : Support::no("knows tetrahedra, loads and prescribed motions only");
  };
  method.create = [](const Scene& scene, const Parameters& parameters, const RunContext&) {
    return std::make_unique<VertexBlockDescent>(scene, int(parameters.integer("iterations")));
  };
  registry.add(std::move(method));
}
