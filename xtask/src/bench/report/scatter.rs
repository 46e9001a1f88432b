//! A chart of two quantities: a line for each backend, from size to size.

use anyhow::Result;
use threefish_benches::Size;

use super::{
    axis::Axis,
    canvas::{Font, Ink, Panel, Pen, Place},
    numbers::short,
};

const SIZE: (u32, u32) = (400, 380);
const HORIZONTAL: (i32, i32) = (42, 386);
/// Greater values are higher.
const VERTICAL: (i32, i32) = (330, 60);

/// A backend at each size: the size, and both quantities.
#[derive(Debug)]
pub(super) struct Trail {
    pub(super) name: String,
    pub(super) points: Vec<(Size, f64, f64)>,
}

/// What all panels of a chart share.
#[derive(Debug)]
pub(super) struct Scatter {
    pub(super) across: &'static str,
    pub(super) up: &'static str,
    /// The trails of each target.
    pub(super) targets: Vec<(String, Vec<Trail>)>,
}

impl Scatter {
    /// A panel for each target, all on the same scales.
    pub(super) fn panels(&self) -> Result<Vec<Panel>> {
        let with_trails = self.targets.iter().filter(|(_, trails)| !trails.is_empty());
        with_trails.map(|(target, trails)| self.panel(target, trails)).collect()
    }

    fn axes(&self) -> (Axis, Axis) {
        let trails = self.targets.iter().flat_map(|(_, trails)| trails);
        let (across, up): (Vec<_>, Vec<_>) =
            trails.flat_map(|trail| &trail.points).map(|(_, across, up)| (across, up)).unzip();
        (
            Axis::log(&across, false, self.across, HORIZONTAL),
            Axis::log(&up, false, self.up, VERTICAL),
        )
    }

    fn panel(&self, target: &str, trails: &[Trail]) -> Result<Panel> {
        let words = format!("{target}. {}.", self.words(trails));
        Panel::draw(SIZE, words, |pen| {
            let (across, up) = self.axes();
            pen.text(target, (0, 10), Font::HEAD)?;
            draw_legend(pen)?;
            across.draw_below(pen, (VERTICAL.1 - 8, VERTICAL.0 + 8))?;
            up.draw_beside(pen, (HORIZONTAL.0, HORIZONTAL.1))?;
            let placed: Vec<Vec<(Size, Place)>> = trails
                .iter()
                .map(|trail| {
                    let points = trail.points.iter();
                    points.map(|(size, x, y)| (*size, (across.place(*x), up.place(*y)))).collect()
                })
                .collect();
            for points in &placed {
                let line: Vec<_> = points.iter().map(|(_, place)| *place).collect();
                pen.line(&line, 1, Ink::Muted)?;
            }
            for (size, place) in placed.iter().flatten() {
                pen.mark(*place, *size)?;
            }
            let mut taken: Vec<Area> =
                placed.iter().flat_map(|points| Area::along(points)).collect();
            for (trail, points) in trails.iter().zip(&placed) {
                if let Some(area) = Area::for_label(&trail.name, points, &taken) {
                    let place = (area.left, i32::midpoint(area.top, area.bottom));
                    pen.text(&trail.name, place, Font::NAME.left())?;
                    taken.push(area);
                }
            }
            Ok(())
        })
    }

    fn words(&self, trails: &[Trail]) -> String {
        let Self { across, up, .. } = self;
        let trails = trails.iter().map(|Trail { name, points }| {
            let points = points.iter().map(|(size, x, y)| {
                format!("{size} bits {} {across} and {} {up}", short(*x), short(*y))
            });
            format!("{name}: {}", points.collect::<Vec<_>>().join(", "))
        });
        trails.collect::<Vec<_>>().join("; ")
    }
}

fn draw_legend(pen: &Pen<'_>) -> Result<()> {
    for (size, x) in [Size::Bits256, Size::Bits512, Size::Bits1024].into_iter().zip([110, 205, 300])
    {
        pen.mark((x, 10), size)?;
        pen.text(&format!("{size} bits"), (x + 12, 10), Font::SMALL)?;
    }
    Ok(())
}

/// A rectangle that is taken.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl Area {
    fn around((x, y): Place) -> Self {
        Self { left: x - 7, top: y - 7, right: x + 7, bottom: y + 7 }
    }

    /// Those of points and of the lines between them.
    fn along(points: &[(Size, Place)]) -> Vec<Self> {
        let lines = points.windows(2).flat_map(|pair| {
            let [(_, (x0, y0)), (_, (x1, y1))] = [pair[0], pair[1]];
            let steps = (x1 - x0).abs().max((y1 - y0).abs()) / 6 + 1;
            let at = move |i| (x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps);
            (0..steps).map(at).map(|(x, y)| Self {
                left: x - 2,
                top: y - 2,
                right: x + 2,
                bottom: y + 2,
            })
        });
        points.iter().map(|(_, place)| Self::around(*place)).chain(lines).collect()
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// Pixels of the overlap.
    fn shared(&self, other: &Self) -> i32 {
        if !self.overlaps(other) {
            return 0;
        }
        (self.right.min(other.right) - self.left.max(other.left))
            * (self.bottom.min(other.bottom) - self.top.max(other.top))
    }

    /// Beside one of the points, where least is taken: the right of a point before its left,
    /// above and below.
    fn for_label(name: &str, points: &[(Size, Place)], taken: &[Self]) -> Option<Self> {
        let width = Font::NAME.width(name);
        let at = |left: i32, y: i32| Self { left, top: y - 8, right: left + width, bottom: y + 8 };
        let around = |(x, y): Place| {
            [
                at(x + 10, y),
                at(x - 10 - width, y),
                at(x - width / 2, y - 16),
                at(x - width / 2, y + 16),
                at(x + 8, y - 13),
                at(x + 8, y + 13),
                at(x - 8 - width, y - 13),
                at(x - 8 - width, y + 13),
            ]
        };
        let within = |area: &Self| area.left >= HORIZONTAL.0 && area.right <= HORIZONTAL.1 + 14;
        let candidates = points.iter().flat_map(|(_, place)| around(*place)).filter(within);
        candidates.min_by_key(|area| taken.iter().map(|other| area.shared(other)).sum::<i32>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_find_room() {
        let point = |x, y| (Size::Bits256, (x, y));
        let mut taken = Area::along(&[point(200, 200), point(216, 200), point(300, 200)]);
        for (name, points) in [("unrolled", [point(200, 200)]), ("sse2", [point(216, 200)])] {
            let area = Area::for_label(name, &points, &taken).unwrap();
            assert!(taken.iter().all(|other| !area.overlaps(other)), "{name}: {area:?}");
            taken.push(area);
        }
    }
}
