//! What HTTP asks of a server beside the contract: HEAD, OPTIONS, other origins, packing, tags, links, replays, TLS.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use actix_web::http::{Method, Version};
use flate2::read::GzDecoder;
use futures_util::future::join_all;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::{Value, json};

use crate::support::customer::Customer;
use crate::support::databases::TestDatabase;
use crate::support::process::Service;
use crate::support::push_source::PushSource;
use crate::support::raw::{Raw, RawAnswer};

const COMPANIES: &str = "/v1/radars/companies";
/// Certificates for localhost, and their root.
const CERTIFICATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/outbound/transport/certificates");

/// A service with a customer that has created `count` radars.
async fn stage(settings: &[(&str, &str)], count: usize) -> (Service, Customer, Vec<String>, impl Sized) {
    let database = TestDatabase::sqlite();
    let provider = PushSource::of(&["company_reviews"]);
    let dir = provider.dir();
    let settings = [settings, &[("SOURCES__DIR", dir.as_str())]].concat();
    let service = Service::start(database.url(), &settings);
    let customer = Customer::create(&service).await;
    customer.top_up(&service, "first", "100").await;
    let mut radars = Vec::new();
    for number in 0..count {
        let created = customer.create_reviews_radar(&service, &format!("company{number}.com"), None).await;
        radars.push(created.expect_status(201).text("/data/radar_id").to_owned());
    }
    (service, customer, radars, (database, provider))
}

fn raw(service: &Service, method: &str, path: &str, headers: &str) -> RawAnswer {
    let mut raw = Raw::connect(service.public_port());
    raw.send(format!("{method} {path} HTTP/1.1\r\nhost: a\r\n{headers}\r\n").as_bytes());
    raw.answer(method)
}

fn length(answer: &RawAnswer) -> Option<&str> {
    answer.head.lines().find_map(|line| line.strip_prefix("content-length: "))
}

#[actix_web::test]
async fn head_and_options_are_answered_wherever_something_is() {
    let (service, customer, radars, _kept) = stage(&[], 1).await;
    let key = format!("x-api-key: {}\r\n", customer.api_key);
    let path = format!("/v1/radars/{}", radars[0]);
    let get = raw(&service, "GET", &path, &key).expect_status(200);
    let head = raw(&service, "HEAD", &path, &key).expect_status(200);
    assert!(length(&get).is_some() && length(&head) == length(&get), "{} {}", head.head, get.head);
    raw(&service, "HEAD", &path, "").expect_status(401);
    raw(&service, "HEAD", COMPANIES, &key).expect_status(405);
    let options = raw(&service, "OPTIONS", &path, "").expect_status(204);
    assert!(options.head.contains("allow: get, head, delete, options\r\n"), "{}", options.head);
    assert!(!options.head.contains("access-control"), "{}", options.head);
    raw(&service, "GET", &format!("{path}/"), &key).expect_status(200);
    raw(&service, "GET", "/v1/radars/", &key).expect_status(200);
    raw(&service, "GET", "/v1/radars//", &key).expect_status(404);
}

#[actix_web::test]
async fn pages_of_named_origins_may_call() {
    let (service, customer, _, _kept) = stage(&[("HTTP__CORS_ORIGINS", "https://app.example.com")], 0).await;
    let asked = "origin: https://app.example.com\r\naccess-control-request-method: POST\r\n";
    let preflight = raw(&service, "OPTIONS", COMPANIES, asked).expect_status(204);
    for line in [
        "access-control-allow-origin: https://app.example.com\r\n",
        "access-control-allow-methods: post, options\r\n",
        "access-control-allow-headers: content-type, x-api-key,",
        "mcp-protocol-version, mcp-session-id\r\n",
        "vary: origin\r\n",
    ] {
        assert!(preflight.head.contains(line), "{line} in {}", preflight.head);
    }
    let key = format!("x-api-key: {}\r\n", customer.api_key);
    let answer =
        raw(&service, "GET", "/v1/radars", &format!("{key}origin: https://app.example.com\r\n")).expect_status(200);
    assert!(answer.head.contains("access-control-expose-headers: x-request-id,"), "{}", answer.head);
    let stranger =
        raw(&service, "GET", "/v1/radars", &format!("{key}origin: https://example.com\r\n")).expect_status(200);
    assert!(!stranger.head.contains("access-control"), "{}", stranger.head);
}

#[actix_web::test]
async fn answers_are_packed_for_who_unpacks_them() {
    let (service, _, _, _kept) = stage(&[], 0).await;
    let plain = raw(&service, "GET", "/openapi.json", "").expect_status(200);
    assert!(!plain.head.contains("content-encoding"), "{}", plain.head);
    let client = service.public();
    let packed = client.clone().with_header("accept-encoding", "gzip").get("/openapi.json").await.expect_status(200);
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    let mut unpacked = Vec::new();
    GzDecoder::new(&packed.bytes[..]).read_to_end(&mut unpacked).expect("gzip");
    assert!(unpacked == plain.body && packed.bytes.len() < plain.body.len() / 4);
    let packed = client.with_header("accept-encoding", "br, gzip;q=0.5").get("/openapi.json").await.expect_status(200);
    assert_eq!(packed.header("content-encoding"), Some("br"));
}

#[actix_web::test]
async fn who_has_a_record_or_a_document_is_told_so() {
    let (service, customer, radars, _kept) = stage(&[], 1).await;
    let api = customer.api(&service);
    let path = format!("/v1/radars/{}", radars[0]);
    for (client, path) in
        [(service.public(), "/openapi.json"), (api.clone(), path.as_str()), (api.clone(), "/v1/account")]
    {
        let tag = client.get(path).await.expect_status(200).header("etag").expect("a tag").to_owned();
        let again = client.clone().with_header("if-none-match", &tag).get(path).await.expect_status(304);
        assert_eq!((again.header("etag"), again.bytes.len()), (Some(tag.as_str()), 0), "{path}");
        client.with_header("if-none-match", "\"another\"").get(path).await.expect_status(200);
    }
    let tag = api.get(&path).await.header("etag").expect("a tag").to_owned();
    api.delete(&path).await.expect_status(200);
    api.with_header("if-none-match", &tag).get(&path).await.expect_status(200);
}

#[actix_web::test]
async fn what_is_created_is_located_and_pages_lead_on() {
    let (service, customer, radars, _kept) = stage(&[], 3).await;
    let api = customer.api(&service);
    let body = json!({"domain": "more.com", "radar_type": "company_reviews"});
    let once = api.clone().with_header("idempotency-key", "one");
    let created = once.post(COMPANIES, &body).await.expect_status(201);
    let location = format!("/v1/radars/{}", created.text("/data/radar_id"));
    assert_eq!((created.header("location"), created.header("idempotent-replayed")), (Some(location.as_str()), None));
    let again = once.post(COMPANIES, &body).await.expect_status(201);
    assert_eq!(
        (again.header("location"), again.header("idempotent-replayed")),
        (Some(location.as_str()), Some("true"))
    );
    assert_eq!(again.bytes, created.bytes);
    api.get(&location).await.expect_status(200);

    let mut query = "?limit=2&radar_type=company_reviews".to_owned();
    let mut seen = 0;
    loop {
        let page = api.get(&format!("/v1/radars{query}")).await.expect_status(200);
        seen += page.json["data"].as_array().expect("radars").len();
        let Some(link) = page.header("link") else { break };
        query = link.trim_start_matches('<').trim_end_matches(">; rel=\"next\"").to_owned();
    }
    assert_eq!(seen, radars.len() + 1);
    let account = service.operator().post("/operator/v1/accounts", &json!({"name": "Acme"})).await.expect_status(201);
    let location = format!("/operator/v1/accounts/{}", account.text("/data/account_id"));
    assert_eq!(account.header("location"), Some(location.as_str()));
}

#[actix_web::test]
async fn lists_are_repeated_or_have_commas() {
    let (service, customer, radars, _kept) = stage(&[], 3).await;
    let api = customer.api(&service);
    let repeated = format!("/v1/radars?radar_id={}&radar_id={}&limit=10", radars[0], radars[1]);
    let joined = format!("/v1/radars?radar_id={},{}&limit=10", radars[0], radars[1]);
    let of = |answer: &Value| answer["data"].clone();
    let (one, other) = (api.get(&repeated).await.expect_status(200), api.get(&joined).await.expect_status(200));
    assert_eq!((of(&one.json), one.json["count"].as_u64()), (of(&other.json), Some(2)));
}

#[actix_web::test]
async fn who_lacks_a_key_is_told_which() {
    let (service, _, _, _kept) = stage(&[], 0).await;
    let answer = service.public().get("/v1/radars").await.expect_status(401);
    assert_eq!(answer.header("www-authenticate"), Some("ApiKey header=\"x-api-key\""));
    let answer = service.operator().with_header("x-operator-key", "x").send(Method::GET, "/health/live", None).await;
    assert_eq!(answer.header("www-authenticate"), None);
}

#[test]
fn tls_is_spoken_with_the_certificate_of_the_settings() {
    let file = |name: &str| format!("{CERTIFICATES}/{name}");
    let (cert, key) = (file("localhost.pem"), file("localhost.key"));
    let database = TestDatabase::sqlite();
    let service = Service::start(database.url(), &[("HTTP__TLS_CERT", &cert), ("HTTP__TLS_KEY", &key)]);
    let mut client = tls_client(service.public_port());
    // Sent together, so that some of it is decrypted before it is asked for.
    let head = |method: &str, path: &str| format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n");
    let requests = head("HEAD", "/openapi.json") + "\r\n" + &head("GET", "/v1/radars") + "connection: close\r\n\r\n";
    client.write_all(requests.as_bytes()).expect("sent");
    let mut answers = String::new();
    client.read_to_string(&mut answers).expect("answers");
    let statuses: Vec<&str> = answers.lines().filter(|line| line.starts_with("HTTP/1.1 ")).collect();
    assert_eq!(statuses, ["HTTP/1.1 200 OK", "HTTP/1.1 401 Unauthorized"], "{answers}");
    let mut plain = Raw::connect(service.public_port());
    plain.send(b"GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n");
    let mut answer = Vec::new();
    plain.read_all(&mut answer);
    assert!(!answer.starts_with(b"HTTP/"), "plain HTTP is not answered");
}

#[actix_web::test]
async fn http_2_is_spoken_where_the_settings_say_so() {
    let file = |name: &str| format!("{CERTIFICATES}/{name}");
    let (cert, key) = (file("localhost.pem"), file("localhost.key"));
    let portal = ("HTTP__PORTAL", "https://localhost");
    let tls = [("HTTP__TLS_CERT", cert.as_str()), ("HTTP__TLS_KEY", key.as_str()), portal];
    for (settings, version) in [(&[][..], Version::HTTP_11), (&[("HTTP__HTTP2", "true")], Version::HTTP_2)] {
        let database = TestDatabase::sqlite();
        let settings = [&tls, settings].concat();
        let service = Service::start(database.url(), &settings);
        let mut config = tls_config();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let client = awc::Client::builder().connector(awc::Connector::new().rustls_0_23(Arc::new(config))).finish();
        let url = |path: &str| format!("https://localhost:{}{path}", service.public_port());
        // Together: over HTTP/2 on one connection, whose window is smaller than the document.
        let documents = (0..20).map(|_| async {
            let mut answer = client.get(url("/openapi.json")).send().await.expect("an answer");
            (answer.version(), answer.body().limit(16 << 20).await.expect("a document"))
        });
        let documents = join_all(documents).await;
        assert!(documents.iter().all(|(spoken, text)| *spoken == version && *text == documents[0].1), "{version:?}");
        assert!(documents[0].1.len() > 128 * 1024);
        let body = json!({"domain": "acme.com", "radar_type": "company_reviews"});
        let mut refused = client.post(url("/v1/radars/companies")).send_json(&body).await.expect("an answer");
        assert_eq!((refused.status().as_u16(), refused.version()), (401, version));
        assert!(String::from_utf8_lossy(&refused.body().await.expect("a body")).contains("x-api-key"));
        // The portal is called `localhost` alone, without a port.
        let foreign = client.get(url("/portal")).send().await.expect("an answer");
        assert_eq!(foreign.status().as_u16(), 421, "a request for another host");
    }
}

fn tls_client(port: u16) -> StreamOwned<ClientConnection, TcpStream> {
    let name = ServerName::try_from("localhost").expect("a name");
    let connection = ClientConnection::new(Arc::new(tls_config()), name).expect("a client");
    StreamOwned::new(connection, TcpStream::connect(("127.0.0.1", port)).expect("a connection"))
}

fn tls_config() -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(format!("{CERTIFICATES}/root.pem")).expect("a root")).expect("added");
    let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().expect("versions").with_root_certificates(roots);
    builder.with_no_client_auth()
}
