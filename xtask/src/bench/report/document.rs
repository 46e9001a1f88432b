//! A chart as a file of SVG, for documents: its targets side by side, on a background of its own.

use maud::{Markup, PreEscaped, html};

use super::{canvas::Ink, charts::Chart};

const MARGIN: u32 = 16;
const GAP: u32 = 32;
/// For the title and the finding.
const HEAD: u32 = 72;

/// The chart on white, or on black where people prefer it.
pub(super) fn svg(Chart { title, finding, panels, .. }: &Chart) -> String {
    let places = panels.iter().scan(MARGIN, |next, panel| {
        let x = *next;
        *next += panel.width + GAP;
        Some(x)
    });
    let width = panels.iter().map(|panel| panel.width + GAP).sum::<u32>() + 2 * MARGIN - GAP;
    let height = panels.iter().map(|panel| panel.height).max().unwrap_or(0) + HEAD + MARGIN;
    let words: Vec<_> = panels.iter().map(|panel| panel.words.as_str()).collect();
    let body: Markup = html! {
        title { (title) ". " (finding) }
        desc { (words.join(" ")) }
        style { (PreEscaped(Ink::style())) "text { font-family: system-ui, sans-serif; }" }
        rect width="100%" height="100%" rx="6" fill="var(--surface)" {}
        text x=(MARGIN) y="30" font-size="19" font-weight="bold" fill="var(--text)" { (title) }
        text x=(MARGIN) y="52" font-size="12.5" fill="var(--muted)" { (finding) }
        @for (panel, x) in panels.iter().zip(places) {
            g transform=(format!("translate({x} {HEAD})")) { (PreEscaped(&panel.body)) }
        }
    };
    let size = format!("width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\"");
    let body = body.into_string();
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {size} role=\"img\">\n{body}</svg>\n")
}
