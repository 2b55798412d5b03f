// SPDX-License-Identifier: BSD-3-Clause
// Pieces that hit each other: which surfels meet, how deep they are, what pushes, and what is kept. [PKAGDG05] §5
#include "methods/meshless/contact/body_contact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "experiments/scenes/scene_registry.hpp"
#include "methods/meshless/meshless_simulation.hpp"
#include "tests/meshless/cloud_fixture.hpp"
#include "tests/meshless/surfel_fixture.hpp"

namespace deformbench::meshless {
namespace {

constexpr double kSurfelRadius = 0.06;

Scene colliding_parts(const std::map<std::string, ParameterValue>& settings = {}) {
  const auto& scenes = builtin_scenes();
  const auto& descriptor = scenes.at("colliding_parts");
  return descriptor.build(Parameters(descriptor.parameters, settings, "colliding_parts"));
}

MeshlessOptions colliding(std::map<std::string, ParameterValue> settings = {}) {
  settings.insert({{"body_contact", std::string("surfels")}, {"surfel_radius_m", kSurfelRadius}});
  return options_with(settings);
}

struct CollidingBody {
  explicit CollidingBody(const Scene& scene, const BodyContactOptions& options = {.is_on = true})
      : cloud(make_node_cloud(scene, {})),
        weights(scene, {}, cloud),
        surface(scene, {.radius = kSurfelRadius}, cloud, {}, weights.cracks()),
        contact(scene, cloud, surface, options) {}
  NodeCloud cloud;
  CrackWeights weights;
  SurfelSurface surface;
  BodyContact contact;
};

using SurfelPairs = std::set<std::pair<int, int>>;

SurfelPairs by_brute_force(const std::vector<Surfel>& rest, const std::vector<Surfel>& now,
                           const std::vector<int>& pieces, double apart, double reach) {
  SurfelPairs found;
  for (int a = 0; a < int(rest.size()); ++a)
    for (int b = a + 1; b < int(rest.size()); ++b) {
      const auto i = std::size_t(a), j = std::size_t(b);
      if (pieces[i] < 0 || pieces[j] < 0) continue;
      if (pieces[i] == pieces[j] && (rest[i].position - rest[j].position).norm() <= apart) continue;
      if ((now[i].position - now[j].position).norm() <= reach) found.emplace(a, b);
    }
  return found;
}

TEST(SurfelTree, FindsThePairsOfBruteForceWhileSurfelsMove) {
  numerics::RandomStream random(3);
  std::vector<Surfel> rest;
  std::vector<int> pieces;
  for (int s = 0; s < 400; ++s) {
    const Vector3 x(random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
    rest.push_back(round_surfel(x, Vector3::UnitZ(), 0.05));
    pieces.push_back(s % 37 == 0 ? -1 : x.x() < 0.3 ? 2 : x.x() < 0.6 ? 0 : 1);
  }
  constexpr double kApart = 0.4, kReach = 0.15;
  SurfelTree tree(rest, pieces, kApart);
  std::vector<Surfel> now = rest;
  std::size_t most = 0;
  for (const double fold : {0.0, 0.5, 1.0}) {
    for (std::size_t s = 0; s < now.size(); ++s) {
      now[s].position = rest[s].position;
      now[s].position.z() *= 1.0 - fold;
      now[s].position.y() = std::abs(rest[s].position.y() - 0.5 * fold);  // one half comes upon the other
    }
    tree.refit(now);
    const SurfelPairs expected = by_brute_force(rest, now, pieces, kApart, kReach);
    SurfelPairs found, around;
    tree.for_pairs(kReach, [&](int a, int b) { EXPECT_TRUE(found.emplace(a, b).second); });
    EXPECT_EQ(found, expected);
    for (int s = 0; s < int(rest.size()); ++s)
      if (pieces[std::size_t(s)] >= 0)
        tree.for_near(s, kReach, [&](int b) { around.emplace(std::min(s, b), std::max(s, b)); });
    EXPECT_EQ(around, expected);
    most = std::max(most, expected.size());
  }
  EXPECT_GT(most, 500u);
}

TEST(Pieces, AreWhatTheCutLeavesAndEverySurfelIsOfTheSideThatItIsOn) {
  const CollidingBody body(colliding_parts());
  const auto& nodes = body.contact.pieces_of_nodes();
  EXPECT_EQ(*std::max_element(nodes.begin(), nodes.end()), 1);
  for (Eigen::Index i = 0; i < body.cloud.size(); ++i)
    EXPECT_EQ(nodes[std::size_t(i)], body.cloud.rest(i, 0) < 0.5 ? nodes.front() : 1 - nodes.front());
  const auto surfels = body.surface.motion().surfels();
  int on_faces = 0;
  for (std::size_t s = 0; s < surfels.size(); ++s) {
    const double side = surfels[s].position.x() - 0.5;
    const bool is_first = std::abs(side) < 1e-9 ? surfels[s].normal.x() > 0.0 : side < 0.0;
    on_faces += std::abs(side) < 1e-9;
    const bool is_in_skin =
        std::max(std::abs(surfels[s].position.y()), std::abs(surfels[s].position.z())) < 0.25 + 1e-9;
    EXPECT_EQ(body.contact.pieces_of_surfels()[s], !is_in_skin ? -1 : is_first ? nodes.front() : 1 - nodes.front());
  }
  EXPECT_GT(on_faces, 100);
}

TEST(CarriedForces, DoTheWorkOfForcesOnCarriedPointsAndHaveTheirMoment) {
  const Scene scene = colliding_parts();
  CollidingBody body(scene);
  const SurfelMotion& motion = body.surface.motion();
  const Points u = random_points(body.cloud.size(), 0.02, 5), du = random_points(body.cloud.size(), 1.0, 6);
  std::vector<int> all(std::size_t(body.cloud.size()));
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = int(k);
  std::vector<Matrix3> g(all.size()), g_ahead(all.size()), g_back(all.size());
  set_displacement_gradients(body.cloud, u, all, g);
  set_displacement_gradients(body.cloud, u + 1e-6 * du, all, g_ahead);
  set_displacement_gradients(body.cloud, u - 1e-6 * du, all, g_back);
  const auto now = motion.carried(u, g);
  const auto ahead = motion.carried(u + 1e-6 * du, g_ahead), back = motion.carried(u - 1e-6 * du, g_back);
  CarriedForces forces(body.cloud, motion);
  const auto shares = carrying_shares(body.cloud, motion);
  const Points x = body.cloud.rest + u;
  for (const std::size_t s : {std::size_t(0), motion.surfels().size() / 2, motion.surfels().size() - 1}) {
    const Vector3 f(3.0, -1.0, 2.0), place = now[s].position + Vector3(0.01, -0.02, 0.015);
    Points on_nodes = Points::Zero(x.rows(), 3);
    forces.add(s, motion.surfels()[s].position, f);
    forces.move_to(on_nodes);
    const double work = f.dot(ahead[s].position - back[s].position) / 2e-6;
    EXPECT_NEAR(on_nodes.cwiseProduct(du).sum(), work, 1e-7);
    EXPECT_LT((Points(Eigen::VectorXd(shares.row(Eigen::Index(s)).transpose()) * f.transpose()) - on_nodes).norm(),
              1e-12);
    // Off the surfel: the moment is that about the place itself.
    Points off = Points::Zero(x.rows(), 3);
    forces.add(s, material_point(motion.surfels()[s].position, now[s].position, carried_gradient(motion, s, g), place),
               f);
    forces.move_to(off);
    Vector3 moment = Vector3::Zero();
    for (Eigen::Index i = 0; i < x.rows(); ++i) moment += Vector3(x.row(i)).cross(Vector3(off.row(i)));
    EXPECT_LT((Vector3(off.colwise().sum()) - f).norm(), 1e-12);
    EXPECT_LT((moment - place.cross(f)).norm(), 1e-11);
  }
}

/// Depth of a point in the box below its nearest face; negative outside.
double depth_in_box(const Vector3& x, const Vector3& low, const Vector3& high) {
  return std::min((x - low).minCoeff(), (high - x).minCoeff());
}

TEST(BodyContact, DepthsOfRigidlyMovedBoxesAreThoseToTheirFacesAtFacesEdgesAndCorners) {
  const Scene scene = colliding_parts();
  CollidingBody body(scene);
  const Vector3 low(0, -0.25, -0.25), high(0.5, 0.25, 0.25), middle(0.75, 0, 0);  // of the first half; of the second
  const int first = body.contact.pieces_of_nodes().front();
  numerics::RandomStream random(11);
  int inside = 0, at_edges = 0, beside = 0;
  for (int pose = 0; pose < 12; ++pose) {
    const Matrix3 turn = random.rotation();
    Vector3 way(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const Vector3 place = Vector3(0.25, 0, 0) + random.uniform(0.42, 0.6) * way.normalized();
    const auto moved = [&](const Vector3& x) -> Vector3 { return place + turn * (x - middle); };
    Points x = body.cloud.rest, forces = Points::Zero(x.rows(), 3);
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      if (body.contact.pieces_of_nodes()[std::size_t(i)] != first) x.row(i) = moved(x.row(i)).transpose();
    body.contact.add_forces(x, forces);
    std::vector<double> found(body.surface.now().size(), 0.0);
    for (const SurfelContact& contact : body.contact.contacts()) found[std::size_t(contact.surfel)] = contact.depth;
    const auto surfels = body.surface.motion().surfels();
    for (std::size_t s = 0; s < surfels.size(); ++s) {
      const bool is_first = body.contact.pieces_of_surfels()[s] == first;
      // Either is seen from the other one's frame at rest.
      const Vector3 at =
          is_first ? Vector3(turn.transpose() * (surfels[s].position - place) + middle) : moved(surfels[s].position);
      const double depth =
          is_first ? depth_in_box(at, Vector3(0.5, -0.25, -0.25), Vector3(1, 0.25, 0.25)) : depth_in_box(at, low, high);
      if (body.contact.pieces_of_surfels()[s] < 0) continue;  // of the cut, beyond the skin
      if (depth > 3.9 * kSurfelRadius) continue;              // deeper than a sheet sees
      if (depth <= 1e-9) {
        EXPECT_EQ(found[s], 0.0) << "pose " << pose << ", " << at.transpose();
        beside += depth > -kSurfelRadius;
        continue;
      }
      EXPECT_NEAR(found[s], depth, 1e-8) << "pose " << pose << ", " << at.transpose();
      ++inside;
      const Vector3 to_faces = is_first ? (at - Vector3(0.75, 0, 0)).cwiseAbs() : (at - Vector3(0.25, 0, 0)).cwiseAbs();
      at_edges += (to_faces.array() > 0.25 - kSurfelRadius).count() > 1;
    }
    EXPECT_LT(forces.colwise().sum().norm(), 1e-9 * forces.cwiseAbs().maxCoeff());
  }
  EXPECT_GT(inside, 200);
  EXPECT_GT(at_edges, 20);
  EXPECT_GT(beside, 200);
}

TEST(BodyContact, ForcesAreTheSlopeOfTheEnergyWhileSheetsAreFlat) {
  const Scene scene = colliding_parts({{"turn_deg", 25.0}, {"gap_m", 1e-3}});
  CollidingBody body(scene);
  const Points& rest = body.cloud.rest;
  for (const bool is_turned : {true, false}) {
    Points x = is_turned ? scene.initial_positions : rest;
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      if (rest(i, 0) > 0.5) x.row(i) -= Eigen::RowVector3d(0.05, is_turned ? 0.0 : 0.03, is_turned ? 0.0 : 0.02);
    Points forces = Points::Zero(x.rows(), 3), ignored = forces;
    body.contact.add_forces(x, forces);
    const double energy = body.contact.energy();
    ASSERT_GT(energy, 0.0);
    std::vector<std::function<Vector3(const Vector3&)>> motions{
        [](const Vector3&) { return Vector3(1, 0, 0); },
        [](const Vector3&) { return Vector3(0, 1, 0); },
        [](const Vector3& at) { return Vector3(0, 1, 2).cross(at); },
        [](const Vector3& at) { return Vector3(0.3, 1, -2).cross(at); },
        [](const Vector3& at) { return Vector3(at.x() - 0.5, 0, 0); },
        [](const Vector3& at) { return Vector3(at.y(), 0, at.x() - 0.5); },
        [](const Vector3& at) {
          return Vector3(std::sin(8 * at.y()), std::cos(7 * at.x()), std::sin(9 * at.x() + 8 * at.y()));
        },
        [](const Vector3& at) {
          return Vector3(std::sin(28 * at.y()), std::cos(37 * at.x()), std::sin(29 * at.x() + 38 * at.y()));
        },
    };
    for (const bool is_second : {true, false})
      for (std::size_t m = 0; m < motions.size(); ++m) {
        Points du = Points::Zero(x.rows(), 3);
        for (Eigen::Index i = 0; i < x.rows(); ++i)
          if ((rest(i, 0) > 0.5) == is_second) du.row(i) = motions[m](x.row(i)).transpose();
        const double step = 1e-7;
        body.contact.add_forces(x + step * du, ignored);
        const double ahead = body.contact.energy();
        body.contact.add_forces(x - step * du, ignored);
        const double slope = (ahead - body.contact.energy()) / (2 * step);
        const double work = -forces.cwiseProduct(du).sum();
        EXPECT_NEAR(slope, work, 1e-6 * energy / 0.05) << is_turned << is_second << m;
      }
  }
}

TEST(BodyContact, StiffnessesAddUpToPressureTimesArea) {
  const CollidingBody body(colliding_parts(), {.is_on = true, .stiffness = 2.0});
  double sum = 0.0;
  for (const double k : body.contact.stiffnesses()) sum += k;
  // Skin 1 × ½ × ½ and both faces of the cut; ½ c E A / h, supports of 2.2 spacings of a tenth.
  const double area = 4 * 0.5 + 2 * 0.25 + 2 * 0.25, whole = 0.5 * 2.0 * 1e5 * area / 0.22;
  EXPECT_NEAR(sum, whole, 0.1 * whole);
}

struct PartMomenta {
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
  Vector3 second = Vector3::Zero();  ///< kg m/s, of the second half
  double kinetic = 0.0;
};
PartMomenta part_momenta(const MeshlessSimulation& simulation, const Points& rest) {
  const auto& state = simulation.state();
  PartMomenta sum;
  for (Eigen::Index i = 0; i < state.positions.rows(); ++i) {
    const Vector3 x = state.positions.row(i), p = state.masses[i] * state.velocities.row(i);
    sum.linear += p;
    sum.angular += x.cross(p);
    if (rest(i, 0) > 0.5) sum.second += p;
    sum.kinetic += 0.5 * p.squaredNorm() / state.masses[i];
  }
  return sum;
}

TEST(BodyContact, FragmentsBounceAndKeepBothMomentaAndNearlyTheirEnergy) {
  const Scene scene = colliding_parts({{"turn_deg", 25.0}, {"speed_m_s", 2.0}, {"gap_m", 0.01}});
  MeshlessSimulation simulation(scene, colliding());
  const Points& rest = scene.particles.rest_positions;
  const PartMomenta start = part_momenta(simulation, rest);
  const double scale = std::abs(start.second.x());
  double deepest = 0.0, energy_error = 0.0;
  int touching = 0;
  for (int step = 0; step < 120; ++step) {
    ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced);
    const PartMomenta now = part_momenta(simulation, rest);
    EXPECT_LT((now.linear - start.linear).norm(), 1e-10 * scale);
    EXPECT_LT((now.angular - start.angular).norm(), 1e-10 * scale);
    const double energy = now.kinetic + simulation.elastic_energy(simulation.state().positions) +
                          simulation.array("contact_energy").reals[0];
    energy_error = std::max(energy_error, std::abs(energy / start.kinetic - 1.0));
    for (const double depth : simulation.array("surfel_contact_depths").reals) deepest = std::max(deepest, depth);
    touching += simulation.step_contacts().with_itself > 0;
  }
  EXPECT_GT(touching, 5);
  EXPECT_EQ(simulation.step_contacts().with_itself, 0);
  EXPECT_GT(part_momenta(simulation, rest).second.x(), 0.0) << "it came with " << start.second.x();
  EXPECT_GT(deepest, 0.0);
  EXPECT_LT(deepest, 0.5 * 0.22);
  EXPECT_LT(energy_error, 0.01);
}

TEST(BodyContact, WhatDoesNotTouchMovesBitForBitAsWithoutContact) {
  const Scene scene = colliding_parts({{"speed_m_s", -1.0}, {"gap_m", 1e-3}});
  MeshlessSimulation with(scene, colliding({{"substeps", 8LL}})),
      without(scene, colliding({{"substeps", 8LL}, {"body_contact", std::string("none")}}));
  for (int step = 0; step < 20; ++step) {
    with.step();
    without.step();
    ASSERT_EQ(with.step_contacts().with_itself, 0);
  }
  EXPECT_EQ(with.state().positions, without.state().positions);
  EXPECT_EQ(with.state().velocities, without.state().velocities);
}

TEST(BodyContact, AFragmentRestsOnTheOtherWithItsWeight) {
  const Scene scene = colliding_parts({{"arrangement", std::string("stack")},
                                       {"gap_m", 1e-3},
                                       {"speed_m_s", 0.0},
                                       {"gravity_m_s2", std::vector<double>{-9.81, 0, 0}}});
  MeshlessSimulation simulation(scene, colliding({{"mass_damping_1_s", 20.0}}));
  for (int step = 0; step < 350; ++step) ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced);
  const auto forces = simulation.array("surfel_contact_forces").reals;
  const auto pieces = simulation.array("surfel_pieces").integers, nodes = simulation.array("node_pieces").integers;
  double up = 0.0, weight = 0.0;
  for (std::size_t s = 0; s < pieces.size(); ++s)
    up += pieces[s] != nodes.front() ? forces[3 * s] : -forces[3 * s];  // on the upper one, and against the lower one
  for (Eigen::Index i = 0; i < scene.vertex_count(); ++i)
    if (scene.particles.rest_positions(i, 0) > 0.5) weight += 9.81 * simulation.state().masses[i];
  EXPECT_NEAR(up, weight, 0.02 * weight);
}

TEST(BodyContact, AHairpinTouchesItselfAndAStraightBarDoesNot) {
  const std::map<std::string, ParameterValue> bar{{"arrangement", std::string("folded")},
                                                  {"length_m", 3.0},
                                                  {"side_m", 0.25},
                                                  {"nodes_across", 3LL},
                                                  {"gap_m", 0.4},
                                                  {"speed_m_s", 12.0},
                                                  {"young_modulus_pa", 2e4}};
  Scene scene = colliding_parts(bar);
  MeshlessSimulation simulation(scene, colliding());
  const double total = simulation.state().masses.sum();
  const PartMomenta start = part_momenta(simulation, scene.particles.rest_positions);
  double deepest = 0.0;
  for (int step = 0; step < 40; ++step) {
    ASSERT_EQ(simulation.step().outcome, StepOutcome::Advanced);
    for (const double depth : simulation.array("surfel_contact_depths").reals) deepest = std::max(deepest, depth);
    const PartMomenta now = part_momenta(simulation, scene.particles.rest_positions);
    EXPECT_LT((now.linear - start.linear).norm() / total, 1e-12);
  }
  EXPECT_GT(deepest, 0.0);
  scene.initial_positions.resize(0, 3);
  scene.initial_velocities.resize(0, 3);
  MeshlessSimulation straight(scene, colliding());
  straight.step();
  EXPECT_EQ(straight.step_contacts().with_itself, 0);
}

TEST(BodyContact, StifferContactsTakeSmallerSubstepsAndStayStable) {
  const Scene scene = colliding_parts({{"gap_m", 0.01}});
  int before = 0;
  for (const double stiffness : {1.0, 30.0, 300.0}) {
    MeshlessSimulation simulation(scene, colliding({{"body_contact_stiffness", stiffness}}));
    StepReport report;
    for (int step = 0; step < 30; ++step) report = simulation.step();
    EXPECT_EQ(report.outcome, StepOutcome::Advanced) << stiffness;
    EXPECT_LT(part_momenta(simulation, scene.particles.rest_positions).kinetic, 1.01 * 125.0);  // ½ · 250 kg · (1 m/s)²
    EXPECT_GT(report.substeps, before);
    before = report.substeps;
  }
}

}  // namespace
}  // namespace deformbench::meshless
