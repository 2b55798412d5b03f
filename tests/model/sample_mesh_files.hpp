// SPDX-License-Identifier: BSD-3-Clause
// Mesh files in every format, made from a mesh by the tests themselves, so that readers are not only tested
// against the project's own writers.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/model/model_test_helpers.hpp"

namespace deformbench::model {

struct SampleFile {
  std::string name;  ///< with the extension that tells the format
  std::string content;
  std::string format;                                 ///< as the reader calls it
  std::string beside_name = {}, beside_content = {};  ///< TetGen's second file
};

inline std::string point_text(const Points& points, Eigen::Index i) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", points(i, 0), points(i, 1), points(i, 2));
}

template <class Elements>
std::string corner_text(const Elements& elements, Eigen::Index e, int base) {
  std::string text;
  for (Eigen::Index k = 0; k < elements.cols(); ++k) text += fmt::format("{}{}", k ? " " : "", elements(e, k) + base);
  return text;
}

inline SampleFile assignment_sample(const TetMesh& m) {
  std::string s = "# bar\n\n";
  for (Eigen::Index v = 0; v < m.vertex_count(); ++v) s += "v " + point_text(m.rest_positions, v) + "\r\n";
  for (Eigen::Index e = 0; e < m.element_count(); ++e) s += "t " + corner_text(m.tetrahedra, e, 0) + "\n";
  return {"sample.mesh", s, "assignment_text"};
}

inline SampleFile netgen_vol_sample(const TetMesh& m) {
  std::string s =
      "mesh3d\ndimension\n3\ngeomtype\n11\n\n# surfnr    bcnr   domin  domout      np      p1      p2      "
      "p3\n"
      "surfaceelements\n1\n 1 5 1 0 3 1 2 3\n\n#  matnr      np      p1      p2      p3      "
      "p4\nvolumeelements\n";
  s += fmt::format("{}\n", m.element_count());
  for (Eigen::Index e = 0; e < m.element_count(); ++e)
    s += fmt::format(" {} 4 {}\n", 1 + e % 2, corner_text(m.tetrahedra, e, 1));
  s += "\n# surfid  0   p1   p2   trignum1    trignum2\nedgesegmentsgi2\n1\n1 0 1 2 1 2 0 0 1 0 0 "
       "0\n\npoints\n";
  s += fmt::format("{}\n", m.vertex_count());
  for (Eigen::Index v = 0; v < m.vertex_count(); ++v) s += "  " + point_text(m.rest_positions, v) + "\n";
  return {"sample.vol", s + "\npointelements\n0\nmaterials\n1\n1 rubber\nendmesh\n", "netgen_vol"};
}

inline SampleFile netgen_neutral_sample(const TetMesh& m) {
  std::string s = fmt::format("{}\n", m.vertex_count());
  for (Eigen::Index v = 0; v < m.vertex_count(); ++v) s += "  " + point_text(m.rest_positions, v) + "\n";
  s += fmt::format("{}\n", m.element_count());
  for (Eigen::Index e = 0; e < m.element_count(); ++e) s += "  1 " + corner_text(m.tetrahedra, e, 1) + "\n";
  return {"neutral.mesh", s + "1\n 5 1 2 3\n", "netgen_neutral"};
}

inline SampleFile tetgen_sample(const TetMesh& m, int base) {
  std::string nodes = fmt::format("# nodes\n{} 3 1 1\n", m.vertex_count());
  for (Eigen::Index v = 0; v < m.vertex_count(); ++v)
    nodes += fmt::format("{} {} 0.5 1\n", v + base, point_text(m.rest_positions, v));
  std::string elements = fmt::format("{} 4 1\n", m.element_count());
  for (Eigen::Index e = 0; e < m.element_count(); ++e) {
    elements += fmt::format("{} {} {}\n", e + base, corner_text(m.tetrahedra, e, base), 10 + e % 3);
  }
  const std::string stem = fmt::format("from_{}", base);
  return {stem + ".ele", elements + "# end\n", "tetgen", stem + ".node", nodes};
}

inline SampleFile medit_sample(const TetMesh& m) {
  std::string s = fmt::format("MeshVersionFormatted 2\n\nDimension 3\n\nVertices\n{}\n", m.vertex_count());
  for (Eigen::Index v = 0; v < m.vertex_count(); ++v) s += point_text(m.rest_positions, v) + "  0\n";
  s += "\nTriangles\n2\n1 2 3 5\n2 3 4 0\n\nCorners 1\n1\nTetrahedra\n" + fmt::format("{}\n", m.element_count());
  for (Eigen::Index e = 0; e < m.element_count(); ++e) s += corner_text(m.tetrahedra, e, 1) + " 7\n";
  return {"medit.mesh", s + "\nEnd\n", "medit"};
}

// Node numbers with gaps, as Gmsh leaves them.
inline int gmsh_tag(int vertex) {
  return 10 + 3 * vertex;
}

inline SampleFile gmsh_2_sample(const TetMesh& m) {
  std::string s = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"solid\"\n$EndPhysicalNames\n$Nodes\n";
  s += fmt::format("{}\n", m.vertex_count());
  for (int v = 0; v < m.vertex_count(); ++v) s += fmt::format("{} {}\n", gmsh_tag(v), point_text(m.rest_positions, v));
  s += fmt::format("$EndNodes\n$Elements\n{}\n1 15 2 0 1 10\n2 2 2 5 1 10 13 16\n", m.element_count() + 2);
  for (Eigen::Index e = 0; e < m.element_count(); ++e) {
    s += fmt::format("{} 4 2 {} 1", e + 3, 1 + e % 2);
    for (int k = 0; k < 4; ++k) s += fmt::format(" {}", gmsh_tag(m.tetrahedra(e, k)));
    s += "\n";
  }
  return {"two.msh", s + "$EndElements\n", "gmsh_2.2_ascii"};
}

inline SampleFile gmsh_2_binary_sample(const TetMesh& m) {
  std::string s = "$MeshFormat\n2.2 1 8\n";
  append_bytes<std::int32_t>(s, 1);
  s += fmt::format("\n$EndMeshFormat\n$Nodes\n{}\n", m.vertex_count());
  for (int v = 0; v < m.vertex_count(); ++v) {
    append_bytes<std::int32_t>(s, gmsh_tag(v));
    for (int k = 0; k < 3; ++k) append_bytes(s, m.rest_positions(v, k));
  }
  s += fmt::format("\n$EndNodes\n$Elements\n{}\n", m.element_count() + 1);
  for (const std::int32_t value : {2, 1, 2, 1, 5, 1, 10, 13, 16}) append_bytes(s, value);  // one triangle
  for (const int value : {4, int(m.element_count()), 2}) append_bytes<std::int32_t>(s, value);
  for (int e = 0; e < m.element_count(); ++e) {
    for (const std::int32_t value : {e + 2, 1 + e % 2, 1}) append_bytes(s, value);
    for (int k = 0; k < 4; ++k) append_bytes<std::int32_t>(s, gmsh_tag(m.tetrahedra(e, k)));
  }
  return {"two_binary.msh", s + "\n$EndElements\n", "gmsh_2.2_binary"};
}

inline SampleFile gmsh_4_sample(const TetMesh& m) {
  const auto n = m.vertex_count();
  // The nodes in two entity blocks; the parametric one carries two more numbers per node.
  std::string s = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 0\n$EndEntities\n$Nodes\n";
  s += fmt::format("2 {} 10 {}\n2 1 1 1\n{}\n{} 0.5 0.5\n3 1 0 {}\n", n, gmsh_tag(int(n) - 1), gmsh_tag(0),
                   point_text(m.rest_positions, 0), n - 1);
  for (int v = 1; v < n; ++v) s += fmt::format("{}\n", gmsh_tag(v));
  for (int v = 1; v < n; ++v) s += point_text(m.rest_positions, v) + "\n";
  s += fmt::format("$EndNodes\n$Elements\n2 {} 1 {}\n2 5 2 1\n1 10 13 16\n3 1 4 {}\n", m.element_count() + 1,
                   m.element_count() + 1, m.element_count());
  for (Eigen::Index e = 0; e < m.element_count(); ++e) {
    s += fmt::format("{}", e + 2);
    for (int k = 0; k < 4; ++k) s += fmt::format(" {}", gmsh_tag(m.tetrahedra(e, k)));
    s += "\n";
  }
  return {"four.msh", s + "$EndElements\n", "gmsh_4.1_ascii"};
}

inline SampleFile gmsh_4_binary_sample(const TetMesh& m, std::endian order) {
  std::string s = "$MeshFormat\n4.1 1 8\n";
  const auto int4 = [&](int value) { append_bytes<std::int32_t>(s, value, order); };
  const auto int8 = [&](Eigen::Index value) { append_bytes<std::int64_t>(s, value, order); };
  int4(1);
  s += "\n$EndMeshFormat\n$Nodes\n";
  for (const Eigen::Index value : {Eigen::Index{1}, m.vertex_count(), Eigen::Index{10}, Eigen::Index{9999}})
    int8(value);
  for (const int value : {3, 1, 0}) int4(value);
  int8(m.vertex_count());
  for (int v = 0; v < m.vertex_count(); ++v) int8(gmsh_tag(v));
  for (Eigen::Index i = 0; i < m.rest_positions.size(); ++i) append_bytes(s, m.rest_positions.data()[i], order);
  s += "\n$EndNodes\n$Elements\n";
  for (const Eigen::Index value : {Eigen::Index{1}, m.element_count(), Eigen::Index{1}, m.element_count()}) int8(value);
  for (const int value : {3, 1, 4}) int4(value);
  int8(m.element_count());
  for (int e = 0; e < m.element_count(); ++e) {
    int8(e + 1);
    for (int k = 0; k < 4; ++k) int8(gmsh_tag(m.tetrahedra(e, k)));
  }
  return {order == std::endian::little ? "four_little.msh" : "four_big.msh", s + "\n$EndElements\n", "gmsh_4.1_binary"};
}

inline SampleFile vtk_sample(const TetMesh& m) {
  const auto cells = m.element_count();
  std::string s = fmt::format(
      "# vtk DataFile Version 4.2\n\nASCII\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\n"
      "TIME 1 1 double\n0.5\nPOINTS {} double\n",
      m.vertex_count());
  for (Eigen::Index v = 0; v < m.vertex_count(); ++v) s += point_text(m.rest_positions, v) + "\n";
  s += fmt::format("METADATA\nINFORMATION 0\n\nCELLS {} {}\n3 0 1 2\n", cells + 1, 5 * cells + 4);
  for (Eigen::Index e = 0; e < cells; ++e) s += "4 " + corner_text(m.tetrahedra, e, 0) + "\n";
  s += fmt::format("\nCELL_TYPES {}\n5\n", cells + 1);
  for (Eigen::Index e = 0; e < cells; ++e) s += "10\n";
  return {"old.vtk", s + "CELL_DATA 1\nSCALARS a float\n", "vtk_legacy_ascii"};
}

inline SampleFile vtk_binary_sample(const TetMesh& m) {
  const auto cells = m.element_count();
  std::string s = fmt::format(
      "# vtk DataFile Version 3.0\ntitle\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n", m.vertex_count());
  for (Eigen::Index i = 0; i < m.rest_positions.size(); ++i)
    append_bytes(s, m.rest_positions.data()[i], std::endian::big);
  s += fmt::format("\nCELLS {} {}\n", cells, 5 * cells);
  for (Eigen::Index e = 0; e < cells; ++e) {
    append_bytes<std::int32_t>(s, 4, std::endian::big);
    for (int k = 0; k < 4; ++k) append_bytes<std::int32_t>(s, m.tetrahedra(e, k), std::endian::big);
  }
  s += fmt::format("\nCELL_TYPES {}\n", cells);
  for (Eigen::Index e = 0; e < cells; ++e) append_bytes<std::int32_t>(s, 10, std::endian::big);
  return {"old_binary.vtk", s + "\n", "vtk_legacy_binary"};
}

inline SampleFile vtk_5_sample(const TetMesh& m, bool binary) {
  const auto cells = m.element_count();
  std::string s =
      fmt::format("# vtk DataFile Version 5.1\nvtk output\n{}\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n",
                  binary ? "BINARY" : "ASCII", m.vertex_count());
  const auto integer = [&](long long value, int size) {
    if (!binary)
      s += fmt::format("{} ", value);
    else if (size == 8)
      append_bytes<std::int64_t>(s, value, std::endian::big);
    else
      append_bytes<std::int32_t>(s, std::int32_t(value), std::endian::big);
  };
  for (Eigen::Index i = 0; i < m.rest_positions.size(); ++i) {
    if (binary)
      append_bytes(s, m.rest_positions.data()[i], std::endian::big);
    else
      s += fmt::format("{:.17g} ", m.rest_positions.data()[i]);
  }
  s += fmt::format("\nMETADATA\nINFORMATION 0\n\nCELLS {} {}\nOFFSETS vtktypeint64\n", cells + 1, 4 * cells);
  for (Eigen::Index e = 0; e <= cells; ++e) integer(4 * e, 8);
  s += "\nCONNECTIVITY vtktypeint64\n";
  for (Eigen::Index i = 0; i < m.tetrahedra.size(); ++i) integer(m.tetrahedra.data()[i], 8);
  s += fmt::format("\nCELL_TYPES {}\n", cells);
  for (Eigen::Index e = 0; e < cells; ++e) integer(10, 4);
  return {binary ? "new_binary.vtk" : "new.vtk", s + "\n", binary ? "vtk_legacy_binary" : "vtk_legacy_ascii"};
}

inline std::vector<SampleFile> tet_mesh_samples(const TetMesh& m) {
  return {assignment_sample(m),
          netgen_vol_sample(m),
          netgen_neutral_sample(m),
          tetgen_sample(m, 0),
          tetgen_sample(m, 1),
          medit_sample(m),
          gmsh_2_sample(m),
          gmsh_2_binary_sample(m),
          gmsh_4_sample(m),
          gmsh_4_binary_sample(m, std::endian::little),
          gmsh_4_binary_sample(m, std::endian::big),
          vtk_sample(m),
          vtk_binary_sample(m),
          vtk_5_sample(m, false),
          vtk_5_sample(m, true)};
}

inline SampleFile obj_sample(const TriangleMesh& m) {
  std::string s = "# surface\nmtllib none.mtl\no thing\n";
  for (Eigen::Index v = 0; v < m.vertex_count(); ++v) s += "v " + point_text(m.positions, v) + "\n";
  s += "vt 0 0\nvn 0 0 1\ns off\n";
  for (Eigen::Index t = 0; t < m.triangle_count(); ++t) {
    // All the ways to name a vertex.
    constexpr const char* kForms[4] = {"f {} {} {}\n", "f {}/1 {}/1 {}/1\n", "f {}//1 {}//1 {}//1\n",
                                       "f {}/1/1 {}/1/1 {}/1/1\n"};
    const int base = t % 2 ? 1 : -int(m.vertex_count());
    s += fmt::format(fmt::runtime(kForms[t % 4]), m.triangles(t, 0) + base, m.triangles(t, 1) + base,
                     m.triangles(t, 2) + base);
  }
  return {"sample.obj", s, "obj"};
}

inline SampleFile off_sample(const TriangleMesh& m) {
  std::string s = fmt::format("OFF\n# comment\n{} {} 0\n", m.vertex_count(), m.triangle_count());
  for (Eigen::Index v = 0; v < m.vertex_count(); ++v) s += point_text(m.positions, v) + "\n";
  for (Eigen::Index t = 0; t < m.triangle_count(); ++t) s += "3 " + corner_text(m.triangles, t, 0) + " 255 0 0\n";
  return {"sample.off", s, "off"};
}

inline SampleFile ply_sample(const TriangleMesh& m) {
  std::string s = fmt::format(
      "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex {}\nproperty double x\nproperty double y\n"
      "property double z\nproperty uchar red\nelement face {}\nproperty list uchar int vertex_indices\n"
      "end_header\n",
      m.vertex_count(), m.triangle_count());
  for (Eigen::Index v = 0; v < m.vertex_count(); ++v) s += point_text(m.positions, v) + " 200\n";
  for (Eigen::Index t = 0; t < m.triangle_count(); ++t) s += "3 " + corner_text(m.triangles, t, 0) + "\n";
  return {"sample.ply", s, "ply_ascii"};
}

inline SampleFile ply_binary_sample(const TriangleMesh& m, std::endian order) {
  const std::string format = order == std::endian::little ? "binary_little_endian" : "binary_big_endian";
  std::string s = fmt::format(
      "ply\nformat {} 1.0\nelement vertex {}\nproperty uchar red\nproperty double x\nproperty double y\n"
      "property double z\nelement edge 1\nproperty list ushort short ends\nelement face {}\n"
      "property float quality\nproperty list uchar uint vertex_index\nend_header\n",
      format, m.vertex_count(), m.triangle_count());
  for (Eigen::Index v = 0; v < m.vertex_count(); ++v) {
    s += '\n';  // a colour that looks like the end of a line
    for (int k = 0; k < 3; ++k) append_bytes(s, m.positions(v, k), order);
  }
  for (const std::uint16_t value : {2, 0, 1}) append_bytes(s, value, order);
  for (Eigen::Index t = 0; t < m.triangle_count(); ++t) {
    append_bytes(s, 0.5f, order);
    s += '\3';
    for (int k = 0; k < 3; ++k) append_bytes<std::uint32_t>(s, std::uint32_t(m.triangles(t, k)), order);
  }
  return {format + ".ply", s, "ply_" + format};
}

inline SampleFile stl_sample(const TriangleMesh& m) {
  std::string s = "solid a name with words\n";
  for (Eigen::Index t = 0; t < m.triangle_count(); ++t) {
    s += "  facet normal 0 0 nan\n    outer loop\n";
    for (int k = 0; k < 3; ++k) s += "      vertex " + point_text(m.positions, m.triangles(t, k)) + "\n";
    s += "    endloop\n  endfacet\n";
  }
  return {"sample.stl", s + "endsolid a name with words\n", "stl_ascii"};
}

/// Single precision; the header begins with "solid", which must not be taken for the text format.
inline SampleFile stl_binary_sample(const TriangleMesh& m) {
  std::string s = "solid but binary";
  s.resize(80, ' ');
  append_bytes<std::uint32_t>(s, std::uint32_t(m.triangle_count()));
  for (Eigen::Index t = 0; t < m.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) append_bytes(s, 0.0f);
    for (int k = 0; k < 3; ++k) {
      for (int axis = 0; axis < 3; ++axis) append_bytes(s, float(m.positions(m.triangles(t, k), axis)));
    }
    append_bytes<std::uint16_t>(s, 0);
  }
  return {"binary.stl", s, "stl_binary"};
}

inline std::vector<SampleFile> surface_samples(const TriangleMesh& m) {
  return {obj_sample(m),
          off_sample(m),
          ply_sample(m),
          ply_binary_sample(m, std::endian::little),
          ply_binary_sample(m, std::endian::big),
          stl_sample(m),
          stl_binary_sample(m)};
}

}  // namespace deformbench::model
