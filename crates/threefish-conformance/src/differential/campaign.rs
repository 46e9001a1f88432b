use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use threefish_api::revision::Version;

use super::{Case, Difference, check, shrink};
use crate::{Size, subject::Subject};

/// Many cases of one seed, done on all processors.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// What the cases follow from.
    pub seed: u64,
    /// Stop after so many cases.
    pub cases: u64,
    /// Stop after so long.
    pub time: Option<Duration>,
}

/// What came of a [`Campaign`].
#[derive(Debug)]
pub struct Outcome {
    /// How many cases of each size and revision agreed.
    pub cases: BTreeMap<(Size, Version), u64>,
    /// Results that were compared.
    pub comparisons: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// The failing case of the lowest index among those seen.
    pub failure: Option<Failure>,
}

/// A case that failed, shrunk.
#[derive(Debug)]
pub struct Failure {
    /// Its number: `Case::generate(seed, index)` makes it as it was.
    pub index: u64,
    /// The smallest case that still fails.
    pub case: Case,
    /// What differs in that.
    pub difference: Difference,
}

impl Campaign {
    /// Does the cases, and tells `progress` now and then how many are done.
    ///
    /// `subjects` gives those to compare for each size and revision.
    ///
    /// # Panics
    ///
    /// If the processors' threads panic, which no difference causes, and a panic of a subject only
    /// where panics do not unwind.
    pub fn run(
        &self,
        subjects: impl Fn(Size, Version) -> Vec<Subject>,
        progress: impl Fn(u64) + Sync,
    ) -> Outcome {
        let mut table = BTreeMap::new();
        for size in Size::ALL {
            for version in Version::ALL {
                table.insert((size, version), subjects(size, version));
            }
        }
        let shared = Shared {
            table,
            start: Instant::now(),
            next: AtomicU64::new(0),
            // Lowered to the index of a failure: cases beyond it need not be done.
            end: AtomicU64::new(self.cases),
            counts: Mutex::default(),
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            // This thread is one of them: WebAssembly has no other.
            for _ in 1..threads {
                scope.spawn(|| shared.work(self, &progress));
            }
            shared.work(self, &progress);
        });
        shared.outcome(self)
    }
}

/// What agreed so far.
#[derive(Default)]
struct Counts {
    cases: BTreeMap<(Size, Version), u64>,
    comparisons: u64,
}

struct Shared {
    table: BTreeMap<(Size, Version), Vec<Subject>>,
    start: Instant,
    next: AtomicU64,
    end: AtomicU64,
    counts: Mutex<Counts>,
}

impl Shared {
    /// Does cases until there are no more.
    fn work(&self, campaign: &Campaign, progress: &(impl Fn(u64) + Sync)) {
        let mut done = Counts::default();
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let late = campaign.time.is_some_and(|time| self.start.elapsed() >= time);
            if index >= self.end.load(Ordering::Relaxed) || late {
                break;
            }
            let case = Case::generate(campaign.seed, index);
            match check(&case, &self.table[&(case.size, case.version)]) {
                Ok(compared) => {
                    done.comparisons += compared;
                    *done.cases.entry((case.size, case.version)).or_default() += 1;
                }
                Err(_) => {
                    self.end.fetch_min(index, Ordering::Relaxed);
                }
            }
            if index.is_multiple_of(256) {
                progress(index);
            }
        }
        let mut counts = self.counts.lock().expect("no thread panics");
        for (kind, cases) in done.cases {
            *counts.cases.entry(kind).or_default() += cases;
        }
        counts.comparisons += done.comparisons;
    }

    fn outcome(self, campaign: &Campaign) -> Outcome {
        let index = self.end.into_inner();
        let failure = (index < campaign.cases).then(|| {
            let case = Case::generate(campaign.seed, index);
            let subjects = &self.table[&(case.size, case.version)];
            let (case, difference) = shrink(&case, |case| check(case, subjects).err())
                .expect("the case failed before and holds all that it depends on");
            Failure { index, case, difference }
        });
        let Counts { cases, comparisons } = self.counts.into_inner().expect("no thread panics");
        Outcome { cases, comparisons, elapsed: self.start.elapsed(), failure }
    }
}
