//! A span, while it lasts and when it has ended.

use std::fmt::Debug;
use std::time::SystemTime;

use serde_json::Value;
use tracing::field::{Field, Visit};
use uuid::Uuid;

use domain::TraceParent;

/// What a span is to others, as OTLP numbers it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SpanKind {
    #[default]
    Internal = 1,
    Server = 2,
    Client = 3,
}

/// A span that lasts.
#[derive(Clone, Debug)]
pub(crate) struct OpenSpan {
    pub(crate) trace_id: u128,
    pub(crate) span_id: u64,
    pub(crate) parent_id: Option<u64>,
    pub(crate) name: String,
    pub(crate) kind: SpanKind,
    pub(crate) began_at: SystemTime,
    pub(crate) has_failed: bool,
    pub(crate) attributes: Vec<(&'static str, Value)>,
}

/// A span that has ended.
#[derive(Clone, Debug)]
pub(crate) struct FinishedSpan {
    pub(crate) span: OpenSpan,
    pub(crate) ended_at: SystemTime,
}

impl OpenSpan {
    /// A span below that of this trace and identifier, or of a trace of its own.
    pub(crate) fn new(name: &str, parent: Option<(u128, u64)>, began_at: SystemTime) -> Self {
        Self {
            trace_id: parent.map_or_else(|| Uuid::new_v4().as_u128(), |(trace_id, _)| trace_id),
            span_id: Uuid::new_v4().as_u64_pair().1,
            parent_id: parent.map(|(_, span_id)| span_id),
            name: name.to_owned(),
            kind: SpanKind::default(),
            began_at,
            has_failed: false,
            attributes: Vec::new(),
        }
    }

    fn note(&mut self, field: &Field, value: Value) {
        let text = value.as_str().unwrap_or_default();
        match field.name() {
            "otel.name" => self.name = text.to_owned(),
            "otel.kind" => {
                self.kind = match text {
                    "server" => SpanKind::Server,
                    "client" => SpanKind::Client,
                    _ => SpanKind::Internal,
                };
            }
            "parent" => {
                if let Ok(TraceParent { trace, span_id }) = text.parse() {
                    (self.trace_id, self.parent_id) = (trace.id, Some(span_id));
                }
            }
            "context" => {
                if let Ok(TraceParent { trace, span_id }) = text.parse() {
                    (self.trace_id, self.span_id) = (trace.id, span_id);
                }
            }
            "error" => self.has_failed = value == true,
            name => self.attributes.push((name, value)),
        }
    }
}

impl Visit for OpenSpan {
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.note(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.note(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.note(field, value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.note(field, value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.note(field, format!("{value:?}").into());
    }
}
