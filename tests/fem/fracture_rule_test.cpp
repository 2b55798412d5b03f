// SPDX-License-Identifier: BSD-3-Clause
// Which vertices split: by the stress of elements, [MG04] §4, and by the separation tensor, [OH99].
#include "methods/fem/fracture/fracture_rule.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <functional>
#include <numeric>

#include "methods/fem/body/mesh_graph.hpp"
#include "methods/model/error.hpp"
#include "tests/fem/fracture_fixture.hpp"
#include "tests/nearest_vertex.hpp"

namespace deformbench::fem {
namespace {

Vector6 components(const Matrix3& s) {
  Vector6 result;
  result << s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(2, 0);
  return result;
}

Matrix3 random_symmetric(numerics::RandomStream& random) {
  const Matrix3 q = random.rotation();
  return q * Vector3(random.normal(), random.normal(), random.normal()).asDiagonal() * q.transpose();
}

/// Normals are stated up to their sign.
double angle(const Vector3& a, const Vector3& b) {
  return a.cross(b).norm();
}

FractureTopology topology_of(const BodyToBreak& body, HingeRule rule = HingeRule::Separate) {
  return FractureTopology(body.tetrahedra, int(body.positions.rows()), rule);
}

// ---- stress peaks

TEST(FractureRule, TheQuickTestOfAStressAgreesWithItsEigenvalues) {
  numerics::RandomStream random(311);
  int above = 0;
  for (int k = 0; k < 100000; ++k) {
    const Matrix3 s = random_symmetric(random);
    const double largest = Eigen::SelfAdjointEigenSolver<Matrix3>(s).eigenvalues()[2];
    const double threshold = k % 2 ? random.uniform(0.1, 2.0) : std::abs(largest) * (k % 4 ? 1.0 + 1e-9 : 1.0 - 1e-9);
    above += largest > threshold;
    ASSERT_EQ(may_exceed(components(s), threshold), largest > threshold);
  }
  EXPECT_GT(above, 20000);
  EXPECT_LT(above, 80000);
}

TEST(FractureRule, ThePeakIsTheLargestPrincipalStressTurnedWithItsElement) {
  numerics::RandomStream random(312);
  for (int k = 0; k < 1000; ++k) {
    const Matrix3 q = random.rotation(), r = random.rotation();
    const Vector3 principal(random.uniform(-9.0, 1.0), random.uniform(-9.0, 1.0), random.uniform(2.0, 9.0));
    const Vector6 stress = components(q * principal.asDiagonal() * q.transpose());
    EXPECT_FALSE(stress_peak(7, stress, r, principal[2] * (1.0 + 1e-12), FractureFrame::World));
    const auto peak = stress_peak(7, stress, r, principal[2] * (1.0 - 1e-12), FractureFrame::World);
    ASSERT_TRUE(peak);
    EXPECT_EQ(peak->element, 7);
    EXPECT_NEAR(peak->stress, principal[2], 1e-13 * 9.0);
    EXPECT_LT(angle(peak->normal, r * q.col(2)), 1e-13);  // gaps of the eigenvalues are at least 1 of 9
    EXPECT_GT(peak->normal.maxCoeff(), -peak->normal.minCoeff());
    const auto printed = stress_peak(7, stress, r, 1.5, FractureFrame::AsPrinted);
    ASSERT_TRUE(printed);
    EXPECT_LT(angle(printed->normal, q.col(2)), 1e-13);
  }
}

TEST(FractureRule, CompressionAndNumbersThatAreNotFiniteBreakNothing) {
  Vector6 stress;
  stress << -1e9, -1e9, -1e9, 0, 0, 0;
  EXPECT_FALSE(stress_peak(0, stress, Matrix3::Identity(), 1.0, FractureFrame::World));
  stress[3] = std::nan("");
  EXPECT_FALSE(stress_peak(0, stress, Matrix3::Identity(), 1.0, FractureFrame::World));
  stress << std::numeric_limits<double>::infinity(), 0, 0, 0, 0, 0;
  EXPECT_FALSE(stress_peak(0, stress, Matrix3::Identity(), 1.0, FractureFrame::World));
}

// ---- which vertex splits: IVM-28

struct Choice {
  BodyToBreak body = jittered_block({3, 3, 3}, model::BlockSplit::BodyCentred, 11);
  FractureTopology topology = topology_of(body);
  int element = -1;
  Vector3 normal;
};

/// An element that `wanted` likes, of which every vertex can split across `normal`.
void find_element(Choice& choice, const std::function<bool(int)>& wanted) {
  numerics::RandomStream random(313);
  for (int tries = 0; tries < 100000; ++tries) {
    const int e = int(random.below(std::uint64_t(choice.topology.element_count())));
    const Vector3 normal = random.direction();
    bool all = wanted(e);
    for (int a = 0; all && a < 4; ++a)
      all = choice.topology.would_split(choice.topology.tetrahedra()(e, a), normal, choice.body.positions).splits();
    if (!all) continue;
    choice.element = e;
    choice.normal = normal;
    return;
  }
  FAIL() << "no such element";
}

std::array<int, 4> histogram(const Choice& choice, int seeds) {
  std::array<int, 4> counts{};
  for (int seed = 0; seed < seeds; ++seed) {
    FractureTopology topology = choice.topology;
    FractureRule rule(1, std::uint64_t(seed));
    const FractureStep step =
        rule.split_elements(topology, {{choice.element, 1.0, choice.normal}}, choice.body.positions);
    EXPECT_EQ(step.splits.size(), 1u);
    for (int a = 0; a < 4; ++a)
      counts[std::size_t(a)] += choice.topology.tetrahedra()(choice.element, a) == step.splits[0].vertex;
  }
  return counts;
}

int tips_of(const FractureTopology& topology, int element) {
  int count = 0;
  for (int a = 0; a < 4; ++a) count += topology.crack_tips()[std::size_t(topology.tetrahedra()(element, a))];
  return count;
}

TEST(FractureRule, WithoutACrackTipAllFourVerticesAreEquallyLikely) {
  Choice choice;
  find_element(choice, [](int) { return true; });
  const auto counts = histogram(choice, 10000);
  double chi_squared = 0.0;
  for (const int count : counts) chi_squared += (count - 2500.0) * (count - 2500.0) / 2500.0;
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0), 10000);
  EXPECT_LT(chi_squared, 11.345);  // p > 0.01 with three degrees of freedom
}

TEST(FractureRule, OnlyCrackTipsSplitWhenThereAreAnyAndAllOfThemEquallyLikely) {
  const double quantile[] = {0.0, 6.635, 9.210};  // p = 0.01 with one and two degrees of freedom
  for (int tips = 1; tips <= 3; ++tips) {
    Choice choice;
    const int v = nearest_vertex(choice.body.positions, Vector3(0.15, 0.15, 0.15));
    ASSERT_TRUE(choice.topology.split(v, Vector3(1, 0.3, 0.2), choice.body.positions));
    find_element(choice, [&](int e) { return tips_of(choice.topology, e) == tips; });
    const auto counts = histogram(choice, 10000);
    double chi_squared = 0.0;
    for (int a = 0; a < 4; ++a) {
      const bool tip = choice.topology.crack_tips()[std::size_t(choice.topology.tetrahedra()(choice.element, a))];
      const double expected = tip ? 10000.0 / tips : 0.0;
      if (tip)
        chi_squared += (counts[std::size_t(a)] - expected) * (counts[std::size_t(a)] - expected) / expected;
      else
        EXPECT_EQ(counts[std::size_t(a)], 0);
    }
    if (tips == 1)
      EXPECT_EQ(chi_squared, 0.0);
    else
      EXPECT_LT(chi_squared, quantile[tips - 1]);
  }
}

// ---- order, refusals, limits

TEST(FractureRule, HigherStressesBreakFirstAndOfEqualOnesTheLowerElement) {
  const BodyToBreak body = jittered_block({6, 3, 3}, model::BlockSplit::KuhnSix, 5);
  FractureTopology topology = topology_of(body);
  std::vector<StressPeak> peaks;
  for (int e = 0; e < topology.element_count(); ++e) peaks.push_back({e, double((e * 37) % 5), Vector3(1, 0.1, 0.2)});
  FractureRule rule(1000, 3);
  const FractureStep step = rule.split_elements(topology, peaks, body.positions);
  ASSERT_GT(step.splits.size(), 8u);
  for (std::size_t k = 1; k < step.splits.size(); ++k) {
    const VertexSplit &a = step.splits[k - 1], &b = step.splits[k];
    EXPECT_TRUE(a.stress > b.stress || (a.stress == b.stress && a.element < b.element));
  }
}

TEST(FractureRule, WhatASplitTouchedAsksAgainInTheNextStepOnly) {
  const BodyToBreak body = jittered_block({5, 4, 4}, model::BlockSplit::KuhnSix, 6);
  FractureTopology topology = topology_of(body);
  std::vector<StressPeak> peaks;
  for (int e = 0; e < topology.element_count(); ++e) peaks.push_back({e, 1.0 + e, Vector3(1, 0.1, 0.2)});
  FractureRule rule(1000, 4);
  std::vector<std::set<int>> stars(std::size_t(topology.vertex_count()));
  for (int v = 0; v < topology.vertex_count(); ++v)
    for (const int place : topology.star(v)) stars[std::size_t(v)].insert(place >> 2);
  const FractureStep step = rule.split_elements(topology, peaks, body.positions);
  std::set<int> touched;
  for (const VertexSplit& split : step.splits) {
    EXPECT_FALSE(touched.count(split.element));
    if (split.vertex < int(stars.size())) touched.merge(std::set<int>(stars[std::size_t(split.vertex)]));
    for (const CornerMove& move : split.moves) touched.insert(move.element);
  }
  EXPECT_GT(step.splits.size(), 5u);
  EXPECT_TRUE(std::ranges::none_of(step.events, [](const SimulationEvent& e) { return e.kind == "splits_limited"; }));
  const FractureStep again = rule.split_elements(topology, peaks, body.positions);
  EXPECT_TRUE(
      std::ranges::any_of(again.splits, [&](const VertexSplit& split) { return touched.count(split.element); }));
}

TEST(FractureRule, AVertexThatCannotSplitIsNamedOnceAndAnotherOneTakesItsPlace) {
  // Among the vertices of element 0 only the centre of the star can split across this plane: the others have one side.
  const BodyToBreak body = octahedral_star();
  int refusals = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    FractureTopology topology = topology_of(body);
    FractureRule rule(10, seed);
    const Vector3 normal(1, 1, 1);
    const StressPeak peak{0, 5.0, normal.normalized()};
    std::vector<int> able;
    for (int a = 0; a < 4; ++a)
      if (topology.would_split(topology.tetrahedra()(0, a), peak.normal, body.positions).splits())
        able.push_back(topology.tetrahedra()(0, a));
    ASSERT_EQ(able, std::vector<int>{0});
    const FractureStep step = rule.split_elements(topology, {peak}, body.positions);
    ASSERT_EQ(step.splits.size(), 1u);
    EXPECT_EQ(step.splits[0].vertex, 0);
    EXPECT_EQ(step.splits[0].element, 0);
    EXPECT_EQ(step.splits[0].stress, 5.0);
    ASSERT_EQ(step.events.back().kind, "vertex_split");
    EXPECT_EQ(step.events.back().code, 0);
    std::set<std::int64_t> named;
    for (std::size_t k = 0; k + 1 < step.events.size(); ++k) {
      EXPECT_EQ(step.events[k].kind, "split_refused");
      EXPECT_TRUE(named.insert(step.events[k].code).second);
      EXPECT_NE(step.events[k].detail.find("side"), std::string::npos);
    }
    refusals += int(named.size());
  }
  EXPECT_GT(refusals, 40);  // three of four draws start with a vertex that cannot: 60 expected
  EXPECT_LT(refusals, 80);

  FractureTopology alone(Tetrahedra(body.tetrahedra.topRows(1)), 7);
  FractureRule rule(10, 1);
  const std::vector<StressPeak> peaks{{0, 5.0, Vector3::UnitX()}};
  EXPECT_EQ(rule.split_elements(alone, peaks, body.positions).events.size(), 4u);
  EXPECT_EQ(rule.split_elements(alone, peaks, body.positions).events.size(), 0u);  // said already
  EXPECT_EQ(rule.split_elements(alone, {}, body.positions).events.size(), 0u);
  EXPECT_EQ(rule.split_elements(alone, peaks, body.positions).events.size(), 4u);  // it asks anew
}

TEST(FractureRule, TheLimitCountsSplitsAndSaysHowManyElementsWait) {
  const BodyToBreak body = jittered_block({8, 3, 3}, model::BlockSplit::KuhnSix, 8);
  FractureTopology topology = topology_of(body);
  std::vector<StressPeak> peaks;
  for (int e = 0; e < topology.element_count(); ++e) peaks.push_back({e, 1.0 + e, Vector3(1, 0.1, 0.2)});
  FractureRule rule(3, 9);
  const FractureStep step = rule.split_elements(topology, peaks, body.positions);
  EXPECT_EQ(step.splits.size(), 3u);
  EXPECT_EQ(topology.split_count(), 3);
  const SimulationEvent& event = step.events.back();
  EXPECT_EQ(event.kind, "splits_limited");
  EXPECT_GT(event.code, topology.element_count() / 2);
  EXPECT_LT(event.code, topology.element_count() - 10);
  EXPECT_EQ(event.detail, "3 vertex splits in this step, as many as are allowed; " + std::to_string(event.code) +
                              " elements above the threshold must wait");
  EXPECT_THROW(FractureRule(0, 1), InputError);
}

TEST(FractureRule, TheSameSeedBreaksTheSameWayAndAnotherDoesNot) {
  const BodyToBreak body = jittered_block({6, 3, 3}, model::BlockSplit::BodyCentred, 5);
  const auto run = [&](std::uint64_t seed) {
    FractureTopology topology = topology_of(body);
    FractureRule rule(5, seed);
    std::vector<std::string> story;
    for (int k = 0; k < 6; ++k) {
      std::vector<StressPeak> peaks;
      for (int e = k; e < topology.element_count(); e += 3)
        peaks.push_back({e, 1.0 + (e * 13) % 101, Vector3(1, 0.1, 0.2)});
      const FractureStep step = rule.split_elements(topology, peaks, body.positions);
      for (const SimulationEvent& event : step.events) story.push_back(event.detail);
    }
    return story;
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

TEST(FractureRule, StressWithoutEndLeavesNothingButIsolatedElements) {
  const BodyToBreak body = jittered_block({2, 2, 2}, model::BlockSplit::KuhnSix, 10);
  FractureTopology topology = topology_of(body);
  MeshGraph graph(model::TetMesh{body.positions, body.tetrahedra});
  FractureRule rule(20, 7);
  numerics::RandomStream random(314);
  const int elements = topology.element_count();
  int pieces = model::face_connected_parts(topology.tetrahedra());
  EXPECT_EQ(pieces, 1);
  for (int step = 0; step < 2000 && topology.vertex_count() < 4 * elements; ++step) {
    std::vector<StressPeak> peaks;
    for (int e = 0; e < elements; ++e) peaks.push_back({e, random.uniform(1.0, 2.0), random.direction()});
    graph.apply(rule.split_elements(topology, peaks, body.positions).splits);
    EXPECT_GE(model::face_connected_parts(topology.tetrahedra()), pieces);
    pieces = model::face_connected_parts(topology.tetrahedra());
  }
  EXPECT_EQ(topology.vertex_count(), 4 * elements);
  EXPECT_EQ(pieces, elements);
  EXPECT_EQ(graph.edges.edge_count(), 6 * elements);
  for (int e = 0; e < elements; ++e)
    for (int a = 0; a < 4; ++a) EXPECT_EQ(topology.neighbour(e, a), -1);
  const FractureStep last = FractureRule(20, 8).split_elements(topology, {{0, 5.0, Vector3::UnitX()}}, body.positions);
  EXPECT_TRUE(last.splits.empty());
  EXPECT_NE(last.events.at(0).detail.find("only one element is left round it"), std::string::npos);
}

TEST(FractureRule, AnElementWhoseCentreLiesInThePlaneOfItsOwnStressKeepsTheVertex) {
  // Octant (+,+,+) asks with the normal (1, −1, 0)/√2, in whose plane its centre lies: it is of the + side, where v
  // keeps its index, and so are the other three of the plane; (−,+,±), elements 1 and 5, get the new vertex.
  const BodyToBreak body = octahedral_star();
  FractureTopology topology(body.tetrahedra, 7, HingeRule::Keep);
  FractureRule rule(10, 1);
  const FractureStep step = rule.split_vertices(topology, {{0, 2e4, Vector3(1, -1, 0).normalized()}}, body.positions);
  ASSERT_EQ(step.splits.size(), 1u);
  for (int e = 0; e < 8; ++e) EXPECT_EQ(topology.tetrahedra()(e, 0), e == 1 || e == 5 ? 7 : 0) << e;
}

TEST(FractureRule, ASplitIsToldInOneLine) {
  const BodyToBreak body = octahedral_star();
  FractureTopology topology = topology_of(body, HingeRule::Keep);
  FractureRule rule(1, 1);
  const FractureStep step = rule.split_vertices(topology, {{0, 61234.5, Vector3(0.0, 0.6, 0.8)}}, body.positions);
  ASSERT_EQ(step.events.size(), 1u);
  EXPECT_EQ(
      step.events[0].detail,
      "vertex 0 splits into 0 and 7: stress 61234.5 Pa, normal (0, 0.6, 0.8), 4 faces exposed, 4 hinge edges left");
  FractureTopology separated = topology_of(body);
  const FractureStep apart = rule.split_vertices(separated, {{0, 61234.5, Vector3(0.0, 0.6, 0.8)}}, body.positions);
  EXPECT_EQ(
      apart.events[0].detail,
      "vertex 0 splits into 0 and 7: stress 61234.5 Pa, normal (0, 0.6, 0.8), 4 faces exposed, hinges separated at "
      "1, 2, 3 and 4");
}

// ---- the separation tensor

struct Loaded {
  BodyToBreak body;
  FractureTopology topology;
  std::vector<RestElement> rest;
  std::vector<Vector6> stresses;
  std::vector<Matrix3> rotations;
};

Loaded load_free(const BodyToBreak& body) {
  Loaded loaded{body, topology_of(body), {}, {}, {}};
  for (Eigen::Index e = 0; e < body.tetrahedra.rows(); ++e) {
    const auto corner = [&](int k) { return Vector3(body.positions.row(body.tetrahedra(e, k)).transpose()); };
    Matrix3 edges;
    for (int k = 0; k < 3; ++k) edges.col(k) = corner(k + 1) - corner(0);
    RestElement element;
    element.gradients.rightCols(3) = edges.inverse().transpose();
    element.gradients.col(0) = -element.gradients.rightCols(3).rowwise().sum();
    element.volume = edges.determinant() / 6.0;
    loaded.rest.push_back(element);
  }
  loaded.stresses.assign(loaded.rest.size(), Vector6::Zero());
  loaded.rotations.assign(loaded.rest.size(), Matrix3::Identity());
  return loaded;
}

Loaded loaded_block(model::BlockSplit split, std::uint64_t seed) {
  return load_free(jittered_block({3, 3, 3}, split, seed));
}

std::vector<VertexPeak> peaks_of(const Loaded& loaded, double threshold) {
  return separation_peaks(loaded.topology, loaded.rest, loaded.stresses, loaded.rotations, threshold);
}

bool inside(const Loaded& loaded, int v) {
  const auto star = loaded.topology.star(v);
  return std::ranges::all_of(star, [&](int place) {
    for (int k = 1; k < 4; ++k)
      if (loaded.topology.neighbour(place >> 2, (place + k) & 3) < 0) return false;
    return true;
  });
}

TEST(SeparationTensor, InUniformTensionItsStressIsTheTensionAtEveryInnerVertex) {
  numerics::RandomStream random(321);
  for (const auto split :
       {model::BlockSplit::KuhnSix, model::BlockSplit::AlternatingFive, model::BlockSplit::BodyCentred}) {
    Loaded loaded = loaded_block(split, 3);
    const Vector3 pull = random.direction();
    const double tension = 1234.5;
    // Elements turned at will: the stress in the world is what is uniform.
    for (std::size_t e = 0; e < loaded.rest.size(); ++e) {
      const Matrix3 r = random.rotation();
      loaded.rotations[e] = r;
      loaded.rest[e].gradients = (r.transpose() * loaded.rest[e].gradients).eval();
      loaded.stresses[e] = components(tension * (r.transpose() * pull) * (r.transpose() * pull).transpose());
    }
    const auto peaks = peaks_of(loaded, 0.999 * tension);
    int checked = 0;
    for (const VertexPeak& peak : peaks) {
      if (!inside(loaded, peak.vertex)) continue;
      ++checked;
      EXPECT_NEAR(peak.stress, tension, 1e-12 * tension);
      EXPECT_LT(angle(peak.normal, pull), 1e-12);
    }
    int inner = 0;
    for (int v = 0; v < loaded.topology.vertex_count(); ++v) inner += inside(loaded, v);
    EXPECT_GE(inner, 8);
    EXPECT_EQ(checked, inner);
    EXPECT_TRUE(peaks_of(loaded, 1.001 * tension).empty());
  }
}

TEST(SeparationTensor, AFreeSurfaceBreaksAtTheSameTensionAndAPulledOneDoesNot) {
  // A block with flat faces, pulled along x: vertices of the sides carry no load, those of the ends are not balanced.
  const auto mesh = model::make_block({4, 3, 3}, Vector3::Zero(), Vector3(0.4, 0.3, 0.3), model::BlockSplit::KuhnSix);
  Loaded loaded = load_free({mesh.rest_positions, mesh.tetrahedra});
  loaded.stresses.assign(loaded.rest.size(), components(Matrix3(Vector3(100.0, 0, 0).asDiagonal())));
  const auto peaks = peaks_of(loaded, 99.9);
  std::set<int> breaking;
  for (const VertexPeak& peak : peaks) {
    EXPECT_NEAR(peak.stress, 100.0, 1e-10);
    breaking.insert(peak.vertex);
  }
  for (int v = 0; v < loaded.topology.vertex_count(); ++v) {
    const double x = mesh.rest_positions(v, 0);
    EXPECT_EQ(breaking.count(v) == 1, x > 1e-9 && x < 0.4 - 1e-9) << v;
  }
}

TEST(SeparationTensor, IsTheSumOfTheDefinitionInAnyPose) {
  numerics::RandomStream random(322);
  const auto m = [](const Vector3& f) { return Matrix3(f * f.transpose() / f.norm()); };
  Loaded loaded = loaded_block(model::BlockSplit::KuhnSix, 4);
  for (std::size_t e = 0; e < loaded.rest.size(); ++e) {
    loaded.stresses[e] = components(random_symmetric(random));
    loaded.rotations[e] = random.rotation();
  }
  const Matrix3 turn = random.rotation();
  std::vector<Matrix3> turned = loaded.rotations;
  for (Matrix3& r : turned) r = turn * r;
  for (int v = 0; v < loaded.topology.vertex_count(); ++v) {
    Matrix3 expected = Matrix3::Zero();
    Vector3 pull = Vector3::Zero(), push = Vector3::Zero();
    double size = 0.0;
    for (const int place : loaded.topology.star(v)) {
      const std::size_t e = std::size_t(place >> 2);
      const Vector6& s = loaded.stresses[e];
      Matrix3 full;
      full << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
      const Eigen::SelfAdjointEigenSolver<Matrix3> solver(full);
      Matrix3 part[2] = {Matrix3::Zero(), Matrix3::Zero()};
      for (int k = 0; k < 3; ++k) {
        const Vector3 n = solver.eigenvectors().col(k);
        part[solver.eigenvalues()[k] < 0] += solver.eigenvalues()[k] * n * n.transpose();
      }
      const Vector3 weight = -loaded.rest[e].volume * loaded.rest[e].gradients.col(place & 3);
      const Vector3 force = loaded.rotations[e] * part[0] * weight, thrust = loaded.rotations[e] * part[1] * weight;
      if (force.norm() > 0) expected += 0.5 * m(force);
      if (thrust.norm() > 0) expected -= 0.5 * m(thrust);
      pull += force, push += thrust;
      size += force.norm() + thrust.norm();
    }
    expected += 0.5 * (m(push) - m(pull));
    const Matrix3 tensor = separation_tensor(loaded.topology, v, loaded.rest, loaded.stresses, loaded.rotations);
    EXPECT_LT((tensor - expected).norm(), 1e-13 * size);
    const Matrix3 seen_turned = separation_tensor(loaded.topology, v, loaded.rest, loaded.stresses, turned);
    EXPECT_LT((seen_turned - turn * tensor * turn.transpose()).norm(), 1e-13 * size);
    const Vector3 n = random.direction();
    EXPECT_NEAR(separation_area(loaded.topology, v, turn * n, loaded.rest, turned),
                separation_area(loaded.topology, v, n, loaded.rest, loaded.rotations), 1e-14);
  }
}

TEST(SeparationTensor, PressureAndALoneElementSeparateNothing) {
  Loaded loaded = loaded_block(model::BlockSplit::KuhnSix, 2);
  loaded.stresses.assign(loaded.rest.size(), components(Matrix3(Vector3(-50.0, 0, 0).asDiagonal())));
  // Forces along one line: together they are never more than the sum of their sizes. What is left is rounding.
  EXPECT_TRUE(peaks_of(loaded, 1e-12 * 50.0).empty());
  loaded.topology = FractureTopology(Tetrahedra(loaded.body.tetrahedra.topRows(1)), loaded.topology.vertex_count());
  loaded.stresses.assign(loaded.rest.size(), components(Matrix3(Vector3(50.0, -20.0, 30.0).asDiagonal())));
  EXPECT_TRUE(peaks_of(loaded, 1e-12 * 50.0).empty());
}

TEST(SeparationTensor, VerticesWhoseStarASplitTouchedWaitForTheNextStep) {
  const BodyToBreak body = jittered_block({6, 4, 4}, model::BlockSplit::KuhnSix, 12);
  FractureTopology topology = topology_of(body);
  std::vector<std::set<int>> stars(std::size_t(topology.vertex_count()));
  std::vector<VertexPeak> peaks;
  for (int v = 0; v < topology.vertex_count(); ++v) {
    for (const int place : topology.star(v)) stars[std::size_t(v)].insert(place >> 2);
    peaks.push_back({v, 1.0 + (v * 29) % 31, Vector3(1, 0.1, 0.2)});
  }
  FractureRule rule(100, 1);
  const FractureStep step = rule.split_vertices(topology, peaks, body.positions);
  EXPECT_GT(step.splits.size(), 3u);
  std::set<int> touched;
  double last = 1e9;
  for (const VertexSplit& split : step.splits) {
    EXPECT_LE(split.stress, last);
    last = split.stress;
    EXPECT_EQ(split.element, -1);
    for (const int e : stars[std::size_t(split.vertex)]) EXPECT_TRUE(touched.insert(e).second);
  }
}

}  // namespace
}  // namespace deformbench::fem
