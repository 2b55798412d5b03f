// SPDX-License-Identifier: BSD-3-Clause
// Pairs are those of a loop over all of them, whatever the tree, the threads, and what has moved since.
#include "methods/collision/pair_candidates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "methods/numerics/random.hpp"
#include "tests/collision/folded_cloth.hpp"

namespace deformbench::collision {
namespace {

using Quad = std::array<int, 4>;
using Pair = std::array<int, 5>;  ///< kind, vertices

bool boxes_meet(const Quad& vertices, int first, const Points& start, const Points& end, double reach) {
  for (int c = 0; c < 3; ++c) {
    double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    for (int k = 0; k < 4; ++k) {
      const int side = k < first ? 0 : 1, i = vertices[std::size_t(k)];
      low[side] = std::min({low[side], start(i, c), end(i, c)});
      high[side] = std::max({high[side], start(i, c), end(i, c)});
    }
    if (low[0] - 0.5 * reach > high[1] + 0.5 * reach || low[1] - 0.5 * reach > high[0] + 0.5 * reach) return false;
  }
  return true;
}

bool are_different(const Quad& vertices) {
  return std::set<int>(vertices.begin(), vertices.end()).size() == 4;
}

/// By a loop over all pairs, in the order that is promised.
std::vector<Pair> all_pairs(const MovingCloth& cloth, const PairCandidates& candidates, const Points& end,
                            double reach) {
  std::vector<Pair> pairs;
  const auto add = [&](const Quad& vertices, int first) {
    if (are_different(vertices) && boxes_meet(vertices, first, cloth.x, end, reach))
      pairs.push_back({first, vertices[0], vertices[1], vertices[2], vertices[3]});
  };
  for (int p = 0; p < int(cloth.x.rows()); ++p)
    for (Eigen::Index t = 0; t < cloth.triangles.rows(); ++t)
      add({p, cloth.triangles(t, 0), cloth.triangles(t, 1), cloth.triangles(t, 2)}, 1);
  const auto& edges = candidates.edges();
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (std::size_t f = e + 1; f < edges.size(); ++f) add({edges[e][0], edges[e][1], edges[f][0], edges[f][1]}, 2);
  return pairs;
}

std::vector<Pair> pairs_of(const PairCandidates& candidates, const std::vector<Candidate>& found) {
  std::vector<Pair> pairs;
  for (const Candidate& pair : found) {
    const Quad of = candidates.vertices(pair);
    pairs.push_back({pair.kind == PairKind::PointTriangle ? 1 : 2, of[0], of[1], of[2], of[3]});
  }
  return pairs;
}

TEST(PairCandidates, AreThoseOfALoopOverAllPairsWhateverTheThreads) {
  const MovingCloth cloth = stacked_sheets(3, 6, 0.02, 1.0, 3);
  for (const int threads : {1, 2, 3}) {
    PairCandidates candidates(cloth.x.rows(), cloth.triangles, true, true, threads);
    for (const double h : {0.0, 0.01, 0.3})
      for (const double reach : {0.0, 0.03}) {
        const Points end = cloth.x + h * cloth.v;
        const std::vector<Pair> wanted = all_pairs(cloth, candidates, end, reach);
        EXPECT_EQ(pairs_of(candidates, candidates.find(cloth.x, end, reach)), wanted) << threads << ' ' << h;
        EXPECT_GT(wanted.size(), 100u);
      }
  }
}

// Some vertices move on, a little or far: whatever meets is there, and nothing that has been apart all along.
TEST(PairCandidates, AreFoundAgainWhenSomeVerticesHaveMoved) {
  const MovingCloth cloth = stacked_sheets(3, 6, 0.02, 1.0, 4);
  for (const double reach : {0.0, 0.01}) {
    PairCandidates candidates(cloth.x.rows(), cloth.triangles, true, true);
    PairCandidates by_two_threads(cloth.x.rows(), cloth.triangles, true, true, 2);
    Points end = cloth.x + 0.02 * cloth.v;
    candidates.find(cloth.x, end, reach);
    by_two_threads.find(cloth.x, end, reach);
    MovingCloth low = cloth, high = cloth;  // corners of boxes round all ends so far
    numerics::RandomStream random(5);
    std::size_t let_go = 0;
    for (int move = 0; move < 8; ++move) {
      low.x = low.x.cwiseMin(end);
      high.x = high.x.cwiseMax(end);
      std::vector<char> has_moved(std::size_t(cloth.x.rows()), 0);
      for (std::size_t i = 0; i < has_moved.size(); ++i) {
        if (random.uniform() > (move == 6 ? 0.9 : 0.05)) continue;  // once nearly all
        has_moved[i] = 1;
        end.row(Eigen::Index(i)) += (move % 3 == 0 ? 0.2 : 0.002) * random.direction().transpose();
      }
      low.x = low.x.cwiseMin(end);
      high.x = high.x.cwiseMax(end);
      const std::vector<Candidate> found = candidates.find_again(cloth.x, end, has_moved);
      EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
      EXPECT_EQ(found, by_two_threads.find_again(cloth.x, end, has_moved));
      const std::vector<Pair> pairs = pairs_of(candidates, found);
      const std::set<Pair> is_found(pairs.begin(), pairs.end());
      EXPECT_EQ(is_found.size(), found.size());
      for (const Pair& pair : all_pairs(cloth, candidates, end, 0.0)) ASSERT_EQ(is_found.count(pair), 1u) << move;
      const std::vector<Pair> most = all_pairs(low, candidates, high.x, reach);
      const std::set<Pair> has_met(most.begin(), most.end());
      for (const Pair& pair : pairs) ASSERT_EQ(has_met.count(pair), 1u) << move;
      let_go += most.size() - pairs.size();
    }
    EXPECT_GT(let_go, 100u);  // what has come apart is let go
  }
}

}  // namespace
}  // namespace deformbench::collision
