// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "experiments/harness/cells/data_directory.hpp"
#include "experiments/harness/cells/hash.hpp"
#include "experiments/harness/cells/nearest_name.hpp"
#include "experiments/harness/cells/progress.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

TEST(NearestName, FindsAMistypedOne) {
  EXPECT_EQ(nearest_name("cg_tolerence", {"cg_iterations", "cg_tolerance", "solver"}), "cg_tolerance");
  EXPECT_EQ(nearest_name("rotation", {"cantilever", "rotation_artefact"}), "rotation_artefact");
}

TEST(NearestName, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("viscosity", {"solver", "seed"}), "");
}

TEST(SanitisedName, KeepsLettersAndDigits) {
  EXPECT_EQ(sanitised_name("Intel(R) Xeon(R) CPU @ 2.20GHz"), "intel_xeon_cpu_2_20ghz");
}

TEST(Hash, IsXxh3) {
  // Published test vector: XXH3-128 of the empty input with seed 0.
  EXPECT_EQ(xxh3_128(""), "99aa06d3014798d86001c324468d497f");
}

TEST(DataDirectory, RefusesAFolderWithoutTheSchema) {
  setenv("DEFORMBENCH_DATA", "/nowhere", 1);
  EXPECT_THROW(data_directory(), InputError);
  unsetenv("DEFORMBENCH_DATA");
  EXPECT_TRUE(std::filesystem::exists(data_directory() / "experiments/harness/schema/declaration.schema.json"));
}

TEST(DataDirectory, IsThatOfThePackageBeforeTheCheckoutItWasBuiltFrom) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("deformbench_package_" + std::to_string(getpid()));
  const fs::path schema = folder / "experiments/harness/schema";
  fs::create_directories(schema);
  const std::string named = folder.string();
  name_package_data(named.c_str());
  EXPECT_NE(data_directory(), folder) << "it holds no schema";
  std::ofstream(schema / "declaration.schema.json") << "{}";
  EXPECT_EQ(data_directory(), folder);
  name_package_data("");
  EXPECT_NE(data_directory(), folder);
  fs::remove_all(folder);
}

TEST(DurationText, ReadsLikeAClock) {
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(125), "2 min 05 s");
  EXPECT_EQ(duration_text(4200), "1 h 10 min");
}

}  // namespace
}  // namespace deformbench::harness
