// SPDX-License-Identifier: BSD-3-Clause
// Positions, velocities and loads of one body in the arithmetic of the step: nodes in the graph's order, four
// numbers per node. Also what happens to a velocity after the solve: colliders, then the move.
#pragma once

#include <span>
#include <vector>

#include "methods/fem/contact.hpp"
#include "methods/fem/mesh_graph.hpp"
#include "methods/model/scene.hpp"
#include "methods/numerics/aligned_vector.hpp"

namespace deformbench::fem {

template <class T>
class BodyState {
 public:
  /// `vertex_masses`: kg, one per vertex of the mesh. All three must outlive the state; follow() reads them anew.
  BodyState(const Scene& scene, const MeshGraph& graph, const Eigen::VectorXd& vertex_masses);

  numerics::AlignedVector<T> positions, velocities;  ///< m, m/s
  numerics::AlignedVector<T> masses;                 ///< kg, one per node
  numerics::AlignedVector<T> loads;                  ///< external forces, N; set by `begin_step`
  std::vector<int> prescribed;                       ///< nodes of which a component is prescribed, ascending
  /// Which components, one entry per entry of `prescribed`.
  std::vector<numerics::Components> prescribed_components;
  double time = 0.0;  ///< s

  /// Loads, obstacles and the velocities of prescribed nodes that hold at the end of the step, time + Δt.
  void begin_step();
  /// m/s, one row per entry of `prescribed`; 0 in components that are free.
  const Points& prescribed_velocities() const { return prescribed_velocities_; }
  bool prescribed_move() const { return prescribed_move_; }
  /// Obstacles act on the nodes [low, high) (contact.hpp), then x += Δt v. Returns Σ v², which is not finite when a
  /// velocity is not.
  double finish_nodes(int low, int high);
  /// Prescribed nodes go exactly to their targets; the time advances.
  void finish_step();

  /// After vertices have split, and scene, graph and masses have followed: new nodes are copies of what they come from.
  /// `sources`: for every vertex the vertex it was split from, or itself.
  void follow(std::span<const int> sources);

  /// n×3 in the order of the mesh.
  void write_positions(Points& to) const;
  void write_velocities(Points& to) const;

 private:
  void read_motions();
  void collide(std::size_t node, numerics::Components held);

  const Scene& scene_;
  const MeshGraph& graph_;
  const Eigen::VectorXd& vertex_masses_;
  /// Who prescribes a component of a node: the index-th vertex of a motion.
  struct Motion {
    int node;
    std::size_t component, motion, index;
  };
  std::vector<Motion> motions_;       ///< ascending by node, then component
  std::vector<std::size_t> entries_;  ///< of each motion: its row in `prescribed`
  std::vector<Obstacle> obstacles_;
  Points prescribed_velocities_, targets_;
  bool prescribed_move_ = false;
  bool loads_change_ = true;
  double last_load_change_ = 0.0;
  /// Single precision moves a double copy, else steps smaller than a rounding of x would be lost.
  numerics::AlignedVector<double> exact_positions_;
};

extern template class BodyState<float>;
extern template class BodyState<double>;

}  // namespace deformbench::fem
