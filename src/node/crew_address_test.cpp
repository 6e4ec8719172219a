// SPDX-License-Identifier: Apache-2.0
#include "node/crew_address.h"

#include <map>

#include <gtest/gtest.h>

#include "core/error.h"

namespace espalier {
namespace {

using Variables = std::map<std::string, std::string>;

Launch variables(const Variables& all, const std::string& parent = "") {
  const auto variable = [all](const char* name) {
    const auto found = all.find(name);
    return found == all.end() ? std::nullopt : std::optional(found->second);
  };
  return {variable, parent};
}

// As bad input.
bool is_refused(const std::string& where, const Launch& launch) {
  try {
    crew_address(where, launch);
  } catch (const Error& error) {
    return error.code() == ErrorCode::BadInput;
  }
  return false;
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

// Of the job, or what srun sets for programs of MPI besides.
TEST(CrewAddresses, OfMpichInAJobOfSlurmAreThoseOfMpich) {
  Variables both{{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}, {"SLURM_NNODES", "1"},
                 {"PMI_RANK", "2"},     {"PMI_SIZE", "3"},     {"MPI_LOCALNRANKS", "3"},
                 {"SLURM_JOB_ID", "7"}, {"SLURM_STEP_ID", "0"}};
  EXPECT_EQ(crew_address("auto", variables(both)).rank, 2);
  EXPECT_EQ(crew_address("auto", variables(both)).size, 3);
  both.erase("MPI_LOCALNRANKS");
  EXPECT_EQ(crew_address("auto", variables(both)).rank, 0);
  EXPECT_EQ(crew_address("auto", variables(both)).size, 1);
  EXPECT_THROW(crew_address("auto", variables({{"PMI_RANK", "2"}, {"PMI_SIZE", "3"}})), Error);
}

TEST(CrewAddresses, AreThoseOfAStepOnOneOfTheMachinesOfAJob) {
  Variables slurm{{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "2"}, {"SLURM_NNODES", "2"}};
  EXPECT_THROW(crew_address("auto", variables(slurm)), Error);
  slurm["SLURM_STEP_NUM_NODES"] = "1";
  EXPECT_FALSE(crew_address("auto", variables(slurm)).folder.empty());
}

TEST(CrewAddresses, NeedAHostWhereThereAreSeveralMachines) {
  const auto slurm =
      variables({{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "4"}, {"SLURM_NNODES", "2"}});
  EXPECT_THROW(crew_address("auto", slurm), Error);
  EXPECT_EQ(crew_address("head.invalid:4711", slurm).host, "head.invalid");
  EXPECT_EQ(crew_address("head.invalid:4711", slurm).port, 4711);
  EXPECT_TRUE(crew_address("head.invalid:4711", slurm).folder.empty());
  for (const char* bad : {"head", "head:", ":1", "head:0", "head:65536", "head:x", ""})
    EXPECT_THROW(crew_address(bad, slurm), Error) << bad;
}

// A listener of the store's would be open to everybody who reaches the machine.
TEST(CrewAddresses, OfLoopbackAreFoldersOfTheJobAndThePort) {
  const auto at = [](const std::string& where, const char* job = "7") {
    const auto slurm =
        variables({{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "2"}, {"SLURM_JOB_ID", job}});
    return crew_address(where, slurm).folder;
  };
  EXPECT_FALSE(at("localhost:4711").empty());
  for (const char* same : {"127.0.0.1:4711", "127.1.2.3:4711", "[::1]:4711"})
    EXPECT_EQ(at(same), at("localhost:4711")) << same;
  EXPECT_NE(at("localhost:4712"), at("localhost:4711"));
  EXPECT_NE(at("localhost:4711", "8"), at("localhost:4711"));
  for (const char* elsewhere : {"127.head.invalid:4711", "127.0.0.1.invalid:4711", "10.0.0.1:4711"})
    EXPECT_EQ(at(elsewhere), "") << elsewhere;
}

TEST(CrewAddresses, OfLoopbackAreSoHoweverTheyAreSpelled) {
  const auto slurm =
      variables({{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "2"}, {"SLURM_JOB_ID", "7"}});
  for (const char* here :
       {"127.1:4711", "::1:4711", "[0::1]:4711", "Localhost:4711", "ip6-localhost:4711"})
    EXPECT_FALSE(crew_address(here, slurm).folder.empty()) << here;
}

TEST(CrewAddresses, OfLoopbackAreNoneForSeveralMachines) {
  const Variables slurm{{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "4"}, {"SLURM_NNODES", "2"}};
  const Variables mpich{{"PMI_RANK", "1"}, {"PMI_SIZE", "4"}, {"MPI_LOCALNRANKS", "2"}};
  const Variables open_mpi{{"OMPI_COMM_WORLD_RANK", "1"},
                           {"OMPI_COMM_WORLD_SIZE", "4"},
                           {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}};
  for (const Variables& several : {slurm, mpich, open_mpi})
    for (const char* here : {"localhost:4711", "127.1:4711", "[::1]:4711"})
      EXPECT_TRUE(is_refused(here, variables(several))) << here;
}

// As Debian's /etc/hosts has it with 127.0.1.1: here a number stands for such a name.
TEST(CrewAddresses, OfSeveralMachinesAreNoNamesThatLeadThemToThemselves) {
  Variables slurm{{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_NNODES", "2"}};
  const char* all[] = {"0x7f000101:4711", "localhost.:4711", "0.0.0.0:4711", "[::]:4711", "0:4711"};
  for (const char* here : all) EXPECT_TRUE(is_refused(here, variables(slurm))) << here;
  slurm["SLURM_NNODES"] = "1";
  for (const char* here : all) EXPECT_FALSE(is_refused(here, variables(slurm))) << here;
}

TEST(CrewAddresses, NeedALauncher) {
  EXPECT_THROW(crew_address("auto", variables({})), Error);
  EXPECT_THROW(crew_address("auto", variables({{"SLURM_PROCID", "4"}, {"SLURM_NTASKS", "4"}})),
               Error);
}

}  // namespace
}  // namespace espalier
