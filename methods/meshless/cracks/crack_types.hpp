// SPDX-License-Identifier: BSD-3-Clause
// Options of cracks, fronts, surfels of fracture surfaces, and events of fronts. [PKAGDG05] §3.1–3.3, §5 (control). All
// in material coordinates.
#pragma once

#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::meshless {

enum class HistoryRule {
  Averaged,   ///< d̄_t = γ d̄_{t−Δt} + (1 − γ) d_t
  AsPrinted,  ///< d̄_t = γ d_{t−Δt} + (1 − γ) d_t, [PKAGDG05] §5: remembers only one step for any γ
};
enum class FrontContact {
  Intersections,  ///< fronts meet if one passes through the area or an edge of another, [PKAGDG05] §3.3
  Near,           ///< also if they approach each other within the snapping distance, e.g. coplanar
};

struct CrackOptions {
  double surfel_radius = 0.05;  ///< r, m
  double speed = 1.0;           ///< α, m/(s Pa)
  double history = 0.0;         ///< γ, 0 … 1
  HistoryRule history_rule = HistoryRule::Averaged;
  bool snapping = true;
  double snapping_ratio = 1.0;  ///< d / r
  FrontContact contact = FrontContact::Near;
  /// Steps that move a node farther than this fraction of r are divided into parts; 0: never.
  double largest_advance = 0.5;
  double initial_radius = 0.5;  ///< of a new crack's triangle, in r

  double snapping_distance() const { return snapping_ratio * surfel_radius; }  ///< d, m
  /// m, within which two ends have met; `advance` (m): sum of their moves in a part of a step.
  double meeting_distance(double advance) const {
    // Ends that pass each other within one part of a step have met, and so have nodes at the minimum spacing of a
    // front.
    return snapping ? snapping_distance() : 0.25 * surfel_radius + advance;
  }
};

/// The sheet on which an end node of a front lies.
struct SheetName {
  enum class Kind { None, Body, Crack };
  Kind kind = Kind::None;
  int number = 0;  ///< index of a sheet of the body, or of a crack
  int side = 0;    ///< for a crack: ±1, side of its triangles' normals on which the front is
  bool operator==(const SheetName&) const = default;
};

/// A crack node c_i.
struct CrackNode {
  int id = 0;                          ///< unique
  int crack = 0;                       ///< crack whose sheets get its surfels
  int other_crack = -1;                ///< at a merged front: crack on the other side of the crease
  Vector3 position = Vector3::Zero();  ///< m
  int vertex = -1;                     ///< current vertex in the swept area
  int last_vertex = -1;                ///< vertex before its last move
  /// Unit normal n of the fracture surface at the front: n × t points outwards, into uncracked material, for the
  /// tangent t in the order of the nodes.
  Vector3 normal = Vector3::UnitZ();
  int flip = 1;                       ///< −1 if n is the normal of the crack's second sheet
  Vector3 drive = Vector3::Zero();    ///< d, m/s: velocity due to the stress
  Vector3 rate = Vector3::Zero();     ///< m/s, current velocity; zero at rest
  Vector3 history = Vector3::Zero();  ///< m/s, d̄ of its last step in motion; with `AsPrinted` d of that step
  bool has_history = false;           ///< whether it has moved
  double since_surfel = 0.0;          ///< m travelled since its last surfels
};

/// A crack front: a sequence of nodes. If closed, first and last are neighbours; if open, they lie on sheets.
struct AdvancingFront {
  int id = 0;  ///< unique
  bool is_closed = false;
  std::vector<CrackNode> nodes;
  SheetName first_sheet, last_sheet;  ///< of an open front
  int first_cut = -1, last_cut = -1;  ///< event that created the end; ends of one do not merge
  double extent = 0.0;                ///< m, `extent_of` it before the last part of a step
  double travelled = 0.0;             ///< m, sum of the largest displacements of all moves
  std::deque<std::pair<double, int>>
      past;                ///< `travelled`, and the number of triangles swept by all fronts, before moves
  long long part = -1;     ///< part of a step in which it moved last
  bool is_moving = false;  ///< while it moves
};

/// A surfel of a fracture sheet. They come in pairs, one per sheet.
struct CrackSurfel {
  Vector3 position;  ///< m
  Vector3 normal;    ///< unit, out of the material that its sheet bounds
  double radius;     ///< m
  int crack;
  int sheet;  ///< 1: first sheet of the crack, −1: second
};

enum class CrackEventKind {
  Initiation,
  Termination,  ///< contracted to a point, or left the body completely
  Split,        ///< an interior run of nodes went through a surface, or a surface went through an edge
  Merge,        ///< two ends met
  EndRun,       ///< nodes next to an end passed through a surface: the end moves to the intersection
  Crossing,     ///< interior nodes of two fronts within the snapping distance: their splits and merges combined
  Forced,       ///< no legal state by the rules: nodes kept their position
};

struct CrackEvent {
  long long step = 0;
  CrackEventKind kind = CrackEventKind::Initiation;
  Vector3 position = Vector3::Zero();
  std::array<int, 2> before{-1, -1}, after{-1, -1};  ///< ids of fronts; −1: none
  /// Termination: 0 contracted, 1 all nodes outside. Split: 0 by the body, 1 by a crack, 2 a crack through an edge of
  /// the front. EndRun: 0, 1 as for Split. Merge: 0 of two fronts, 1 of one to a closed front. Forced: 0 nodes near the
  /// fault, 1 the whole front.
  int cause = 0;
};

/// Two cracks whose sheets meet in a crease.
struct Crease {
  int first_crack, second_crack;
};

/// Sheet of the node if it is an end of an open front, else null.
const SheetName* sheet_of_end(const AdvancingFront& front, std::size_t node);
/// Crack of the edge from `node` to the next one.
int crack_of_edge(const AdvancingFront& front, std::size_t node);
/// First triangle swept in the front's last few surfel radii.
int recent_since(const AdvancingFront& front);
/// m, maximum distance of two of its nodes.
double extent_of(const AdvancingFront& front);
/// Reverses the node order; the fracture surface and its growth direction are unchanged.
void reverse(AdvancingFront& front);

}  // namespace deformbench::meshless
