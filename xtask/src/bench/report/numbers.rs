//! Numbers for people.

use threefish_benches::statistics::Estimate;

/// Three digits, or all of a greater number; no zeros behind the point.
pub(super) fn short(value: f64) -> String {
    let text = fixed(value);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// With as many digits as others beside it.
pub(super) fn fixed(value: f64) -> String {
    let digits = match value.abs() {
        100.0.. => 0,
        10.0.. => 1,
        0.1.. => 2,
        _ => 3,
    };
    format!("{value:.digits$}")
}

/// The median, and how far to trust it where that is not far.
pub(super) fn estimate(estimate: &Estimate) -> String {
    fixed(estimate.median) + &mark(estimate)
}

/// ` ±4.2 %` behind an unstable number, nothing behind others.
pub(super) fn mark(estimate: &Estimate) -> String {
    if estimate.is_stable() {
        return String::new();
    }
    let percent = estimate.uncertainty() * 100.0;
    let digits = usize::from(percent < 9.95);
    format!(" ±{percent:.digits$} %")
}

/// A part of a whole.
pub(super) fn percent(part: f64) -> String {
    format!("{:.0} %", part * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits() {
        assert_eq!(
            [0.0, 0.0123, 0.5, 1.25, 2.0, 12.34, 123.4, 12_000.0].map(short),
            ["0", "0.012", "0.5", "1.25", "2", "12.3", "123", "12000"]
        );
        assert_eq!([0.5, 2.0, 12.0].map(fixed), ["0.50", "2.00", "12.0"]);
        assert_eq!(percent(0.8349), "83 %");
    }

    #[test]
    fn only_unstable_numbers_are_marked() {
        let mut value = Estimate { median: 2.0, low: 1.99, high: 2.01, enough: true };
        assert_eq!(estimate(&value), "2.00");
        value.high = 2.084;
        assert_eq!(estimate(&value), "2.00 ±4.2 %");
        let few = Estimate { median: 2.0, low: 1.99, high: 2.01, enough: false };
        assert_eq!(estimate(&few), "2.00 ±0.5 %");
        value.high = 3.0;
        assert_eq!(estimate(&value), "2.00 ±50 %");
    }
}
