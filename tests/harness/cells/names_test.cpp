// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "experiments/harness/cells/limit_clock.hpp"
#include "experiments/harness/cells/progress.hpp"
#include "experiments/harness/files/data_directory.hpp"
#include "experiments/harness/files/hash.hpp"
#include "experiments/harness/files/json_text.hpp"
#include "experiments/harness/files/nearest_name.hpp"
#include "experiments/harness/trace/provenance.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

TEST(NearestName, FindsAMistypedOne) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(nearest_names("cg_tolerence", {"cg_iterations", "cg_tolerance", "solver"}), Names{"cg_tolerance"});
  EXPECT_EQ(nearest_names("rotation", {"cantilever", "rotation_artefact"}), Names{"rotation_artefact"});
  EXPECT_EQ(nearest_names("bax", {"bar", "bat", "tube", "box", "bay", "ban", "bag"}).size(), 5u);
}

TEST(NearestName, IsSilentWhenNothingIsNear) {
  EXPECT_TRUE(nearest_names("viscosity", {"solver", "seed"}).empty());
  EXPECT_EQ(suggestion("viscosity", {"solver", "seed"}), " (known: solver, seed)");
}

TEST(ProcessorName, HasFamilyAndModelWhereVirtualMachinesShortenTheName) {
  std::istringstream x86(
      "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n\n"
      "processor\t: 1\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: Other\n");
  EXPECT_EQ(processor_name(x86), "AMD EPYC (family 25, model 17)");
  std::istringstream arm("processor\t: 0\nCPU part\t: 0xd0c\n\nModel\t\t: Board 4\n");
  EXPECT_EQ(processor_name(arm), "Board 4");
  std::istringstream none("processor : 0\n");
  EXPECT_EQ(processor_name(none), "unknown");
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

TEST(MessageLine, IsOneLineThatKeepsItsBeginningAndItsEnd) {
  EXPECT_EQ(one_line("no such\nfolder\n"), "no such\\nfolder");
  const std::string line = one_line("folder " + std::string(1000, 'x') + ": expected a shorter one");
  EXPECT_LE(line.size(), 400u);
  EXPECT_TRUE(line.starts_with("folder xxx") && line.ends_with("xxx: expected a shorter one")) << line;
}

TEST(EffortText, SaysWhatIsKnown) {
  EXPECT_EQ(effort_text({300, 1.44, 0.1023}), ", 300 steps in 1.44 s, 0.102 ms/step");
  EXPECT_EQ(effort_text({1, 2.0, 7.0}), ", 1 step in 2 s, 7 ms/step");
  EXPECT_EQ(effort_text({.seconds = 2.0}), ", 2 s");
  EXPECT_EQ(effort_text({}), "");
}

TEST(LimitClock, CountsTheShareOfAProcessorThatAProcessGets) {
  EXPECT_EQ(processor_share(0, 2), 1.0);
  EXPECT_EQ(processor_share(2, 2), 1.0);
  EXPECT_EQ(processor_share(10, 2), 0.2);
  EXPECT_GT(processor_share(100'000, 1), 0.0) << "a cell that hangs ends";
  EXPECT_GE(slowness(), 1.0);
  EXPECT_LT(slowness(), 1000.0);
  LimitClock clock({0.02, true}), patient({1000.0, false});
  EXPECT_FALSE(clock.exceeded());
  usleep(30'000);
  EXPECT_TRUE(clock.exceeded());
  EXPECT_FALSE(patient.exceeded());
}

TEST(DurationText, ReadsLikeAClock) {
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(125), "2 min 05 s");
  EXPECT_EQ(duration_text(4200), "1 h 10 min");
}

}  // namespace
}  // namespace deformbench::harness
