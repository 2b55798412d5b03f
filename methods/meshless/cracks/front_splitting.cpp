// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/cracks/front_splitting.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "methods/meshless/cracks/front_spline.hpp"

namespace deformbench::meshless {
namespace {

using Kind = SheetName::Kind;

constexpr double kGrazing = 0.2;      // sine of the angle between the direction ahead and a sheet of the same crack
constexpr double kOnSurface = 0.05;   // in surfel radii
constexpr double kRaySpacing = 0.25;  // of rays ahead, in surfel radii

}  // namespace

/// First surface hit on the edge of crack `own` from an inside to an outside node: the position of the new end.
EdgeBorder FrontSplitting::border(const NodeTarget& inside, const NodeTarget& outside, int own) const {
  EdgeBorder border;
  border.sheet = outside.through;
  border.point = outside.place;
  const bool is_body = outside.through.kind == Kind::Body;
  // A node stopped at a crack lies on its sheet; the search then continues to its unclipped target.
  const Vector3& to = is_body || outside.is_snapped ? outside.place : outside.raw;
  const auto hit = area_.first_hit(inside.place, to, [&](int t) {
    const int crack = area_.crack_of(t);
    return crack != own || (!is_body && crack == outside.through.number);
  });
  std::optional<CrackBody::Exit> exit;
  if (body_.outside(to) >= 0 && !(is_body && outside.is_snapped)) exit = body_.exit(inside.place, to);
  if (hit && (!exit || (hit->point - inside.place).norm() <= (exit->point - inside.place).norm())) {
    border.point = hit->point;
    border.sheet = state_.sheet_of(hit->triangle, hit->point, inside.place);
  } else if (exit) {
    border.point = exit->point;
    border.sheet = {Kind::Body, exit->sheet >= 0 ? exit->sheet : outside.through.number, 0};
  } else if (!is_body) {
    const auto nearest = area_.closest(outside.place, options_.surfel_radius,
                                       [&](int t) { return area_.crack_of(t) == outside.through.number; });
    if (nearest) border.sheet = state_.sheet_of(nearest->triangle, nearest->point, inside.place);
  }
  return border;
}

void FrontSplitting::sweep(AdvancingFront& front, const std::vector<NodeTarget>& targets,
                           std::vector<EdgeBorder>& borders) {
  const std::size_t n = front.nodes.size(), edges = front.is_closed ? n : n - 1;
  std::vector<int> moved(n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool stays = targets[i].place == front.nodes[i].position;
    moved[i] = stays ? front.nodes[i].vertex : area_.add_vertex(targets[i].place);
  }
  borders.assign(edges, {});
  for (std::size_t i = 0; i < edges; ++i) {
    const std::size_t j = (i + 1) % n;
    const int a = front.nodes[i].vertex, b = front.nodes[j].vertex, crack = crack_of_edge(front, i);
    area_.add_triangle(a, b, moved[j], crack);
    if (targets[i].is_out == targets[j].is_out) {
      area_.add_triangle(a, moved[j], moved[i], crack);
      continue;
    }
    EdgeBorder& at = borders[i];
    at = targets[j].is_out ? border(targets[i], targets[j], crack) : border(targets[j], targets[i], crack);
    at.vertex = area_.add_vertex(at.point);
    area_.add_triangle(a, moved[j], at.vertex, crack);
    area_.add_triangle(a, at.vertex, moved[i], crack);
  }
  for (std::size_t i = 0; i < n; ++i) {
    CrackNode& node = front.nodes[i];
    node.since_surfel += (targets[i].place - node.position).norm();
    node.position = targets[i].place;
    node.last_vertex = node.vertex;
    node.vertex = moved[i];
  }
}

std::vector<AdvancingFront> FrontSplitting::pieces(const AdvancingFront& front, const std::vector<NodeTarget>& targets,
                                                   const std::vector<EdgeBorder>& borders) {
  const std::size_t n = targets.size();
  std::vector<AdvancingFront> found;
  std::size_t start = 0;
  if (front.is_closed)
    while (!targets[start].is_out) ++start;
  const auto end_node = [&](std::size_t edge, std::size_t inside) {
    const CrackNode& neighbour = front.nodes[inside];
    CrackNode node = state_.node_between(neighbour, neighbour, borders[edge].point, crack_of_edge(front, edge));
    node.vertex = borders[edge].vertex;
    return node;
  };
  AdvancingFront run;
  for (std::size_t k = 0; k < (front.is_closed ? n + 1 : n); ++k) {
    const std::size_t i = (start + k) % n, before = (i + n - 1) % n;
    const bool has_edge = k > 0;
    const bool was_out = !has_edge || targets[before].is_out;
    if (!targets[i].is_out) {
      if (was_out) {
        run = {};
        if (has_edge) {
          run.nodes.push_back(end_node(before, i));
          run.first_sheet = borders[before].sheet;
        } else {
          run.first_sheet = front.first_sheet;
          run.first_cut = front.first_cut;
        }
      }
      run.nodes.push_back(front.nodes[i]);
    } else if (has_edge && !was_out) {
      run.nodes.push_back(end_node(before, before));
      run.last_sheet = borders[before].sheet;
      found.push_back(run);
    }
  }
  if (!front.is_closed && !targets[n - 1].is_out) {
    run.last_sheet = front.last_sheet;
    run.last_cut = front.last_cut;
    found.push_back(run);
  }
  return found;
}

void FrontSplitting::settle_exits(std::size_t index, const std::vector<NodeTarget>& goals,
                                  const std::vector<EdgeBorder>& borders) {
  const AdvancingFront old = fronts_[index];
  std::vector<AdvancingFront> found = pieces(old, goals, borders);
  const auto cause = [](const SheetName& sheet) { return sheet.kind == Kind::Crack ? 1 : 0; };
  if (found.empty()) {
    state_.record(CrackEventKind::Termination, old.nodes.front().position, {old.id, -1}, {-1, -1}, 1);
    fronts_[index].nodes.clear();
    return;
  }
  for (std::size_t k = 0; k < found.size(); ++k) {
    found[k].id = k == 0 ? old.id : state_.new_front_id();
    found[k].part = state_.part();
    found[k].is_moving = true;
    found[k].extent = old.extent;
    found[k].travelled = old.travelled;
    found[k].past = old.past;
  }
  const std::size_t m = found.size();
  if (!old.is_closed && goals.front().is_out)
    state_.record(CrackEventKind::EndRun, found.front().nodes.front().position, {old.id, -1}, {old.id, -1},
                  cause(found.front().first_sheet));
  if (!old.is_closed && goals.back().is_out)
    state_.record(CrackEventKind::EndRun, found.back().nodes.back().position, {old.id, -1}, {found.back().id, -1},
                  cause(found.back().last_sheet));
  // One split per outside run between two inside runs.
  for (std::size_t k = 0; k < (old.is_closed ? m : m - 1); ++k) {
    AdvancingFront &left = found[k], &right = found[(k + 1) % m];
    left.last_cut = right.first_cut = state_.new_cut();
    state_.record(CrackEventKind::Split, 0.5 * (left.nodes.back().position + right.nodes.front().position),
                  {old.id, -1}, {left.id, right.id}, cause(left.last_sheet));
  }
  fronts_[index] = found.front();
  for (std::size_t k = 1; k < m; ++k) fronts_.push_back(found[k]);
}

/// Cuts the first edge of a front that passes through a triangle from `first_triangle` on.
bool FrontSplitting::cut_one(std::size_t index, int first_triangle) {
  const AdvancingFront& front = fronts_[index];
  const std::size_t n = front.nodes.size(), edges = front.is_closed ? n : n - 1;
  for (std::size_t i = 0; i < edges && n > 1; ++i) {
    const std::size_t j = (i + 1) % n;
    // The area just swept by the edge's crack touches it along its whole length.
    const int own = crack_of_edge(front, i), recent = recent_since(front);
    const auto hit = state_.edge_crossing(front, i, first_triangle, [&](int t) {
      const SweptTriangle& triangle = area_.triangles()[std::size_t(t)];
      if (triangle.crack == own && t >= recent) return false;
      return std::none_of(triangle.vertices.begin(), triangle.vertices.end(),
                          [&](int v) { return v == front.nodes[i].vertex || v == front.nodes[j].vertex; });
    });
    if (hit) {
      cut_edge(index, i, *hit);
      return true;
    }
  }
  return false;
}

void FrontSplitting::cut_edge(std::size_t index, std::size_t edge, const SweptArea::Hit& hit) {
  AdvancingFront& front = fronts_[index];
  const std::size_t n = front.nodes.size();
  const CrackNode a = front.nodes[edge], b = front.nodes[(edge + 1) % n];
  const int own = crack_of_edge(front, edge);
  CrackNode left = state_.node_between(a, a, hit.point, own);
  CrackNode right = state_.node_between(b, b, hit.point, own);
  right.vertex = left.vertex;
  const int cut = state_.new_cut();
  if (front.is_closed) {
    std::rotate(front.nodes.begin(), front.nodes.begin() + std::ptrdiff_t((edge + 1) % n), front.nodes.end());
    front.nodes.insert(front.nodes.begin(), right);
    front.nodes.push_back(left);
    front.is_closed = false;
    front.first_sheet = state_.sheet_of(hit.triangle, hit.point, b.position);
    front.last_sheet = state_.sheet_of(hit.triangle, hit.point, a.position);
    front.first_cut = front.last_cut = cut;
    state_.record(CrackEventKind::Split, hit.point, {front.id, -1}, {front.id, front.id}, 2);
    return;
  }
  AdvancingFront rest = front;
  rest.id = state_.new_front_id();
  rest.nodes.assign(front.nodes.begin() + std::ptrdiff_t(edge) + 1, front.nodes.end());
  rest.nodes.insert(rest.nodes.begin(), right);
  rest.first_sheet = state_.sheet_of(hit.triangle, hit.point, b.position);
  rest.first_cut = cut;
  front.nodes.resize(edge + 1);
  front.nodes.push_back(left);
  front.last_sheet = state_.sheet_of(hit.triangle, hit.point, a.position);
  front.last_cut = cut;
  state_.record(CrackEventKind::Split, hit.point, {front.id, -1}, {front.id, rest.id}, 2);
  fronts_.push_back(std::move(rest));
}

void FrontSplitting::cut_pierced_edges(int first_new) {
  constexpr int kMost = 1000;  // far more than the number of front edges
  // Fronts that have moved are tested against all area, others against new area.
  int cuts = 0;
  for (std::size_t k = 0; k < fronts_.size() && cuts < kMost; ++k)
    while (cut_one(k, fronts_[k].is_moving ? 0 : first_new) && cuts < kMost) ++cuts;
  if (cuts == kMost) state_.leave_unclassified();
}

/// First crack on the ray ahead within two snapping distances, or the ray's end if that is outside the body; otherwise
/// the nearest surface point within one, if any.
std::optional<Vector3> FrontSplitting::way_ahead(const LinePoint& from, int first_new) const {
  const double near = std::max(options_.snapping_distance(), options_.surfel_radius);
  const auto counts = [&](int t) {
    return t < first_new &&
           (area_.crack_of(t) != from.crack || std::abs(from.direction.dot(area_.normal(t))) > kGrazing);
  };
  // A point on a surface already ends there.
  if (body_.depth(from.position) > -kOnSurface * options_.surfel_radius) return from.position;
  if (area_.closest(from.position, kOnSurface * options_.surfel_radius,
                    [&](int t) { return t < first_new && area_.crack_of(t) != from.crack; }))
    return from.position;
  const Vector3 to = from.position + 2.0 * near * from.direction;
  if (const auto hit = area_.first_hit(from.position, to, counts)) return hit->point;
  if (!body_.contains(to)) return to;
  std::optional<Vector3> nearest;
  double least = near;
  for (int s = 0; s < body_.sheet_count(); ++s)
    if (const auto foot = body_.sheet(s).project(from.position); foot && (*foot - from.position).norm() <= least) {
      nearest = foot;
      least = (*foot - from.position).norm();
    }
  const auto crack =
      area_.closest(from.position, least, [&](int t) { return t < first_new && area_.crack_of(t) != from.crack; });
  return crack ? crack->point : nearest;
}

/// Adjacent rays that end on different surfaces leave a corner: its middle goes to the nearest surface.
void FrontSplitting::close_corner(const LinePoint& a, const LinePoint& b, int first_new, int depth) {
  constexpr int kMost = 4;
  if (depth == kMost || (a.position - b.position).norm() < kRaySpacing * options_.surfel_radius) return;
  const LinePoint middle{0.5 * (a.position + b.position), a.direction, -1, a.crack};
  const auto met = way_ahead(middle, first_new);
  if (!met || *met == middle.position) return;
  const LinePoint ahead{*met, a.direction, area_.add_vertex(*met), a.crack};
  area_.add_triangle(a.vertex, b.vertex, ahead.vertex, a.crack);
  close_corner(a, ahead, first_new, depth + 1);
  close_corner(ahead, b, first_new, depth + 1);
}

/// Adds the area ahead of a line up to the surfaces there, piece by piece between its points. Ignores area swept from
/// `first_new` on. False if a ray ahead meets no surface: no piece is added there.
bool FrontSplitting::fill_ahead(std::span<const LinePoint> line, int first_new) {
  bool all = true;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const LinePoint &a = line[i], &b = line[i + 1];
    const double length = (b.position - a.position).norm();
    const int parts = std::max(1, int(std::ceil(length / (kRaySpacing * options_.surfel_radius))));
    std::vector<std::pair<Vector3, Vector3>> ways;
    for (int k = 0; k <= parts; ++k) {
      const double share = double(k) / parts;
      const Vector3 from = (1.0 - share) * a.position + share * b.position;
      const Vector3 direction = unit((1.0 - share) * a.direction + share * b.direction);
      if (const auto met = way_ahead({from, direction, -1, a.crack}, first_new)) ways.emplace_back(from, *met);
    }
    if (int(ways.size()) <= parts) {
      all = false;
      continue;
    }
    int last = -1, last_ahead = -1;
    for (int k = 0; k <= parts; ++k) {
      const auto& [from, met] = ways[std::size_t(k)];
      const int vertex = k == 0 ? a.vertex : k == parts ? b.vertex : area_.add_vertex(from);
      const int ahead = area_.add_vertex(met);
      if (k > 0) {
        area_.add_triangle(last, vertex, ahead, a.crack);
        area_.add_triangle(last, ahead, last_ahead, a.crack);
        close_corner({area_.vertex(last_ahead), Vector3::Zero(), last_ahead, a.crack},
                     {met, Vector3::Zero(), ahead, a.crack}, first_new);
      }
      last = vertex;
      last_ahead = ahead;
    }
  }
  return all;
}

void FrontSplitting::fill_corners(const AdvancingFront& front, const std::vector<NodeTarget>& targets,
                                  const std::vector<EdgeBorder>& borders, int first_new) {
  const std::size_t n = front.nodes.size(), edges = front.is_closed ? n : n - 1;
  const auto point = [&](std::size_t i, int crack) {
    return LinePoint{front.nodes[i].position, unit(front.nodes[i].rate), front.nodes[i].vertex, crack};
  };
  for (std::size_t i = 0; i < edges; ++i) {
    const std::size_t j = (i + 1) % n;
    if (!targets[i].is_out && !targets[j].is_out) continue;
    const int crack = crack_of_edge(front, i);
    LinePoint first = point(i, crack), second = point(j, crack);
    if (!targets[i].is_out || !targets[j].is_out) {
      LinePoint& inside = targets[i].is_out ? second : first;
      inside.position = borders[i].point;
      inside.vertex = borders[i].vertex;
    }
    fill_ahead(std::array{first, second}, first_new);
  }
}

std::vector<FrontSplitting::LinePoint> FrontSplitting::line_of(const AdvancingFront& front) {
  std::vector<LinePoint> line;
  for (std::size_t i = 0; i < front.nodes.size(); ++i) {
    const CrackNode& node = front.nodes[i];
    const std::size_t edge = std::min(i, front.nodes.size() - 2);
    line.push_back({node.position, unit(node.rate.squaredNorm() > 0.0 ? node.rate : outwards(front, i)), node.vertex,
                    crack_of_edge(front, edge)});
  }
  return line;
}

bool FrontSplitting::runs_into_corner(const AdvancingFront& front) const {
  for (const LinePoint& point : line_of(front))
    if (!way_ahead(point, int(area_.triangles().size()))) return false;
  return true;
}

/// Adds the area left by a contracted front: the inside of a closed one; the area ahead of an open one, or a strip of
/// width `least` if it meets nothing there.
void FrontSplitting::fill(const AdvancingFront& front, double least) {
  const std::size_t n = front.nodes.size();
  if (front.is_closed) {
    Vector3 centre = Vector3::Zero();
    for (const CrackNode& node : front.nodes) centre += node.position / double(n);
    const int vertex = area_.add_vertex(centre);
    for (std::size_t i = 0; i < n; ++i)
      area_.add_triangle(front.nodes[i].vertex, front.nodes[(i + 1) % n].vertex, vertex, crack_of_edge(front, i));
    return;
  }
  if (n < 2) return;
  const std::vector<LinePoint> line = line_of(front);
  if (fill_ahead(line, int(area_.triangles().size()))) return;
  std::vector<int> ahead;
  for (const LinePoint& point : line) ahead.push_back(area_.add_vertex(point.position + least * point.direction));
  for (std::size_t i = 0; i + 1 < n; ++i) {
    area_.add_triangle(line[i].vertex, line[i + 1].vertex, ahead[i + 1], line[i].crack);
    area_.add_triangle(line[i].vertex, ahead[i + 1], ahead[i], line[i].crack);
  }
}

void FrontSplitting::terminate_one(std::size_t index, bool is_filled) {
  const int first_new = int(area_.triangles().size());
  const AdvancingFront front = std::move(fronts_[index]);
  fronts_[index].nodes.clear();
  if (is_filled) {
    fill(front, options_.snapping_distance());
    for (std::size_t i = 0; i < front.nodes.size(); ++i)
      if (front.nodes[i].since_surfel > 0.0) {
        AdvancingFront last = front;
        state_.add_surfels(last, i);
      }
  }
  state_.record(CrackEventKind::Termination, front.nodes.front().position, {front.id, -1}, {-1, -1}, 0);
  cut_pierced_edges(first_new);
}

void FrontSplitting::terminate(double dt) {
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    if (fronts_[k].nodes.empty()) continue;
    const AdvancingFront& front = fronts_[k];
    const double extent = extent_of(front);
    double fastest = 0.0;
    for (const CrackNode& node : front.nodes) fastest = std::max(fastest, node.rate.norm());
    const bool is_degenerate = front.nodes.size() < (front.is_closed ? 3u : 2u);
    const bool contracts = extent < front.extent * (1.0 - 1e-9) && fastest > 0.0;
    if (!is_degenerate && !(contracts && extent < options_.meeting_distance(2.0 * dt * fastest))) continue;
    // Ends of an open front may be close in a neck with more to cut behind it.
    if (!is_degenerate && !front.is_closed && extent > 0.25 * options_.surfel_radius && !runs_into_corner(front))
      continue;
    for (const bool is_filled : {true, false})
      if (state_.attempt([&] { terminate_one(k, is_filled); })) break;
  }
  std::erase_if(fronts_, [](const AdvancingFront& front) { return front.nodes.empty(); });
}

}  // namespace deformbench::meshless
