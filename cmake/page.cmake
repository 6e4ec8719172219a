# SPDX-License-Identifier: Apache-2.0
# Whether the page of the dashboard can be built: Node.js and npm are there, and what it is built with
# was fetched, now or before.

set(ESPALIER_OLDEST_NODE 18)

function(espalier_fetch_packages obstacle)
  set(${obstacle} "" PARENT_SCOPE)
  set(folder ${PROJECT_SOURCE_DIR}/web)
  set(fetched ${folder}/node_modules/.package-lock.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/package-lock.json)
  if(EXISTS ${fetched} AND NOT ${folder}/package-lock.json IS_NEWER_THAN ${fetched})
    return()
  endif()
  message(STATUS "Fetching what the page is built with")
  execute_process(
    COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
    WORKING_DIRECTORY ${folder} TIMEOUT 90
    RESULT_VARIABLE fault OUTPUT_QUIET ERROR_VARIABLE said)
  if(fault)
    set(${obstacle} "npm cannot fetch what the page is built with: ${said}" PARENT_SCOPE)
  endif()
endfunction()

function(espalier_find_page obstacle)
  find_program(NPM npm)
  find_program(NODE NAMES node nodejs)
  set(version 0)
  if(NODE)
    execute_process(COMMAND ${NODE} --version OUTPUT_VARIABLE version
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    string(REPLACE "v" "" version "${version}")
  endif()
  if(NOT NPM OR version VERSION_LESS ESPALIER_OLDEST_NODE)
    set(${obstacle} "npm and Node.js ${ESPALIER_OLDEST_NODE} or newer are needed (scripts/setup page)"
      PARENT_SCOPE)
    return()
  endif()
  espalier_fetch_packages(found)
  set(${obstacle} "${found}" PARENT_SCOPE)
endfunction()

set(ESPALIER_HAS_PAGE FALSE)
if(ESPALIER_WITH_WEB)
  espalier_find_page(obstacle)
  if(NOT obstacle)
    set(ESPALIER_HAS_PAGE TRUE)
  elseif(ESPALIER_WITH_WEB STREQUAL "AUTO")
    message(STATUS "The dashboard is built without its page: ${obstacle}")
  else()
    message(FATAL_ERROR "ESPALIER_WITH_WEB is on, but ${obstacle}")
  endif()
endif()
