//! Pictures as SVG: `plotters` draws with colours that stand for roles, and each becomes a variable
//! of a style sheet, which has one value in light and another in dark.

use anyhow::{Result, anyhow};
use plotters::{
    coord::Shift,
    prelude::{Circle, DrawingArea, IntoDrawingArea, PathElement, Polygon, Rectangle, SVGBackend},
    style::{
        Color, FontFamily, FontStyle, IntoTextStyle, RGBColor,
        text_anchor::{HPos, Pos, VPos},
    },
};
use threefish_benches::Size;

/// A place in pixels, from the left and from the top.
pub(super) type Place = (i32, i32);

/// What a colour says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Surface,
    Text,
    Muted,
    Grid,
    Bits256,
    Bits512,
    Bits1024,
}

impl Ink {
    /// Its name in style sheets, and its values in light and in dark. Sizes have colours of the
    /// palette of Okabe and Ito, which the colour-blind can tell apart.
    const ALL: [(Self, &'static str, &'static str, &'static str); 7] = [
        (Self::Surface, "surface", "#ffffff", "#14171a"),
        (Self::Text, "text", "#1b1f23", "#e8eaed"),
        (Self::Muted, "muted", "#57606a", "#a3acb5"),
        (Self::Grid, "grid", "#d8dee4", "#363c43"),
        (Self::Bits256, "bits-256", "#0072b2", "#56b4e9"),
        (Self::Bits512, "bits-512", "#d55e00", "#e69f00"),
        (Self::Bits1024, "bits-1024", "#009e73", "#1dbf91"),
    ];

    pub(super) fn of(size: Size) -> Self {
        match size {
            Size::Bits256 => Self::Bits256,
            Size::Bits512 => Self::Bits512,
            Size::Bits1024 => Self::Bits1024,
        }
    }

    /// A colour that nobody would choose, so that it can be found again.
    fn placeholder(self) -> RGBColor {
        RGBColor(0xfe, 0xed, self as u8)
    }

    /// The style sheet that gives the variables their values.
    pub(super) fn style() -> String {
        let values =
            |value: fn(&(Self, &'static str, &'static str, &'static str)) -> &'static str| {
                let all = Self::ALL.iter();
                all.map(|ink| format!("--{}: {};", ink.1, value(ink))).collect::<Vec<_>>().join(" ")
            };
        let (light, dark) = (values(|ink| ink.2), values(|ink| ink.3));
        format!(
            ":root {{ color-scheme: light dark; {light} }}\n\
             @media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n\
             svg text {{ paint-order: stroke; stroke: var(--surface); stroke-width: 3px; \
             stroke-linejoin: round; }}\n"
        )
    }
}

/// The picture of one target.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    pub(super) width: u32,
    pub(super) height: u32,
    /// The elements of the picture, without the `svg` around.
    pub(super) body: String,
    /// The picture in words.
    pub(super) words: String,
}

impl Panel {
    pub(super) fn draw(
        (width, height): (u32, u32),
        words: String,
        draw: impl FnOnce(&Pen<'_>) -> Result<()>,
    ) -> Result<Self> {
        let mut svg = String::new();
        {
            let pen = Pen(SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area());
            draw(&pen)?;
            sound(pen.0.present())?;
        }
        let body = svg.split_once('>').map_or("", |(_, rest)| rest.trim());
        let body = body.strip_suffix("</svg>").unwrap_or(body);
        Ok(Self { width, height, body: with_variables(body), words })
    }
}

/// Variables in the place of placeholders.
fn with_variables(svg: &str) -> String {
    Ink::ALL.iter().fold(svg.to_owned(), |svg, (ink, name, ..)| {
        let RGBColor(red, green, blue) = ink.placeholder();
        let placeholder = format!("\"#{red:02X}{green:02X}{blue:02X}\"");
        svg.replace(&placeholder, &format!("\"var(--{name})\""))
    })
}

/// Draws on a panel.
pub(super) struct Pen<'a>(DrawingArea<SVGBackend<'a>, Shift>);

impl Pen<'_> {
    pub(super) fn bar(&self, corner: Place, opposite: Place, ink: Ink) -> Result<()> {
        sound(self.0.draw(&Rectangle::new([corner, opposite], ink.placeholder().filled())))
    }

    pub(super) fn line(&self, points: &[Place], width: u32, ink: Ink) -> Result<()> {
        let style = ink.placeholder().stroke_width(width);
        sound(self.0.draw(&PathElement::new(points.to_vec(), style)))
    }

    pub(super) fn area(&self, points: &[Place], ink: Ink) -> Result<()> {
        sound(self.0.draw(&Polygon::new(points.to_vec(), ink.placeholder().filled())))
    }

    pub(super) fn disc(&self, centre: Place, ink: Ink) -> Result<()> {
        sound(self.0.draw(&Circle::new(centre, 5, ink.placeholder().filled())))
    }

    /// A disc with a hole.
    pub(super) fn ring(&self, centre: Place, ink: Ink) -> Result<()> {
        self.disc(centre, ink)?;
        sound(self.0.draw(&Circle::new(centre, 3, Ink::Surface.placeholder().filled())))
    }

    /// The mark of a size, of which each has another shape: a disc, a square, a triangle.
    pub(super) fn mark(&self, (x, y): Place, size: Size) -> Result<()> {
        let ink = Ink::of(size);
        match size {
            Size::Bits256 => self.disc((x, y), ink),
            Size::Bits512 => self.bar((x - 5, y - 5), (x + 5, y + 5), ink),
            Size::Bits1024 => self.area(&[(x - 6, y + 5), (x + 6, y + 5), (x, y - 6)], ink),
        }
    }

    /// Text, vertically centred at a place.
    pub(super) fn text(&self, text: &str, place: Place, font: Font) -> Result<()> {
        let weight = if font.bold { FontStyle::Bold } else { FontStyle::Normal };
        // The SVG backend divides sizes by 1.24.
        let style = (FontFamily::SansSerif, font.size * 1.24, weight)
            .with_color(font.ink.placeholder())
            .with_anchor::<RGBColor>(Pos::new(font.anchor, VPos::Center));
        sound(self.0.draw_text(text, &style.into_text_style(&self.0), place))
    }
}

/// How a text looks.
#[derive(Clone, Copy)]
pub(super) struct Font {
    size: f64,
    bold: bool,
    anchor: HPos,
    ink: Ink,
}

impl Font {
    pub(super) const HEAD: Self =
        Self { size: 15.0, bold: true, anchor: HPos::Left, ink: Ink::Text };
    pub(super) const NAME: Self =
        Self { size: 13.0, bold: false, anchor: HPos::Right, ink: Ink::Text };
    pub(super) const VALUE: Self =
        Self { size: 12.0, bold: false, anchor: HPos::Left, ink: Ink::Text };
    pub(super) const SMALL: Self =
        Self { size: 11.5, bold: false, anchor: HPos::Left, ink: Ink::Muted };

    pub(super) fn left(self) -> Self {
        Self { anchor: HPos::Left, ..self }
    }

    pub(super) fn right(self) -> Self {
        Self { anchor: HPos::Right, ..self }
    }

    pub(super) fn centred(self) -> Self {
        Self { anchor: HPos::Center, ..self }
    }

    /// About how many pixels wide a text is: fonts differ.
    pub(super) fn width(self, text: &str) -> i32 {
        let widths = text.chars().map(|c| match c {
            ' ' | '.' | ',' | ':' | '-' | 'i' | 'l' | 't' | 'f' | 'r' => 0.36,
            'm' | 'w' | '%' | '×' | '±' => 0.86,
            'A'..='Z' => 0.7,
            _ => 0.58,
        });
        whole(widths.sum::<f64>() * self.size)
    }
}

/// The nearest pixel.
#[expect(clippy::cast_possible_truncation, reason = "pictures are some hundreds of pixels wide")]
pub(super) fn whole(pixels: f64) -> i32 {
    pixels.round() as i32
}

/// Errors of `plotters` borrow the picture.
fn sound<T>(result: Result<T, impl std::error::Error>) -> Result<T> {
    result.map_err(|error| anyhow!("a chart can't be drawn: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_placeholder_becomes_a_variable() {
        let panel = Panel::draw((10, 10), String::new(), |pen| {
            for (ink, ..) in Ink::ALL {
                pen.bar((1, 1), (2, 2), ink)?;
                pen.line(&[(1, 1), (2, 2)], 1, ink)?;
                pen.text("a < b", (5, 5), Font { ink, ..Font::NAME })?;
            }
            Ok(())
        });
        let body = panel.unwrap().body;
        for (_, name, ..) in Ink::ALL {
            assert_eq!(body.matches(&format!("\"var(--{name})\"")).count(), 3, "{name}: {body}");
            assert!(Ink::style().contains(&format!("--{name}: #")));
        }
        assert!(!body.contains('#'), "a colour is left: {body}");
        assert!(!body.contains("svg"), "{body}");
        assert!(body.contains("a &lt; b"), "{body}");
    }

    #[test]
    fn placeholders_differ() {
        for (i, (ink, ..)) in Ink::ALL.into_iter().enumerate() {
            assert_eq!(ink as usize, i);
        }
    }
}
