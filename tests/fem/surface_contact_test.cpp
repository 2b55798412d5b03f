// SPDX-License-Identifier: BSD-3-Clause
// Bodies that collide with each other and with themselves within the solve [LFSLZPJK20]: momentum, energy, the weight
// that an interface carries, friction, and that no step ends with an intersection, by exact arithmetic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "methods/fem/nonlinear/surface_contact.hpp"
#include "methods/model/boundary_surface.hpp"
#include "methods/model/error.hpp"
#include "tests/collision/exact_pairs.hpp"
#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

using Meshes = std::vector<model::TetMesh>;

constexpr double kGap = 0.8285257;  ///< root of b'(y) = −0.1: gap over d̂ at a tenth of κ

model::TetMesh block(std::array<int, 3> cells, const Vector3& origin, const Vector3& size) {
  return model::make_block(cells, origin, size, model::BlockSplit::KuhnSix);
}

model::TetMesh turned(model::TetMesh mesh, const Matrix3& r, const Vector3& move) {
  mesh.rest_positions = moved(mesh.rest_positions, r, move);
  return mesh;
}

/// One scene of several bodies. `materials`: one for all, or one for each.
Scene scene_of(const Meshes& meshes, std::vector<model::Material> materials = {model::Material{}},
               double time_step = 0.005) {
  Scene scene;
  scene.name = "bodies";
  scene.materials = std::move(materials);
  scene.time_step = time_step;
  Eigen::Index vertices = 0, elements = 0;
  for (std::size_t k = 0; k < meshes.size(); ++k) {
    const model::TetMesh& mesh = meshes[k];
    scene.tet_mesh.rest_positions.conservativeResize(vertices + mesh.vertex_count(), 3);
    scene.tet_mesh.rest_positions.bottomRows(mesh.vertex_count()) = mesh.rest_positions;
    scene.tet_mesh.tetrahedra.conservativeResize(elements + mesh.element_count(), 4);
    scene.tet_mesh.tetrahedra.bottomRows(mesh.element_count()) = mesh.tetrahedra.array() + int(vertices);
    scene.element_material.resize(std::size_t(elements + mesh.element_count()),
                                  scene.materials.size() > 1 ? int(k) : 0);
    vertices += mesh.vertex_count(), elements += mesh.element_count();
  }
  scene.initial_velocities = Points::Zero(vertices, 3);
  return scene;
}

model::Material material(double young_modulus, double density = 1000.0) {
  model::Material result;
  result.young_modulus = young_modulus;
  result.density = density;
  return result;
}

Settings with(Settings more) {
  more.insert({"self_contact", std::string("barrier")});
  return more;
}

/// Kinetic, elastic and gravitational energy.
double energy_of_bodies(const Simulation& simulation, const Vector3& gravity = Vector3::Zero()) {
  const StateView state = simulation.state();
  const Vector3 first_moment = state.positions.transpose() * state.masses;
  return 0.5 * (state.masses.asDiagonal() * state.velocities).cwiseProduct(state.velocities).sum() +
         facet_of<ElasticityFacet>(simulation).elastic_energy(state.positions) - gravity.dot(first_moment);
}

int intersections(const Scene& scene, const Simulation& simulation) {
  return collision::exact_intersections(simulation.state().positions, model::boundary_triangles(scene.tet_mesh));
}

Vector3 momentum_of(const Simulation& simulation, Eigen::Index first, Eigen::Index count) {
  const StateView state = simulation.state();
  return state.velocities.middleRows(first, count).transpose() * state.masses.segment(first, count);
}

/// Two cubes of 0.1 m at 2 mm from each other, the right one with another mesh, that fly towards each other.
Scene head_on(double speed, const std::vector<model::Material>& materials, double time_step) {
  const model::TetMesh left = block({2, 2, 2}, {-0.102, 0, 0}, Vector3::Constant(0.1));
  const model::TetMesh right = block({3, 3, 3}, {0, 0.013, -0.007}, Vector3::Constant(0.1));
  Scene scene = scene_of({left, right}, materials, time_step);
  scene.initial_velocities.topRows(left.vertex_count()).col(0).setConstant(speed);
  scene.initial_velocities.bottomRows(right.vertex_count()).col(0).setConstant(-speed);
  return scene;
}

struct Impact {
  double speed, time_step, young_modulus;
  double density;  ///< of the second cube over the first
  const char* scheme;
};

class CubesThatCollide : public testing::TestWithParam<Impact> {};

TEST_P(CubesThatCollide, KeepTheirMomentumGainNoEnergyAndNeverMeet) {
  const Impact& given = GetParam();
  const Scene scene =
      head_on(given.speed, {material(given.young_modulus), material(given.young_modulus, 1000.0 * given.density)},
              given.time_step);
  const auto simulation = make("implicit_fem", scene, with({{"scheme", std::string(given.scheme)}}));
  const Vector3 start = momentum(*simulation);
  const StateView state = simulation->state();
  const double size = (state.masses.asDiagonal() * state.velocities).rowwise().norm().sum();
  const double supplied = energy_of_bodies(*simulation);
  double least = size;
  for (int k = 0; k < 16; ++k) {
    const StepReport report = simulation->step();
    ASSERT_EQ(report.outcome, StepOutcome::Advanced) << k;
    ASSERT_TRUE(report.converged.value_or(false)) << "step " << k << ": " << report.residual;
    EXPECT_LT((momentum(*simulation) - start).norm(), 1e-12 * size) << k;
    if (std::string(given.scheme) == "implicit_euler") {
      EXPECT_LT(energy_of_bodies(*simulation), (1 + 1e-9) * supplied) << k;
    }
    EXPECT_EQ(intersections(scene, *simulation), 0) << k;
    least = std::min(least, momentum_of(*simulation, 0, 27)[0]);
  }
  EXPECT_LT(least, 0.0);  // the left one did rebound
}

INSTANTIATE_TEST_SUITE_P(
    Speeds, CubesThatCollide,
    testing::Values(Impact{1, 0.005, 1e6, 1, "implicit_euler"}, Impact{1, 0.001, 1e6, 1, "implicit_euler"},
                    Impact{100, 0.0001, 1e8, 1, "implicit_euler"}, Impact{5, 0.002, 1e6, 1000, "implicit_euler"},
                    Impact{1, 0.001, 1e6, 1, "bdf2"}, Impact{1, 0.001, 1e6, 1, "implicit_midpoint"}),
    [](const auto& given) {
      return std::string(given.param.scheme) + "_" + std::to_string(int(given.param.speed)) + "_m_s_" +
             std::to_string(int(1e4 * given.param.time_step)) + "_density_" + std::to_string(int(given.param.density));
    });

TEST(SurfaceContact, EverySolverOfALinearSystemFindsTheSameSteps) {
  const Scene scene = head_on(2.0, {material(1e6)}, 0.005);
  Points first;
  for (const Settings& settings :
       {Settings{}, Settings{{"solver", std::string("direct")}}, Settings{{"cg_preconditioner", std::string("jacobi")}},
        Settings{{"cg_preconditioner", std::string("multigrid")}},
        Settings{{"hessian", std::string("exact")}, {"solver", std::string("direct")}},
        Settings{{"cg_preconditioner", std::string("automatic")}},
        Settings{{"newton_forcing", std::string("eisenstat_walker")}},
        Settings{{"hessian_precision", std::string("single")}}}) {
    const auto simulation = make("implicit_fem", scene, with(settings));
    for (int k = 0; k < 4; ++k) ASSERT_TRUE(simulation->step().converged.value_or(false));
    if (first.size() == 0) first = simulation->state().positions;
    EXPECT_LT((simulation->state().positions - first).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(SurfaceContact, EveryRuleForTheHessianFindsTheSameStepsAndKeepsMomentum) {
  model::Material soft = material(3e5);
  soft.poisson_ratio = 0.4;
  const Scene scene = head_on(2.0, {soft}, 0.005);
  for (const auto& [scheme, solver] : {std::pair("implicit_euler", "cg"), std::pair("implicit_midpoint", "direct")}) {
    Points first;
    for (const char* rule : {"projected", "absolute", "trust_region", "project_on_demand", "progressive"}) {
      const auto simulation = make(
          "implicit_fem", scene,
          with({{"hessian", std::string(rule)}, {"scheme", std::string(scheme)}, {"solver", std::string(solver)}}));
      const Vector3 start = momentum(*simulation);
      const StateView state = simulation->state();
      const double size = (state.masses.asDiagonal() * state.velocities).rowwise().norm().sum();
      for (int k = 0; k < 2; ++k) ASSERT_TRUE(simulation->step().converged.value_or(false)) << rule << ' ' << scheme;
      if (first.size() == 0) first = simulation->state().positions;
      EXPECT_LT((simulation->state().positions - first).cwiseAbs().maxCoeff(), 1e-9) << rule << ' ' << scheme;
      EXPECT_LT((momentum(*simulation) - start).norm(), 1e-12 * size) << rule << ' ' << scheme;
    }
    EXPECT_LT((first - scene.tet_mesh.rest_positions).rowwise().norm().maxCoeff(), 0.015);  // 0.02 without contact
  }
}

TEST(SurfaceContact, AStackCarriesItsWeightOnEveryInterface) {
  // Four blocks, heavy and light in turn, on a plane. At rest the barrier between them, evaluated apart from the
  // simulation, carries all that is above.
  std::vector<model::Material> materials;
  Meshes meshes;
  double height = 1e-4;
  for (int k = 0; k < 4; ++k) {
    const int cells = 2 + k % 2;
    const double side = 0.1 - 0.011 * k;
    meshes.push_back(block({cells, cells, cells}, {0.007 * k, height, 0.006 * k}, {side, 0.05, side}));
    materials.push_back(material(1e6, k % 2 == 0 ? 1000.0 : 100.0));
    height += 0.05 + 1e-4;
  }
  Scene scene = scene_of(meshes, materials, 0.02);
  scene.colliders = {{Vector3::UnitY(), 0.0, 0.5}};  // without friction a stack slides down its own tilt, of 1e-4
  scene.gravity = -kGravity * Vector3::UnitY();
  const double reach = 2e-4;
  const auto simulation = make(
      "implicit_fem", scene, with({{"mass_damping_1_s", 60.0}, {"contact_distance_m", reach}, {"self_friction", 0.5}}));
  for (int k = 0; k < 120; ++k) ASSERT_TRUE(simulation->step().converged.value_or(false)) << k;
  EXPECT_LT(simulation->state().velocities.cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_EQ(intersections(scene, *simulation), 0);
  const model::BoundarySurface boundary = model::boundary_surface(scene.tet_mesh);
  Points x(boundary.surface.positions.rows(), 3), force = Points::Zero(x.rows(), 3);
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    x.row(i) = simulation->state().positions.row(boundary.mesh_vertex[std::size_t(i)]);
  collision::SurfaceBarrier barrier(boundary.surface.positions, boundary.surface.triangles, {}, {reach, 1e6});
  barrier.prepare(x, x);
  std::vector<collision::PairBlock> unused;
  barrier.add_forces(x, force, unused);
  Eigen::Index first = 0;
  for (std::size_t k = 0; k + 1 < meshes.size(); ++k) {
    first += meshes[k].vertex_count();
    double weight = 0.0, carried = 0.0;
    for (Eigen::Index i = first; i < scene.tet_mesh.vertex_count(); ++i)
      weight += kGravity * simulation->state().masses[i];
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      if (boundary.mesh_vertex[std::size_t(i)] >= first) carried += force(i, 1);
    EXPECT_NEAR(carried, weight, 1e-6 * weight) << k;
  }
}

TEST(SurfaceContact, TheGapOfBlocksAtRestDoesNotDependOnTheMesh) {
  // The lower block is fixed, the upper one presses by its weight, a tenth of κ; friction keeps it from sliding down
  // its own tilt.
  std::vector<double> gaps;
  for (const int cells : {2, 4}) {
    const model::TetMesh lower = block({cells, 1, cells}, {-0.03, -0.1, -0.03}, {0.16, 0.1, 0.16});
    const model::TetMesh upper = block({cells, cells, cells}, {0, 1e-4, 0}, Vector3::Constant(0.1));
    Scene scene = scene_of({lower, upper}, {material(1e6, 5000.0)}, 0.02);
    scene.gravity = -kGravity * Vector3::UnitY();
    model::PrescribedMotion fixed;
    for (Eigen::Index i = 0; i < lower.vertex_count(); ++i) fixed.vertices.push_back(int(i));
    scene.prescribed = {fixed};
    const auto simulation = make("implicit_fem", scene,
                                 with({{"mass_damping_1_s", 100.0},
                                       {"contact_distance_m", 2e-4},
                                       {"contact_stiffness_pa", 10 * 5000.0 * kGravity * 0.1},
                                       {"self_friction", 0.5}}));
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(simulation->step().converged.value_or(false)) << k;
    EXPECT_LT(simulation->state().velocities.cwiseAbs().maxCoeff(), 0.1 * 2e-4);  // a tenth of ε_v, d̂/s
    double sum = 0.0, count = 0.0;
    for (Eigen::Index i = lower.vertex_count(); i < scene.tet_mesh.vertex_count(); ++i)
      if (scene.tet_mesh.rest_positions(i, 1) == 1e-4) sum += simulation->state().positions(i, 1), ++count;
    gaps.push_back(sum / count);
  }
  // The rims of the faces, which also bear with shares of the sides, take a part of the pressure.
  EXPECT_NEAR(gaps[0], 2e-4 * kGap, 0.06 * gaps[0]);
  EXPECT_NEAR(gaps[1], gaps[0], 0.03 * gaps[0]);
}

/// A box of 0.16 m × 0.1 m × 0.16 m whose surface is a mesh, with its top at y = 0.
model::RigidBody meshed_box(int cells, double friction) {
  model::RigidBody box;
  box.name = "box";
  box.shape.kind = model::ShapeKind::Mesh;
  box.shape.mesh = model::boundary_surface(block({cells, 1, cells}, {-0.03, -0.1, -0.03}, {0.16, 0.1, 0.16})).surface;
  box.friction = friction;
  return box;
}

int meetings(const Scene& scene, const Simulation& simulation, const model::Pose& pose) {
  const model::TriangleMesh& mesh = scene.rigid_bodies[0].shape.mesh;
  const Triangles own = model::boundary_triangles(scene.tet_mesh);
  const Eigen::Index first = scene.tet_mesh.vertex_count();
  Points x(first + mesh.positions.rows(), 3);
  Triangles all(own.rows() + mesh.triangles.rows(), 3);
  x << simulation.state().positions, moved(mesh.positions, pose.orientation, pose.position);
  all << own, mesh.triangles.array() + int(first);
  return collision::exact_intersections(x, all);
}

TEST(SurfaceContact, TheGapAboveARigidMeshDoesNotDependOnThatMesh) {
  std::vector<double> gaps;
  for (const int cells : {1, 2, 5}) {
    const model::TetMesh upper = block({3, 3, 3}, {0, 1e-4, 0}, Vector3::Constant(0.1));
    Scene scene = scene_of({upper}, {material(1e6, 5000.0)}, 0.02);
    scene.gravity = -kGravity * Vector3::UnitY();
    scene.rigid_bodies = {meshed_box(cells, 0.5)};
    const auto simulation = make("implicit_fem", scene,
                                 with({{"mass_damping_1_s", 100.0},
                                       {"contact_distance_m", 2e-4},
                                       {"contact_stiffness_pa", 10 * 5000.0 * kGravity * 0.1}}));
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(simulation->step().converged.value_or(false)) << k;
    double sum = 0.0, count = 0.0;
    for (Eigen::Index i = 0; i < scene.tet_mesh.vertex_count(); ++i)
      if (scene.tet_mesh.rest_positions(i, 1) == 1e-4) sum += simulation->state().positions(i, 1), ++count;
    gaps.push_back(sum / count);
  }
  EXPECT_NEAR(gaps[0], 2e-4 * kGap, 0.06 * gaps[0]);
  EXPECT_NEAR(gaps[1], gaps[0], 0.01 * gaps[0]);
  EXPECT_NEAR(gaps[2], gaps[0], 0.01 * gaps[0]);
}

TEST(SurfaceContact, ARigidMeshThatMovesAsGivenPushesABodyAheadAndNeverMeetsIt) {
  // It lifts a cube, turns below it about a slanted axis, and carries it along by friction.
  const model::TetMesh upper = block({2, 2, 2}, {0, 2e-3, 0.01}, Vector3::Constant(0.1));
  Scene scene = scene_of({upper}, {material(1e5)}, 0.01);
  scene.gravity = -kGravity * Vector3::UnitY();
  scene.rigid_bodies = {meshed_box(2, 0.8)};
  model::RigidBody& box = scene.rigid_bodies[0];
  box.velocity = {0.1, 0.5, 0};
  box.angular_velocity = {0.1, 0.5, 0.1};
  for (const char* scheme : {"implicit_euler", "bdf2"}) {
    const auto simulation = make("implicit_fem", scene, with({{"scheme", std::string(scheme)}}));
    for (int k = 1; k <= 30; ++k) {
      ASSERT_TRUE(simulation->step().converged.value_or(false)) << scheme << k;
      ASSERT_EQ(meetings(scene, *simulation, box.pose_at(k * scene.time_step)), 0) << scheme << k;
    }
    const Vector3 speed = momentum_of(*simulation, 0, upper.vertex_count()) / simulation->state().masses.sum();
    EXPECT_NEAR(speed[1], 0.5, 0.1) << scheme;
    EXPECT_GT(speed[0], 0.05) << scheme;
  }
}

TEST(SurfaceContact, MeshesThatCannotBeObstaclesAreRefused) {
  Scene scene = scene_of({block({1, 1, 1}, {0, 0.01, 0}, Vector3::Constant(0.1))});
  scene.rigid_bodies = {meshed_box(1, 0.0)};
  const Registry registry = element_methods();
  const auto reason = [&](const char* id, const Settings& settings) {
    const MethodDescriptor& method = registry.at(id);
    const Support support = method.supports(scene, Parameters(method.parameters, settings, id));
    return support.supported ? "" : support.reason;
  };
  EXPECT_THAT(reason("linear_fem", {}), testing::HasSubstr("'box' is a mesh"));
  EXPECT_THAT(reason("implicit_fem", {}), testing::HasSubstr("self_contact barrier"));
  EXPECT_EQ(reason("implicit_fem", with({})), "");
  scene.rigid_bodies[0].start.position[1] = 0.02;
  EXPECT_THAT(reason("implicit_fem", with({})), testing::HasSubstr("of a rigid body"));
}

TEST(SurfaceContact, IsTheSameFromRunToRunAndThreadsChangeRoundingOnly) {
  const Scene scene = head_on(2.0, {material(1e6)}, 0.002);
  const auto after = [&](int threads) {
    const auto simulation = make("implicit_fem", scene, with({{"self_friction", 0.3}}), threads);
    for (int k = 0; k < 4; ++k) simulation->step();
    return Points(simulation->state().positions);
  };
  const Points one = after(1);
  EXPECT_EQ(after(1), one);
  EXPECT_EQ(after(2), after(2));
  EXPECT_LT((after(2) - one).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(SurfaceContact, ABodyThatClosesOnItselfIsHeldBySelfContact) {
  // Two arms on a foot, thrown at each other, with a slit of 1 cm between them.
  Scene scene = block_scene({3, 6, 1}, 0.02, model::BlockSplit::KuhnSix);
  Tetrahedra& all = scene.tet_mesh.tetrahedra;
  Tetrahedra kept(all.rows(), 4);
  Eigen::Index count = 0;
  for (Eigen::Index e = 0; e < all.rows(); ++e) {
    Vector3 centre = Vector3::Zero();
    for (Eigen::Index c = 0; c < 4; ++c) centre += 0.25 * scene.tet_mesh.rest_positions.row(all(e, c)).transpose();
    if (centre[1] < 0.02 || std::abs(centre[0] - 0.03) > 0.01) kept.row(count++) = all.row(e);
  }
  all = kept.topRows(count);
  // Vertices of the slit belong to no element but where an arm has them: all do, as the slit is one cell wide.
  scene.materials = {material(1e5)};
  scene.initial_velocities = Points::Zero(scene.tet_mesh.vertex_count(), 3);
  for (Eigen::Index i = 0; i < scene.tet_mesh.vertex_count(); ++i) {
    const double up = scene.tet_mesh.rest_positions(i, 1) - 0.02;
    if (up > 0.0) scene.initial_velocities(i, 0) = scene.tet_mesh.rest_positions(i, 0) < 0.03 ? 40 * up : -40 * up;
  }
  scene.time_step = 0.002;
  for (const bool is_on : {false, true}) {
    const auto simulation = make("implicit_fem", scene, is_on ? with({}) : Settings{});
    const double supplied = energy_of_bodies(*simulation);
    int met = 0;
    for (int k = 0; k < 25; ++k) {
      ASSERT_TRUE(simulation->step().converged.value_or(false)) << k;
      met += intersections(scene, *simulation);
      EXPECT_LT(energy_of_bodies(*simulation), (1 + 1e-9) * supplied) << k;
    }
    EXPECT_EQ(met == 0, is_on);
  }
}

TEST(SurfaceContact, BarsCrossingEdgeOnEdgeStopEachOther) {
  // Each bar stands on an edge; the edges of the two cross at right angles, and no vertex is near the crossing.
  const Matrix3 on_edge = Eigen::AngleAxisd(0.25 * M_PI, Vector3::UnitX()).toRotationMatrix();
  const Matrix3 across = Eigen::AngleAxisd(0.5 * M_PI, Vector3::UnitY()).toRotationMatrix();
  model::TetMesh bar = block({5, 1, 1}, {-0.05, -0.01, -0.01}, {0.1, 0.02, 0.02});
  const double half = 0.01 * std::sqrt(2.0);
  const model::TetMesh lower = turned(bar, on_edge, {0, -half, 0}),
                       upper = turned(bar, across * on_edge, {0.003, half + 1e-3, 0.002});
  Scene scene = scene_of({lower, upper}, {material(1e6)}, 0.002);
  scene.initial_velocities.bottomRows(upper.vertex_count()).col(1).setConstant(-3.0);
  const auto simulation = make("implicit_fem", scene, with({}));
  const Vector3 start = momentum(*simulation);
  const double supplied = energy_of_bodies(*simulation);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(simulation->step().converged.value_or(false)) << k;
    EXPECT_EQ(intersections(scene, *simulation), 0) << k;
    EXPECT_LT((momentum(*simulation) - start).norm(), 1e-12 * start.norm()) << k;
    EXPECT_LT(energy_of_bodies(*simulation), (1 + 1e-9) * supplied) << k;
  }
  // They separate again: the lower one is the faster.
  const double mass = 0.5 * simulation->state().masses.sum();
  EXPECT_LT(momentum_of(*simulation, 0, lower.vertex_count())[1] / mass, -1.5);
}

TEST(SurfaceContact, ABlockOnASlopeOfAnotherBodyObeysCoulomb) {
  // tan of the slope 1 % below and above μ = 0.5; the lower body is fixed. Of four cells their edges coincide.
  for (const auto& [ratio, cells] : {std::pair{0.99, 3}, {1.01, 3}, {0.99, 4}, {1.01, 4}}) {
    const model::TetMesh lower = block({cells, 1, cells}, {-0.05, -0.1, -0.05}, {0.2, 0.1, 0.2});
    const model::TetMesh upper = block({2, 2, 2}, {0, 1e-4, cells == 3 ? 0.003 : 0.0}, Vector3::Constant(0.1));
    Scene scene = scene_of({lower, upper}, {material(1e6)}, 0.002);
    const double angle = std::atan(0.5 * ratio), creep = 2e-4;
    scene.gravity = kGravity * Vector3(std::sin(angle), -std::cos(angle), 0);
    model::PrescribedMotion fixed;
    for (Eigen::Index i = 0; i < lower.vertex_count(); ++i) fixed.vertices.push_back(int(i));
    scene.prescribed = {fixed};
    const auto simulation =
        make("implicit_fem", scene,
             with({{"self_friction", 0.5}, {"contact_distance_m", 2e-4}, {"friction_speed_m_s", creep}}));
    const Eigen::Index first = lower.vertex_count(), count = upper.vertex_count();
    const double mass = simulation->state().masses.segment(first, count).sum();
    const auto speed_after = [&](int steps) {
      for (int k = 0; k < steps; ++k) EXPECT_TRUE(simulation->step().converged.value_or(false));
      return momentum_of(*simulation, first, count)[0] / mass;
    };
    const double sliding = kGravity * (std::sin(angle) - 0.5 * std::cos(angle));
    const double early = speed_after(40), gained = speed_after(20) - early;
    EXPECT_NEAR(gained / (20 * scene.time_step), sliding, 0.002 * 0.5 * kGravity * std::cos(angle)) << ratio;
    const double late = speed_after(180);
    if (ratio < 1.0) {
      EXPECT_LT(std::abs(late), creep) << ratio;
    } else {
      EXPECT_NEAR(late, early + 200 * scene.time_step * sliding, 0.002 * kGravity * 200 * scene.time_step) << ratio;
    }
    EXPECT_EQ(intersections(scene, *simulation), 0);
  }
}

TEST(SurfaceContact, PrescribedVerticesPushAnotherBodyAheadOfThem) {
  // A block moved as a whole by 1 cm per step, fifty times d̂, into another that is free.
  const model::TetMesh pusher = block({1, 1, 1}, {-0.101, 0, 0}, Vector3::Constant(0.1));
  const model::TetMesh free = block({2, 2, 2}, {0, 0.01, 0.01}, Vector3::Constant(0.08));
  Scene scene = scene_of({pusher, free}, {material(1e5)}, 0.005);
  model::PrescribedMotion motion;
  for (Eigen::Index i = 0; i < pusher.vertex_count(); ++i) motion.vertices.push_back(int(i));
  motion.translation = {0.1, 0, 0};
  motion.ramp = {0.0, 0.05};
  scene.prescribed = {motion};
  const auto simulation = make("implicit_fem", scene, with({}));
  for (int k = 0; k < 15; ++k) {
    ASSERT_TRUE(simulation->step().converged.value_or(false)) << k;
    EXPECT_EQ(intersections(scene, *simulation), 0) << k;
    EXPECT_NEAR(simulation->state().positions(0, 0), -0.101 + std::min(0.1, 0.01 * (k + 1)), 1e-12);
  }
  EXPECT_GT(momentum_of(*simulation, pusher.vertex_count(), free.vertex_count())[0], 0.0);
}

std::string refusal(const char* id, const Scene& scene, const Settings& settings) {
  const Registry registry = element_methods();
  const MethodDescriptor& method = registry.at(id);
  return method.supports(scene, Parameters(method.parameters, with(settings), id)).reason;
}

TEST(SurfaceContact, WhatItCannotDoIsRefused) {
  using testing::HasSubstr;
  const Scene scene = head_on(1.0, {material(1e6)}, 0.005);
  EXPECT_EQ(refusal("implicit_fem", scene, {}), "");
  EXPECT_THAT(refusal("invertible_fem", scene, {}), HasSubstr("explicit schemes have none"));
  EXPECT_THAT(refusal("implicit_fem", scene, {{"newton_iterations", 1LL}}), HasSubstr("line search"));
  EXPECT_THAT(refusal("implicit_fem", scene, {{"fracture", std::string("vertex_split")}}), HasSubstr("fracture"));
  EXPECT_THAT(refusal("implicit_fem", scene, {{"contact_distance_m", 0.06}}), HasSubstr("m apart"));
  Scene on_plane = scene;
  on_plane.colliders = {{Vector3::UnitY(), -1.0, 0.0}};
  EXPECT_THAT(refusal("implicit_fem", on_plane, after_solve), HasSubstr("after the solve"));
  Scene into = scene;
  into.initial_positions = into.tet_mesh.rest_positions;
  into.initial_positions.topRows(27).col(0).array() += 0.01;
  EXPECT_THAT(refusal("implicit_fem", into, {}), HasSubstr("meets the triangle"));
  EXPECT_THROW(make("explicit_fem", scene, with({})), InputError);
  EXPECT_THROW(make("warped_fem", scene, with({})), InputError);
}

}  // namespace
}  // namespace deformbench::fem
