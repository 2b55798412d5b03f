// SPDX-License-Identifier: BSD-3-Clause
// PLY 1.0: ASCII and binary of both byte orders, any properties in any order, of which x, y, z and
// vertex_indices (or vertex_index) are used.
#include <fmt/format.h>

#include <cmath>

#include "methods/model/mesh_files/mesh_builder.hpp"

namespace deformbench::model {
namespace {

enum class Scalar { Int8, Uint8, Int16, Uint16, Int32, Uint32, Float32, Float64 };

struct Property {
  std::string name;
  Scalar type = Scalar::Float32;
  bool is_list = false;
  Scalar count_type = Scalar::Uint8;
};

struct Element {
  std::string name;
  std::size_t count = 0;
  std::vector<Property> properties;
};

class PlyReader {
 public:
  PlyReader(TextScanner& scanner, int& polygons, std::string& format)
      : scanner_(scanner), polygons_(polygons), format_(format) {}

  TriangleMeshBuilder read() {
    read_header();
    for (const Element& element : elements_) {
      if (element.name == "vertex")
        read_vertices(element);
      else if (element.name == "face")
        read_faces(element);
      else
        skip(element);
    }
    return std::move(builder_);
  }

 private:
  void read_header() {
    if (!scanner_.next_line() || scanner_.next_on_line() != "ply")
      scanner_.fail("the file does not begin with 'ply'", "a PLY file");
    bool has_format = false;
    for (;;) {
      if (!scanner_.next_line()) scanner_.fail("the header has no end", "end_header");
      const std::string_view keyword = scanner_.next_on_line();
      if (keyword == "end_header") break;
      if (keyword == "comment" || keyword == "obj_info") continue;
      if (keyword == "format") {
        has_format = true;
        read_format();
      } else if (keyword == "element") {
        Element element;
        element.name = scanner_.next_on_line();
        element.count = scanner_.count_on_line("the number of elements", 1);
        elements_.push_back(element);
      } else if (keyword == "property") {
        read_property();
      } else {
        scanner_.fail(fmt::format("header line starts with '{}'", keyword.substr(0, 40)),
                      "format, element, property, comment or end_header");
      }
    }
    scanner_.skip_rest_of_line();
    if (!has_format)
      scanner_.fail("the header has no format", "format ascii 1.0, binary_little_endian 1.0 or binary_big_endian 1.0");
    const Element* vertices = find("vertex");
    const Element* faces = find("face");
    if (!vertices) scanner_.fail("the header has no element vertex", "one");
    if (!faces) scanner_.fail("the header has no element face", "one");
    if (vertices > faces) scanner_.fail("element face comes before element vertex", "vertices first");
  }

  const Element* find(std::string_view name) const {
    for (const Element& element : elements_) {
      if (element.name == name) return &element;
    }
    return nullptr;
  }

  void read_format() {
    const std::string_view name = scanner_.next_on_line();
    if (name == "ascii")
      binary_ = false;
    else if (name == "binary_little_endian")
      order_ = std::endian::little;
    else if (name == "binary_big_endian")
      order_ = std::endian::big;
    else
      scanner_.fail(fmt::format("format '{}'", name.substr(0, 40)), "ascii, binary_little_endian or binary_big_endian");
    format_ = "ply_" + std::string(name);
  }

  Scalar read_type() {
    const std::string_view name = scanner_.next_on_line();
    if (name == "char" || name == "int8") return Scalar::Int8;
    if (name == "uchar" || name == "uint8") return Scalar::Uint8;
    if (name == "short" || name == "int16") return Scalar::Int16;
    if (name == "ushort" || name == "uint16") return Scalar::Uint16;
    if (name == "int" || name == "int32") return Scalar::Int32;
    if (name == "uint" || name == "uint32") return Scalar::Uint32;
    if (name == "float" || name == "float32") return Scalar::Float32;
    if (name == "double" || name == "float64") return Scalar::Float64;
    scanner_.fail(fmt::format("property type '{}'", name.substr(0, 40)),
                  "char, uchar, short, ushort, int, uint, float or double");
  }

  void read_property() {
    if (elements_.empty()) scanner_.fail("a property before any element", "element first");
    Property property;
    TextScanner before = scanner_;
    if (scanner_.next_on_line() == "list") {
      property.is_list = true;
      property.count_type = read_type();
    } else {
      scanner_ = before;
    }
    property.type = read_type();
    property.name = scanner_.next_on_line();
    if (property.name.empty()) scanner_.fail("a property without a name", "a type and a name");
    elements_.back().properties.push_back(property);
  }

  double value(Scalar type, const char* what) {
    if (!binary_) return scanner_.number_on_line(what);
    switch (type) {
      case Scalar::Int8:
        return scanner_.binary<std::int8_t>(what, order_);
      case Scalar::Uint8:
        return scanner_.binary<std::uint8_t>(what, order_);
      case Scalar::Int16:
        return scanner_.binary<std::int16_t>(what, order_);
      case Scalar::Uint16:
        return scanner_.binary<std::uint16_t>(what, order_);
      case Scalar::Int32:
        return scanner_.binary<std::int32_t>(what, order_);
      case Scalar::Uint32:
        return scanner_.binary<std::uint32_t>(what, order_);
      case Scalar::Float32:
        return scanner_.binary<float>(what, order_);
      case Scalar::Float64:
        return scanner_.binary<double>(what, order_);
    }
    return 0;
  }

  [[noreturn]] void fail(const std::string& cause, const std::string& expected) {
    if (binary_) scanner_.fail_at_byte(cause, expected);
    scanner_.fail(cause, expected);
  }

  void begin_item(const Element& element, std::size_t item) {
    if (binary_) return;
    if (!scanner_.next_line()) {
      scanner_.fail(fmt::format("the file ends after {} of {} elements '{}'", item, element.count, element.name),
                    "the others");
    }
  }

  std::size_t list_size(const Property& property) {
    const double size = value(property.count_type, "the length of a list");
    if (!(size >= 0 && size <= double(scanner_.remaining())) || size != std::floor(size)) {
      fail(fmt::format("a list of length {}", size), "a length that the file can hold");
    }
    return std::size_t(size);
  }

  void skip_value(const Property& property) {
    const std::size_t size = property.is_list ? list_size(property) : 1;
    for (std::size_t i = 0; i < size; ++i) value(property.type, "the values of an element");
  }

  void skip(const Element& element) {
    for (std::size_t i = 0; i < element.count; ++i) {
      begin_item(element, i);
      for (const Property& property : element.properties) skip_value(property);
    }
    if (element.count > 0)
      builder_.notes.push_back(fmt::format("{} elements '{}' left out", element.count, element.name));
  }

  void read_vertices(const Element& element) {
    int axes = 0;
    for (const Property& property : element.properties) axes += axis_of(property) >= 0;
    if (axes != 3) scanner_.fail(fmt::format("element vertex has {} of the properties x, y, z", axes), "all three");
    for (std::size_t v = 0; v < element.count; ++v) {
      begin_item(element, v);
      Vector3 position = Vector3::Zero();
      for (const Property& property : element.properties) {
        const int axis = axis_of(property);
        if (axis < 0) {
          skip_value(property);
          continue;
        }
        position[axis] = value(property.type, "the coordinates of a vertex");
        if (binary_) scanner_.finite_binary(position[axis], fmt::format("a coordinate of vertex {}", v));
      }
      builder_.add_vertex(position, binary_ ? 0 : scanner_.line());
    }
  }

  static int axis_of(const Property& property) {
    if (property.is_list || property.name.size() != 1) return -1;
    const char c = property.name[0];
    return c >= 'x' && c <= 'z' ? c - 'x' : -1;
  }

  void read_faces(const Element& element) {
    const auto is_corners = [](const Property& p) {
      return p.is_list && (p.name == "vertex_indices" || p.name == "vertex_index");
    };
    int lists = 0;
    for (const Property& property : element.properties) lists += is_corners(property);
    if (lists != 1) scanner_.fail(fmt::format("element face has {} lists vertex_indices", lists), "one");
    const auto count = double(builder_.vertices.size());
    for (std::size_t f = 0; f < element.count; ++f) {
      begin_item(element, f);
      std::vector<int> polygon;
      for (const Property& property : element.properties) {
        if (!is_corners(property)) {
          skip_value(property);
          continue;
        }
        const std::size_t size = list_size(property);
        if (size < 3) fail(fmt::format("face {} has {} vertices", f, size), "3 or more");
        for (std::size_t k = 0; k < size; ++k) {
          const double vertex = value(property.type, "the vertices of a face");
          if (!(vertex >= 0 && vertex < count) || vertex != int(vertex)) {
            fail(fmt::format("face {} has vertex {}", f, vertex), fmt::format("0 … {}", count - 1));
          }
          polygon.push_back(int(vertex));
        }
      }
      polygons_ += add_polygon(builder_, polygon, binary_ ? 0 : scanner_.line(), scanner_);
    }
  }

  TextScanner& scanner_;
  int& polygons_;
  std::string& format_;
  TriangleMeshBuilder builder_;
  std::vector<Element> elements_;
  bool binary_ = true;
  std::endian order_ = std::endian::little;
};

}  // namespace

TriangleMeshBuilder read_ply(TextScanner& scanner, int& polygons, std::string& format) {
  return PlyReader(scanner, polygons, format).read();
}

}  // namespace deformbench::model
