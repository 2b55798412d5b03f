// SPDX-License-Identifier: BSD-3-Clause
// Crack fronts, the surfels of fracture surfaces, and what can happen to fronts. [PKAGDG05] §3.1–3.3
// All in material coordinates.
#pragma once

#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "methods/model/types.hpp"

namespace deformbench::meshless {

/// The sheet that an end node of a front lies on.
struct SheetName {
  enum class Kind { None, Body, Crack };
  Kind kind = Kind::None;
  int number = 0;  ///< of the body's sheets, or of a crack
  int side = 0;    ///< of a crack: ±1, the side of its triangles' normals that the front is on
  bool operator==(const SheetName&) const = default;
};

/// A crack node c_i.
struct CrackNode {
  int id = 0;            ///< never given twice
  int crack = 0;         ///< whose sheets it adds surfels to
  int other_crack = -1;  ///< where two cracks have merged: whose sheets are on the other side of the crease
  Vector3 position = Vector3::Zero();  ///< m
  int vertex = -1;                     ///< of the swept area, where the node is
  int last_vertex = -1;                ///< where it was before it moved last
  /// Unit normal n of the fracture surface at the front: n × t points outwards, into uncracked material, for the
  /// tangent t in the order of the nodes.
  Vector3 normal = Vector3::UnitZ();
  int flip = 1;                       ///< −1 where n is the normal of the crack's second sheet
  Vector3 drive = Vector3::Zero();    ///< d, m/s: where the stress would move it
  Vector3 rate = Vector3::Zero();     ///< m/s, as it moves now; zero while it stands still
  Vector3 history = Vector3::Zero();  ///< m/s, d̄ of the last step that it moved in; of rule `AsPrinted` d of that step
  bool has_history = false;           ///< whether it has moved at all
  double since_surfel = 0.0;          ///< m travelled since its last surfels
};

/// A crack front: nodes in a row, of which the first and the last are neighbours where it is closed, and lie on sheets
/// where it is open.
struct AdvancingFront {
  int id = 0;  ///< never given twice
  bool is_closed = false;
  std::vector<CrackNode> nodes;
  SheetName first_sheet, last_sheet;  ///< of an open front
  int first_cut = -1, last_cut = -1;  ///< the event that made the end: two of one event do not merge
  double extent = 0.0;                ///< m, largest distance of two nodes before the last step
  double travelled = 0.0;             ///< m, sum of the farthest that a node went in every move
  std::deque<std::pair<double, int>>
      past;                ///< `travelled`, and the number of triangles swept by all fronts, before moves
  long long part = -1;     ///< the part of a step that it moved in last
  bool is_moving = false;  ///< while it moves
};

/// A surfel of a fracture sheet. They come in pairs, one of either sheet.
struct CrackSurfel {
  Vector3 position;  ///< m
  Vector3 normal;    ///< unit, out of the material that its sheet bounds
  double radius;     ///< m
  int crack;
  int sheet;  ///< 1 the crack's first, −1 its second
};

enum class CrackEventKind {
  Initiation,
  Termination,  ///< contracted to a point, or left the body with all its nodes
  Split,        ///< an interior run of nodes went through a surface, or a surface went through an edge
  Merge,        ///< two ends met
  EndRun,       ///< nodes next to an end went through a surface: the end moves there, as over an edge of the body
  Crossing,     ///< interior nodes of two fronts within the snapping distance: their splits and merges in one
  Forced,       ///< the rules lead to no legal state: nodes stay where they were
};

struct CrackEvent {
  long long step = 0;
  CrackEventKind kind = CrackEventKind::Initiation;
  Vector3 position = Vector3::Zero();
  std::array<int, 2> before{-1, -1}, after{-1, -1};  ///< ids of fronts; −1: none
  /// Termination: 0 contracted, 1 all nodes outside. Split: 0 by the body, 1 by a crack, 2 a crack through an edge of
  /// the front. EndRun: 0, 1 as these. Merge: 0 of two fronts, 1 of one to a circle. Forced: 0 nodes near the place, 1
  /// all of the front.
  int cause = 0;
};

/// Two cracks whose sheets meet in a crease.
struct Crease {
  int first_crack, second_crack;
};

}  // namespace deformbench::meshless
