// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "render/axes.h"
#include "render/figures.h"
#include "render/plan_drawing.h"
#include "render/svg.h"
#include "render/text.h"

namespace espalier {
namespace {

constexpr double kPlanWidth = 960;
constexpr double kPlanHeight = 560;
constexpr Box kLossPanel{70, 84, 850, 290};
constexpr Box kEnergyPanel{70, 430, 850, 84};
constexpr double kPixelsPerLetter = 7.2;

// A point of the loss over time.
struct LossPoint {
  Seconds time{};
  Loss loss{};
};

// The course of the loss: a switch first lifts it, then the epoch lowers it.
std::vector<LossPoint> course_of(const Planned& planned, const PlanResult& result) {
  const Plan& plan = *result.plan;
  std::vector<LossPoint> points{{plan.start.time, plan.start.loss}};
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const State before = plan.after(i);
    const State after = plan.after(i + 1);
    const auto change = planned.problem.change(before.placement, after.placement);
    if (change && before.placement != after.placement) {
      points.push_back({before.time + change->time,
                        Loss{change->jump[result.estimator].apply(before.loss.value)}});
    }
    points.push_back({after.time, after.loss});
  }
  return points;
}

// A stage and when it runs.
struct Band {
  Stage stage;
  Seconds from{};
  Seconds to{};
};

std::vector<Band> bands_of(const Plan& plan) {
  std::vector<Band> bands;
  Seconds now = plan.start.time;
  for (const Stage& stage : plan.stages()) {
    bands.push_back({stage, now, now + stage.time});
    now += stage.time;
  }
  return bands;
}

// The deadline is part of the picture unless it would squeeze the plan into a corner.
double end_of_time(const Planned& planned, const Plan& plan) {
  const double end = std::max(plan.end().time.value, 1e-9);
  const double deadline = planned.problem.goal().deadline.value;
  return deadline <= 2.5 * end ? std::max(deadline, end) * 1.04 : end * 1.08;
}

bool fits(std::string_view text, double width) {
  return display_width(text) * kPixelsPerLetter < width;
}

class PlanPicture {
 public:
  PlanPicture(const Planned& planned, const PlanResult& result)
      : planned_(planned),
        result_(result),
        course_(course_of(planned, result)),
        bands_(bands_of(*result.plan)),
        svg_(kPlanWidth, kPlanHeight, "plan of " + planned.scenario.name) {
    double top = planned.problem.goal().loss.value;
    for (const LossPoint& p : course_) top = std::max(top, p.loss.value);
    x_ = {0, end_of_time(planned, *result.plan), kLossPanel.x, kLossPanel.x + kLossPanel.width};
    y_ = {0, top * 1.05, kLossPanel.y + kLossPanel.height, kLossPanel.y};
  }

  std::string draw() {
    draw_title();
    for (const Band& band : bands_) draw_band(band);
    draw_time_axis(svg_, x_, kLossPanel);
    draw_value_axis(svg_, y_, kLossPanel, "loss");
    draw_limits();
    draw_curve();
    draw_energies();
    return svg_.finish();
  }

 private:
  std::string name(const Band& band) const {
    return planned_.problem.name_of(band.stage.placement);
  }

  void draw_title() {
    const State end = result_.plan->end();
    svg_.text({kLossPanel.x, 30}, planned_.scenario.name, "title");
    svg_.text({kLossPanel.x, 52},
              fmt::format("{}: {} in {}, loss {} → {}", planned_.strategy.name,
                          energy_figure(end.energy), duration(end.time),
                          loss_figure(result_.plan->start.loss), loss_figure(end.loss)),
              "soft");
  }

  void draw_band(const Band& band) {
    const double left = x_(band.from.value);
    const double width = x_(band.to.value) - left;
    const std::string colour = colour_class(band.stage.placement.pos());
    const std::string what =
        fmt::format("{}: {}, {}, {}", name(band), counted(band.stage.epochs, "epoch"),
                    duration(band.stage.time), energy_figure(band.stage.energy));
    svg_.box({left, kLossPanel.y, width, kLossPanel.height}, colour + " band", what);
    if (!fits(name(band), width)) return;
    svg_.text({left + width / 2, kLossPanel.y + 18}, name(band), "middle");
    svg_.text({left + width / 2, kLossPanel.y + 34}, counted(band.stage.epochs, "epoch"),
              "soft middle");
  }

  void draw_limits() {
    const Goal& goal = planned_.problem.goal();
    const double right = kLossPanel.x + kLossPanel.width;
    const double target = y_(goal.loss.value);
    svg_.line({kLossPanel.x, target}, {right, target}, "limit");
    svg_.text({kLossPanel.x + 6, target - 6}, "target " + loss_figure(goal.loss), "bad");
    if (goal.deadline.value > x_.high) {
      svg_.text({right, kLossPanel.y - 8}, fmt::format("deadline {} →", duration(goal.deadline)),
                "bad end");
      return;
    }
    const double at = x_(goal.deadline.value);
    svg_.line({at, kLossPanel.y}, {at, kLossPanel.y + kLossPanel.height}, "limit");
    svg_.text({at, kLossPanel.y - 8}, "deadline " + duration(goal.deadline), "bad end");
  }

  void draw_curve() {
    std::vector<Point> points;
    for (const LossPoint& p : course_) points.push_back({x_(p.time.value), y_(p.loss.value)});
    svg_.path(points, "curve");
    svg_.dot(points.back(), 4, "ring", "goal reached");
  }

  void draw_energies() {
    double most = 0;
    for (const Band& band : bands_) most = std::max(most, band.stage.energy.value);
    const EnergyScale figure(result_.plan->end().energy);
    svg_.text({kEnergyPanel.x, kEnergyPanel.y - 12}, "energy of each stage", "soft");
    const double slot =
        kEnergyPanel.width / std::max<double>(1, static_cast<double>(bands_.size()));
    for (std::size_t i = 0; i < bands_.size(); ++i) {
      const double height =
          most > 0 ? bands_[i].stage.energy.value / most * (kEnergyPanel.height - 18) : 0;
      const double left = kEnergyPanel.x + slot * static_cast<double>(i);
      const double width = std::min(slot * 0.8, 120.0);
      const double base = kEnergyPanel.y + kEnergyPanel.height;
      svg_.box({left, base - height, width, height}, colour_class(bands_[i].stage.placement.pos()),
               name(bands_[i]));
      if (fits("100.00 kJ", slot))
        svg_.text({left, base - height - 4}, figure(bands_[i].stage.energy), "soft");
      if (fits(name(bands_[i]), slot)) svg_.text({left, base + 18}, name(bands_[i]), "soft");
    }
  }

  const Planned& planned_;
  const PlanResult& result_;
  std::vector<LossPoint> course_;
  std::vector<Band> bands_;
  Scale x_;
  Scale y_;
  Svg svg_;
};

}  // namespace

std::string plan_svg(const Planned& planned, const PlanResult& result) {
  return PlanPicture(planned, result).draw();
}

}  // namespace espalier
