//! Charts with a row for each size of each backend.

use anyhow::Result;
use threefish_benches::Size;

use super::{
    axis::Axis,
    canvas::{Font, Ink, Panel, Pen, Place},
};

const WIDTH: u32 = 400;
/// Between these is the plot. To the left are names and sizes, to the right is room for values.
const PLOT: (i32, i32) = (106, 312);
const NAMES: i32 = 68;
const SIZES: i32 = 101;
const ROW: i32 = 15;
const GAP: i32 = 10;

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mark {
    /// From the chart's base.
    Bar(f64),
    /// How far an unstable value can be trusted.
    Whisker(f64, f64),
    /// What the value is held against.
    Tick(f64),
    /// A line between two others.
    Span(f64, f64),
    Ring(f64),
    Disc(f64),
}

impl Mark {
    fn values(self) -> Vec<f64> {
        match self {
            Self::Bar(value) | Self::Tick(value) | Self::Ring(value) | Self::Disc(value) => {
                vec![value]
            }
            Self::Whisker(low, high) | Self::Span(low, high) => vec![low, high],
        }
    }
}

/// The value of one size.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) size: Size,
    pub(super) marks: Vec<Mark>,
    /// The value as text, at the end of the row.
    pub(super) value: String,
}

/// The rows of a backend.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) rows: Vec<Row>,
}

/// Which scale, and where bars begin.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scale {
    /// From 0 to at least this value.
    Linear { to: f64 },
    /// Ratios, whose bars begin at 1.
    Ratio,
    /// From 1, 2 or 5 times a power of ten.
    Log,
}

/// What all panels of a chart share.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) scale: Scale,
    pub(super) unit: &'static str,
    /// Marks and what they mean.
    pub(super) legend: Vec<(Mark, &'static str)>,
    /// The groups of each target.
    pub(super) targets: Vec<(String, Vec<Group>)>,
}

impl Rows {
    /// A panel for each target, all on the same scale.
    pub(super) fn panels(&self) -> Result<Vec<Panel>> {
        let with_rows = self.targets.iter().filter(|(_, groups)| !groups.is_empty());
        with_rows.map(|(target, groups)| self.panel(target, groups)).collect()
    }

    fn axis(&self) -> Axis {
        let rows = self.targets.iter().flat_map(|(_, groups)| groups).flat_map(|group| &group.rows);
        let marks = rows.flat_map(|row| &row.marks);
        let mut values: Vec<f64> = marks.flat_map(|mark| mark.values()).collect();
        match self.scale {
            Scale::Linear { to } => {
                values.push(to);
                Axis::linear(&values, self.unit, PLOT)
            }
            Scale::Ratio => {
                values.push(1.0);
                Axis::log(&values, true, self.unit, PLOT)
            }
            Scale::Log => Axis::log(&values, false, self.unit, PLOT),
        }
    }

    fn panel(&self, target: &str, groups: &[Group]) -> Result<Panel> {
        let count = groups.iter().map(|group| group.rows.len()).sum::<usize>();
        let pixels = |count: usize, each: i32| i32::try_from(count).unwrap_or_default() * each;
        let first = if self.legend.is_empty() { 30 } else { 46 };
        let bottom = first + pixels(count, ROW) + pixels(groups.len(), GAP);
        let height = u32::try_from(bottom + 36).unwrap_or_default();
        Panel::draw((WIDTH, height), words(target, self.unit, groups), |pen| {
            let axis = self.axis();
            pen.text(target, (0, 10), Font::HEAD)?;
            self.draw_legend(pen)?;
            axis.draw_below(pen, (first - 6, bottom - 4))?;
            if matches!(self.scale, Scale::Ratio) {
                let one = axis.place(1.0);
                pen.line(&[(one, first - 6), (one, bottom - 4)], 1, Ink::Muted)?;
            }
            let mut top = first;
            for group in groups {
                let rows = pixels(group.rows.len(), ROW);
                draw_name(pen, &group.name, top + rows / 2)?;
                let mut y = top + ROW / 2;
                for row in &group.rows {
                    self.draw_row(pen, &axis, row, y)?;
                    y += ROW;
                }
                top += rows + GAP;
            }
            Ok(())
        })
    }

    fn draw_legend(&self, pen: &Pen<'_>) -> Result<()> {
        let mut x = PLOT.0;
        for (mark, meaning) in &self.legend {
            match mark {
                Mark::Tick(_) => draw_tick(pen, (x + 4, 26))?,
                Mark::Ring(_) => pen.ring((x + 5, 26), Ink::Muted)?,
                Mark::Disc(_) => pen.disc((x + 5, 26), Ink::Muted)?,
                _ => {}
            }
            pen.text(meaning, (x + 14, 26), Font::SMALL)?;
            x += 30 + Font::SMALL.width(meaning);
        }
        Ok(())
    }

    fn draw_row(&self, pen: &Pen<'_>, axis: &Axis, row: &Row, y: i32) -> Result<()> {
        let ink = Ink::of(row.size);
        pen.text(&row.size.to_string(), (SIZES, y), Font::SMALL.right())?;
        let base = match self.scale {
            Scale::Ratio => axis.place(1.0),
            Scale::Linear { .. } | Scale::Log => PLOT.0,
        };
        let mut end = base;
        for mark in &row.marks {
            let places: Vec<i32> =
                mark.values().into_iter().map(|value| axis.place(value)).collect();
            end = places.iter().copied().fold(end, i32::max);
            match (mark, &places[..]) {
                (Mark::Bar(_), [x]) => {
                    pen.bar((base.min(*x), y - 5), (base.max(*x), y + 5), ink)?;
                }
                (Mark::Whisker(..), [low, high]) => draw_whisker(pen, (*low, *high), y)?,
                (Mark::Tick(_), [x]) => draw_tick(pen, (*x, y))?,
                (Mark::Span(..), [from, to]) => pen.line(&[(*from, y), (*to, y)], 2, ink)?,
                (Mark::Ring(_), [x]) => pen.ring((*x, y), ink)?,
                (Mark::Disc(_), [x]) => pen.disc((*x, y), ink)?,
                _ => {}
            }
        }
        pen.text(&row.value, (end + 8, y), Font::VALUE)
    }
}

/// In two lines, if it has two parts.
fn draw_name(pen: &Pen<'_>, name: &str, middle: i32) -> Result<()> {
    match name.split_once('-') {
        None => pen.text(name, (NAMES, middle), Font::NAME),
        Some((first, second)) => {
            pen.text(&format!("{first}-"), (NAMES, middle - 8), Font::NAME)?;
            pen.text(second, (NAMES, middle + 8), Font::NAME)
        }
    }
}

fn draw_tick(pen: &Pen<'_>, (x, y): Place) -> Result<()> {
    pen.line(&[(x, y - 7), (x, y + 7)], 3, Ink::Text)
}

fn draw_whisker(pen: &Pen<'_>, (low, high): (i32, i32), y: i32) -> Result<()> {
    pen.line(&[(low, y), (high, y)], 1, Ink::Text)?;
    pen.line(&[(low, y - 3), (low, y + 3)], 1, Ink::Text)?;
    pen.line(&[(high, y - 3), (high, y + 3)], 1, Ink::Text)
}

/// All values of a panel.
fn words(target: &str, unit: &str, groups: &[Group]) -> String {
    let groups = groups.iter().map(|Group { name, rows }| {
        let rows = rows.iter().map(|row| format!("{} bits {}", row.size, row.value));
        format!("{name}: {}", rows.collect::<Vec<_>>().join(", "))
    });
    format!("{target}, {unit}. {}.", groups.collect::<Vec<_>>().join("; "))
}
