// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/body/body.hpp"

#include <algorithm>

namespace deformbench::fem {

template <class T>
Body<T>::Body(const Scene& given, int threads, const Cliques& elements)
    : scene(given),
      graph(scene.tet_mesh, elements),
      masses(lumped_masses(scene)),
      state(scene, graph, masses),
      most_threads_(std::clamp(threads, 1, std::max(1, int(scene.tet_mesh.vertex_count()) / 64))),
      ranges_(numerics::balanced_ranges(graph.edges, most_threads_)) {}

template <class T>
void Body<T>::form_views() const {
  if (!is_stale_) return;
  state.write_positions(positions_);
  state.write_velocities(velocities_);
  is_stale_ = false;
}

template <class T>
GraphChange Body<T>::follow(std::span<const VertexSplit> splits, std::span<const int> sources) {
  GraphChange change = graph.apply(splits);
  state.follow(sources);
  ranges_ = numerics::balanced_ranges(graph.edges, most_threads_);
  state_has_changed();
  return change;
}

template class Body<float>;
template class Body<double>;

}  // namespace deformbench::fem
