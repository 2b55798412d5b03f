// SPDX-License-Identifier: BSD-3-Clause
// A JSON value with its location, so that errors name file, pointer and value.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::harness {

class JsonNode {
 public:
  /// `value` and `where` (file name) must outlive the node and its children.
  JsonNode(const nlohmann::json& value, const std::string& where, std::string pointer = "")
      : value_(&value), where_(&where), pointer_(std::move(pointer)) {}

  const nlohmann::json& value() const { return *value_; }
  const std::string& where() const { return *where_; }
  bool has(const std::string& key) const { return value_->is_object() && value_->contains(key); }
  std::size_t size() const { return value_->size(); }
  JsonNode at(const std::string& key) const;
  JsonNode at(std::size_t index) const;
  /// Entries of the list under `key`; empty if the key is absent.
  std::vector<JsonNode> list(const std::string& key) const;

  /// Throws InputError `<where>: <pointer>: got <value>, expected <expected>`.
  [[noreturn]] void fail(const std::string& expected) const;
  /// Throws InputError `<where>: <pointer>: <what>`.
  [[noreturn]] void refuse(const std::string& what) const;

  double number() const;
  bool flag() const;
  std::string text() const;
  Vector3 vector() const;
  Vector3 unit_vector() const;

  double number_or(const std::string& key, double other) const { return has(key) ? at(key).number() : other; }
  Vector3 vector_or(const std::string& key, const Vector3& other) const { return has(key) ? at(key).vector() : other; }
  bool flag_or(const std::string& key, bool other) const { return has(key) ? at(key).flag() : other; }

  Points points() const;  ///< rows of three numbers
  std::vector<double> numbers() const;
  /// Integers 0 … below − 1; `of` names the counted objects ("vertices").
  std::vector<int> indices(Eigen::Index below, const std::string& of) const;
  Tetrahedra tetrahedra(Eigen::Index vertices) const;
  Triangles triangles(Eigen::Index vertices) const;

 private:
  template <class Rows>
  Rows index_rows(Eigen::Index vertices) const;
  int index(std::size_t at, const nlohmann::json& value, Eigen::Index below, const std::string& of) const;
  void expect_list(const char* expected) const;

  const nlohmann::json* value_;
  const std::string* where_;
  std::string pointer_;
};

}  // namespace deformbench::harness
