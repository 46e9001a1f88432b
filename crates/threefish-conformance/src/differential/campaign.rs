use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use threefish_api::revision::Version;

use super::{Case, Comparison, Difference, Pair, Trial, check, differences, shrink};
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
    /// How each two that were compared did.
    pub pairs: BTreeMap<Pair, Tally>,
    /// How long it took.
    pub elapsed: Duration,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
    /// The failing case of the lowest index among those seen.
    pub failure: Option<Failure>,
}

impl Outcome {
    /// How many results were compared.
    #[must_use]
    pub fn comparisons(&self) -> u64 {
        self.pairs.values().map(|tally| tally.agreed + tally.differed).sum()
    }
}

/// Results of two that were compared: counted one by one, where the comparison is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many agreed.
    pub agreed: u64,
    /// How many did not.
    pub differed: u64,
}

/// A case that failed, shrunk.
#[derive(Debug)]
pub struct Failure {
    /// Its number: `Case::generate(seed, index)` makes it as it was.
    pub index: u64,
    /// The smallest case that still fails.
    pub case: Case,
    /// What differs in that: at least one difference.
    pub differences: Vec<Difference>,
}

impl Campaign {
    /// Does the cases, and after each tells `progress` about how many are done. With
    /// [`ControlFlow::Break`] it stops the campaign.
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
        progress: impl Fn(u64) -> ControlFlow<()> + Sync,
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
            interrupted: AtomicBool::new(false),
        };
        let counts = Mutex::default();
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            // This thread is one of them: WebAssembly has no other.
            for _ in 1..threads {
                scope.spawn(|| shared.work(self, &progress, &counts));
            }
            shared.work(self, &progress, &counts);
        });
        shared.outcome(self, counts.into_inner().expect("no thread panics"))
    }
}

/// What was compared so far.
#[derive(Default)]
struct Counts<'a> {
    cases: BTreeMap<(Size, Version), u64>,
    pairs: BTreeMap<Pair<&'a str>, Tally>,
}

impl<'a> Counts<'a> {
    /// Does a case to its end, whatever differs in it, and tells whether all agreed.
    fn count(&mut self, case: &Case, subjects: &'a [Subject]) -> bool {
        let mut all_agreed = true;
        for Comparison { pair, result } in Trial::new(case, subjects).comparisons() {
            all_agreed &= result.is_ok();
            let tally = self.pairs.entry(pair).or_default();
            *if result.is_ok() { &mut tally.agreed } else { &mut tally.differed } += 1;
        }
        if all_agreed {
            *self.cases.entry((case.size, case.version)).or_default() += 1;
        }
        all_agreed
    }

    fn add(&mut self, other: Self) {
        for (kind, cases) in other.cases {
            *self.cases.entry(kind).or_default() += cases;
        }
        for (pair, Tally { agreed, differed }) in other.pairs {
            let sum = self.pairs.entry(pair).or_default();
            sum.agreed += agreed;
            sum.differed += differed;
        }
    }
}

struct Shared {
    table: BTreeMap<(Size, Version), Vec<Subject>>,
    start: Instant,
    next: AtomicU64,
    end: AtomicU64,
    interrupted: AtomicBool,
}

impl Shared {
    /// Does cases until there are no more.
    fn work<'a>(
        &'a self,
        campaign: &Campaign,
        progress: &(impl Fn(u64) -> ControlFlow<()> + Sync),
        counts: &Mutex<Counts<'a>>,
    ) {
        let mut done = Counts::default();
        while !self.interrupted.load(Ordering::Relaxed) {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let late = campaign.time.is_some_and(|time| self.start.elapsed() >= time);
            if index >= self.end.load(Ordering::Relaxed) || late {
                break;
            }
            let case = Case::generate(campaign.seed, index);
            if !done.count(&case, &self.table[&(case.size, case.version)]) {
                self.end.fetch_min(index, Ordering::Relaxed);
            }
            if progress(index + 1).is_break() {
                self.interrupted.store(true, Ordering::Relaxed);
            }
        }
        counts.lock().expect("no thread panics").add(done);
    }

    fn outcome(&self, campaign: &Campaign, Counts { cases, pairs }: Counts<'_>) -> Outcome {
        let elapsed = self.start.elapsed();
        let index = self.end.load(Ordering::Relaxed);
        let failure = (index < campaign.cases).then(|| {
            let case = Case::generate(campaign.seed, index);
            let subjects = &self.table[&(case.size, case.version)];
            let (case, _) = shrink(&case, |case| check(case, subjects).err())
                .expect("the case failed before and holds all that it depends on");
            let differences = differences(&case, subjects);
            Failure { index, case, differences }
        });
        let pairs = pairs.into_iter().map(|(pair, tally)| (Pair::from(pair), tally)).collect();
        let interrupted = self.interrupted.load(Ordering::Relaxed);
        Outcome { cases, pairs, elapsed, interrupted, failure }
    }
}
