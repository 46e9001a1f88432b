//! Results as tables for people.

use std::collections::BTreeMap;

use comfy_table::{
    Attribute, Cell, CellAlignment, Color, Row, Table,
    presets::{ASCII_MARKDOWN, UTF8_FULL_CONDENSED},
};
use threefish_benches::{
    Case, Op, Record, Size,
    subject::{NOTHING, THREEFISH_CRATE},
};

const COLUMNS: [&str; 10] = [
    "case",
    "op",
    "size",
    "backend",
    "ns/block",
    "TSC/byte",
    "GB/s",
    "vs unrolled",
    "vs crate",
    "efficiency",
];

const LEGEND: &str = "\
single: each block is the result of the one before; bulk: one call for 16 KiB or 1 MiB, one tweak;
retweak: 16 KiB, a new tweak for every block; rekey: a new key and tweak for every block, the key
being the last result; keys: 16 KiB by one call, a key and a tweak for each block; ctr: 1 MiB in
counter mode of the crate `ctr`, which has one direction.
few: calls with 4 blocks of 256, 3 of 512 or 2 of 1024 bits; few-single: the same by a call for each
block. In both, vs unrolled means unrolled by a call for each block: above 1, the bulk call pays.
TSC/byte: cycles of the time-stamp counter, which are not those of the core.
vs unrolled, vs crate: the time of `unrolled` and of the crate `threefish` over this one's, so above
1 is faster. efficiency: vs unrolled, over the lanes of a register. *: the fastest of its group.";

/// All results of a target: each backend, the fastest ones in short, and the harness's own cost.
pub(crate) fn render(triple: &str, records: &[Record], colours: bool) -> String {
    let (own, measured): (Vec<_>, Vec<_>) =
        records.iter().partition(|record| record.backend == NOTHING);
    let mut sections = vec![format!("Threefish on {triple}")];
    if !measured.is_empty() {
        sections.push(details(&measured, colours).to_string());
        sections.push("The fastest of our backends, and its speed against unrolled:".to_owned());
        sections.push(fastest(&measured, colours).to_string());
    }
    sections.push(overhead(&own));
    sections.push(format!("{LEGEND}\n"));
    sections.join("\n")
}

fn new_table(colours: bool) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    if colours {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table
}

type Group = (Case, Op, Size);

/// The results of each case, direction and size together, in that order.
fn groups<'a>(records: &[&'a Record]) -> BTreeMap<Group, Vec<&'a Record>> {
    let mut groups = BTreeMap::<_, Vec<_>>::new();
    for record in records {
        groups.entry((record.case, record.op, record.size)).or_default().push(*record);
    }
    groups
}

/// The fastest by its ratio, which is steadier than its time; by time where there is no ratio.
fn winner<'a>(group: &[&'a Record]) -> Option<&'a Record> {
    let speed = |record: &Record| record.vs_unrolled.unwrap_or(1.0 / record.ns_per_block);
    group.iter().max_by(|a, b| speed(a).total_cmp(&speed(b))).copied()
}

fn details(records: &[&Record], colours: bool) -> Table {
    let mut table = new_table(colours);
    table.set_header(COLUMNS);
    let mut last = None;
    for ((case, op, size), group) in groups(records) {
        let winner = winner(&group);
        for (i, record) in group.iter().enumerate() {
            // What is as in the row above is left out, so that groups stand apart.
            let heads = (i == 0).then(|| {
                let new_block = last != Some((case, op));
                let [case, op] = [case.to_string(), op.to_string()]
                    .map(|name| if new_block { name } else { String::new() });
                [case, op, size.to_string()]
            });
            last = Some((case, op));
            table.add_row(row(heads.unwrap_or_default(), record, winner == Some(record)));
        }
    }
    for column in table.column_iter_mut().skip(4) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn row(heads: [String; 3], record: &Record, wins: bool) -> Row {
    let optional = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    let name = if wins { format!("{} *", record.backend) } else { record.backend.clone() };
    let results = [
        name,
        format!("{:.1}", record.ns_per_block),
        optional(record.tsc_per_byte),
        format!("{:.3}", record.gb_per_s),
        optional(record.vs_unrolled),
        optional(record.vs_threefish_crate),
        optional(record.efficiency),
    ];
    let results = results.into_iter().map(|text| {
        let cell = Cell::new(text);
        if wins { cell.fg(Color::Green).add_attribute(Attribute::Bold) } else { cell }
    });
    heads.into_iter().map(Cell::new).chain(results).collect::<Vec<_>>().into()
}

/// One row for each case and direction, one column for each size.
fn fastest(records: &[&Record], colours: bool) -> Table {
    let ours: Vec<_> =
        records.iter().filter(|record| record.backend != THREEFISH_CRATE).copied().collect();
    let groups = groups(&ours);
    let mut sizes: Vec<_> = groups.keys().map(|(_, _, size)| *size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut rows: Vec<_> = groups.keys().map(|(case, op, _)| (*case, *op)).collect();
    rows.dedup();

    let mut table = new_table(colours);
    let heads = ["case".to_owned(), "op".to_owned()];
    table.set_header(heads.into_iter().chain(sizes.iter().map(Size::to_string)));
    for (case, op) in rows {
        let cells = sizes.iter().map(|size| {
            let winner = groups.get(&(case, op, *size)).and_then(|group| winner(group));
            winner.map_or(String::new(), |record| {
                format!("{} {:.2}x", record.backend, record.vs_unrolled.unwrap_or(1.0))
            })
        });
        table.add_row([case.to_string(), op.to_string()].into_iter().chain(cells));
    }
    table
}

/// For documents: the speed of our backends against the crate, with the range over starts of the
/// program, and the time of a block.
pub(crate) fn markdown(triple: &str, records: &[Record]) -> String {
    let ours = |record: &&Record| ![NOTHING, THREEFISH_CRATE].contains(&record.backend.as_str());
    let mut rows = BTreeMap::<(Case, Op), Vec<&Record>>::new();
    for record in records.iter().filter(ours) {
        rows.entry((record.case, record.op)).or_default().push(record);
    }
    let mut sizes: Vec<_> = records.iter().map(|record| record.size).collect();
    sizes.sort_unstable();
    sizes.dedup();

    let mut table = Table::new();
    let heads = ["case", "op", "backend"].map(str::to_owned).into_iter();
    table.load_style(ASCII_MARKDOWN).set_header(heads.chain(sizes.iter().map(Size::to_string)));
    for ((case, op), group) in rows {
        let mut backends: Vec<_> = group.iter().map(|record| &record.backend).collect();
        backends.sort_unstable();
        backends.dedup();
        for backend in backends {
            let cells = sizes.iter().map(|size| {
                let mut of = group.iter().filter(|r| r.backend == *backend && r.size == *size);
                of.next().map_or(String::new(), |record| cell(record))
            });
            let heads = [case.to_string(), op.to_string(), backend.clone()].into_iter();
            table.add_row(heads.chain(cells));
        }
    }
    format!("`{triple}`\n\n{table}\n")
}

fn cell(record: &Record) -> String {
    let ratio = match (record.vs_threefish_crate, record.vs_threefish_crate_range) {
        (Some(ratio), Some((least, most))) => format!("{ratio:.2} ({least:.2} to {most:.2}), "),
        (Some(ratio), None) => format!("{ratio:.2}, "),
        (None, _) => String::new(),
    };
    format!("{ratio}{:.1} ns", record.ns_per_block)
}

/// What the harness itself costs in each case, at most: a part of every time above.
fn overhead(own: &[&Record]) -> String {
    let mut most = BTreeMap::<Case, f64>::new();
    for record in own {
        let ns = most.entry(record.case).or_default();
        *ns = ns.max(record.ns_per_block);
    }
    let list: Vec<_> = most.iter().map(|(case, ns)| format!("{case} {ns:.1}")).collect();
    format!(
        "The harness's own overhead, a part of each time above, ns/block at most: {}.",
        list.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records() -> Vec<Record> {
        let lines = include_str!("../tests/records.jsonl").lines();
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn a_table_as_it_should_look() {
        let golden = include_str!("../tests/table.txt");
        let rendered = render("i686-unknown-linux-musl", &records(), false);
        assert_eq!(rendered, golden, "\n{rendered}");
    }

    #[test]
    fn a_table_for_documents() {
        let rendered = markdown("i686-unknown-linux-musl", &records());
        assert!(rendered.starts_with("`i686-unknown-linux-musl`\n\n| case "), "{rendered}");
        assert!(rendered.contains("1.62, 160.0 ns"), "{rendered}");
        assert!(!rendered.contains(THREEFISH_CRATE), "{rendered}");

        let mut record = records().remove(1);
        record.vs_threefish_crate_range = Some((1.5, 1.7));
        assert!(markdown("t", &[record]).contains("1.62 (1.50 to 1.70), 160.0 ns"));
    }

    #[test]
    fn colours_only_where_wanted() {
        let records = records();
        assert!(!render("t", &records, false).contains('\u{1b}'));
        assert!(render("t", &records, true).contains('\u{1b}'));
    }
}
