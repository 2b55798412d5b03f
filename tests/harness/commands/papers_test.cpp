// SPDX-License-Identifier: BSD-3-Clause
// Papers outside the tree: found by --papers and DEFORMBENCH_PAPERS, run like ours, refused in one line.
#include "tests/harness/commands/command_runner.hpp"

namespace deformbench::harness::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Papers : public CommandTest {
 protected:
  /// A paper with one experiment of one cell, and one claim, in folder_/<folder>.
  void write_paper(const std::string& folder, const std::string& name, const std::string& claim = "OUT-01") const {
    fs::create_directories(folder_ / folder / "declarations");
    write(folder + "/paper.json", {{"paper", name}, {"short", name}, {"citation", "A paper."}});
    write(folder + "/claims.json",
          {{"paper", name},
           {"claims",
            json::array({{{"id", claim}, {"statement", "It falls."}, {"experiments", {name + "/outside_fall"}}}})}});
    write(folder + "/declarations/outside_fall.json",
          {{"id", name + "/outside_fall"},
           {"doc", "A tetrahedron on its own."},
           {"scene", {{"name", "single_tetrahedron"}}},
           {"methods", json::array({{{"method", "linear_fem"}}})},
           {"schedule", {{"steps", 2}}},
           {"channels", {{"step", {{"names", {"volume"}}}}}},
           {"tiers", {{"smoke", json::object()}, {"paper", json::object()}}}});
  }
  void write(const std::string& file, const json& content) const { std::ofstream(folder_ / file) << content; }
};

TEST_F(Papers, OfAFolderOutsideTheTreeAreListedDescribedAndRun) {
  write_paper("mine/first", "first_paper");
  EXPECT_THAT(deformbench("list experiments --papers mine").out,
              AllOf(HasSubstr("first_paper/outside_fall"), HasSubstr("cross/ms_per_step")));
  EXPECT_THAT(deformbench("list claims --papers mine").out, HasSubstr("OUT-01"));
  EXPECT_THAT(deformbench("describe outside_fall --papers mine").out, HasSubstr("OUT-01"));
  const CommandEnd end = deformbench("run outside_fall --papers mine --tier smoke --out out --quiet");
  EXPECT_EQ(end.exit_code, 0) << end.err;
  ASSERT_EQ(traces().size(), 1u);
  EXPECT_THAT(traces().front().string(), HasSubstr("out/first_paper/outside_fall/"));
  EXPECT_THAT(deformbench("status --papers mine --paper first_paper --tier smoke --out out").out,
              AllOf(HasSubstr("1 completed"), Not(HasSubstr("ms_per_step"))));
}

TEST_F(Papers, MayHaveTheirDeclarationsInAFolderCalledExperiments) {
  write_paper("mine", "first_paper");
  const std::string before = deformbench("run outside_fall --papers mine --dry-run --json").out;
  fs::rename(folder_ / "mine" / "declarations", folder_ / "mine" / "experiments");
  EXPECT_EQ(deformbench("run outside_fall --papers mine --dry-run --json").out, before);
  EXPECT_THAT(before, HasSubstr("first_paper/outside_fall"));
}

TEST_F(Papers, AreAlsoNamedByTheEnvironmentAndMayBeThePaperItself) {
  write_paper("first", "first_paper");
  write_paper("second", "second_paper", "OUT-02");
  const std::string command = "DEFORMBENCH_PAPERS=first " DEFORMBENCH_EXECUTABLE " list experiments --papers second";
  EXPECT_THAT(shell(command).out, AllOf(HasSubstr("first_paper/outside_fall"), HasSubstr("second_paper/outside_fall")));
  const CommandEnd end =
      deformbench("run --paper second_paper --papers first --papers second --papers second --dry-run");
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.out, AllOf(HasSubstr("second_paper/outside_fall"), Not(HasSubstr("first_paper"))));
  const auto planned = [&](const std::string& words) {
    return deformbench("run --papers first --paper first_paper --dry-run " + words);
  };
  write("first/declarations/rest.json", [&] {
    json other = json::parse(contents(folder_ / "first/declarations/outside_fall.json"));
    other["id"] = "first_paper/rest";
    return other;
  }());
  EXPECT_THAT(planned("").out, AllOf(HasSubstr("outside_fall"), HasSubstr("first_paper/rest")));
  EXPECT_THAT(planned("rest").out, AllOf(Not(HasSubstr("outside_fall")), HasSubstr("first_paper/rest")));
  EXPECT_THAT(planned("ms_per_step").err, HasSubstr("unknown experiment \"ms_per_step\" of first_paper"));
  EXPECT_EQ(deformbench("list experiments --papers first").exit_code, 0);
  EXPECT_THAT(deformbench("list experiments").out, Not(HasSubstr("outside_fall")));
}

/// One line on stderr with these words, and exit code 2.
testing::Matcher<const CommandEnd&> refused(const std::string& words) {
  return AllOf(testing::Field(&CommandEnd::exit_code, 2),
               testing::Field(
                   &CommandEnd::err,
                   AllOf(HasSubstr(words),
                         testing::ResultOf(
                             [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }, 1))));
}

TEST_F(Papers, WithANameOrAClaimThatIsTakenAreRefusedInOneLine) {
  write_paper("first", "first_paper");
  write_paper("again", "first_paper", "OUT-02");
  EXPECT_THAT(deformbench("list experiments --papers first --papers again"), refused("first_paper: is in "));
  write_paper("again", "second_paper");
  EXPECT_THAT(deformbench("list claims --papers first --papers again"), refused("claim OUT-01: is in "));
  write_paper("ours", "cross");
  EXPECT_THAT(deformbench("run outside_fall --papers ours"), refused("paper cross: is in "));
}

TEST_F(Papers, ThatCannotBeReadAreRefusedInOneLine) {
  EXPECT_THAT(deformbench("list experiments --papers nowhere"), refused("no such folder"));
  EXPECT_THAT(deformbench("list experiments --papers ."), refused("expected a paper"));
  EXPECT_THAT(deformbench("list experiments --papers a:b"), refused("no colon"));
  write_paper("first", "First Paper");
  EXPECT_THAT(deformbench("list experiments --papers first"), refused("/paper: got \"First Paper\""));
  write_paper("first", "first_paper");
  write("first/claims.json", {{"claims", {{{"id", 7}}}}});
  EXPECT_THAT(deformbench("list claims --papers first"), refused("claims.json: expected"));
}

}  // namespace
}  // namespace deformbench::harness::test
