// SPDX-License-Identifier: BSD-3-Clause
// Cloth whose overstretched edges tear: the step of PbdBody, then the tears and the update of all per-vertex and
// per-edge data. [MHHR07] §5.4
#pragma once

#include "methods/pbd/cloth/tearing.hpp"
#include "methods/pbd/pbd_body.hpp"

namespace deformbench::pbd {

/// After a tear, masses are thirds of the new triangles and constraints come from the torn rest mesh. A held vertex is
/// not split; if a tear beside it leaves two fans, both copies are held. Explicit constraints, point loads and
/// attachments stay with the original index; named sets and prescribed motions also get the duplicates. Events:
/// "cloth_tear" per split vertex; "cloth_tear_refused" when an overstretched edge first cannot tear.
class TearingBody final : public PbdBody, public TopologyFacet, public EventsFacet {
 public:
  TearingBody(const Scene& scene, const PbdOptions& options, const RunContext& context,
              std::vector<std::unique_ptr<Constraint>> own);

  StepReport step() override;
  const Scene& current_scene() const override { return scene_; }
  std::span<const int> parents() const override { return topology_.parents(); }
  std::int64_t topology_version() const override { return version_; }
  std::span<const SimulationEvent> step_events() const override { return events_; }

 protected:
  void after_substep() override;

 private:
  std::vector<std::array<int, 2>> overstretched() const;
  void report_refusals();
  void follow(const std::vector<VertexTear>& tears);

  TearableCloth topology_;
  std::int64_t version_ = 0;
  std::vector<std::array<int, 2>> refused_;  ///< at the end of the last (sub)step, ascending
  std::vector<SimulationEvent> events_;
};

}  // namespace deformbench::pbd
