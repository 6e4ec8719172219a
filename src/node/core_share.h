// SPDX-License-Identifier: Apache-2.0
// Agents of one machine take turns at its cores.
#pragma once

#include <filesystem>
#include <stop_token>

#include "core/units.h"

namespace espalier {

// As many files in one folder as may work at a time; who holds the lock of one may. The kernel lets
// go of the lock of one that dies. Immutable.
class CoreShare {
 public:
  // The folder is made; `places` ≥ 1.
  CoreShare(std::filesystem::path folder, int places);

  // Held until it is destroyed.
  class Place {
   public:
    explicit Place(int descriptor) : descriptor_(descriptor) {}
    ~Place();
    Place(Place&& other) noexcept;
    Place& operator=(Place&&) = delete;

   private:
    int descriptor_;
  };

  // Waits for one, but no longer than `patience`: somebody who is frozen may hold it, and a core
  // can be shared.
  Place take(Seconds patience, std::stop_token stop) const;

 private:
  int try_all() const;

  const std::filesystem::path folder_;
  const int places_;
};

}  // namespace espalier
