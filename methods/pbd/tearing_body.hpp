// SPDX-License-Identifier: BSD-3-Clause
// A cloth whose edges tear when they are stretched too far: the step of PbdBody, then the tears, and everything that
// has one entry per vertex or edge follows. [MHHR07] §5.4
#pragma once

#include "methods/pbd/cloth/tearing.hpp"
#include "methods/pbd/pbd_body.hpp"

namespace deformbench::pbd {

/// Masses are recomputed as thirds, constraints from the rest shape of the torn mesh. A held vertex is not split of its
/// own; where a tear beside it leaves it with two fans, both are held. Explicit constraints, point loads and
/// attachments stay with the vertex that keeps its index; named sets and prescribed motions get the duplicates too.
/// Events: "cloth_tear" for every vertex that is split, "cloth_tear_refused" for an edge that is stretched too far and
/// cannot tear, when that begins.
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
