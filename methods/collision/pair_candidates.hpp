// SPDX-License-Identifier: BSD-3-Clause
// Which points and triangles, and which edges, come near each other within a step.
#pragma once

#include <array>
#include <vector>

#include "methods/collision/moving_pair.hpp"
#include "methods/model/types.hpp"
#include "methods/numerics/spatial_hash.hpp"

namespace deformbench::collision {

struct Candidate {
  PairKind kind;
  std::array<int, 4> vertices;
};

class PairCandidates {
 public:
  PairCandidates(Eigen::Index vertex_count, const Triangles& triangles, bool points_faces, bool edges_edges);

  /// All pairs without a common vertex whose boxes round the whole motion, wider by `reach` (m) together, meet. The
  /// order depends on positions alone. Vertices of no triangle are no points.
  const std::vector<Candidate>& find(const Points& start, const Points& end, double reach = 0.0);

  const std::vector<std::array<int, 2>>& edges() const { return edges_; }

 private:
  const Triangles triangles_;
  const bool points_faces_, edges_edges_;
  std::vector<std::array<int, 2>> edges_;
  std::vector<int> points_;
  std::vector<numerics::Box> boxes_;
  numerics::SpatialHash hash_;
  std::vector<Candidate> found_;
};

}  // namespace deformbench::collision
