// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <chrono>

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>

#include "certificates/certificate_folder.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/near_miss.h"
#include "io/wording.h"
#include "render/cert_report.h"
#include "render/text.h"

namespace espalier {
namespace {

constexpr const char* kActions =
    "Actions:\n"
    "  init         make an authority, and the certificate of the orchestrator\n"
    "  node NAME    make a certificate for the node NAME\n"
    "  revoke NAME  take it back, at once\n"
    "  list         name all of them";
constexpr int kMostDays = 36'500;

struct CertOptions {
  std::string action;
  std::string name;
  std::string folder = "certificates";
  int days = 0;  // 0: as long as that action says
};

Validity validity_of(const CertOptions& options, int days) {
  const int chosen = options.days > 0 ? options.days : days;
  return valid_for(std::chrono::days(chosen), std::chrono::system_clock::now());
}

std::string day_of(WallTime time) {
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::string in_folder(const std::string& command, const CertOptions& options) {
  return options.folder == "certificates" ? command
                                          : command + " --folder " + shell_word(options.folder);
}

ExitCode tell_cert(const CertReport& report, const Console& console) {
  console.answer(console.format() == Format::Json ? cert_document(report)
                                                  : cert_text(report, console.ink()));
  return ExitCode::Done;
}

void require_name(const CertOptions& options, bool is_needed) {
  if (is_needed && options.name.empty())
    throw Error(ErrorCode::BadInput, "cert " + options.action + ": whose certificate?",
                "espalier cert " + options.action + " NAME");
  if (!is_needed && !options.name.empty())
    throw Error(ErrorCode::BadInput, "cert " + options.action + " does not know what to do with '" +
                                         shown(options.name) + "'");
}

ExitCode init_certificates(const CertOptions& options, const Console& console) {
  require_name(options, false);
  constexpr int kTenYears = 3650;
  const auto folder = CertificateFolder::create(options.folder, validity_of(options, kTenYears));
  return tell_cert({"made",
                    "an authority and the certificate of the orchestrator",
                    folder.path().string(),
                    {"ca/key.pem can let anybody in: keep it to yourself"},
                    {in_folder("espalier cert node NAME", options)}},
                   console);
}

ExitCode make_certificate(const CertOptions& options, const Console& console) {
  require_name(options, true);
  constexpr int kTwoYears = 730;
  CertificateFolder folder(options.folder);
  const Validity validity = validity_of(options, kTwoYears);
  const std::string files = folder.issue(options.name, validity).string();
  return tell_cert(
      {"made",
       "a certificate for " + options.name,
       files,
       {"valid until " + day_of(validity.until), "copy this folder, and nothing else, to the node"},
       {"espalier node --orchestrator HOST:PORT --certificates " + shell_word(files)}},
      console);
}

ExitCode revoke_certificate(const CertOptions& options, const Console& console) {
  require_name(options, true);
  CertificateFolder(options.folder).revoke(options.name);
  return tell_cert({"revoked",
                    "the certificate of " + options.name,
                    "",
                    {"an orchestrator that is running refuses it from now on"},
                    {in_folder("espalier cert list", options)}},
                   console);
}

std::string word_of(CertificateState state) {
  switch (state) {
    case CertificateState::Allowed:
      return "allowed";
    case CertificateState::Revoked:
      return "revoked";
    case CertificateState::Expired:
      break;
  }
  return "expired";
}

ExitCode list_certificates(const CertOptions& options, const Console& console) {
  require_name(options, false);
  std::vector<ListedCertificate> all;
  const auto now = std::chrono::system_clock::now();
  for (const NodeCertificate& one : CertificateFolder(options.folder).list(now))
    all.push_back({one.name, word_of(one.state), day_of(one.until), one.fingerprint});
  console.answer(console.format() == Format::Json ? certificates_document(all)
                                                  : certificates_text(all, console.ink()));
  return ExitCode::Done;
}

struct CertAction {
  const char* name;
  ExitCode (*act)(const CertOptions& options, const Console& console);
};

constexpr std::array kCertActions{
    CertAction{"init", init_certificates},
    CertAction{"node", make_certificate},
    CertAction{"revoke", revoke_certificate},
    CertAction{"list", list_certificates},
};

ExitCode cert(const CertOptions& options, const Console& console) {
  std::vector<std::string> names;
  for (const CertAction& one : kCertActions) {
    if (options.action == one.name) return one.act(options, console);
    names.emplace_back(one.name);
  }
  throw Error(ErrorCode::BadInput,
              "cert cannot '" + shown(options.action) + "'" + did_you_mean(options.action, names),
              "it can " + listed(names));
}

}  // namespace

void add_cert_command(CLI::App& app, Invocation& call) {
  auto options = std::make_shared<CertOptions>();
  CLI::App* command = app.add_subcommand("cert", "make and revoke the certificates of nodes");
  command->add_option("ACTION", options->action, "what to do")->type_name("")->required();
  command->add_option("NAME", options->name, "of a node: letters, digits and . _ -")->type_name("");
  command->add_option("--folder", options->folder, "where they are; 'certificates' if absent")
      ->type_name("DIR");
  command
      ->add_option("--days", options->days, "how long it is valid; two years for nodes if absent")
      ->type_name("N")
      ->check(CLI::Range(1, kMostDays));
  command->footer(kActions);
  add_output_options(*command, call.output);
  command->callback([options, &call] {
    call.action = [options](const Console& console) { return cert(*options, console); };
  });
}

}  // namespace espalier
