// SPDX-License-Identifier: BSD-3-Clause
// A body that flies on straight lines and comes apart on purpose: at step k every vertex of the cut is split, so that
// the elements on one side get copies. Mass, momenta and shape are known in closed form before and after.
#pragma once

#include <algorithm>
#include <map>

#include "methods/facets.hpp"
#include "methods/registry.hpp"

namespace deformbench::tests {

class SplittingBody final : public Simulation,
                            public TopologyFacet,
                            public EventsFacet,
                            public PlasticStrainFacet,
                            public RotationFacet,
                            public ElasticityFacet {
 public:
  SplittingBody(const Scene& scene, const Parameters& parameters)
      : scene_(scene),
        splits_at_(parameters.integer("splits_at_step")),
        per_step_(parameters.integer("splits_per_step")),
        positions_(scene.start_positions()),
        velocities_(scene.start_velocities()),
        masses_(lumped_masses(scene)),
        heated_(std::size_t(scene.tet_mesh.element_count()), 0) {
    for (int v = 0; v < scene.tet_mesh.vertex_count(); ++v) parents_.push_back(v);
    const auto& mesh = scene_.tet_mesh;
    const double middle = mesh.rest_positions.col(0).mean();
    for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
      double centre = 0.0;
      for (int c = 0; c < 4; ++c) centre += 0.25 * mesh.rest_positions(mesh.tetrahedra(e, c), 0);
      right_.push_back(centre > middle);
    }
    // What has elements on both sides is cut, in the order of the vertices.
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      bool left = false, right = false;
      for (Eigen::Index e = 0; e < mesh.element_count(); ++e)
        for (int c = 0; c < 4; ++c)
          if (mesh.tetrahedra(e, c) == v) (right_[std::size_t(e)] ? right : left) = true;
      if (left && right) cut_.push_back(v);
    }
  }

  /// Vertices that both sides share.
  const std::vector<int>& cut() const { return cut_; }

  StepReport step() override {
    ++step_;
    events_.clear();
    positions_ += scene_.time_step * velocities_;
    if (step_ >= splits_at_)
      for (long long k = 0; k < per_step_ && next_ < cut_.size(); ++k) split(cut_[next_++]);
    std::fill(heated_.begin(), heated_.begin() + std::min<std::ptrdiff_t>(step_, std::ssize(heated_)), std::uint8_t{1});
    return {};
  }
  StateView state() const override {
    return {double(step_) * scene_.time_step, PointsView(positions_.data(), positions_.rows(), 3),
            PointsView(velocities_.data(), velocities_.rows(), 3), ScalarsView(masses_.data(), masses_.size())};
  }

  const Scene& current_scene() const override { return scene_; }
  std::span<const int> parents() const override { return parents_; }
  std::int64_t topology_version() const override { return std::int64_t(next_); }
  std::span<const SimulationEvent> step_events() const override { return events_; }
  /// Element e: an extension of (e + 1) step in x and a shear.
  std::vector<Vector6> plastic_strains() const override {
    std::vector<Vector6> strains;
    for (Eigen::Index e = 0; e < scene_.tet_mesh.element_count(); ++e) {
      Vector6 strain = Vector6::Zero();
      strain[0] = double(step_ * (e + 1));
      strain[3] = 0.5 * strain[0];
      strains.push_back(strain);
    }
    return strains;
  }
  std::span<const std::uint8_t> heated() const override { return heated_; }
  /// Every vertex hangs on a spring of 1 N/m per kilogram to its rest position.
  Points elastic_forces(const Eigen::Ref<const Points>& x) const override {
    return -(masses_.asDiagonal() * (x - scene_.tet_mesh.rest_positions));
  }
  double elastic_energy(const Eigen::Ref<const Points>& x) const override {
    return 0.5 * masses_.dot((x - scene_.tet_mesh.rest_positions).rowwise().squaredNorm());
  }
  std::vector<Matrix3> rotations(const Eigen::Ref<const Points>&) const override {
    return std::vector<Matrix3>(right_.size(), Matrix3::Identity());
  }

 private:
  void split(int v) {
    auto& mesh = scene_.tet_mesh;
    const int born = int(positions_.rows());
    for (Points* rows :
         {&positions_, &velocities_, &mesh.rest_positions, &scene_.initial_positions, &scene_.initial_velocities}) {
      if (rows->rows() == 0) continue;
      rows->conservativeResize(rows->rows() + 1, 3);
      rows->row(born) = rows->row(v).eval();
    }
    for (Eigen::Index e = 0; e < mesh.element_count(); ++e)
      for (int c = 0; c < 4; ++c)
        if (right_[std::size_t(e)] && mesh.tetrahedra(e, c) == v) mesh.tetrahedra(e, c) = born;
    for (auto& motion : scene_.prescribed)
      if (std::find(motion.vertices.begin(), motion.vertices.end(), v) != motion.vertices.end())
        motion.vertices.push_back(born);
    for (auto& [name, vertices] : scene_.vertex_sets)
      if (std::find(vertices.begin(), vertices.end(), v) != vertices.end()) vertices.push_back(born);
    parents_.push_back(parents_[std::size_t(v)]);
    masses_ = lumped_masses(scene_);
    events_.push_back({"vertex_split", v, "vertex " + std::to_string(v) + " splits"});
  }

  Scene scene_;
  long long splits_at_, per_step_, step_ = 0;
  Points positions_, velocities_;
  Eigen::VectorXd masses_;
  std::vector<std::uint8_t> heated_;
  std::vector<bool> right_;  ///< by element
  std::vector<int> cut_, parents_;
  std::size_t next_ = 0;
  std::vector<SimulationEvent> events_;
};

inline MethodDescriptor splitting_method() {
  MethodDescriptor method;
  method.id = "splitting_body";
  method.summary = "Straight lines, and a cut.";
  method.paper = {"none", "none"};
  method.parameters = {{"splits_at_step", "1", 3LL, "First step that splits."},
                       {"splits_per_step", "1", 1000LL, "Vertices split in a step."}};
  method.supports = [](const Scene&, const Parameters&) { return Support::yes(); };
  method.create = [](const Scene& scene, const Parameters& parameters, const RunContext&) {
    return std::make_unique<SplittingBody>(scene, parameters);
  };
  return method;
}

}  // namespace deformbench::tests
