// SPDX-License-Identifier: BSD-3-Clause
// Prescribed vertices that are free along an axis: who they are, where they go, and who refuses them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "methods/fem/body/body_state.hpp"
#include "methods/fem/body/contact.hpp"
#include "methods/model/boundary_surface.hpp"
#include "methods/model/error.hpp"
#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

model::PrescribedMotion motion_of(std::vector<int> vertices, std::array<bool, 3> components,
                                  const Vector3& translation) {
  model::PrescribedMotion motion;
  motion.vertices = std::move(vertices);
  motion.components = components;
  motion.translation = translation;
  return motion;
}

template <class T>
class Rollers : public testing::Test {
 protected:
  explicit Rollers() : scene_(block_scene({2, 1, 1})), graph_(scene_.tet_mesh), masses_(lumped_masses(scene_)) {}
  /// Row of `prescribed` of a vertex, −1: none.
  int entry(const BodyState<T>& body, int vertex) const {
    const auto found =
        std::find(body.prescribed.begin(), body.prescribed.end(), graph_.vertex_to_node[std::size_t(vertex)]);
    return found == body.prescribed.end() ? -1 : int(found - body.prescribed.begin());
  }
  Scene scene_;
  MeshGraph graph_;
  Eigen::VectorXd masses_;
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Rollers, Precisions);

TYPED_TEST(Rollers, AVertexObeysEveryMotionInItsOwnComponentsAndTheLastOneWhereTheyDisagree) {
  auto& scene = this->scene_;
  scene.prescribed = {motion_of({3, 5}, {true, false, false}, {0.1, 0.2, 0.3}),
                      motion_of({5, 7}, {false, true, false}, {0.4, 0.5, 0.6}),
                      motion_of({7}, {false, true, true}, {0.7, 0.8, 0.9})};
  BodyState<TypeParam> body(scene, this->graph_, this->masses_);
  ASSERT_EQ(body.prescribed.size(), 3u);
  EXPECT_TRUE(std::is_sorted(body.prescribed.begin(), body.prescribed.end()));
  const auto components = [&](int vertex) {
    return int(body.prescribed_components[std::size_t(this->entry(body, vertex))]);
  };
  EXPECT_EQ(components(3), 1);
  EXPECT_EQ(components(5), 3);
  EXPECT_EQ(components(7), 6);
  body.begin_step();
  EXPECT_TRUE(body.prescribed_move());
  const auto velocity = [&](int vertex) {
    return Vector3(scene.time_step * body.prescribed_velocities().row(this->entry(body, vertex)).transpose());
  };
  const double rounding = 1e-6;
  EXPECT_LT((velocity(3) - Vector3(0.1, 0, 0)).norm(), rounding);
  EXPECT_LT((velocity(5) - Vector3(0.1, 0.5, 0)).norm(), rounding);
  EXPECT_LT((velocity(7) - Vector3(0, 0.8, 0.9)).norm(), rounding);
}

TYPED_TEST(Rollers, GoToTheirTargetsExactlyAndWhereTheirVelocityLeadsOtherwise) {
  auto& scene = this->scene_;
  scene.prescribed = {motion_of({3}, {true, false, true}, {0.1, 0.2, 0.3})};
  BodyState<TypeParam> body(scene, this->graph_, this->masses_);
  body.begin_step();
  for (std::size_t i = 0; i < body.velocities.size(); ++i)
    body.velocities[i] = i % 4 < 3 ? TypeParam(2.0) : TypeParam(0);
  const int nodes = this->graph_.node_count();
  body.finish_nodes(0, nodes);
  body.finish_step();
  Points x;
  body.write_positions(x);
  const Points& rest = scene.tet_mesh.rest_positions;
  EXPECT_EQ(x(3, 0), rest(3, 0) + 0.1);
  EXPECT_NEAR(x(3, 1), rest(3, 1) + scene.time_step * 2.0, 1e-15);
  EXPECT_EQ(x(3, 2), rest(3, 2) + 0.3);
  EXPECT_NEAR(x(4, 0), rest(4, 0) + scene.time_step * 2.0, 1e-15);
}

TYPED_TEST(Rollers, StandOnObstaclesWithWhatIsFree) {
  // 5 mm above the floor, falling 1 cm: y is free, so the floor stops it; where y is prescribed it goes on.
  auto& scene = this->scene_;
  const double low = scene.tet_mesh.rest_positions(0, 1);
  scene.colliders = {{Vector3::UnitY(), low - 0.005, 0.0}};
  scene.prescribed = {motion_of({0}, {true, false, true}, Vector3::Zero()),
                      motion_of({1}, {false, true, false}, {0, -0.01, 0})};
  ASSERT_EQ(scene.tet_mesh.rest_positions(1, 1), low);
  BodyState<TypeParam> body(scene, this->graph_, this->masses_);
  body.begin_step();
  for (std::size_t i = 0; i < body.velocities.size(); ++i)
    body.velocities[i] = i % 4 == 1 ? TypeParam(-1.0) : TypeParam(0);
  body.finish_nodes(0, this->graph_.node_count());
  body.finish_step();
  Points x;
  body.write_positions(x);
  EXPECT_NEAR(x(0, 1), low - 0.005, 1e-9);
  EXPECT_EQ(x(1, 1), low - 0.01);
}

TEST(RollersOnASlope, EndOnItWhicheverAxisIsHeld) {
  const Vector3 normal = Vector3(1, 2, 3) / std::sqrt(14.0), velocity(-1.0, -0.5, -0.7);
  const std::vector<model::PlaneCollider> slope{{normal, -0.001, 0.0}};
  const double time_step = 0.01;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto contact = touch_obstacles(slope, {}, Vector3::Zero(), velocity, time_step,
                                         numerics::with_component(numerics::kNoComponents, axis));
    ASSERT_TRUE(contact) << axis;
    EXPECT_EQ(contact->velocity[Eigen::Index(axis)], velocity[Eigen::Index(axis)]);
    EXPECT_NEAR(time_step * normal.dot(contact->velocity), -0.001, 1e-15) << axis;
  }
}

TEST(RollerScenes, WithoutAnyComponentAreRefused) {
  Scene scene = block_scene({1, 1, 1});
  scene.prescribed = {motion_of({0}, {false, false, false}, Vector3::Zero())};
  EXPECT_THAT([&] { check_scene(scene); }, testing::ThrowsMessage<InputError>(testing::HasSubstr(
                                               "prescribed motion 0 prescribes none of x, y, z, expected")));
  scene.prescribed[0].components[1] = true;
  EXPECT_NO_THROW(check_scene(scene));
}

TEST(RollerScenes, ABlockOnThreePlanesStretchesAndNarrowsAsHookeSays) {
  // A quarter of a bar: x, y and z are held on the planes through its corner, and nothing else. Pulled by σ along x:
  // u = σ/E (x, −ν y, −ν z), which linear elements hold exactly.
  const double stress = 1e3;
  for (const char* id : {"linear_fem", "warped_fem"}) {
    for (const char* solver : {"cg", "direct"}) {
      Scene scene = block_scene({3, 2, 2});
      scene.time_step = 100.0;
      const double modulus = scene.materials[0].young_modulus, poisson = scene.materials[0].poisson_ratio;
      const Points& rest = scene.tet_mesh.rest_positions;
      for (int c = 0; c < 3; ++c) {
        std::array<bool, 3> components{false, false, false};
        components[std::size_t(c)] = true;
        scene.prescribed.push_back(
            motion_of(model::vertices_on_plane(rest, c, 0.0, 1e-9), components, Vector3::Zero()));
      }
      model::TractionLoad pull;
      pull.triangles = model::boundary_triangles_on_plane(scene.tet_mesh, 0, 0.3, 1e-9);
      pull.traction = {stress, 0, 0};
      scene.traction_loads = {pull};
      const auto simulation = make(id, scene, {{"solver", std::string(solver)}, {"cg_tolerance", 1e-12}}, 1, true);
      EXPECT_LT(simulation->step().true_residual.value(), 1e-9) << id << ' ' << solver;
      for (int k = 1; k < 20; ++k) simulation->step();
      const Eigen::RowVector3d stretch = Eigen::RowVector3d(1.0, -poisson, -poisson) * stress / modulus;
      const Points expected = rest + Points(rest.array().rowwise() * stretch.array());
      EXPECT_LT((simulation->state().positions - expected).cwiseAbs().maxCoeff(), 1e-9 * 0.3 * stress / modulus)
          << id << ' ' << solver;
      const auto matrix = facet_of<SystemOperatorFacet>(*simulation).system_matrix(rest);
      EXPECT_EQ(matrix.rows(), 3 * scene.vertex_count() - 9 - 12 - 12);  // 3×3, 4×3 and 4×3 vertices on the planes
    }
  }
}

}  // namespace
}  // namespace deformbench::fem
