// SPDX-License-Identifier: BSD-3-Clause
// Pairs of boxes that overlap, by spatial hashing: [MHHR07] §4.3, [THMPG03]
#include "methods/numerics/spatial_hash.hpp"

#include <gtest/gtest.h>

#include "methods/numerics/random.hpp"

namespace deformbench::numerics {
namespace {

Box random_box(RandomStream& random, double extent, double size) {
  const Vector3 low = Vector3(random.uniform(), random.uniform(), random.uniform()) * extent;
  return {low, low + size * Vector3(random.uniform(), random.uniform(), random.uniform())};
}

std::vector<int> found(const SpatialHash& hash, const Box& query) {
  std::vector<int> result;
  hash.for_overlaps(query, [&](int i) { result.push_back(i); });
  return result;
}

TEST(SpatialHash, FindsWhatBruteForceFindsAndEachOnce) {
  RandomStream random(7);
  int overlaps = 0;
  for (int round = 0; round < 40; ++round) {
    // Points, boxes of the size of a cell, and now and then one a thousand times as large: several grids.
    std::vector<Box> boxes;
    for (int i = 0; i < 200; ++i) boxes.push_back(random_box(random, 1.0, i % 3 == 0 ? 0.0 : i % 50 == 1 ? 5.0 : 0.05));
    SpatialHash hash;
    hash.build(boxes, round % 2 ? 0.05 : 0.005);
    for (int q = 0; q < 50; ++q) {
      Box query = random_box(random, 1.2, q % 10 == 0 ? 2.0 : 0.1);
      query.low.array() -= 0.1;
      query.high.array() -= 0.1;
      std::vector<int> expected, actual = found(hash, query);
      for (int i = 0; i < 200; ++i) {
        if (overlap(boxes[std::size_t(i)], query)) expected.push_back(i);
      }
      overlaps += int(expected.size());
      std::sort(actual.begin(), actual.end());
      ASSERT_EQ(actual, expected);
    }
  }
  EXPECT_GT(overlaps, 3000);  // the comparison was not one of empty lists
}

TEST(SpatialHash, BoxesThatTouchArePairs) {
  const std::vector<Box> boxes{{Vector3(0, 0, 0), Vector3(1, 1, 1)}, {Vector3(1, 0, 0), Vector3(2, 1, 1)}};
  SpatialHash hash;
  hash.build(boxes, 1.0);
  EXPECT_EQ(found(hash, {Vector3(1, 1, 1), Vector3(1, 1, 1)}).size(), 2u);
  EXPECT_TRUE(found(hash, {Vector3(1, 1, 1.0000001), Vector3(1, 1, 2)}).empty());
}

TEST(SpatialHash, OrderDependsOnTheBoxesAlone) {
  RandomStream random(3);
  std::vector<Box> boxes, others;
  for (int i = 0; i < 100; ++i) boxes.push_back(random_box(random, 1.0, 0.1));
  for (int i = 0; i < 500; ++i) others.push_back(random_box(random, 9.0, 0.5));
  SpatialHash fresh, used;
  used.build(others, 0.3);
  fresh.build(boxes, 0.1);
  used.build(boxes, 0.1);
  const Box all{Vector3::Zero(), Vector3::Ones()};
  EXPECT_EQ(found(used, all), found(fresh, all));
}

TEST(SpatialHash, NothingAndEverythingAtOnePoint) {
  SpatialHash hash;
  const std::vector<Box> none;
  hash.build(none, 0.1);
  EXPECT_TRUE(found(hash, {Vector3::Zero(), Vector3::Ones()}).empty());
  const std::vector<Box> same(10, Box{Vector3::Ones(), Vector3::Ones()});
  hash.build(same, 0.0);
  EXPECT_EQ(found(hash, {Vector3::Zero(), Vector3::Ones()}).size(), 10u);
}

TEST(SpatialHash, ExtentsFarBeyondTheCellStillWork) {
  const std::vector<Box> boxes{{Vector3::Zero(), Vector3::Zero()}, {Vector3::Constant(1e9), Vector3::Constant(1e9)}};
  SpatialHash hash;
  hash.build(boxes, 1e-3);
  EXPECT_EQ(found(hash, {Vector3::Constant(-1.0), Vector3::Constant(1.0)}), std::vector<int>{0});
  EXPECT_EQ(found(hash, {Vector3::Constant(-1.0), Vector3::Constant(2e9)}).size(), 2u);
}

}  // namespace
}  // namespace deformbench::numerics
