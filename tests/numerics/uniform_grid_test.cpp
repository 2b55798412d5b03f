// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/uniform_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "methods/numerics/random.hpp"

namespace deformbench::numerics {
namespace {

std::vector<Box> random_boxes(int count, RandomStream& random) {
  std::vector<Box> boxes;
  for (int b = 0; b < count; ++b) {
    const Vector3 centre(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const Vector3 half = 0.2 * Vector3(random.uniform(), random.uniform(), random.uniform());
    boxes.push_back({centre - half, centre + half});
  }
  return boxes;
}

TEST(UniformGrid, TheCellOfAPointHoldsEveryBoxRoundIt) {
  RandomStream random(4);
  const std::vector<Box> boxes = random_boxes(300, random);
  const Box bounds{Vector3(-1, -1, -1), Vector3(1, 1, 1)};  // some boxes reach beyond
  const UniformGrid grid(boxes, bounds, 0.13, 1000);
  EXPECT_EQ(grid.count(), UniformGrid::Cell(16, 16, 16));
  int held = 0;
  for (int sample = 0; sample < 3000; ++sample) {
    const Vector3 point(random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3));
    const auto found = grid.boxes_in(grid.cell_of(point));
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    for (int b = 0; b < int(boxes.size()); ++b) {
      if (!overlap(boxes[std::size_t(b)], {point, point})) continue;
      ++held;
      EXPECT_TRUE(std::binary_search(found.begin(), found.end(), b));
    }
  }
  EXPECT_GT(held, 200);
}

TEST(UniformGrid, ABoxIsListedOnceInEveryCellItReachesInto) {
  const UniformGrid grid({{Vector3(0.5, 0.5, 0.5), Vector3(1.5, 0.6, 0.6)}}, {Vector3(0, 0, 0), Vector3(3, 2, 1)}, 1.0,
                         10);
  int listed = 0;
  UniformGrid::for_cells(UniformGrid::Cell::Zero(), grid.count().array() - 1,
                         [&](const UniformGrid::Cell& at) { listed += int(grid.boxes_in(at).size()); });
  EXPECT_EQ(listed, 2);
  EXPECT_EQ(grid.boxes_in({0, 0, 0}).size(), 1u);
  EXPECT_EQ(grid.boxes_in({1, 0, 0}).size(), 1u);
  EXPECT_EQ(grid.centre({1, 0, 0}), Vector3(1.5, 0.5, 0.5));
}

TEST(UniformGrid, MakesItsCellsLargerRatherThanTooMany) {
  const UniformGrid grid({}, {Vector3(0, 0, 0), Vector3(100, 1, 0)}, 1e-3, 50);
  EXPECT_EQ(grid.cell_size(), 2.0);
  EXPECT_EQ(grid.count(), UniformGrid::Cell(50, 1, 1));
  EXPECT_EQ(grid.cell_of({1e9, -1e9, 0}), UniformGrid::Cell(49, 0, 0));
}

TEST(UniformGrid, OfNothingIsOneEmptyCell) {
  const UniformGrid grid;
  EXPECT_TRUE(grid.boxes_in(grid.cell_of({1, 2, 3})).empty());
}

}  // namespace
}  // namespace deformbench::numerics
