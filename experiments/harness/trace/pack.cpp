// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/pack.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "experiments/harness/trace/sha256.hpp"
#include "experiments/harness/trace/trace_reader.hpp"
#include "methods/model/error.hpp"

extern char** environ;

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kLargestCsvRow = 9;

/// A folder that is removed again.
class Staging {
 public:
  explicit Staging(fs::path path) : path_(std::move(path)) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Staging() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path.string() + ": cannot be written");
}

/// Runs a program without a shell and waits for it.
void run(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ);
  if (error != 0)
    throw std::runtime_error(fmt::format("{}: cannot be started: {}", arguments[0], std::strerror(error)));
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error(fmt::format("{} failed: {}", arguments[0], fmt::join(arguments, " ")));
}

std::string quoted(const std::string& header) {
  return header.find(',') == std::string::npos ? header : '"' + header + '"';
}

/// Columns step, time, then the channels; an ensemble has a column member in front. Empty if nothing is small
/// enough.
std::string csv_of(const TraceReader& reader, const std::string& clock) {
  struct Column {
    ChannelData data;
    std::size_t width;
  };
  const bool ensemble = reader.is_ensemble();
  const std::size_t leading = ensemble ? 2 : 1;
  std::vector<Column> columns;
  std::string text = ensemble ? "member,step,time_s" : "step,time_s";
  const auto steps = reader.steps(clock);
  const auto times = reader.times(clock);
  for (const std::string& name : reader.channels(clock)) {
    const auto shape = reader.shape(clock, name);
    const std::size_t width = std::accumulate(shape.begin() + std::ptrdiff_t(std::min(leading, shape.size())),
                                              shape.end(), std::size_t{1}, std::multiplies<>());
    if (width > kLargestCsvRow) continue;
    Column column{reader.channel(clock, name), width};
    for (std::size_t i = 0; i < width; ++i) {
      const std::string component = width == 1 ? "" : width == 3 ? std::string("_") + "xyz"[i] : fmt::format("_{}", i);
      text += ',' + quoted(fmt::format("{}{} [{}]", name, component, column.data.unit));
    }
    columns.push_back(std::move(column));
  }
  text += '\n';
  const std::size_t rows = ensemble ? reader.shape(clock, "time").back() : times.size();
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (ensemble) text += fmt::format("{},", i / rows);
    text += fmt::format("{},{}", steps[i], times[i]);
    for (const Column& column : columns)
      for (std::size_t k = 0; k < column.width; ++k)
        text += fmt::format(",{}", column.data.values[i * column.width + k]);
    text += '\n';
  }
  return text;
}

std::vector<fs::path> traces_below(const fs::path& folder) {
  if (!fs::is_directory(folder)) throw InputError(folder.string() + ": no such folder");
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".h5") files.push_back(entry.path());
  if (files.empty()) throw InputError(folder.string() + ": holds no trace (*.h5)");
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Packed pack(const fs::path& folder, const fs::path& archive, const PackOptions& options) {
  // 1. Stage the files beside the archive.
  Packed result;
  const Staging staging(archive.string() + fmt::format(".staging.{}", getpid()));
  nlohmann::json manifest = {
      {"format", "deformbench-archive"}, {"format_version", 1}, {"traces", nlohmann::json::array()}};
  for (const fs::path& file : traces_below(folder)) {
    const TraceReader reader(file);
    const fs::path name = fs::relative(file, folder).replace_extension();
    write_file(staging.path() / "specs" / (name.string() + ".json"), reader.spec().dump(2) + "\n");
    for (const std::string& clock : reader.clocks()) {
      write_file(staging.path() / "csv" / name / (clock + ".csv"), csv_of(reader, clock));
      ++result.csv_files;
    }
    if (options.include_traces) {
      const fs::path copy = staging.path() / "traces" / (name.string() + ".h5");
      fs::create_directories(copy.parent_path());
      fs::copy_file(file, copy);
    }
    manifest["traces"].push_back({{"file", name.string() + ".h5"},
                                  {"experiment", reader.experiment()},
                                  {"method", reader.method()},
                                  {"status", reader.status()},
                                  {"status_reason", reader.status_reason()},
                                  {"git_commit", reader.provenance().value("git_commit", "unknown")},
                                  {"sha256", sha256_of_file(file)}});
    ++result.traces;
  }
  write_file(staging.path() / "manifest.json", manifest.dump(2) + "\n");

  // 2. Checksums of everything staged.
  std::vector<fs::path> staged;
  for (const auto& entry : fs::recursive_directory_iterator(staging.path()))
    if (entry.is_regular_file()) staged.push_back(entry.path());
  std::sort(staged.begin(), staged.end());
  std::string sums;
  for (const fs::path& file : staged)
    sums += fmt::format("{}  {}\n", sha256_of_file(file), fs::relative(file, staging.path()).string());
  write_file(staging.path() / "SHA256SUMS", sums);

  // 3. Pack; order, owner and times are fixed, so that equal results give equal bytes.
  const std::string unfinished = archive.string() + ".part";
  run({"tar", "--create", "--file", unfinished, "--use-compress-program=gzip -n", "--sort=name", "--format=gnu",
       "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX", "--directory",
       staging.path().string(), "."});
  fs::rename(unfinished, archive);
  return result;
}

}  // namespace deformbench::harness
