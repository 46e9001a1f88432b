use super::{Case, Difference, Entry};

/// The smallest case that still fails, by dropping blocks and zeroing words for as long as `fails`
/// tells a difference. `None` if the case does not fail.
pub fn shrink(
    case: &Case,
    fails: impl Fn(&Case) -> Option<Difference>,
) -> Option<(Case, Difference)> {
    let mut smallest = (case.clone(), fails(case)?);
    loop {
        let step = smaller(&smallest.0).find_map(|case| {
            let difference = fails(&case)?;
            Some((case, difference))
        });
        match step {
            Some(step) => smallest = step,
            None => return Some(smallest),
        }
    }
}

/// Every case that is one step smaller, big steps first.
fn smaller(case: &Case) -> impl Iterator<Item = Case> {
    fewer_blocks(case).chain(aligned(case)).chain(zero_parts(case)).chain(zero_words(case))
}

fn fewer_blocks(case: &Case) -> impl Iterator<Item = Case> {
    let n = case.entries.len();
    let one = (0..n).filter(move |_| n > 1).map(|i| i..i + 1);
    let halves = [0..n / 2, n / 2..n].into_iter().filter(move |_| n > 2);
    let kept = one
        .chain(halves)
        .map(|range| Case { entries: case.entries[range].to_vec(), ..case.clone() });
    let dropped = (0..n).map(|i| {
        let mut case = case.clone();
        case.entries.remove(i);
        case
    });
    kept.chain(dropped)
}

fn aligned(case: &Case) -> Option<Case> {
    (case.alignment != 0).then(|| Case { alignment: 0, ..case.clone() })
}

/// Zeroes a whole key, tweak or block.
fn zero_parts(case: &Case) -> impl Iterator<Item = Case> {
    (0..parts(&mut case.clone()).len()).filter_map(|i| {
        let mut case = case.clone();
        let part = parts(&mut case).swap_remove(i);
        zero(part).then_some(case)
    })
}

/// Zeroes a single word.
fn zero_words(case: &Case) -> impl Iterator<Item = Case> {
    let lengths: Vec<_> = parts(&mut case.clone()).iter().map(|part| part.len()).collect();
    lengths.into_iter().enumerate().flat_map(move |(i, length)| {
        (0..length).filter_map(move |word| {
            let mut case = case.clone();
            let part = parts(&mut case).swap_remove(i);
            zero(&mut part[word..=word]).then_some(case)
        })
    })
}

/// The key, and each block's key, tweak and words.
fn parts(case: &mut Case) -> Vec<&mut [u64]> {
    let mut parts = vec![&mut case.key[..]];
    for Entry { key, tweak, block } in &mut case.entries {
        parts.extend([&mut key[..], &mut tweak[..], &mut block[..]]);
    }
    parts
}

/// Zeroes the words, and tells whether that changed any.
fn zero(words: &mut [u64]) -> bool {
    let changes = words.iter().any(|word| *word != 0);
    words.fill(0);
    changes
}
