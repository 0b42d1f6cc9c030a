//! Connections of strangers: slow, silent, greedy, many. None of them needs a key, and none may cost much.

use serde_json::json;

use crate::support::databases::TestDatabase;
use crate::support::process::Service;
use crate::support::raw::{Raw, ask, within_patience};

const DOCUMENT: &[u8] = b"GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n";
const NOTHING: &[u8] = b"GET /nothing HTTP/1.1\r\nhost: a\r\n\r\n";

#[test]
fn who_never_reads_is_cut_and_costs_little() {
    const SOCKETS: usize = 200;
    const MEMORY_MAX_MIB: u64 = 64;
    let database = TestDatabase::sqlite();
    let service = Service::start(database.url(), &[("HTTP__WRITE_TIMEOUT", "3s")]);
    ask(service.public_port(), DOCUMENT).expect("an answer");
    let before = service.memory_mib();
    let requests = DOCUMENT.repeat(400);
    let mut sockets: Vec<Raw> = (0..SOCKETS).map(|_| Raw::connect(service.public_port())).collect();
    for socket in &mut sockets {
        socket.send_what_fits(&requests);
    }
    assert_eq!(ask(service.public_port(), DOCUMENT).expect("an answer"), 200, "others are served");
    let during = service.memory_mib();
    assert!(during < before + MEMORY_MAX_MIB, "{before} MiB became {during} MiB");
    for (number, socket) in sockets.iter().enumerate() {
        assert!(socket.is_cut(), "socket {number} is still open");
    }
}

#[test]
fn who_sends_slowly_is_closed() {
    let database = TestDatabase::sqlite();
    let service = Service::start(database.url(), &[("HTTP__IDLE_TIMEOUT", "1s")]);
    let mut silent = Raw::connect(service.public_port());
    let mut first = Raw::connect(service.public_port());
    first.send(b"GET /openapi.json HTT");
    let mut second = Raw::connect(service.public_port());
    second.send(NOTHING);
    second.answer("GET").expect_status(404);
    second.send(b"GET /openapi.json HTT");
    let mut unread_body = Raw::connect(service.public_port());
    unread_body.send(b"GET /nothing HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1\r\n");
    unread_body.answer("GET").expect_status(404);
    for (name, raw) in
        [("silent", &mut silent), ("first", &mut first), ("second", &mut second), ("body", &mut unread_body)]
    {
        assert!(raw.is_closed_without_an_answer(), "{name}");
    }
}

#[test]
fn an_address_has_so_many_connections_and_no_more() {
    let database = TestDatabase::sqlite();
    let service = Service::start(database.url(), &[("HTTP__MAX_CONNECTIONS_PER_ADDRESS", "3")]);
    let port = service.public_port();
    let mut open: Vec<Raw> = (0..3).map(|_| Raw::connect(port)).collect();
    for raw in &mut open {
        raw.send(NOTHING);
        raw.answer("GET").expect_status(404);
    }
    let refused = Raw::connect(port).answer("GET").expect_status(503);
    assert_eq!((&refused.json()["code"], refused.json()["error_id"].is_string()), (&json!(503), true));
    assert!(refused.head.contains("retry-after: 1\r\n"));
    drop(open.pop());
    assert!(within_patience(|| ask(port, NOTHING).is_ok_and(|status| status == 404)), "the place did not come free");
}

#[test]
fn with_all_descriptors_taken_the_operator_is_answered() {
    const DESCRIPTORS: u32 = 256;
    let database = TestDatabase::sqlite();
    let many = [("HTTP__MAX_CONNECTIONS_PER_ADDRESS", "100000"), ("HTTP__IDLE_TIMEOUT", "5m")];
    let service = Service::start_with_descriptors(database.url(), &many, DESCRIPTORS);
    let mut held: Vec<Raw> = (0..2 * DESCRIPTORS).map(|_| Raw::connect(service.public_port())).collect();
    for raw in &mut held {
        raw.send(b"GET /");
    }
    for _ in 0..10 {
        let live = b"GET /health/live HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        assert_eq!(ask(service.operator_port(), live).expect("an answer"), 200);
    }
    drop(held);
    assert!(within_patience(|| ask(service.public_port(), NOTHING).is_ok_and(|status| status == 404)));
}

#[test]
fn requests_sent_ahead_are_answered_in_their_order() {
    let database = TestDatabase::sqlite();
    let service = Service::start(database.url(), &[]);
    let mut raw = Raw::connect(service.public_port());
    let chunked = b"POST /v1/radars/bulk HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    for _ in 0..20 {
        raw.send(&[DOCUMENT, NOTHING, chunked, b"\r\n", NOTHING].concat());
    }
    for _ in 0..20 {
        for status in [200, 404, 401, 404] {
            raw.answer("GET").expect_status(status);
        }
    }
    // In pieces of one byte.
    for byte in DOCUMENT {
        raw.send(&[*byte]);
    }
    raw.answer("GET").expect_status(200);
}

#[test]
fn decision_2_6_what_is_no_request_gets_the_body_of_every_error() {
    let database = TestDatabase::sqlite();
    let service = Service::start(database.url(), &[]);
    let long = format!("GET / HTTP/1.1\r\nhost: a\r\nx-long: {}\r\n\r\n", "x".repeat(256 * 1024));
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(200));
    for bytes in ["nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", &long, &many] {
        let mut raw = Raw::connect(service.public_port());
        raw.send(bytes.as_bytes());
        let answer = raw.answer("GET").expect_status(400);
        let body = answer.json();
        assert_eq!((&body["status"], &body["code"]), (&json!("error"), &json!(400)));
        assert_eq!(body["errors"][0]["field"], "request");
        assert!(body["error_id"].is_string() && answer.head.contains("nosniff"));
    }
}

#[test]
fn decision_2_6_other_methods_and_forms_of_requests() {
    let database = TestDatabase::sqlite();
    let service = Service::start(database.url(), &[]);
    let cases = [
        ("HEAD", "HEAD /v1/radars HTTP/1.1\r\nhost: a\r\n\r\n", 401),
        ("OPTIONS", "OPTIONS /v1/radars HTTP/1.1\r\nhost: a\r\n\r\n", 204),
        ("OPTIONS", "OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n", 404),
        ("GET", "GET http://example.org/v1/radars HTTP/1.1\r\nhost: a\r\n\r\n", 401),
        ("GET", "GET /v1/radars HTTP/1.0\r\n\r\n", 401),
        ("GET", "GET /v1/radars HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n", 401),
        ("GET", "GET /v1/radars HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n", 401),
        ("CONNECT", "CONNECT example.org:443 HTTP/1.1\r\nhost: a\r\n\r\n", 404),
        ("INVENTED", "INVENTED /v1/radars HTTP/1.1\r\nhost: a\r\n\r\n", 405),
    ];
    for (method, request, status) in cases {
        let mut raw = Raw::connect(service.public_port());
        raw.send(request.as_bytes());
        let answer = raw.answer(method).expect_status(status);
        assert_eq!(answer.head.contains("allow: get, head, options\r\n"), [204, 405].contains(&status), "{request}");
        assert!(method == "HEAD" || status == 204 || answer.json()["error_id"].is_string(), "{request}");
    }
}

#[test]
fn answers_are_not_sniffed_and_not_kept() {
    let database = TestDatabase::sqlite();
    let service = Service::start(database.url(), &[]);
    for path in ["/openapi.json", "/docs/", "/v1/account", "/nothing"] {
        let mut raw = Raw::connect(service.public_port());
        raw.send(format!("GET {path} HTTP/1.1\r\nhost: a\r\n\r\n").as_bytes());
        let head = raw.answer("GET").head;
        assert!(head.contains("x-content-type-options: nosniff\r\n"), "{head}");
        let may_be_kept = ["/openapi.json", "/docs/"].contains(&path);
        let kept = if may_be_kept { "cache-control: no-cache\r\n" } else { "cache-control: no-store\r\n" };
        assert!(head.contains(kept), "{head}");
        assert_eq!(head.contains("content-security-policy: default-src 'none'; script-src 'self';"), path == "/docs/");
    }
    let mut raw = Raw::connect(service.operator_port());
    raw.send(&service.operator_request("POST", "/operator/v1/accounts", r#"{"name": "a"}"#));
    let head = raw.answer("POST").expect_status(201).head;
    assert!(head.contains("cache-control: no-store\r\n") && head.contains("nosniff"), "{head}");
}

#[test]
fn wrong_keys_and_unknown_paths_are_counted_by_address() {
    let database = TestDatabase::sqlite();
    let settings = [("CLOCK__MODE", "simulated"), ("HTTP__FAILURES_PER_MINUTE", "5")];
    let service = Service::start(database.url(), &settings);
    let mut raw = Raw::connect(service.operator_port());
    raw.send(&service.operator_request("POST", "/operator/v1/accounts", r#"{"name": "a"}"#));
    let account = raw.answer("POST").expect_status(201).json();
    let good = format!(
        "GET /v1/radars HTTP/1.1\r\nhost: a\r\nx-api-key: {}\r\n\r\n",
        account["data"]["api_key"].as_str().expect("a key")
    );
    let wrong = b"GET /v1/radars HTTP/1.1\r\nhost: a\r\nx-api-key: wrong\r\n\r\n";
    let mut raw = Raw::connect(service.public_port());
    for (request, status) in [(NOTHING, 404), (wrong, 401), (NOTHING, 404), (wrong, 401), (NOTHING, 404)] {
        raw.send(request);
        raw.answer("GET").expect_status(status);
        raw.send(good.as_bytes());
        raw.answer("GET").expect_status(200);
    }
    for request in [NOTHING, wrong] {
        raw.send(request);
        let answer = raw.answer("GET").expect_status(429);
        assert_eq!(answer.json()["errors"], json!([{"field": "rate_limit", "reason": "minute"}]));
        assert!(answer.json().get("error_id").is_none());
        for header in ["retry-after: 12\r\n", "x-ratelimit-limit: 5\r\n", "x-ratelimit-remaining: 0\r\n"] {
            assert!(answer.head.contains(header), "{}", answer.head);
        }
        raw.send(good.as_bytes());
        raw.answer("GET").expect_status(200);
    }
}
