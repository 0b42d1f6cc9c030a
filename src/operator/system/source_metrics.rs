//! The part of `GET /metrics` that is about sources. Labels are the ids of the catalog and the classes of failures.

use prometheus::Registry;

use actors::feeds::SourceFigures;
use actors::runtime::registered::{counter, gauge, set};

/// Adds what this process has read, and how the feeds of each source fared when that was last assessed.
pub(super) fn add_sources(registry: &Registry, figures: &SourceFigures) -> prometheus::Result<()> {
    let items = counter(registry, "radar_source_items_total", "New items that polls have shown", &["source"])?;
    let findings = counter(registry, "radar_source_findings_total", "Findings that were published", &["source"])?;
    let older = "Items that are dated before a radar that read them";
    let older = counter(registry, "radar_source_older_items_total", older, &["source"])?;
    let failures =
        counter(registry, "radar_source_failures_total", "Polls that failed, by class", &["source", "class"])?;
    for (source_id, counts) in figures.counts() {
        items.with_label_values(&[&source_id]).inc_by(counts.items);
        findings.with_label_values(&[&source_id]).inc_by(counts.findings);
        older.with_label_values(&[&source_id]).inc_by(counts.older);
        for (class, count) in counts.failures {
            failures.with_label_values(&[source_id.as_str(), class.as_str()]).inc_by(count);
        }
    }
    let feeds = gauge(registry, "radar_source_feeds", "Feeds that are polled", "source")?;
    let failing = gauge(registry, "radar_source_feeds_failing", "Feeds whose last poll failed", "source")?;
    let broken = gauge(registry, "radar_source_broken", "1 while most feeds fail in the same way", "source")?;
    let mut broken_count: u32 = 0;
    for (source_id, state) in figures.assessed() {
        let is_broken = state.breakage.is_some_and(|breakage| breakage.flagged_at.is_some());
        broken_count += u32::from(is_broken);
        broken.with_label_values(&[&source_id]).set(i64::from(is_broken));
        for (gauge, count) in [(&feeds, state.feeds.watched), (&failing, state.feeds.failing_count())] {
            gauge.with_label_values(&[&source_id]).set(i64::try_from(count).unwrap_or(i64::MAX));
        }
    }
    let help = "Sources most of whose feeds fail in the same way";
    set(registry, "radar_sources_broken", help, f64::from(broken_count))?;
    let readers = figures.readers();
    let help = "Answers that wait for a thread for reading";
    set(registry, "radar_readings_waiting", help, readers.waiting as f64)?;
    let help = "Threads for reading whose answer nobody waits for any more and that have not ended yet";
    set(registry, "radar_readers_given_up", help, readers.given_up as f64)
}
