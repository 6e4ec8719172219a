// SPDX-License-Identifier: Apache-2.0
#include "runner/carry_on.h"

#include <csignal>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "certificates/temporary_certificates.h"
#include "cli/interruption.h"
#include "cli/progress.h"
#include "cli/trainer_program.h"
#include "core/error.h"
#include "energy/system_clocks.h"
#include "files/written_file.h"
#include "net/server.h"
#include "node/local_agents.h"
#include "objects/file_object_store.h"
#include "onlooker/run_report.h"
#include "orchestrator/orchestrator.h"
#include "render/figures.h"
#include "render/text.h"
#include "runner/crash_point.h"
#include "runner/round_line.h"

namespace espalier {
namespace {

constexpr Seconds kFarewell{5};

// A disk that is full is to be an error like others, not the end of the process.
void survive_full_disks_here() { std::signal(SIGXFSZ, SIG_IGN); }

DeskOptions desk_options(const RunSettings& settings) {
  DeskOptions options;
  options.lost_after = std::max(options.silent_after * 1.5, Seconds{settings.patience / 2});
  // Nearby it costs nothing to hear more often how far they are.
  if (settings.listen.empty()) options.heartbeat = std::chrono::milliseconds(500);
  return options;
}

// Whether all nodes of this machine have ended because of bad input: nothing better will come.
// Thread-safe.
class BadInput {
 public:
  explicit BadInput(std::size_t nodes) : nodes_(nodes) {}

  void hear(const AgentNews& news) {
    const std::lock_guard lock(mutex_);
    if (!news.fault) return;
    if (!first_)
      first_ = Error(ErrorCode::BadInput, news.name + ": " + news.fault->message, news.fault->hint);
    if (++ended_ == nodes_) all_.request_stop();
  }
  std::stop_source& all() { return all_; }
  bool is_complete() const {
    const std::lock_guard lock(mutex_);
    return first_ && ended_ == nodes_;
  }
  void rethrow() const {
    if (is_complete()) throw *first_;
  }

 private:
  const std::size_t nodes_;
  mutable std::mutex mutex_;
  std::stop_source all_;
  std::size_t ended_ = 0;  // these two guarded by mutex_
  std::optional<Error> first_;
};

// Nodes on this machine, with certificates that live as long.
class OwnNodes {
 public:
  OwnNodes(const RunDirectory& directory, const LoadedRun& run, Orchestrator& orchestrator,
           const RunScreen& screen, BadInput& bad_input)
      : certificates_(directory.agents()),
        server_(orchestrator.desk(), {.certificates = certificates_.folder().path()}),
        agents_(
            local_agents_of(run.input.scenario),
            {.program = trainer_program(run.settings.trainer),
             .scenario = std::filesystem::absolute(directory.scenario()),
             .folder = std::filesystem::absolute(directory.agents()),
             .address = server_.address(),
             .certificates_of = [this](const std::string& name) { return certificate_of(name); }},
            [&](const AgentNews& news) { hear(orchestrator, bad_input, news); }) {
    const std::size_t count = local_agents_of(run.input.scenario).size();
    screen.line(
        {fmt::format("starting {} on this machine", counted(static_cast<long long>(count), "node")),
         Style::Dim,
         {{"event", "starting"}, {"nodes", count}}});
  }

 private:
  // One that is started again keeps what it had.
  std::filesystem::path certificate_of(const std::string& name) {
    const std::filesystem::path files = certificates_.folder().node_files(name);
    return std::filesystem::exists(files) ? files : certificates_.issue(name);
  }

  static void hear(Orchestrator& orchestrator, BadInput& bad_input, const AgentNews& news) {
    bad_input.hear(news);
    if (!news.what.empty()) tell_aside(news.name + " " + news.what);
    if (news.is_final)
      orchestrator.desk().lose({news.name});
    else
      orchestrator.desk().let_another_come({news.name});
  }

  TemporaryCertificates certificates_;
  Server server_;
  LocalAgents agents_;
};

// Who was refused, and why. Thread-safe.
class RefusalLog {
 public:
  explicit RefusalLog(const std::filesystem::path& file) : file_(file, WrittenFile::From::End) {}

  void add(const std::string& line) {
    const std::lock_guard lock(mutex_);
    tell(line);
    if (lines_ >= kMostRefusals) return;  // nobody fills the disk by knocking
    file_.write(fmt::format("{:%Y-%m-%dT%H:%M:%SZ} {}\n", fmt::gmtime(std::time(nullptr)),
                            printable(line)));
    if (++lines_ == kMostRefusals) file_.write("further ones are not written down\n");
  }

 private:
  // Whoever follows the run hears of each once, and of few.
  void tell(const std::string& line) {
    if (told_.size() < kMostTold && told_.insert(without_address(line)).second)
      tell_aside(printable(line));
  }
  // Which is another one each time that a node calls.
  static std::string without_address(std::string line) {
    const auto begin = line.find(" (");
    const auto end = line.find(")", begin == std::string::npos ? line.size() : begin);
    if (end != std::string::npos) line.erase(begin, end - begin + 1);
    return line;
  }

  static constexpr int kMostRefusals = 10'000;
  static constexpr std::size_t kMostTold = 20;
  std::mutex mutex_;
  WrittenFile file_;
  std::set<std::string> told_;
  int lines_ = 0;
};

// Others' nodes, which come from outside.
class OtherNodes {
 public:
  OtherNodes(const RunDirectory& directory, const LoadedRun& run, Orchestrator& orchestrator,
             const RunScreen& screen)
      : log_(directory.root() / "refused.log"),
        server_(orchestrator.desk(),
                {.address = run.settings.listen,
                 .certificates = run.settings.certificates,
                 .notice = [&log = log_](const std::string& line) { log.add(line); }}) {
    const std::string text = "listening on " + server_.address() + "; nodes come with 'espalier " +
                             "node --orchestrator HOST:PORT --certificates DIR --data …'";
    screen.line({text + screen.narrator().waiting_text(orchestrator.state()),
                 Style::Accent,
                 {{"event", "listening"}, {"address", server_.address()}}});
    // Whoever resumes the run listens where its nodes call.
    keep_address(directory, server_.address());
  }

 private:
  RefusalLog log_;
  Server server_;
};

void follow_own(const RunDirectory& directory, const LoadedRun& run, Orchestrator& orchestrator,
                const RunScreen& screen, const std::stop_token& stop) {
  BadInput bad_input(local_agents_of(run.input.scenario).size());
  const std::stop_callback asked(stop, [&] { bad_input.all().request_stop(); });
  {
    const OwnNodes nodes(directory, run, orchestrator, screen, bad_input);
    orchestrator.run(bad_input.all().get_token());
    if (!bad_input.is_complete()) orchestrator.see_off(kFarewell);
  }
  bad_input.rethrow();
}

void follow_others(const RunDirectory& directory, const LoadedRun& run, Orchestrator& orchestrator,
                   const RunScreen& screen, const std::stop_token& stop) {
  const OtherNodes nodes(directory, run, orchestrator, screen);
  orchestrator.run(stop);
  if (!can_resume(*orchestrator.state().end)) orchestrator.see_off(kFarewell);
}

bool has_report(const RunDirectory& directory) {
  std::error_code unknown;
  return std::filesystem::exists(directory.report(), unknown);
}

std::vector<std::string> next_commands(const RunDirectory& directory, Ending ending,
                                       bool has_model) {
  const std::string where = " " + directory.root().string();
  if (can_resume(ending)) return {"espalier resume" + where, "espalier status" + where};
  std::vector<std::string> commands{"espalier logs" + where};
  if (has_model)
    commands.insert(commands.begin(), "espalier export" + where + " --model model.safetensors");
  if (has_report(directory)) commands.push_back("xdg-open " + directory.report().string());
  return commands;
}

// A run is no failure because its report could not be written.
void tell_report(const RunDirectory& directory, const LoadedRun& run) {
  try {
    write_report(directory, {run.setup, run.settings.strategy});
  } catch (const Error& error) {
    std::cerr << "no report was written: " << error.what() << std::endl;
  }
}

// What was on its way, and what nodes have kept. Their logs stay.
void clear_objects(const RunDirectory& directory) {
  std::error_code ignored;
  std::filesystem::remove_all(directory.objects(), ignored);
  for (const auto& entry : std::filesystem::directory_iterator(directory.agents(), ignored))
    if (entry.is_directory(ignored)) std::filesystem::remove_all(entry.path(), ignored);
}

}  // namespace

ExitCode exit_of(Ending ending) {
  switch (ending) {
    case Ending::Reached:
      return ExitCode::Done;
    case Ending::DeadlinePassed:
    case Ending::NothingToSay:
      return ExitCode::GoalMissed;
    case Ending::Stopped:
      return ExitCode::Stopped;
    case Ending::Diverged:
    case Ending::NodesGone:
    case Ending::NodesFail:
      break;
  }
  return static_cast<ExitCode>(ErrorCode::RunFailed);
}

ExitCode carry_on(const RunDirectory& directory, const LoadedRun& run,
                  const std::vector<RunEvent>& past, const OutputOptions& output,
                  const RunBegan& began) {
  survive_full_disks_here();
  const Interruption interruption;
  const SteadyClock clock;
  directory.make();
  TemporaryCertificates::remove_left_behind(directory.agents());
  FileObjectStore objects(directory.objects());
  Journal journal(directory.journal(), past.size());
  Adviser adviser(run.setup, run.advising());
  const Narrator narrator(run.setup);
  const RunScreen screen(narrator, output);
  RoundLine round(run.setup);
  Orchestrator orchestrator(
      run.setup, directory, journal, past,
      {objects, clock, adviser,
       [&](const RunState& before, const RunEvent& event, const RunState& after) {
         round.hide();
         screen.tell(before, event, after);
       },
       desk_options(run.settings),
       [&](const std::optional<RoundProgress>& now) {
         if (!screen.is_for_machines()) round.show(now);
       }});
  set_crash_points(journal, orchestrator.checkpoints());
  const std::stop_callback told(interruption.token(), [] {
    tell_aside("stopping, so that it can be resumed; Ctrl-C again ends it at once");
  });
  const auto& end = orchestrator.state().end;
  const bool was_over = end && !can_resume(*end);
  orchestrator.begin(began, interruption.token());
  const auto follow = run.settings.listen.empty() ? follow_own : follow_others;
  if (was_over)
    screen.line({"this run is over already", Style::Plain, {{"event", "already-over"}}});
  else if (!orchestrator.has_ended())
    follow(directory, run, orchestrator, screen, interruption.token());
  round.hide();
  const Ending ending = *orchestrator.state().end;
  tell_report(directory, run);
  screen.end({directory.root().string(), run.setup, orchestrator.state(),
              next_commands(directory, ending, !orchestrator.state().epochs.empty())});
  if (!can_resume(ending)) clear_objects(directory);
  return exit_of(ending);
}

}  // namespace espalier
