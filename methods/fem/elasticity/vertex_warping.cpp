// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/elasticity/vertex_warping.hpp"

#include <Eigen/LU>

#include "methods/fem/elasticity/elastic_model.hpp"
#include "methods/numerics/polar_decomposition.hpp"

namespace deformbench::fem {

template <class T>
VertexWarping<T>::VertexWarping(const Scene& scene, const MeshGraph& graph, double scale) : graph_(graph) {
  const std::size_t edges = std::size_t(graph.edges.edge_count());
  blocks_.assign(edges, Matrix3::Zero());
  rest_edges_.resize(edges);
  diagonal_.assign(std::size_t(graph.node_count()), Matrix3::Zero());
  std::vector<Matrix3> spread = diagonal_;
  rotations_.assign(diagonal_.size(), Matrix3::Identity());
  std::vector<RestElement> rest(std::size_t(graph.element_count()));
  for (std::size_t slot = 0; slot < rest.size(); ++slot)
    rest[slot] = rest_element(scene.tet_mesh, graph.element_of[slot]);
  for (int i = 0; i < graph.node_count(); ++i) {
    for (int e = graph.edges.row_start[std::size_t(i)]; e < graph.edges.row_start[std::size_t(i) + 1]; ++e) {
      const int j = graph.edges.column[std::size_t(e)];
      Matrix3& block = blocks_[std::size_t(e)];
      for (int k = graph.edge_start[std::size_t(e)]; k < graph.edge_start[std::size_t(e) + 1]; ++k) {
        const int place = graph.edge_places[std::size_t(k)];
        const RestElement& element = rest[std::size_t(place >> 4)];
        const auto& material = scene.material_of(graph.element_of[std::size_t(place >> 4)]);
        const Vector3 bi = element.gradients.col((place >> 2) & 3), bj = element.gradients.col(place & 3);
        block += scale * element.volume *
                 (material.lame_lambda() * bi * bj.transpose() + material.lame_mu() * bj * bi.transpose() +
                  material.lame_mu() * bi.dot(bj) * Matrix3::Identity());
      }
      diagonal_[std::size_t(i)] -= block;  // rows of K sum to zero
      diagonal_[std::size_t(j)] -= block.transpose();
      const Vector3 edge = (scene.tet_mesh.rest_positions.row(graph.node_of[std::size_t(j)]) -
                            scene.tet_mesh.rest_positions.row(graph.node_of[std::size_t(i)]))
                               .transpose();
      rest_edges_[std::size_t(e)] = edge;
      spread[std::size_t(i)] += edge * edge.transpose();
      spread[std::size_t(j)] += edge * edge.transpose();
    }
  }
  inverse_spread_.resize(spread.size());
  for (std::size_t i = 0; i < spread.size(); ++i) inverse_spread_[i] = spread[i].inverse();
}

template <class T>
void VertexWarping<T>::rotate(const T* x) {
  std::vector<Matrix3> fit(rotations_.size(), Matrix3::Zero());
  const auto position = [&](int i) {
    const T* p = x + 4 * std::size_t(i);
    return Vector3(double(p[0]), double(p[1]), double(p[2]));
  };
  for (int i = 0; i < graph_.node_count(); ++i) {
    for (int e = graph_.edges.row_start[std::size_t(i)]; e < graph_.edges.row_start[std::size_t(i) + 1]; ++e) {
      const int j = graph_.edges.column[std::size_t(e)];
      const Matrix3 outer = (position(j) - position(i)) * rest_edges_[std::size_t(e)].transpose();
      fit[std::size_t(i)] += outer;  // seen from j, both edges change sign
      fit[std::size_t(j)] += outer;
    }
  }
  for (std::size_t i = 0; i < fit.size(); ++i) rotations_[i] = numerics::polar_rotation(fit[i] * inverse_spread_[i]);
}

template <class T>
void VertexWarping<T>::assemble(const T* weights, numerics::FullBlockMatrix<T>& a, T* g) const {
  std::vector<Vector3> rest_force(rotations_.size(), Vector3::Zero());
  for (int i = 0; i < graph_.node_count(); ++i) {
    const Matrix3& ri = rotations_[std::size_t(i)];
    numerics::put_block(a.diagonal(i),
                        ri * diagonal_[std::size_t(i)] * ri.transpose() + double(weights[i]) * Matrix3::Identity());
    for (int e = graph_.edges.row_start[std::size_t(i)]; e < graph_.edges.row_start[std::size_t(i) + 1]; ++e) {
      const int j = graph_.edges.column[std::size_t(e)];
      const Matrix3& rj = rotations_[std::size_t(j)];
      const Matrix3& block = blocks_[std::size_t(e)];
      numerics::put_block(a.upper(e), ri * block * ri.transpose());
      numerics::put_block(a.lower(e), rj * block.transpose() * rj.transpose());
      rest_force[std::size_t(i)] += block * rest_edges_[std::size_t(e)];
      rest_force[std::size_t(j)] -= block.transpose() * rest_edges_[std::size_t(e)];
    }
  }
  for (std::size_t i = 0; i < rest_force.size(); ++i) {
    const Vector3 turned = rotations_[i] * rest_force[i];
    for (int k = 0; k < 3; ++k) g[4 * i + std::size_t(k)] = T(turned[k]);
    g[4 * i + 3] = T(0);
  }
}

template class VertexWarping<float>;
template class VertexWarping<double>;

}  // namespace deformbench::fem
