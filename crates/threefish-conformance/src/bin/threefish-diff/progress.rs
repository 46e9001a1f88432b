//! How far a campaign is: a bar on a terminal, and a line now and then in a log.

use std::{
    fmt::Write,
    io::{self, IsTerminal},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::{FormattedDuration, HumanCount, ProgressBar, ProgressState, ProgressStyle};
use threefish_conformance::differential::Campaign;

/// The bar goes by parts of the campaign, as that ends after a time or after some cases.
const PARTS: u32 = 10_000;

/// Between two lines where there is no terminal.
const LINES: Duration = Duration::from_secs(60);

/// On standard error.
pub(crate) struct Progress {
    campaign: Campaign,
    start: Instant,
    done: Arc<AtomicU64>,
    /// None where there is no terminal.
    bar: Option<ProgressBar>,
    /// Lines written so far, one for each [`LINES`].
    lines: AtomicU64,
}

impl Progress {
    pub(crate) fn new(campaign: &Campaign) -> Self {
        let start = Instant::now();
        let done = Arc::new(AtomicU64::new(0));
        let bar = io::stderr().is_terminal().then(|| {
            ProgressBar::new(PARTS.into()).with_style(style(*campaign, start, Arc::clone(&done)))
        });
        Self { campaign: *campaign, start, done, bar, lines: AtomicU64::new(0) }
    }

    /// So many cases are done.
    pub(crate) fn update(&self, done: u64) {
        let done = self.done.fetch_max(done, Ordering::Relaxed).max(done);
        let elapsed = self.start.elapsed();
        if let Some(bar) = &self.bar {
            bar.set_position(part(&self.campaign, done, elapsed));
            return;
        }
        let line = elapsed.as_secs() / LINES.as_secs();
        if line > self.lines.fetch_max(line, Ordering::Relaxed) {
            eprintln!("{}", text(&self.campaign, done, elapsed));
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(campaign: Campaign, start: Instant, done: Arc<AtomicU64>) -> ProgressStyle {
    ProgressStyle::with_template("{wide_bar} {text}")
        .unwrap_or(ProgressStyle::default_bar())
        .with_key("text", move |_: &ProgressState, out: &mut dyn Write| {
            let text = text(&campaign, done.load(Ordering::Relaxed), start.elapsed());
            // There is no one to tell.
            let _ = out.write_str(&text);
        })
}

/// The part that is done, of 1: by time or by cases, whichever ends sooner.
#[expect(clippy::cast_precision_loss, reason = "shown to people")]
fn fraction(campaign: &Campaign, done: u64, elapsed: Duration) -> f64 {
    let by_cases = done as f64 / campaign.cases.max(1) as f64;
    let by_time =
        campaign.time.map_or(0.0, |time| elapsed.as_secs_f64() / time.as_secs_f64().max(1e-9));
    by_cases.max(by_time).min(1.0)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to PARTS")]
fn part(campaign: &Campaign, done: u64, elapsed: Duration) -> u64 {
    (fraction(campaign, done, elapsed) * f64::from(PARTS)) as u64
}

/// Cases, cases a second, and the time that is left at the pace so far.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "shown to people"
)]
fn text(campaign: &Campaign, done: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let per_second = (done as f64 / seconds.max(1e-9)) as u64;
    let fraction = fraction(campaign, done, elapsed).max(1e-9);
    let left = Duration::from_secs_f64(seconds / fraction - seconds);
    let of = match campaign.cases {
        u64::MAX => String::new(),
        cases => format!(" of {}", HumanCount(cases)),
    };
    format!(
        "{}{of} cases, {}/s, {} left",
        HumanCount(done),
        HumanCount(per_second),
        FormattedDuration(left),
    )
}
