//! The report as Markdown.

use std::fmt::Write;

use threefish_benches::recording::Recording;

use super::{
    Changes,
    charts::Chart,
    tables::{self, Cell, Table},
};

pub(super) fn document(
    recordings: &[Recording],
    charts: &[Chart],
    changes: Option<&Changes>,
) -> String {
    let mut parts = vec!["# Threefish: how fast each backend is".to_owned()];
    if let Some(notice) = tables::interrupted(recordings) {
        parts.push(format!("**Interrupted.** {}", plain(&notice)));
    }
    let findings = charts.iter().filter(|chart| !chart.panels.is_empty());
    parts.push(list(findings.map(|chart| format!("{}. {}", chart.title, chart.finding))));
    if let Some(changes) = changes {
        parts.push(format!("## Against {}", plain(&changes.against)));
        parts.push(table(&tables::changes(changes)));
        parts.push(list(changes.notes.iter().cloned()));
    }
    for recording in recordings {
        parts.push(format!("## Results on {}", plain(&recording.target)));
        parts.push(
            "Ratios first: above 1 is faster. Bold: the fastest of our backends. ±: unstable."
                .to_owned(),
        );
        parts.extend(tables::results(recording).iter().map(table));
        parts.extend(tables::bounds(recording).iter().map(table));
    }
    parts.push("## The machine".to_owned());
    parts.push(table(&tables::machines(recordings)));
    parts.push("## How it was measured".to_owned());
    parts.push(list(tables::method(recordings)));
    let skipped = tables::skipped(recordings);
    if !skipped.is_empty() {
        parts.push("## Left out".to_owned());
        parts.push(list(skipped));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n") + "\n"
}

fn list(lines: impl IntoIterator<Item = String>) -> String {
    let lines = lines.into_iter().map(|line| format!("- {}", plain(&line)));
    lines.collect::<Vec<_>>().join("\n")
}

fn table(Table { caption, names, values, rows }: &Table) -> String {
    let heads = values.iter().flat_map(|(group, heads)| {
        let group = if group.is_empty() { String::new() } else { format!("{group}, ") };
        heads.iter().map(move |head| format!("{group}{head}"))
    });
    let heads: Vec<_> = names.iter().map(|name| (*name).to_owned()).chain(heads).collect();
    let rules = (0..heads.len()).map(|i| if i < names.len() { "---" } else { "---:" });
    let mut text = format!("**{}**\n\n", plain(caption));
    let mut line = |cells: Vec<String>| {
        // Writing to a string can't fail.
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    };
    line(heads.iter().map(|head| plain(head)).collect());
    line(rules.map(str::to_owned).collect());
    for row in rows {
        line(row.iter().map(cell).collect());
    }
    text.trim_end().to_owned()
}

fn cell(Cell { text, best }: &Cell) -> String {
    if *best { format!("**{}**", plain(text)) } else { plain(text) }
}

/// Text that Markdown takes for nothing else.
fn plain(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}
