//! The charts of a report: what is shown, and what can be seen in it.

use anyhow::Result;
use threefish_benches::{
    Case, Op,
    recording::{Record, Recording},
    statistics::Estimate,
    subject::{NOTHING, YARDSTICK},
};

use super::{
    bounds::{self, DEFAULT_FLAGS},
    canvas::Panel,
    numbers::{fixed, mark, percent},
    rows::{Group, Mark, Row, Rows, Scale},
    scatter::{Scatter, Trail},
};

/// A picture for each target, and what is to be said about them.
#[derive(Debug)]
pub(super) struct Chart {
    /// For anchors; with `.svg`, of a file.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// What stands out.
    pub(super) finding: String,
    /// How it is read.
    pub(super) reading: &'static str,
    pub(super) panels: Vec<Panel>,
    /// What is not in it, and why.
    pub(super) notes: Vec<String>,
}

/// All charts, of encryption by programs compiled with default flags.
pub(super) fn all(recordings: &[Recording]) -> Result<Vec<Chart>> {
    let charts = [throughput, speed_up, single_and_bulk, code, latency, ports]
        .map(|chart| chart(recordings));
    charts.into_iter().collect()
}

fn throughput(recordings: &[Recording]) -> Result<Chart> {
    let row = |record: &Record| {
        let rate = &record.gb_per_s;
        let value = format!("{}{}", fixed(rate.median), mark(rate));
        Some((bar(rate, rate.median), value))
    };
    let rows = Rows {
        scale: Scale::Linear { to: 0.0 },
        unit: "GB/s",
        legend: vec![],
        targets: targets(recordings, Case::Bulk16K, |_, record| row(record)),
    };
    Ok(Chart {
        name: "throughput",
        title: "Throughput in bulk",
        finding: best(recordings, Case::Bulk16K, "Fastest", |_, record| {
            Some((record.gb_per_s.median, format!("{} GB/s", fixed(record.gb_per_s.median))))
        }),
        reading: "Billions of bytes a second, encrypting 16 KiB by one call on one core, by \
                  backend and bits of a block. Longer is faster.",
        panels: rows.panels()?,
        notes: vec![],
    })
}

fn speed_up(recordings: &[Recording]) -> Result<Chart> {
    let row = |record: &Record| {
        let ratio = record.vs_unrolled.filter(|_| record.backend != YARDSTICK)?;
        let mut marks = bar(&ratio, ratio.median);
        marks.extend((record.lanes > 1).then(|| Mark::Tick(lanes(record))));
        Some((marks, format!("{}×{}", fixed(ratio.median), mark(&ratio))))
    };
    let rows = Rows {
        scale: Scale::Ratio,
        unit: "times as fast as unrolled",
        legend: vec![(Mark::Tick(0.0), "its lanes: blocks side by side in a register")],
        targets: targets(recordings, Case::Bulk16K, |_, record| row(record)),
    };
    Ok(Chart {
        name: "speed-up",
        title: "What lanes are worth",
        finding: best(recordings, Case::Bulk16K, "Most", |_, record| {
            let ratio = record.vs_unrolled?.median;
            let text = format!("{} times in {} lanes", fixed(ratio), record.lanes);
            Some((ratio, text))
        }),
        reading: "Speed in bulk over that of straight-line integers, encrypting 16 KiB. Equal ratios are \
                  equal lengths; to the left of 1 is slower. A bar that ends at its mark gains all \
                  that its lanes can give; beyond it, the registers are better at 64-bit words, too.",
        panels: rows.panels()?,
        notes: vec![],
    })
}

fn single_and_bulk(recordings: &[Recording]) -> Result<Chart> {
    let both = |recording: &Recording, bulk: &Record| {
        let single = chosen(recording, Case::Single)
            .find(|single| (&single.backend, single.size) == (&bulk.backend, bulk.size))?;
        Some((single.gb_per_s, bulk.gb_per_s))
    };
    let row = |recording: &Recording, record: &Record| {
        let (single, bulk) = both(recording, record)?;
        let [from, to] = [single.median, bulk.median];
        let least_stable = if single.uncertainty() > bulk.uncertainty() { single } else { bulk };
        let marks = vec![Mark::Span(from, to), Mark::Ring(from), Mark::Disc(to)];
        Some((marks, format!("{}×{}", fixed(to / from), mark(&least_stable))))
    };
    let rows = Rows {
        scale: Scale::Log,
        unit: "GB/s",
        legend: vec![(Mark::Ring(0.0), "one block at a time"), (Mark::Disc(0.0), "16 KiB")],
        targets: targets(recordings, Case::Bulk16K, row),
    };
    Ok(Chart {
        name: "single-and-bulk",
        title: "One block at a time, and many",
        finding: best(recordings, Case::Bulk16K, "Greatest gain", |recording, record| {
            let (single, bulk) = both(recording, record)?;
            let gain = bulk.median / single.median;
            Some((gain, format!("{} times", fixed(gain))))
        }),
        reading: "From blocks of which each is the result of the one before, so that only latency \
                  counts, to 16 KiB by one call, encrypting; at the end of a row the speed of the \
                  second over that of the first. Equal ratios are equal lengths.",
        panels: rows.panels()?,
        notes: vec![],
    })
}

fn code(recordings: &[Recording]) -> Result<Chart> {
    let mut targets = Vec::new();
    let mut notes = Vec::new();
    for recording in recordings {
        let mut trails = Vec::new();
        let mut without = Vec::new();
        for (name, records) in by_backend(recording, Case::Bulk16K) {
            let points = records.iter().filter_map(|record| {
                Some((record.size, as_f64(record.code_bytes?), record.gb_per_s.median))
            });
            let points: Vec<_> = points.collect();
            if points.is_empty() {
                without.push(name);
            } else {
                trails.push(Trail { name: name.to_owned(), points });
            }
        }
        if !without.is_empty() {
            let (target, without) = (&recording.target, without.join(", "));
            notes.push(format!(
                "{target}: not shown, since the size of its code is not known: {without}."
            ));
        }
        targets.push((recording.target.clone(), trails));
    }
    let scatter = Scatter { across: "bytes of code", up: "GB/s", targets };
    Ok(Chart {
        name: "code",
        title: "Code and speed",
        finding: "Best is high and to the left: much speed from little code.".to_owned(),
        reading: "Bytes of machine code of the bulk kernel, and its throughput encrypting 16 KiB. A line \
                  joins the three sizes of a backend. On both axes equal ratios are equal lengths.",
        panels: scatter.panels()?,
        notes,
    })
}

fn latency(recordings: &[Recording]) -> Result<Chart> {
    Ok(Chart {
        name: "latency-floor",
        title: "One block: how near to the latency floor",
        finding: nearest(recordings, Case::Single),
        reading: "The least time of a block, over the measured one. A round waits for two operations of one cycle, \
                  the addition or the rotation and then the xor, a subkey for one more: 163 cycles of the core \
                  encrypting 256 or 512 bits, 181 for 1024. Where words are two halves, or registers \
                  have no rotation, a kernel's own chain is longer. The \
                  larger a block, the more of it can be computed at once, until the ports are the limit: 1024 bits \
                  stay far from this one.",
        panels: reached(recordings, Case::Single)?,
        notes: recordings
            .iter()
            .flat_map(bounds::missing)
            .filter(|why| why.contains("clock"))
            .collect(),
    })
}

fn ports(recordings: &[Recording]) -> Result<Chart> {
    let mut notes: Vec<_> = recordings.iter().flat_map(bounds::missing).collect();
    notes.push(
        "Without a bound here: auto, whose kernels are those of the others, the crate threefish, \
         and scalar on i686, where the compiler mixes integers and vectors."
            .to_owned(),
    );
    Ok(Chart {
        name: "port-bound",
        title: "In bulk: how near to the port bound",
        finding: nearest(recordings, Case::Bulk16K),
        reading: "The time for which the processor's ports are taken by additions, rotations, xors \
                  and subkeys alone, over the measured one, encrypting 16 KiB. At 100\u{a0}% nothing else, such as moves and \
                  loads, would cost anything.",
        panels: reached(recordings, Case::Bulk16K)?,
        notes,
    })
}

fn reached(recordings: &[Recording], case: Case) -> Result<Vec<Panel>> {
    let row = |recording: &Recording, record: &Record| {
        let part = bounds::bound(&recording.machine, record)?.reached * 100.0;
        let value = format!("{}{}", percent(part / 100.0), mark(&record.ns_per_block));
        Some((vec![Mark::Bar(part)], value))
    };
    let targets = targets(recordings, case, row);
    Rows { scale: Scale::Linear { to: 100.0 }, unit: "% of the bound", legend: vec![], targets }
        .panels()
}

fn nearest(recordings: &[Recording], case: Case) -> String {
    best(recordings, case, "Nearest", |recording, record| {
        let reached = bounds::bound(&recording.machine, record)?.reached;
        Some((reached, percent(reached)))
    })
}

/// A bar, and how far it can be trusted if that is not far.
fn bar(estimate: &Estimate, value: f64) -> Vec<Mark> {
    let whisker = (!estimate.is_stable()).then_some(Mark::Whisker(estimate.low, estimate.high));
    [Mark::Bar(value)].into_iter().chain(whisker).collect()
}

/// The records that charts are made of.
fn chosen(recording: &Recording, case: Case) -> impl Iterator<Item = &Record> {
    recording.results.iter().filter(move |record| {
        record.backend != NOTHING
            && record.flags == DEFAULT_FLAGS
            && (record.case, record.op) == (case, Op::Encrypt)
    })
}

/// The records of each backend, by size.
fn by_backend(recording: &Recording, case: Case) -> Vec<(&str, Vec<&Record>)> {
    let mut backends = Vec::<(&str, Vec<&Record>)>::new();
    for record in chosen(recording, case) {
        match backends.iter_mut().find(|(name, _)| *name == record.backend) {
            Some((_, records)) => records.push(record),
            None => backends.push((&record.backend, vec![record])),
        }
    }
    for (_, records) in &mut backends {
        records.sort_by_key(|record| record.size);
    }
    backends
}

/// Rows of those records that have something to show.
fn targets(
    recordings: &[Recording],
    case: Case,
    row: impl Fn(&Recording, &Record) -> Option<(Vec<Mark>, String)>,
) -> Vec<(String, Vec<Group>)> {
    let groups = |recording: &Recording| {
        let groups = by_backend(recording, case).into_iter().map(|(name, records)| {
            let rows = records.into_iter().filter_map(|record| {
                let (marks, value) = row(recording, record)?;
                Some(Row { size: record.size, marks, value })
            });
            Group { name: name.to_owned(), rows: rows.collect() }
        });
        groups.filter(|group| !group.rows.is_empty()).collect()
    };
    recordings.iter().map(|recording| (recording.target.clone(), groups(recording))).collect()
}

/// On each target the backend with the greatest value, in a sentence. Not `auto`, which is another
/// one under its own name.
fn best(
    recordings: &[Recording],
    case: Case,
    what: &str,
    value: impl Fn(&Recording, &Record) -> Option<(f64, String)>,
) -> String {
    let bests = recordings.iter().filter_map(|recording| {
        let ours = chosen(recording, case).filter(|record| record.backend != "auto");
        let values = ours.filter_map(|record| Some((record, value(recording, record)?)));
        let (Record { backend, size, target, .. }, (_, text)) =
            values.max_by(|(_, (a, _)), (_, (b, _))| a.total_cmp(b))?;
        Some(format!("{what} on {target}: {backend}, {text} at {size} bits."))
    });
    bests.collect::<Vec<_>>().join(" ")
}

#[expect(clippy::cast_precision_loss, reason = "code has thousands of bytes")]
fn as_f64(bytes: u64) -> f64 {
    bytes as f64
}

#[expect(clippy::cast_precision_loss, reason = "there are eight lanes at most")]
fn lanes(record: &Record) -> f64 {
    record.lanes as f64
}

#[cfg(test)]
mod tests {
    use threefish_benches::{Size, recording::Machine};

    use super::{super::tests::recordings, *};

    fn chart(name: &str, recordings: &[Recording]) -> Chart {
        all(recordings).unwrap().into_iter().find(|chart| chart.name == name).unwrap()
    }

    fn count(panel: &Panel, what: &str) -> usize {
        panel.body.matches(what).count()
    }

    #[test]
    fn a_bar_for_each_backend_and_size() {
        let chart = chart("throughput", &recordings());
        assert_eq!(chart.panels.len(), 2);
        for panel in &chart.panels {
            assert_eq!(count(panel, "<rect"), 7 * 3);
            for backend in ["scalar", "unrolled", "sse2", "avx2", "avx512", "auto"] {
                assert!(
                    panel.body.contains(&format!("\n{backend}\n")),
                    "{backend}: {}",
                    panel.body
                );
                assert!(panel.words.contains(&format!("{backend}: 256 bits ")), "{}", panel.words);
            }
        }
        assert!(
            chart.finding.contains("on x86_64: avx512, 2.57 GB/s at 256 bits."),
            "{}",
            chart.finding
        );
    }

    #[test]
    fn a_mark_for_the_lanes_of_each_wide_backend() {
        let chart = chart("speed-up", &recordings());
        for panel in &chart.panels {
            assert_eq!(count(panel, "<rect"), 6 * 3, "unrolled is the measure");
            // And one in the legend.
            assert_eq!(count(panel, "stroke-width=\"3\""), 4 * 3 + 1);
        }
    }

    #[test]
    fn unstable_values_have_whiskers_and_marks() {
        let [mut recording, _] = recordings();
        for record in &mut recording.results {
            let Estimate { median, .. } = record.gb_per_s;
            record.gb_per_s = Estimate { median, low: median, high: median, enough: true };
        }
        let steady = chart("throughput", &[recording.clone()]).panels.remove(0);
        assert_eq!(count(&steady, "±"), 0);

        let Record { gb_per_s, .. } = recording
            .results
            .iter_mut()
            .find(|record| record.case == Case::Bulk16K && record.op == Op::Encrypt)
            .unwrap();
        gb_per_s.high = gb_per_s.median * 1.05;
        let shaken = chart("throughput", &[recording]).panels.remove(0);
        assert_eq!(count(&shaken, "±5.0 %"), 1);
        assert_eq!(count(&shaken, "<polyline"), count(&steady, "<polyline") + 3);
    }

    #[test]
    fn code_of_unknown_size_is_left_out_and_named() {
        let chart = chart("code", &recordings());
        assert!(chart.notes[0].ends_with("not known: auto, threefish-crate."), "{:?}", chart.notes);
        for panel in &chart.panels {
            assert_eq!(count(panel, "<circle"), 5 + 1);
            assert_eq!(count(panel, "<polygon"), 5 + 1);
            assert_eq!(count(panel, "\navx512\n"), 1);
            assert_eq!(count(panel, "\nauto\n"), 0);
        }
    }

    #[test]
    fn without_a_clock_there_is_no_bound_and_it_is_said() {
        let mut recordings = recordings();
        assert_eq!(chart("latency-floor", &recordings).panels.len(), 2);
        assert_eq!(count(&chart("port-bound", &recordings).panels[0], "<rect"), 5 * 3);
        for recording in &mut recordings {
            recording.machine = Machine { core_ghz: None, ..recording.machine.clone() };
        }
        for name in ["latency-floor", "port-bound"] {
            let chart = chart(name, &recordings);
            assert!(chart.panels.is_empty() && chart.finding.is_empty());
            assert!(chart.notes[0].contains("the clock of the core was not measured"));
        }
    }

    #[test]
    fn a_run_of_little_has_fewer_charts_and_no_errors() {
        let [mut recording, _] = recordings();
        recording
            .results
            .retain(|record| record.case == Case::Single && record.size == Size::Bits512);
        let charts = all(&[recording.clone()]).unwrap();
        let with_panels = charts.iter().filter(|chart| !chart.panels.is_empty());
        assert_eq!(with_panels.map(|chart| chart.name).collect::<Vec<_>>(), ["latency-floor"]);
        recording.results.clear();
        assert!(all(&[recording]).unwrap().iter().all(|chart| chart.panels.is_empty()));
        all(&[]).unwrap();
    }

    #[test]
    fn other_flags_are_not_mixed_in() {
        let [mut recording, _] = recordings();
        let before = chart("throughput", &[recording.clone()]).panels.remove(0);
        let mut native = recording.results.clone();
        native.iter_mut().for_each(|record| record.flags = "native".to_owned());
        recording.results.extend(native);
        assert_eq!(chart("throughput", &[recording]).panels.remove(0).body, before.body);
    }
}
