// SPDX-License-Identifier: BSD-3-Clause
// Every scene of this folder; harness/scenes.cpp registers them.
#pragma once

#include "experiments/harness/scenes.hpp"

namespace deformbench::scenes {

harness::SceneDescriptor animal();
harness::SceneDescriptor balloon();
harness::SceneDescriptor bar();
harness::SceneDescriptor barrel();
harness::SceneDescriptor beam();
harness::SceneDescriptor box_on_net();
harness::SceneDescriptor clamped_strip();
harness::SceneDescriptor cloth_bag();
harness::SceneDescriptor constraint_samples();
harness::SceneDescriptor crossed_sheets();
harness::SceneDescriptor dropped_particles();
harness::SceneDescriptor falling_net();
harness::SceneDescriptor folded_cloth();
harness::SceneDescriptor free_falling_block();
harness::SceneDescriptor gears();
harness::SceneDescriptor hanging_cloth();
harness::SceneDescriptor held_tetrahedron();
harness::SceneDescriptor hung_chain();
harness::SceneDescriptor inclined_plane();
harness::SceneDescriptor incompatible_triangle();
harness::SceneDescriptor level();
harness::SceneDescriptor loaded_tetrahedron();
harness::SceneDescriptor particle_chain();
harness::SceneDescriptor particle_cloud();
harness::SceneDescriptor patch_block();
harness::SceneDescriptor pendulum();
harness::SceneDescriptor posed_animal();
harness::SceneDescriptor root_rotated_bar();
harness::SceneDescriptor shot_particles();
harness::SceneDescriptor single_tetrahedron();
harness::SceneDescriptor skinned_block();
harness::SceneDescriptor spinning_block();
harness::SceneDescriptor spinning_ring();
harness::SceneDescriptor step_load_bar();
harness::SceneDescriptor stressed_block();
harness::SceneDescriptor stretched_bar();
harness::SceneDescriptor stripes();
harness::SceneDescriptor tangled_block();
harness::SceneDescriptor tearing_cloth();
harness::SceneDescriptor triangle_pair();
harness::SceneDescriptor twisted_bar();

}  // namespace deformbench::scenes
