// SPDX-License-Identifier: Apache-2.0
// Figures for Prometheus, in its text format.
#include <fstream>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "http/routes.h"
#include "render/run_json.h"

namespace espalier {
namespace {

std::string label(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\' || c == '"') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

void describe(std::string& page, const char* name, const char* type, const char* help) {
  page += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0;
  double resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void tell_traffic(std::string& page, const Traffic& traffic) {
  const auto sums = traffic.sums();
  describe(page, "espalier_http_requests_total", "counter", "Requests answered.");
  for (const auto& [key, sum] : sums)
    page += fmt::format("espalier_http_requests_total{{route=\"{}\",status=\"{}\"}} {}\n",
                        label(key.route), key.status, sum.requests);
  describe(page, "espalier_http_request_seconds_total", "counter", "Time spent on answers.");
  for (const auto& [key, sum] : sums)
    page += fmt::format("espalier_http_request_seconds_total{{route=\"{}\",status=\"{}\"}} {}\n",
                        label(key.route), key.status, sum.seconds);
  describe(page, "espalier_http_streams", "gauge", "Event streams that are open.");
  page += fmt::format("espalier_http_streams {}\n", traffic.streams());
}

struct RunFigure {
  const char* name;
  const char* help;
  double (*value)(const WatchedStory& story);
};

const EpochNews& last_epoch(const WatchedStory& story) {
  static const EpochNews none{};
  return story.epochs.empty() ? none : story.epochs.back();
}

constexpr RunFigure kRunFigures[] = {
    {"espalier_run_epochs", "Epochs that are over.",
     [](const WatchedStory& s) { return static_cast<double>(last_epoch(s).epoch); }},
    {"espalier_run_loss", "Loss after the last epoch.",
     [](const WatchedStory& s) {
       return s.epochs.empty() ? s.head.start_loss.value : s.epochs.back().loss.value;
     }},
    {"espalier_run_target_loss", "Loss that is to be reached.",
     [](const WatchedStory& s) { return s.head.goal.loss.value; }},
    {"espalier_run_seconds", "Time spent.",
     [](const WatchedStory& s) { return last_epoch(s).time.value; }},
    {"espalier_run_energy_joules", "Energy spent.",
     [](const WatchedStory& s) { return last_epoch(s).energy.value; }},
    {"espalier_run_running", "1 while it goes on, 0 when it is over.",
     [](const WatchedStory& s) { return s.end ? 0.0 : 1.0; }},
};

void tell_runs(std::string& page, RunWatch& watch) {
  std::vector<std::shared_ptr<WatchedRun>> runs;
  for (const std::string& name : watch.names()) {
    try {
      if (auto run = watch.find(name)) runs.push_back(std::move(run));
    } catch (const Error&) {
      continue;
    }
  }
  for (const RunFigure& figure : kRunFigures) {
    describe(page, figure.name, "gauge", figure.help);
    for (const auto& run : runs) {
      run->with_story([&](const WatchedStory& story) {
        page += fmt::format("{}{{run=\"{}\"}} {}\n", figure.name, label(story.head.name),
                            figure.value(story));
      });
    }
  }
}

HttpResponse show_metrics(const Traffic& traffic, RunWatch& watch, const std::string& version) {
  HttpResponse response;
  response.type = "text/plain; version=0.0.4; charset=utf-8";
  describe(response.body, "espalier_info", "gauge", "The program.");
  response.body += fmt::format("espalier_info{{version=\"{}\"}} 1\n", label(version));
  describe(response.body, "process_resident_memory_bytes", "gauge", "Memory of the server.");
  response.body += fmt::format("process_resident_memory_bytes {:.0f}\n", resident_bytes());
  tell_traffic(response.body, traffic);
  tell_runs(response.body, watch);
  return response;
}

}  // namespace

std::vector<Route> metrics_routes(const Traffic& traffic, RunWatch& watch, std::string version) {
  return {{"GET", "/metrics",
           [&traffic, &watch, version = std::move(version)](const HttpRequest&, const PathParts&) {
             return show_metrics(traffic, watch, version);
           }}};
}

}  // namespace espalier
