// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/fingerprint.hpp"

#include <gmock/gmock.h>

#include "methods/registry.hpp"

namespace deformbench::harness {
namespace {

TEST(Fingerprint, EveryBuiltInMethodHasOneOfItsSources) {
  const Registry registry = builtin_registry();
  for (const MethodDescriptor& method : registry.all()) {
    EXPECT_TRUE(has_source_fingerprint(method.id))
        << method.id << ": name it under METHODS in experiments/harness/CMakeLists.txt";
    EXPECT_THAT(method_fingerprint(method.id), testing::MatchesRegex("[0-9a-f]{32}"));
  }
}

TEST(Fingerprint, MethodsOfOneTargetShareItAndOthersDoNot) {
  EXPECT_EQ(method_fingerprint("linear_fem"), method_fingerprint("warped_fem"));
  EXPECT_NE(method_fingerprint("linear_fem"), method_fingerprint("naive_eigen"));
}

TEST(Fingerprint, AMethodFromOutsideHasThatOfTheExecutable) {
  EXPECT_FALSE(has_source_fingerprint("someone_elses"));
  EXPECT_EQ(method_fingerprint("someone_elses"), method_fingerprint("another_one"));
  EXPECT_NE(method_fingerprint("someone_elses"), method_fingerprint("naive_eigen"));
}

}  // namespace
}  // namespace deformbench::harness
