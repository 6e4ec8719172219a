// SPDX-License-Identifier: Apache-2.0
#include "http/exchange.h"

#include "core/error.h"
#include "render/json.h"

namespace espalier {
namespace {

ErrorCode code_of(int status) {
  if (status == 401 || status == 403 || status == 421) return ErrorCode::NotAllowed;
  if (status == 503) return ErrorCode::RunFailed;
  return status < 500 ? ErrorCode::BadInput : ErrorCode::Bug;
}

}  // namespace

std::string HttpRequest::header(const std::string& lower_case_name) const {
  const auto at = headers.find(lower_case_name);
  return at == headers.end() ? "" : at->second;
}

HttpResponse json_response(std::string document, int status) {
  HttpResponse response;
  response.status = status;
  response.body = std::move(document);
  response.headers = {{"Cache-Control", "no-store"}};
  return response;
}

HttpResponse refusal(int status, const std::string& message, const std::string& hint) {
  return json_response(error_document(code_of(status), message, hint), status);
}

}  // namespace espalier
