// SPDX-License-Identifier: BSD-3-Clause
// The declarations of the tree: every one is valid at every tier, and small enough.
#include <gtest/gtest.h>

#include <set>

#include "experiments/harness/cells/declaration.hpp"
#include "experiments/harness/cells/papers.hpp"

namespace deformbench::harness {
namespace {

TEST(ExperimentFiles, AreValidAtEveryTierAndStayWithinTheBudgetOfCells) {
  const Registry methods = builtin_registry();
  const SceneRegistry scenes = builtin_scenes();
  const auto files = experiment_files();
  ASSERT_GT(files.size(), 5u);
  for (const ExperimentFile& file : files) {
    SCOPED_TRACE(file.id);
    const Declaration declaration = load_declaration(file.path);
    EXPECT_EQ(declaration.id, file.id);
    for (const auto& [tier, patch] : declaration.document["tiers"].items()) {
      Selection selection;
      selection.tier = tier;
      std::vector<Cell> cells;
      ASSERT_NO_THROW(cells = expand(declaration, selection, methods, scenes)) << tier;
      EXPECT_GE(cells.size(), 1u) << tier;
      if (tier != "large") {  // which is run for the record, on however many cells that takes
        EXPECT_LE(cells.size(), tier == "smoke" ? 16u : 150u) << tier;
      }
      std::set<std::string> ids;
      for (const Cell& cell : cells)
        EXPECT_TRUE(ids.insert(cell.id).second) << tier << ": two cells are " << cell.label();
    }
  }
}

}  // namespace
}  // namespace deformbench::harness
