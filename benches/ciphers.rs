//! Criterion's view of the same loops: distributions, outliers, and comparison with the last run.
//!
//! `cargo bench -p threefish-benches -- 'bulk-16k/encrypt/256'` chooses by name.

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput};
use threefish_api::Words;
use threefish_benches::{
    Case, Filter, Op, Size, Subject, check::check, subject::Subjects, workload::State,
};

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30)
        .configure_from_args();

    let subjects = Subjects::all();
    for (name, reason) in &subjects.skipped {
        eprintln!("SKIPPED {name}: {reason}");
    }
    for (case, op) in Filter::default().groups() {
        group(&mut criterion, &subjects.bits_256, (Size::Bits256, op, case));
        group(&mut criterion, &subjects.bits_512, (Size::Bits512, op, case));
        group(&mut criterion, &subjects.bits_1024, (Size::Bits1024, op, case));
    }
    criterion.final_summary();
}

fn group<W: Words>(
    criterion: &mut Criterion,
    subjects: &[Subject<W>],
    (size, op, case): (Size, Op, Case),
) {
    if let Err(error) = check(subjects, op, case) {
        panic!("{error}");
    }
    let mut group = criterion.benchmark_group(format!("{case}/{op}/{size}"));
    group.throughput(Throughput::Bytes(case.bytes(size) as u64));
    let mut state = State::new(case);
    for subject in subjects {
        let workload = (subject.workload)(op, case);
        group.bench_function(BenchmarkId::from_parameter(subject.name), |bencher| {
            bencher.iter_custom(|iterations| {
                let start = Instant::now();
                workload(&mut state, iterations);
                start.elapsed()
            });
        });
    }
    group.finish();
}
