// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/body/body_state.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace deformbench::fem {
template <class T>
BodyState<T>::BodyState(const Scene& scene, const MeshGraph& graph, const Eigen::VectorXd& vertex_masses)
    : time_step(scene.time_step), scene_(scene), graph_(graph), vertex_masses_(vertex_masses) {
  const std::size_t nodes = std::size_t(graph.node_count());
  positions.assign(4 * nodes, T(0));
  velocities.assign(4 * nodes, T(0));
  loads.assign(4 * nodes, T(0));
  masses.resize(nodes);
  const Points x = scene.start_positions(), v = scene.start_velocities();
  if constexpr (sizeof(T) < sizeof(double)) exact_positions_.assign(4 * nodes, 0.0);
  for (std::size_t i = 0; i < nodes; ++i) {
    const int vertex = graph.node_of[i];
    masses[i] = T(vertex_masses_[vertex]);
    for (std::size_t k = 0; k < 3; ++k) {
      positions[4 * i + k] = T(x(vertex, Eigen::Index(k)));
      velocities[4 * i + k] = T(v(vertex, Eigen::Index(k)));
      if constexpr (sizeof(T) < sizeof(double)) exact_positions_[4 * i + k] = x(vertex, Eigen::Index(k));
    }
  }
  read_motions();
  for (const auto& load : scene.point_loads) last_load_change_ = std::max(last_load_change_, load.ramp.last_change());
  for (const auto& load : scene.traction_loads)
    last_load_change_ = std::max(last_load_change_, load.ramp.last_change());
}

template <class T>
void BodyState<T>::read_motions() {
  motions_.clear();
  entries_.clear();
  prescribed.clear();
  prescribed_components.clear();
  for (std::size_t m = 0; m < scene_.prescribed.size(); ++m) {
    const model::PrescribedMotion& motion = scene_.prescribed[m];
    for (std::size_t k = 0; k < motion.vertices.size(); ++k)
      for (std::size_t c = 0; c < 3; ++c)
        if (motion.components[c]) motions_.push_back({graph_.vertex_to_node[std::size_t(motion.vertices[k])], c, m, k});
  }
  const auto place = [](const Motion& motion) { return std::tie(motion.node, motion.component); };
  std::stable_sort(motions_.begin(), motions_.end(),
                   [&](const Motion& a, const Motion& b) { return place(a) < place(b); });
  // If a component is prescribed twice, the later motion wins.
  std::vector<Motion> unique;
  for (const Motion& motion : motions_) {
    if (!unique.empty() && place(unique.back()) == place(motion))
      unique.back() = motion;
    else
      unique.push_back(motion);
  }
  motions_ = std::move(unique);
  for (const Motion& motion : motions_) {
    if (prescribed.empty() || prescribed.back() != motion.node) {
      prescribed.push_back(motion.node);
      prescribed_components.push_back(numerics::kNoComponents);
    }
    prescribed_components.back() = numerics::with_component(prescribed_components.back(), motion.component);
    entries_.push_back(prescribed.size() - 1);
  }
  prescribed_velocities_ = Points::Zero(Eigen::Index(prescribed.size()), 3);
  targets_ = prescribed_velocities_;
}

template <class T>
void BodyState<T>::follow(std::span<const int> sources) {
  const std::size_t before = masses.size(), now = std::size_t(graph_.node_count());
  positions.resize(4 * now), velocities.resize(4 * now), loads.resize(4 * now);
  if constexpr (sizeof(T) < sizeof(double)) exact_positions_.resize(4 * now);
  masses.resize(now);
  for (std::size_t i = before; i < now; ++i) {
    const int source =
        sources[std::size_t(graph_.node_of[i])];  // new vertices come in the order in which they were made
    const std::size_t from = std::size_t(graph_.vertex_to_node[std::size_t(source)]);
    for (std::size_t k = 0; k < 4; ++k) {
      positions[4 * i + k] = positions[4 * from + k];
      velocities[4 * i + k] = velocities[4 * from + k];
      if constexpr (sizeof(T) < sizeof(double)) exact_positions_[4 * i + k] = exact_positions_[4 * from + k];
    }
  }
  for (std::size_t i = 0; i < now; ++i) masses[i] = T(vertex_masses_[graph_.node_of[i]]);
  read_motions();
  loads_change_ = true;
}

template <class T>
void BodyState<T>::load_at(double when) {
  const Points forces = external_forces(scene_, vertex_masses_, when);
  for (std::size_t i = 0; i < masses.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) loads[4 * i + k] = T(forces(graph_.node_of[i], Eigen::Index(k)));
  loads_change_ = true;
}

template <class T>
void BodyState<T>::begin_step() {
  const double end = time + time_step;
  if (loads_change_) {
    load_at(end);
    // Loads are constant after the end of the last ramp, plus a margin for rounding.
    loads_change_ =
        (!scene_.point_loads.empty() || !scene_.traction_loads.empty()) && end <= last_load_change_ + time_step;
  }
  obstacles_.clear();
  for (const model::RigidBody& body : scene_.rigid_bodies) obstacles_.emplace_back(body, time, end);
  prescribed_move_ = false;
  Vector3 target;
  for (std::size_t k = 0; k < motions_.size(); ++k) {
    const Motion& motion = motions_[k];
    const bool is_known = k > 0 && motions_[k - 1].node == motion.node && motions_[k - 1].motion == motion.motion &&
                          motions_[k - 1].index == motion.index;
    if (!is_known) {
      const int vertex = graph_.node_of[std::size_t(motion.node)];
      const Vector3 rest = scene_.tet_mesh.rest_positions.row(vertex).transpose();
      target = scene_.prescribed[motion.motion].position_at(motion.index, rest, end);
    }
    const Eigen::Index row = Eigen::Index(entries_[k]), c = Eigen::Index(motion.component);
    const std::size_t at = 4 * std::size_t(motion.node) + motion.component;
    double now = double(positions[at]);
    if constexpr (sizeof(T) < sizeof(double)) now = exact_positions_[at];
    const double velocity = (target[c] - now) / time_step;
    targets_(row, c) = target[c];
    prescribed_velocities_(row, c) = velocity;
    prescribed_move_ |= velocity != 0.0;
  }
}

/// A vertex that began the step behind a surface is also moved onto it, without a velocity.
template <class T>
void BodyState<T>::collide(std::size_t node, numerics::Components held) {
  T *v = velocities.data() + 4 * node, *x = positions.data() + 4 * node;
  Vector3 position(x[0], x[1], x[2]);
  if constexpr (sizeof(T) < sizeof(double)) position = Eigen::Map<const Vector3>(exact_positions_.data() + 4 * node);
  const auto meet = contact_rule == ContactRule::AsPrinted ? project_onto_obstacles : touch_obstacles;
  const auto contact = meet(scene_.colliders, obstacles_, position, Vector3(v[0], v[1], v[2]), time_step, held);
  if (!contact) return;
  for (std::size_t k = 0; k < 3; ++k) {
    v[k] = T(contact->velocity[Eigen::Index(k)]);
    if constexpr (sizeof(T) < sizeof(double))
      exact_positions_[4 * node + k] += contact->shift[Eigen::Index(k)];
    else
      x[k] += contact->shift[Eigen::Index(k)];
  }
}

template <class T>
double BodyState<T>::finish_nodes(int low, int high) {
  const T dt = T(time_step);
  if (!is_within_solve(contact_rule) && (!scene_.colliders.empty() || !obstacles_.empty())) {
    auto next = std::lower_bound(prescribed.begin(), prescribed.end(), low);
    for (int i = low; i < high; ++i) {
      numerics::Components held = numerics::kNoComponents;
      if (next != prescribed.end() && *next == i)
        held = prescribed_components[std::size_t(next++ - prescribed.begin())];
      if (held != numerics::kAllComponents) collide(std::size_t(i), held);
    }
  }
  T squares[4] = {};
  T* x = positions.data();
  const T* v = velocities.data();
  for (std::size_t i = 4 * std::size_t(low); i < 4 * std::size_t(high); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) {
      if constexpr (sizeof(T) < sizeof(double)) {
        exact_positions_[i + k] += time_step * double(v[i + k]);
        x[i + k] = T(exact_positions_[i + k]);
      } else {
        x[i + k] += dt * v[i + k];
      }
      squares[k] += v[i + k] * v[i + k];
    }
  }
  return double(squares[0]) + double(squares[1]) + double(squares[2]);
}

template <class T>
void BodyState<T>::finish_step() {
  for (std::size_t k = 0; k < motions_.size(); ++k) {
    const std::size_t at = 4 * std::size_t(motions_[k].node) + motions_[k].component;
    const double target = targets_(Eigen::Index(entries_[k]), Eigen::Index(motions_[k].component));
    positions[at] = T(target);
    if constexpr (sizeof(T) < sizeof(double)) exact_positions_[at] = target;
  }
  time += time_step;
}

template <class T>
void BodyState<T>::write_positions(Points& to) const {
  to.resize(Eigen::Index(masses.size()), 3);
  for (std::size_t i = 0; i < masses.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      if constexpr (sizeof(T) < sizeof(double))
        to(graph_.node_of[i], Eigen::Index(k)) = exact_positions_[4 * i + k];
      else
        to(graph_.node_of[i], Eigen::Index(k)) = positions[4 * i + k];
    }
  }
}

template <class T>
void BodyState<T>::write_velocities(Points& to) const {
  to.resize(Eigen::Index(masses.size()), 3);
  for (std::size_t i = 0; i < masses.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) to(graph_.node_of[i], Eigen::Index(k)) = double(velocities[4 * i + k]);
}

template class BodyState<float>;
template class BodyState<double>;

}  // namespace deformbench::fem
