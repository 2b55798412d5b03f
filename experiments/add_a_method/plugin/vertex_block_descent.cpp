// SPDX-License-Identifier: BSD-3-Clause
// Vertex block descent [CLYY24] as a plug-in: implicit Euler as a minimisation by successive Newton steps of single
// vertices. Stable neo-Hookean tetrahedra with the constants of implicit_fem's law of the same name. deformbench run
// cross/free_vibration --plugin vertex_block_descent.so --method vertex_block_descent
#include <Eigen/Dense>
#include <memory>

#include "methods/body_simulation.hpp"
#include "methods/model/tet_elements.hpp"
#include "methods/plugin.hpp"
#include "methods/scene_parts.hpp"
#include "methods/watched_iterations.hpp"

namespace {

using namespace deformbench;

class VertexBlockDescent final : public BodySimulation, public WatchedIterations {
 public:
  VertexBlockDescent(const Scene& scene, int iterations)
      : BodySimulation(scene),
        iterations_(iterations),
        prescribed_(prescribed_components(scene)),
        elements_(tet_elements(scene)),
        corners_of_(std::size_t(masses_.size())) {
    for (std::size_t e = 0; e < elements_.size(); ++e)
      for (std::size_t a = 0; a < 4; ++a) corners_of_[std::size_t(elements_[e].vertices[a])].push_back({e, a});
  }

  StepReport step() override {
    const double dt = scene_.time_step;
    time_ += dt;
    loads_ = external_forces(scene_, masses_, time_);
    const Points before = positions_;
    predicted_ = before + dt * velocities_;
    // DEVIATION [CLYY24]: begins where the loads alone lead, if the potential is lower there, and not where past
    // velocities lead: so that a free fall is exact, and a long step begins near its body.
    start_from(predicted_);
    const double least = potential(before);
    start_from(predicted_ + (dt * dt * masses_.cwiseInverse()).asDiagonal() * loads_);
    if (!(potential(before) <= least)) start_from(predicted_);
    note_iteration(0, [&] { return potential(before); });
    for (int k = 1; k <= iterations_; ++k) {
      for (int v = 0; v < int(masses_.size()); ++v) descend(v);
      note_iteration(k, [&] { return potential(before); });
    }
    velocities_ = (positions_ - before) / dt;
    return {.outcome = positions_.allFinite() ? StepOutcome::Advanced : StepOutcome::Diverged,
            .iterations = iterations_};
  }

 private:
  void start_from(const Points& positions) {
    positions_ = positions;
    place_prescribed(scene_, time_, positions_);
  }

  /// One Newton step of one vertex: the gradient and the 3×3 block of the incremental potential.
  void descend(int v) {
    const double inertia = masses_[v] / (scene_.time_step * scene_.time_step);
    Vector3 force = (inertia * (predicted_.row(v) - positions_.row(v)) + loads_.row(v)).transpose();
    Matrix3 hessian = inertia * Matrix3::Identity(), cofactor;
    for (const auto& [index, a] : corners_of_[std::size_t(v)]) {
      const TetElement& e = elements_[index];
      // Reparametrised to λ and μ at small strains, derived in methods/fem/nonlinear/laws/stable_neo_hookean.hpp.
      const double m = 4 * e.mu / 3, l = e.lambda + 5 * e.mu / 6;
      const Matrix3 f = e.deformation_gradient(positions_);
      for (int c = 0; c < 3; ++c) cofactor.col(c) = f.col((c + 1) % 3).cross(f.col((c + 2) % 3));
      const Vector3 g = e.gradients.col(Eigen::Index(a)), fg = f * g, cg = cofactor * g;
      const double inverse = 1 / (1 + f.squaredNorm()), shear = m * (1 - inverse);
      force -= e.volume * (shear * fg + (l * (f.determinant() - 1) - e.mu) * cg);
      // J is linear in one vertex: no second-derivative term, and the block is never indefinite.
      hessian += e.volume * (shear * g.squaredNorm() * Matrix3::Identity() +
                             2 * m * inverse * inverse * fg * fg.transpose() + l * cg * cg.transpose());
    }
    for (int c = 0; c < 3; ++c)
      if (prescribed_[std::size_t(v)][std::size_t(c)])
        force[c] = 0, hessian.row(c).setZero(), hessian.col(c).setZero(), hessian(c, c) = 1;
    positions_.row(v) += hessian.ldlt().solve(force).transpose();
  }

  /// Incremental potential, J: inertia plus elastic energy minus the work of the loads since the step began.
  double potential(const Points& before) const {
    const auto squared_distances = (positions_ - predicted_).rowwise().squaredNorm();
    double sum = masses_.dot(squared_distances) / (2 * scene_.time_step * scene_.time_step);
    for (const TetElement& e : elements_) {
      const double m = 4 * e.mu / 3, l = e.lambda + 5 * e.mu / 6;
      const Matrix3 f = e.deformation_gradient(positions_);
      const double squares = f.squaredNorm(), growth = f.determinant() - 1;
      sum += e.volume * (m / 2 * (squares - 3 - std::log((1 + squares) / 4)) + growth * (l / 2 * growth - e.mu));
    }
    return sum - loads_.cwiseProduct(positions_ - before).sum();
  }

  const int iterations_;
  const std::vector<std::array<bool, 3>> prescribed_;
  Points predicted_, loads_;
  const std::vector<TetElement> elements_;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> corners_of_;  ///< per vertex: element, corner
};

}  // namespace

DEFORMBENCH_PLUGIN(registry) {
  MethodDescriptor method;
  method.id = "vertex_block_descent";
  method.summary = "Vertex block descent on stable neo-Hookean tetrahedra, Gauss-Seidel in the order of the vertices";
  method.paper = {"CLYY24", "A. H. Chen, Z. Liu, Y. Yang, C. Yuksel: Vertex Block Descent. ACM TOG 43(4), 2024"};
  method.parameters = {{"iterations", "1", 100LL, "Sweeps over all vertices in one time step.", 1.0}};
  method.supports = [](const Scene& scene, const Parameters&) {
    return takes_scene(scene, {"tetrahedra", "rollers"}, "vertex block descent");
  };
  method.create = [](const Scene& scene, const Parameters& parameters, const RunContext&) {
    return std::make_unique<VertexBlockDescent>(scene, int(parameters.integer("iterations")));
  };
  registry.add(std::move(method));
}
