// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/sweeps/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "methods/numerics/random.hpp"
#include "methods/pbd/sweeps/blocks.hpp"
#include "methods/pbd/sweeps/mesh_constraints.hpp"
#include "tests/pbd/pbd_fixture.hpp"

namespace deformbench::pbd {
namespace {

std::vector<int> bends_of(int n) {
  std::vector<int> vertices;
  for (const BendConstraint& b : build_mesh_constraints(square_cloth(n, 1.0)).bend)
    vertices.insert(vertices.end(), b.vertices.begin(), b.vertices.end());
  return vertices;
}

std::vector<int> random_constraints(int count, int cardinality, int vertex_count) {
  numerics::RandomStream random(11);
  std::vector<int> vertices;
  for (int c = 0; c < count; ++c) {
    std::set<int> own;
    while (int(own.size()) < cardinality) own.insert(int(random.below(std::uint64_t(vertex_count))));
    vertices.insert(vertices.end(), own.begin(), own.end());
  }
  return vertices;
}

bool share_vertex(const ConstraintGraph& g, int a, int b) {
  for (int i = 0; i < g.cardinality; ++i)
    for (int j = 0; j < g.cardinality; ++j)
      if (g.vertices[std::size_t(a * g.cardinality + i)] == g.vertices[std::size_t(b * g.cardinality + j)]) return true;
  return false;
}

/// Pack of every constraint; fails unless each stands once.
std::vector<int> packs_of(const ConstraintGraph& g, const Schedule& s) {
  std::vector<int> pack(std::size_t(g.size()), -1);
  for (std::size_t lane = 0; lane < s.constraints.size(); ++lane) {
    const int c = s.constraints[lane];
    if (c < 0) continue;
    EXPECT_EQ(pack[std::size_t(c)], -1);
    pack[std::size_t(c)] = int(lane) / s.width;
  }
  EXPECT_EQ(std::count(pack.begin(), pack.end(), -1), 0);
  EXPECT_EQ(s.part_begins.front(), 0);
  EXPECT_EQ(s.part_begins.back(), s.pack_count());
  EXPECT_EQ(s.waits.size(), std::size_t(s.pack_count()));
  return pack;
}

/// Whether a pack shares a vertex with the one before it, by comparison of all; `starts` are packs that have none
/// before.
void expect_waits(const ConstraintGraph& g, const Schedule& s, const std::vector<int>& starts) {
  const auto of = [&](int pack) {
    std::set<int> vertices;
    for (int lane = 0; lane < s.width; ++lane)
      if (const int c = s.constraints[std::size_t(pack * s.width + lane)]; c >= 0)
        vertices.insert(g.of(c).begin(), g.of(c).end());
    return vertices;
  };
  for (int pack = 0; pack < s.pack_count(); ++pack) {
    bool waits = false;
    if (std::find(starts.begin(), starts.end(), pack) == starts.end())
      for (const int v : of(pack - 1)) waits |= of(pack).count(v) > 0;
    EXPECT_EQ(bool(s.waits[std::size_t(pack)]), waits) << pack;
  }
}

void expect_listed_order(const std::vector<int>& vertices, int cardinality, int vertex_count, int width, int apart) {
  const ConstraintGraph g{vertices, cardinality, vertex_count};
  const Schedule s = list_schedule(g, width, apart);
  const std::vector<int> pack = packs_of(g, s);
  std::vector<char> waits(std::size_t(s.pack_count()), 0);
  for (int a = 0; a < g.size(); ++a)
    for (int b = a + 1; b < g.size(); ++b) {
      if (!share_vertex(g, a, b)) continue;
      EXPECT_LT(pack[std::size_t(a)], pack[std::size_t(b)]);
      if (pack[std::size_t(b)] == pack[std::size_t(a)] + 1) waits[std::size_t(pack[std::size_t(b)])] = 1;
    }
  EXPECT_EQ(s.waits, waits);
}

TEST(ListSchedule, KeepsTheOrderOfEveryPairThatSharesAVertex) {
  for (const int width : {1, 4, 8, 16})
    for (const int apart : {1, 2, 3}) {
      expect_listed_order(bends_of(9), 4, 81, width, apart);
      expect_listed_order(random_constraints(300, 2, 60), 2, 60, width, apart);
    }
}

TEST(ListSchedule, OfALargeMeshKeepsItToo) {
  expect_listed_order(random_constraints(1500, 4, 1 << 14), 4, 1 << 14, 8, 2);
}

TEST(ListSchedule, FillsTheLanesOfACloth) {
  // The longest chain of dependent bends has about 4 N of the 3 N² constraints: from N = 37 on eight lanes can be full.
  const std::vector<int> vertices = bends_of(37);
  const Schedule s = list_schedule({vertices, 4, 37 * 37}, 8, 2);
  EXPECT_LT(8.0 * s.pack_count(), 1.05 * double(vertices.size() / 4));
}

TEST(ColourSchedule, NoTwoConstraintsOfAColourShareAVertex) {
  for (const auto& [vertices, cardinality, count] :
       {std::tuple(bends_of(9), 4, 81),
        std::tuple(random_constraints(600, 2, 8), 2, 8)}) {  // the second needs more than 64
    const ConstraintGraph g{vertices, cardinality, count};
    const Schedule s = colour_schedule(g, 8);
    const std::vector<int> pack = packs_of(g, s);
    const auto colour = [&](int c) {
      return std::upper_bound(s.part_begins.begin(), s.part_begins.end(), pack[std::size_t(c)]) - s.part_begins.begin();
    };
    for (int a = 0; a < g.size(); ++a)
      for (int b = a + 1; b < g.size(); ++b) {
        if (share_vertex(g, a, b)) {
          EXPECT_NE(colour(a), colour(b));
        }
      }
    expect_waits(g, s, {0});
    for (int p = 1; p < s.pack_count(); ++p)  // within a colour nothing waits
      if (std::find(s.part_begins.begin(), s.part_begins.end(), p) == s.part_begins.end()) {
        EXPECT_EQ(s.waits[std::size_t(p)], 0) << p;
      }
  }
}

TEST(ColourSchedule, NeedsFewColoursForACloth) {
  const std::vector<int> vertices = bends_of(20);
  // A constraint of four vertices meets at most 4 · 11 others where a vertex has 12 bends; greedy stays far below.
  EXPECT_LE(colour_schedule({vertices, 4, 400}, 8).part_begins.size() - 1, 24u);
}

void expect_blocks(const ConstraintGraph& g, int most, int count) {
  const Blocks blocks = cut_into_blocks(std::array{g}, most);
  EXPECT_EQ(blocks.count, count);
  std::vector<int> region(std::size_t(g.size())), sizes(std::size_t(blocks.region_count()), 0);
  for (int c = 0; c < g.size(); ++c) {
    region[std::size_t(c)] = blocks.region_of(g.of(c));
    ASSERT_LT(region[std::size_t(c)], blocks.region_count());
    ++sizes[std::size_t(region[std::size_t(c)])];
  }
  for (const bool border : {false, true}) {
    std::vector<int> owner(std::size_t(g.vertex_count), -1);
    for (int c = 0; c < g.size(); ++c) {
      if ((region[std::size_t(c)] >= count) != border) continue;
      for (const int v : g.of(c)) {
        EXPECT_TRUE(owner[std::size_t(v)] < 0 || owner[std::size_t(v)] == region[std::size_t(c)]) << c;
        owner[std::size_t(v)] = region[std::size_t(c)];
      }
    }
  }
  const auto [least, largest] = std::minmax_element(sizes.begin(), sizes.begin() + count);
  EXPECT_GT(10 * *least, 7 * *largest);
  const Schedule s = block_schedule(g, 8, blocks);
  const std::vector<int> pack = packs_of(g, s);
  ASSERT_EQ(int(s.part_begins.size()), blocks.region_count() + 1);
  expect_waits(g, s, s.part_begins);
  for (int c = 0; c < g.size(); ++c) {
    EXPECT_GE(pack[std::size_t(c)], s.part_begins[std::size_t(region[std::size_t(c)])]);
    EXPECT_LT(pack[std::size_t(c)], s.part_begins[std::size_t(region[std::size_t(c)]) + 1]);
  }
}

std::vector<int> shuffled(std::vector<int> vertices, int vertex_count) {
  std::vector<int> name(static_cast<std::size_t>(vertex_count));
  std::iota(name.begin(), name.end(), 0);
  numerics::RandomStream random(5);
  for (std::size_t i = name.size(); i > 1; --i) std::swap(name[i - 1], name[random.below(i)]);
  for (int& v : vertices) v = name[std::size_t(v)];
  return vertices;
}

TEST(Blocks, NeitherBlocksNorBordersShareVertices) {
  const std::vector<int> cloth = bends_of(48), renumbered = shuffled(cloth, 48 * 48);
  for (const int count : {1, 2, 3, 4}) {
    expect_blocks({cloth, 4, 48 * 48}, count, count);
    expect_blocks({renumbered, 4, 48 * 48}, count, count);
  }
}

TEST(Blocks, AreFewerWhereConstraintsReachTooFar) {
  const std::vector<int> everywhere = random_constraints(300, 4, 60);
  expect_blocks({everywhere, 4, 60}, 8, 1);
  const std::vector<int> none;
  EXPECT_EQ(cut_into_blocks(std::array{ConstraintGraph{none, 4, 10}}, 1).count, 1);
}

TEST(Blocks, OfPiecesThatDoNotTouch) {
  std::vector<int> two = bends_of(16);
  const std::size_t size = two.size();
  for (std::size_t i = 0; i < size; ++i) two.push_back(two[i] + 256);
  expect_blocks({two, 4, 512}, 2, 2);
}

}  // namespace
}  // namespace deformbench::pbd
