// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/scene_file/json_node.hpp"

#include <fmt/format.h>

#include <cmath>

#include "experiments/harness/files/json_text.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {

using nlohmann::json;

JsonNode JsonNode::at(const std::string& key) const {
  if (!has(key)) refuse("missing key \"" + key + "\"");
  return {value_->at(key), *where_, (json::json_pointer(pointer_) / key).to_string()};
}

JsonNode JsonNode::at(std::size_t index) const {
  return {value_->at(index), *where_, pointer_ + "/" + std::to_string(index)};
}

std::vector<JsonNode> JsonNode::list(const std::string& key) const {
  std::vector<JsonNode> entries;
  if (!has(key)) return entries;
  const JsonNode node = at(key);
  for (std::size_t i = 0; i < node.size(); ++i) entries.push_back(node.at(i));
  return entries;
}

void JsonNode::fail(const std::string& expected) const {
  refuse("got " + shown(*value_) + ", expected " + expected);
}

void JsonNode::refuse(const std::string& what) const {
  throw InputError(*where_ + ": " + shown_pointer(pointer_) + ": " + what);
}

double JsonNode::number() const {
  if (!value_->is_number()) fail("a number");
  return value_->get<double>();
}

bool JsonNode::flag() const {
  if (!value_->is_boolean()) fail("true or false");
  return value_->get<bool>();
}

std::string JsonNode::text() const {
  if (!value_->is_string()) fail("text");
  return value_->get<std::string>();
}

Vector3 JsonNode::vector() const {
  if (!value_->is_array() || size() != 3) fail("three numbers");
  return {at(std::size_t{0}).number(), at(1).number(), at(2).number()};
}

Vector3 JsonNode::unit_vector() const {
  const Vector3 v = vector();
  const double length = v.norm();
  if (!(std::abs(length - 1.0) <= 1e-9)) fail(fmt::format("a vector of length 1 (this one has {:.6g})", length));
  return v;
}

void JsonNode::expect_list(const char* expected) const {
  if (!value_->is_array()) fail(expected);
}

Points JsonNode::points() const {
  expect_list("a list of rows of three numbers");
  Points rows(Eigen::Index(size()), 3);
  for (std::size_t i = 0; i < size(); ++i) {
    const json& row = (*value_)[i];
    if (!row.is_array() || row.size() != 3 || !row[0].is_number() || !row[1].is_number() || !row[2].is_number())
      at(i).fail("three numbers");
    for (std::size_t k = 0; k < 3; ++k) rows(Eigen::Index(i), Eigen::Index(k)) = row[k].get<double>();
  }
  return rows;
}

std::vector<double> JsonNode::numbers() const {
  expect_list("a list of numbers");
  std::vector<double> result;
  result.reserve(size());
  for (std::size_t i = 0; i < size(); ++i)
    result.push_back((*value_)[i].is_number() ? (*value_)[i].get<double>() : at(i).number());
  return result;
}

int JsonNode::index(std::size_t at_index, const json& value, Eigen::Index below, const std::string& of) const {
  if (value.is_number_integer()) {
    const auto wide = value.get<std::int64_t>();
    if (wide >= 0 && wide < below) return int(wide);
  }
  const JsonNode here{value, *where_, pointer_ + "/" + std::to_string(at_index)};
  here.fail(below > 0 ? fmt::format("an integer 0 … {}, of {} {}", below - 1, below, of)
                      : "no index: there are no " + of);
}

std::vector<int> JsonNode::indices(Eigen::Index below, const std::string& of) const {
  expect_list("a list of indices");
  std::vector<int> result;
  result.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) result.push_back(index(i, (*value_)[i], below, of));
  return result;
}

template <class Rows>
Rows JsonNode::index_rows(Eigen::Index vertices) const {
  constexpr std::size_t kCorners = std::size_t(Rows::ColsAtCompileTime);
  const std::string expected = kCorners == 4 ? "four vertices" : "three vertices";
  expect_list("a list of rows of vertices");
  Rows rows(static_cast<Eigen::Index>(size()), static_cast<Eigen::Index>(kCorners));
  for (std::size_t i = 0; i < size(); ++i) {
    const json& row = (*value_)[i];
    if (!row.is_array() || row.size() != kCorners) at(i).fail(expected);
    for (std::size_t k = 0; k < kCorners; ++k) {
      const bool is_inside =
          row[k].is_number_integer() && row[k].get<std::int64_t>() >= 0 && row[k].get<std::int64_t>() < vertices;
      rows(Eigen::Index(i), Eigen::Index(k)) =
          is_inside ? row[k].get<int>() : at(i).index(k, row[k], vertices, "vertices");
    }
  }
  return rows;
}

Tetrahedra JsonNode::tetrahedra(Eigen::Index vertices) const {
  return index_rows<Tetrahedra>(vertices);
}

Triangles JsonNode::triangles(Eigen::Index vertices) const {
  return index_rows<Triangles>(vertices);
}

}  // namespace deformbench::harness
