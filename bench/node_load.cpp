// SPDX-License-Identifier: Apache-2.0
// Claim: one orchestrator serves 200 nodes at half the speed, or more, of a plain TLS copy of the
// same files, loses no update, and needs less memory than three networks and 200 KB per node.
#include <algorithm>
#include <atomic>
#include <fstream>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "certificates/temporary_certificates.h"
#include "core/error.h"
#include "meter.h"
#include "net/grpc_link.h"
#include "net/load_desk.h"
#include "net/plain_tls.h"
#include "net/server.h"
#include "objects/file_object_store.h"
#include "objects/folder.h"
#include "program.h"
#include "wire/digest.h"

extern char** environ;

namespace espalier::bench {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr double kClaimed = 0.5;
constexpr std::int64_t kBytesPerAgent = 200'000;
constexpr std::size_t kReadAtOnce = 128 * 1024;

struct Settings {
  int agents = 200;
  int rounds = 3;
  std::uint64_t parameters = 9'231'114;  // VGG-11 for CIFAR-10
  std::string folder;                    // of the files; a temporary one if empty
  std::string json;
  // What the other process is asked to do.
  std::string act_as;
  std::string address;
};

std::string name_of_agent(int number) { return "agent-" + std::to_string(number); }

std::uint64_t bytes_of(const Settings& settings) { return settings.parameters * sizeof(float); }

// What a training would have left behind: as large as the network, and like no other one. Its first
// and last weight tell whose it is.
void write_update(const Settings& settings, const fs::path& path, int number) {
  const auto mark = static_cast<float>(number + 1);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  for (const std::uint64_t at : {std::uint64_t{0}, bytes_of(settings) - sizeof mark}) {
    file.seekp(static_cast<std::streamoff>(at));
    file.write(reinterpret_cast<const char*>(&mark), sizeof mark);
  }
}

void run_agent(const Settings& settings, int number) {
  const fs::path folder(settings.folder);
  const std::string name = name_of_agent(number);
  GrpcLink link({.address = settings.address,
                 .credentials = load_credentials(folder / "certificates" / name),
                 .patience = milliseconds(120'000)});
  const fs::path network = folder / (name + ".network");
  const fs::path update = folder / (name + ".update");
  write_update(settings, update, number);
  TaskResult result;
  result.update = object_in(update);
  Hello hello;
  hello.incarnation = name;
  link.enrol(hello, {});
  for (;;) {
    const Pulled pulled = link.pull(milliseconds(25'000), {});
    if (std::holds_alternative<Dismissal>(pulled)) return;
    const auto* task = std::get_if<Task>(&pulled);
    if (!task) continue;
    link.fetch(task->network, network, {});
    fs::remove(network);
    result.task = task->id;
    link.push(*result.update, update, {});
    link.report(result, {});
  }
}

template <class Work>
int in_threads(int count, Work work) {
  std::atomic<int> failed = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      try {
        work(i);
      } catch (const Error& error) {
        ++failed;
        fmt::print(stderr, "agent {}: {}\n", i, error.what());
      }
    });
  }
  threads.clear();
  return failed == 0 ? 0 : 1;
}

CopyWork copy_work(const Settings& settings) {
  return {settings.agents, settings.rounds, fs::path(settings.folder) / "network", settings.folder,
          settings.parameters * sizeof(float)};
}

void run_plain_agent(const Settings& settings, int number) {
  const fs::path folder(settings.folder);
  const fs::path update = folder / (name_of_agent(number) + ".update");
  write_update(settings, update, number);
  copy_as_client(load_credentials(folder / "certificates" / name_of_agent(number)),
                 std::stoi(settings.address), copy_work(settings), update);
}

int act(const Settings& settings) {
  const auto agent = settings.act_as == "agents" ? run_agent : run_plain_agent;
  return in_threads(settings.agents, [&](int i) { agent(settings, i); });
}

// The agents live in a process of their own, so that the memory that is measured is the server's.
pid_t start_others(const Settings& settings, const std::string& role, const std::string& address) {
  std::vector<std::string> words{"node_load",
                                 "--act-as=" + role,
                                 "--address=" + address,
                                 "--folder=" + settings.folder,
                                 "--agents=" + std::to_string(settings.agents),
                                 "--rounds=" + std::to_string(settings.rounds),
                                 "--parameters=" + std::to_string(settings.parameters)};
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

struct Figures {
  Moment took;
  std::int64_t memory = 0;
  bool is_sound = false;
};

Figures measure_ours(const Settings& settings, const fs::path& certificates) {
  const fs::path folder(settings.folder);
  FileObjectStore store(folder / "objects");
  const ObjectRef network = object_in(folder / "network");
  const OpenFile file = OpenFile::to_read(folder / "network");
  while (!store.has(network)) {
    const std::uint64_t there = store.received(network);
    store.append(network, there, file.read(there, kReadAtOnce));
  }
  const MemoryMeter memory;
  LoadDesk desk(store, {settings.agents, settings.rounds}, network);
  Server server(desk, {.certificates = certificates, .patience = milliseconds(120'000)});
  const pid_t others = start_others(settings, "agents", server.address());
  desk.set_others(others);
  const bool is_well = ended_well(others);
  return {desk.span(), memory.peak_bytes(), is_well && desk.is_complete()};
}

Figures measure_plain(const Settings& settings, const Credentials& own) {
  PlainServer server(own, copy_work(settings));
  const pid_t others = start_others(settings, "plain", std::to_string(server.port()));
  const Moment took = server.serve(others);
  return {took, 0, ended_well(others)};
}

// Marked with -1: no update equals it.
void write_network(const Settings& settings) {
  const fs::path path = fs::path(settings.folder) / "network";
  write_update(settings, path, -2);
}

void tell(Report& report, const Settings& settings, const Figures& ours, const Figures& plain) {
  const double network = static_cast<double>(bytes_of(settings));
  const double megabytes = 2 * network * settings.agents * settings.rounds / 1e6;
  const double ratio = plain.took.wall / ours.took.wall;
  const double limit = 3 * network + static_cast<double>(kBytesPerAgent) * settings.agents;
  report.add({"plain TLS copy", settings.rounds / plain.took.wall, megabytes / plain.took.wall,
              megabytes / plain.took.processor, Cell{}, Cell{}});
  report.add({"orchestrator", settings.rounds / ours.took.wall, megabytes / ours.took.wall,
              megabytes / ours.took.processor, static_cast<double>(ours.memory) / 1e6, ratio});
  report.conclude(fmt::format(
      "{} agents, {} rounds, {:.1f} MB to and from each: {:.2f} of the speed of a plain copy, {} "
      "the {} claimed; {:.0f} MB of memory, {} than three networks and 200 KB per agent ({:.0f} "
      "MB); {}.",
      settings.agents, settings.rounds, network / 1e6, ratio,
      ratio >= kClaimed ? "at least" : "LESS than", kClaimed,
      static_cast<double>(ours.memory) / 1e6,
      static_cast<double>(ours.memory) < limit ? "less" : "MORE", limit / 1e6,
      ours.is_sound ? "no update was lost" : "UPDATES WERE LOST"));
  if (!ours.is_sound || !plain.is_sound) report.fail("not all agents were served");
  if (ratio < kClaimed) report.fail("slower than claimed");
  if (static_cast<double>(ours.memory) >= limit) report.fail("more memory than claimed");
}

int measure(Settings settings) {
  const fs::path parent =
      settings.folder.empty() ? fs::temp_directory_path() : fs::path(settings.folder);
  std::string pattern = (parent / "node-load-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw Error(ErrorCode::RunFailed, "no folder");
  settings.folder = pattern;
  Report report("One orchestrator serves 200 nodes.",
                {"way", "rounds/s", "MB/s", "MB per CPU second", "memory MB", "ratio"});
  {
    TemporaryCertificates certificates(settings.folder);
    fs::create_directory(fs::path(settings.folder) / "certificates");
    for (int i = 0; i < settings.agents; ++i)
      fs::rename(certificates.issue(name_of_agent(i)),
                 fs::path(settings.folder) / "certificates" / name_of_agent(i));
    write_network(settings);
    const Figures plain =
        measure_plain(settings, load_credentials(certificates.folder().orchestrator_files()));
    const Figures ours = measure_ours(settings, certificates.folder().path());
    tell(report, settings, ours, plain);
  }
  fs::remove_all(settings.folder);
  return report.finish(settings.json);
}

// Two hundred connections on either side, and the files.
void allow_many_files() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

int run(const Settings& settings) {
  allow_many_files();
  keep_few_heaps();
  return settings.act_as.empty() ? measure(settings) : act(settings);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--agents", settings.agents, "nodes at the same time");
  app.add_option("--rounds", settings.rounds, "how often each gets a network and sends an update");
  app.add_option("--parameters", settings.parameters, "floats of a network");
  app.add_option("--folder", settings.folder, "where the files go; a temporary folder if absent");
  app.add_option("--act-as", settings.act_as)->group("");
  app.add_option("--address", settings.address)->group("");
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv, "Measures an orchestrator's server under many nodes.", add_options,
                     run);
}
