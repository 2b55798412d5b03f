// SPDX-License-Identifier: BSD-3-Clause
// Positions, velocities and loads of one body in the step's precision: nodes in the graph's order, four
// numbers per node. After the solve, contact acts on velocities; then x += Δt v.
#pragma once

#include <span>
#include <vector>

#include "methods/fem/body/contact.hpp"
#include "methods/fem/body/mesh_graph.hpp"
#include "methods/model/scene.hpp"
#include "methods/numerics/aligned_vector.hpp"

namespace deformbench::fem {

template <class T>
class BodyState {
 public:
  /// `vertex_masses`: kg, one per vertex of the mesh. All three must outlive the state; follow() rereads them.
  BodyState(const Scene& scene, const MeshGraph& graph, const Eigen::VectorXd& vertex_masses);

  numerics::AlignedVector<T> positions, velocities;  ///< m, m/s
  numerics::AlignedVector<T> masses;                 ///< kg, one per node
  numerics::AlignedVector<T> loads;                  ///< external forces, N; set by `begin_step`
  std::vector<int> prescribed;                       ///< nodes with a prescribed component, ascending
  /// Which components, one entry per entry of `prescribed`.
  std::vector<numerics::Components> prescribed_components;
  /// Calls work(k, node, component) for every prescribed component of every node = prescribed[k].
  template <class Work>
  void each_prescribed(Work&& work) const {
    for (std::size_t k = 0; k < prescribed.size(); ++k)
      for (std::size_t c = 0; c < 3; ++c)
        if (numerics::has_component(prescribed_components[k], c)) work(k, std::size_t(prescribed[k]), c);
  }
  double time = 0.0;  ///< s
  double time_step;   ///< s, of the next step; initially the scene's
  ContactRule contact_rule = ContactRule::Nearest;

  /// Sets loads, obstacles and prescribed velocities for the end of the step, time + Δt.
  void begin_step();
  /// Sets `loads` for another time, until the next `begin_step`.
  void load_at(double time);
  /// Whether loads may differ from those of the last `begin_step`.
  bool loads_change() const { return loads_change_; }
  /// The scene's kinematic bodies in this step.
  const std::vector<Obstacle>& obstacles() const { return obstacles_; }
  /// m/s, one row per entry of `prescribed`; 0 in components that are free.
  const Points& prescribed_velocities() const { return prescribed_velocities_; }
  bool prescribed_move() const { return prescribed_move_; }
  /// Applies contact (contact.hpp) to nodes [low, high) if its rule acts after the solve, then x += Δt v. Returns
  /// Σ v², nonfinite if a velocity is.
  double finish_nodes(int low, int high);
  /// Sets prescribed components exactly to targets and advances the time.
  void finish_step();

  /// Call after vertex splits, once scene, graph and masses are updated: new nodes copy their sources. `sources`: for
  /// every vertex the vertex it was split from, or itself.
  void follow(std::span<const int> sources);

  /// n×3 in mesh order.
  void write_positions(Points& to) const;
  void write_velocities(Points& to) const;

 private:
  void read_motions();
  void collide(std::size_t node, numerics::Components held);

  const Scene& scene_;
  const MeshGraph& graph_;
  const Eigen::VectorXd& vertex_masses_;
  /// Prescribed component: vertex `index` of Scene::prescribed[motion].
  struct Motion {
    int node;
    std::size_t component, motion, index;
  };
  std::vector<Motion> motions_;       ///< ascending by node, then component
  std::vector<std::size_t> entries_;  ///< row in `prescribed` of each motion
  std::vector<Obstacle> obstacles_;
  Points prescribed_velocities_, targets_;
  bool prescribed_move_ = false;
  bool loads_change_ = true;
  double last_load_change_ = 0.0;
  /// Copy in double, advanced if T is float: otherwise Δt v below the rounding of x would be lost.
  numerics::AlignedVector<double> exact_positions_;
};

extern template class BodyState<float>;
extern template class BodyState<double>;

}  // namespace deformbench::fem
