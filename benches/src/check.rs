//! That all subjects compute the same: a benchmark of something wrong is worth nothing.

use anyhow::{Result, ensure};
use threefish_api::Words;

use crate::{
    Case, Op, Subject,
    subject::{NOTHING, THREEFISH_CRATE},
    workload::State,
};

/// Runs each subject for a few iterations and compares the whole state with that of the crate
/// `threefish`, which shares no code with ours.
///
/// # Errors
///
/// Names the first subject that differs.
pub fn check<W: Words>(subjects: &[Subject<W>], op: Op, case: Case) -> Result<()> {
    let mut right = None;
    for subject in subjects.iter().filter(|subject| subject.name == THREEFISH_CRATE) {
        right = Some(result(subject, op, case));
    }
    for subject in subjects.iter().filter(|subject| subject.name != NOTHING) {
        let agrees = right.as_ref().is_some_and(|right| *right == result(subject, op, case));
        ensure!(
            agrees,
            "the benchmark of {}, Threefish-{}, {op}, {case} computes something else than the \
             crate `threefish`: no times are taken",
            subject.name,
            8 * W::BYTES,
        );
    }
    Ok(())
}

fn result<W: Words>(subject: &Subject<W>, op: Op, case: Case) -> State<W> {
    let mut state = State::new(case);
    (subject.workload)(op, case)(&mut state, 3);
    state
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Filter, subject::Subjects};

    #[test]
    fn all_subjects_agree() {
        let subjects = Subjects::all();
        for (case, op) in Filter::default().groups() {
            check(&subjects.bits_256, op, case).unwrap();
            check(&subjects.bits_512, op, case).unwrap();
            check(&subjects.bits_1024, op, case).unwrap();
        }
    }

    #[test]
    fn a_wrong_subject_is_named() {
        let mut subjects = Subjects::all().bits_512;
        let nothing = subjects.pop().unwrap();
        subjects.push(Subject { name: "broken", ..nothing });
        let error = check(&subjects, Op::Decrypt, Case::Retweak).unwrap_err().to_string();
        assert!(error.contains("broken, Threefish-512, decrypt, retweak"), "{error}");
    }
}
