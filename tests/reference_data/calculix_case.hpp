// SPDX-License-Identifier: BSD-3-Clause
// A CalculiX case as it is kept: its definition, its deck, its result. And the results of the total Lagrangian program.
#pragma once

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "methods/model/structured.hpp"
#include "methods/model/subdivision.hpp"

namespace calculix {

using Json = nlohmann::json;

inline std::string folder() {
  return std::string(DEFORMBENCH_SOURCE_DIR) + "/reference_data/calculix/";
}

inline std::string text_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The table `name` of a result: a row of three numbers for each vertex.
inline deformbench::Points points_of(const Json& result, const std::string& name) {
  const Json& rows = result.at(name);
  deformbench::Points values(Eigen::Index(rows.size()), 3);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t a = 0; a < 3; ++a) values(Eigen::Index(i), Eigen::Index(a)) = rows[i][a];
  return values;
}

/// What reference_data/total_lagrangian holds under `name`, such as "bent_bar_log_neo_hookean".
inline Json total_lagrangian_result(const std::string& name) {
  return Json::parse(
      text_of(std::string(DEFORMBENCH_SOURCE_DIR) + "/reference_data/total_lagrangian/results/" + name + ".json"));
}

struct Case {
  Json definition;  ///< entry of cases.json
  Json result;

  double slenderness() const {
    return definition.at("size_m").at(0).get<double>() / definition.at("size_m").at(1).get<double>();
  }
  double young_modulus() const { return definition.at("material").at("young_modulus_pa"); }
  deformbench::model::TetMesh mesh() const {
    const auto size = definition.at("size_m").get<std::array<double, 3>>();
    using deformbench::model::BlockSplit;
    const auto split = definition.value("hexahedra", false) ? BlockSplit::KuhnSix : BlockSplit::AlternatingFive;
    const auto block = deformbench::model::make_block(definition.at("cells"), deformbench::Vector3::Zero(),
                                                      {size[0], size[1], size[2]}, split);
    return definition.value("quadratic", false) ? deformbench::model::subdivide(block) : block;
  }
  deformbench::Points displacements() const { return points_of(result, "displacements_m"); }
};

/// All cases whose id begins with `prefix`, in the order of cases.json; an error when there is none.
inline std::vector<Case> cases(const std::string& prefix) {
  std::vector<Case> found;
  const Json document = Json::parse(text_of(folder() + "cases.json"));
  for (const Json& definition : document.at("cases")) {
    const std::string id = definition.at("id");
    if (id.starts_with(prefix))
      found.push_back({definition, Json::parse(text_of(folder() + "results/" + id + ".json"))});
  }
  if (found.empty()) throw std::runtime_error("no CalculiX case begins with " + prefix);
  return found;
}

struct Deck {
  std::vector<std::array<double, 3>> nodes;
  std::vector<std::array<int, 4>> elements;  ///< from 0
};

/// The *NODE and *ELEMENT blocks of the case's deck.
inline Deck read_deck(const std::string& id) {
  std::istringstream text(text_of(std::string(DEFORMBENCH_BINARY_DIR) + "/calculix_decks/" + id + ".inp"));
  Deck deck;
  std::string line, block;
  while (std::getline(text, line)) {
    if (line.starts_with("*")) {
      block = line;
      continue;
    }
    for (char& c : line) c = c == ',' ? ' ' : c;
    std::istringstream fields(line);
    std::size_t number = 0;
    if (block.starts_with("*NODE, NSET=ALL")) {
      std::string x, y, z;
      fields >> number >> x >> y >> z;
      deck.nodes.push_back({std::stod(x), std::stod(y), std::stod(z)});
      if (number != deck.nodes.size()) throw std::runtime_error(id + ": nodes are not numbered in order");
    } else if (block.starts_with("*ELEMENT")) {
      std::array<int, 4> t{};
      fields >> number;
      for (int& v : t) {
        fields >> v;
        --v;
      }
      deck.elements.push_back(t);
    }
  }
  return deck;
}

}  // namespace calculix
