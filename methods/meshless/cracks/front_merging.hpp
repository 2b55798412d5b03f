// SPDX-License-Identifier: BSD-3-Clause
// Merging of front ends that meet, into one front or a closed one, and of fronts that approach each other within the
// snapping distance. [PKAGDG05] §3.3
#pragma once

#include "methods/meshless/cracks/front_resampling.hpp"
#include "methods/meshless/cracks/front_splitting.hpp"

namespace deformbench::meshless {

class FrontMerging : private FrontOperation {
 public:
  FrontMerging(CrackState& state, FrontSplitting& splitting, FrontResampling& resampling)
      : FrontOperation(state), splitting_(splitting), resampling_(resampling) {}

  /// Merges ends that have met in a part of a step of dt (s).
  void merge_ends(double dt);
  void join_near_fronts();

 private:
  struct End {
    std::size_t front = 0;
    bool is_first = false;
  };
  std::optional<Vector3> meeting_place(const End& a, const End& b) const;
  std::optional<double> merging_cost(const End& a, const End& b, double dt) const;
  void merge(const End& a, const End& b);
  bool merge_closest_pair(double dt, std::vector<std::array<int, 2>>& refused);
  bool are_facing(const AdvancingFront& a, std::size_t i, const AdvancingFront& b, std::size_t j) const;
  CrackNode join_nodes(AdvancingFront& front, std::size_t i, const Vector3& position, int vertex);
  void join(std::size_t a, std::size_t i, std::size_t b, std::size_t j);
  bool may_join(std::size_t a, std::size_t i, std::size_t b, std::size_t j) const;
  bool join_one_pair(std::vector<std::array<int, 2>>& refused);

  FrontSplitting& splitting_;
  FrontResampling& resampling_;
};

}  // namespace deformbench::meshless
