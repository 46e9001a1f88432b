//! What a report says in tables and lines, before it becomes HTML or Markdown.

use clap::ValueEnum;
use threefish_benches::{
    Case, Op, Size,
    recording::{Record, Recording},
    statistics::Estimate,
    subject::{NOTHING, THREEFISH_CRATE},
};

use super::{
    Changes,
    bounds::{self, DEFAULT_FLAGS},
    numbers::{estimate, fixed, percent, short},
};

/// A table with names to the left.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) caption: String,
    /// Columns of names.
    pub(super) names: Vec<&'static str>,
    /// What columns of values have in common, and the head of each.
    pub(super) values: Vec<(String, Vec<String>)>,
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A cell, which may be the best of its kind.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) best: bool,
}

impl Cell {
    fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), best: false }
    }
}

/// The facts of the machines, a column for each target.
pub(super) fn machines(recordings: &[Recording]) -> Table {
    type Fact = (&'static str, fn(&Recording) -> String);
    let facts: [Fact; 13] = [
        ("processor", |of| of.machine.processor.clone()),
        ("model", |of| of.machine.model.clone()),
        ("features", |of| of.machine.features.join(", ")),
        ("processors", |of| of.machine.processors.to_string()),
        ("clock of the core, measured", |of| {
            of.machine.core_ghz.as_ref().map_or("not measured".to_owned(), |ghz| {
                format!("{} GHz ({} to {})", fixed(ghz.median), fixed(ghz.low), fixed(ghz.high))
            })
        }),
        ("rate of the time-stamp counter", |of| {
            of.machine.tsc_ghz.map_or("no counter".to_owned(), |ghz| {
                format!("{} GHz, whatever the clock of the core", fixed(ghz))
            })
        }),
        ("hypervisor", |of| of.machine.hypervisor.clone().unwrap_or("none".to_owned())),
        ("governor", |of| of.machine.governor.clone().unwrap_or("not told".to_owned())),
        ("system", |of| of.machine.system.clone()),
        ("compiler", |of| of.machine.rustc.clone()),
        ("Rust target", |of| of.triple.clone()),
        ("compiled for", |of| flags(of).join(", ")),
        ("date", |of| of.date.clone()),
    ];
    let rows = facts.iter().map(|(name, fact)| {
        let values = recordings.iter().map(|recording| Cell::plain(fact(recording)));
        [Cell::plain(*name)].into_iter().chain(values).collect()
    });
    let targets = recordings.iter().map(|recording| recording.target.clone());
    Table {
        caption: "What times depend on".to_owned(),
        names: vec!["fact"],
        values: vec![(String::new(), targets.collect())],
        rows: rows.collect(),
    }
}

/// The flags that a recording has results of.
fn flags(recording: &Recording) -> Vec<&str> {
    let mut flags: Vec<_> = recording.results.iter().map(|record| &*record.flags).collect();
    distinct(&mut flags);
    flags
}

/// Leaves the first of equal ones.
fn distinct<T: PartialEq + Copy>(values: &mut Vec<T>) {
    let mut seen = Vec::new();
    values.retain(|value| {
        !seen.contains(value) && {
            seen.push(*value);
            true
        }
    });
}

/// How it was measured.
pub(super) fn method(recordings: &[Recording]) -> Vec<String> {
    let each = |text: &dyn Fn(&Recording) -> String| {
        let mut texts: Vec<_> = recordings.iter().map(text).collect();
        if texts.windows(2).all(|pair| pair[0] == pair[1]) {
            return texts.pop().unwrap_or_default();
        }
        let all = recordings.iter().zip(texts);
        all.map(|(of, text)| format!("{}: {text}", of.target)).collect::<Vec<_>>().join(" ")
    };
    vec![
        each(&|of| {
            let method = &of.method;
            format!(
                "Each program was started {} times, since the placement of code and stack moves times.",
                method.starts
            )
        }),
        each(&|of| {
            let method = &of.method;
            format!(
                "Each start has {} rounds; in a round every backend runs once for about {} µs, in changing order.",
                method.rounds, method.sample_us
            )
        }),
        "Ratios are taken within each round, so that what disturbs a round disturbs both.".to_owned(),
        "A number is the median over the starts, of the median over the rounds of each.".to_owned(),
        "±x % marks a number that another run may not repeat within 3 %: with 98 % confidence the \
         true median lies no farther away, or there were fewer than seven starts. Numbers without a mark are stable."
            .to_owned(),
        "vs unrolled, vs crate: the time of the backend unrolled, or of the crate threefish of \
         crates.io with default features, over this one's. Above 1 is faster."
            .to_owned(),
        "Times hold for this machine and this run alone; compare ratios.".to_owned(),
        each(&|of| match of.method.core {
            Some(core) => format!("The programs were bound to core {core}."),
            None => "The programs were not bound to a core.".to_owned(),
        }),
        each(&|of| match &of.method.no_core_cycles {
            Some(why) => format!("Cycles of the core were not counted: {why}."),
            None => "Cycles of the core are as the processor counted them.".to_owned(),
        }),
        each(&|of| overhead(of)),
    ]
}

/// What the harness itself costs, which is in every time.
fn overhead(recording: &Recording) -> String {
    let own = recording.results.iter().filter(|record| record.backend == NOTHING);
    let most = own.map(|record| record.ns_per_block.median).fold(0.0, f64::max);
    format!("The harness itself takes {} ns a block at most, which is in each time.", fixed(most))
}

/// What is missing since the run was stopped.
pub(super) fn interrupted(recordings: &[Recording]) -> Option<String> {
    let stopped = recordings.iter().filter(|recording| recording.method.interrupted);
    let targets: Vec<_> = stopped.map(|recording| &*recording.target).collect();
    (!targets.is_empty()).then(|| {
        format!(
            "This run was interrupted ({}): there are fewer starts or results than were asked for.",
            targets.join(", ")
        )
    })
}

/// Who is not in the report: target, backend and reason.
pub(super) fn skipped(recordings: &[Recording]) -> Vec<String> {
    let skipped = recordings.iter().flat_map(|recording| {
        let skipped = recording.skipped.iter();
        skipped.map(|(name, reason)| format!("{name} on {}: {reason}", recording.target))
    });
    skipped.collect()
}

/// A table for each case, the fastest of ours marked.
pub(super) fn results(recording: &Recording) -> Vec<Table> {
    let mut tables = Vec::new();
    for flags in flags(recording) {
        for case in Case::value_variants() {
            let of_case = recording.results.iter().filter(|record| {
                record.backend != NOTHING && record.case == *case && record.flags == flags
            });
            let records: Vec<_> = of_case.collect();
            if !records.is_empty() {
                tables.push(of_case_and_flags(*case, flags, &records));
            }
        }
    }
    tables
}

const SIZES: [Size; 3] = [Size::Bits256, Size::Bits512, Size::Bits1024];

fn of_case_and_flags(case: Case, flags: &str, records: &[&Record]) -> Table {
    let sizes = SIZES.into_iter().filter(|size| records.iter().any(|record| record.size == *size));
    let sizes: Vec<_> = sizes.collect();
    let mut heads: Vec<_> = records.iter().map(|record| (record.op, &*record.backend)).collect();
    distinct(&mut heads);

    let rows = heads.into_iter().map(|(op, backend)| {
        let found: Vec<_> = sizes
            .iter()
            .map(|size| {
                let mut same =
                    records.iter().filter(|record| (record.op, record.size) == (op, *size));
                let record = same.clone().find(|record| record.backend == backend);
                let winner = winner(&mut same);
                record.map(|record| (*record, winner == Some(&record.backend)))
            })
            .collect();
        let cells = |value: fn(&Record) -> Option<Estimate>| {
            let cells = found.iter().map(|found| match found {
                Some((record, best)) => Cell {
                    text: value(record).as_ref().map_or(NONE.to_owned(), estimate),
                    best: *best,
                },
                None => Cell::plain(NONE),
            });
            cells.collect::<Vec<_>>()
        };
        let names = [op.to_string(), backend.to_owned()].map(Cell::plain).to_vec();
        let ratios =
            [cells(|record| record.vs_unrolled), cells(|record| record.vs_threefish_crate)];
        [names, ratios.concat(), cells(|record| Some(record.ns_per_block))].concat()
    });
    let heads: Vec<_> = sizes.iter().map(Size::to_string).collect();
    let group = |name: &str| (name.to_owned(), heads.clone());
    Table {
        caption: caption(case, flags),
        names: vec!["op", "backend"],
        values: ["vs unrolled", "vs crate", "ns a block"].map(group).to_vec(),
        rows: rows.collect(),
    }
}

const NONE: &str = "–";

/// The fastest of our own, by its ratio, which is steadier than its time.
fn winner<'a>(same: &mut dyn Iterator<Item = &&'a Record>) -> Option<&'a String> {
    let speed = |record: &Record| {
        record.vs_unrolled.map_or(1.0 / record.ns_per_block.median, |ratio| ratio.median)
    };
    let ours = same.filter(|record| record.backend != THREEFISH_CRATE);
    ours.max_by(|a, b| speed(a).total_cmp(&speed(b))).map(|record| &record.backend)
}

fn caption(case: Case, flags: &str) -> String {
    let value = case.to_possible_value();
    let what = value.as_ref().and_then(|value| value.get_help()).map(ToString::to_string);
    let compiled =
        if flags == DEFAULT_FLAGS { String::new() } else { format!(" (compiled for {flags})") };
    format!("{case}{compiled}: {}", what.unwrap_or_default())
}

/// How near each backend comes to its bounds, encrypting; none where nothing is known of them.
pub(super) fn bounds(recording: &Recording) -> Option<Table> {
    let bounded = recording.results.iter().filter_map(|record| {
        let shown =
            record.op == Op::Encrypt && record.flags == DEFAULT_FLAGS && record.backend != NOTHING;
        let bound = bounds::bound(&recording.machine, record).filter(|_| shown)?;
        Some((record, bound))
    });
    let bounded: Vec<_> = bounded.collect();
    let mut backends: Vec<_> = bounded.iter().map(|(record, _)| &*record.backend).collect();
    distinct(&mut backends);
    let rows = backends.into_iter().map(|backend| {
        let cells = [Case::Single, Case::Bulk16K].into_iter().flat_map(|case| {
            SIZES.map(|size| {
                let mut all = bounded.iter();
                let found = all.find(|(record, _)| {
                    (&*record.backend, record.case, record.size) == (backend, case, size)
                });
                let text = found.map_or(NONE.to_owned(), |(_, bound)| {
                    format!("{} of {} ns", percent(bound.reached), short(bound.ns))
                });
                Cell::plain(text)
            })
        });
        [Cell::plain(backend)].into_iter().chain(cells).collect()
    });
    let rows: Vec<_> = rows.collect();
    let heads = || SIZES.map(|size| size.to_string()).to_vec();
    (!rows.is_empty()).then(|| Table {
        caption: "The bound over the measured time, and the bound, encrypting".to_owned(),
        names: vec!["backend"],
        values: vec![
            ("one block: latency floor".to_owned(), heads()),
            ("16 KiB: port bound".to_owned(), heads()),
        ],
        rows,
    })
}

/// Everything that was recorded.
pub(super) fn details(recording: &Recording) -> Table {
    type Column = (&'static str, fn(&Record) -> Option<String>);
    let columns: [Column; 12] = [
        ("vs unrolled", |record| record.vs_unrolled.as_ref().map(estimate)),
        ("vs crate", |record| record.vs_threefish_crate.as_ref().map(estimate)),
        ("vs x86_64", |record| record.vs_x86_64.as_ref().map(estimate)),
        ("vs default flags", |record| record.vs_default_flags.as_ref().map(estimate)),
        ("lanes", |record| Some(record.lanes.to_string())),
        ("efficiency", |record| record.efficiency().map(fixed)),
        ("ns a block", |record| Some(estimate(&record.ns_per_block))),
        ("GB/s", |record| Some(estimate(&record.gb_per_s))),
        ("core cycles a byte", |record| record.core_cycles_per_byte.as_ref().map(estimate)),
        ("TSC cycles a byte", |record| record.tsc_per_byte.as_ref().map(estimate)),
        ("code bytes", |record| record.code_bytes.map(|bytes| bytes.to_string())),
        ("flags", |record| Some(record.flags.clone())),
    ];
    let rows = recording.results.iter().map(|record| {
        let Record { case, op, size, backend, .. } = record;
        let names = [case.to_string(), op.to_string(), size.to_string(), backend.clone()];
        let values = columns.iter().map(|(_, value)| value(record).unwrap_or(NONE.to_owned()));
        names.into_iter().chain(values).map(Cell::plain).collect()
    });
    Table {
        caption: format!("All numbers on {}", recording.target),
        names: vec!["case", "op", "size", "backend"],
        values: vec![(String::new(), columns.iter().map(|(head, _)| (*head).to_owned()).collect())],
        rows: rows.collect(),
    }
}

/// A comparison with an earlier run.
pub(super) fn changes(changes: &Changes) -> Table {
    let rows = changes.rows.iter().map(|change| {
        let percent = format!("{:+.1} %", (change.ratio - 1.0) * 100.0).replace('-', "−");
        let p = if change.p < 0.001 { "< 0.001".to_owned() } else { format!("{:.3}", change.p) };
        let values = [fixed(change.ratio), percent, change.verdict.to_string(), p];
        [change.what.clone()].into_iter().chain(values).map(Cell::plain).collect()
    });
    let heads = ["before / after", "speed", "verdict", "p"].map(str::to_owned);
    Table {
        caption: format!("Time before over time now, against {}", changes.against),
        names: vec!["what"],
        values: vec![(String::new(), heads.to_vec())],
        rows: rows.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tests::recordings, *};

    #[test]
    fn ratios_stand_first_and_the_fastest_is_marked() {
        let [recording, _] = recordings();
        let tables = results(&recording);
        assert_eq!(tables.len(), 2);
        let Table { caption, values, rows, .. } = &tables[1];
        assert!(caption.starts_with("bulk-16k: 16 KiB of blocks by one call"), "{caption}");
        let heads: Vec<_> = values.iter().map(|(head, _)| head.as_str()).collect();
        assert_eq!(heads, ["vs unrolled", "vs crate", "ns a block"]);
        assert_eq!(rows.len(), 2 * 7);
        for row in rows {
            assert_eq!(row.len(), 2 + 9);
            let wide = ["avx512", "auto"].contains(&row[1].text.as_str());
            assert!(wide || row.iter().all(|cell| !cell.best), "{row:?}");
        }
        let best = rows.iter().flatten().filter(|cell| cell.best).count();
        assert_eq!(best, 2 * 9, "of each direction and size, in three columns");
    }

    #[test]
    fn flags_have_tables_of_their_own() {
        let [mut recording, _] = recordings();
        let mut native = recording.results.clone();
        native.iter_mut().for_each(|record| record.flags = "native".to_owned());
        recording.results.extend(native);
        let captions: Vec<_> = results(&recording).into_iter().map(|table| table.caption).collect();
        assert_eq!(captions.len(), 4);
        assert!(captions[2].starts_with("single (compiled for native): "), "{captions:?}");
    }

    #[test]
    fn what_targets_share_is_said_once() {
        let mut recordings = recordings();
        let before = method(&recordings);
        assert!(before[7] == "The programs were bound to core 1.", "{before:?}");
        recordings[1].method.core = None;
        let after = method(&recordings);
        let expected = "x86_64: The programs were bound to core 1. i686: The programs were not \
                        bound to a core.";
        assert_eq!(after[7], expected);
    }

    #[test]
    fn clocks_are_told_apart() {
        let mut recordings = recordings();
        let fact = |recordings: &[Recording], name: &str| {
            let mut rows = machines(recordings).rows.into_iter();
            rows.find(|row| row[0].text.starts_with(name)).unwrap()[1].text.clone()
        };
        assert_eq!(fact(&recordings, "clock of the core"), "3.07 GHz (3.05 to 3.08)");
        assert!(fact(&recordings, "rate of the time-stamp").starts_with("2.30 GHz"));
        recordings[0].machine.core_ghz = None;
        assert_eq!(fact(&recordings, "clock of the core"), "not measured");
    }

    #[test]
    fn an_interrupted_run_says_so() {
        let mut recordings = recordings();
        assert_eq!(interrupted(&recordings), None);
        recordings[1].method.interrupted = true;
        assert!(interrupted(&recordings).unwrap().contains("(i686)"));
    }
}
