// SPDX-License-Identifier: BSD-3-Clause
// Keeps the nodes of a front between a quarter of a surfel's radius and one radius apart. [PKAGDG05] §3.2
#pragma once

#include "methods/meshless/cracks/crack_state.hpp"

namespace deformbench::meshless {

class FrontResampling : private FrontOperation {
 public:
  explicit FrontResampling(CrackState& state) : FrontOperation(state) {}

  void resample(AdvancingFront& front);

 private:
  void remove_node(AdvancingFront& front, std::size_t node);
  bool close_notch(AdvancingFront& front);
  bool merge_nodes(AdvancingFront& front, std::size_t first, std::size_t width);
  bool remove_crowded(AdvancingFront& front);
  bool insert_node(AdvancingFront& front, std::size_t edge, const Vector3& place);
  bool insert_missing(AdvancingFront& front);
};

}  // namespace deformbench::meshless
