// SPDX-License-Identifier: BSD-3-Clause
// Files that are wrong in one way each, and what the readers must say about them.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/mesh_files/mesh_files.hpp"
#include "tests/model/sample_mesh_files.hpp"

namespace deformbench::model {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class BadMeshFiles : public FileTest {
 protected:
  std::string complaint(const std::string& name, const std::string& content) const {
    const std::string file = write(name, content);
    const std::string extension = std::filesystem::path(name).extension().string();
    const bool surface = extension == ".obj" || extension == ".ply" || extension == ".stl" || extension == ".off";
    return input_error_of([&] {
      if (surface)
        read_triangle_mesh(file);
      else
        read_tet_mesh(file);
    });
  }
  /// The file is named with its folder; `expected` begins at its name.
  void expect_complaint(const std::string& name, const std::string& content, const std::string& expected) const {
    EXPECT_EQ(complaint(name, content), path("") + expected) << content;
  }
};

const std::string kVertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";

TEST_F(BadMeshFiles, OfTheAssignmentAreNamedWithTheirLine) {
  expect_complaint("a.mesh", kVertices + "t 0 1 2 4\n",
                   "a.mesh:5: tetrahedron 0 has vertex 4, expected 0 … 3 (the file has 4 vertices, counted from 0)");
  expect_complaint("a.mesh", kVertices + "t 0 1 2 -1\n",
                   "a.mesh:5: tetrahedron 0 has vertex -1, expected 0 … 3 (the file has 4 vertices, counted from 0)");
  expect_complaint("a.mesh", kVertices + "t 0 1 2\n",
                   "a.mesh:5: the line ends, expected four vertex indices counted from 0");
  expect_complaint("a.mesh", kVertices + "t 0 1 2 3 4\n", "a.mesh:5: unexpected '4', expected four vertex indices");
  expect_complaint("a.mesh", "v 0 0 0\nv 1 nan 0\n", "a.mesh:2: 'nan' is not finite, expected a y coordinate");
  expect_complaint("a.mesh", "v 0 0 1e999\n", "a.mesh:1: '1e999' is not finite, expected a z coordinate");
  expect_complaint("a.mesh", "v 0 zero 0\n", "a.mesh:1: 'zero' is not a number, expected a y coordinate");
  expect_complaint("a.mesh", "v 0 0\n", "a.mesh:1: the line ends, expected a z coordinate");
  expect_complaint("a.mesh", kVertices + "t 0 1 2 3.5\n",
                   "a.mesh:5: '3.5' is not an integer, expected four vertex indices counted from 0");
  expect_complaint("a.mesh", kVertices + "f 0 1 2\n",
                   "a.mesh:5: line starts with 'f', expected 'v x y z' (a vertex) or 't i j k l' (a tetrahedron)");
  expect_complaint("a.mesh", kVertices, "a.mesh:4: no tetrahedra, expected at least one line 't i j k l'");
  expect_complaint("a.mesh", "v 0 0 0\r\nv 1 0 0 0\r\n", "a.mesh:2: unexpected '0', expected three coordinates");
}

TEST_F(BadMeshFiles, OfNetgenAreNamedWithTheirLine) {
  expect_complaint("a.vol", "mesh3d\nvolumeelements\n1\n1 10 1 2 3 4 5 6 7 8 9 10\npoints\n0\n",
                   "a.vol:4: volume element 1 has 10 vertices, expected 4 (linear tetrahedra only)");
  expect_complaint("a.vol", "mesh3d\nvolumeelements\n1\n1 4 1 2 3 4\n",
                   "a.vol:4: the file has no section 'points', expected the section 'points' after the elements");
  expect_complaint("a.vol", "mesh3d\npoints\n1\n0 0 0\n",
                   "a.vol:4: the file has no section 'volumeelements', expected a volume mesh (mesh3d)");
  expect_complaint("a.vol", "mesh3d\nvolumeelements\n1\n1 4 1 2 3 9\npoints\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n",
                   "a.vol:4: tetrahedron 1 has vertex 9, expected 1 … 4");
  expect_complaint("a.vol", "mesh3d\nvolumeelements\n1\n1 4 1 2 3 4\npoints\n4\n0 0 0\n1 0 0\n0 1 0            \n",
                   "a.vol:9: the file ends after 3 of 4 points, expected the others");
  expect_complaint("a.neu", "3\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1\n1 1 2 3 4\n",
                   "a.neu:5: unexpected '0', expected the number of volume elements alone (is the number of "
                   "nodes right?)");
  expect_complaint("a.neu", "4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1\n1 1 2 3 0\n",
                   "a.neu:7: tetrahedron 1 has vertex 0, expected 1 … 4");
}

TEST_F(BadMeshFiles, OfTetgenAreNamedWithTheFileOfThePair) {
  const std::string nodes = "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
  write("a.node", nodes);
  expect_complaint("a.ele", "1 4 0\n1 1 2 3 5\n", "a.ele:2: tetrahedron 1 has vertex 5, expected 1 … 4");
  expect_complaint("a.ele", "1 10 0\n1 1 2 3 4 5 6 7 8 9 10\n",
                   "a.ele:1: tetrahedra have 10 vertices, expected 4 (linear tetrahedra only)");
  expect_complaint("a.ele", "2 4 0\n1 1 2 3 4\n          ",
                   "a.ele:3: the file ends after 1 of 2 tetrahedra, expected the others");
  write("a.ele", "1 4 0\n1 1 2 3 4\n");
  expect_complaint("a.node", "4 2 0 0\n",
                   "a.node:1: the number of vertices is 4, more than the rest of the file can hold (it "
                   "is truncated, or the number is wrong), expected at most 1");
  expect_complaint("a.node", "1 2 0 0\n1 0 0 0\n", "a.node:1: the dimension is 2, expected 3");
  expect_complaint("a.node", "2 3 0 0\n1 0 0 0\n3 1 0 0\n", "a.node:3: vertex number 3, expected 2, consecutive");
  expect_complaint("a.node", "2 3 0 0\n7 0 0 0\n8 1 0 0\n", "a.node:2: the first vertex has number 7, expected 0 or 1");
  write("b.node", nodes);
  EXPECT_THAT(input_error_of([&] { read_tet_mesh(path("b.node")); }),
              HasSubstr("b.ele: cannot be opened, expected a readable"));
}

TEST_F(BadMeshFiles, OfMeditAreNamedWithTheirLine) {
  const std::string head = "MeshVersionFormatted 2\nDimension 3\n";
  const std::string vertices = "Vertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n";
  expect_complaint("a.mesh", head + vertices + "End\n", "a.mesh:9: the file has no section 'Tetrahedra', expected one");
  expect_complaint("a.mesh", head + "Tetrahedra\n1\n1 2 3 4 0\nEnd\n",
                   "a.mesh:6: the file has no section 'Vertices', expected one");
  expect_complaint("a.mesh", head + vertices + "Tetrahedra\n1\n1 2 3 5 0\nEnd\n",
                   "a.mesh:11: tetrahedron 1 has vertex 5, expected 1 … 4");
  expect_complaint("a.mesh", head + vertices + "Tetrahedra\n1\n1 2 3 4 0\nTriangles\n1\n1 2 5 0\nEnd\n",
                   "a.mesh:14: triangle 1 has vertex 5, expected 1 … 4");
  expect_complaint("a.mesh", head + vertices + "Hexahedra\n1\n1 2 3 4 1 2 3 4 0\nEnd\n",
                   "a.mesh:10: 1 Hexahedra, expected Tetrahedra only");
  expect_complaint("a.mesh", "MeshVersionFormatted 2\nDimension 2\n", "a.mesh:2: the dimension is 2, expected 3");
  expect_complaint(
      "a.mesh", head + "Vertizes\n4\n",
      "a.mesh:3: unknown keyword 'Vertizes', expected a MEDIT section such as Vertices, Tetrahedra or End");
  expect_complaint("a.mesh", head + "Vertices\n1\n0 0 x 0\n", "a.mesh:5: 'x' is not a number, expected a z coordinate");
  expect_complaint("a.mesh", head + "Vertices\n999999999\n0 0 0 0\n",
                   "a.mesh:4: the number of vertices is 999999999, more than the rest of the file can hold "
                   "(it is truncated, "
                   "or the number is wrong), expected at most 1");
}

TEST_F(BadMeshFiles, OfGmshAreNamedWithTheirLine) {
  const std::string head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
  const std::string nodes = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n";
  expect_complaint("a.msh", "$MeshFormat\n3.0 0 8\n", "a.msh:2: the format version is '3.0', expected 2.2 or 4.1");
  expect_complaint("a.msh", "mesh\n", "a.msh:1: the file does not begin with $MeshFormat, expected a Gmsh mesh (.msh)");
  expect_complaint("a.msh", head + nodes, "a.msh:10: the file has no section $Elements, expected one");
  expect_complaint(
      "a.msh", head + nodes + "$Elements\n1\n1 6 0 1 2 3 4 1 2\n$EndElements\n",
      "a.msh:13: element type 6, expected 4 or 11 (tetrahedra of 4 or 10 nodes) or 5 (hexahedra); triangles, 2, are "
      "boundaries; other points, lines and faces are left out");
  expect_complaint("a.msh", head + nodes + "$Elements\n1\n1 11 0 1 2 3 4 1 2 3 4 1 1\n$EndElements\n",
                   "a.msh:13: the node between corners 0 and 1 of a 10-node tetrahedron is 0.5 m beside the middle of "
                   "its edge, expected straight edges");
  expect_complaint("a.msh", head + nodes + "$Elements\n1\n1 4 0 1 2 3 5\n$EndElements\n",
                   "a.msh:13: element 1 has node 5, expected a node of the section $Nodes");
  expect_complaint("a.msh", head + nodes + "$Elements\n1\n1 4 0 1 2 3\n$EndElements\n",
                   "a.msh:13: the line ends, expected the node numbers of an element");
  expect_complaint("a.msh", head + "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n",
                   "a.msh:7: node 1 is defined twice, expected every node once");
  expect_complaint("a.msh", head + "$Nodes\n1\n1 0 0 0\n2 1 0 0\n$EndNodes\n", "a.msh:7: '2', expected $EndNodes");
  expect_complaint("a.msh", head + "$Physical\nabc\n",
                   "a.msh:4: section $Physical has no end, expected $EndPhysical (is the file truncated?)");
  EXPECT_THAT(complaint("b.msh", "$MeshFormat\n2.2 1 8\n\7\7\7\7\n$EndMeshFormat\n"),
              EndsWith("b.msh: byte 24: the byte-order mark is 117901063, expected 1 in either byte order"));
}

TEST_F(BadMeshFiles, OfVtkAreNamedWithTheirLine) {
  const std::string head = "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\n";
  const std::string points = "POINTS 4 float\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n";
  expect_complaint("a.vtk", "vtk\n",
                   "a.vtk:1: the file does not begin with '# vtk DataFile Version', expected a legacy VTK file");
  expect_complaint("a.vtk", "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\n",
                   "a.vtk:4: DATASET POLYDATA, expected UNSTRUCTURED_GRID");
  expect_complaint("a.vtk", head + points + "CELLS 1 5\n4 0 1 2 4\nCELL_TYPES 1\n10\n",
                   "a.vtk:11: cell 0 has vertex 4, expected 0 … 3");
  expect_complaint("a.vtk", head + points + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n14\n",
                   "a.vtk:13: cell 0 has type 14, expected 10 or 24 (tetrahedra of 4 or 10 nodes) or 12 (hexahedra)");
  expect_complaint("a.vtk", head + points + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n12\n",
                   "a.vtk:11: cell 0 has 4 vertices, expected 8");
  const std::string cube = "POINTS 8 float\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n";
  // The second has the first one's faces, one of them turned by a right angle.
  expect_complaint("a.vtk", head + cube + "CELLS 2 18\n8 0 1 2 3 4 5 6 7\n8 0 1 2 3 5 6 7 4\nCELL_TYPES 2\n12\n12\n",
                   "a.vtk:16: hexahedron 2 cannot be cut into tetrahedra as its neighbours are, expected a mesh like a "
                   "lattice, or tetrahedra");
  expect_complaint(
      "a.vtk", head + points + "CELLS 1 11\n10 0 1 2 3 0 1 2 3 0 1\nCELL_TYPES 1\n24\n",
      "a.vtk:11: the node between corners 0 and 1 of a 10-node tetrahedron is 0.5 m beside the middle of its "
      "edge, expected straight edges");
  expect_complaint("a.vtk", head + points + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n24\n",
                   "a.vtk:11: cell 0 has 4 vertices, expected 10");
  expect_complaint("a.vtk", head + points + "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n",
                   "a.vtk:11: cell 0 has 3 vertices, expected 4");
  expect_complaint("a.vtk", head + points + "CELLS 1 5\n4 0 1 2 3\n",
                   "a.vtk:11: the file has no section CELL_TYPES, expected one");
  expect_complaint(
      "a.vtk", head + points + "CELLS 2 5\n4 0 1 2 3\nCELL_TYPES 2\n10\n10\n",
      "a.vtk:11: cell 1 of 2 goes past the 5 integers of CELLS, expected a count and that many vertices for "
      "each cell");
}

TEST_F(BadMeshFiles, OfSurfacesAreNamedWithTheirLine) {
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expect_complaint("a.obj", three + "f 1 2 4\n", "a.obj:4: face 1 has vertex 4, expected 1 … 3 or negative numbers");
  expect_complaint("a.obj", three + "f 0 1 2\n", "a.obj:4: face 1 has vertex 0, expected 1 … 3 or negative numbers");
  expect_complaint("a.obj", three + "f -4 1 2\n",
                   "a.obj:4: face has vertex -4 with 3 vertices before it, expected -3 … -1");
  expect_complaint("a.obj", three + "f 1 2\n", "a.obj:4: face with 2 vertices, expected 3 or more");
  expect_complaint("a.obj", three + "f 1 two 3\n",
                   "a.obj:4: 'two' is not an integer, expected vertex numbers such as 3, 3/1, 3//2 or -1");
  expect_complaint("a.obj", three + "g\nface 1 2 3\n",
                   "a.obj:5: line starts with 'face', expected v, vt, vn, f or another OBJ keyword");
  expect_complaint("a.obj", three, "a.obj: no faces, expected at least one");
  expect_complaint("a.obj", "v 0 inf 0\n", "a.obj:1: 'inf' is not finite, expected a y coordinate");
  expect_complaint("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
                   "a.off:6: face 0 has vertex 3, expected 0 … 2");
  expect_complaint("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n",
                   "a.off:6: face 0 has 2 vertices, expected 3 or more");
  expect_complaint("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n",
                   "a.off:4: the file ends after 2 of 3 vertices, expected the others");
  expect_complaint("a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n",
                   "a.stl:6: 'endloop', expected vertex");
  expect_complaint("a.stl", "solid\nfacet normal 0 0 1\nouter loop\n", "a.stl:3: the file ends, expected vertex");
  expect_complaint("b.stl", std::string(80, ' ') + std::string("\2\0\0\0", 4) + std::string(50, '\0'),
                   "b.stl: byte 84: 2 triangles announced, 50 bytes left, expected 100 bytes (is the file truncated?)");
  expect_complaint("b.stl", "short", "b.stl: byte 0: the file ends 75 bytes early, expected a header of 80 bytes");
}

TEST_F(BadMeshFiles, OfPlyAreNamedWithTheirLineOrByte) {
  const auto header = [](const std::string& format, const std::string& face) {
    return "ply\nformat " + format + " 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n" +
           face + "end_header\n";
  };
  const std::string face = "element face 1\nproperty list uchar int vertex_indices\n";
  expect_complaint("a.ply", "plz\n", "a.ply:1: the file does not begin with 'ply', expected a PLY file");
  expect_complaint("a.ply", header("text", face),
                   "a.ply:2: format 'text', expected ascii, binary_little_endian or binary_big_endian");
  expect_complaint("a.ply", header("ascii", ""), "a.ply:7: the header has no element face, expected one");
  expect_complaint("a.ply", header("ascii", face) + "0 0 0\n3 0 0 1\n",
                   "a.ply:11: face 0 has vertex 1, expected 0 … 0");
  expect_complaint("a.ply", header("ascii", face) + "0 nan 0\n3 0 0 0\n",
                   "a.ply:10: 'nan' is not finite, expected the coordinates of a vertex");
  std::string binary = header("binary_little_endian", face);
  const std::size_t start = binary.size();
  for (const float x : {0.0f, std::numeric_limits<float>::infinity(), 0.0f}) append_bytes(binary, x);
  expect_complaint("b.ply", binary,
                   fmt::format("b.ply: byte {}: a coordinate of vertex 0 is inf, expected a finite number", start + 8));
}

TEST_F(BadMeshFiles, OfUnknownKindAreRefused) {
  expect_complaint("a.mesh", "",
                   "a.mesh:1: the file is empty, expected a mesh that begins with MeshVersionFormatted (MEDIT), v "
                   "or t (assignment), mesh3d (Netgen) or the number of nodes (Netgen neutral)");
  expect_complaint("a.stp", "x",
                   "a.stp: unknown extension '.stp', expected a tetrahedral mesh: .mesh, .vt, .vol, .neu, .txt, "
                   ".node, .ele, .msh or .vtk");
  EXPECT_THAT(input_error_of([&] { read_triangle_mesh(write("a.3ds", "x")); }),
              EndsWith("a.3ds: unknown extension '.3ds', expected a surface: .obj, .ply, .stl or .off"));
  EXPECT_THAT(input_error_of([&] { read_tet_mesh(path("none.mesh")); }),
              EndsWith("none.mesh: cannot be opened, expected a readable mesh file"));
  std::filesystem::create_directories(path("folder.mesh"));
  EXPECT_THAT(input_error_of([&] { read_tet_mesh(path("folder.mesh")); }),
              EndsWith("folder.mesh: is a folder, expected a mesh file"));
  EXPECT_THAT(input_error_of([&] { write_tet_mesh(path("a.abc"), unit_tetrahedron()); }),
              HasSubstr("expected .mesh, .vtk"));
  EXPECT_THAT(input_error_of([&] { write_tet_mesh(path("missing/a.vtk"), unit_tetrahedron()); }),
              EndsWith("a.vtk: cannot be written, expected a writable folder with space"));
}

/// Every reader on every beginning of a sound file: it reads a sound mesh or complains in one line, nothing
/// else.
TEST_F(BadMeshFiles, CutOffAnywhereGiveOneLineOrASoundMesh) {
  const TetMesh mesh = make_block({1, 1, 1}, {0, 0, 0}, {1, 1, 1});
  std::vector<SampleFile> samples = tet_mesh_samples(mesh);
  for (SampleFile& sample : surface_samples(boundary_surface(mesh).surface)) samples.push_back(std::move(sample));
  for (const SampleFile& sample : samples) {
    if (!sample.beside_name.empty()) write(sample.beside_name, sample.beside_content);
    int refused = 0, cuts = 0;
    const std::size_t stride = sample.content.size() / 97 + 1;  // not a divisor of the length of a record
    for (std::size_t size = 0; size < sample.content.size(); size += stride, ++cuts) {
      const std::string message = complaint(sample.name, sample.content.substr(0, size));
      refused += !message.empty();
      ASSERT_THAT(message, Not(HasSubstr("\n"))) << sample.name << " cut at " << size;
      if (message.empty()) continue;
      ASSERT_THAT(message, AllOf(HasSubstr(sample.name.substr(0, sample.name.find('.'))), HasSubstr("expected ")));
    }
    // Formats without counts read a part of the mesh when cut between two lines; most cuts are noticed
    // anyway.
    EXPECT_GT(refused, cuts / 2) << sample.name;
  }
}

/// Fixed random damage, one byte at a time: a mesh or InputError, never a crash or another exception.
TEST_F(BadMeshFiles, WithADamagedByteNeverCrash) {
  const TetMesh mesh = make_block({1, 1, 1}, {0, 0, 0}, {1, 1, 1});
  std::vector<SampleFile> samples = tet_mesh_samples(mesh);
  for (SampleFile& sample : surface_samples(boundary_surface(mesh).surface)) samples.push_back(std::move(sample));
  std::uint64_t state = 1;
  const auto random = [&](std::size_t bound) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return std::size_t(state >> 33) % bound;
  };
  int refused = 0;
  for (const SampleFile& sample : samples) {
    if (!sample.beside_name.empty()) write(sample.beside_name, sample.beside_content);
    for (int trial = 0; trial < 60; ++trial) {
      std::string content = sample.content;
      content[random(content.size())] = char(random(256));
      std::string message;
      ASSERT_NO_THROW(message = complaint(sample.name, content)) << sample.name;
      refused += !message.empty();
    }
  }
  EXPECT_GT(refused, 100);
}

TEST_F(BadMeshFiles, WithBytesThatAreNoTextAreNamedInOneLineOfUtf8) {
  std::string bytes;
  for (int i = 0; i < 4000; ++i) bytes.push_back(char((i * 151 + 7) % 256));
  for (const char* name : {"a.obj", "a.off", "a.ply", "a.mesh", "a.vol", "a.vtk", "a.msh"}) {
    for (const std::string& start :
         {std::string(), std::string("v \xff"), std::string("OFF\n\xc3 2"), std::string("\xe2\x28")}) {
      const std::string message = complaint(name, start + bytes);
      EXPECT_NE(message, "");
      EXPECT_NO_THROW(static_cast<void>(nlohmann::json(message).dump())) << name;
      EXPECT_TRUE(std::none_of(message.begin(), message.end(), [](char c) { return c >= 0 && c < ' '; })) << message;
    }
  }
  EXPECT_THAT(complaint("a.obj", "Größe\n"), HasSubstr("line starts with 'Größe'"));
}

TEST_F(BadMeshFiles, ThatArePipesAreNotWaitedFor) {
  const std::string pipe = path("pipe.obj");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(input_error_of([&] { read_triangle_mesh(pipe); }), pipe + ": is a pipe or a device, expected a mesh file");
}

TEST_F(BadMeshFiles, WithAFaceOfVeryManyCornersAreRefused) {
  std::string text, face = "f";
  for (int i = 1; i <= 100'000; ++i) {
    const double angle = 6.283185307179586 * i / 100'000;
    text += fmt::format("v {} {} 0\n", std::cos(angle), std::sin(angle));
    face += fmt::format(" {}", i);
  }
  expect_complaint("a.obj", text + face + "\n",
                   "a.obj:100001: a face has 100000 corners, expected at most 5000 (cut it into triangles)");
}

}  // namespace
}  // namespace deformbench::model
