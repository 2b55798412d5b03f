// SPDX-License-Identifier: BSD-3-Clause
// A shared library with methods, for `deformbench … --plugin libmine.so`:
//   DEFORMBENCH_PLUGIN(registry) { registry.add(my_method()); }
// Plug-in and command share C++ objects, so must agree on all that affects layout: the stamp encodes it.
#pragma once

#include <Eigen/Core>

#include "deformbench_generated/interface_stamp.hpp"
#include "methods/registry.hpp"

#define DEFORMBENCH_TEXT_OF(x) #x
#define DEFORMBENCH_TEXT(x) DEFORMBENCH_TEXT_OF(x)

namespace deformbench {

/// Properties that plug-in and command must share, as readable text.
inline constexpr const char* kPluginAbi =
    "interface " DEFORMBENCH_INTERFACE_STAMP ", C++ ABI " DEFORMBENCH_TEXT(__GXX_ABI_VERSION) ", compiler " __VERSION__
    ", strings " DEFORMBENCH_TEXT(_GLIBCXX_USE_CXX11_ABI) ", Eigen " DEFORMBENCH_TEXT(EIGEN_WORLD_VERSION) "."
    DEFORMBENCH_TEXT(EIGEN_MAJOR_VERSION) "." DEFORMBENCH_TEXT(EIGEN_MINOR_VERSION) " aligned to "
    DEFORMBENCH_TEXT(EIGEN_MAX_ALIGN_BYTES);

using PluginAbiFunction = const char*();
using PluginRegisterFunction = void(Registry&);
inline constexpr const char* kPluginAbiSymbol = "deformbench_plugin_abi";
inline constexpr const char* kPluginRegisterSymbol = "deformbench_plugin_register";

}  // namespace deformbench

/// Followed by a block that adds methods to `registry`, a deformbench::Registry&. Once per library.
#define DEFORMBENCH_PLUGIN(registry)                \
  extern "C" const char* deformbench_plugin_abi() { \
    return deformbench::kPluginAbi;                 \
  }                                                 \
  extern "C" void deformbench_plugin_register(deformbench::Registry& registry)
