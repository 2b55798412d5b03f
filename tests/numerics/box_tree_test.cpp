// SPDX-License-Identifier: BSD-3-Clause
// Pairs of boxes that overlap, by a tree that follows them as they move.
#include "methods/numerics/box_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "methods/numerics/random.hpp"

namespace deformbench::numerics {
namespace {

Box random_box(RandomStream& random, const Vector3& origin, double extent, double size) {
  const Vector3 low = origin + Vector3(random.uniform(), random.uniform(), random.uniform()) * extent;
  return {low, low + size * Vector3(random.uniform(), random.uniform(), random.uniform())};
}

std::vector<int> expected(const std::vector<Box>& boxes, const Box& query, int from) {
  std::vector<int> found;
  for (int i = from; i < int(boxes.size()); ++i)
    if (overlap(boxes[std::size_t(i)], query)) found.push_back(i);
  return found;
}

std::vector<int> found(const BoxTree& tree, const Box& query, int from) {
  std::vector<int> result;
  tree.find_overlaps(query, from, result);
  std::sort(result.begin(), result.end());
  return result;
}

// Points, boxes of any size, far from the origin too, where a box of float numbers would have no digits left.
TEST(BoxTree, FindsWhatBruteForceFindsAndEachOnceWhereverBoxesGo) {
  RandomStream random(7);
  std::size_t overlaps = 0;
  for (const int count : {1, 16, 17, 300, 5000}) {
    for (const double distance : {0.0, 1e9}) {
      const Vector3 origin = Vector3::Constant(distance);
      std::vector<Box> boxes(static_cast<std::size_t>(count));
      BoxTree tree;
      for (int move = 0; move < 3; ++move) {
        for (int i = 0; i < count; ++i)
          boxes[std::size_t(i)] = random_box(random, origin, 1.0, i % 3 == 0 ? 0.0 : i % 50 == 1 ? 2.0 : 0.05);
        tree.update(boxes);
        for (int q = 0; q < 60; ++q) {
          const Box query = q % 4 == 0 ? boxes[std::size_t(q % count)] : random_box(random, origin, 1.0, 0.2);
          const int from = q % 3 == 0 ? count / 2 : 0;
          const std::vector<int> wanted = expected(boxes, query, from);
          overlaps += wanted.size();
          ASSERT_EQ(found(tree, query, from), wanted) << count << ' ' << distance << ' ' << move << ' ' << q;
        }
      }
    }
  }
  EXPECT_GT(overlaps, 3000u);
}

/// Whether the segment meets the box, by its share within each slab.
bool meets(const Box& box, const Vector3& a, const Vector3& b) {
  double first = 0.0, last = 1.0;
  for (int c = 0; c < 3; ++c) {
    const double way = b[c] - a[c];
    if (way == 0.0) {
      if (a[c] < box.low[c] || a[c] > box.high[c]) return false;
      continue;
    }
    const double in = (box.low[c] - a[c]) / way, out = (box.high[c] - a[c]) / way;
    first = std::max(first, std::min(in, out));
    last = std::min(last, std::max(in, out));
  }
  return first <= last;
}

TEST(BoxTree, FindsAllThatASegmentMeetsAndLittleElse) {
  RandomStream random(9);
  std::size_t met = 0, told = 0;
  for (const int count : {1, 17, 300, 5000}) {
    std::vector<Box> boxes;
    const Vector3 origin = Vector3::Constant(count == 300 ? 100.0 : -0.5);
    for (int i = 0; i < count; ++i)
      boxes.push_back(random_box(random, origin, 1.0, i % 3 == 0 ? 0.0 : i % 50 == 1 ? 2.0 : 0.05));
    BoxTree tree;
    tree.update(boxes);
    for (int q = 0; q < 200; ++q) {
      Vector3 a = random_box(random, origin, 1.0, 0.0).low, b = random_box(random, origin, 1.0, 0.0).low;
      if (q % 4 == 0) a[q % 3] = b[q % 3];                    // along a face
      if (q % 5 == 0) a = boxes[std::size_t(q % count)].low;  // from a corner
      if (q % 7 == 0) b = a;
      std::vector<int> result;
      tree.find_met(a, b, result);
      std::sort(result.begin(), result.end());
      EXPECT_EQ(std::adjacent_find(result.begin(), result.end()), result.end());
      for (int i = 0; i < count; ++i)
        if (meets(boxes[std::size_t(i)], a, b)) {
          ++met;
          EXPECT_TRUE(std::binary_search(result.begin(), result.end(), i)) << count << ' ' << q << ' ' << i;
        }
      told += result.size();
    }
  }
  EXPECT_GT(met, 1000u);
  EXPECT_LT(double(told), 1.01 * double(met) + 10.0);
}

// Boxes that move as a whole keep their tree, also when they turn; shuffled ones are arranged anew.
TEST(BoxTree, IsArrangedAnewWhenItsVolumesHaveGrown) {
  RandomStream random(8);
  std::vector<Box> boxes;
  for (int i = 0; i < 1000; ++i) boxes.push_back(random_box(random, Vector3::Zero(), 1.0, 0.01));
  BoxTree tree;
  tree.update(boxes);
  EXPECT_EQ(tree.builds(), 1);
  for (Box& box : boxes) box = {box.low + Vector3(5.0, 0.0, 0.0), box.high + Vector3(5.0, 0.0, 0.0)};
  tree.update(boxes);
  EXPECT_EQ(tree.builds(), 1);
  for (std::size_t i = boxes.size() - 1; i > 0; --i)
    std::swap(boxes[i], boxes[std::size_t(random.uniform() * double(i))]);
  tree.update(boxes);
  EXPECT_EQ(tree.builds(), 2);
  tree.update(boxes);
  EXPECT_EQ(tree.builds(), 2);
  boxes.pop_back();
  tree.update(boxes);
  EXPECT_EQ(tree.builds(), 3);
}

TEST(BoxTree, NothingIsFoundInNothingNorAtPlacesThatAreNoNumbers) {
  BoxTree tree;
  std::vector<Box> none;
  tree.update(none);
  const Box query{Vector3::Zero(), Vector3::Ones()};
  EXPECT_TRUE(found(tree, query, 0).empty());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Box> boxes(40, {Vector3::Constant(nan), Vector3::Constant(nan)});
  boxes[7] = query;
  tree.update(boxes);
  EXPECT_LE(found(tree, query, 0).size(), 1u);
}

}  // namespace
}  // namespace deformbench::numerics
