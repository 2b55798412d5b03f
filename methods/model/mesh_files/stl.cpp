// SPDX-License-Identifier: BSD-3-Clause
// STL, ASCII and binary. Corners with exactly equal coordinates become one vertex; the stored normals are not
// used.
#include <fmt/format.h>

#include <map>

#include "methods/model/mesh_files/mesh_builder.hpp"

namespace deformbench::model {
namespace {

class CornerMerger {
 public:
  explicit CornerMerger(TriangleMeshBuilder& builder) : builder_(builder) {}
  int index_of(Vector3 position, int line) {
    position.array() += 0.0;  // −0 and 0 are the same place
    const auto [entry, is_new] =
        index_.try_emplace({position[0], position[1], position[2]}, int(builder_.vertices.size()));
    if (is_new) builder_.add_vertex(position, line);
    return entry->second;
  }

 private:
  TriangleMeshBuilder& builder_;
  std::map<std::array<double, 3>, int> index_;
};

void expect(TextScanner& scanner, std::string_view keyword) {
  const std::string_view found = scanner.token(keyword);
  if (found != keyword) scanner.fail(fmt::format("'{}'", found.substr(0, 40)), keyword);
}

void read_ascii(TextScanner& scanner, TriangleMeshBuilder& builder, CornerMerger& merger) {
  scanner.next_line();
  scanner.skip_rest_of_line();  // solid <name>
  for (;;) {
    std::string_view keyword = scanner.token("facet or endsolid");
    if (keyword == "endsolid") {
      // Several solids in one file are one surface.
      scanner.skip_rest_of_line();
      if (scanner.next().empty()) return;
      scanner.skip_rest_of_line();
      continue;
    }
    if (keyword != "facet") scanner.fail(fmt::format("'{}'", keyword.substr(0, 40)), "facet or endsolid");
    const int line = scanner.line();
    scanner.skip_rest_of_line();  // normal; some programs write nan for flat facets
    expect(scanner, "outer");
    expect(scanner, "loop");
    std::array<int, 3> corners;
    for (int& corner : corners) {
      expect(scanner, "vertex");
      const Vector3 position = scanner.point_on_line();
      corner = merger.index_of(position, scanner.line());
    }
    expect(scanner, "endloop");
    expect(scanner, "endfacet");
    builder.add_element(corners, line);
  }
}

void read_binary(TextScanner& scanner, TriangleMeshBuilder& builder, CornerMerger& merger) {
  scanner.bytes(80, "a header of 80 bytes");
  const std::size_t count = scanner.binary<std::uint32_t>("the number of triangles", std::endian::little);
  if (count * 50 > scanner.remaining()) {
    scanner.fail_at_byte(fmt::format("{} triangles announced, {} bytes left", count, scanner.remaining()),
                         fmt::format("{} bytes (is the file truncated?)", count * 50));
  }
  for (std::size_t t = 0; t < count; ++t) {
    scanner.bytes(12, "a normal");
    std::array<int, 3> corners;
    for (int& corner : corners) {
      Vector3 position;
      for (int k = 0; k < 3; ++k) {
        const float value = scanner.binary<float>("a coordinate", std::endian::little);
        position[k] = scanner.finite_binary(value, fmt::format("a coordinate of triangle {}", t));
      }
      corner = merger.index_of(position, 0);
    }
    scanner.bytes(2, "an attribute");
    builder.add_element(corners, 0);
  }
}

}  // namespace

TriangleMeshBuilder read_stl(TextScanner& scanner, int& merged, std::string& format) {
  TriangleMeshBuilder builder;
  CornerMerger merger(builder);
  // Binary files may also begin with the word solid; the file size decides.
  TextScanner ahead = scanner;
  bool binary = true;
  if (scanner.peek() == "solid") {
    binary = false;
    if (ahead.remaining() >= 84) {
      ahead.bytes(80, "header");
      const std::size_t count = ahead.binary<std::uint32_t>("count", std::endian::little);
      binary = ahead.remaining() == count * 50;
    }
  }
  if (binary)
    read_binary(scanner, builder, merger);
  else
    read_ascii(scanner, builder, merger);
  format = binary ? "stl_binary" : "stl_ascii";
  merged = int(3 * builder.elements.size() - builder.vertices.size());
  return builder;
}

}  // namespace deformbench::model
