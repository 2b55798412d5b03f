// SPDX-License-Identifier: BSD-3-Clause
// Scene files on the command line: exported scenes run to the same bits, and a cell is its scene's content.
#include "experiments/harness/trace/diff.hpp"
#include "tests/harness/commands/command_runner.hpp"

namespace deformbench::harness::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class SceneCommand : public CommandTest {
 protected:
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  static fs::path examples() { return fs::path(DEFORMBENCH_SOURCE_DIR) / "experiments/scenes/examples"; }

  /// The trace that a simulation prints.
  fs::path simulated(const std::string& arguments) const {
    const CommandEnd end = deformbench("simulate --quiet --frames 4 --steps 8 " + arguments);
    EXPECT_EQ(end.exit_code, 0) << arguments << ": " << end.err;
    const auto begin = end.out.rfind(": ");
    return begin == std::string::npos ? fs::path() : fs::path(end.out.substr(begin + 2, end.out.size() - begin - 3));
  }

  /// A declaration beside a copy of an example and of its mesh; ids of its cells.
  std::vector<std::string> cells_of(const std::string& file) const {
    const CommandEnd end = deformbench("run " + file + " --dry-run --json --out out");
    EXPECT_EQ(end.exit_code, 0) << end.err;
    std::vector<std::string> ids;
    for (const json& cell : json::parse(end.out)) ids.push_back(cell["cell_id"]);
    return ids;
  }
  void declare_beam(const std::string& folder) const {
    write(folder + "/beam.json", contents(examples() / "clamped_beam.json"));
    write(folder + "/block.mesh", contents(examples() / "block.mesh"));
    const json declaration = {{"id", "mine/pulled"},
                              {"doc", "A beam of one's own."},
                              {"scene", {{"file", "beam.json"}, {"parameters", {{"density_kg_m3", 900}}}}},
                              {"methods", json::array({{{"method", "linear_fem"}}})},
                              {"sweep", {{"scene.parameters.young_modulus_pa", {1e6, 2e6}}}},
                              {"schedule", {{"duration_s", 0.05}}},
                              {"channels", {{"step", {{"names", {"kinetic_energy"}}}}}},
                              {"tiers", {{"smoke", json::object()}, {"paper", json::object()}}}};
    write(folder + "/pulled.json", declaration.dump());
  }
};

TEST_F(SceneCommand, ExportedScenesRunToTheSameBits) {
  const std::pair<const char*, const char*> runs[] = {{"twisted_bar", "warped_fem"},
                                                      {"step_load_bar", "implicit_fem"},
                                                      {"skinned_block", "linear_fem"},
                                                      {"hanging_cloth", "pbd"},
                                                      {"hung_chain", "xpbd"},
                                                      {"box_on_net", "pbd"},
                                                      {"drop_and_slide", "explicit_fem"}};
  for (const auto& [scene, method] : runs) {
    SCOPED_TRACE(scene);
    const std::string common = std::string(" --method ") + method + " --channels kinetic_energy,centre_of_mass";
    const CommandEnd exported = deformbench(std::string("export-scene ") + scene);
    ASSERT_EQ(exported.exit_code, 0) << exported.err;
    write("exported.json", exported.out);
    const fs::path built = simulated(scene + common + " --out built"),
                   read = simulated("exported.json" + common + " --out read");
    // The spec says that one scene is from a file; a number of the traces that differed in a bit would be listed.
    const auto differences = diff((folder_ / built).string(), (folder_ / read).string(), {});
    ASSERT_EQ(differences.size(), 1u);
    EXPECT_THAT(differences[0].text(), HasSubstr("/provenance attribute spec"));
  }
}

TEST_F(SceneCommand, RunsEveryExample) {
  const std::map<std::string, std::string> method{{"cloth_on_ball", "xpbd"}, {"pendulum_with_box", "pbd"}};
  int count = 0;
  for (const auto& entry : fs::directory_iterator(examples())) {
    if (entry.path().extension() != ".json") continue;
    ++count;
    const auto known = method.find(entry.path().stem().string());
    const fs::path trace = simulated(entry.path().string() + " --channels kinetic_energy --out out --method " +
                                     (known == method.end() ? "warped_fem" : known->second));
    EXPECT_TRUE(fs::exists(folder_ / trace)) << entry.path();
    const CommandEnd again = deformbench("export-scene " + entry.path().string() + " --to 1.json && " +
                                         DEFORMBENCH_EXECUTABLE + " export-scene 1.json --to 2.json");
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(contents(folder_ / "1.json"), contents(folder_ / "2.json")) << entry.path();
  }
  EXPECT_GE(count, 6);
}

TEST_F(SceneCommand, ACellIsTheContentOfItsSceneAndOfItsMesh) {
  declare_beam("here");
  const auto cells = cells_of("here/pulled.json");
  ASSERT_EQ(cells.size(), 2u);
  const CommandEnd run = deformbench("run here/pulled.json --out out --quiet");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(traces().size(), 2u);
  EXPECT_THAT(deformbench("status here/pulled.json --out out").out, HasSubstr("2 completed"));

  declare_beam("elsewhere");  // where the files are does not matter
  EXPECT_EQ(cells_of("elsewhere/pulled.json"), cells);

  std::string mesh = contents(examples() / "block.mesh");
  mesh.replace(mesh.find("1 0.125 0.125"), 13, "1 0.125 0.126");
  write("here/block.mesh", mesh);
  const auto changed = cells_of("here/pulled.json");
  EXPECT_NE(changed[0], cells[0]);
  EXPECT_NE(changed[1], cells[1]);
  EXPECT_THAT(deformbench("status here/pulled.json --out out").out, HasSubstr("2 missing"));
}

TEST_F(SceneCommand, AResolvedCellRefusesAnotherContent) {
  declare_beam("here");
  const CommandEnd plan = deformbench("run here/pulled.json --dry-run --json --out out");
  write("cell.json", json::parse(plan.out)[0]["spec"].dump());
  EXPECT_EQ(deformbench("run cell.json --out out --quiet").exit_code, 0);
  std::string scene = contents(folder_ / "here/beam.json");
  scene.replace(scene.find("-500.0"), 6, "-501.0");
  write("here/beam.json", scene);
  const CommandEnd end = deformbench("run cell.json --out out --quiet");
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.err, HasSubstr("cell.json: /scene/content: got "));
  EXPECT_THAT(end.err, HasSubstr("which have changed"));
}

TEST_F(SceneCommand, SimulateRecordsWhatTheBodyHasAndDescribeShowsParameters) {
  for (const auto& [example, method] : std::vector<std::pair<std::string, std::string>>{
           {"clamped_beam", "linear_fem"}, {"cloth_on_ball", "pbd"}, {"pendulum_with_box", "xpbd"}}) {
    const CommandEnd end = deformbench("simulate " + (examples() / (example + ".json")).string() + " --method " +
                                       method + " --steps 2 --out out --quiet");
    EXPECT_EQ(end.exit_code, 0) << end.err;
  }
  const CommandEnd rigid = deformbench("simulate inclined_plane --method pbd --steps 2 --out out --quiet");
  EXPECT_EQ(rigid.exit_code, 0) << rigid.err;
  const CommandEnd behind = deformbench("simulate --steps 2 --out out --quiet --method linear_fem single_tetrahedron");
  EXPECT_EQ(behind.exit_code, 0) << behind.err;
  const CommandEnd described = deformbench("describe " + (examples() / "two_materials.json").string());
  EXPECT_EQ(described.exit_code, 0) << described.err;
  EXPECT_THAT(described.out, HasSubstr("scene two_materials"));
  EXPECT_THAT(described.out, HasSubstr("stiff_young_modulus_pa = 1000000.0 Pa"));
}

TEST_F(SceneCommand, SimulateSaysWhatAMethodIsKnownToDoWrongOnTheScene) {
  const CommandEnd end =
      deformbench("simulate drop_and_slide --steps 2 --method warped_fem --method implicit_fem --out out");
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.out + end.err, Not(HasSubstr("warning: ")));  // contact is within their solves
  const CommandEnd after = deformbench(
      "simulate drop_and_slide --steps 2 --method warped_fem --set method.parameters.contact_rule=after_solve --out "
      "out");
  EXPECT_EQ(after.exit_code, 0) << after.err;
  EXPECT_THAT(after.out + after.err, HasSubstr("warning: warped_fem: contact acts after the solve"));
}

TEST_F(SceneCommand, BadScenesEndInOneLineAndExitCode2) {
  write("bad.json", R"({"format": "deformbench-scene", "format_version": 1, "name": "bad", "time_step_s": 1e999})");
  write("other.json", R"({"shape": "round"})");
  declare_beam("here");
  std::string unknown = contents(folder_ / "here/pulled.json");
  unknown.replace(unknown.find("beam.json"), 9, "bean.json");
  write("here/pulled.json", unknown);
  for (const auto& [arguments, words] : std::vector<std::pair<std::string, std::string>>{
           {"simulate bad.json --method pbd", "bad.json: /time_step_s: got 1e999, expected a finite number"},
           {"simulate other.json --method pbd", "other.json: /format: missing, expected a scene file"},
           {"simulate absent.json --method pbd", "absent.json: cannot be read"},
           {"simulate --method pbd", "scene is required"},
           {"run here/pulled.json", "bean.json: cannot be read"},
           {"export-scene bra", "unknown scene \"bra\"; did you mean \"bar\""},
           {"export-scene bar --set length_m=-1", "--set/length_m: got -1, expected real > 0.0, m"},
           {"export-scene bar --set lenght_m=1", "did you mean \"length_m\"?"},
           {"export-scene bar --to no/such/folder.json", "--to no/such/folder.json: cannot be written"},
           {"export-scene bar --out bar.json", "got --out bar.json, expected --to bar.json; --out is the folder of"}}) {
    const CommandEnd end = deformbench(arguments + (arguments.starts_with("export") ? "" : " --out out"));
    EXPECT_EQ(end.exit_code, 2) << arguments;
    EXPECT_THAT(end.err, HasSubstr(words));
    EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 1) << end.err;
  }
}

}  // namespace
}  // namespace deformbench::harness::test
