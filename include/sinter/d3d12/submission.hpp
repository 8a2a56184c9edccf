// Work that was given to a device: to be waited for, or not.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "../core/error.hpp"
#include "timeline.hpp"
#include "timestamps.hpp"

namespace sinter::d3d12 {

// Dropping it neither waits nor cancels. Once it is done, so is all work that the device got earlier.
class submission {
public:
    submission() = default;  // nothing to wait for
    submission(std::shared_ptr<detail::timeline> work, std::uint64_t value,
               std::shared_ptr<const detail::timestamps> times = nullptr)
        : work_(std::move(work)), value_(value), times_(std::move(times)) {}

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

    // Waits, and says how long the dispatches took by the adapter's clock. Of evaluations on a device that was created
    // with device_options::timed; else errc::unsupported.
    std::chrono::nanoseconds elapsed() const {
        if (!work_) return std::chrono::nanoseconds(0);
        if (!times_)
            sinter::detail::fail(errc::unsupported,
                                 "this work was not timed; create the device with "
                                 "device_options::timed, which times its evaluations");
        wait();
        return times_->elapsed();
    }

private:
    std::shared_ptr<detail::timeline> work_;
    std::uint64_t value_ = 0;
    std::shared_ptr<const detail::timestamps> times_;
};

}  // namespace sinter::d3d12
