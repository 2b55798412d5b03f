// SPDX-License-Identifier: BSD-3-Clause
// A body whose vertices split when stresses exceed the threshold, [MG04] §4: the step of ImplicitEuler, then the
// criterion, and all that has one entry per vertex or edge follows.
#pragma once

#include "methods/fem/fracture_rule.hpp"
#include "methods/fem/implicit_euler.hpp"

namespace deformbench::fem {

/// Brings the scene to the connectivity of `topology` after `splits`: corners of elements, rest and initial states of
/// new vertices (copies), prescribed vertices with their targets, named sets, and loaded triangles, which stay with the
/// element that they bound. A point load stays with the vertex that keeps its index.
class SceneFollower {
 public:
  explicit SceneFollower(const Scene& scene);
  void follow(Scene& scene, const FractureTopology& topology, std::span<const VertexSplit> splits) const;

 private:
  /// Element and corners behind each vertex of each loaded triangle.
  struct LoadedTriangle {
    int element;
    std::array<int, 3> corners;
  };
  std::vector<std::vector<LoadedTriangle>> loaded_;  ///< one list a traction load
};

template <class T>
class CrackingBody final : public ImplicitEuler<T>, public TopologyFacet, public EventsFacet {
 public:
  CrackingBody(const Scene& scene, const FemOptions& options, const RunContext& context);

  StepReport step() override;
  const Scene& current_scene() const override { return this->scene_; }
  std::span<const int> parents() const override { return topology_.parents(); }
  std::int64_t topology_version() const override { return topology_.split_count(); }
  std::span<const SimulationEvent> step_events() const override { return events_; }

 protected:
  void after_step() override;

 private:
  FractureStep break_elements(const std::vector<Suspect>& suspects);
  FractureStep break_vertices();
  Vector6 breaking_stress(int element, const Matrix3& rotation) const;
  Matrix3 breaking_rotation(int element) const;
  void follow(std::span<const VertexSplit> splits);

  FractureTopology topology_;
  FractureRule rule_;
  SceneFollower follower_;
  std::vector<double> element_masses_;  ///< kg
  std::vector<RestElement> rest_;
  std::vector<SimulationEvent> events_;
};

extern template class CrackingBody<float>;
extern template class CrackingBody<double>;

}  // namespace deformbench::fem
