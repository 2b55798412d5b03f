// SPDX-License-Identifier: BSD-3-Clause
// Descriptors of the peers with Bullet. They do not depend on whether Bullet was found, so neither do declarations,
// their cells and `describe`.
#include <algorithm>

#include "methods/peers/bullet/bullet_simulations.hpp"
#include "methods/peers/bullet/register_bullet.hpp"

namespace deformbench::bullet {
namespace {

/// Why the scene is unsupported by both bodies; empty if it is not.
std::string common_refusal(const Scene& scene, const std::string& who) {
  if (!scene.colliders.empty() || !scene.rigid_bodies.empty())
    return who + " runs without contacts here: colliders and rigid bodies are not handed to it";
  if (!scene.attachments.empty() || !scene.constraints.empty()) return who + " knows no explicit constraints";
  if (!scene.heat_sources.empty()) return who + " knows no heat sources";
  if (!scene.cracks.empty()) return who + " knows no initial cracks";
  return model::roller_refusal(scene.prescribed, who);
}

Support fem_supports(const Scene& scene, const Parameters&) {
  if (scene.tet_mesh.element_count() == 0) return Support::no("the scene has no tetrahedra");
  if (scene.cloth.vertex_count() > 0) return Support::no("Bullet's deformable body takes tetrahedra without a cloth");
  if (!scene.element_material.empty() && std::any_of(scene.element_material.begin(), scene.element_material.end(),
                                                     [&](int m) { return m != scene.element_material.front(); }))
    return Support::no("Bullet's elastic force has one material for the whole body");
  const std::string refusal = common_refusal(scene, "Bullet's deformable body");
  return refusal.empty() ? Support::yes() : Support::no(refusal);
}

Support cloth_supports(const Scene& scene, const Parameters&) {
  if (scene.cloth.vertex_count() == 0) return Support::no("the scene has no cloth");
  if (scene.tet_mesh.element_count() > 0) return Support::no("Bullet's cloth takes a cloth without tetrahedra");
  const std::string refusal = common_refusal(scene, "Bullet's cloth");
  return refusal.empty() ? Support::yes() : Support::no(refusal);
}

/// Shared by both: the citation, and caveats for comparison.
MethodDescriptor descriptor(const char* id, const char* summary) {
  MethodDescriptor method;
  method.id = id;
  method.summary = summary;
  method.paper = {"C15", "E. Coumans: Bullet Physics Simulation, ACM SIGGRAPH Courses, 2015"};
  method.not_comparable = {
      "Speed: the package's library is compiled for every machine of its architecture, ours for this one; one thread.",
      "Contact: Bullet stops bodies at collision margins of its own, so scenes with colliders or rigid bodies are "
      "refused.",
      "Velocities: a vertex that moves more than 1000 m in a substep is stopped at 1000 m, and a correction that is "
      "not a "
      "number becomes zero: such a run ends finite, where other methods say that they diverged."};
#ifndef DEFORMBENCH_WITH_BULLET
  method.not_built =
      "Bullet in double precision was not found when this program was built (apt-get install libbullet-dev)";
#endif
  return method;
}

}  // namespace

MethodDescriptor bullet_fem_descriptor() {
  MethodDescriptor method =
      descriptor("bullet_fem", "Bullet's deformable body: neo-Hookean or corotated linear elements, implicit Euler");
  ParameterInfo law{
      "law", "", std::string("neo_hookean"),
      "Bullet's neo-Hookean force [SGK18], or its linear elasticity, which it corotates element by element"};
  law.choices = {"neo_hookean", "linear_elasticity"};
  ParameterInfo constants{"constants", "", std::string("small_strain"),
                          "Of the neo-Hookean force: small strains see the scene's E and nu, or Bullet gets their Lamé "
                          "constants as its own "
                          "functions compute them, and a body is then softer than E says"};
  constants.choices = {"small_strain", "as_named"};
  method.parameters = {
      std::move(law),
      std::move(constants),
      {"damping_s", "s", 0.0, "Damping stress over elastic constants. Bullet's default: 0.05 (neo-Hookean), 0.01", 0.0},
      {"mass_damping_1_s", "1/s", 0.0,
       "Of linear elasticity: damping force over mass and velocity. Bullet's default: 0.01", 0.0},
      {"substeps", "1", 1LL, "Steps of Bullet's world in a time step; its demos take 1/240 s", 1.0},
      {"newton_iterations", "1", 5LL, "Most Newton iterations in a substep; Bullet goes on silently after them", 1.0},
      {"newton_tolerance_n_s", "N s", 1e-4,
       "Newton's method ends below this norm of the residual, which is no relative one", 0.0},
      {"cg_iterations", "1", 300LL, "Most conjugate gradient iterations in a Newton iteration", 1.0},
      {"cg_tolerance", "1", 2.220446049250313e-16,
       "Squared residual, by inverse masses, over min(1, that of the right side); Bullet's default: the machine "
       "epsilon",
       0.0},
      {"line_search", "", false, "Bullet's line search; its energy of linear elasticity is wrong for turned elements"},
  };
  method.supports = fem_supports;
  // Sizes as measured by tests/methods, which checks them within a factor of two.
  method.known_violations = {
      {"linear_momentum", "conjugate gradients end at the machine epsilon of a squared residual, at 1.5e-8 of it",
       "B-IVM-15", 1.3e-9},
      {"angular_momentum", "implicit Euler takes the share (ωΔt)² of a spin in every step", "IVM-01", 0.18}};
  method.not_comparable.insert(
      method.not_comparable.end(),
      {"Convergence: Newton's method ends at an absolute residual (1e-4 N s) or after 5 iterations, conjugate "
       "gradients after "
       "300; no step says that it ended short of the solution, so a run does not fail by it. What it left of the first "
       "residual is in solver_residual.",
       "Linear elasticity: where an element is strained, Bullet's rotation is off from that of the polar "
       "decomposition, by 0.005 "
       "rad at small strains and 0.02 rad at strains of a tenth; its forces are then no gradient of an energy, and a "
       "body "
       "that spins loses or gains angular momentum.",
       "Damping is zero here, where Bullet's default is not: its neo-Hookean damping stops a body that spins within a "
       "quarter "
       "of a turn."});
#ifdef DEFORMBENCH_WITH_BULLET
  method.create = [](const Scene& scene, const Parameters& parameters, const RunContext&) {
    return make_bullet_fem(scene, parameters);
  };
#endif
  return method;
}

MethodDescriptor bullet_cloth_descriptor() {
  MethodDescriptor method =
      descriptor("bullet_cloth", "Bullet's soft body as cloth: links along edges, its solver of positions");
  method.parameters = {
      {"iterations", "1", 1LL, "Sweeps over all links in a substep (piterations); Bullet's default", 1.0},
      {"stretch_stiffness",
       "1",
       1.0,
       "kLST of the edges: share of a violation that one visit takes away",
       0.0,
       1.0,
       {},
       true},
      {"bend_stiffness", "1", 0.4,
       "kLST of Bullet's bending links, between vertices two edges apart; 0: none. As in its demos of cloth", 0.0, 1.0},
      {"damping", "1", 0.0, "kDP: share of all velocity that is lost in a substep", 0.0, 1.0},
      {"substeps", "1", 1LL, "Steps of Bullet's world in a time step", 1.0},
      {"randomized_order", "", true,
       "Links in an order at random, the same in every run, as Bullet's cloth from triangles has"},
  };
  method.supports = cloth_supports;
  method.known_violations = {
      {"free_fall",
       "Bullet rounds the time step of this world to a float, in double precision too: 0.01 s is 2.2e-8 shorter", "C15",
       2.2e-8},
      {"angular_momentum",
       "corrections have no torque about the predicted positions, velocities belong to those of the start", "PBD-08",
       0.16}};
  method.not_comparable.insert(method.not_comparable.end(),
                               {"Stiffness: kLST is the share of a violation that one visit takes away, with no "
                                "correction for the number of visits; "
                                "what it does to a cloth depends on time step, iterations and mesh, and answers to no "
                                "Young's modulus or compliance.",
                                "Bending: links between vertices two edges apart, in the plane of the cloth too; no "
                                "angle is kept, and they stiffen "
                                "the cloth against stretching and shearing.",
                                "Projection of a link: (l² − |d|²)/(l² + |d|²) of its length, a first order in the "
                                "strain of that of position based "
                                "dynamics."});
#ifdef DEFORMBENCH_WITH_BULLET
  method.create = [](const Scene& scene, const Parameters& parameters, const RunContext&) {
    return make_bullet_cloth(scene, parameters);
  };
#endif
  return method;
}

void register_bullet(Registry& registry) {
  registry.add(bullet_fem_descriptor());
  registry.add(bullet_cloth_descriptor());
}

}  // namespace deformbench::bullet
