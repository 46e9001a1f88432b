//! The report of a run: a page to look at, Markdown to paste, JSON for machines.
//!
//! | module | what it holds |
//! |---|---|
//! | [`bounds`] | what no kernel can beat |
//! | [`charts`] | what is shown in pictures |
//! | [`rows`], [`scatter`] | the two kinds of them |
//! | [`axis`], [`canvas`] | their scales and colours |
//! | [`tables`] | what is said in tables and lines |
//! | [`page`], [`markdown`] | how all of it is written down |
//! | [`document`] | a chart as a file of its own |
//! | [`numbers`] | numbers for people |

mod axis;
mod bounds;
#[cfg(test)]
mod browser;
mod canvas;
mod charts;
mod document;
mod markdown;
mod numbers;
mod page;
mod rows;
mod scatter;
mod tables;

use std::{
    fmt, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result};
use threefish_benches::recording::Recording;

/// A comparison with an earlier run.
#[derive(Clone, Debug)]
pub(crate) struct Changes {
    /// Which run that is.
    pub(crate) against: String,
    pub(crate) rows: Vec<Change>,
    /// What else has to be known.
    pub(crate) notes: Vec<String>,
}

/// How one result changed.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// What was measured, in words.
    pub(crate) what: String,
    /// The time before over the time now: above 1 is faster now.
    pub(crate) ratio: f64,
    pub(crate) verdict: Verdict,
    /// How probable a difference as great as this one is by chance.
    pub(crate) p: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Faster,
    Slower,
    Same,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::Same => "same",
        })
    }
}

/// The files of a report.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) html: PathBuf,
    pub(crate) markdown: PathBuf,
    pub(crate) json: PathBuf,
}

/// Writes `report.html`, `report.md` and `report.json` into a directory.
pub(crate) fn write(
    directory: &Path,
    recordings: &[Recording],
    changes: Option<&Changes>,
) -> Result<Written> {
    let charts = charts::all(recordings)?;
    let file = |name: &str, text: String| {
        let path = directory.join(name);
        fs::write(&path, text).with_context(|| format!("can't write {}", path.display()))?;
        Ok::<_, anyhow::Error>(path)
    };
    fs::create_dir_all(directory)
        .with_context(|| format!("can't make the directory {}", directory.display()))?;
    Ok(Written {
        html: file("report.html", page::page(recordings, &charts, changes))?,
        markdown: file("report.md", markdown::document(recordings, &charts, changes))?,
        json: file("report.json", serde_json::to_string_pretty(recordings)? + "\n")?,
    })
}

/// The charts as files of their own, for documents: the name of each, without `.svg`, and the
/// picture.
pub(crate) fn charts_for_documents(
    recordings: &[Recording],
) -> Result<Vec<(&'static str, String)>> {
    let charts = charts::all(recordings)?;
    let shown = charts.iter().filter(|chart| !chart.panels.is_empty());
    Ok(shown.map(|chart| (chart.name, document::svg(chart))).collect())
}

/// Where Chromium is looked for.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The environment variable that makes a missing browser a failure of the test that needs it.
pub(crate) const REQUIRE_BROWSER: &str = "REQUIRE_BROWSER";

/// A browser that can open a report without a window.
pub(crate) fn browser() -> Option<&'static str> {
    let runs = |program: &&str| {
        let mut command = Command::new(program);
        command.arg("--version").stdin(Stdio::null());
        command.output().is_ok_and(|output| output.status.success())
    };
    BROWSERS.into_iter().find(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of both targets. Medians are those of a quick run of three starts, sizes of code come from
    /// the budgets; uncertainties, the values of each start, and facts of machine and method are made up:
    /// an example for tests, and no measurement to be quoted.
    pub(super) fn recordings() -> [Recording; 2] {
        let texts = [
            include_str!("../../tests/recordings/x86_64.json"),
            include_str!("../../tests/recordings/i686.json"),
        ];
        texts.map(|text| serde_json::from_str(text).unwrap())
    }

    pub(super) fn changes() -> Changes {
        let change =
            |what: &str, ratio, verdict, p| Change { what: what.to_owned(), ratio, verdict, p };
        Changes {
            against: "the run of <yesterday>".to_owned(),
            rows: vec![
                change("x86_64 avx512 256 bulk-16k encrypt", 1.043, Verdict::Faster, 0.0004),
                change("x86_64 sse2 512 single decrypt", 0.91, Verdict::Slower, 0.003),
                change("i686 scalar 1024 single encrypt", 1.002, Verdict::Same, 0.48),
            ],
            notes: vec!["Another compiler.".to_owned()],
        }
    }

    /// The three files: HTML, Markdown and JSON.
    fn written(recordings: &[Recording], changes: Option<&Changes>) -> [String; 3] {
        let directory = xshell::Shell::new().unwrap().create_temp_dir().unwrap();
        let directory = directory.path().join("new").join("report");
        let Written { html, markdown, json } = write(&directory, recordings, changes).unwrap();
        [html, markdown, json].map(|path| fs::read_to_string(path).unwrap())
    }

    #[test]
    fn all_that_was_measured_is_there() {
        let recordings = recordings();
        let [html, markdown, json] = written(&recordings, None);
        for text in [&html, &markdown] {
            for backend in ["scalar", "unrolled", "sse2", "avx2", "avx512", "auto"] {
                assert!(text.contains(backend), "{backend}");
            }
            for fact in ["3.07 GHz (3.05 to 3.08)", "2.30 GHz", "KVM", "neon on i686: not there"] {
                assert!(text.contains(fact), "{fact}");
            }
            assert!(text.contains(" ±") && !text.contains("nterrupted"));
        }
        assert_eq!(html.matches("<svg ").count(), 6 * 2);
        assert_eq!(html.matches("aria-label=\"Throughput in bulk. x86_64, GB/s.").count(), 1);
        let tables = html.matches("<table>").count();
        assert_eq!(tables, html.matches("<caption>").count());
        assert_eq!(tables, 2 * 2 + 2 + 1 + 2);
        assert_eq!(serde_json::from_str::<Vec<Recording>>(&json).unwrap(), recordings);
    }

    #[test]
    fn the_page_needs_nothing_else() {
        let [html, ..] = written(&recordings(), Some(&changes()));
        for loads in ["<script", "<link", "src=", "url(", "@import", "http:", "https:"] {
            assert!(!html.contains(loads), "{loads}");
        }
    }

    #[test]
    fn what_machines_call_themselves_is_text() {
        let mut recordings = recordings();
        recordings[0].machine.processor = "<b>|&\"".to_owned();
        recordings[0].skipped.push(("neon".to_owned(), "a < b".to_owned()));
        recordings[0].target = "x<86".to_owned();
        let [html, markdown, _] = written(&recordings, Some(&changes()));
        assert!(html.contains("&lt;b&gt;|&amp;") && !html.contains("<b>"), "not escaped");
        assert!(html.contains("a &lt; b") && !html.contains("x<86"), "not escaped");
        assert!(html.contains("&lt;yesterday&gt;"), "not escaped");
        assert!(markdown.contains("&lt;b>\\|") && !markdown.contains("<b>"), "not escaped");
        let svgs = charts_for_documents(&recordings).unwrap();
        assert!(svgs.iter().all(|(_, svg)| !svg.contains("x<86")), "not escaped");
    }

    #[test]
    fn a_comparison_and_an_interruption_are_shown() {
        let mut recordings = recordings();
        recordings[0].method.interrupted = true;
        let [html, markdown, _] = written(&recordings, Some(&changes()));
        for text in [html, markdown] {
            for expected in ["Interrupted", "+4.3 %", "−9.0 %", "slower", "Another compiler."] {
                assert!(text.contains(expected), "{expected}");
            }
        }
    }

    #[test]
    fn pictures_that_stand_alone() {
        let svgs = charts_for_documents(&recordings()).unwrap();
        assert_eq!(svgs.len(), 6);
        for (file, svg) in &svgs {
            assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{file}");
            assert!(svg.contains("prefers-color-scheme: dark") && svg.contains("<title>"));
            assert_eq!(svg.matches("<svg").count(), 1);
        }
    }

    #[test]
    fn a_report_of_nothing() {
        let [html, ..] = written(&[], None);
        assert!(html.contains("Nothing was measured."));
    }
}
