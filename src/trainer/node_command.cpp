// SPDX-License-Identifier: Apache-2.0
#include "trainer/node_command.h"

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/interruption.h"
#include "core/error.h"
#include "io/scenario_file.h"
#include "io/wording.h"
#include "node/agent.h"
#include "wire/address.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr int kMostNodeThreads = 256;

struct NodeOptions {
  std::string orchestrator;
  std::string data;
  std::string samples = "all";
  std::string nodes;
  std::string certificates;
  std::string authority;
  std::string certificate;
  std::string key;
  std::string work;
  std::string patience = "5 min";
  std::string group;
  int threads = 1;
  std::uint64_t cache_megabytes = 1'024;
  // Given by whoever starts agents on its own machine.
  std::string scenario;
  int member = 1;
  int parent = 0;
  std::string cores;
  int working = 1;
};

[[noreturn]] void bad_usage(const std::string& what, const std::string& hint) {
  throw Error(ErrorCode::BadInput, what, hint);
}

void require_options(const NodeOptions& options) {
  if (options.orchestrator.empty())
    bad_usage("node needs the address of its orchestrator", "--orchestrator HOST:PORT");
  check_address(shown(options.orchestrator), Port::IsNeeded);
  if (options.data.empty() && options.scenario.empty())
    bad_usage("node needs data to learn from",
              "--data fashion-mnist, or --data FOLDER with images of its own");
}

// `--cert` may name the folder as well as the file in it.
CredentialFiles named_files(const NodeOptions& options) {
  CredentialFiles files;
  std::error_code failure;
  const bool is_folder = fs::is_directory(options.certificate, failure);
  if (!options.certificates.empty()) files = credential_files_in(options.certificates);
  if (is_folder) files = credential_files_in(options.certificate);
  if (!is_folder && !options.certificate.empty()) files.certificate = options.certificate;
  if (!options.authority.empty()) files.authority = options.authority;
  if (!options.key.empty()) files.key = options.key;
  return files;
}

// The files of `espalier cert`, or those that are named one by one.
Credentials credentials_of(const NodeOptions& options) {
  const CredentialFiles files = named_files(options);
  if (files.authority.empty() || files.certificate.empty() || files.key.empty())
    bad_usage("node needs a certificate",
              "--certificates DIR as 'espalier cert node' makes it, or --ca, --cert and --key");
  return load_credentials(files, std::chrono::system_clock::now());
}

OwnData data_of(const NodeOptions& options, const NodeTools& tools) {
  if (options.scenario.empty())
    return open_own_data(options.data, parse_own_part(options.samples), tools.data);
  return open_member_data(load_scenario(options.scenario), options.nodes, options.member,
                          tools.data);
}

// Where agents share a machine, a counter of all of it would count each of them for all.
NodeMeters meters_for(const NodeOptions& options, const NodeTools& tools) {
  if (options.cores.empty()) return tools.meters;
  return {tools.meters.modelled, tools.meters.modelled};
}

fs::path work_folder(const NodeOptions& options, const std::string& name) {
  if (!options.work.empty()) return options.work;
  return "espalier-node-" + name;
}

Hello hello_of(const NodeOptions& options, const OwnData& data) {
  Hello hello;
  hello.nodes = options.nodes;
  hello.samples = static_cast<std::int64_t>(data.images.size());
  hello.classes = data.classes;
  hello.channels = data.images.channels;
  hello.height = data.images.height;
  hello.width = data.images.width;
  hello.incarnation = new_incarnation();
  hello.program = "espalier " ESPALIER_VERSION;
  return hello;
}

// Whoever started it takes it along when killed; it may have been killed before this.
void die_with(int parent) {
  if (parent <= 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) throw Error(ErrorCode::RunFailed, "whoever started it is gone");
}

// A write beyond the limit of the size of files fails, as on a full disk, instead of ending the
// agent: it is the task that fails.
void survive_full_disks() { std::signal(SIGXFSZ, SIG_IGN); }

std::string now_in_words() {
  return fmt::format("{:%H:%M:%S}", fmt::localtime(std::time(nullptr)));
}

ExitCode end_of(const AgentEnd& end, const Console& console, const std::string& orchestrator) {
  if (end.error)
    throw Error(*end.error, end.why,
                "is the orchestrator at " + orchestrator +
                    ", is this certificate of its authority and not revoked? --patience waits "
                    "longer");
  console.remark(end.why + "\n");
  return ExitCode::Done;
}

std::optional<std::string> variable_named(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// Its number, and when it began: numbers are used again.
std::string parent_process() {
  const std::string number = std::to_string(::getppid());
  std::ifstream file("/proc/" + number + "/stat");
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  // After its name, which is in brackets and may have any letters in it.
  std::istringstream words(all.substr(all.rfind(')') + 1));
  std::string began;
  for (int i = 0; i < 20; ++i) words >> began;
  return number + " " + began;
}

Say say_on(const Console& console) {
  return [&console](std::string_view text) {
    console.remark(fmt::format("{} {}\n", now_in_words(), text));
  };
}

Trainers alone(const NodeTools& tools) {
  return {tools.learners, [](const EnergyReading& own) { return own; }};
}

// What an agent trains with, and who does it.
struct Training {
  const OwnData& data;
  const Trainers& trainers;
};

// Until it is dismissed, stopped, or out of patience.
ExitCode run_agent(const NodeOptions& options, const NodeTools& tools, const Training& training,
                   const Console& console, std::stop_token stop) {
  const auto& [data, trainers] = training;
  const NodeAddress address{options.orchestrator, credentials_of(options)};
  const Seconds patience = parse_time("--patience", options.patience);
  ObjectCache cache(work_folder(options, address.credentials.name), options.cache_megabytes << 20U);
  const Worker worker(data, {trainers.learners, meters_for(options, tools), tools.clock,
                             options.threads, trainers.with_others});
  const auto link = tools.link(address);
  std::optional<CoreShare> cores;
  if (!options.cores.empty()) cores.emplace(options.cores, options.working);
  const Say say = say_on(console);
  say(fmt::format("{}: {} images of {}; energy: {}", address.credentials.name, data.images.size(),
                  data.name, options.cores.empty() ? tools.meter : "modelled by load"));
  Agent agent(hello_of(options, data),
              {.lost = patience, .refused = std::min(patience, AgentPatience{}.refused)},
              {*link, cache, worker, tools.clock, cores ? &*cores : nullptr, say});
  return end_of(agent.run(std::move(stop)), console, options.orchestrator);
}

// From the beginning, so that a group that still waits for some ends as one that works does.
ExitCode run_in_group(const NodeOptions& options, const NodeTools& tools, const Console& console) {
  const CrewAddress address = crew_address(options.group, {variable_named, parent_process()});
  const OwnData data = data_of(options, tools);
  const Interruption interruption;
  const Say say = say_on(console);
  if (address.rank > 0) {
    tools.crew.follow(address, data.images, say, interruption.token());
    return ExitCode::Done;
  }
  const auto trainers = tools.crew.lead(address, data.images, say, interruption.token());
  if (!trainers) return ExitCode::Done;
  return run_agent(options, tools, {data, *trainers}, console, interruption.token());
}

ExitCode run_node(const NodeOptions& options, const NodeTools& tools, const Console& console) {
  die_with(options.parent);
  survive_full_disks();
  require_options(options);
  if (!options.group.empty()) return run_in_group(options, tools, console);
  const OwnData data = data_of(options, tools);
  const Interruption interruption;
  return run_agent(options, tools, {data, alone(tools)}, console, interruption.token());
}

void add_data_options(CLI::App& command, NodeOptions& options) {
  command
      .add_option("--data", options.data,
                  "its own images: a data set's name, or a folder; they never leave this machine")
      ->type_name("DATASET|DIR");
  command
      .add_option("--samples", options.samples,
                  "which of them: all, 500, 2/3 (the second third) or 2/3:500; all if absent")
      ->type_name("PART");
  command.add_option("--nodes", options.nodes, "the node set it wants to be in")->type_name("SET");
}

void add_link_options(CLI::App& command, NodeOptions& options) {
  command.add_option("--orchestrator", options.orchestrator, "whom to ask for work")
      ->type_name("HOST:PORT");
  command
      .add_option(
          "--certificates", options.certificates,
          "folder with ca.pem, certificate.pem and key.pem, as 'espalier cert node' makes it")
      ->type_name("DIR");
  command.add_option("--ca", options.authority, "whom to trust")->type_name("FILE");
  command
      .add_option("--cert", options.certificate,
                  "who it is; a folder means the same as --certificates")
      ->type_name("FILE|DIR");
  command.add_option("--key", options.key, "its private key")->type_name("FILE");
  command
      .add_option("--patience", options.patience,
                  "how long the orchestrator may be out of reach; 5 min if absent")
      ->type_name("TIME");
}

void add_machine_options(CLI::App& command, NodeOptions& options) {
  command
      .add_option("--work", options.work,
                  "folder for networks that it keeps; espalier-node-NAME if absent")
      ->type_name("DIR");
  command.add_option("--cache", options.cache_megabytes, "so much of them; 1024 MB if absent")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}).description(""))
      ->type_name("MB");
  command.add_option("--threads", options.threads, "cores to train with; 1 if absent")
      ->check(CLI::Range(1, kMostNodeThreads).description(""))
      ->type_name("N");
  command
      .add_option(
          "--group", options.group,
          "train as one with the other processes that mpirun or srun started: auto on one "
          "machine, else where rank 0 is, a port that is open to the site; inside one trusted "
          "site only")
      ->type_name("auto|HOST:PORT");
}

// Not for people: how `run` starts agents on its own machine.
void add_inner_options(CLI::App& command, NodeOptions& options) {
  command.add_option("--scenario", options.scenario)->group("");
  command.add_option("--member", options.member)->group("");
  command.add_option("--parent", options.parent)->group("");
  command.add_option("--cores", options.cores)->group("");
  command.add_option("--working", options.working)->check(CLI::Range(1, 100'000))->group("");
}

constexpr const char* kNodeFooter =
    "Calls the orchestrator, and only it: works behind NAT and firewalls, and listens to nobody\n"
    "(a --group does: on loopback, and with HOST:PORT inside its site).\n"
    "Trains what it is told with its own images, and sends back weights and figures. It runs no\n"
    "code that it is sent and opens no file that it is told of. Ctrl-C ends it.\n\n"
    "Example:\n"
    "  espalier node --orchestrator plant.example:7443 --data ./images --certificates gold-1\n"
    "  mpirun -np 4 espalier node --group auto --orchestrator …   four processes, one node\n\n"
    "Exit codes: 0 dismissed or stopped; 1 failed; 2 no connection or not allowed; 4 bad input.";

}  // namespace

void add_node_command(CLI::App& app, Invocation& call, const NodeTools& tools) {
  auto options = std::make_shared<NodeOptions>();
  CLI::App* command = app.add_subcommand("node", "train for an orchestrator, with one's own data");
  add_link_options(*command, *options);
  add_data_options(*command, *options);
  add_machine_options(*command, *options);
  add_inner_options(*command, *options);
  add_output_options(*command, call.output);
  command->callback([options, &call, &tools] {
    call.action = [options, &tools](const Console& console) {
      return run_node(*options, tools, console);
    };
  });
  command->footer(kNodeFooter);
}

}  // namespace espalier
