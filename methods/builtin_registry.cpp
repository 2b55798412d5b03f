// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/register_fem.hpp"
#include "methods/pbd/register_pbd.hpp"
#include "methods/peers/register_peers.hpp"
#include "methods/registry.hpp"

namespace deformbench {

Registry builtin_registry() {
  Registry registry;
  fem::register_fem(registry);
  pbd::register_pbd(registry);
  peers::register_peers(registry);
  return registry;
}

}  // namespace deformbench
