//! Takes spans from `tracing`.

use tokio::sync::mpsc;
use tracing::Subscriber;
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use crate::span::{FinishedSpan, OpenSpan};
use crate::{Fate, SpanFigures};
use clock::Clock;

/// The target of spans that are sent.
pub const TARGET: &str = "otlp";

/// Notes how spans begin and end, and hands them on. Times are the machine's, whatever a simulated clock says.
pub struct SpanLayer {
    pub(crate) clock: Clock,
    pub(crate) figures: SpanFigures,
    pub(crate) waiting: mpsc::Sender<FinishedSpan>,
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for SpanLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id).filter(|span| span.metadata().target() == TARGET) else { return };
        // A parent of another target is passed over.
        let ids = |open: &OpenSpan| (open.trace_id, open.span_id);
        let parent = span.scope().skip(1).find_map(|above| above.extensions().get().map(ids));
        let mut open = OpenSpan::new(span.name(), parent, self.clock.now().into());
        attributes.record(&mut open);
        span.extensions_mut().insert(open);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(open) = span.extensions_mut().get_mut::<OpenSpan>() {
            values.record(open);
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id).and_then(|span| span.extensions_mut().remove::<OpenSpan>()) else { return };
        let finished = FinishedSpan { span, ended_at: self.clock.now().into() };
        if self.waiting.try_send(finished).is_err() {
            self.figures.note(Fate::Dropped, 1);
        }
    }
}
