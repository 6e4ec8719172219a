// SPDX-License-Identifier: Apache-2.0
// Claim: one orchestrator serves 200 nodes at half the speed, or more, of a plain TLS copy of the
// same files, loses no update, and needs less memory than three networks and 200 KB per node. Both
// take turns, since the speed of a machine changes within minutes: each turn of the orchestrator is
// compared with the copies before and after it, and the median of these ratios counts.
#include <algorithm>
#include <atomic>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "certificates/temporary_certificates.h"
#include "core/error.h"
#include "net/load.h"
#include "net/load_agents.h"
#include "net/load_run.h"
#include "net/plain_tls.h"
#include "networks/cost.h"
#include "program.h"

extern char** environ;

namespace espalier::bench {
namespace {

namespace fs = std::filesystem;

constexpr double kClaimed = 0.5;
constexpr double kBytesPerAgent = 200'000;

struct Settings {
  Load load;
  int turns = 3;
  std::string program = "build/bench/espalier-orchestrator";
  std::string folder;  // of the files; a temporary one if empty
  std::string json;
  // What the other process is asked to do.
  std::string act_as;
  std::string address;
};

// The agents live in a process of their own, so that the memory that is measured is the other's.
pid_t start_others(const Load& load, const std::string& role, const std::string& address) {
  std::vector<std::string> words{"node_load",
                                 "--act-as=" + role,
                                 "--address=" + address,
                                 "--folder=" + load.folder.string(),
                                 "--agents=" + std::to_string(load.agents),
                                 "--rounds=" + std::to_string(load.rounds),
                                 fmt::format("--width={}", load.width)};
  if (load.has_momentum) words.emplace_back("--momentum");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments.data(), environ) != 0)
    throw Error(ErrorCode::RunFailed, "cannot start the agents");
  return child;
}

bool ended_well(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

CopyWork copy_work(const Load& load, const ObjectRef& network) {
  return {load.agents, load.rounds, load.folder / "network", load.folder, network.size};
}

// The network that goes to everybody is like the update of somebody else.
ObjectRef write_network(const Load& load) {
  return write_update(load, load.agents, 0, load.folder / "network");
}

bool run_plain_agents(const Load& load, int port) {
  const ObjectRef network{"", fs::file_size(load.folder / "network")};
  std::atomic<int> content = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < load.agents; ++i) {
    threads.emplace_back([&, i] {
      try {
        copy_as_client(load_credentials(load.certificates_of(i)), port, copy_work(load, network),
                       [&](int round) { return load.update_of(i, round); });
        ++content;
      } catch (const Error& error) {
        fmt::print(stderr, "agent {}: {}\n", i, error.what());
      }
    });
  }
  threads.clear();
  return content == load.agents;
}

Moment copy_plainly(const Load& load, const Credentials& own, const ObjectRef& network) {
  PlainServer server(own, copy_work(load, network));
  const pid_t others = start_others(load, "plain", std::to_string(server.port()));
  const Moment took = server.serve(others);
  if (!ended_well(others)) throw Error(ErrorCode::RunFailed, "the plain copy failed");
  return took;
}

struct Served {
  LoadRun run;
  bool is_sound = false;
};

Served serve(const Settings& settings, const fs::path& certificates) {
  const Load& load = settings.load;
  pid_t others = 0;
  Served served;
  served.run = carry_out(load, settings.program, certificates, [&](const std::string& address) {
    return others = start_others(load, "agents", address);
  });
  served.is_sound = ended_well(others) && served.run.rounds == load.rounds;
  fs::remove_all(load.folder / "run");
  return served;
}

// What was measured: a copy, and then, again and again, the orchestrator and another copy.
struct Measured {
  double megabytes = 0;  // of each turn, both ways together
  std::vector<Moment> copies;
  std::vector<Served> turns;
};

// The speed of the orchestrator's turn relative to the copies before and after it.
double ratio_of(const Measured& measured, std::size_t turn, double Moment::*time) {
  const double before = measured.copies[turn].*time;
  const double after = measured.copies[turn + 1].*time;
  return (before + after) / 2 / (measured.turns[turn].run.took.*time);
}

double median_ratio(const Measured& measured, double Moment::*time) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < measured.turns.size(); ++i)
    ratios.push_back(ratio_of(measured, i, time));
  std::ranges::sort(ratios);
  const std::size_t half = ratios.size() / 2;
  return ratios.size() % 2 == 1 ? ratios[half] : (ratios[half - 1] + ratios[half]) / 2;
}

std::int64_t most_memory(const Measured& measured) {
  return std::ranges::max_element(measured.turns, {},
                                  [](const Served& turn) { return turn.run.memory; })
      ->run.memory;
}

void judge(Report& report, const Load& load, const Measured& measured) {
  const double network = static_cast<double>(bytes_of(architecture_of(load)));
  const double ratio = median_ratio(measured, &Moment::wall);
  const double limit = 3 * network + kBytesPerAgent * load.agents;
  const auto memory = static_cast<double>(most_memory(measured));
  const bool is_sound = std::ranges::all_of(measured.turns, &Served::is_sound);
  report.conclude(fmt::format(
      "{} agents, {} turns of {} rounds, {:.1f} MB to and from each: {:.2f} of the speed of a "
      "plain "
      "copy (median), {} the {} claimed, {:.2f} by processor time; {:.0f} MB of memory at most, {} "
      "than three networks and 200 KB per agent ({:.0f} MB), {:.0f} MB of them before the first "
      "agent came; {}.",
      load.agents, measured.turns.size(), load.rounds,
      measured.megabytes / 2 / load.agents / load.rounds, ratio,
      ratio >= kClaimed ? "at least" : "LESS than", kClaimed,
      median_ratio(measured, &Moment::processor), memory / 1e6, memory < limit ? "less" : "MORE",
      limit / 1e6, static_cast<double>(measured.turns.front().run.memory_alone) / 1e6,
      is_sound ? "no update was lost" : "UPDATES WERE LOST"));
  if (!is_sound) report.fail("not all updates are in the averages");
  if (ratio < kClaimed) report.fail("slower than claimed");
  if (memory >= limit) report.fail("more memory than claimed");
}

void tell(Report& report, const Load& load, const Measured& measured) {
  const auto add = [&](const char* way, const Moment& took, Cell memory, Cell ratio, Cell by_cpu) {
    report.add({way, load.rounds / took.wall, measured.megabytes / took.wall,
                measured.megabytes / took.processor, std::move(memory), std::move(ratio),
                std::move(by_cpu)});
  };
  for (std::size_t i = 0; i < measured.copies.size(); ++i) {
    add("plain TLS copy", measured.copies[i], {}, {}, {});
    if (i == measured.turns.size()) break;
    const LoadRun& run = measured.turns[i].run;
    add("orchestrator", run.took, static_cast<double>(run.memory) / 1e6,
        ratio_of(measured, i, &Moment::wall), ratio_of(measured, i, &Moment::processor));
  }
  judge(report, load, measured);
}

Measured take_turns(const Settings& settings, const CertificateFolder& certificates) {
  const Load& load = settings.load;
  write_updates(load);
  const ObjectRef network = write_network(load);
  const Credentials own = load_credentials(certificates.orchestrator_files());
  Measured measured;
  measured.megabytes = 2e-6 * static_cast<double>(network.size) * load.agents * load.rounds;
  measured.copies.push_back(copy_plainly(load, own, network));
  for (int turn = 0; turn < settings.turns; ++turn) {
    measured.turns.push_back(serve(settings, certificates.path()));
    measured.copies.push_back(copy_plainly(load, own, network));
  }
  return measured;
}

int measure(Settings settings) {
  const fs::path parent =
      settings.folder.empty() ? fs::temp_directory_path() : fs::path(settings.folder);
  std::string pattern = (parent / "node-load-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw Error(ErrorCode::RunFailed, "no folder");
  Load& load = settings.load;
  load.folder = pattern;
  Report report("One orchestrator serves 200 nodes.",
                {"way", "rounds/s", "MB/s", "MB per CPU second", "memory MB", "ratio", "by CPU"});
  {
    TemporaryCertificates certificates(load.folder);
    fs::create_directory(load.folder / "agents");
    for (int i = 0; i < load.agents; ++i)
      fs::rename(certificates.issue(name_of_agent(i)), load.certificates_of(i));
    tell(report, load, take_turns(settings, certificates.folder()));
  }
  fs::remove_all(load.folder);
  return report.finish(settings.json);
}

// Two hundred connections on either side, and the files.
void allow_many_files() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

int run(const Settings& given) {
  allow_many_files();
  if (given.act_as.empty()) return measure(given);
  Load load = given.load;
  load.folder = given.folder;
  const bool is_well = given.act_as == "agents" ? run_agents(load, given.address)
                                                : run_plain_agents(load, std::stoi(given.address));
  return is_well ? 0 : 1;
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--agents", settings.load.agents, "nodes at the same time");
  app.add_option("--rounds", settings.load.rounds,
                 "how often each sends an update and gets the average");
  app.add_option("--turns", settings.turns, "how often the orchestrator is compared with a copy")
      ->check(CLI::PositiveNumber);
  app.add_option("--width", settings.load.width, "factor on the channels of VGG-11");
  app.add_flag("--momentum", settings.load.has_momentum, "updates carry momentum: twice the bytes");
  app.add_option("--program", settings.program, "espalier-orchestrator");
  app.add_option("--folder", settings.folder, "where the files go; a temporary folder if absent");
  app.add_option("--act-as", settings.act_as)->group("");
  app.add_option("--address", settings.address)->group("");
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv, "Measures an orchestrator under many nodes.", add_options, run);
}
