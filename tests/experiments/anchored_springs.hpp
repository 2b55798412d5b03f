// SPDX-License-Identifier: BSD-3-Clause
// A method whose every number is known in closed form: each vertex hangs on its own spring to its rest position,
// f = −k (x − X). What it does in a step is a parameter, so that every way a run can end can be had on purpose.
#pragma once

#include <cmath>
#include <limits>
#include <stdexcept>

#include "methods/facets.hpp"
#include "methods/registry.hpp"

namespace deformbench::tests {

class AnchoredSprings final : public Simulation,
                              public ElasticityFacet,
                              public RotationFacet,
                              public StressFacet,
                              public PlasticStrainFacet,
                              public SystemOperatorFacet,
                              public StepMatrixFacet,
                              public StoredStiffnessFacet {
 public:
  AnchoredSprings(const Scene& scene, const Parameters& parameters)
      : scene_(scene),
        stiffness_(parameters.real("stiffness_n_m")),
        motion_(parameters.text("motion")),
        fails_at_(parameters.integer("fails_at_step")),
        positions_(scene.start_positions()),
        velocities_(scene.start_velocities()),
        masses_(lumped_masses(scene)) {}

  StepReport step() override {
    ++step_;
    StepReport report;
    report.iterations = int(step_);
    if (motion_ == "unconverged" || motion_ == "unconverged_allowed") report.converged = true;
    if (motion_ == "settle") {
      // Half of the way to the equilibrium of spring and load.
      const Points load = external_forces(scene_, masses_, time());
      positions_ += 0.5 * (scene_.tet_mesh.rest_positions + load / stiffness_ - positions_);
    } else if (motion_ == "alternate") {
      positions_.col(0).array() += step_ % 2 == 0 ? -0.25 : 0.25;
    } else {
      positions_ += scene_.time_step * velocities_;
    }
    if (step_ == fails_at_) {
      if (motion_ == "nan") positions_(3, 1) = std::numeric_limits<double>::quiet_NaN();
      if (motion_ == "infinite_velocity") velocities_(0, 2) = std::numeric_limits<double>::infinity();
      if (motion_ == "diverge") report.outcome = StepOutcome::Diverged;
      if (motion_ == "unconverged" || motion_ == "unconverged_allowed") {
        report.converged = false;
        report.may_miss_tolerance = motion_ == "unconverged_allowed";
        report.tolerance = 1e-10, report.residual = 95.0;
      }
      if (motion_ == "throw") throw std::runtime_error("out of springs");
    }
    return report;
  }

  StateView state() const override {
    return {time(), PointsView(positions_.data(), positions_.rows(), 3),
            PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
  }

  double elastic_energy(const Eigen::Ref<const Points>& x) const override {
    return 0.5 * stiffness_ * (x - scene_.tet_mesh.rest_positions).squaredNorm();
  }
  Points elastic_forces(const Eigen::Ref<const Points>& x) const override {
    return -stiffness_ * (x - scene_.tet_mesh.rest_positions);
  }
  std::vector<Matrix3> rotations(const Eigen::Ref<const Points>&) const override {
    return std::vector<Matrix3>(std::size_t(scene_.tet_mesh.element_count()), Matrix3::Identity());
  }
  std::vector<Vector6> element_stresses(const Eigen::Ref<const Points>&) const override {
    Vector6 stress;  // a pure shear of 2 Pa on top of a pressure of −1 Pa: principal stresses −3, −1, 1 Pa
    stress << -1, -1, -1, 2, 0, 0;
    return std::vector<Vector6>(std::size_t(scene_.tet_mesh.element_count()), stress);
  }
  std::vector<Vector6> plastic_strains() const override {
    Vector6 strain;  // |ε|² = 1 + 4 + 4 + 2 · (1 + 4 + 1) = 21
    strain << 1, 2, -2, 1, 2, -1;
    return std::vector<Vector6>(std::size_t(scene_.tet_mesh.element_count()), strain);
  }
  std::span<const std::uint8_t> heated() const override { return {}; }
  Eigen::SparseMatrix<double> system_matrix(const Eigen::Ref<const Points>&) const override {
    std::vector<bool> is_free(std::size_t(masses_.size()), true);
    for (const auto& motion : scene_.prescribed)
      for (const int v : motion.vertices) is_free[std::size_t(v)] = false;
    std::vector<double> diagonal;
    for (Eigen::Index i = 0; i < masses_.size(); ++i)
      if (is_free[std::size_t(i)])
        diagonal.insert(diagonal.end(), 3, masses_[i] + scene_.time_step * scene_.time_step * stiffness_);
    return Eigen::SparseMatrix<double>(
        Eigen::Map<Eigen::VectorXd>(diagonal.data(), Eigen::Index(diagonal.size())).asDiagonal());
  }
  Eigen::SparseMatrix<double> stiffness_matrix(const Eigen::Ref<const Points>&) const override {
    return Eigen::SparseMatrix<double>(Eigen::VectorXd::Constant(3 * masses_.size(), stiffness_).asDiagonal());
  }
  double stiffness_bound() const override { return stiffness_; }
  Eigen::SparseMatrix<double> solved_matrix() const override {
    Eigen::VectorXd diagonal(3 * masses_.size());
    for (Eigen::Index i = 0; i < diagonal.size(); ++i)
      diagonal[i] = masses_[i / 3] + scene_.time_step * scene_.time_step * stiffness_;
    Eigen::SparseMatrix<double> a(diagonal.asDiagonal());
    a.coeffRef(1, 5) = 7.0;  // something off the diagonal, in row 1
    return a;
  }
  std::vector<StoredStiffness> stored_stiffness() const override {
    std::vector<StoredStiffness> stored(std::size_t(scene_.tet_mesh.element_count()));
    for (std::size_t e = 0; e < stored.size(); ++e)
      for (std::size_t k = 0; k < 11; ++k) stored[e][k] = double(100 * e + k);
    return stored;
  }

 private:
  double time() const { return double(step_) * scene_.time_step; }

  Scene scene_;
  double stiffness_;
  std::string motion_;
  long long fails_at_;
  long long step_ = 0;
  Points positions_, velocities_;
  Eigen::VectorXd masses_;
};

/// No facets at all.
class FreeFlight final : public Simulation {
 public:
  explicit FreeFlight(const Scene& scene)
      : scene_(scene),
        positions_(scene.start_positions()),
        velocities_(scene.start_velocities()),
        masses_(lumped_masses(scene)) {}
  StepReport step() override {
    positions_ += scene_.time_step * velocities_;
    time_ += scene_.time_step;
    return {};
  }
  StateView state() const override {
    return {time_, PointsView(positions_.data(), positions_.rows(), 3),
            PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
  }

 private:
  Scene scene_;
  double time_ = 0.0;
  Points positions_, velocities_;
  Eigen::VectorXd masses_;
};

inline Registry spring_registry() {
  Registry registry;
  MethodDescriptor springs;
  springs.id = "anchored_springs";
  springs.summary = "Every vertex on its own spring.";
  springs.paper = {"none", "none"};
  ParameterInfo motion{"motion", "", std::string("fly"), "What a step does."};
  motion.choices = {"fly",     "settle", "nan",         "infinite_velocity",  "alternate",
                    "diverge", "throw",  "unconverged", "unconverged_allowed"};
  springs.parameters = {{"stiffness_n_m", "N/m", 1000.0, "k."}, motion, {"fails_at_step", "1", 3LL, "When."}};
  springs.supports = [](const Scene& scene, const Parameters&) {
    return scene.colliders.empty() ? Support::yes() : Support::no("springs know no colliders");
  };
  springs.create = [](const Scene& scene, const Parameters& parameters, const RunContext&) {
    return std::make_unique<AnchoredSprings>(scene, parameters);
  };
  registry.add(springs);
  MethodDescriptor flight;
  flight.id = "free_flight";
  flight.summary = "Straight lines.";
  flight.paper = {"none", "none"};
  flight.supports = [](const Scene&, const Parameters&) { return Support::yes(); };
  flight.create = [](const Scene& scene, const Parameters&, const RunContext&) {
    return std::make_unique<FreeFlight>(scene);
  };
  registry.add(flight);
  return registry;
}

inline Parameters spring_parameters(double stiffness) {
  return Parameters(spring_registry().at("anchored_springs").parameters, {{"stiffness_n_m", stiffness}},
                    "anchored_springs");
}

}  // namespace deformbench::tests
