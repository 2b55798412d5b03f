// SPDX-License-Identifier: BSD-3-Clause
// Legacy VTK unstructured grids, ASCII and binary (always big-endian), with the cell layout of versions up
// to 4.2 and the offsets and connectivity of 5.x. Data sets after the cells are ignored.
#include <fmt/format.h>

#include <map>

#include "methods/model/mesh_files/mesh_builder.hpp"

namespace deformbench::model {
namespace {

constexpr int kVtkTetrahedron = 10, kVtkHexahedron = 12, kVtkTenNodes = 24;
/// Its node for each of subdivision.hpp.
constexpr std::size_t kVtkOrder[10] = {0, 1, 2, 3, 4, 6, 7, 5, 8, 9};
// Vertices, lines, triangles, polygons and quadrilaterals, which are skipped.
bool is_lower_dimension(int type) {
  return (type >= 1 && type <= 9) || (type >= 21 && type <= 23);
}

const std::map<std::string_view, std::size_t> kTypeSizes = {
    {"char", 1},         {"unsigned_char", 1}, {"short", 2},         {"unsigned_short", 2}, {"int", 4},
    {"unsigned_int", 4}, {"long", 8},          {"unsigned_long", 8}, {"float", 4},          {"double", 8},
    {"vtkIdType", 8},    {"vtktypeint64", 8},  {"vtktypeint32", 4}};

class VtkReader {
 public:
  VtkReader(TextScanner& scanner, std::string& format) : scanner_(scanner), format_(format) {}

  TetMeshBuilder read() {
    scanner_.next_line();
    const std::string_view header = scanner_.skip_rest_of_line();
    constexpr std::string_view kHeader = "# vtk DataFile Version ";
    if (header.substr(0, kHeader.size()) != kHeader) {
      scanner_.fail("the file does not begin with '# vtk DataFile Version'", "a legacy VTK file");
    }
    scanner_.skip_rest_of_line();  // the title
    const std::string_view encoding = scanner_.token("ASCII or BINARY");
    if (encoding != "ASCII" && encoding != "BINARY") {
      scanner_.fail(fmt::format("'{}'", encoding.substr(0, 40)), "ASCII or BINARY");
    }
    binary_ = encoding == "BINARY";
    format_ = binary_ ? "vtk_legacy_binary" : "vtk_legacy_ascii";
    expect("DATASET");
    const std::string_view dataset = scanner_.token("UNSTRUCTURED_GRID");
    if (dataset != "UNSTRUCTURED_GRID") {
      scanner_.fail(fmt::format("DATASET {}", dataset.substr(0, 40)), "UNSTRUCTURED_GRID");
    }
    read_sections();
    return build();
  }

 private:
  void expect(std::string_view keyword) {
    const std::string_view found = scanner_.token(keyword);
    if (found != keyword) scanner_.fail(fmt::format("'{}'", found.substr(0, 40)), keyword);
  }

  std::size_t type_size(std::string_view name) {
    const auto found = kTypeSizes.find(name);
    if (found == kTypeSizes.end()) {
      scanner_.fail(fmt::format("data type '{}'", name.substr(0, 40)), "float, double, int, vtktypeint64, …");
    }
    return found->second;
  }

  void read_sections() {
    bool has_points = false, has_cells = false, has_types = false;
    for (std::string_view keyword = scanner_.next(); !keyword.empty(); keyword = scanner_.next()) {
      if (keyword == "POINTS") {
        has_points = true;
        read_points();
      } else if (keyword == "CELLS") {
        has_cells = true;
        read_cells();
      } else if (keyword == "CELL_TYPES") {
        has_types = true;
        read_types();
      } else if (keyword == "METADATA") {
        scanner_.skip_rest_of_line();
        while (scanner_.remaining() > 0 &&
               scanner_.skip_rest_of_line().find_first_not_of(" \r\t") != std::string_view::npos) {
        }
      } else if (keyword == "FIELD") {
        skip_field();
      } else if (keyword == "POINT_DATA" || keyword == "CELL_DATA") {
        break;
      } else {
        scanner_.fail(fmt::format("'{}'", keyword.substr(0, 40)), "POINTS, CELLS, CELL_TYPES, POINT_DATA or CELL_DATA");
      }
    }
    if (!has_points) scanner_.fail("the file has no section POINTS", "one");
    if (!has_cells) scanner_.fail("the file has no section CELLS", "one");
    if (!has_types) scanner_.fail("the file has no section CELL_TYPES", "one");
  }

  void read_points() {
    const std::size_t count = scanner_.count("the number of points", 6);
    const std::string type(scanner_.token("the data type of the points"));
    if (type != "float" && type != "double")
      scanner_.fail(fmt::format("points of type '{}'", type.substr(0, 40)), "float or double");
    if (binary_) scanner_.skip_rest_of_line();
    for (std::size_t v = 0; v < count; ++v) {
      Vector3 position;
      int line = 0;
      for (int k = 0; k < 3; ++k) {
        if (!binary_)
          position[k] = scanner_.number("three coordinates a point");
        else if (type == "float")
          position[k] = scanner_.binary<float>("three coordinates a point", std::endian::big);
        else
          position[k] = scanner_.binary<double>("three coordinates a point", std::endian::big);
        if (binary_)
          scanner_.finite_binary(position[k], "a coordinate");
        else if (k == 0)
          line = scanner_.line();
      }
      builder_.add_vertex(position, line);
    }
  }

  /// `count` integers of `size` bytes (binary) or tokens.
  std::vector<long long> integers(std::size_t count, std::size_t size, const char* what, std::vector<int>* lines) {
    if (binary_) scanner_.skip_rest_of_line();
    std::vector<long long> values(count);
    if (lines) lines->resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (!binary_)
        values[i] = scanner_.integer(what);
      else if (size == 8)
        values[i] = scanner_.binary<std::int64_t>(what, std::endian::big);
      else
        values[i] = scanner_.binary<std::int32_t>(what, std::endian::big);
      if (lines) (*lines)[i] = binary_ ? 0 : scanner_.line();
    }
    return values;
  }

  void read_cells() {
    const std::size_t first = scanner_.count("the number of cells", 1);
    const std::size_t second = scanner_.count("the number of integers of the cells", 1);
    const std::string_view following = binary_ ? std::string_view() : scanner_.peek();
    bool offsets = following == "OFFSETS";
    if (binary_) {
      // The old layout begins with raw bytes right here, the new one with the word OFFSETS on the next line.
      TextScanner ahead = scanner_;
      ahead.skip_rest_of_line();
      offsets = ahead.remaining() >= 7 && ahead.bytes(7, "cells") == "OFFSETS";
    }
    if (offsets) {
      expect("OFFSETS");
      const std::size_t offset_size = type_size(scanner_.token("the data type of the offsets"));
      const auto starts = integers(first, offset_size, "the offsets of the cells", nullptr);
      expect("CONNECTIVITY");
      const std::size_t size = type_size(scanner_.token("the data type of the connectivity"));
      std::vector<int> lines;
      const auto corners = integers(second, size, "the vertices of the cells", &lines);
      for (std::size_t c = 0; c + 1 < starts.size(); ++c) {
        if (starts[c] < 0 || starts[c + 1] < starts[c] || starts[c + 1] > static_cast<long long>(corners.size())) {
          scanner_.fail(fmt::format("cell {} has offsets {} … {}", c, starts[c], starts[c + 1]),
                        fmt::format("ascending ones up to {}", corners.size()));
        }
        cells_.emplace_back(corners.begin() + starts[c], corners.begin() + starts[c + 1]);
        cell_lines_.push_back(cells_.back().empty() ? 0 : lines[std::size_t(starts[c])]);
      }
      return;
    }
    std::vector<int> lines;
    const auto values = integers(second, 4, "the vertices of the cells", &lines);
    std::size_t at = 0;
    for (std::size_t c = 0; c < first; ++c) {
      const bool fits = at < values.size() && values[at] >= 0 && std::size_t(values[at]) <= values.size() - at - 1;
      if (!fits) {
        scanner_.fail(fmt::format("cell {} of {} goes past the {} integers of CELLS", c, first, second),
                      "a count and that many vertices for each cell");
      }
      const auto size = std::size_t(values[at]);
      cell_lines_.push_back(lines[at]);
      cells_.emplace_back(values.begin() + std::ptrdiff_t(at) + 1, values.begin() + std::ptrdiff_t(at + 1 + size));
      at += 1 + size;
    }
    if (at != values.size()) {
      scanner_.fail(fmt::format("{} cells use {} of the {} integers of CELLS", first, at, second), "all of them");
    }
  }

  void read_types() {
    const std::size_t count = scanner_.count("the number of cell types", 1);
    for (const long long type : integers(count, 4, "the type of each cell", &type_lines_)) {
      types_.push_back(int(type));
    }
  }

  void skip_field() {
    scanner_.token("the name of a field");
    const std::size_t arrays = scanner_.count("the number of arrays of a field", 1);
    for (std::size_t a = 0; a < arrays; ++a) {
      scanner_.token("the name of an array");
      const std::size_t components = scanner_.count("the number of components", 1);
      const std::size_t tuples = scanner_.count("the number of tuples", 1);
      const std::string type(scanner_.token("the data type of an array"));
      const std::size_t values = components * tuples;
      if (binary_) {
        const std::size_t size = type_size(type);
        scanner_.skip_rest_of_line();
        if (values > scanner_.remaining())
          scanner_.fail(fmt::format("an array of {} values", values), "what the file can hold");
        scanner_.bytes(values * size, "the values of an array");
      } else {
        for (std::size_t i = 0; i < values; ++i) scanner_.token("the values of an array");
      }
    }
  }

  TetMeshBuilder build() {
    if (types_.size() != cells_.size()) {
      scanner_.fail(fmt::format("{} cell types for {} cells", types_.size(), cells_.size()), "one per cell");
    }
    std::size_t left_out = 0;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      const auto refuse = [&](int line, const std::string& cause, const std::string& expected) {
        if (line > 0) scanner_.fail_at_line(line, cause, expected);
        scanner_.fail_at_byte(cause, expected);
      };
      if (is_lower_dimension(types_[c])) {
        ++left_out;
        continue;
      }
      const bool is_hexahedron = types_[c] == kVtkHexahedron;
      if (types_[c] != kVtkTetrahedron && types_[c] != kVtkTenNodes && !is_hexahedron)
        refuse(type_lines_[c], fmt::format("cell {} has type {}", c, types_[c]),
               "10 or 24 (tetrahedra of 4 or 10 nodes) or 12 (hexahedra)");
      const std::size_t corners = is_hexahedron ? 8 : types_[c] == kVtkTetrahedron ? 4 : 10;
      if (cells_[c].size() != corners)
        refuse(cell_lines_[c], fmt::format("cell {} has {} vertices", c, cells_[c].size()), std::to_string(corners));
      for (const long long vertex : cells_[c])
        if (vertex < 0 || vertex >= static_cast<long long>(builder_.vertices.size()))
          refuse(cell_lines_[c], fmt::format("cell {} has vertex {}", c, vertex),
                 fmt::format("0 … {}", static_cast<long long>(builder_.vertices.size()) - 1));
      const auto vertex = [&](std::size_t k) { return int(cells_[c][k]); };
      if (is_hexahedron) {
        std::array<int, 8> eight;
        for (std::size_t k = 0; k < 8; ++k) eight[k] = vertex(k);
        builder_.hexahedra.push_back({eight, cell_lines_[c], std::nullopt});
        continue;
      }
      if (corners == 4) {
        builder_.add_element({vertex(0), vertex(1), vertex(2), vertex(3)}, cell_lines_[c]);
        continue;
      }
      std::array<int, 10> ten;
      for (std::size_t k = 0; k < 10; ++k) ten[k] = vertex(kVtkOrder[k]);
      add_quadratic_element(builder_, ten, cell_lines_[c], scanner_);
    }
    cut_hexahedra(builder_, scanner_);
    if (left_out > 0) builder_.notes.push_back(fmt::format("{} points, lines and faces left out", left_out));
    return std::move(builder_);
  }

  TextScanner& scanner_;
  std::string& format_;
  TetMeshBuilder builder_;
  bool binary_ = false;
  std::vector<std::vector<long long>> cells_;
  std::vector<int> cell_lines_, types_, type_lines_;
};

}  // namespace

TetMeshBuilder read_vtk_legacy(TextScanner& scanner, std::string& format) {
  return VtkReader(scanner, format).read();
}

}  // namespace deformbench::model
