// SPDX-License-Identifier: BSD-3-Clause
// An external method: symplectic Euler with linear springs on the mesh edges (mass–spring), registered beside the
// built-in methods in an executable that is the whole command: my_bench run cross/ms_per_step --tier smoke --method
// warped_fem --method my_springs
#include <cmath>
#include <memory>
#include <set>
#include <vector>

#include "experiments/harness/commands/deformbench_main.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/registry.hpp"

namespace {

using deformbench::Points;
using deformbench::Vector3;

struct Spring {
  int a, b;
  double rest_length, stiffness;
};

class Springs final : public deformbench::Simulation {
 public:
  Springs(const deformbench::Scene& scene, const deformbench::Parameters& parameters)
      : scene_(scene),
        substeps_(int(parameters.integer("substeps"))),
        masses_(deformbench::lumped_masses(scene)),
        positions_(scene.start_positions()),
        velocities_(scene.start_velocities()),
        held_(std::size_t(masses_.size()), false) {
    for (const auto& motion : scene.prescribed)
      for (const int v : motion.vertices) held_[std::size_t(v)] = true;
    std::set<std::pair<int, int>> edges;
    const auto& tets = scene.tet_mesh.tetrahedra;
    for (Eigen::Index e = 0; e < tets.rows(); ++e)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < i; ++j) edges.insert(std::minmax(tets(e, i), tets(e, j)));
    for (const auto& [a, b] : edges) {
      const double length = (scene.tet_mesh.rest_positions.row(a) - scene.tet_mesh.rest_positions.row(b)).norm();
      springs_.push_back({a, b, length, 0.1 * scene.materials[0].young_modulus * length});
    }
  }

  deformbench::StepReport step() override {
    const double dt = scene_.time_step / substeps_;
    const Points loads = deformbench::external_forces(scene_, masses_, time_);
    for (int k = 0; k < substeps_; ++k) {
      Points forces = loads;
      for (const Spring& s : springs_) {
        const Vector3 edge = positions_.row(s.b) - positions_.row(s.a);
        const Vector3 pull = s.stiffness * (1.0 - s.rest_length / edge.norm()) * edge;
        forces.row(s.a) += pull.transpose();
        forces.row(s.b) -= pull.transpose();
      }
      for (Eigen::Index i = 0; i < masses_.size(); ++i)
        if (!held_[std::size_t(i)]) velocities_.row(i) += dt / masses_[i] * forces.row(i);
      positions_ += dt * velocities_;
    }
    time_ += scene_.time_step;
    deformbench::StepReport report;
    report.substeps = substeps_;
    report.outcome = positions_.allFinite() ? deformbench::StepOutcome::Advanced : deformbench::StepOutcome::Diverged;
    return report;
  }

  deformbench::StateView state() const override {
    return {time_, deformbench::PointsView(positions_.data(), positions_.rows(), 3),
            deformbench::PointsView(velocities_.data(), velocities_.rows(), 3),
            deformbench::ScalarsView(masses_.data(), masses_.size())};
  }

 private:
  const deformbench::Scene scene_;
  const int substeps_;
  const Eigen::VectorXd masses_;
  Points positions_, velocities_;
  std::vector<bool> held_;
  std::vector<Spring> springs_;
  double time_ = 0.0;
};

deformbench::MethodDescriptor springs() {
  deformbench::MethodDescriptor method;
  method.id = "my_springs";
  method.summary = "Mass-spring network on the edges of the tetrahedra, symplectic Euler";
  method.paper = {"none", "an example of a method from outside"};
  method.parameters = {{"substeps", "1", 100LL, "Explicit substeps of one time step.", 1.0}};
  method.supports = [](const deformbench::Scene& scene, const deformbench::Parameters&) {
    return scene.tet_mesh.element_count() > 0 ? deformbench::Support::yes()
                                              : deformbench::Support::no("the scene has no tetrahedra");
  };
  method.create = [](const deformbench::Scene& scene, const deformbench::Parameters& parameters,
                     const deformbench::RunContext&) { return std::make_unique<Springs>(scene, parameters); };
  return method;
}

}  // namespace

int main(int argc, char** argv) {
  deformbench::Registry registry = deformbench::builtin_registry();
  registry.add(springs());
  return deformbench::harness::deformbench_main(argc, argv, registry, deformbench::builtin_scenes());
}
