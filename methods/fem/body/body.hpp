// SPDX-License-Identifier: BSD-3-Clause
// The simulated body, shared by all parts of methods/fem: current scene, graph, masses and state, and the node range
// of each thread.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "methods/fem/body/body_state.hpp"
#include "methods/fem/body/mesh_graph.hpp"
#include "methods/model/scene.hpp"
#include "methods/numerics/team.hpp"

namespace deformbench::fem {

/// The 3×3 diagonal block of a node in a matrix.
struct NodeBlock {
  int node;
  Matrix3 block;
};

/// Symmetric 12×12 block of up to four nodes that need not be neighbours in the graph.
struct NodeCoupling {
  std::array<int, 4> nodes;
  Eigen::Matrix<double, 12, 12> block;
};

template <class T>
class Body {
 public:
  /// `threads`: upper limit; a body of few nodes uses fewer.
  /// `elements`: elements of more than four nodes whose edges the graph must contain.
  Body(const Scene& scene, int threads, const Cliques& elements = {});
  Body(const Body&) = delete;

  Scene scene;  ///< current
  MeshGraph graph;
  Eigen::VectorXd masses;  ///< kg, one per vertex
  BodyState<T> state;

  int threads() const { return int(ranges_.size()) - 1; }
  /// threads+1 bounds: the nodes of thread t are ranges()[t] … ranges()[t+1] − 1, of about equal work.
  const std::vector<int>& ranges() const { return ranges_; }
  /// Calls work(thread, low, high) for the node ranges of all threads concurrently.
  template <class Work>
  void each_range(Work&& work) const {
    numerics::run_team(threads(), [&](int t) { work(t, ranges_[std::size_t(t)], ranges_[std::size_t(t) + 1]); });
  }

  /// n×3 in mesh order (m, m/s), formed lazily after changes.
  const Points& positions() const { return form_views(), positions_; }
  const Points& velocities() const { return form_views(), velocities_; }
  void state_has_changed() { is_stale_ = true; }

  /// Updates graph, state, ranges for vertex splits; set `scene`, `masses` before. `sources`: see
  /// BodyState::follow.
  GraphChange follow(std::span<const VertexSplit> splits, std::span<const int> sources);

 private:
  void form_views() const;

  int most_threads_;
  std::vector<int> ranges_;
  mutable bool is_stale_ = true;
  mutable Points positions_, velocities_;
};

extern template class Body<float>;
extern template class Body<double>;

}  // namespace deformbench::fem
