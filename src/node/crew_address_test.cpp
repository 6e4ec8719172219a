// SPDX-License-Identifier: Apache-2.0
#include "node/crew_address.h"

#include <map>

#include <gtest/gtest.h>

#include "core/error.h"

namespace espalier {
namespace {

Launch variables(std::map<std::string, std::string> all, const std::string& parent = "") {
  const auto variable = [all](const char* name) {
    const auto found = all.find(name);
    return found == all.end() ? std::nullopt : std::optional(found->second);
  };
  return {variable, parent};
}

TEST(CrewAddresses, AreTheSameForAllRanksOfAJob) {
  const auto of_rank = [](const char* rank, const char* job) {
    return crew_address("auto", variables({{"OMPI_COMM_WORLD_RANK", rank},
                                           {"OMPI_COMM_WORLD_SIZE", "3"},
                                           {"OMPI_COMM_WORLD_LOCAL_SIZE", "3"},
                                           {"PMIX_NAMESPACE", job}}));
  };
  EXPECT_EQ(of_rank("2", "17").rank, 2);
  EXPECT_EQ(of_rank("2", "17").size, 3);
  EXPECT_EQ(of_rank("0", "17").folder, of_rank("2", "17").folder);
  EXPECT_NE(of_rank("0", "17").folder, of_rank("0", "18").folder);
  EXPECT_TRUE(is_on_one_machine(of_rank("0", "17")));
}

TEST(CrewAddresses, DifferForTheStepsOfAJob) {
  const auto of_step = [](const char* step) {
    return crew_address("auto", variables({{"SLURM_PROCID", "0"},
                                           {"SLURM_NTASKS", "2"},
                                           {"SLURM_NNODES", "1"},
                                           {"SLURM_JOB_ID", "7"},
                                           {"SLURM_STEP_ID", step}}));
  };
  EXPECT_NE(of_step("0").folder, of_step("1").folder);
}

// MPICH numbers no jobs: a socket of each rank's own is all that it tells.
TEST(CrewAddresses, OfMpichFollowFromWhoStartedTheRanks) {
  const auto of_rank = [](const char* rank, const char* socket, const char* parent) {
    return crew_address(
        "auto",
        variables(
            {{"PMI_RANK", rank}, {"PMI_SIZE", "2"}, {"MPI_LOCALNRANKS", "2"}, {"PMI_FD", socket}},
            parent));
  };
  EXPECT_EQ(of_rank("0", "6", "17 4711").folder, of_rank("1", "8", "17 4711").folder);
  EXPECT_NE(of_rank("0", "6", "17 4711").folder, of_rank("0", "6", "17 4712").folder);
}

TEST(CrewAddresses, NeedAHostWhereThereAreSeveralMachines) {
  const auto slurm =
      variables({{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "4"}, {"SLURM_NNODES", "2"}});
  EXPECT_THROW(crew_address("auto", slurm), Error);
  EXPECT_EQ(crew_address("head:4711", slurm).host, "head");
  EXPECT_EQ(crew_address("head:4711", slurm).port, 4711);
  EXPECT_TRUE(crew_address("head:4711", slurm).folder.empty());
  EXPECT_FALSE(is_on_one_machine(crew_address("head:4711", slurm)));
  EXPECT_TRUE(is_on_one_machine(crew_address("localhost:4711", slurm)));
  for (const char* bad : {"head", "head:", ":1", "head:0", "head:65536", "head:x", ""})
    EXPECT_THROW(crew_address(bad, slurm), Error) << bad;
}

TEST(CrewAddresses, NeedALauncher) {
  EXPECT_THROW(crew_address("auto", variables({})), Error);
  EXPECT_THROW(crew_address("auto", variables({{"SLURM_PROCID", "4"}, {"SLURM_NTASKS", "4"}})),
               Error);
}

}  // namespace
}  // namespace espalier
