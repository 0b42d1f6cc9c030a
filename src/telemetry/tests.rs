//! Spans on their way to a collector on a port of its own.

use std::net::TcpListener;

use actix_web::{App, HttpResponse, HttpServer, web};
use serde_json::Value;
use tokio::sync::mpsc;
use tracing::field::Empty;
use tracing_subscriber::layer::SubscriberExt;
use url::Url;

use super::{Exporter, Fate, SpanFigures, WAITING_MAX};

const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const CONTEXT: &str = "00-0000000000000000000000000000000a-000000000000000b-01";

fn count(figures: &SpanFigures, fate: Fate) -> u64 {
    figures.collector().with_label_values(&[fate.as_str()]).get()
}

fn exporter(port: u16, figures: &SpanFigures) -> (super::SpanLayer, Exporter) {
    let collector = Url::parse(&format!("http://127.0.0.1:{port}/otlp/")).expect("an address");
    Exporter::new(collector, "1.2.3", figures.clone())
}

/// A collector that answers with the status in the path, and what it gets.
async fn collector(status: u16) -> (u16, mpsc::UnboundedReceiver<Value>) {
    let (seen, requests) = mpsc::unbounded_channel();
    let server = HttpServer::new(move || {
        let seen = seen.clone();
        let taken = move |body: web::Json<Value>| {
            seen.send(body.into_inner()).expect("a test");
            async move { HttpResponse::build(status.try_into().expect("a status")).finish() }
        };
        App::new().route("/otlp/v1/traces", web::post().to(taken))
    });
    let server = server.workers(1).bind(("127.0.0.1", 0)).expect("a port");
    let port = server.addrs()[0].port();
    actix_web::rt::spawn(server.run());
    (port, requests)
}

#[actix_web::test]
async fn spans_are_sent_as_a_collector_reads_them() {
    let (port, mut requests) = collector(200).await;
    let figures = SpanFigures::new().expect("figures");
    let (layer, exporter) = exporter(port, &figures);
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
        let request = tracing::trace_span!(
            target: "otlp", "request", otel.kind = "server", otel.name = Empty, parent = PARENT, status = Empty, error = Empty
        );
        request.record("otel.name", "GET /v1/radars").record("status", 503).record("error", true);
        let _entered = request.enter();
        let _logged = tracing::error_span!("for the log").entered();
        drop(tracing::trace_span!(target: "otlp", "commit", is_large = false));
        drop(tracing::trace_span!(target: "otlp", "attempt", context = CONTEXT, update = %7));
    });
    let exporting = exporter.start();
    exporting.stop().await;
    let sent = requests.recv().await.expect("a request");
    let resource = &sent["resourceSpans"][0];
    assert_eq!(resource["resource"]["attributes"][0]["value"]["stringValue"], "radar");
    assert_eq!(resource["scopeSpans"][0]["scope"]["version"], "1.2.3");
    let [commit, attempt, request] = &resource["scopeSpans"][0]["spans"].as_array().expect("spans")[..] else {
        panic!("three spans: {sent}");
    };
    assert_eq!(request["traceId"], PARENT[3..35]);
    assert_eq!(request["parentSpanId"], PARENT[36..52]);
    assert_eq!(
        (&request["name"], &request["kind"], &request["status"]["code"]),
        (&"GET /v1/radars".into(), &2.into(), &2.into())
    );
    assert_eq!(request["attributes"], serde_json::json!([{"key": "status", "value": {"intValue": "503"}}]));
    // What is only for the log is no part of the trace.
    assert_eq!((&commit["parentSpanId"], &commit["traceId"]), (&request["spanId"], &request["traceId"]));
    assert_eq!(commit["attributes"][0]["value"]["boolValue"], false);
    assert_eq!((&attempt["traceId"], &attempt["spanId"]), (&CONTEXT[3..35].into(), &CONTEXT[36..52].into()));
    let nanoseconds = |name: &str| commit[name].as_str().expect("a text").parse::<u64>().expect("a number");
    assert!(nanoseconds("startTimeUnixNano") <= nanoseconds("endTimeUnixNano"));
    assert_eq!((count(&figures, Fate::Sent), count(&figures, Fate::Failed)), (3, 0));
}

#[actix_web::test]
async fn what_a_collector_does_not_take_is_counted() {
    let (port, mut requests) = collector(503).await;
    let figures = SpanFigures::new().expect("figures");
    let (layer, exporter) = exporter(port, &figures);
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
        drop(tracing::trace_span!(target: "otlp", "commit"));
    });
    exporter.start().stop().await;
    requests.recv().await.expect("a request");
    assert_eq!((count(&figures, Fate::Sent), count(&figures, Fate::Failed)), (0, 1));
}

#[actix_web::test]
async fn a_collector_that_hangs_costs_spans_and_nothing_else() {
    // Connections are made by the kernel, and nobody ever answers.
    let hangs = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let figures = SpanFigures::new().expect("figures");
    let (layer, exporter) = exporter(hangs.local_addr().expect("an address").port(), &figures);
    let _exporting = exporter.start();
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
        // None of this waits: the thread that would send does nothing else meanwhile.
        (0..WAITING_MAX + 10).for_each(|_| drop(tracing::trace_span!(target: "otlp", "commit")));
    });
    assert_eq!(count(&figures, Fate::Dropped), 10);
}
