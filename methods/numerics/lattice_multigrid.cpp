// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/lattice_multigrid.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>

namespace deformbench::numerics {
namespace {

// Measured on bars of 20,000 tetrahedra, E = 1e7 and 1e9 Pa, ν = 0.33 and 0.45: this interval takes the fewest
// iterations of degree 3; degree 4 saves one or two in ten for a third more products; without the margin some solves
// hardly converge.
constexpr std::size_t kMostLast = 64;  ///< nodes of the matrix that is factorised
constexpr int kDegree = 3;             ///< of the smoother
constexpr float kInterval = 0.05f;     ///< lower end of the smoother's interval relative to its upper end
constexpr float kMargin = 1.1f;        ///< power iterations end below the largest eigenvalue

/// Corner 4x + 2y + z of a cell.
std::array<int, 3> corner_of(std::size_t corner) {
  return {int(corner >> 2 & 1), int(corner >> 1 & 1), int(corner & 1)};
}

/// Index of a difference of coordinates in a cube of `reach` to all sides.
int index_of(const std::array<int, 3>& difference, int reach) {
  const int side = 2 * reach + 1;
  return ((difference[0] + reach) * side + difference[1] + reach) * side + difference[2] + reach;
}

std::array<int, 3> difference_of(const std::array<int, 3>& to, const std::array<int, 3>& from) {
  return {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
}

/// to += factor·from, blocks of nine numbers.
void add_block(float* to, float factor, const float* from) {
  for (int k = 0; k < 9; ++k) to[k] += factor * from[k];
}

/// The transpose of a block kept by its cyclic diagonals.
std::array<float, 9> transposed(const float* b) {
  return {b[0], b[1], b[2], b[8], b[6], b[7], b[4], b[5], b[3]};
}

}  // namespace

LatticeMultigrid::LatticeMultigrid(const Points& places, const EdgePattern& edges, std::vector<int> frozen,
                                   std::vector<Components> components)
    : frozen_(std::move(frozen)), components_(std::move(components)) {
  double sum = 0.0, longest = 0.0;
  for (int i = 0; i < edges.nodes; ++i)
    for (int e = edges.row_start[std::size_t(i)]; e < edges.row_start[std::size_t(i) + 1]; ++e) {
      const double length = (places.row(edges.column[std::size_t(e)]) - places.row(i)).norm();
      sum += length, longest = std::max(longest, length);
    }
  // Where edges differ much, the longest may span few cells, so that rows of coarse matrices stay short.
  const double spacing = std::max(2.0 * sum / std::max(edges.edge_count(), 1), 0.5 * longest);
  Level nodes;
  nodes.edges = edges;
  const Eigen::RowVector3d lowest = places.colwise().minCoeff();
  if (spacing > 0.0)
    for (Eigen::Index i = 0; i < places.rows(); ++i) {
      const Eigen::RowVector3d cell = (places.row(i) - lowest) / spacing;
      Stencil stencil;
      Eigen::RowVector3d part;
      for (std::size_t c = 0; c < 3; ++c) {
        stencil.base[c] = int(std::floor(cell[Eigen::Index(c)]));
        part[Eigen::Index(c)] = cell[Eigen::Index(c)] - stencil.base[c];
      }
      for (std::size_t k = 0; k < 8; ++k) {
        double weight = 1.0;
        for (std::size_t c = 0; c < 3; ++c)
          weight *= corner_of(k)[c] == 1 ? part[Eigen::Index(c)] : 1.0 - part[Eigen::Index(c)];
        stencil.weights[k] = weight < 1e-6 ? 0.0f : float(weight);
      }
      nodes.stencils.push_back(stencil);
    }
  levels_.push_back(std::move(nodes));
  while (std::size_t(levels_.back().edges.nodes) > kMostLast && !levels_.back().stencils.empty()) {
    Level next = coarser(levels_.back());
    for (const std::array<int, 3>& at : next.coordinates) {
      Stencil stencil;
      for (std::size_t c = 0; c < 3; ++c) stencil.base[c] = at[c] >> 1;
      for (std::size_t k = 0; k < 8; ++k) {
        stencil.weights[k] = 1.0f;
        for (std::size_t c = 0; c < 3; ++c) stencil.weights[k] *= at[c] % 2 != 0 ? 0.5f : float(1 - corner_of(k)[c]);
      }
      next.stencils.push_back(stencil);
    }
    levels_.push_back(std::move(next));
  }
  levels_.back().stencils.clear();
  for (Level& level : levels_) {
    level.matrix = FullBlockMatrix<float>(level.edges);
    const std::size_t size = 4 * std::size_t(level.edges.nodes);
    for (Vector* vector : {&level.x, &level.r, &level.d, &level.product}) vector->assign(size, 0.0f);
    level.inverse.assign(3 * size, 0.0f);
  }
}

/// Numbers the lattice nodes that stencils of `fine` use, completes these, and finds the pairs that Pᵀ A P couples.
LatticeMultigrid::Level LatticeMultigrid::coarser(Level& fine) {
  Level coarse;
  std::map<std::array<int, 3>, int> numbers;  // ascending: a neighbour of greater number has the greater coordinates
  const auto each_corner = [&](auto&& work) {
    for (Stencil& stencil : fine.stencils)
      for (std::size_t k = 0; k < 8; ++k) {
        if (stencil.weights[k] == 0.0f) continue;
        const std::array<int, 3> corner = corner_of(k), &base = stencil.base;
        work(stencil, k, std::array<int, 3>{base[0] + corner[0], base[1] + corner[1], base[2] + corner[2]});
      }
  };
  each_corner([&](Stencil&, std::size_t, const std::array<int, 3>& at) { numbers.emplace(at, 0); });
  for (auto& [at, number] : numbers) number = int(coarse.coordinates.size()), coarse.coordinates.push_back(at);
  each_corner([&](Stencil& s, std::size_t k, const std::array<int, 3>& at) { s.nodes[k] = numbers.at(at); });

  const auto each_pair = [&](auto&& work) {
    const auto pairs_of = [&](const Stencil& a, const Stencil& b) {
      for (std::size_t k = 0; k < 8; ++k)
        for (std::size_t l = 0; l < 8; ++l)
          if (a.weights[k] != 0.0f && b.weights[l] != 0.0f) work(a.nodes[k], b.nodes[l]);
    };
    for (int i = 0; i < fine.edges.nodes; ++i) {
      const Stencil& own = fine.stencils[std::size_t(i)];
      pairs_of(own, own);
      for (int e = fine.edges.row_start[std::size_t(i)]; e < fine.edges.row_start[std::size_t(i) + 1]; ++e)
        pairs_of(own, fine.stencils[std::size_t(fine.edges.column[std::size_t(e)])]);
    }
  };
  const auto& places = coarse.coordinates;
  each_pair([&](int a, int b) {
    for (const int difference : difference_of(places[std::size_t(a)], places[std::size_t(b)]))
      coarse.reach = std::max(coarse.reach, std::abs(difference));
  });
  const std::size_t side = 2 * std::size_t(coarse.reach) + 1, cube = side * side * side;
  coarse.edge_at.assign(places.size() * cube, -1);
  each_pair([&](int a, int b) {
    const std::size_t low = std::size_t(std::min(a, b)), high = std::size_t(std::max(a, b));
    if (low != high) coarse.edge_at[low * cube + index_of(difference_of(places[high], places[low]), coarse.reach)] = 0;
  });
  coarse.edges.nodes = int(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    coarse.edges.row_start.push_back(coarse.edges.edge_count());
    for (std::size_t k = 0; k < cube; ++k) {
      if (coarse.edge_at[i * cube + k] < 0) continue;
      coarse.edge_at[i * cube + k] = coarse.edges.edge_count();
      std::array<int, 3> at = places[i];
      at[0] += int(k / (side * side)) - coarse.reach;
      at[1] += int(k / side % side) - coarse.reach;
      at[2] += int(k % side) - coarse.reach;
      coarse.edges.column.push_back(numbers.at(at));
    }
  }
  coarse.edges.row_start.push_back(coarse.edges.edge_count());
  return coarse;
}

/// Calls work(node, component) for every row that is no unknown.
template <class Work>
void LatticeMultigrid::each_frozen(Work&& work) const {
  for (std::size_t k = 0; k < frozen_.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c)
      if (components_.empty() || has_component(components_[k], c)) work(std::size_t(frozen_[k]), c);
}

template <class T>
bool LatticeMultigrid::refresh(const FullBlockMatrix<T>& a) {
  Level& nodes = levels_.front();
  std::vector<Components> held(std::size_t(nodes.edges.nodes), kNoComponents);
  each_frozen([&](std::size_t node, std::size_t c) { held[node] = with_component(held[node], c); });
  const auto put = [](const T* from, float* to, Components rows, Components columns) {
    if ((rows | columns) == kNoComponents) return void(std::copy(from, from + 9, to));
    Matrix3 block = block_at(from);
    for (std::size_t c = 0; c < 3; ++c) {
      if (has_component(rows, c)) block.row(Eigen::Index(c)).setZero();
      if (has_component(columns, c)) block.col(Eigen::Index(c)).setZero();
    }
    put_block(to, block);
  };
  for (int i = 0; i < nodes.edges.nodes; ++i) {
    const Components own = held[std::size_t(i)];
    put(a.diagonal(i), nodes.matrix.diagonal(i), own, own);
    for (int e = nodes.edges.row_start[std::size_t(i)]; e < nodes.edges.row_start[std::size_t(i) + 1]; ++e) {
      const Components other = held[std::size_t(nodes.edges.column[std::size_t(e)])];
      put(a.upper(e), nodes.matrix.upper(e), own, other);
      put(a.lower(e), nodes.matrix.lower(e), other, own);
    }
  }
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    if (k > 0) form_galerkin(k);
    if (k + 1 == levels_.size()) return factorise_last();
    if (!invert_diagonal(levels_[k])) return false;
    estimate_largest(levels_[k]);
  }
  return false;
}

/// Level k from the one before.
void LatticeMultigrid::form_galerkin(std::size_t k) {
  Level &fine = levels_[k - 1], &coarse = levels_[k];
  const int side = 2 * coarse.reach + 1, cube = side * side * side;
  for (int i = 0; i < coarse.edges.nodes; ++i) std::fill_n(coarse.matrix.diagonal(i), 9, 0.0f);
  for (int e = 0; e < coarse.edges.edge_count(); ++e) std::fill_n(coarse.matrix.upper(e), 9, 0.0f);
  std::array<int, 8> offsets;
  for (std::size_t c = 0; c < 8; ++c) offsets[c] = index_of(corner_of(c), coarse.reach) - index_of({}, coarse.reach);
  // A block between nodes i and j, i = j included; its transpose belongs to the pair (j, i).
  const auto scatter = [&](const Stencil& own, const Stencil& other, const float* block, bool is_diagonal) {
    const std::array<float, 9> turned = transposed(block);
    const int between = index_of(difference_of(other.base, own.base), coarse.reach);
    for (std::size_t a = 0; a < 8; ++a)
      for (std::size_t b = 0; b < 8; ++b) {
        const float weight = own.weights[a] * other.weights[b];
        if (weight == 0.0f) continue;
        const int from = own.nodes[a], to = other.nodes[b], at = between + offsets[b] - offsets[a];
        if (from == to) {
          add_block(coarse.matrix.diagonal(from), weight, block);
          if (!is_diagonal) add_block(coarse.matrix.diagonal(from), weight, turned.data());
        } else if (from < to) {
          add_block(coarse.matrix.upper(coarse.edge_at[std::size_t(from * cube + at)]), weight, block);
        } else if (!is_diagonal) {
          add_block(coarse.matrix.upper(coarse.edge_at[std::size_t(to * cube + cube - 1 - at)]), weight, turned.data());
        }
      }
  };
  for (int i = 0; i < fine.edges.nodes; ++i) {
    const Stencil& own = fine.stencils[std::size_t(i)];
    scatter(own, own, fine.matrix.diagonal(i), true);
    for (int e = fine.edges.row_start[std::size_t(i)]; e < fine.edges.row_start[std::size_t(i) + 1]; ++e)
      scatter(own, fine.stencils[std::size_t(fine.edges.column[std::size_t(e)])], fine.matrix.upper(e), false);
  }
  for (int e = 0; e < coarse.edges.edge_count(); ++e) {
    const std::array<float, 9> turned = transposed(coarse.matrix.upper(e));
    std::copy(turned.begin(), turned.end(), coarse.matrix.lower(e));
  }
}

/// Rows without a number on the diagonal, those of frozen components, become the identity.
bool LatticeMultigrid::invert_diagonal(Level& level) {
  for (int i = 0; i < level.edges.nodes; ++i) {
    Matrix3 block = block_at(level.matrix.diagonal(i));
    if (!block.allFinite()) return false;
    const double size = block.diagonal().maxCoeff();
    for (Eigen::Index c = 0; c < 3; ++c)
      if (!(block(c, c) > 1e-6 * size)) block.row(c).setZero(), block.col(c).setZero(), block(c, c) = 1.0;
    const Matrix3 inverse = block.inverse();
    float* to = level.inverse.data() + 12 * std::size_t(i);
    for (Eigen::Index c = 0; c < 3; ++c)
      for (Eigen::Index r = 0; r < 3; ++r) to[4 * c + r] = float(inverse(r, c));
  }
  return true;
}

bool LatticeMultigrid::factorise_last() {
  const Level& last = levels_.back();
  Eigen::MatrixXd dense(last.matrix.to_sparse());
  if (!dense.allFinite()) return false;
  const double size = dense.diagonal().maxCoeff();
  for (Eigen::Index n = 0; n < dense.rows(); ++n)
    if (!(dense(n, n) > 1e-6 * size)) dense(n, n) = size;
  // Rounding in single precision may have made it slightly indefinite.
  for (double shift = 0.0; shift < 1e-2; shift = std::max(10.0 * shift, 1e-7)) {
    last_.compute((dense + shift * size * Eigen::MatrixXd::Identity(dense.rows(), dense.cols())).cast<float>());
    if (last_.info() == Eigen::Success) return true;
  }
  return false;
}

/// to = factor·D⁻¹ from
void LatticeMultigrid::apply_inverse(const Level& level, const Vector& from, float factor, Vector& to) {
  using Columns = Eigen::Map<const Eigen::Matrix<float, 4, 3>, Eigen::Aligned16>;
  for (std::size_t i = 0; i < std::size_t(level.edges.nodes); ++i) {
    const Columns inverse(level.inverse.data() + 12 * i);
    const Eigen::Vector3f r = factor * Eigen::Vector3f::Map(from.data() + 4 * i);
    Eigen::Map<Eigen::Vector4f, Eigen::Aligned16>(to.data() + 4 * i) =
        inverse.col(0) * r[0] + inverse.col(1) * r[1] + inverse.col(2) * r[2];
  }
}

/// By power iterations, from the last estimate where there is one.
void LatticeMultigrid::estimate_largest(Level& level) const {
  const bool is_first = level.strongest.empty();
  if (is_first) {
    level.strongest.assign(level.x.size(), 0.0f);
    for (std::size_t n = 0; n < level.x.size(); ++n)  // of all frequencies, the highest most
      level.strongest[n] = n % 4 == 3 ? 0.0f : float((n * 7919) % 101) / 50.0f - 1.0f;
  }
  const auto vector = [](Vector& of) { return Eigen::VectorXf::Map(of.data(), Eigen::Index(of.size())); };
  for (int k = 0; k < (is_first ? 20 : 4); ++k) {
    vector(level.strongest).normalize();
    level.matrix.multiply_rows(0, level.edges.nodes, level.strongest.data(), level.product.data());
    apply_inverse(level, level.product, 1.0f, level.strongest);
    level.largest = vector(level.strongest).norm();
  }
}

void LatticeMultigrid::smooth(Level& level, bool keeps_residual) {
  // Chebyshev's recurrence for the interval [kInterval, 1]·upper.
  const float upper = kMargin * level.largest, middle = 0.5f * (1.0f + kInterval) * upper,
              half = 0.5f * (1.0f - kInterval) * upper, sigma = middle / half;
  const std::size_t size = level.x.size();
  const auto subtract_product = [&] {
    level.matrix.multiply_rows(0, level.edges.nodes, level.d.data(), level.product.data());
    for (std::size_t n = 0; n < size; ++n) level.r[n] -= level.product[n];
  };
  float rho = 1.0f / sigma;
  apply_inverse(level, level.r, 1.0f / middle, level.d);
  for (int k = 1;; ++k) {
    for (std::size_t n = 0; n < size; ++n) level.x[n] += level.d[n];
    if (k == kDegree) break;
    subtract_product();
    const float next = 1.0f / (2.0f * sigma - rho), kept = next * rho;
    apply_inverse(level, level.r, 2.0f * next / half, level.product);
    for (std::size_t n = 0; n < size; ++n) level.d[n] = kept * level.d[n] + level.product[n];
    rho = next;
  }
  if (keeps_residual) subtract_product();
}

/// x = one cycle of r on level k; r is used up.
void LatticeMultigrid::cycle(std::size_t k) {
  Level& level = levels_[k];
  const std::size_t nodes = std::size_t(level.edges.nodes);
  if (k + 1 == levels_.size()) {
    Eigen::VectorXf r(3 * Eigen::Index(nodes));
    for (std::size_t i = 0; i < nodes; ++i)
      r.segment<3>(3 * Eigen::Index(i)) = Eigen::Vector3f::Map(level.r.data() + 4 * i);
    last_.solveInPlace(r);
    for (std::size_t i = 0; i < nodes; ++i)
      Eigen::Vector3f::Map(level.x.data() + 4 * i) = r.segment<3>(3 * Eigen::Index(i));
    return;
  }
  std::fill(level.x.begin(), level.x.end(), 0.0f);
  smooth(level, true);
  Level& coarse = levels_[k + 1];
  std::fill(coarse.r.begin(), coarse.r.end(), 0.0f);
  using Four = Eigen::Map<Eigen::Vector4f, Eigen::Aligned16>;
  for (std::size_t i = 0; i < nodes; ++i)
    for (std::size_t c = 0; c < 8; ++c)
      Four(coarse.r.data() + 4 * level.stencils[i].nodes[c]) += level.stencils[i].weights[c] * Four(&level.r[4 * i]);
  cycle(k + 1);
  for (std::size_t i = 0; i < nodes; ++i) {
    Eigen::Vector4f sum = Eigen::Vector4f::Zero();
    for (std::size_t c = 0; c < 8; ++c)
      sum += level.stencils[i].weights[c] * Four(coarse.x.data() + 4 * level.stencils[i].nodes[c]);
    Four(&level.d[4 * i]) = sum;
  }
  if (k == 0) each_frozen([&](std::size_t node, std::size_t c) { level.d[4 * node + c] = 0.0f; });
  level.matrix.multiply_rows(0, level.edges.nodes, level.d.data(), level.product.data());
  for (std::size_t n = 0; n < level.x.size(); ++n) level.x[n] += level.d[n], level.r[n] -= level.product[n];
  smooth(level, false);
}

template <class T>
void LatticeMultigrid::apply(const T* r, T* z) {
  Level& nodes = levels_.front();
  double largest = 0.0;  // single precision has a range of 1e±38 only
  for (std::size_t n = 0; n < nodes.r.size(); ++n) largest = std::max(largest, std::abs(double(r[n])));
  if (!(largest > 0.0)) return void(std::fill(z, z + nodes.r.size(), T(0)));
  for (std::size_t n = 0; n < nodes.r.size(); ++n) nodes.r[n] = float(double(r[n]) / largest);
  cycle(0);
  for (std::size_t n = 0; n < nodes.x.size(); ++n) z[n] = T(largest * double(nodes.x[n]));
  each_frozen([&](std::size_t node, std::size_t c) { z[4 * node + c] = T(0); });
}

template bool LatticeMultigrid::refresh(const FullBlockMatrix<float>&);
template bool LatticeMultigrid::refresh(const FullBlockMatrix<double>&);
template void LatticeMultigrid::apply(const float*, float*);
template void LatticeMultigrid::apply(const double*, double*);

}  // namespace deformbench::numerics
