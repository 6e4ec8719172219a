// SPDX-License-Identifier: Apache-2.0
// Claim: one orchestrator serves 200 nodes at half the speed, or more, of a plain TLS copy of the
// same files, loses no update, and needs less memory than three networks and 200 KB per node.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
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
constexpr std::size_t kFloats = 32 * 1024;  // that are averaged at once

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

// A training that adds the agent's number, from 1 on, to every weight.
void stand_in(const fs::path& from, const fs::path& to, int number) {
  const OpenFile network = OpenFile::to_read(from);
  std::ofstream update(to, std::ios::binary | std::ios::trunc);
  const std::uint64_t size = network.size();
  for (std::uint64_t offset = 0; offset < size; offset += kFloats * sizeof(float)) {
    std::string bytes = network.read(offset, kFloats * sizeof(float));
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    for (float& value : values) value += static_cast<float>(number + 1);
    update.write(reinterpret_cast<const char*>(values.data()),
                 static_cast<std::streamsize>(bytes.size()));
  }
}

// Gives every agent the same network once per round and averages what comes back.
class LoadDesk final : public Desk {
 public:
  LoadDesk(FileObjectStore& store, const Settings& settings, ObjectRef network)
      : store_(store),
        agents_(settings.agents),
        rounds_(settings.rounds),
        network_(std::move(network)),
        sum_(network_.size / sizeof(float)) {}

  Welcome enrol(const Visitor& /*who*/, const Hello& hello) override {
    return {"load", hello.nodes, milliseconds(2000)};
  }

  void pull(const Visitor& who, milliseconds /*wait*/,
            std::function<void(Pulled)> answer) override {
    const std::lock_guard lock(mutex_);
    if (!reported_.contains(who.node) && round_ < rounds_) return answer(task());
    if (round_ >= rounds_) return answer(Dismissal{"done"});
    waiting_.push_back(std::move(answer));
  }

  void report(const Visitor& who, const TaskResult& result,
              std::function<void(Receipt)> answer) override {
    add(*result.update);
    store_.drop(*result.update);
    std::vector<std::function<void(Pulled)>> waiting;
    Pulled next = Nothing{};
    {
      const std::lock_guard lock(mutex_);
      ++results;
      reported_.insert(who.node);
      if (static_cast<int>(reported_.size()) == agents_) {
        reported_.clear();
        ++round_;
        waiting.swap(waiting_);
        next = round_ < rounds_ ? Pulled(task()) : Pulled(Dismissal{"done"});
      }
    }
    answer(Receipt::Accepted);
    for (const auto& one : waiting) one(next);
  }

  bool heartbeat(const Visitor& /*who*/, const std::optional<TaskId>& /*at*/) override {
    return true;
  }
  bool may_fetch(const Visitor& /*who*/, const ObjectRef& object) const override {
    return object == network_;
  }
  bool may_push(const Visitor& /*who*/, const ObjectRef& object) const override {
    return object.size == network_.size;
  }
  ObjectStore& objects() override { return store_; }

  // Whether every update of every round is in the sum, exactly once.
  bool is_complete() const {
    const double expected = rounds_ * (agents_ * (agents_ + 1) / 2.0);
    return std::all_of(sum_.begin(), sum_.end(),
                       [&](float value) { return std::abs(value - expected) <= 1e-3 * expected; });
  }

  std::atomic<int> results = 0;

 private:
  Task task() const {
    Task task;
    task.id = {"load", round_, 1, 0};
    task.network = network_;
    task.update_limit = network_.size;
    return task;
  }

  void add(const ObjectRef& update) {
    const std::lock_guard lock(summing_);
    std::vector<float> values(kFloats);
    for (std::uint64_t offset = 0; offset < update.size; offset += kFloats * sizeof(float)) {
      const std::string bytes = store_.read(update, offset, kFloats * sizeof(float));
      std::memcpy(values.data(), bytes.data(), bytes.size());
      float* out = sum_.data() + offset / sizeof(float);
      for (std::size_t i = 0; i < bytes.size() / sizeof(float); ++i) out[i] += values[i];
    }
  }

  FileObjectStore& store_;
  const int agents_;
  const int rounds_;
  const ObjectRef network_;
  std::mutex summing_;
  std::vector<float> sum_;
  std::mutex mutex_;
  int round_ = 0;
  std::set<NodeName> reported_;
  std::vector<std::function<void(Pulled)>> waiting_;
};

void run_agent(const Settings& settings, int number) {
  const fs::path folder(settings.folder);
  const std::string name = name_of_agent(number);
  GrpcLink link({.address = settings.address,
                 .credentials = load_credentials(folder / "certificates" / name),
                 .patience = milliseconds(120'000)});
  Hello hello;
  hello.incarnation = name;
  link.enrol(hello, {});
  const fs::path network = folder / (name + ".network");
  const fs::path update = folder / (name + ".update");
  for (;;) {
    const Pulled pulled = link.pull(milliseconds(25'000), {});
    if (std::holds_alternative<Dismissal>(pulled)) return;
    const auto* task = std::get_if<Task>(&pulled);
    if (!task) continue;
    link.fetch(task->network, network, {});
    stand_in(network, update, number);
    fs::remove(network);
    TaskResult result;
    result.task = task->id;
    result.update = object_in(update);
    link.push(*result.update, update, {});
    fs::remove(update);
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

int act(const Settings& settings) {
  if (settings.act_as == "agents")
    return in_threads(settings.agents, [&](int i) { run_agent(settings, i); });
  return in_threads(settings.agents, [&](int i) {
    const fs::path files = fs::path(settings.folder) / "certificates" / name_of_agent(i);
    copy_as_client(load_credentials(files), std::stoi(settings.address), copy_work(settings), i);
  });
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
  double seconds = 0;
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
    store.append(network, there, file.read(there, kFloats));
  }
  const MemoryMeter memory;
  LoadDesk desk(store, settings, network);
  Server server(desk, {.certificates = certificates, .patience = milliseconds(120'000)});
  const Stopwatch watch;
  const bool is_well = ended_well(start_others(settings, "agents", server.address()));
  const double seconds = watch.seconds();
  const std::int64_t peak = memory.peak_bytes();
  const bool is_complete = desk.is_complete() && desk.results == settings.agents * settings.rounds;
  return {seconds, peak, is_well && is_complete};
}

Figures measure_plain(const Settings& settings, const Credentials& own) {
  PlainServer server(own, copy_work(settings));
  const Stopwatch watch;
  const pid_t child = start_others(settings, "plain", std::to_string(server.port()));
  server.serve();
  const bool is_well = ended_well(child);
  return {watch.seconds(), 0, is_well};
}

void write_network(const Settings& settings) {
  std::ofstream file(fs::path(settings.folder) / "network", std::ios::binary);
  const std::vector<char> zeros(kFloats * sizeof(float));
  for (std::uint64_t left = settings.parameters * sizeof(float); left > 0;) {
    const auto count = std::min<std::uint64_t>(left, zeros.size());
    file.write(zeros.data(), static_cast<std::streamsize>(count));
    left -= count;
  }
}

void tell(Report& report, const Settings& settings, const Figures& ours, const Figures& plain) {
  const double network = static_cast<double>(settings.parameters * sizeof(float));
  const double megabytes = 2 * network * settings.agents * settings.rounds / 1e6;
  const double ratio = plain.seconds / ours.seconds;
  const double limit = 3 * network + static_cast<double>(kBytesPerAgent) * settings.agents;
  report.add({"plain TLS copy", settings.rounds / plain.seconds, megabytes / plain.seconds, Cell{},
              Cell{}});
  report.add({"orchestrator", settings.rounds / ours.seconds, megabytes / ours.seconds,
              static_cast<double>(ours.memory) / 1e6, ratio});
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
                {"way", "rounds/s", "MB/s", "memory MB", "ratio"});
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
