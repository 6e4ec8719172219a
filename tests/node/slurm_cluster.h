// SPDX-License-Identifier: Apache-2.0
// A Slurm cluster of one machine: munged, slurmctld and slurmd of a test's own, gone with it.
#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <unistd.h>

#include "node/agent_process.h"
#include "support/sockets.h"
#include "support/temporary_folder.h"

namespace espalier {

class SlurmCluster {
 public:
  static bool is_possible() {
    return ::geteuid() == 0 && std::filesystem::exists("/usr/sbin/munged") &&
           std::filesystem::exists("/usr/sbin/slurmctld") &&
           std::filesystem::exists("/usr/sbin/slurmd") && std::filesystem::exists("/usr/bin/srun");
  }

  SlurmCluster() {
    folder_.write("munge/key", std::string(1024, 'k'));
    std::filesystem::permissions(folder_ / "munge/key", std::filesystem::perms::owner_read);
    folder_.write("state/.keep", "");
    folder_.write("spool/.keep", "");
    folder_.write("cgroup.conf", "CgroupPlugin=autodetect\n");
    folder_.write("slurm.conf", configuration());
    ::setenv("SLURM_CONF", (folder_ / "slurm.conf").c_str(), 1);
    const std::string munge = (folder_ / "munge").string();
    start({"/usr/sbin/munged", "--foreground", "--force", "--key-file=" + munge + "/key",
           "--socket=" + munge + "/socket", "--pid-file=" + munge + "/pid",
           "--log-file=" + munge + "/log", "--seed-file=" + munge + "/seed"});
    start({"/usr/sbin/slurmctld", "-D", "-c"});
    start({"/usr/sbin/slurmd", "-D", "-N", "localhost"});
  }
  ~SlurmCluster() {
    for (int i = 0; i < 100 && has_steps(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;

  std::string log() const { return folder_.read("daemons.log"); }

 private:
  // Whoever looks after a step tells the daemons that it is over, for ever if they are gone. Until
  // then it has a socket there.
  bool has_steps() const {
    const auto spool = std::filesystem::directory_iterator(folder_ / "spool");
    return std::ranges::any_of(spool, [](const auto& entry) { return entry.is_socket(); });
  }

  void start(const std::vector<std::string>& words) {
    daemons_.emplace_back(ProcessOrder{words, folder_ / "daemons.log"});
  }

  std::string configuration() const {
    const std::string root = folder_.path().string();
    return "ClusterName=one\nSlurmctldHost=localhost\nSlurmUser=root\nSlurmdUser=root\n"
           "AuthType=auth/munge\nAuthInfo=socket=" +
           root +
           "/munge/socket\n"
           "SlurmctldPort=" +
           std::to_string(some_free_port()) +
           "\n"
           "SlurmdPort=" +
           std::to_string(some_free_port()) +
           "\n"
           "StateSaveLocation=" +
           root + "/state\nSlurmdSpoolDir=" + root +
           "/spool\n"
           "SlurmctldPidFile=" +
           root + "/slurmctld.pid\nSlurmdPidFile=" + root +
           "/slurmd.pid\n"
           "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n"
           "JobAcctGatherType=jobacct_gather/none\nSelectType=select/cons_tres\n"
           "SelectTypeParameters=CR_Core\nReturnToService=2\n"
           "SlurmdParameters=config_overrides\n"
           "NodeName=localhost NodeAddr=127.0.0.1 CPUs=4 RealMemory=500 State=UNKNOWN\n"
           "PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP\n";
  }

  const TemporaryFolder folder_;
  std::vector<AgentProcess> daemons_;  // ended before their folder is
};

}  // namespace espalier
