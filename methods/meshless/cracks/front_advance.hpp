// SPDX-License-Identifier: BSD-3-Clause
// Motion of one front: velocities and targets of its nodes, clipped at surfaces and snapped to them, and surfels left
// behind. [PKAGDG05] §3.2, §3.3, §5
#pragma once

#include "methods/meshless/cracks/front_splitting.hpp"
#include "methods/meshless/cracks/stress_field.hpp"

namespace deformbench::meshless {

class FrontAdvance : private FrontOperation {
 public:
  FrontAdvance(CrackState& state, FrontSplitting& splitting) : FrontOperation(state), splitting_(splitting) {}

  void set_rates(AdvancingFront& front, const StressField& field, double history) const;
  double largest_rate() const;  ///< m/s, of all nodes
  /// Moves a front for dt (s), keeping invariants: by the rules, by the rules in shorter parts, or only partly.
  /// Returns the ids of its pieces.
  std::vector<int> advance(int id, double dt, int halvings = 0);

 private:
  static constexpr double kRecent = 2.5;  ///< surfel radii of travel: later area is recent (`recent_since`)
  void finish_motion(AdvancingFront& front, double step);
  Vector3 on_sheet(const SheetName& sheet, const Vector3& from, const Vector3& to) const;
  void find_exit(const AdvancingFront& front, std::size_t node, NodeTarget& target) const;
  bool snap_to(const SheetName& sheet, NodeTarget& target) const;
  void snap(const AdvancingFront& front, std::vector<NodeTarget>& targets) const;
  std::vector<NodeTarget> targets(const AdvancingFront& front, double dt) const;
  std::vector<int> move(std::size_t index, double dt);
  std::vector<int> force(std::size_t index, double dt, Vector3 place);

  FrontSplitting& splitting_;
};

}  // namespace deformbench::meshless
