// SPDX-License-Identifier: BSD-3-Clause
#include "methods/peers/register_peers.hpp"

namespace deformbench::peers {

void register_peers(Registry& registry) {
  register_naive_eigen(registry);
  register_reuse_eigen(registry);
  register_naive_pbd(registry);
  register_naive_meshless(registry);
}

}  // namespace deformbench::peers
