//! Medians, and how far they can be trusted.

use serde::{Deserialize, Serialize};

/// Above this uncertainty of a ratio it is called unstable: below, two runs agree within 3 %.
pub const STABLE: f64 = 0.015;

/// The least probability that the true median lies between [`Estimate::low`] and
/// [`Estimate::high`].
const CONFIDENCE: f64 = 0.98;

/// A quantity, as the starts of a program measured it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The median over the starts.
    pub median: f64,
    /// The least value that the median may have in truth.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// Whether there were starts enough for [`Self::low`] and [`Self::high`] to mean something.
    pub enough: bool,
}

impl Estimate {
    /// From one value of each start; none of none.
    ///
    /// `low` and `high` are order statistics, which ask nothing of the distribution: the median
    /// lies between the k-th least and the k-th greatest of n values but where fewer than k lie on
    /// one side of it, as so many heads of n coins. k is the greatest with 98 % confidence, which
    /// six starts can't give yet and seven can.
    #[must_use]
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let (first, last) = (*values.first()?, *values.last()?);
        let rank = rank(values.len());
        let (low, high) =
            rank.map_or((first, last), |rank| (values[rank - 1], values[values.len() - rank]));
        let [low, median, high] = [low, median(values), high].map(significant);
        Some(Self { median, low, high, enough: rank.is_some() })
    }

    /// How far the true median may be from this one, as a part of it.
    #[must_use]
    pub fn uncertainty(&self) -> f64 {
        (self.high - self.median).max(self.median - self.low) / self.median
    }

    /// Whether another run can be expected to agree within 3 %.
    #[must_use]
    pub fn is_stable(&self) -> bool {
        self.enough && self.uncertainty() <= STABLE
    }

    /// The same of a thing that is so many times as large.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        let [median, low, high] =
            [self.median, self.low, self.high].map(|value| significant(value * factor));
        Self { median, low, high, enough: self.enough }
    }
}

/// The k of [`Estimate::of`] for so many values, if there are enough.
#[expect(clippy::cast_precision_loss, reason = "there are dozens of values at most")]
fn rank(count: usize) -> Option<usize> {
    // Fewer than k heads, on either side.
    let mut outside = 0.0;
    let mut heads = 0.5_f64.powi(i32::try_from(count).unwrap_or(i32::MAX));
    let mut rank = 0;
    loop {
        outside += 2.0 * heads;
        if outside > 1.0 - CONFIDENCE {
            return (rank > 0).then_some(rank);
        }
        rank += 1;
        heads *= (count - rank + 1) as f64 / rank as f64;
    }
}

/// Five significant digits: no measurement here has more.
#[must_use]
pub fn significant(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let scale = 10_f64.powf(4.0 - value.abs().log10().floor());
    (value * scale).round() / scale
}

/// The middle value, or the mean of the two in the middle; 0 of none.
#[must_use]
pub fn median(values: Vec<f64>) -> f64 {
    quantile(values, 0.5)
}

/// Width of the middle half of the values, over their median.
#[must_use]
pub fn spread(values: &[f64]) -> f64 {
    let [low, middle, high] = [0.25, 0.5, 0.75].map(|part| quantile(values.to_vec(), part));
    if middle > 0.0 { (high - low) / middle } else { 0.0 }
}

/// The value that a part of the values lies below, interpolated; 0 of none.
#[expect(clippy::cast_precision_loss, reason = "there are hundreds of values at most")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 <= part <= 1")]
fn quantile(mut values: Vec<f64>, part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let position = values.len().saturating_sub(1) as f64 * part;
    let below = values.get(position.floor() as usize).copied().unwrap_or_default();
    let above = values.get(position.ceil() as usize).copied().unwrap_or_default();
    below + (above - below) * position.fract()
}

/// The median of the quotients of what was measured in the same round.
#[must_use]
pub fn median_ratio(over: &[f64], under: &[f64]) -> f64 {
    median(over.iter().zip(under).map(|(over, under)| over / under).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles() {
        assert_eq!(median(vec![]), 0.0);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(quantile(vec![1.0, 2.0, 3.0, 4.0, 5.0], 0.25), 2.0);
        assert_eq!(spread(&[1.0, 2.0, 3.0, 4.0, 5.0]), 2.0 / 3.0);
        assert_eq!(median_ratio(&[2.0, 6.0, 40.0], &[1.0, 2.0, 10.0]), 3.0);
    }

    #[test]
    fn ranks_are_those_of_the_binomial_distribution() {
        // 1 - 2 * sum of C(n, i) / 2^n for i < k, of tables of the sign test.
        assert_eq!(rank(0), None);
        assert_eq!(rank(6), None); // 0.969
        assert_eq!(rank(7), Some(1)); // 0.984
        assert_eq!(rank(9), Some(1)); // 0.961 for 2
        assert_eq!(rank(11), Some(2)); // 0.988
        assert_eq!(rank(15), Some(3)); // 0.993; 0.965 for 4
        assert_eq!(rank(21), Some(5)); // 0.993; 0.973 for 6
    }

    #[test]
    fn an_estimate_says_how_far_to_trust_it() {
        assert_eq!(Estimate::of(vec![]), None);
        let few = Estimate::of(vec![2.0, 2.0, 2.0]).unwrap();
        assert!(!few.is_stable(), "three values prove nothing");

        let steady = vec![2.0, 2.01, 1.99, 2.0, 2.02, 2.0, 2.0];
        let estimate = Estimate::of(steady).unwrap();
        let expected = Estimate { median: 2.0, low: 1.99, high: 2.02, enough: true };
        assert_eq!(estimate, expected);
        assert!(estimate.is_stable());
        assert_eq!(estimate.times(10.0).median, 20.0);

        let shaken = Estimate::of(vec![2.0, 2.01, 1.99, 2.0, 2.2, 2.0, 2.0]).unwrap();
        assert!(!shaken.is_stable());
        assert!((shaken.uncertainty() - 0.1).abs() < 1e-9);
    }

    #[test]
    fn five_digits() {
        assert_eq!(significant(0.0), 0.0);
        assert_eq!(significant(123_456.0), 123_460.0);
        assert_eq!(significant(0.001_234_56), 0.001_234_6);
        assert_eq!(significant(-2.000_049), -2.0);
    }
}
