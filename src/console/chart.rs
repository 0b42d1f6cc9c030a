//! A curve of the last hour, drawn on the server.

/// A curve: its points in a box of 240 by 60, and what it shows in words.
pub(crate) struct Curve {
    pub(crate) name: &'static str,
    /// The points of a polyline.
    pub(crate) points: String,
    /// The last value.
    pub(crate) last: u64,
    /// The largest value.
    pub(crate) most: u64,
}

const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 56.0;

impl Curve {
    /// The curve of values that follow each other.
    pub(crate) fn of(name: &'static str, values: &[u64]) -> Self {
        let most = values.iter().copied().max().unwrap_or_default();
        // One value alone is a line, too.
        let values = if let [value] = values { &[*value; 2] } else { values };
        let step = WIDTH / (values.len().saturating_sub(1).max(1)) as f64;
        let point = |(index, value): (usize, &u64)| {
            let height = HEIGHT * *value as f64 / most.max(1) as f64;
            format!("{:.1},{:.1}", index as f64 * step, HEIGHT + 2.0 - height)
        };
        let points: Vec<String> = values.iter().enumerate().map(point).collect();
        Self { name, points: points.join(" "), last: values.last().copied().unwrap_or_default(), most }
    }
}

#[cfg(test)]
mod tests {
    use super::Curve;

    #[test]
    fn a_curve_fills_its_box() {
        let curve = Curve::of("polls", &[0, 5, 10]);
        assert_eq!((curve.points.as_str(), curve.last, curve.most), ("0.0,58.0 120.0,30.0 240.0,2.0", 10, 10));
        assert_eq!(Curve::of("polls", &[]).points, "");
        assert_eq!(Curve::of("polls", &[0]).points, "0.0,58.0 240.0,58.0");
    }
}
