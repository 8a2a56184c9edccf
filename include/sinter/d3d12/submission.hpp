// Work that was given to a device: to be waited for, or not.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "timeline.hpp"

namespace sinter::d3d12 {

// Dropping it neither waits nor cancels. Once it is done, so is all work that the device got earlier.
class submission {
public:
    submission() = default;  // nothing to wait for
    submission(std::shared_ptr<detail::timeline> work, std::uint64_t value) : work_(std::move(work)), value_(value) {}

    // Throws errc::device_removed with the reason, or errc::timeout if the device shows no progress for long.
    void wait() const {
        if (work_) work_->wait(value_, std::nullopt);
    }

    // False: not yet.
    bool wait(std::chrono::nanoseconds longest) const {
        if (!work_) return true;
        const auto now = detail::clock::now();
        const auto room = (detail::clock::time_point::max)() - now;
        return work_->wait(value_, longest < room ? now + longest : (detail::clock::time_point::max)());
    }

private:
    std::shared_ptr<detail::timeline> work_;
    std::uint64_t value_ = 0;
};

}  // namespace sinter::d3d12
