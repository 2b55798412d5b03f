// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/results.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "experiments/harness/cells/fingerprint.hpp"
#include "experiments/harness/files/data_directory.hpp"
#include "experiments/harness/files/hash.hpp"
#include "experiments/harness/trace/contained.hpp"
#include "experiments/harness/trace/digest.hpp"
#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/part_file.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string text_attribute(hid_t object, const std::string& name) {
  if (!h5::has_attribute(object, name)) return "";
  const json value = h5::read_attribute(object, name);
  return value.is_string() ? value.get<std::string>() : h5::text_of(value);
}

/// Identity stored in a trace.
struct Stored {
  std::string status, reason, experiment, cell_id, spec, method_fingerprint, harness_fingerprint;

  std::array<std::string*, 7> texts() {
    return {&status, &reason, &experiment, &cell_id, &spec, &method_fingerprint, &harness_fingerprint};
  }
  /// The id of its spec with a method fingerprint; empty if it has no valid spec.
  std::string id_with(const std::string& fingerprint) const {
    const json resolved = json::parse(spec, nullptr, false);
    return resolved.is_object() ? harness::cell_id(resolved, fingerprint) : "";
  }
};

/// Throws HDF5 errors unchanged.
Stored stored_in(const fs::path& file) {
  Stored found;
  const h5::Handle handle = h5::open_file(file);
  found.status = text_attribute(handle.get(), "status");
  found.reason = text_attribute(handle.get(), "status_reason");
  found.experiment = text_attribute(handle.get(), "experiment");
  found.cell_id = text_attribute(handle.get(), "cell_id");
  if (h5::is_group(handle.get(), "/provenance")) {
    const h5::Handle provenance = h5::open_group(handle.get(), "/provenance");
    found.spec = text_attribute(provenance.get(), "spec");
    found.method_fingerprint = text_attribute(provenance.get(), "method_fingerprint");
    found.harness_fingerprint = text_attribute(provenance.get(), "harness_fingerprint");
  }
  return found;
}

/// Same in a child process: HDF5 may crash on files of other programs or earlier versions.
Stored stored_in_foreign(const fs::path& file) {
  const json texts = json::parse(contained(file, [&] {
    Stored found = stored_in(file);
    json list = json::array();
    for (const std::string* text : found.texts()) list.push_back(*text);
    return h5::text_of(list);
  }));
  Stored found;
  for (std::size_t i = 0; i < texts.size(); ++i) *found.texts()[i] = texts[i];
  return found;
}

/// The stored end, or the reason why the trace is not a result of this cell.
FinishedFile end_for(const Stored& found, const Cell& cell) {
  const std::string fingerprint = method_fingerprint(cell.spec.at("method").at("id").get<std::string>());
  const std::string id = found.id_with(fingerprint), experiment = cell.experiment();
  const json spec = json::parse(found.spec, nullptr, false);
  const bool names_experiment = spec.is_object() && spec.value("experiment", json()) == json(experiment);
  if (id != cell.id || found.cell_id != cell.id || found.experiment != experiment || !names_experiment)
    return {kOfAnotherCell, "the trace of another cell: found " + (id == cell.id ? found.cell_id : id) + " of " +
                                found.experiment + ", expected " + cell.id + " of " + experiment};
  if (found.method_fingerprint != fingerprint) return {kStale, "made by other code of the method"};
  // Other probes, scenes or run loop: the numbers may differ.
  if (found.harness_fingerprint != harness_fingerprint()) return {kStale, "made by other sources of the harness"};
  return {found.status, found.reason};
}

/// Paths (relative to the declaration) and digests of a scene file and its meshes, so that readers of the list notice
/// changes that the declaration does not show.
json digests_of(const std::vector<fs::path>& files, const fs::path& folder) {
  const fs::path base = fs::absolute(folder / "declaration").lexically_normal().parent_path();  // `folder` may be empty
  json list = json::array();
  for (const fs::path& file : files)
    list.push_back({{"path", file.lexically_proximate(base).generic_string()}, {"sha256", sha256_of_file(file)}});
  return list;
}

json list_without_cells(const char* format, const Declaration& declaration, const std::string& tier,
                        const std::vector<fs::path>& scene_files) {
  json declared = declaration.document;
  for (const char* key : {"doc", "paper", "exploratory"}) declared.erase(key);  // no cell depends on them
  json list = {{"format", format},
               {"experiment", declaration.id},
               {"tier", tier},
               {"harness_fingerprint", harness_fingerprint()},
               {"declaration", declared},
               {"cells", json::array()}};
  if (!scene_files.empty()) list["scene_files"] = digests_of(scene_files, declaration.folder);
  return list;
}

/// Scene files of all cells, without duplicates.
std::vector<fs::path> scene_files_of(const std::vector<Cell>& cells) {
  std::vector<fs::path> files;
  for (const Cell& cell : cells)
    for (const fs::path& file : cell.scene_files)
      if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  return files;
}

json entry_of(const Cell& cell) {
  json entry = {{"cell_id", cell.id},
                {"method", cell.method_name()},
                {"method_fingerprint", method_fingerprint(cell.spec.at("method").at("id").get<std::string>())},
                {"coordinates", cell.spec.at("coordinates")},
                {"expect", cell.spec.at("expect")}};
  // Not stored in the trace: a kept trace with the same id may lack it.
  if (const std::string who = cell.claimed_by(); !who.empty()) entry["claimed_by"] = who;
  return entry;
}

void write_list(const fs::path& folder, const std::string& name, const json& list) {
  fs::create_directories(folder);
  const fs::path file = folder / name;
  const std::string text = list.dump(1) + "\n";
  std::ifstream old(file);
  if (old && std::string(std::istreambuf_iterator<char>(old), {}) == text) return;  // keeps the modification time
  fs::path fresh = file;
  fresh += kNewList + name_ending(this_process());  // another process may be writing the same list
  std::ofstream stream(fresh);
  stream << text;
  stream.close();
  if (!stream) {
    std::error_code ignored;
    fs::remove(fresh, ignored);
    throw InputError(file.string() + ": cannot be written");
  }
  fs::rename(fresh, file);
}

}  // namespace

fs::path default_results_folder() {
  return fs::path("results") / machine_name();
}

fs::path trace_path(const fs::path& out, const Cell& cell) {
  return out / cell.experiment() / (cell.id + ".h5");
}
fs::path timing_path(const fs::path& out, const Cell& cell) {
  return out / cell.experiment() / (cell.id + ".timing.h5");
}

void remove_litter_beside(const std::vector<Cell>& cells, const fs::path& out) {
  std::set<fs::path> folders;
  for (const Cell& cell : cells) folders.insert(trace_path(out, cell).parent_path());
  for (const fs::path& folder : folders) remove_litter(folder);
}

std::optional<FinishedFile> read_finished(const fs::path& file, const Cell& cell) {
  if (!fs::exists(file)) return std::nullopt;
  const Integrity integrity = check_integrity(file);
  if (integrity.state == Integrity::State::Damaged) return FinishedFile{kDamaged, integrity.text()};
  try {
    return end_for(integrity.state == Integrity::State::Intact ? stored_in(file) : stored_in_foreign(file), cell);
  } catch (const h5::Error& error) {
    return FinishedFile{kDamaged, std::string("no readable trace: ") + error.what()};
  } catch (const HarmfulFile& error) {
    return FinishedFile{kDamaged, "no readable trace: " + error.why};
  }
}

std::optional<Finding> contradiction_of_name(const fs::path& file) {
  const Stored found = stored_in_foreign(file);
  const std::string name = file.filename().string(), stem = name.substr(0, name.find('.'));
  constexpr std::size_t kIdDigits = 32;
  if (stem.size() == kIdDigits && stem.find_first_not_of("0123456789abcdef") == std::string::npos &&
      stem != found.cell_id)
    return Finding{"/ attribute cell_id", "'" + found.cell_id + "'",
                   "'" + stem + "', the cell that the file is named after"};
  if (found.harness_fingerprint != harness_fingerprint()) return std::nullopt;
  if (const std::string id = found.id_with(found.method_fingerprint); id != found.cell_id)
    return Finding{"/provenance attribute spec", "the spec of cell '" + id + "'",
                   "that of cell_id, '" + found.cell_id + "'"};
  return std::nullopt;
}

void write_cell_list(const fs::path& out, const Declaration& declaration, const std::string& tier,
                     const std::vector<Cell>& cells) {
  json list = list_without_cells("deformbench-cells", declaration, tier, scene_files_of(cells));
  for (const Cell& cell : cells) list["cells"].push_back(entry_of(cell));
  write_list(out / declaration.id, tier + ".cells.json", list);
}

void write_joined_lists(const fs::path& out, const Declaration& declaration, const Selection& selection,
                        const std::vector<Cell>& cells) {
  json set = json::object();
  for (const auto& [path, value] : selection.set) set[path] = value;
  std::map<std::string, json> lists;
  for (const Cell& cell : cells) {
    json& list = lists[cell.method_name()];
    if (list.is_null()) {
      list = list_without_cells("deformbench-joined-cells", declaration, selection.tier, scene_files_of(cells));
      list["set"] = set;
    }
    list["cells"].push_back(entry_of(cell));
  }
  for (const auto& [name, list] : lists) {
    const std::string hash = xxh3_128(canonical_json(json{name, set})).substr(0, 16);
    write_list(out / declaration.id, selection.tier + kJoined + hash + ".cells.json", list);
  }
}

}  // namespace deformbench::harness
