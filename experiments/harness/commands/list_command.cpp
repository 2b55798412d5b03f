// SPDX-License-Identifier: BSD-3-Clause
// list and describe.
#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/harness/cells/declaration.hpp"
#include "experiments/harness/cells/fingerprint.hpp"
#include "experiments/harness/cells/papers.hpp"
#include "experiments/harness/cells/parameter_json.hpp"
#include "experiments/harness/cells/scene_file/scene_file.hpp"
#include "experiments/harness/commands/commands.hpp"
#include "experiments/harness/files/nearest_name.hpp"
#include "experiments/harness/probes/iteration_channels.hpp"
#include "experiments/harness/probes/probe.hpp"
#include "methods/model/error.hpp"
#include "reference_data/closed_forms/registry.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

constexpr int kNothingListed = 5;

/// An entry of a list: id, one line of text, and all details as JSON.
struct Entry {
  std::string id, line;
  json details;
};

json parameters_json(const ParameterSpec& spec) {
  json list = json::array();
  for (const ParameterInfo& info : spec) {
    list.push_back({{"name", info.name},
                    {"unit", info.unit},
                    {"default", to_json(info.default_value)},
                    {"expected", expected_of(info)},
                    {"doc", info.doc}});
  }
  return list;
}

std::vector<Entry> methods(const Context& context) {
  std::vector<Entry> entries;
  for (const MethodDescriptor& method : context.methods.all()) {
    json violations = json::array();
    for (const KnownViolation& violation : method.known_violations) {
      violations.push_back({{"invariant", violation.invariant},
                            {"reason", violation.reason},
                            {"claim", violation.claim},
                            {"measured_size", violation.measured_size}});
    }
    entries.push_back({method.id,
                       (method.not_built.empty() ? "" : "[not built] ") + method.summary,
                       {{"kind", "method"},
                        {"id", method.id},
                        {"summary", method.summary},
                        {"paper", {{"key", method.paper.key}, {"text", method.paper.text}}},
                        {"fingerprint", method_fingerprint(method.id)},
                        {"known_violations", violations},
                        {"not_comparable", method.not_comparable},
                        {"not_built", method.not_built},
                        {"parameters", parameters_json(method.parameters)}}});
  }
  return entries;
}

Entry scene_entry(const SceneDescriptor& scene) {
  return {scene.id,
          scene.summary,
          {{"kind", "scene"},
           {"id", scene.id},
           {"summary", scene.summary},
           {"parameters", parameters_json(scene.parameters)}}};
}

std::vector<Entry> scenes(const Context& context) {
  std::vector<Entry> entries;
  for (const SceneDescriptor& scene : context.scenes.all()) entries.push_back(scene_entry(scene));
  return entries;
}

/// The claims of one file. Throws json::exception if it violates docs/claims_format.md.
std::vector<Entry> claims_in(const json& document) {
  std::vector<Entry> entries;
  for (const json& claim : document.at("claims")) {
    json details = claim;
    details["kind_of_claim"] = claim.value("kind", "");
    details["kind"] = "claim";
    details["paper"] = document.value("paper", "");
    for (const json& experiment : claim.value("experiments", json::array())) experiment.get_ref<const std::string&>();
    entries.push_back({claim.at("id"), claim.value("statement", ""), details});
  }
  return entries;
}

std::vector<Entry> claims() {
  std::vector<Entry> entries;
  std::map<std::string, std::string> where;
  for (const Paper& paper : known_papers()) {
    if (!std::filesystem::exists(paper.claims)) continue;
    const std::string file = paper.claims.string();
    try {
      for (Entry& entry : claims_in(load_json(paper.claims))) {
        const auto [known, is_new] = where.emplace(entry.id, file);
        if (!is_new) {
          throw InputError("claim " + entry.id + ": is in " + known->second + " and in " + file +
                           ", expected every claim to have an id of its own");
        }
        entries.push_back(std::move(entry));
      }
    } catch (const json::exception& error) {
      throw InputError(file + ": expected {\"paper\", \"claims\": [{\"id\", \"statement\", …}, …]} (" + error.what() +
                       ")");
    }
  }
  return entries;
}

/// Experiment → ids of the claims that name it; only the claims files hold these links.
std::map<std::string, std::vector<std::string>> claims_by_experiment() {
  std::map<std::string, std::vector<std::string>> naming;
  for (const Entry& claim : claims()) {
    for (const json& experiment : claim.details.value("experiments", json::array())) {
      naming[experiment.get<std::string>()].push_back(claim.id);
    }
  }
  return naming;
}

std::vector<Entry> experiments(const Context& context) {
  std::vector<Entry> entries;
  const std::map<std::string, std::vector<std::string>> claims_of = claims_by_experiment();
  for (const ExperimentFile& file : experiment_files()) {
    const Declaration declaration = load_declaration(file.path);
    if (declaration.id != file.id) {
      throw InputError(declaration.where + ": /id: got \"" + declaration.id + "\", expected \"" + file.id +
                       "\", as its folder is called");
    }
    json counts = json::object();
    for (const auto& [tier, patch] : declaration.document.at("tiers").items()) {
      Selection selection;
      selection.tier = tier;
      counts[tier] = expand(declaration, selection, context.methods, context.scenes).size();
    }
    std::string cells;
    for (const char* tier : {"smoke", "paper", "large"}) {
      if (counts.contains(tier)) cells += (cells.empty() ? "" : " ") + std::string(tier) + "=" + counts[tier].dump();
    }
    const std::string doc = declaration.document.at("doc");
    const auto naming = claims_of.find(declaration.id);
    entries.push_back({declaration.id,
                       "[" + cells + "] " + doc,
                       {{"kind", "experiment"},
                        {"id", declaration.id},
                        {"doc", doc},
                        {"cells", counts},
                        {"claims", naming == claims_of.end() ? json::array() : json(naming->second)},
                        {"declaration", declaration.document}}});
  }
  return entries;
}

std::vector<Entry> closed_forms() {
  std::vector<Entry> entries;
  for (const references::Reference& reference : references::all()) {
    json parameters = json::array(), outputs = json::array();
    for (const auto& p : reference.parameters) {
      parameters.push_back({{"name", p.name},
                            {"unit", p.unit},
                            {"default", p.default_value},
                            {"expected", p.is_integer ? "integer" : "real"},
                            {"doc", p.doc}});
    }
    for (const auto& output : reference.outputs) {
      outputs.push_back({{"name", output.name}, {"unit", output.unit}, {"doc", output.doc}});
    }
    entries.push_back({reference.id,
                       reference.summary,
                       {{"kind", "reference"},
                        {"id", reference.id},
                        {"summary", reference.summary},
                        {"citation", reference.citation},
                        {"trust", references::to_string(reference.kind)},
                        {"validity", reference.validity},
                        {"uncertainty", reference.uncertainty},
                        {"abscissa", reference.abscissa},
                        {"parameters", parameters},
                        {"outputs", outputs}}});
  }
  return entries;
}

std::vector<Entry> channels() {
  std::vector<Entry> entries;
  const auto add = [&entries](const ChannelSpec& channel, const char* clocks, const std::string& prefix) {
    entries.push_back({channel.name,
                       "[" + channel.unit + "] " + prefix + channel.description,
                       {{"kind", "channel"},
                        {"id", channel.name},
                        {"clocks", clocks},
                        {"unit", channel.unit},
                        {"quantity", channel.quantity},
                        {"description", channel.description},
                        {"source", channel.source}}});
  };
  for (const ChannelSpec& channel : known_channels()) add(channel, "step, pose, operator, frame", "");
  for (const IterationChannel& channel : iteration_channels()) {
    add(channel.spec, kIterationClock, "(clock iteration) ");
  }
  return entries;
}

std::vector<Entry> entries_of(const std::string& what, const Context& context) {
  if (what == "methods") return methods(context);
  if (what == "scenes") return scenes(context);
  if (what == "experiments") return experiments(context);
  if (what == "references") return closed_forms();
  if (what == "claims") return claims();
  if (what == "channels") return channels();
  const std::vector<std::string> known{"methods", "scenes", "experiments", "references", "claims", "channels"};
  throw InputError("list " + what + ": unknown kind" + suggestion(what, known));
}

std::string in_small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return text;
}

/// Keeps the experiments or claims of a paper. InputError.
void keep_paper(std::vector<Entry>& entries, const ListArguments& arguments) {
  std::set<std::string> of_paper;
  if (arguments.what == "experiments")
    for (const ExperimentFile& file : experiments_of(arguments.paper)) of_paper.insert(file.id);
  std::set<std::string> papers;
  for (const Entry& entry : entries)
    if (arguments.what == "claims") papers.insert(entry.details.at("paper").get<std::string>());
  if (arguments.what == "claims" && !papers.contains(arguments.paper))
    throw InputError("list claims --paper " + arguments.paper + ": no claim is of this paper" +
                     suggestion(arguments.paper, {papers.begin(), papers.end()}));
  std::erase_if(entries, [&](const Entry& entry) {
    return arguments.what == "claims" ? entry.details.at("paper") != arguments.paper : !of_paper.contains(entry.id);
  });
}

/// Keeps the experiments with a row of a method. InputError.
void keep_method(std::vector<Entry>& entries, const std::string& method) {
  std::vector<std::string> known;
  std::erase_if(entries, [&](const Entry& entry) {
    bool has_row = false;
    for (const json& row : entry.details.at("declaration").value("methods", json::array()))
      for (const char* key : {"method", "name"}) {
        known.push_back(row.value(key, ""));
        has_row = has_row || known.back() == method;
      }
    return !has_row;
  });
  if (!entries.empty()) return;
  std::ranges::sort(known);
  known.erase(std::ranges::unique(known).begin(), known.end());
  throw InputError("list experiments --method " + method + ": no experiment has a row of it" +
                   suggestion(method, known, "deformbench list methods"));
}

std::vector<Entry> selected_entries(const ListArguments& arguments, const Context& context) {
  const auto require = [&](const char* option, const std::string& value, bool fits, const char* expected) {
    if (!value.empty() && !fits)
      throw InputError("list " + arguments.what + ": got " + option + ", which is for " + expected);
  };
  std::vector<Entry> entries = entries_of(arguments.what, context);
  const bool of_experiments = arguments.what == "experiments";
  require("--paper", arguments.paper, of_experiments || arguments.what == "claims", "experiments and claims");
  require("--method", arguments.method, of_experiments, "experiments");
  if (!arguments.paper.empty()) keep_paper(entries, arguments);
  if (!arguments.method.empty() && !entries.empty()) keep_method(entries, arguments.method);
  const std::string text = in_small_letters(arguments.search);
  std::erase_if(entries, [&](const Entry& entry) {
    return in_small_letters(entry.id + '\n' + entry.line).find(text) == std::string::npos;
  });
  return entries;
}

void print_parameters(const json& parameters) {
  for (const json& p : parameters) {
    const std::string unit = p.value("unit", "");
    std::cout << "  " << p["name"].get<std::string>() << " = " << p["default"].dump()
              << (unit.empty() || unit == "1" ? "" : " " + unit) << "   (" << p["expected"].get<std::string>()
              << ")\n      " << p["doc"].get<std::string>() << '\n';
  }
}

/// One line per entry, nested entries indented: the rows of a claim's predicate and the changes of its regime.
void print_nested(const json& value, const std::string& indent) {
  for (const auto& [key, entry] : value.items()) {
    std::cout << indent << (value.is_object() ? key + ": " : "- ");
    if (entry.is_structured()) {
      std::cout << '\n';
      print_nested(entry, indent + "  ");
    } else {
      std::cout << (entry.is_string() ? entry.get<std::string>() : entry.dump()) << '\n';
    }
  }
}

void print_claim(const json& details) {
  json rest = details;
  for (const char* key : {"kind", "id", "statement", "experiments"}) rest.erase(key);
  std::cout << "claim " << details["id"].get<std::string>() << ": " << details.value("statement", "") << '\n';
  for (const json& id : details.value("experiments", json::array()))
    std::cout << "  judged by " << id.get<std::string>() << '\n';
  print_nested(rest, "  ");
}

void print(const json& details) {
  if (details["kind"] == "claim") return print_claim(details);
  std::cout << details["kind"].get<std::string>() << ' ' << details["id"].get<std::string>() << '\n';
  for (const auto& [key, value] : details.items()) {
    if (key == "kind" || key == "id" || key == "parameters" || key == "declaration") continue;
    if (value.is_null() || value == "" || (value.is_array() && value.empty())) continue;
    if (key == "not_comparable") {
      std::cout << "  not comparable:\n";
      for (const json& sentence : value) std::cout << "    - " << sentence.get<std::string>() << '\n';
      continue;
    }
    std::cout << "  " << key << ": " << (value.is_string() ? value.get<std::string>() : value.dump()) << '\n';
  }
  if (details.contains("parameters") && !details["parameters"].empty()) {
    std::cout << "parameters:\n";
    print_parameters(details["parameters"]);
  }
  if (details.contains("declaration")) std::cout << details["declaration"].dump(2) << '\n';
}

}  // namespace

int list_command(const ListArguments& arguments, const Context& context) {
  const std::vector<Entry> entries = selected_entries(arguments, context);
  if (entries.empty()) {
    std::cerr << "deformbench: nothing selected\n";
    return kNothingListed;
  }
  if (arguments.json) {
    json list = json::array();
    for (const Entry& entry : entries) list.push_back(entry.details);
    std::cout << list.dump(1) << '\n';
    return 0;
  }
  std::size_t width = 0;
  for (const Entry& entry : entries) width = std::max(width, entry.id.size());
  for (const Entry& entry : entries) {
    std::cout << entry.id << std::string(width - entry.id.size() + 2, ' ') << entry.line << '\n';
  }
  return 0;
}

int describe_command(const std::string& id, bool as_json, const Context& context) {
  std::vector<Entry> found;
  std::vector<std::string> known;
  for (const char* what : {"methods", "scenes", "experiments", "references", "claims", "channels"}) {
    for (Entry& entry : entries_of(what, context)) {
      const bool short_name = std::string(what) == "experiments" && entry.id.substr(entry.id.find('/') + 1) == id;
      known.push_back(entry.id);
      if (entry.id == id || short_name) found.push_back(std::move(entry));
    }
  }
  if (found.empty() && id.ends_with(".json")) {
    const SceneFile file = load_scene_file(id);
    found.push_back(scene_entry(file.descriptor));
    found.back().details["content"] = file.digest;
    for (const auto& path : file.files) found.back().details["files"].push_back(path.string());
  }
  if (found.empty())
    throw InputError("describe " + id + ": unknown id" +
                     suggestion(id, known, "deformbench list methods|scenes|experiments|references|claims|channels"));
  if (as_json) {
    std::cout << (found.size() == 1 ? found.front().details : [&] {
      json list = json::array();
      for (const Entry& entry : found) list.push_back(entry.details);
      return list;
    }()).dump(1) << '\n';
    return 0;
  }
  for (const Entry& entry : found) print(entry.details);
  return 0;
}

}  // namespace deformbench::harness
