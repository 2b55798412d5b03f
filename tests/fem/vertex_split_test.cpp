// SPDX-License-Identifier: BSD-3-Clause
// Vertices that split, and which elements come apart. [MG04] §4
#include "methods/fem/body/vertex_split.hpp"

#include <gtest/gtest.h>

#include "methods/model/error.hpp"
#include "tests/fem/fracture_fixture.hpp"
#include "tests/nearest_vertex.hpp"

namespace deformbench::fem {
namespace {

struct Counts {
  int planes = 0, splits = 0, refused = 0, hinges = 0, hinge_edges = 0, isolated = 0;
};

/// Splits vertex `v` of `body` and holds every detail against the slow mesh.
void compare(const BodyToBreak& body, FractureTopology& topology, SlowMesh& slow, int v, const Vector3& normal,
             HingeRule rule, Counts& counts) {
  ++counts.planes;
  const Tetrahedra before = topology.tetrahedra();
  const int vertices_before = topology.vertex_count();
  Points positions = body.positions;
  append_copies(topology, positions);
  const auto crowded_before = slow.crowded_edges();
  const std::size_t faces_before = slow.faces().size();
  const SlowMesh::Outcome expected = slow.split(v, normal, positions, rule);
  const SplitTrial trial = topology.would_split(v, normal, body.positions);
  EXPECT_EQ(trial.positive, int(expected.positive.size()));
  EXPECT_EQ(trial.negative, int(expected.negative.size()));
  EXPECT_EQ(topology.tetrahedra(), before);
  const auto split = topology.split(v, normal, body.positions);
  ASSERT_EQ(split.has_value(), expected.splits);
  EXPECT_EQ(trial.splits(), expected.splits);
  EXPECT_EQ(trial.reason().empty(), expected.splits);
  if (!split) {
    ++counts.refused;
    EXPECT_EQ(topology.tetrahedra(), before);
    EXPECT_EQ(topology.vertex_count(), vertices_before);
    return;
  }
  ++counts.splits;
  counts.hinges += int(split->hinges.size());
  counts.hinge_edges += int(split->hinge_edges.size());

  // Same connectivity but for the numbers of new vertices.
  std::map<int, int> theirs, ours;
  for (int e = 0; e < topology.element_count(); ++e)
    for (int a = 0; a < 4; ++a) {
      const int mine = topology.tetrahedra()(e, a), other = slow.elements[std::size_t(e)][std::size_t(a)];
      EXPECT_EQ(theirs.try_emplace(mine, other).first->second, other);
      EXPECT_EQ(ours.try_emplace(other, mine).first->second, mine);
      if (rule == HingeRule::Keep && expected.positive.count(e) && before(e, a) == v) {
        EXPECT_EQ(mine, v);
      }
      if (expected.negative.count(e) && before(e, a) == v) {
        EXPECT_GE(mine, vertices_before);
      }
    }
  slow.elements.clear();  // go on with our numbers
  for (int e = 0; e < topology.element_count(); ++e) {
    const auto row = topology.tetrahedra().row(e);
    slow.elements.push_back({row[0], row[1], row[2], row[3]});
  }
  slow.next = topology.vertex_count();

  std::set<std::set<int>> exposed;
  for (const ExposedFace& face : split->exposed_faces) {
    exposed.insert({face.element_a, face.element_b});
    EXPECT_TRUE(expected.positive.count(face.element_a) && expected.negative.count(face.element_b));
    EXPECT_EQ(topology.neighbour(face.element_a, face.face_a), -1);
    EXPECT_EQ(topology.neighbour(face.element_b, face.face_b), -1);
    std::multiset<int> corners_a, corners_b;
    for (int k = 0; k < 4; ++k) {
      if (k != face.face_a) corners_a.insert(before(face.element_a, k));
      if (k != face.face_b) corners_b.insert(before(face.element_b, k));
    }
    EXPECT_EQ(corners_a, corners_b);
  }
  EXPECT_EQ(exposed, expected.exposed);
  EXPECT_EQ(exposed.size(), split->exposed_faces.size());
  EXPECT_EQ(std::set<int>(split->tips.begin(), split->tips.end()), expected.tips);
  EXPECT_EQ(std::set<int>(split->hinges.begin(), split->hinges.end()), expected.hinges);
  std::set<int> marked;
  for (int i = 0; i < topology.vertex_count(); ++i)
    if (topology.crack_tips()[std::size_t(i)]) marked.insert(i);
  EXPECT_EQ(marked, slow.tips);

  // Records, stars and neighbours say what the connectivity says.
  Tetrahedra replayed = before;
  for (const CornerMove& move : split->moves) {
    EXPECT_EQ(replayed(move.element, move.corner), move.from);
    replayed(move.element, move.corner) = move.to;
  }
  EXPECT_EQ(replayed, topology.tetrahedra());
  EXPECT_EQ(vertices_before + int(split->new_vertices.size()), topology.vertex_count());
  for (const NewVertex& added : split->new_vertices) {
    std::vector<int> elements;
    for (const int place : topology.star(added.vertex)) elements.push_back(place >> 2);
    EXPECT_EQ(added.elements, elements);
    EXPECT_EQ(added.parent, topology.parents()[std::size_t(added.vertex)]);
    EXPECT_EQ(topology.parents()[std::size_t(added.source)], added.parent);
    EXPECT_EQ(topology.sources()[std::size_t(added.vertex)], added.source);
    counts.isolated += elements.size() == 1;
  }
  const FractureTopology rebuilt(topology.tetrahedra(), topology.vertex_count());
  for (int i = 0; i < topology.vertex_count(); ++i)
    EXPECT_TRUE(std::ranges::equal(topology.star(i), rebuilt.star(i))) << "vertex " << i;
  for (int e = 0; e < topology.element_count(); ++e)
    for (int a = 0; a < 4; ++a) EXPECT_EQ(topology.neighbour(e, a), rebuilt.neighbour(e, a));

  const auto characteristics = slow.euler_characteristics();
  EXPECT_EQ(model::face_connected_parts(topology.tetrahedra()), int(characteristics.size()));
  // Every exposed face is now two.
  EXPECT_EQ(slow.faces().size(), faces_before + split->exposed_faces.size());
  // An edge has two boundary faces, or had more before (in its sources' numbers), or is reported.
  std::set<std::array<int, 2>> reported(split->hinge_edges.begin(), split->hinge_edges.end());
  for (const auto& edge : slow.crowded_edges()) {
    std::array<int, 2> was = edge;
    for (int& i : was)
      while (i >= vertices_before) i = topology.sources()[std::size_t(i)];
    std::sort(was.begin(), was.end());
    EXPECT_TRUE(reported.count(edge) || crowded_before.count(was)) << edge[0] << " " << edge[1];
    reported.erase(edge);
  }
  EXPECT_TRUE(reported.empty());
}

TEST(VertexSplit, AgreesWithASlowMeshOnRandomStarsOfTwoToTwentyFourElements) {
  numerics::RandomStream random(301);
  for (const HingeRule rule : {HingeRule::Separate, HingeRule::Keep}) {
    Counts counts;
    for (int k = 0; k < 1150 && !HasFailure(); ++k) {
      const BodyToBreak body = random_star(2 + k % 23, random);
      FractureTopology topology(body.tetrahedra, int(body.positions.rows()), rule);
      SlowMesh slow(body.tetrahedra, int(body.positions.rows()));
      compare(body, topology, slow, 0, random.direction(), rule, counts);
      // Round one vertex every piece is a cone over its link, which can be shrunk to the tip.
      if (rule == HingeRule::Separate && topology.split_count() > 0) {
        for (const int characteristic : slow.euler_characteristics()) EXPECT_EQ(characteristic, 1);
      }
    }
    EXPECT_EQ(counts.planes, 1150);
    EXPECT_GT(counts.splits, 1000);
    EXPECT_GT(counts.refused, 10);
    EXPECT_GT(counts.isolated, 50);
    if (rule == HingeRule::Separate) {
      EXPECT_GT(counts.hinges, 100);
    }
  }
}

TEST(VertexSplit, AgreesWithASlowMeshOnTheOctahedralStar) {
  numerics::RandomStream random(302);
  const BodyToBreak body = octahedral_star();
  Counts counts;
  for (int k = 0; k < 1000 && !HasFailure(); ++k) {
    FractureTopology topology(body.tetrahedra, 7);
    SlowMesh slow(body.tetrahedra, 7);
    compare(body, topology, slow, 0, random.direction(), HingeRule::Separate, counts);
    EXPECT_EQ(model::face_connected_parts(topology.tetrahedra()), 2);
  }
  EXPECT_EQ(counts.splits, 1000);
}

TEST(VertexSplit, AgreesWithASlowMeshWhenJitteredBlocksFallToPieces) {
  numerics::RandomStream random(303);
  for (const HingeRule rule : {HingeRule::Separate, HingeRule::Keep}) {
    Counts counts;
    for (const auto split :
         {model::BlockSplit::AlternatingFive, model::BlockSplit::KuhnSix, model::BlockSplit::BodyCentred}) {
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const BodyToBreak body = jittered_block({2, 2, split == model::BlockSplit::BodyCentred ? 1 : 2}, split, seed);
        FractureTopology topology(body.tetrahedra, int(body.positions.rows()), rule);
        SlowMesh slow(body.tetrahedra, int(body.positions.rows()));
        for (int k = 0; k < 90 && !HasFailure(); ++k)
          compare(body, topology, slow, int(random.below(std::uint64_t(topology.vertex_count()))), random.direction(),
                  rule, counts);
        if (rule == HingeRule::Separate) {
          EXPECT_TRUE(topology.hinge_vertices().empty());
        }
      }
    }
    EXPECT_GT(counts.splits, 300);
    EXPECT_GT(counts.hinge_edges + counts.hinges, 20);
  }
}

TEST(VertexSplit, AgreesWithASlowMeshOnOneSplitOfEachOfAThousandBlockVertices) {
  numerics::RandomStream random(304);
  Counts counts;
  for (int k = 0; k < 1000 && !HasFailure();) {
    const BodyToBreak body =
        jittered_block({3, 2, 2}, k % 200 < 100 ? model::BlockSplit::KuhnSix : model::BlockSplit::AlternatingFive,
                       std::uint64_t(k + 1));
    const FractureTopology whole(body.tetrahedra, int(body.positions.rows()));
    for (int v = 0; v < whole.vertex_count() && k < 1000; ++v, ++k) {
      FractureTopology topology = whole;
      SlowMesh slow(body.tetrahedra, int(body.positions.rows()));
      compare(body, topology, slow, v, random.direction(), HingeRule::Separate, counts);
    }
  }
  EXPECT_GT(counts.splits, 500);
}

// ---- what the paper leaves open (B-IVM-17)

TEST(VertexSplit, AllElementsOnOneSideLeaveTheVertexWhole) {
  const BodyToBreak body = jittered_block({2, 2, 2}, model::BlockSplit::KuhnSix, 1);
  FractureTopology topology(body.tetrahedra, int(body.positions.rows()));
  EXPECT_FALSE(topology.split(0, Vector3(1, 1, 1), body.positions));
  const SplitTrial trial = topology.would_split(0, Vector3(1, 1, 1), body.positions);
  EXPECT_EQ(trial.negative, 0);
  EXPECT_NE(trial.reason().find("positive side"), std::string::npos);
  EXPECT_NE(topology.would_split(0, Vector3(-1, -1, -1), body.positions).reason().find("negative side"),
            std::string::npos);
  EXPECT_EQ(topology.split_count(), 0);
}

TEST(VertexSplit, ACentroidOnThePlaneGoesToThePositiveSideWhereverTheBodyLies) {
  // Elements 0 and 1 mirror each other in z = 0 but for their common corners; element 2's centroid is on the plane.
  BodyToBreak body;
  body.positions.resize(7, 3);
  body.positions << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.3, 0.7, 0.2, 0.3, -0.7, -1, 0.1, 0.3, -1, -0.4, -0.3;
  body.tetrahedra.resize(3, 4);
  body.tetrahedra << 0, 1, 2, 3, 0, 2, 1, 4, 0, 2, 5, 6;
  numerics::RandomStream random(305);
  for (int k = 0; k < 200; ++k) {
    const Matrix3 turn = random.rotation();
    const Vector3 away = 100.0 * random.direction();
    Points moved = (body.positions * turn.transpose()).rowwise() + away.transpose();
    const FractureTopology topology(body.tetrahedra, 7);
    const SplitTrial trial = topology.would_split(0, turn.col(2), moved);
    EXPECT_EQ(trial.positive, 2);
    EXPECT_EQ(trial.negative, 1);
    const SplitTrial turned = topology.would_split(0, -turn.col(2), moved);
    EXPECT_EQ(turned.positive, 2);
  }
  // A distance that coordinates of this size can tell from zero decides.
  Points lifted = body.positions;
  lifted(6, 2) -= 1e-13;
  EXPECT_EQ(FractureTopology(body.tetrahedra, 7).would_split(0, Vector3::UnitZ(), lifted).negative, 2);
}

TEST(VertexSplit, AnElementWhoseCentreLiesInThePlaneStaysWithTheVertexWhicheverWayTheNormalPoints) {
  // Rule: distance 0, to rounding, is the + side, which keeps the vertex. Of the octants round the origin the plane x =
  // y runs through the centres of (+,+,±) and (−,−,±); (+,−,±) and (−,+,±) lie on either side of it. Thirds are not
  // representable, so that for the scaled and shifted star the computed distance is a rounding of either sign.
  for (const bool shifted : {false, true}) {
    for (const double sign : {1.0, -1.0}) {
      BodyToBreak body = octahedral_star();
      if (shifted) body.positions = (body.positions / 3.0).rowwise() + Eigen::RowVector3d(0.1, 0.1, 1.0 / 7.0);
      FractureTopology topology(body.tetrahedra, 7, HingeRule::Keep);
      const auto split = topology.split(0, sign * Vector3(1, -1, 0), body.positions);
      ASSERT_TRUE(split);
      for (int e = 0; e < 8; ++e) {
        const double x = e & 1 ? -1.0 : 1.0, y = e & 2 ? -1.0 : 1.0;  // octant of element e
        const bool is_behind = sign * (x - y) < 0.0;
        EXPECT_EQ(topology.tetrahedra()(e, 0), is_behind ? 7 : 0) << "element " << e << " sign " << sign;
      }
      EXPECT_EQ(split->new_vertices[0].elements, sign > 0 ? (std::vector<int>{1, 5}) : (std::vector<int>{2, 6}));
    }
  }
}

TEST(VertexSplit, ThePositiveSideKeepsTheIndex) {
  const BodyToBreak body = octahedral_star();
  FractureTopology topology(body.tetrahedra, 7);
  const auto split = topology.split(0, Vector3(0.1, 0.2, 1), body.positions);
  ASSERT_TRUE(split);
  for (const int place : topology.star(0)) EXPECT_LT(place >> 2, 4);  // elements 0…3 have the corner (0, 0, 1)
  ASSERT_EQ(split->new_vertices.size(),
            1u + 4u);  // v− and the four vertices of the equator, through which the cut went
  EXPECT_EQ(split->new_vertices[0].vertex, 7);
  EXPECT_EQ(split->new_vertices[0].source, 0);
  EXPECT_EQ(split->new_vertices[0].elements, (std::vector<int>{4, 5, 6, 7}));
  EXPECT_EQ(split->hinges, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_TRUE(split->tips.empty());
}

TEST(VertexSplit, TipsAreTheOtherVerticesOfExposedFacesAndAVertexThatSplitsIsNone) {
  const BodyToBreak body = jittered_block({4, 4, 4}, model::BlockSplit::KuhnSix, 3);
  FractureTopology topology(body.tetrahedra, int(body.positions.rows()));
  const int v = nearest_vertex(body.positions, Vector3(0.2, 0.2, 0.2));
  const auto first = topology.split(v, Vector3::UnitX(), body.positions);
  ASSERT_TRUE(first);
  ASSERT_FALSE(first->tips.empty());
  EXPECT_TRUE(first->hinges.empty());
  for (const int tip : first->tips) EXPECT_EQ(topology.crack_tips()[std::size_t(tip)], 1);
  EXPECT_EQ(topology.crack_tips()[std::size_t(v)], 0);
  EXPECT_EQ(topology.crack_tips()[std::size_t(first->new_vertices[0].vertex)], 0);
  const int tip = first->tips.front();
  const auto second = topology.split(tip, Vector3::UnitX(), body.positions);
  ASSERT_TRUE(second);
  EXPECT_EQ(topology.crack_tips()[std::size_t(tip)], 0);
  EXPECT_EQ(topology.crack_tips()[std::size_t(second->new_vertices[0].vertex)], 0);
  EXPECT_EQ(topology.split_count(), 2);
}

TEST(VertexSplit, KeptHingesJoinWhatNoFaceJoins) {
  const BodyToBreak body = octahedral_star();
  FractureTopology kept(body.tetrahedra, 7, HingeRule::Keep), separated(body.tetrahedra, 7, HingeRule::Separate);
  ASSERT_TRUE(kept.split(0, Vector3(0.1, 0.2, 1), body.positions));
  ASSERT_TRUE(separated.split(0, Vector3(0.1, 0.2, 1), body.positions));
  EXPECT_EQ(kept.hinge_vertices(), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_TRUE(separated.hinge_vertices().empty());
  EXPECT_EQ(model::face_connected_parts(kept.tetrahedra()), 2);
  EXPECT_EQ(model::face_connected_parts(separated.tetrahedra()), 2);
  EXPECT_EQ(kept.vertex_count(), 8);
  EXPECT_EQ(separated.vertex_count(), 12);
}

TEST(VertexSplit, APlaneThatLeavesOneSideInPiecesGivesEachItsVertex) {
  // Without the elements that straddle x = 0 at y > 0 the + side of y = 0 is two elements that only share the vertex.
  BodyToBreak body = octahedral_star();
  Tetrahedra rest(6, 4);
  rest << body.tetrahedra.row(0), body.tetrahedra.row(5), body.tetrahedra.row(2), body.tetrahedra.row(3),
      body.tetrahedra.row(6), body.tetrahedra.row(7);
  body.tetrahedra = rest;
  FractureTopology topology(body.tetrahedra, 7);
  const auto split = topology.split(0, Vector3::UnitY(), body.positions);
  ASSERT_TRUE(split);
  EXPECT_EQ(model::face_connected_parts(topology.tetrahedra()), 3);
  EXPECT_EQ(topology.star(0).size(), 1u);
  EXPECT_EQ(topology.star(0)[0] >> 2, 0);  // the lower element keeps the index
  const auto hinge =
      std::ranges::find_if(split->new_vertices, [](const NewVertex& n) { return n.source == 0 && n.hinge; });
  ASSERT_NE(hinge, split->new_vertices.end());
  EXPECT_EQ(hinge->elements, (std::vector<int>{1}));
}

TEST(VertexSplit, AnIsolatedElementCannotSplit) {
  BodyToBreak body = octahedral_star();
  FractureTopology topology(Tetrahedra(body.tetrahedra.topRows(1)), 7);
  for (const int v : {0, 1, 3, 5}) {
    EXPECT_FALSE(topology.split(v, Vector3(1, 2, 3), body.positions));
    EXPECT_EQ(topology.would_split(v, Vector3(1, 2, 3), body.positions).reason(), "only one element is left round it");
  }
  EXPECT_FALSE(topology.split(2, Vector3(1, 2, 3), body.positions));  // a vertex of no element
}

TEST(VertexSplit, APlaneWithoutADirectionSeparatesNothing) {
  const BodyToBreak body = octahedral_star();
  FractureTopology topology(body.tetrahedra, 7);
  EXPECT_FALSE(topology.split(0, Vector3::Zero(), body.positions));
  EXPECT_FALSE(topology.split(0, Vector3::Constant(std::nan("")), body.positions));
}

TEST(VertexSplit, SeveralSplitsNeedNoNewPositions) {
  const BodyToBreak body = jittered_block({3, 3, 3}, model::BlockSplit::KuhnSix, 7);
  const int n = int(body.positions.rows());
  FractureTopology lazy(body.tetrahedra, n), eager(body.tetrahedra, n);
  numerics::RandomStream random(306);
  Points positions = body.positions;
  for (int k = 0; k < 60; ++k) {
    const int v = int(random.below(std::uint64_t(lazy.vertex_count())));
    const Vector3 normal = random.direction();
    EXPECT_EQ(lazy.split(v, normal, body.positions).has_value(), eager.split(v, normal, positions).has_value());
    append_copies(eager, positions);
    ASSERT_EQ(lazy.tetrahedra(), eager.tetrahedra());
  }
  EXPECT_GT(lazy.vertex_count(), n + 40);
  for (int v = 0; v < eager.vertex_count(); ++v)
    EXPECT_EQ(positions.row(v), body.positions.row(eager.parents()[std::size_t(v)]));
}

TEST(VertexSplit, RefusesWhatIsNoMesh) {
  Tetrahedra mesh(1, 4);
  mesh << 0, 1, 2, 4;
  EXPECT_THROW(FractureTopology(mesh, 4), InputError);
  mesh << 0, 1, 2, 1;
  EXPECT_THROW(FractureTopology(mesh, 4), InputError);
  Tetrahedra fan(3, 4);
  fan << 0, 1, 2, 3, 0, 1, 2, 4, 0, 1, 2, 5;
  EXPECT_THROW(FractureTopology(fan, 6), InputError);
  const BodyToBreak body = octahedral_star();
  FractureTopology topology(body.tetrahedra, 7);
  EXPECT_THROW(topology.split(7, Vector3::UnitX(), body.positions), InputError);
  EXPECT_THROW(topology.split(-1, Vector3::UnitX(), body.positions), InputError);
  EXPECT_THROW(topology.split(5, Vector3::UnitX(), body.positions.topRows(3)), InputError);
}

}  // namespace
}  // namespace deformbench::fem
