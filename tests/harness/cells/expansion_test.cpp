// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <set>

#include "experiments/harness/cells/supervisor.hpp"
#include "tests/harness/cells/small_registries.hpp"

namespace deformbench::harness::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> labels(const std::vector<Cell>& cells) {
  std::vector<std::string> all;
  for (const Cell& cell : cells) all.push_back(cell.label());
  return all;
}

TEST(Expansion, OneCellAMethodWithoutASweep) {
  EXPECT_THAT(labels(cells_of(small_declaration())), ElementsAre("exact", "plain"));
}

TEST(Expansion, SweepIsTheCartesianProductWithTheMethodsTogetherAtEveryPoint) {
  json declaration = small_declaration();
  declaration["sweep"] = {{"scene.parameters.length_m", {1, 2}}, {"scene.parameters.angle_deg", {0, 45, 90}}};
  const auto cells = cells_of(declaration);
  ASSERT_EQ(cells.size(), 2u * 3u * 2u);
  EXPECT_EQ(cells[0].label(), "exact, angle_deg=0, length_m=1");
  EXPECT_EQ(cells[1].label(), "plain, angle_deg=0, length_m=1");
  EXPECT_EQ(cells[11].label(), "plain, angle_deg=90, length_m=2");
  EXPECT_EQ(cells[11].spec["scene"]["parameters"]["angle_deg"], 90.0);
}

TEST(Expansion, MethodParametersSweepOnlyTheMethodsThatHaveThem) {
  json declaration = small_declaration();
  declaration["sweep"] = {{"method.parameters.tolerance", {1e-3, 1e-6, 1e-9}}};
  EXPECT_THAT(labels(cells_of(declaration)),
              ElementsAre("exact, tolerance=0.001", "plain", "exact, tolerance=1e-06", "exact, tolerance=1e-09"));
}

TEST(Expansion, OwnSweepOfAMethodCrossesTheCommonOne) {
  json declaration = small_declaration();
  declaration["sweep"] = {{"scene.parameters.length_m", {1, 2}}};
  declaration["methods"][0]["sweep"] = {{"method.parameters.solver", {"cg", "direct"}}};
  EXPECT_EQ(cells_of(declaration).size(), 2u * 2u + 2u);
}

TEST(Expansion, ZippedPathsMoveTogether) {
  json declaration = small_declaration();
  declaration["sweep"]["size"] = {
      {"zip", {{"scene.parameters.length_m", {1, 2, 4}}, {"schedule.steps", {10, 20, 40}}}}};
  const auto cells = cells_of(declaration);
  ASSERT_EQ(cells.size(), 3u * 2u);
  EXPECT_EQ(cells[4].spec["scene"]["parameters"]["length_m"], 4.0);
  EXPECT_EQ(cells[4].spec["schedule"]["steps"], 40);
}

TEST(Expansion, ALabelHasTheFirstLineOfATextAndNotAllOfALongOne) {
  Cell cell;
  cell.spec = {{"method", {{"name", "plain"}}}, {"coordinates", {{"scene.parameters.text", "one line\nanother"}}}};
  EXPECT_EQ(cell.label(), "plain, text=one line…");
  cell.spec["coordinates"]["scene.parameters.text"] = std::string(59, 'x') + "½½";
  EXPECT_EQ(cell.label(), "plain, text=" + std::string(59, 'x') + "…");
  cell.spec["coordinates"]["scene.parameters.text"] = std::string(60, 'x');
  EXPECT_EQ(cell.label(), "plain, text=" + std::string(60, 'x'));
}

TEST(Expansion, TierIsAMergePatch) {
  json declaration = small_declaration();
  declaration["sweep"] = {{"scene.parameters.length_m", {1, 2, 3}}};
  declaration["tiers"]["smoke"]["sweep"] = {{"scene.parameters.length_m", {5}}};
  const auto cells = cells_of(declaration, at_tier("smoke"));
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0].spec["schedule"]["steps"], 2);
  EXPECT_EQ(cells[0].spec["scene"]["parameters"]["length_m"], 5.0);
}

TEST(Expansion, ATierMayChangeTheKindOfTheSchedule) {
  json declaration = small_declaration();
  declaration["tiers"]["smoke"]["schedule"] = {{"duration_s", 0.1}};
  EXPECT_EQ(cells_of(declaration, at_tier("smoke"))[0].spec["schedule"], (json{{"duration_s", 0.1}}));
}

TEST(Expansion, AllDefaultsAreWrittenOut) {
  const json spec = cells_of(small_declaration())[0].spec;
  EXPECT_EQ(spec["method"]["parameters"],
            json::parse(R"({"solver":"cg","tolerance":1e-10,"iterations":0,"axis":[0.0,0.0,1.0],"is_fast":false})"));
  EXPECT_EQ(spec["scene"]["parameters"], json::parse(R"({"length_m":1.0,"angle_deg":0.0,"time_step_s":0.01})"));
  EXPECT_EQ(spec["timing"]["repeats"], 5);
  EXPECT_EQ(spec["expect"]["status"], "completed");
  EXPECT_EQ(spec["threads"], 1);
}

TEST(Expansion, SetReplacesASweepAxis) {
  json declaration = small_declaration();
  declaration["sweep"] = {{"scene.parameters.length_m", {1, 2, 3}}};
  Selection selection;
  selection.set = {parse_assignment("scene.parameters.length_m=7")};
  const auto cells = cells_of(declaration, selection);
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0].spec["scene"]["parameters"]["length_m"], 7.0);
}

TEST(Expansion, SetOfAMethodParameterReachesTheMethodsThatHaveIt) {
  Selection selection;
  selection.set = {parse_assignment("method.parameters.solver=direct"), parse_assignment("schedule.duration_s=0.5")};
  const auto cells = cells_of(small_declaration(), selection);
  EXPECT_EQ(cells[0].spec["method"]["parameters"]["solver"], "direct");
  EXPECT_EQ(cells[1].spec["schedule"], (json{{"duration_s", 0.5}}));
}

TEST(Expansion, MethodFilterTakesNamesAndIds) {
  EXPECT_EQ(cells_of(small_declaration(), only_method("exact")).size(), 1u);
  EXPECT_EQ(cells_of(small_declaration(), only_method("plain_fem"))[0].method_name(), "plain");
}

TEST(Expansion, FirstExpectationThatMatchesHolds) {
  json declaration = small_declaration();
  declaration["sweep"] = {{"scene.parameters.length_m", {1, 2, 3}}};
  declaration["expect"] = {{{"where", {{"method.name", "plain"}, {"scene.parameters.length_m", {{"min", 2}}}}},
                            {"status", "diverged"},
                            {"because", "long"}},
                           {{"where", {{"method.name", {"plain"}}}}, {"status", "failed"}, {"because", "plain"}}};
  std::vector<std::string> expected;
  for (const Cell& cell : cells_of(declaration)) expected.push_back(cell.expected_status());
  EXPECT_THAT(expected, ElementsAre("completed", "failed", "completed", "diverged", "completed", "diverged"));
}

TEST(Expectation, OfACellNearALimitOfStabilityIsMetByEitherEnd) {
  Cell cell;
  cell.spec["expect"]["status"] = "completed_or_diverged";
  EXPECT_TRUE(ended_as_expected(cell, "completed"));
  EXPECT_TRUE(ended_as_expected(cell, "diverged"));
  EXPECT_FALSE(ended_as_expected(cell, "timeout"));
  EXPECT_FALSE(ended_as_expected(cell, "failed"));
  cell.spec["expect"]["status"] = "diverged";
  EXPECT_FALSE(ended_as_expected(cell, "completed"));
}

TEST(CellId, IsTheSameForOneAndOnePointZero) {
  json a = small_declaration(), b = small_declaration();
  a["scene"]["parameters"] = {{"length_m", 1}};
  b["scene"]["parameters"] = {{"length_m", 1.0}};
  EXPECT_EQ(cells_of(a)[0].id, cells_of(b)[0].id);
}

TEST(CellId, DoesNotDependOnHowTheCellIsJudgedOrTimed) {
  json other = small_declaration();
  other["id"] = "tests/other";
  other["time_limit_s"] = 3;
  other["timing"] = {{"repeats", 9}};
  other["expect"] = {{{"status", "failed"}, {"because", "so"}}};
  EXPECT_EQ(cells_of(small_declaration())[0].id, cells_of(other)[0].id);
}

TEST(CellId, DoesNotDependOnWhoRecommendsTheSettings) {
  json claimed = small_declaration();
  claimed["methods"][0]["claimed_by"] = "Macklin et al. 2019";
  const auto cells = cells_of(claimed), plain = cells_of(small_declaration());
  EXPECT_EQ(cells[0].id, plain[0].id);
  EXPECT_EQ(cells[0].spec["method"]["claimed_by"], "Macklin et al. 2019");
  EXPECT_FALSE(cells[1].spec["method"].contains("claimed_by"));
  EXPECT_EQ(cells[0].label(), "exact (Macklin et al. 2019)");
  EXPECT_EQ(cells[1].label(), "plain");
  const Cell again = cell_of_resolved_spec(cells[0].spec, "cell.json", {}, small_registry(), small_scenes());
  EXPECT_EQ(again.spec, cells[0].spec);
  // XXH3-128 of {"method":{"id":"exact_fem","name":"exact"}} and the fingerprint f, by another program.
  const json spec = {{"method", {{"name", "exact"}, {"id", "exact_fem"}}}};
  json said = spec;
  said["method"]["claimed_by"] = "us";
  EXPECT_EQ(cell_id(spec, "f"), "a0a6691c2f7fe773b1847bc9303c9065");
  EXPECT_EQ(cell_id(said, "f"), "a0a6691c2f7fe773b1847bc9303c9065");
}

TEST(CellId, DependsOnEverythingElseAndOnTheFingerprint) {
  std::set<std::string> ids;
  for (const char* patch : {R"({})", R"({"seed":2})", R"({"threads":2})", R"({"schedule":{"steps":11}})",
                            R"({"scene":{"parameters":{"length_m":2}}})", R"({"ensemble":{"seeds":[1,2]}})"}) {
    json declaration = small_declaration();
    declaration.merge_patch(json::parse(patch));
    for (const Cell& cell : cells_of(declaration)) ids.insert(cell.id);
  }
  EXPECT_EQ(ids.size(), 6u * 2u);
  const json spec = cells_of(small_declaration())[0].spec;
  EXPECT_NE(cell_id(spec, "a"), cell_id(spec, "b"));
  EXPECT_THAT(cell_id(spec, "a"), testing::MatchesRegex("[0-9a-f]{32}"));
}

TEST(ResolvedSpec, GivesTheCellItCameFrom) {
  json declaration = small_declaration();
  declaration["sweep"] = {{"scene.parameters.length_m", {1, 2}}};
  declaration["expect"] = {{{"status", "diverged"}, {"because", "so"}}};
  for (const Cell& cell : cells_of(declaration, at_tier("smoke"))) {
    const Cell again = cell_of_resolved_spec(cell.spec, "cell.json", {}, small_registry(), small_scenes());
    EXPECT_EQ(again.id, cell.id);
    EXPECT_EQ(again.spec, cell.spec);
  }
}

TEST(ResolvedSpec, SetChangesItAndItsCoordinates) {
  json declaration = small_declaration();
  declaration["sweep"] = {{"scene.parameters.length_m", {1, 2}}};
  Selection selection;
  selection.set = {parse_assignment("scene.parameters.length_m=9")};
  const Cell cell =
      cell_of_resolved_spec(cells_of(declaration)[0].spec, "cell.json", selection, small_registry(), small_scenes());
  EXPECT_EQ(cell.spec["scene"]["parameters"]["length_m"], 9.0);
  EXPECT_TRUE(cell.spec["coordinates"].empty());
}

}  // namespace
}  // namespace deformbench::harness::test
