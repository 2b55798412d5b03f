// SPDX-License-Identifier: BSD-3-Clause
// Findings of mesh checks in words: names, places, and the refusal.
#include <fmt/format.h>

#include <algorithm>

#include "methods/model/error.hpp"
#include "methods/model/mesh_checks.hpp"

namespace deformbench::model {
namespace {

bool contains(const std::vector<FindingKind>& kinds, FindingKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

}  // namespace

std::string name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::IndexOutOfRange:
      return "index_out_of_range";
    case FindingKind::NonFinitePosition:
      return "non_finite_position";
    case FindingKind::DegenerateElement:
      return "degenerate_element";
    case FindingKind::InvertedElement:
      return "inverted_element";
    case FindingKind::DuplicateElement:
      return "duplicate_element";
    case FindingKind::UnreferencedVertex:
      return "unreferenced_vertex";
    case FindingKind::OverlappingFace:
      return "overlapping_face";
    case FindingKind::OpenEdge:
      return "open_edge";
    case FindingKind::NonManifoldEdge:
      return "non_manifold_edge";
    case FindingKind::InconsistentOrientation:
      return "inconsistent_orientation";
    case FindingKind::SharedFanVertex:
      return "shared_fan_vertex";
    case FindingKind::InsideOut:
      return "inside_out";
    case FindingKind::NoVolume:
      return "no_volume";
  }
  return {};
}

std::string place_of(const Finding& finding, const MeshSource& source) {
  if (source.file.empty()) return {};
  const auto line_in = [](const std::vector<int>& lines, const std::vector<int>& ids, bool last) {
    if (ids.empty()) return 0;
    const int id = last ? ids.back() : ids.front();
    return id >= 0 && id < int(lines.size()) ? lines[std::size_t(id)] : 0;
  };
  // A duplicate is named by the later element, a vertex by itself, everything else by the first element.
  const bool last = finding.kind == FindingKind::DuplicateElement;
  const bool by_element = !finding.elements.empty() && finding.kind != FindingKind::SharedFanVertex;
  const int line = by_element ? line_in(source.element_lines, finding.elements, last)
                              : line_in(source.vertex_lines, finding.vertices, false);
  const std::string& file = by_element && !source.element_file.empty() ? source.element_file : source.file;
  return line > 0 ? fmt::format("{}:{}: ", file, line) : fmt::format("{}: ", file);
}

void refuse_findings(const std::vector<Finding>& findings, const MeshSource& source,
                     const std::vector<FindingKind>& tolerated) {
  const Finding* first = nullptr;
  std::size_t more = 0;
  for (const Finding& finding : findings) {
    if (contains(tolerated, finding.kind)) continue;
    if (first)
      ++more;
    else
      first = &finding;
  }
  if (!first) return;
  throw InputError(place_of(*first, source) + first->message +
                   (more > 0 ? fmt::format(" (and {} more problem{})", more, more > 1 ? "s" : "") : ""));
}

}  // namespace deformbench::model
