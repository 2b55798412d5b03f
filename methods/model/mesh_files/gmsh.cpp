// SPDX-License-Identifier: BSD-3-Clause
// Gmsh's MSH format, versions 2.2 and 4.1, ASCII and binary. Node numbers need not be consecutive. The region
// or group of an element is its first tag (2.2: the physical group) or the tag of its entity (4.1).
#include <fmt/format.h>

#include <map>

#include "methods/model/mesh_files/mesh_builder.hpp"

namespace deformbench::model {
namespace {

// Number of nodes of the element types of dimension 0 to 2; all but the triangle are skipped.
const std::map<long long, int> kLowerDimensions = {{1, 2},   {2, 3},   {3, 4},  {8, 3},   {9, 6},   {10, 9},
                                                   {15, 1},  {16, 8},  {20, 9}, {21, 10}, {22, 12}, {23, 15},
                                                   {24, 15}, {25, 21}, {26, 4}, {27, 5},  {28, 6}};
constexpr long long kGmshTriangle = 2, kGmshTetrahedron = 4, kGmshHexahedron = 5, kGmshTenNodes = 11;
/// Its node for each of subdivision.hpp.
constexpr std::size_t kGmshOrder[10] = {0, 1, 2, 3, 4, 6, 7, 5, 9, 8};

class GmshReader {
 public:
  GmshReader(TextScanner& scanner, std::string& format) : scanner_(scanner), format_(format) {}

  TetMeshBuilder read() {
    if (!scanner_.next_line() || scanner_.next_on_line() != "$MeshFormat") {
      scanner_.fail("the file does not begin with $MeshFormat", "a Gmsh mesh (.msh)");
    }
    read_format();
    bool has_nodes = false, has_elements = false;
    while (scanner_.next_line()) {
      const std::string section(scanner_.next_on_line());
      if (section.empty() || section[0] != '$') {
        scanner_.fail(fmt::format("'{}'", section.substr(0, 40)), "the beginning of a section, such as $Nodes");
      }
      if (section == "$Nodes") {
        has_nodes = true;
        version_4_ ? read_nodes_4() : read_nodes_2();
        expect_end("$EndNodes");
      } else if (section == "$Elements") {
        if (!has_nodes) scanner_.fail("$Elements comes before $Nodes", "$Nodes first");
        has_elements = true;
        version_4_ ? read_elements_4() : read_elements_2();
        expect_end("$EndElements");
      } else if (!scanner_.skip_past("$End" + section.substr(1))) {
        scanner_.fail(fmt::format("section {} has no end", section.substr(0, 40)),
                      "$End" + section.substr(1, 40) + " (is the file truncated?)");
      }
    }
    if (!has_nodes) scanner_.fail("the file has no section $Nodes", "one");
    if (!has_elements) scanner_.fail("the file has no section $Elements", "one");
    cut_hexahedra(builder_, scanner_);
    if (left_out_ > 0)
      builder_.notes.push_back(
          fmt::format("{} points, lines and faces that are no linear triangles left out", left_out_));
    return std::move(builder_);
  }

 private:
  void read_format() {
    if (!scanner_.next_line()) scanner_.fail("the file ends", "'2.2 0 8' or '4.1 0 8'");
    const std::string version(scanner_.next_on_line());
    if (version != "2.2" && version != "4.1") {
      scanner_.fail(fmt::format("the format version is '{}'", version.substr(0, 40)), "2.2 or 4.1");
    }
    version_4_ = version == "4.1";
    const long long type = scanner_.integer_on_line("the file type, 0 (ASCII) or 1 (binary)");
    if (type != 0 && type != 1) scanner_.fail(fmt::format("the file type is {}", type), "0 (ASCII) or 1 (binary)");
    binary_ = type == 1;
    const long long size = scanner_.integer_on_line("the size of a number, 8");
    if (size != 8) scanner_.fail(fmt::format("the size of a number is {}", size), "8");
    format_ = fmt::format("gmsh_{}_{}", version, binary_ ? "binary" : "ascii");
    if (binary_) {
      scanner_.skip_rest_of_line();
      const auto one = scanner_.binary<std::int32_t>("the integer 1", std::endian::little);
      if (one == 0x01000000)
        order_ = std::endian::big;
      else if (one != 1)
        scanner_.fail_at_byte(fmt::format("the byte-order mark is {}", one), "1 in either byte order");
    }
    expect_end("$EndMeshFormat");
  }

  void expect_end(const std::string& marker) {
    const bool more = scanner_.next_line();
    const std::string found(scanner_.next_on_line());
    if (!more || found != marker) {
      scanner_.fail(more ? fmt::format("'{}'", found.substr(0, 40)) : std::string("the file ends"), marker);
    }
  }

  std::size_t text_count(const char* what, std::size_t bytes) {
    if (!scanner_.next_line()) scanner_.fail("the file ends", what);
    return scanner_.count_on_line(what, bytes);
  }
  void need_line(const char* what, std::size_t done, std::size_t all) {
    if (!scanner_.next_line())
      scanner_.fail(fmt::format("the file ends after {} of {} {}", done, all, what), "the others");
  }
  long long int4(const char* what) { return scanner_.binary<std::int32_t>(what, order_); }
  std::size_t size8(const char* what, std::size_t bytes) {
    const auto value = scanner_.binary<std::int64_t>(what, order_);
    if (value < 0 || std::uint64_t(value) > scanner_.remaining() / bytes + 1) {
      scanner_.fail_at_byte(fmt::format("{} is {}", what, value), "what the rest of the file can hold");
    }
    return std::size_t(value);
  }
  Vector3 point8() {
    Vector3 point;
    for (int k = 0; k < 3; ++k) {
      point[k] = scanner_.finite_binary(scanner_.binary<double>("three coordinates", order_), "a coordinate");
    }
    return point;
  }

  void add_vertex(long long number, const Vector3& position, int line) {
    numbers_.add(number, scanner_);
    builder_.add_vertex(position, line);
  }

  /// Number of nodes of an element type; fails for solids other than tetrahedra.
  int node_count(long long type) {
    if (type == kGmshTetrahedron) return 4;
    if (type == kGmshHexahedron) return 8;
    if (type == kGmshTenNodes) return 10;
    if (const auto found = kLowerDimensions.find(type); found != kLowerDimensions.end()) return found->second;
    const std::string cause = fmt::format("element type {}", type);
    const char* expected =
        "4 or 11 (tetrahedra of 4 or 10 nodes) or 5 (hexahedra); triangles, 2, are boundaries; other points, lines and "
        "faces are left out";
    if (binary_) scanner_.fail_at_byte(cause, expected);
    scanner_.fail(cause, expected);
  }

  static bool is_taken(long long type) {
    return type == kGmshTriangle || type == kGmshTetrahedron || type == kGmshHexahedron || type == kGmshTenNodes;
  }

  /// A tetrahedron, a hexahedron or a triangle by its nodes; every other type is counted as skipped.
  void add(long long type, const std::array<long long, 10>& nodes, long long group, long long tag, int line) {
    if (!is_taken(type)) {
      ++left_out_;
      return;
    }
    const auto vertex = [&](std::size_t k) { return numbers_.at(nodes[k], scanner_, fmt::format("element {}", tag)); };
    if (type == kGmshTriangle) {
      builder_.faces.push_back({{vertex(0), vertex(1), vertex(2)}, int(group)});
      return;
    }
    if (type == kGmshHexahedron) {
      std::array<int, 8> eight;
      for (std::size_t k = 0; k < 8; ++k) eight[k] = vertex(k);
      builder_.hexahedra.push_back({eight, line, int(group)});
      return;
    }
    if (type == kGmshTetrahedron) {
      builder_.add_element({vertex(0), vertex(1), vertex(2), vertex(3)}, line);
    } else {
      std::array<int, 10> ten;
      for (std::size_t k = 0; k < 10; ++k) ten[k] = vertex(kGmshOrder[k]);
      add_quadratic_element(builder_, ten, line, scanner_);
    }
    builder_.regions.resize(builder_.elements.size(), int(group));
  }

  void read_nodes_2() {
    const std::size_t count = text_count("the number of nodes", 7);
    if (binary_) scanner_.skip_rest_of_line();
    for (std::size_t v = 0; v < count; ++v) {
      if (binary_) {
        const long long number = int4("a node number");
        add_vertex(number, point8(), 0);
      } else {
        need_line("nodes", v, count);
        const long long number = scanner_.integer_on_line("a node number and three coordinates");
        const Vector3 position = scanner_.point_on_line();
        add_vertex(number, position, scanner_.line());
      }
    }
  }

  void read_nodes_4() {
    const std::size_t blocks = block_header("the number of node blocks");
    for (std::size_t b = 0; b < blocks; ++b) {
      long long dimension, parametric;
      std::size_t count;
      if (binary_) {
        dimension = int4("an entity dimension");
        int4("an entity tag");
        parametric = int4("a parametric flag");
        count = size8("the number of nodes of a block", 32);
      } else {
        need_line("node blocks", b, blocks);
        dimension = scanner_.integer_on_line("an entity dimension");
        scanner_.integer_on_line("an entity tag");
        parametric = scanner_.integer_on_line("a parametric flag");
        count = scanner_.count_on_line("the number of nodes of a block", 7);
      }
      if (dimension < 0 || dimension > 3) scanner_.fail(fmt::format("entity dimension {}", dimension), "0 … 3");
      std::vector<long long> tags;
      for (std::size_t v = 0; v < count; ++v) {
        if (binary_) {
          tags.push_back(scanner_.binary<std::int64_t>("a node tag", order_));
        } else {
          need_line("node tags", v, count);
          tags.push_back(scanner_.integer_on_line("a node tag"));
        }
      }
      for (std::size_t v = 0; v < count; ++v) {
        if (binary_) {
          add_vertex(tags[v], point8(), 0);
          for (long long k = 0; parametric && k < dimension; ++k) scanner_.binary<double>("a parameter", order_);
        } else {
          need_line("nodes of a block", v, count);
          const Vector3 position = scanner_.point_on_line();
          add_vertex(tags[v], position, scanner_.line());
        }
      }
    }
  }

  /// The four numbers that open $Nodes and $Elements of version 4.1; returns the first.
  std::size_t block_header(const char* what) {
    if (!binary_) return text_count(what, 2);
    scanner_.skip_rest_of_line();
    const std::size_t blocks = size8(what, 1);
    for (int k = 0; k < 3; ++k) scanner_.binary<std::int64_t>("number, smallest and largest tag", order_);
    return blocks;
  }

  void read_elements_2() {
    const std::size_t count = text_count("the number of elements", 5);
    if (binary_) scanner_.skip_rest_of_line();
    for (std::size_t e = 0; e < count;) {
      if (!binary_) {
        need_line("elements", e++, count);
        const long long tag = scanner_.integer_on_line("an element number");
        const long long type = scanner_.integer_on_line("an element type");
        const int nodes_of_type = node_count(type);
        if (!is_taken(type)) {
          ++left_out_;
          continue;
        }
        const long long tag_count = scanner_.integer_on_line("the number of tags");
        long long region = 0;
        for (long long k = 0; k < tag_count; ++k) {
          const long long value = scanner_.integer_on_line("the tags of an element");
          if (k == 0) region = value;
        }
        std::array<long long, 10> nodes{};
        for (int k = 0; k < nodes_of_type; ++k)
          nodes[std::size_t(k)] = scanner_.integer_on_line("the node numbers of an element");
        add(type, nodes, region, tag, scanner_.line());
        continue;
      }
      const long long type = int4("an element type");
      const long long block = int4("the number of elements of a block");
      const long long tag_count = int4("the number of tags");
      const int nodes_of_type = node_count(type);
      if (block < 1 || std::size_t(block) > count - e) {
        scanner_.fail_at_byte(fmt::format("a block of {} elements", block), fmt::format("1 … {}", count - e));
      }
      if (tag_count < 0 || tag_count > 1000) scanner_.fail_at_byte(fmt::format("{} tags", tag_count), "0 … 1000");
      for (long long i = 0; i < block; ++i, ++e) {
        const long long tag = int4("an element number");
        long long region = 0;
        for (long long k = 0; k < tag_count; ++k) {
          const long long value = int4("the tags of an element");
          if (k == 0) region = value;
        }
        std::array<long long, 10> nodes{};
        for (int k = 0; k < nodes_of_type; ++k) {
          const long long node = int4("the node numbers of an element");
          if (k < 10) nodes[std::size_t(k)] = node;
        }
        add(type, nodes, region, tag, 0);
      }
    }
  }

  void read_elements_4() {
    const std::size_t blocks = block_header("the number of element blocks");
    for (std::size_t b = 0; b < blocks; ++b) {
      long long entity, type;
      std::size_t count;
      if (binary_) {
        int4("an entity dimension");
        entity = int4("an entity tag");
        type = int4("an element type");
        count = size8("the number of elements of a block", 16);
      } else {
        need_line("element blocks", b, blocks);
        scanner_.integer_on_line("an entity dimension");
        entity = scanner_.integer_on_line("an entity tag");
        type = scanner_.integer_on_line("an element type");
        count = scanner_.count_on_line("the number of elements of a block", 3);
      }
      const int nodes_of_type = node_count(type);
      for (std::size_t e = 0; e < count; ++e) {
        if (!binary_) need_line("elements of a block", e, count);
        const auto value = [&](const char* what) -> long long {
          return binary_ ? scanner_.binary<std::int64_t>(what, order_) : scanner_.integer_on_line(what);
        };
        const long long tag = value("an element tag and its nodes");
        std::array<long long, 10> nodes{};
        for (int k = 0; k < nodes_of_type; ++k) {
          const long long node = value("the node tags of an element");
          if (k < 10) nodes[std::size_t(k)] = node;
        }
        add(type, nodes, entity, tag, binary_ ? 0 : scanner_.line());
      }
    }
  }

  TextScanner& scanner_;
  std::string& format_;
  TetMeshBuilder builder_;
  VertexNumbers numbers_;
  bool version_4_ = false, binary_ = false;
  std::endian order_ = std::endian::little;
  std::size_t left_out_ = 0;
};

}  // namespace

TetMeshBuilder read_gmsh(TextScanner& scanner, std::string& format) {
  return GmshReader(scanner, format).read();
}

}  // namespace deformbench::model
