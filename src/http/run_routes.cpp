// SPDX-License-Identifier: Apache-2.0
// Runs: which there are, how one stands, and what happens in it from now on.
#include <charconv>

#include <fmt/format.h>

#include "core/error.h"
#include "http/routes.h"
#include "page/report_page.h"
#include "render/run_json.h"

namespace espalier {
namespace {

constexpr std::size_t kMostAtOnce = 200;

// As browsers read it: https://html.spec.whatwg.org/multipage/server-sent-events.html
class NewsStream final : public EventStream {
 public:
  NewsStream(std::shared_ptr<WatchedRun> run, std::int64_t after)
      : run_(std::move(run)), sent_(after) {}

  std::optional<std::string> next(std::stop_token stop) override {
    if (stop.stop_requested()) return std::nullopt;
    if (!begun_) return begin();
    const auto news = run_->wait_after(sent_, kMostAtOnce, stop);
    std::string text = standing();
    if (news.empty()) return text.empty() ? ": still here\n\n" : text;
    for (const WrittenNews& one : news)
      text += fmt::format("id: {}\ndata: {}\n\n", one.id, one.text);
    sent_ = news.back().id;
    return text;
  }

 private:
  // Whoever has seen more than there is has seen another run: it has to be read anew.
  std::string begin() {
    begun_ = true;
    if (sent_ <= run_->last_id()) return "retry: 1000\n\n";
    sent_ = run_->last_id();
    return fmt::format("retry: 1000\nid: {}\nevent: reset\ndata: {{}}\n\n", sent_);
  }

  // Whether somebody is at work on the run, where it is not as it was said last.
  std::string standing() {
    const bool now = run_->is_carried_on();
    if (now == said_carried_on_) return "";
    said_carried_on_ = now;
    return fmt::format("event: standing\ndata: {{\"carried_on\":{}}}\n\n", now);
  }

  std::shared_ptr<WatchedRun> run_;
  std::int64_t sent_;
  std::optional<bool> said_carried_on_;
  bool begun_ = false;
};

// Where a browser left off comes first: it asks for the same address each time.
std::int64_t first_wanted(const HttpRequest& request) {
  std::string text = request.header("last-event-id");
  const auto query = request.query.find("after");
  if (text.empty() && query != request.query.end()) text = query->second;
  if (text.empty()) return 0;
  std::int64_t id = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (fault != std::errc{} || end != text.data() + text.size() || id < 0)
    throw Error(ErrorCode::BadInput, "events are counted by whole numbers",
                "leave Last-Event-ID and ?after out to begin with the first");
  return id;
}

HttpResponse no_such_run() {
  return refusal(404, "there is no run of that name", "GET /api/v1/runs lists them");
}

HttpResponse list_runs(RunWatch& watch) {
  Json all = Json::array();
  for (const std::string& name : watch.names()) {
    try {
      if (const auto run = watch.find(name))
        run->with_story([&](const WatchedStory& story) { all.push_back(run_summary_json(story)); });
    } catch (const Error& error) {
      all.push_back({{"name", name}, {"state", "unreadable"}, {"fault", error.what()}});
    }
  }
  return json_response(ok_document({{"runs", std::move(all)}}));
}

HttpResponse show_run(RunWatch& watch, const std::string& name) {
  const auto run = watch.find(name);
  if (!run) return no_such_run();
  std::string document;
  run->with_story([&](const WatchedStory& story) { document = run_document(story); });
  return json_response(std::move(document));
}

HttpResponse report_on_run(RunWatch& watch, const std::string& name) {
  const auto run = watch.find(name);
  if (!run) return no_such_run();
  HttpResponse response;
  response.type = "text/html; charset=utf-8";
  // The policy of the server keeps what is inside from running where it was fetched from.
  response.headers = {{"Cache-Control", "no-store"},
                      {"Content-Disposition", "attachment; filename=\"report.html\""}};
  run->with_story([&](const WatchedStory& story) {
    response.body = report_page({.title = story.head.name}, story);
  });
  return response;
}

HttpResponse follow_run(RunWatch& watch, const HttpRequest& request, const std::string& name) {
  auto run = watch.find(name);
  if (!run) return no_such_run();
  HttpResponse response;
  response.type = "text/event-stream";
  response.headers = {{"Cache-Control", "no-store"}, {"X-Accel-Buffering", "no"}};
  response.stream = std::make_shared<NewsStream>(std::move(run), first_wanted(request));
  return response;
}

}  // namespace

std::vector<Route> run_routes(RunWatch& watch) {
  return {{"GET", "/api/v1/runs",
           [&watch](const HttpRequest&, const PathParts&) { return list_runs(watch); }},
          {"GET", "/api/v1/runs/{run}",
           [&watch](const HttpRequest&, const PathParts& parts) {
             return show_run(watch, parts.front());
           }},
          {"GET", "/api/v1/runs/{run}/report",
           [&watch](const HttpRequest&, const PathParts& parts) {
             return report_on_run(watch, parts.front());
           }},
          {"GET", "/api/v1/runs/{run}/events",
           [&watch](const HttpRequest& request, const PathParts& parts) {
             return follow_run(watch, request, parts.front());
           }}};
}

}  // namespace espalier
