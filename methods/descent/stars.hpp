// SPDX-License-Identifier: BSD-3-Clause
// The tetrahedra around every vertex, four per batch, in the order in which a sweep visits the vertices. Nothing is
// shared between vertices: a sweep reads its data once, from front to back.
#pragma once

#include <span>
#include <vector>

#include "methods/fem/body/body.hpp"
#include "methods/numerics/aligned_vector.hpp"

namespace deformbench::descent {

enum class SweepOrder {
  Index,     ///< as the scene numbers its vertices
  Random,    ///< permutation from the seed
  Coloured,  ///< by colour: vertices of a colour share no tetrahedron; greedy, the lowest colour no neighbour has
};

/// An order of the nodes. Nodes of a level share no tetrahedron; of two that share one, the later has the higher
/// level. Levels in turn, each in any order or in parallel, equal a sweep in the given order bit for bit.
struct Schedule {
  std::vector<int> nodes;
  std::vector<int> level_start;  ///< levels + 1, into `nodes`
};
/// Levels of the vertices in the given order of sweeps.
Schedule schedule_of(const fem::MeshGraph& graph, SweepOrder order, std::uint64_t seed);

inline constexpr std::size_t kLanes = 4;

struct Stars {
  Stars(const Scene& scene, const fem::MeshGraph& graph, Schedule given);

  Schedule schedule;
  std::vector<int> first;  ///< visits + 1: first batch of every visit
  /// [batch][number][lane]: U row by row (00 01 02 11 12 22, 1/m), λV, μV (J). Lanes without a tetrahedron are zero.
  numerics::AlignedVector<double> coefficients;
  /// [batch][corner 1 … 3][lane]: node offset in a vector of four numbers per node; unused lanes: the visited node.
  std::vector<unsigned> others;

  static constexpr std::size_t kCoefficients = 8;
  int visits() const { return int(schedule.nodes.size()); }
};

}  // namespace deformbench::descent
