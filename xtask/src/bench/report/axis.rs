//! The scale of a chart.

use anyhow::Result;
use plotters::coord::{
    combinators::{IntoLogRange, LogCoord},
    ranged1d::Ranged,
    types::RangedCoordf64,
};

use super::{
    canvas::{Font, Ink, Pen},
    numbers::short,
};

/// From values to pixels.
pub(super) struct Axis {
    scale: Scale,
    pixels: (i32, i32),
    ticks: Vec<f64>,
    unit: &'static str,
}

enum Scale {
    Linear(RangedCoordf64),
    Log(LogCoord<f64>),
}

impl Axis {
    /// From 0 to the greatest of the values.
    pub(super) fn linear(values: &[f64], unit: &'static str, pixels: (i32, i32)) -> Self {
        let greatest = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let range = RangedCoordf64::from(0.0..greatest);
        let ticks = range.key_points(6);
        Self { scale: Scale::Linear(range), pixels, ticks, unit }
    }

    /// In which equal ratios are equal lengths, with a tick at each power of two between the least
    /// and the greatest value, or at 1, 2 and 5 times the powers of ten.
    pub(super) fn log(
        values: &[f64],
        powers_of_two: bool,
        unit: &'static str,
        pixels: (i32, i32),
    ) -> Self {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min) / 1.05;
        let greatest = values.iter().copied().fold(0.0, f64::max) * 1.05;
        let candidates: Vec<f64> = if powers_of_two {
            (-10..10).map(|power| 2_f64.powi(power)).collect()
        } else {
            let decades = (-4..7).map(|power| 10_f64.powi(power));
            decades.flat_map(|decade| [1.0, 2.0, 5.0].map(|digit| digit * decade)).collect()
        };
        let ticks = candidates.into_iter().filter(|tick| (least..=greatest).contains(tick));
        let scale = Scale::Log((least..greatest).log_scale().into());
        Self { scale, pixels, ticks: ticks.collect(), unit }
    }

    pub(super) fn place(&self, value: f64) -> i32 {
        match &self.scale {
            Scale::Linear(range) => range.map(&value, self.pixels),
            Scale::Log(range) => range.map(&value, self.pixels),
        }
    }

    /// A line at each tick from the top to the bottom, the values below, and below them the unit.
    pub(super) fn draw_below(&self, pen: &Pen<'_>, (top, bottom): (i32, i32)) -> Result<()> {
        for tick in &self.ticks {
            let x = self.place(*tick);
            pen.line(&[(x, top), (x, bottom)], 1, Ink::Grid)?;
            pen.text(&short(*tick), (x, bottom + 10), Font::SMALL.centred())?;
        }
        let middle = i32::midpoint(self.pixels.0, self.pixels.1);
        pen.text(self.unit, (middle, bottom + 26), Font::SMALL.centred())
    }

    /// A line at each tick from left to right, the values to the left, and above them the unit.
    pub(super) fn draw_beside(&self, pen: &Pen<'_>, (left, right): (i32, i32)) -> Result<()> {
        for tick in &self.ticks {
            let y = self.place(*tick);
            pen.line(&[(left, y), (right, y)], 1, Ink::Grid)?;
            pen.text(&short(*tick), (left - 6, y), Font::SMALL.right())?;
        }
        let top = self.pixels.0.min(self.pixels.1);
        pen.text(self.unit, (0, top - 14), Font::SMALL.left())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ratios_are_equal_lengths() {
        let axis = Axis::log(&[0.5, 8.0], true, "", (0, 1000));
        assert_eq!(axis.ticks, [0.5, 1.0, 2.0, 4.0, 8.0]);
        let steps: Vec<_> = axis.ticks.iter().map(|tick| axis.place(*tick)).collect();
        let widths = steps.windows(2).map(|pair| pair[1] - pair[0]);
        let (least, most) = (widths.clone().min().unwrap(), widths.max().unwrap());
        assert!(most - least <= 1, "{steps:?}");
    }

    #[test]
    fn a_linear_axis_begins_at_zero() {
        let axis = Axis::linear(&[1.0, 2.5], "", (10, 110));
        assert_eq!(axis.place(0.0), 10);
        assert_eq!(axis.place(2.5), 110);
        assert_eq!(axis.ticks[0], 0.0);
    }
}
