// SPDX-License-Identifier: BSD-3-Clause
// Fracture by splitting vertices where stress exceeds a threshold, [MG04] §4; works with any integrator. After a
// step it tests the stresses of the elasticity part and updates the body.
#pragma once

#include <optional>

#include "methods/fem/body/body.hpp"
#include "methods/fem/body/step_phases.hpp"
#include "methods/fem/elasticity/breaking_stress.hpp"
#include "methods/fem/elasticity/elastic_model.hpp"
#include "methods/fem/fracture/fracture_rule.hpp"
#include "methods/fem/fracture/scene_follower.hpp"

namespace deformbench::fem {

struct FractureOptions {
  bool by_separation_tensor = false;  ///< true: [OH99]; false: element stress, [MG04] §4
  double threshold = 6e4;             ///< Pa
  FractureFrame frame = FractureFrame::World;
  HingeRule hinges = HingeRule::Separate;
  int splits_per_step = 10;
};

template <class T>
class Fracture final : public SimulationPart, public TopologyFacet, public EventsFacet {
 public:
  /// Body and elasticity must outlive the part.
  Fracture(Body<T>& body, BreakingStress& elasticity, const FractureOptions& options, std::uint64_t seed);

  void begin_step() { events_.clear(); }
  /// Call unless the step diverged: splits vertices, updates the body's scene, masses, graph and state. Returns the
  /// change, for parts with data per vertex or edge; empty if no vertex split.
  std::optional<GraphChange> finish_step(PhaseClock& clock);

  /// Per vertex: the vertex it was split from, or itself.
  std::span<const int> sources() const { return topology_.sources(); }

  const Scene& current_scene() const override { return body_.scene; }
  std::span<const int> parents() const override { return topology_.parents(); }
  std::int64_t topology_version() const override { return topology_.split_count(); }
  std::span<const SimulationEvent> step_events() const override { return events_; }

 private:
  FractureStep break_elements(const std::vector<Suspect>& suspects);
  FractureStep break_vertices();

  Body<T>& body_;
  BreakingStress& elasticity_;
  const FractureOptions options_;
  FractureTopology topology_;
  FractureRule rule_;
  SceneFollower follower_;
  std::vector<double> element_masses_;  ///< kg
  std::vector<RestElement> rest_;       ///< for the separation tensor only
  std::vector<SimulationEvent> events_;
};

extern template class Fracture<float>;
extern template class Fracture<double>;

}  // namespace deformbench::fem
