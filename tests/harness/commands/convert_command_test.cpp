// SPDX-License-Identifier: BSD-3-Clause
// `deformbench convert`: what it writes, what it says, what it refuses.
#include <map>

#include "tests/harness/commands/command_runner.hpp"

namespace deformbench::harness::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class ConvertCommand : public CommandTest {
 protected:
  ConvertCommand() { std::ofstream(folder_ / "corner.mesh") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nt 0 1 2 3\n"; }
  std::string text(const std::string& name) const { return contents(folder_ / name); }
};

TEST_F(ConvertCommand, WritesTetrahedraInEveryFormatAndTheirBoundary) {
  const std::map<std::string, std::string> starts = {{"a.mesh", "MeshVersionFormatted 2\n"},
                                                     {"a.vt", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nt 0 1 2 3\n"},
                                                     {"a.vtk", "# vtk DataFile"},
                                                     {"a.node", "4 3 0 0\n0 0 0 0\n"},
                                                     {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf "},
                                                     {"a.off", "OFF\n4 4 0\n"}};
  for (const auto& [name, start] : starts) {
    const CommandEnd end = deformbench("convert corner.mesh " + name);
    EXPECT_EQ(end.exit_code, 0) << end.err;
    EXPECT_EQ(end.err, "");
    EXPECT_THAT(end.out,
                HasSubstr("corner.mesh: assignment_text, 4 vertices, 1 tetrahedra, volume 0.16666666666666666 m³, "
                          "surface 2.36602540378443"));
    EXPECT_THAT(end.out, EndsWith(name + ": written\n"));
    EXPECT_EQ(text(name).substr(0, start.size()), start) << name;
  }
  EXPECT_EQ(text("a.ele"), "1 4 0\n0 0 1 2 3\n");
  EXPECT_EQ(deformbench("convert a.mesh b.mesh --assignment").exit_code, 0);
  EXPECT_EQ(text("b.mesh"), text("a.vt"));
  EXPECT_EQ(deformbench("convert a.obj b.off").exit_code, 0);
  EXPECT_EQ(text("b.off"), text("a.off"));
}

TEST_F(ConvertCommand, TurnsElementsOverAndSaysSo) {
  std::ofstream(folder_ / "over.mesh") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nt 0 1 3 2\n";
  const CommandEnd end = deformbench("convert over.mesh right.vt");
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_THAT(end.out, HasSubstr("1 of 1 tetrahedra reoriented to positive volume"));
  EXPECT_THAT(text("right.vt"), EndsWith("t 0 1 2 3\n"));
  const CommandEnd kept = deformbench("convert over.mesh kept.vt --keep-orientation");
  EXPECT_THAT(text("kept.vt"), EndsWith("t 0 1 3 2\n"));
  EXPECT_THAT(kept.err, HasSubstr("warning: over.mesh:5: tetrahedron 0"));
}

TEST_F(ConvertCommand, WarnsOfWhatIsWrongWithTheMeshByItsLine) {
  std::ofstream(folder_ / "flat.mesh") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 0\nt 0 1 2 3\nt 0 1 2 4\n";
  const CommandEnd end = deformbench("convert flat.mesh flat.vt");
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_THAT(end.err, HasSubstr("warning: flat.mesh:7: tetrahedron 1 (0, 1, 2, 4) is flat"));
}

TEST_F(ConvertCommand, RefusesInOneLineWithExitCode2) {
  std::ofstream(folder_ / "wrong.mesh") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nt 1 2 3 4\n";
  ASSERT_EQ(deformbench("convert corner.mesh there.node").exit_code, 0);
  std::filesystem::remove(folder_ / "there.node");
  ASSERT_EQ(deformbench("convert corner.mesh surface.obj").exit_code, 0);
  const std::map<std::string, std::string> refused = {
      {"wrong.mesh a.vt", "wrong.mesh:5: tetrahedron 0 has vertex 4, expected 0 … 3"},
      {"none.mesh a.vt", "none.mesh: cannot be opened"},
      {"corner.mesh a.stp", "a.stp: cannot write a tetrahedral mesh as '.stp', expected"},
      {"corner.txt2 a.vt", "cannot be opened"},
      {"corner.mesh corner.mesh", "corner.mesh: exists already, expected a new file (--force replaces it)"},
      {"corner.mesh there.node", "there.ele: exists already"},
      {"surface.obj a.vt", "a.vt: cannot be made of a surface, surface.obj"},
      {"corner.mesh a.vtk --assignment", "a.vtk: --assignment and '.vtk', expected .mesh"},
      {"corner.mesh", "output is required"},
  };
  for (const auto& [words, message] : refused) {
    const CommandEnd end = deformbench("convert " + words);
    EXPECT_EQ(end.exit_code, 2) << words;
    EXPECT_THAT(end.err, HasSubstr(message)) << words;
    EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 1) << end.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "a.vt"));
  }
  EXPECT_EQ(deformbench("convert corner.mesh there.ele --force").exit_code, 0);
}

}  // namespace
}  // namespace deformbench::harness::test
