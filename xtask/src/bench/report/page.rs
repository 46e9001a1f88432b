//! The report as one page of HTML that needs nothing else: no script, no network.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use threefish_benches::recording::Recording;

use super::{
    Changes,
    canvas::{Ink, Panel},
    charts::Chart,
    tables::{self, Cell, Table},
};

/// Forbids the browser to load anything.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const STYLE: &str = include_str!("page.css");

pub(super) fn page(
    recordings: &[Recording],
    charts: &[Chart],
    changes: Option<&Changes>,
) -> String {
    let sections = html! {
        @for chart in charts { (self::chart(chart)) }
        @if let Some(changes) = changes { (comparison(changes)) }
        @for recording in recordings { (results(recording)) }
        (how(recordings))
        @for recording in recordings { (details(recording)) }
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Threefish: how fast each backend is" }
                style { (PreEscaped(Ink::style())) (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { "Threefish: how fast each backend is" }
                    p { (summary(recordings)) }
                    @if let Some(notice) = tables::interrupted(recordings) {
                        p.notice role="note" { strong { "Interrupted. " } (notice) }
                    }
                }
                main { (sections) }
            }
        }
    };
    page.into_string()
}

/// On which machine, when, for which targets.
fn summary(recordings: &[Recording]) -> String {
    let Some(Recording { machine, date, .. }) = recordings.first() else {
        return "Nothing was measured.".to_owned();
    };
    let targets: Vec<_> = recordings.iter().map(|recording| &*recording.target).collect();
    format!("{}, {}; {}; {date}.", targets.join(" and "), machine.processor, machine.rustc)
}

fn chart(Chart { name, title, finding, reading, panels, notes }: &Chart) -> Markup {
    html! {
        section id=(name) {
            h2 { (title) }
            @if panels.is_empty() {
                p { "Nothing to show: this run has no results for this chart." }
            } @else {
                p.finding { (finding) }
                div.panels { @for panel in panels { figure { (picture(title, panel)) } } }
                p.reading { (reading) }
            }
            @for note in notes { p.reading { (note) } }
        }
    }
}

fn picture(title: &str, Panel { width, height, body, words }: &Panel) -> Markup {
    html! {
        svg role="img" aria-label=(format!("{title}. {words}"))
            viewBox=(format!("0 0 {width} {height}")) {
            title { (title) }
            (PreEscaped(body))
        }
    }
}

fn comparison(changes: &Changes) -> Markup {
    html! {
        section id="changes" {
            h2 { "Against " (changes.against) }
            (table(&tables::changes(changes)))
            @for note in &changes.notes { p.reading { (note) } }
        }
    }
}

fn results(recording: &Recording) -> Markup {
    html! {
        section id=(format!("results-{}", recording.target)) {
            h2 { "Results on " (recording.target) }
            p.reading {
                "Ratios first: above 1 is faster. Bold: the fastest of our backends. ±: unstable."
            }
            @for results in tables::results(recording) { (table(&results)) }
            @if let Some(bounds) = tables::bounds(recording) { (table(&bounds)) }
        }
    }
}

/// The machine, the method, and who was left out.
fn how(recordings: &[Recording]) -> Markup {
    let skipped = tables::skipped(recordings);
    html! {
        section id="machine" {
            h2 { "The machine" }
            (table(&tables::machines(recordings)))
        }
        section id="method" {
            h2 { "How it was measured" }
            ol { @for line in tables::method(recordings) { li { (line) } } }
        }
        @if !skipped.is_empty() {
            section id="skipped" {
                h2 { "Left out" }
                ul { @for line in skipped { li { (line) } } }
            }
        }
    }
}

fn details(recording: &Recording) -> Markup {
    html! {
        details {
            summary { "All numbers on " (recording.target) }
            (table(&tables::details(recording)))
        }
    }
}

/// In a box of its own, which scrolls where it is narrow.
fn table(Table { caption, names, values, rows }: &Table) -> Markup {
    let grouped = values.iter().any(|(head, _)| !head.is_empty());
    let above = if grouped { "2" } else { "1" };
    html! {
        div.scroll role="region" aria-label=(caption) tabindex="0" {
            table {
                caption { span { (caption) } }
                thead {
                    tr {
                        @for name in names { th scope="col" rowspan=(above) { (name) } }
                        @for (head, heads) in values {
                            @if grouped {
                                th.group scope="colgroup" colspan=(heads.len()) { (head) }
                            } @else {
                                @for head in heads { th scope="col" { (head) } }
                            }
                        }
                    }
                    @if grouped {
                        tr {
                            @for (_, heads) in values {
                                @for (i, head) in heads.iter().enumerate() {
                                    th.first[i == 0] scope="col" { (head) }
                                }
                            }
                        }
                    }
                }
                tbody { @for cells in rows { (row(cells, names.len(), values)) } }
            }
        }
    }
}

fn row(cells: &[Cell], names: usize, values: &[(String, Vec<String>)]) -> Markup {
    let (names, cells) = cells.split_at(names.min(cells.len()));
    let firsts: Vec<_> = values
        .iter()
        .scan(0, |next, (_, heads)| {
            let first = *next;
            *next += heads.len();
            Some(first)
        })
        .collect();
    // What is the same for all targets is said once.
    let same = cells.windows(2).all(|pair| pair[0] == pair[1]) && values.len() == 1;
    let shown = if same { &cells[..cells.len().min(1)] } else { cells };
    html! {
        tr {
            @for Cell { text, .. } in names { th scope="row" { (text) } }
            @for (i, Cell { text, best }) in shown.iter().enumerate() {
                td.first[firsts.contains(&i)] colspan=[same.then_some(cells.len())] {
                    @if *best { strong { (text) } } @else { (text) }
                }
            }
        }
    }
}
