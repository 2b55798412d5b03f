// SPDX-License-Identifier: BSD-3-Clause
// Frame arrays of cracks.
#include <stdexcept>

#include "methods/meshless/cracks/crack_part.hpp"

namespace deformbench::meshless {
namespace {

MethodArray real_rows(const char* name, const char* unit, const char* quantity, const char* description,
                      std::size_t width) {
  return {name, unit, quantity, description, {0, width}};
}
MethodArray integer_rows(const char* name, const char* description, std::size_t width) {
  MethodArray array{name, "1", "index", description, {0, width}};
  array.is_integer = true;
  return array;
}
void add(MethodArray& array, const Vector3& v) {
  array.reals.insert(array.reals.end(), v.data(), v.data() + 3);
}
MethodArray finished(MethodArray array) {
  const std::size_t size = array.is_integer ? array.integers.size() : array.reals.size();
  array.shape[0] = size / array.shape[1];
  return array;
}

int sheet_code(const AdvancingFront& front, std::size_t i) {
  const bool is_first = i == 0, is_last = i + 1 == front.nodes.size();
  if (front.is_closed || !(is_first || is_last)) return -2;
  const SheetName& sheet = is_first ? front.first_sheet : front.last_sheet;
  return sheet.kind == SheetName::Kind::Crack ? sheet.number : -1;
}

}  // namespace

std::vector<std::string> CrackPart::array_names() {
  return {"front_nodes",    "front_ids",       "front_rates",   "front_normals",         "crack_surfels",
          "crack_vertices", "crack_triangles", "crack_events",  "crack_event_positions", "crack_creases",
          "crack_starts",   "crack_start_ids", "crack_samples", "crack_tally",           "crack_components"};
}

MethodArray CrackPart::array(const std::string& name) const {
  const auto nodes = [&](const char* unit, const char* quantity, const char* description, auto value) {
    MethodArray array = real_rows(name.c_str(), unit, quantity, description, 3);
    for (const AdvancingFront& front : cracks_.fronts())
      for (const CrackNode& node : front.nodes) add(array, value(node));
    return finished(std::move(array));
  };
  if (name == "front_nodes")
    return nodes("m", "position", "Nodes of all fronts, in their order, in material coordinates.",
                 [](const CrackNode& node) { return node.position; });
  if (name == "front_rates")
    return nodes("m/s", "velocity", "Propagation vector that moved every node of a front last.",
                 [](const CrackNode& node) { return node.rate; });
  if (name == "front_normals")
    return nodes("1", "normal",
                 "Normal of the fracture surface at every node of a front; normal × tangent is outwards.",
                 [](const CrackNode& node) { return node.normal; });
  if (name == "front_ids") {
    MethodArray array =
        integer_rows("front_ids",
                     "Of every node of a front: front, node, crack, 1 if the front is closed, sheet of "
                     "an end (−1 the body, else a crack; −2 no end), the other crack of a crease or −1.",
                     6);
    for (const AdvancingFront& front : cracks_.fronts())
      for (std::size_t i = 0; i < front.nodes.size(); ++i) {
        const CrackNode& node = front.nodes[i];
        for (const int value :
             {front.id, node.id, node.crack, int(front.is_closed), sheet_code(front, i), node.other_crack})
          array.integers.push_back(value);
      }
    return finished(std::move(array));
  }
  if (name == "crack_surfels") {
    MethodArray array =
        real_rows("crack_surfels", "1", "surfel",
                  "Surfels of fracture sheets: position (m), unit normal, radius (m), crack, sheet (1 or −1).", 9);
    for (const CrackSurfel& surfel : cracks_.surfels()) {
      add(array, surfel.position);
      add(array, surfel.normal);
      array.reals.push_back(surfel.radius);
      array.reals.push_back(surfel.crack);
      array.reals.push_back(surfel.sheet);
    }
    return finished(std::move(array));
  }
  if (name == "crack_vertices") {
    MethodArray array = real_rows("crack_vertices", "m", "position", "Vertices of the area that fronts have swept.", 3);
    for (const Vector3& x : cracks_.area().vertices()) add(array, x);
    return finished(std::move(array));
  }
  if (name == "crack_triangles") {
    MethodArray array = integer_rows("crack_triangles", "Vertices of its triangles, and their crack.", 4);
    for (const SweptTriangle& triangle : cracks_.area().triangles()) {
      array.integers.insert(array.integers.end(), triangle.vertices.begin(), triangle.vertices.end());
      array.integers.push_back(triangle.crack);
    }
    return finished(std::move(array));
  }
  if (name == "crack_events") {
    MethodArray array =
        integer_rows("crack_events",
                     "Step, kind (0 initiation, 1 termination, 2 split, 3 merge, 4 end run, 5 crossing, "
                     "6 forced), two fronts before, two after (−1: none), cause.",
                     7);
    for (const CrackEvent& event : cracks_.events())
      for (const int value : {int(event.step), int(event.kind), event.before[0], event.before[1], event.after[0],
                              event.after[1], event.cause})
        array.integers.push_back(value);
    return finished(std::move(array));
  }
  if (name == "crack_event_positions") {
    MethodArray array = real_rows("crack_event_positions", "m", "position", "Where every event was.", 3);
    for (const CrackEvent& event : cracks_.events()) add(array, event.position);
    return finished(std::move(array));
  }
  if (name == "crack_creases") {
    MethodArray array = integer_rows("crack_creases", "Pairs of cracks whose sheets meet in a crease.", 2);
    for (const Crease& crease : cracks_.creases()) {
      array.integers.push_back(crease.first_crack);
      array.integers.push_back(crease.second_crack);
    }
    return finished(std::move(array));
  }
  if (name == "crack_starts") {
    MethodArray array = real_rows("crack_starts", "1", "start",
                                  "Cracks that stress started: place (m), normal, λ and threshold (Pa).", 8);
    for (const CrackStart& start : starts_) {
      add(array, start.position);
      add(array, start.normal);
      array.reals.push_back(start.stress);
      array.reals.push_back(start.threshold);
    }
    return finished(std::move(array));
  }
  if (name == "crack_start_ids") {
    MethodArray array = integer_rows("crack_start_ids", "Their step, sample and crack.", 3);
    for (const CrackStart& start : starts_)
      for (const int value : {int(start.step), start.sample, start.crack}) array.integers.push_back(value);
    return finished(std::move(array));
  }
  if (name == "crack_samples") {
    MethodArray array = real_rows("crack_samples", "1", "sample",
                                  "Places where cracks may start: place (m), threshold (Pa, 1e300 none), node or −1, "
                                  "painted line or −1.",
                                  6);
    for (const CrackSample& sample : samples_) {
      add(array, sample.position);
      array.reals.push_back(std::min(sample.threshold, 1e300));
      array.reals.push_back(sample.node);
      array.reals.push_back(sample.painted);
    }
    return finished(std::move(array));
  }
  if (name == "crack_tally") {
    MethodArray array = integer_rows("crack_tally", "Cracks, constellations that no rule knew, refused starts.", 3);
    array.integers = {cracks_.crack_count(), cracks_.unclassified(), int(refused_)};
    return finished(std::move(array));
  }
  if (name != "crack_components") throw std::invalid_argument("no array '" + name + "'");
  MethodArray array =
      integer_rows("crack_components",
                   "Of every node its component of the graph of pairs that no crack and no boundary is between.", 1);
  array.integers = node_components();
  return finished(std::move(array));
}

}  // namespace deformbench::meshless
