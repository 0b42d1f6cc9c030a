//! Spans as OTLP in JSON (`ExportTraceServiceRequest`): identifiers in hexadecimal, 64-bit numbers as text.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::span::{FinishedSpan, OpenSpan};

/// The status of a span that failed.
const ERROR: u8 = 2;

/// The body of a request to the collector.
pub(crate) fn request(version: &str, spans: &[FinishedSpan]) -> Value {
    let resource = [("service.name", "radar".into()), ("service.version", version.into())];
    let resource: Vec<Value> = resource.iter().map(attribute).collect();
    let spans: Vec<Value> = spans.iter().map(span).collect();
    json!({"resourceSpans": [{
        "resource": {"attributes": resource},
        "scopeSpans": [{"scope": {"name": "radar", "version": version}, "spans": spans}],
    }]})
}

fn span(FinishedSpan { span, ended_at }: &FinishedSpan) -> Value {
    let OpenSpan { trace_id, span_id, parent_id, name, kind, began_at, has_failed, attributes } = span;
    let mut encoded = json!({
        "traceId": format!("{trace_id:032x}"),
        "spanId": format!("{span_id:016x}"),
        "name": name,
        "kind": *kind as u8,
        "startTimeUnixNano": nanoseconds(*began_at),
        "endTimeUnixNano": nanoseconds(*ended_at),
        "attributes": attributes.iter().map(attribute).collect::<Vec<_>>(),
    });
    if let Some(parent_id) = parent_id {
        encoded["parentSpanId"] = format!("{parent_id:016x}").into();
    }
    if *has_failed {
        encoded["status"] = json!({"code": ERROR});
    }
    encoded
}

fn attribute((key, value): &(&'static str, Value)) -> Value {
    let value = match value {
        Value::Bool(value) => json!({"boolValue": value}),
        Value::Number(value) => json!({"intValue": value.to_string()}),
        Value::String(value) => json!({"stringValue": value}),
        other => json!({"stringValue": other.to_string()}),
    };
    json!({"key": key, "value": value})
}

fn nanoseconds(at: SystemTime) -> String {
    at.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string()
}
