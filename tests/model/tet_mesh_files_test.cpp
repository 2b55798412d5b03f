// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <random>
#include <set>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/hexahedra.hpp"
#include "methods/model/mesh_checks.hpp"
#include "methods/model/mesh_files/mesh_files.hpp"
#include "methods/model/structured.hpp"
#include "methods/model/subdivision.hpp"
#include "tests/model/sample_mesh_files.hpp"

namespace deformbench::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TetMeshFiles : public FileTest {
 protected:
  TetMeshFile read(const SampleFile& sample, const TetMeshReadOptions& options = {}) const {
    if (!sample.beside_name.empty()) write(sample.beside_name, sample.beside_content);
    return read_tet_mesh(write(sample.name, sample.content), options);
  }
};

TEST_F(TetMeshFiles, ReadTheSameMeshFromEveryFormat) {
  const TetMesh mesh = irregular_mesh();
  for (const SampleFile& sample : tet_mesh_samples(mesh)) {
    SCOPED_TRACE(sample.name);
    const TetMeshFile file = read(sample);
    EXPECT_EQ(file.format, sample.format);
    EXPECT_EQ(file.mesh.rest_positions, mesh.rest_positions);
    EXPECT_EQ(file.mesh.tetrahedra, mesh.tetrahedra);
    EXPECT_EQ(file.flipped_elements, 0);
    EXPECT_NO_THROW(require_simulatable(file.mesh, file.source));
  }
}

/// Nodes of elements in the order of a format, which has the edges of the last six.
std::string ten_nodes(const TetMesh& fine, const int (&edges)[6][2], const std::string& before, int base) {
  const QuadraticTetrahedra nodes = quadratic_tetrahedra(fine);
  std::string text;
  for (Eigen::Index e = 0; e < nodes.rows(); ++e) {
    text += fmt::format(fmt::runtime(before), e + 1, 1 + e % 2);
    for (int k = 0; k < 4; ++k) text += fmt::format(" {}", nodes(e, k) + base);
    for (const auto& ends : edges)
      for (int k = 0; k < 6; ++k) {
        const auto [a, b] = kEdgesOfTetrahedron[std::size_t(k)];
        if (std::minmax(a, b) == std::minmax(ends[0], ends[1])) text += fmt::format(" {}", nodes(e, 4 + k) + base);
      }
    text += "\n";
  }
  return text;
}

TEST_F(TetMeshFiles, ReadStraightTetrahedraOfTenNodesAsTheirEightParts) {
  const TetMesh coarse = irregular_mesh(), fine = subdivide(coarse);
  const int gmsh[6][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {2, 3}, {1, 3}};
  const int vtk[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  for (const char* digits : {"{:.17g} {:.17g} {:.17g}\n", "{:.6g} {:.6g} {:.6g}\n"}) {
    const auto place = [&](Eigen::Index v) {
      return fmt::format(fmt::runtime(digits), fine.rest_positions(v, 0), fine.rest_positions(v, 1),
                         fine.rest_positions(v, 2));
    };
    std::string m = fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", fine.vertex_count());
    std::string v = fmt::format("# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n",
                                fine.vertex_count());
    for (Eigen::Index i = 0; i < fine.vertex_count(); ++i) m += fmt::format("{} ", i + 1) + place(i), v += place(i);
    const Eigen::Index count = coarse.element_count();
    m += fmt::format("$EndNodes\n$Elements\n{}\n", count) + ten_nodes(fine, gmsh, "{} 11 1 {}", 1) + "$EndElements\n";
    v += fmt::format("CELLS {} {}\n", count, 11 * count) + ten_nodes(fine, vtk, "10", 0);
    v += fmt::format("CELL_TYPES {}\n", count);
    for (Eigen::Index e = 0; e < count; ++e) v += "24\n";
    for (const auto& [name, content] : {std::pair("a.msh", m), std::pair("a.vtk", v)}) {
      SCOPED_TRACE(name);
      const TetMeshFile file = read({name, content, ""});
      EXPECT_EQ(file.mesh.tetrahedra, fine.tetrahedra);
      EXPECT_LT((file.mesh.rest_positions - fine.rest_positions).cwiseAbs().maxCoeff(), 1e-5);
      EXPECT_EQ(quadratic_tetrahedra(file.mesh), quadratic_tetrahedra(fine));
      if (name == std::string("a.msh")) {
        ASSERT_EQ(file.element_regions.size(), std::size_t(fine.element_count()));
        for (std::size_t e = 0; e < file.element_regions.size(); ++e)
          EXPECT_EQ(file.element_regions[e], 1 + int(e / 8 % 2));
      }
    }
  }
}

/// Corners of each element, bit k the coordinate along axis k, in the formats' order after a rotation of the element.
std::vector<std::array<int, 8>> turned_at_random(const Hexahedra& elements) {
  constexpr std::size_t kOrder[8] = {0, 1, 3, 2, 4, 5, 7, 6};
  std::mt19937 random(7);
  std::vector<std::array<int, 8>> turned;
  for (Eigen::Index e = 0; e < elements.rows(); ++e) {
    const int shift = int(random() % 3), mirrored = int(random() % 4);
    std::array<int, 8> corners{};
    for (int a = 0; a < 8; ++a) {
      const int flipped = a ^ (mirrored == 0 ? 0 : mirrored == 1 ? 3 : mirrored == 2 ? 5 : 6);  // two axes
      const int b = (flipped << shift | flipped >> (3 - shift)) & 7;
      corners[kOrder[std::size_t(a)]] = elements(e, b);
    }
    turned.push_back(corners);
  }
  return turned;
}

TEST_F(TetMeshFiles, CutHexahedraOfALatticeIntoTetrahedraThatFitTogether) {
  TetMesh lattice = make_block({4, 3, 2}, {0, 0, 0}, {4, 3, 2}, BlockSplit::KuhnSix);
  const Hexahedra elements = hexahedra(lattice);
  std::mt19937 random(8);
  for (Eigen::Index v = 0; v < lattice.vertex_count(); ++v)
    for (int k = 0; k < 3; ++k) lattice.rest_positions(v, k) += 0.15 * (double(random()) / 4294967296.0 - 0.5);
  std::string m = fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", lattice.vertex_count());
  std::string v = fmt::format("# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n",
                              lattice.vertex_count());
  for (Eigen::Index i = 0; i < lattice.vertex_count(); ++i) {
    const auto x = lattice.rest_positions.row(i);
    m += fmt::format("{} {} {} {}\n", i + 1, x[0], x[1], x[2]), v += fmt::format("{} {} {}\n", x[0], x[1], x[2]);
  }
  m += fmt::format("$EndNodes\n$Elements\n{}\n", elements.rows());
  v += fmt::format("CELLS {} {}\n", elements.rows(), 9 * elements.rows());
  int number = 0;
  for (const std::array<int, 8>& corners : turned_at_random(elements)) {
    ++number;
    m += fmt::format("{} 5 1 {}", number, 1 + number % 2), v += "8";
    for (const int corner : corners) m += fmt::format(" {}", corner + 1), v += fmt::format(" {}", corner);
    m += "\n", v += "\n";
  }
  m += "$EndElements\n", v += fmt::format("CELL_TYPES {}\n", elements.rows());
  for (Eigen::Index e = 0; e < elements.rows(); ++e) v += "12\n";

  for (const auto& [name, content] : {std::pair("a.msh", m), std::pair("a.vtk", v)}) {
    SCOPED_TRACE(name);
    const TetMeshFile file = read({name, content, ""});
    EXPECT_THAT(file.notes, ::testing::Contains("24 hexahedra cut into six tetrahedra each"));
    EXPECT_NO_THROW(require_simulatable(file.mesh, file.source));
    const Hexahedra found = hexahedra(file.mesh);
    ASSERT_EQ(found.rows(), elements.rows());
    for (Eigen::Index e = 0; e < found.rows(); ++e)
      EXPECT_EQ(std::set<int>(found.row(e).begin(), found.row(e).end()),
                std::set<int>(elements.row(e).begin(), elements.row(e).end()));
    // 52 quadrilaterals outside; cuts that do not fit would leave more triangles.
    EXPECT_EQ(boundary_surface(file.mesh).surface.triangle_count(), 2 * 52);
    EXPECT_EQ(file.element_regions.empty(), name == std::string("a.vtk"));
  }
}

TEST_F(TetMeshFiles, ReadBackWhatWasWrittenBitForBit) {
  TetMesh mesh = irregular_mesh();
  mesh.rest_positions.row(0) << 1e-300, -0.0, 123456789.12345678;
  for (const std::string name : {"a.mesh", "a.vtk", "a.vt", "a.node", "b.ele", "c.VTK"}) {
    SCOPED_TRACE(name);
    write_tet_mesh(path(name), mesh);
    const TetMeshFile file = read_tet_mesh(path(name), {.reorient = false});
    EXPECT_EQ(file.mesh.rest_positions, mesh.rest_positions);
    EXPECT_EQ(file.mesh.tetrahedra, mesh.tetrahedra);
  }
}

TEST_F(TetMeshFiles, ReorientElementsAndSayHowMany) {
  TetMesh mesh = irregular_mesh();
  for (const Eigen::Index e : {0, 3, 4}) std::swap(mesh.tetrahedra(e, 1), mesh.tetrahedra(e, 2));
  for (const SampleFile& sample : tet_mesh_samples(mesh)) {
    SCOPED_TRACE(sample.name);
    const TetMeshFile file = read(sample);
    EXPECT_EQ(file.flipped_elements, 3);
    EXPECT_THAT(file.notes,
                ::testing::Contains(HasSubstr(fmt::format("3 of {} tetrahedra reoriented", mesh.element_count()))));
    EXPECT_NO_THROW(require_simulatable(file.mesh, file.source));
    EXPECT_EQ(read(sample, {.reorient = false}).mesh.tetrahedra, mesh.tetrahedra);
  }
}

TEST_F(TetMeshFiles, KeepRegionNumbers) {
  const TetMesh mesh = make_block({1, 1, 1}, {0, 0, 0}, {1, 1, 1});
  EXPECT_THAT(read(netgen_vol_sample(mesh)).element_regions, ElementsAre(1, 2, 1, 2, 1));
  EXPECT_THAT(read(tetgen_sample(mesh, 1)).element_regions, ElementsAre(10, 11, 12, 10, 11));
  EXPECT_THAT(read(gmsh_2_sample(mesh)).element_regions, ElementsAre(1, 2, 1, 2, 1));
  EXPECT_THAT(read(gmsh_2_binary_sample(mesh)).element_regions, ElementsAre(1, 2, 1, 2, 1));
  EXPECT_THAT(read(medit_sample(mesh)).element_regions, IsEmpty());  // all the same
}

TEST_F(TetMeshFiles, KeepGroupsOfFaces) {
  const TetMesh mesh = unit_tetrahedron();
  const auto first_face = [&](const SampleFile& sample) {
    const auto faces = read(sample).faces;
    return faces.empty()
               ? std::vector<int>{}
               : std::vector{faces[0].vertices[0], faces[0].vertices[1], faces[0].vertices[2], faces[0].group};
  };
  for (const SampleFile& sample : {netgen_vol_sample(mesh), netgen_neutral_sample(mesh), medit_sample(mesh),
                                   gmsh_2_sample(mesh), gmsh_2_binary_sample(mesh), gmsh_4_sample(mesh)}) {
    SCOPED_TRACE(sample.name);
    EXPECT_THAT(first_face(sample), ElementsAre(0, 1, 2, 5));
  }
  for (const int base : {0, 1}) {
    const SampleFile sample = tetgen_sample(mesh, base);
    EXPECT_THAT(first_face(sample), IsEmpty());
    const std::string face = fmt::format("from_{}.face", base);
    write(face, fmt::format("1 1\n{} {} {} {} 5\n", base, base, base + 1, base + 2));
    EXPECT_THAT(first_face(sample), ElementsAre(0, 1, 2, 5));
    write(face, fmt::format("1 0\n{} {} {} {}\n", base, base, base + 1, base + 2));
    EXPECT_THAT(first_face(sample), IsEmpty());
    write(face, fmt::format("1 1\n{} {} {} 9 5\n", base, base, base + 1));
    EXPECT_THAT(input_error_of([&] { read(sample); }), HasSubstr(face + ":2: face"));
  }
}

TEST_F(TetMeshFiles, SayWhatTheyLeaveOut) {
  const TetMesh mesh = unit_tetrahedron();
  EXPECT_THAT(read(medit_sample(mesh)).notes, ElementsAre("1 Corners left out"));
  EXPECT_THAT(read(gmsh_2_sample(mesh)).notes,
              ElementsAre("1 points, lines and faces that are no linear triangles left out"));
  EXPECT_THAT(read(vtk_sample(mesh)).notes, ElementsAre("1 points, lines and faces left out"));
}

TEST_F(TetMeshFiles, KnowTheLinesForTheChecks) {
  const std::string file =
      write("flat.mesh", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 0\n\nt 0 1 2 3\n# flat\nt 0 1 2 4\n");
  const TetMeshFile read = read_tet_mesh(file);
  EXPECT_THAT(input_error_of([&] { require_simulatable(read.mesh, read.source); }),
              HasSubstr("flat.mesh:9: tetrahedron 1 (0, 1, 2, 4) is flat: volume 0 m³"));
  write("one.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 1 1 0\n");
  const TetMeshFile tetgen = read_tet_mesh(write("one.ele", "1 4 0\n0 0 1 2 3\n"));
  EXPECT_THAT(input_error_of([&] { require_simulatable(tetgen.mesh, tetgen.source); }),
              HasSubstr("one.ele:2: tetrahedron 0"));
}

TEST_F(TetMeshFiles, ReadNetgensNeutralFormatWithItsOwnOrientation) {
  // Netgen's order of the unit tetrahedron: negative volume in this project's convention.
  const TetMeshFile file = read_tet_mesh(write("cube.neu", "4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1\n1 1 3 2 4\n0\n"));
  EXPECT_EQ(file.format, "netgen_neutral");
  EXPECT_EQ(file.flipped_elements, 1);
  EXPECT_NEAR(total_volume(file.mesh, file.mesh.rest_positions), 1.0 / 6, 1e-16);
}

}  // namespace
}  // namespace deformbench::model
