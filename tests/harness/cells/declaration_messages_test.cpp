// SPDX-License-Identifier: BSD-3-Clause
// A wrong declaration is refused with file, JSON pointer, what was found there, and what was expected.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <ctime>
#include <filesystem>
#include <fstream>

#include "tests/harness/cells/small_registries.hpp"

namespace deformbench::harness::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Mistake {
  const char* name;
  const char* patch;  ///< RFC 7386 on the small declaration
  const char* pointer;
  const char* message;
};
std::ostream& operator<<(std::ostream& out, const Mistake& mistake) {
  return out << mistake.name;
}

class WrongDeclaration : public testing::TestWithParam<Mistake> {};

TEST_P(WrongDeclaration, IsRefusedWithPointerValueAndExpectation) {
  json declaration = small_declaration();
  declaration.merge_patch(json::parse(GetParam().patch));
  EXPECT_THAT(complaint_about(declaration),
              AllOf(HasSubstr("turning_cube.json"), HasSubstr(GetParam().pointer), HasSubstr(GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(
    Schema, WrongDeclaration,
    testing::Values(
        Mistake{"UnknownKey", R"({"shedule": {}})", ": /: ", "unknown key \"shedule\"; did you mean \"schedule\"?"},
        Mistake{"UnknownKeyInside", R"({"timing": {"repeat": 5}})", "/timing: ", "did you mean \"repeats\"?"},
        Mistake{"UnknownKeyOfTwoLines", R"({"a\nb": {}})", ": /: ", R"(unknown key "a\nb")"},
        Mistake{"MissingKey", R"({"scene": null})", ": /: ", "missing key \"scene\""},
        Mistake{"WrongType", R"({"schedule": {"steps": "many"}})",
                "/schedule/steps: ", "got \"many\", expected integer"},
        Mistake{"OutOfRange", R"({"schedule": {"steps": 0}})",
                "/schedule/steps: ", "got 0, expected integer, at least 1"},
        Mistake{"TwoSchedules", R"({"schedule": {"duration_s": 1}})", "/schedule: ", "exactly one of"},
        Mistake{"BadId", R"({"id": "Turning Cube"})", "/id: ", "got \"Turning Cube\""},
        Mistake{"BadStatus", R"({"expect": [{"status": "exploded", "because": "x"}]})",
                "/expect/0/status: ", "diverged"},
        Mistake{"TooFewRepeats", R"({"timing": {"repeats": 1}})", "/timing/repeats: ", "at least 5"},
        Mistake{"NoPaperTier", R"({"tiers": {"paper": null}})", "/tiers: ", "missing key \"paper\""},
        Mistake{"ALinkThatClaimsOwn", R"({"claims": ["IVM-01"]})", ": /: ", "unknown key \"claims\""},
        Mistake{"PaperIsAPath", R"({"paper": "../../x"})", "/paper: ", "got \"../../x\", expected string"},
        Mistake{"EveryBeyondInt", R"({"channels": {"step": {"every": 4294967298, "names": ["volume"]}}})",
                "/channels/step/every: ", "got 4294967298, expected integer, at least 1, at most 1000000000"},
        Mistake{"ThreadsBeyondInt", R"({"threads": 2147483648})", "/threads: ", "got 2147483648, expected integer"},
        Mistake{"ThreadsBeyondReason", R"({"threads": 1000000000})", "/threads: ", "at most 1024"},
        Mistake{"SeedBeyondDouble", R"({"seed": 9007199254740994})", "/seed: ", "at most 9007199254740992"},
        Mistake{"StepsBeyondReason", R"({"schedule": {"steps": 9000000000000000000}})",
                "/schedule/steps: ", "at most 1000000000"},
        Mistake{"ClaimedByNobody", R"({"methods": [{"method": "exact_fem", "claimed_by": ""}]})",
                "/methods/0/claimed_by: ", "got \"\", expected string, matching "},
        Mistake{"ClaimedInTwoLines", R"({"methods": [{"method": "exact_fem", "claimed_by": "a\nb"}]})",
                "/methods/0/claimed_by: ", "who recommends these settings: one line of at most 60 characters"},
        Mistake{"ClaimedAtLength",
                R"({"methods": [{"method": "exact_fem", "claimed_by":
                "0123456789012345678901234567890123456789012345678901234567890"}]})",
                "/methods/0/claimed_by: ", "one line of at most 60 characters"},
        Mistake{"ClaimedByANumber", R"({"methods": [{"method": "exact_fem", "claimed_by": 2019}]})",
                "/methods/0/claimed_by: ", "got 2019, expected string"},
        Mistake{"SeedTwice", R"({"ensemble": {"seeds": [3, 2, 3]}})", "/ensemble/seeds: ", "3 is listed twice"},
        Mistake{"ScalarInSweep", R"({"sweep": {"seed": 3}})", "/sweep/seed: ", "got 3, expected array"}));

INSTANTIATE_TEST_SUITE_P(
    Meaning, WrongDeclaration,
    testing::Values(
        Mistake{"UnknownScene", R"({"scene": {"name": "cub"}})", "/scene/name: ", "did you mean \"cube\"?"},
        Mistake{"UnknownMethod", R"({"methods": [{"method": "exact_fen"}]})",
                "/methods/0/method: ", "did you mean \"exact_fem\"?"},
        Mistake{"NameTwice", R"({"methods": [{"method": "exact_fem"}, {"method": "exact_fem"}]})",
                "/methods/1/name: ", "appears twice"},
        Mistake{"UnknownParameter", R"({"scene": {"parameters": {"lenght_m": 1}}})",
                "/scene/parameters/lenght_m: ", "scene cube has no parameter \"lenght_m\"; did you mean \"length_m\"?"},
        Mistake{"ParameterType", R"({"scene": {"parameters": {"length_m": "1 m"}}})",
                "/scene/parameters/length_m: ", "got \"1 m\", expected real > 0.0, m"},
        Mistake{"ParameterRange", R"({"scene": {"parameters": {"length_m": 0}}})",
                "/scene/parameters/length_m: ", "got 0, expected real > 0.0"},
        Mistake{"RealForInteger", R"({"methods": [{"method": "exact_fem", "parameters": {"iterations": 1.5}}]})",
                "/methods/0/parameters/iterations: ", "got 1.5, expected integer >= 0"},
        Mistake{"Choice", R"({"methods": [{"method": "exact_fem", "parameters": {"solver": "lu"}}]})",
                "/methods/0/parameters/solver: ", "got \"lu\", expected one of cg | direct"},
        Mistake{"ListLength", R"({"methods": [{"method": "exact_fem", "parameters": {"axis": [0, 1]}}]})",
                "/methods/0/parameters/axis: ", "expected list of 3 reals"},
        Mistake{"NumberForFlag", R"({"methods": [{"method": "exact_fem", "parameters": {"is_fast": 1}}]})",
                "/methods/0/parameters/is_fast: ", "expected true or false"},
        Mistake{"SweepOfNothing", R"({"sweep": {"method.parameters.tolerence": [1]}})",
                "/sweep/method.parameters.tolerence: ", "did you mean \"tolerance\"?"},
        Mistake{"SweepValue", R"({"sweep": {"scene.parameters.length_m": [1, -1]}})",
                "/sweep/scene.parameters.length_m/1: ", "got -1"},
        Mistake{"SweepOfSchedule", R"({"sweep": {"schedule.steps": [1, 0]}})", "/schedule/steps: ", "got 0"},
        Mistake{"SweepPath", R"({"sweep": {"methods": [1]}})", "/sweep/methods: ", "expected scene.parameters.<name>"},
        Mistake{"ZipLengths", R"({"sweep": {"z": {"zip": {"seed": [1, 2], "threads": [1]}}}})",
                "/sweep/z/zip: ", "expected 2"},
        Mistake{"UnknownChannel", R"({"channels": {"step": {"names": ["kinetic_energi"]}}})",
                "/channels/step/names/0: ", "did you mean \"kinetic_energy\"?"},
        Mistake{"UnknownPose", R"({"schedule": {"steps": null, "poses": {"field": "bent", "values": [1]}}})",
                "/schedule/poses: ", "bent"},
        Mistake{"UnknownReference", R"({"references": [{"id": "no_such_form"}]})", "/references: ", "no_such_form"},
        Mistake{"IntegerBeyondInt",
                R"({"methods": [{"method": "exact_fem", "parameters": {"iterations": 4294967298}}]})",
                "/methods/0/parameters/iterations: ", "got 4294967298, expected integer >= 0.0, of at most 2147483647"},
        Mistake{"PathIntoANumber", R"({"sweep": {"schedule.steps.x": [1]}})", "path schedule.steps.x: ", "no object"},
        Mistake{"NothingBetweenTheBounds",
                R"({"expect": [{"where": {"scene.parameters.length_m": {"min": 2, "max": 1}}, "status": "failed",
                    "because": "x"}]})",
                "/expect/0/where/scene.parameters.length_m: ", "expected \"min\" at most \"max\""},
        Mistake{"ExpectationOfNothing",
                R"({"expect": [{"where": {"method.title": "a"}, "status": "failed", "because": "x"}]})",
                "/expect/0/where/method.title: ", "path that no cell has"}),
    [](const auto& mistake) { return std::string(mistake.param.name); });

TEST(LongKeys, AreShortenedInTheMessage) {
  json declaration = small_declaration();
  declaration["channels"][std::string(5000, 'k')] = json::object();
  const std::string complaint = complaint_about(declaration);
  EXPECT_THAT(complaint, AllOf(HasSubstr("/channels: unknown key \"kkk"), HasSubstr("kkk...")));
  EXPECT_LT(complaint.size(), 400u);
}

TEST(Selection, UnknownTierNamesTheKnownOnes) {
  EXPECT_THAT(complaint_about(small_declaration(), at_tier("large")), HasSubstr("has no tier \"large\""));
}

TEST(Selection, UnknownMethodNamesTheNearest) {
  EXPECT_THAT(complaint_about(small_declaration(), only_method("exat")), HasSubstr("did you mean \"exact\"?"));
}

TEST(Selection, SetIsCheckedLikeTheDeclaration) {
  Selection selection;
  selection.set = {parse_assignment("scene.parameters.length_m=-2")};
  EXPECT_THAT(complaint_about(small_declaration(), selection), AllOf(HasSubstr("--set"), HasSubstr("got -2")));
  selection.set = {parse_assignment("scene.parameters.len=2")};
  EXPECT_THAT(complaint_about(small_declaration(), selection), HasSubstr("did you mean \"length_m\"?"));
  EXPECT_THROW(parse_assignment("scene.parameters.length_m"), InputError);
}

json numbers(int count) {
  json list = json::array();
  for (int i = 1; i <= count; ++i) list.push_back(0.5 * i);
  return list;
}

TEST(NumberOfCells, IsMultipliedBeforeAnythingIsMade) {
  json declaration = small_declaration();
  declaration["sweep"] = {{"scene.parameters.length_m", numbers(1000)},
                          {"scene.parameters.angle_deg", numbers(1000)},
                          {"scene.parameters.time_step_s", numbers(1000)}};
  EXPECT_THAT(complaint_about(declaration),
              AllOf(HasSubstr("/sweep: got 2000000000 cells, expected at most 150 at tier paper")));
}

TEST(NumberOfCells, LeavesOutAxesThatAMethodDoesNotHave) {
  json declaration = small_declaration();
  declaration["sweep"] = {{"method.parameters.tolerance", numbers(149)}};
  EXPECT_EQ(cells_of(declaration).size(), 150u);
  declaration["sweep"] = {{"method.parameters.tolerance", numbers(150)}};
  EXPECT_THAT(complaint_about(declaration), HasSubstr("got 151 cells"));
  Selection selection;
  selection.set = {parse_assignment("method.parameters.tolerance=1")};
  EXPECT_EQ(cells_of(declaration, selection).size(), 2u) << "--set takes the place of the axis";
}

TEST(NumberOfCells, IsBoundedForAMethodThatJoinsToo) {
  json declaration = small_declaration();
  declaration["methods"] = json::array({{{"name", "exact"}, {"method", "exact_fem"}}});
  declaration["sweep"] = {{"scene.parameters.length_m", numbers(100)}};
  Selection selection;
  selection.methods = {"exact", "plain_fem"};
  EXPECT_EQ(cells_of(declaration, selection).size(), 200u) << "a method that joins does not count as declared";
  declaration["sweep"]["scene.parameters.angle_deg"] = numbers(100);
  selection.methods = {"plain_fem"};
  EXPECT_THAT(complaint_about(declaration, selection), HasSubstr("got 10000 cells of a method"));
}

TEST(NumberOfCells, CountsMethods) {
  json declaration = small_declaration();
  declaration["methods"] = json::array();
  for (int i = 0; i < 151; ++i)
    declaration["methods"].push_back({{"name", "m" + std::to_string(i)}, {"method", "plain_fem"}});
  EXPECT_THAT(complaint_about(declaration), HasSubstr("/methods: has 151 entries, expected at most 150"));
}

TEST(LongLists, AreRefusedBeforeTheirEntriesAreCompared) {
  json declaration = small_declaration();
  for (int i = 0; i < 50'000; ++i) declaration["channels"]["step"]["names"].push_back("c" + std::to_string(i));
  EXPECT_THAT(complaint_about(declaration),
              HasSubstr("/channels/step/names: has 50000 entries, expected at most 2000"));
}

TEST(LargeIntegers, KeepTheirValue) {
  json declaration = small_declaration();
  declaration["seed"] = 4294967298;
  declaration["channels"]["step"] = {{"every", 1'000'000'000}, {"names", {"volume"}}};
  const Cell cell = cells_of(declaration).at(0);
  EXPECT_EQ(cell.spec["seed"], 4294967298);
  EXPECT_EQ(cell.spec["channels"]["step"]["every"], 1'000'000'000);
}

std::string complaint_about_file(const std::string& name, const std::string& text) {
  const auto file = std::filesystem::path(testing::TempDir()) / name;
  std::ofstream(file) << text;
  try {
    load_declaration(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(DeclarationFile, WithASyntaxErrorNamesTheLine) {
  EXPECT_THAT(complaint_about_file("broken.json", "{\"id\": \"a/broken\",\n \"doc\": }"),
              AllOf(HasSubstr("broken.json"), HasSubstr("line 2")));
}

TEST(DeclarationFile, WithAKeyTwiceIsRefused) {
  EXPECT_THAT(complaint_about_file("twice.json", R"({"seed": 1, "seed": 2})"), HasSubstr("key \"seed\" appears twice"));
}

TEST(DeclarationFile, WithBracketsWithoutEndIsRefused) {
  EXPECT_THAT(complaint_about_file("deep.json", std::string(100'000, '[')), HasSubstr("more than 64 deep"));
  EXPECT_THAT(complaint_about_file("deep_objects.json",
                                   [] {
                                     std::string text;
                                     for (int i = 0; i < 100'000; ++i) text += "{\"a\":";
                                     return text;
                                   }()),
              HasSubstr("more than 64 deep"));
}

TEST(DeclarationFile, WithANumberThatIsNotFiniteIsRefused) {
  EXPECT_THAT(complaint_about_file("infinite.json", R"({"seed": 1e999})"), HasSubstr("expected a finite number"));
  const std::string digits = complaint_about_file("digits.json", "{\"seed\": " + std::string(100'000, '9') + "}");
  EXPECT_THAT(digits, HasSubstr("expected a finite number"));
  EXPECT_LT(digits.size(), 500u);
  EXPECT_THAT(complaint_about_file("large.json", R"({"seed": 18446744073709551615})"), HasSubstr("below 2^63"));
}

TEST(DeclarationFile, WithAMillionSeedsIsRefused) {
  std::string text = R"({"ensemble": {"seeds": [0)";
  for (int i = 1; i < 1'000'000; ++i) text += "," + std::to_string(i);
  EXPECT_THAT(complaint_about_file("seeds.json", text + "]}}"), HasSubstr("more than 100000 values"));
}

TEST(DeclarationFile, WithManyMethodsIsRefusedAtOnce) {
  std::string text = R"({"methods": [{"method": "m0"})";
  for (int i = 1; i < 100'000; ++i) text += R"(, {"method": "m)" + std::to_string(i) + "\"}";
  const std::clock_t start = std::clock();
  EXPECT_THAT(complaint_about_file("methods.json", text + "]}"), HasSubstr("more than 100000 values"));
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 5.0);
}

TEST(DeclarationFile, ThatIsAPipeIsNotWaitedFor) {
  const auto pipe = std::filesystem::path(testing::TempDir()) / "pipe.json";
  std::filesystem::remove(pipe);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(load_declaration(pipe), InputError);
  std::filesystem::remove(pipe);
}

TEST(Assignment, IsBoundedLikeAFile) {
  EXPECT_THROW(parse_assignment("scene.parameters.length_m=" + std::string(1000, '[') + std::string(1000, ']')),
               InputError);
  EXPECT_THROW(parse_assignment("scene.parameters.name=\xff"), InputError);
}

TEST(DeclarationFile, IsCalledAsItsId) {
  EXPECT_THAT(complaint_about_file("other_name.json", small_declaration().dump()),
              AllOf(HasSubstr("/id"), HasSubstr("other_name")));
}

TEST(DeclarationFile, MissingIsSaid) {
  EXPECT_THROW(load_declaration("no_such_folder/no_such_file.json"), InputError);
}

}  // namespace
}  // namespace deformbench::harness::test
