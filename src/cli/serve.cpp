// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <condition_variable>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/interruption.h"
#include "cli/run_settings.h"
#include "core/error.h"
#include "http/dashboard.h"
#include "io/text_file.h"
#include "io/wording.h"
#include "onlooker/folder_shelf.h"
#include "page/assets.h"

namespace espalier {
namespace {

struct ServeOptions {
  std::string runs = "runs";
  std::string listen = "127.0.0.1:8377";
  std::vector<std::string> names;
  std::string token_file;
};

constexpr std::size_t kShortestToken = 16;

// "127.0.0.1:8377", "[::1]:0".
ServerOptions parse_listen(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  ServerOptions options;
  int port = -1;
  if (colon != std::string::npos && colon > 0) {
    options.host = text.substr(0, colon);
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + colon + 1, end, port);
    if (read.ec != std::errc{} || read.ptr != end) port = -1;
  }
  if (port < 0 || port > 65535)
    throw Error(ErrorCode::BadInput,
                "--listen must be an address and a port, not '" + shown(text) + "'",
                "--listen 127.0.0.1:8377; port 0 takes any that is free");
  if (options.host.starts_with('[') && options.host.ends_with(']'))
    options.host = options.host.substr(1, options.host.size() - 2);
  options.port = port;
  return options;
}

std::string token_in(const std::string& path) {
  const auto read = read_text_file(path, 4096);
  if (const auto* fault = std::get_if<FileFault>(&read))
    throw Error(ErrorCode::BadInput, "'" + shown(path) + "': " + fault->what, fault->hint);
  std::string token = std::get<std::string>(read);
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  const bool is_plain = std::all_of(token.begin(), token.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
  if (token.size() < kShortestToken || !is_plain)
    throw Error(ErrorCode::BadInput, "'" + shown(path) + "' holds no token",
                "one line of at least 16 letters, digits, '-', '_' or '.'");
  return token;
}

DashboardOptions dashboard_options(const ServeOptions& options) {
  DashboardOptions dashboard;
  dashboard.server = parse_listen(options.listen);
  dashboard.gate.loopback_only = is_loopback_host(dashboard.server.host);
  dashboard.gate.names = options.names;
  if (!options.token_file.empty())
    dashboard.gate.token = token_in(options.token_file);
  else if (!dashboard.gate.loopback_only)
    dashboard.gate.token = fresh_token();
  dashboard.version = ESPALIER_VERSION;
  return dashboard;
}

std::string address_of(const DashboardOptions& options, int port) {
  const std::string& host = options.server.host;
  const std::string shown_host = host.find(':') == std::string::npos ? host : "[" + host + "]";
  const std::string token = options.gate.token.empty() ? "" : "?token=" + options.gate.token;
  return fmt::format("http://{}:{}/{}", shown_host, port, token);
}

void wait_for(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait(lock, stop, [] { return false; });
}

ExitCode serve(const ServeOptions& options, const Console& console) {
  const DashboardOptions settings = dashboard_options(options);
  FolderShelf shelf(options.runs, [](const RunDirectory& directory) {
    LoadedRun run = load_run(directory);
    return ReadableRun{std::move(run.setup), run.settings.strategy};
  });
  const Interruption interruption;
  const Dashboard dashboard(shelf, settings);
  console.answer("espalier is at " + address_of(settings, dashboard.port()) + "\n");
  if (!has_page())
    console.remark(
        "This program was built without its page: only the API is there. To have both:\n"
        "  scripts/setup page && scripts/build release && build/release/espalier serve\n");
  if (!settings.gate.loopback_only)
    console.remark(
        "The token travels unencrypted; beyond networks that you trust, use a tunnel.\n");
  console.remark("Ctrl-C ends it.\n");
  wait_for(interruption.token());
  return ExitCode::Done;
}

}  // namespace

void add_serve_command(CLI::App& app, Invocation& call) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* command =
      app.add_subcommand("serve", "open the dashboard: plans, comparisons and runs in a browser");
  command->add_option("RUNS_DIR", options->runs, "where runs are; 'runs' if absent")->type_name("");
  command
      ->add_option("--listen", options->listen,
                   "address and port; only this machine if absent, at port 8377")
      ->type_name("HOST:PORT");
  command
      ->add_option("--name", options->names,
                   "a name that the server is also reached by, such as a proxy's; repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME");
  command
      ->add_option("--token-file", options->token_file,
                   "the token that everybody needs; beyond this machine one is made if absent")
      ->type_name("FILE");
  command->callback([options, &call] {
    call.action = [options](const Console& console) { return serve(*options, console); };
  });
  command->footer(
      "Examples:\n"
      "  espalier serve\n"
      "  espalier serve my-runs --listen 127.0.0.1:0\n"
      "  espalier serve --listen 0.0.0.0:8377 --token-file token.txt\n\n"
      "Exit codes: 0 ended by Ctrl-C; 1 the address cannot be had.");
}

}  // namespace espalier
