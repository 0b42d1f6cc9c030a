//! The tools of agents: at `/mcp` of the public API and on the standard streams of `radar mcp`, the same in both places.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::support::customer::Customer;
use crate::support::databases::TestDatabase;
use crate::support::process::Service;
use crate::support::push_source::PushSource;
use crate::support::raw::{Raw, RawAnswer};

const VERSION: &str = "2025-11-25";
const CREATE: &str = "create_radar";

/// How an agent reaches the tools.
enum Agent {
    Http { port: u16, key: String },
    Stdio { program: Child, input: ChildStdin, output: BufReader<ChildStdout> },
}

impl Agent {
    fn stdio(service: &Service, customer: &Customer) -> Self {
        let url = service.public_url("");
        let mut program = service
            .command(&["mcp", "--url", &url])
            .env("RADAR_API_KEY", &customer.api_key)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a program");
        let input = program.stdin.take().expect("an input");
        let output = BufReader::new(program.stdout.take().expect("an output"));
        Self::Stdio { program, input, output }
    }

    /// Greets the server, as clients do; answers what it says of itself.
    fn greet(&mut self) -> Value {
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client});
        let told = self.ask("initialize", params);
        if let Self::Stdio { input, .. } = self {
            writeln!(input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).expect("a reader");
        }
        told["result"].clone()
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        match self {
            Self::Http { port, key } => post(*port, &format!("x-api-key: {key}\r\n"), &message).json(),
            Self::Stdio { input, output, .. } => {
                writeln!(input, "{message}").expect("a reader");
                let mut line = String::new();
                output.read_line(&mut line).expect("an answer");
                serde_json::from_str(&line).expect("JSON")
            }
        }
    }

    /// Calls a tool; answers what it gave, which is as the tool says that it is.
    #[track_caller]
    fn call(&mut self, tools: &Value, name: &str, arguments: Value) -> Result<Value, Value> {
        let answer = self.ask("tools/call", json!({"name": name, "arguments": arguments}));
        let result = &answer["result"];
        let given = result["structuredContent"].clone();
        assert_eq!(result["content"][0]["text"].as_str(), Some(given.to_string().as_str()), "{answer}");
        if result["isError"] == true {
            return Err(given);
        }
        let tool = tools.as_array().expect("tools").iter().find(|tool| tool["name"] == name).expect("the tool");
        if let Err(error) = jsonschema::draft202012::validate(&tool["outputSchema"], &given) {
            panic!("{name} gave {given}: {error}");
        }
        Ok(given)
    }
}

fn post(port: u16, headers: &str, message: &str) -> RawAnswer {
    let mut raw = Raw::connect(port);
    let length = message.len();
    raw.send(
        format!(
            "POST /mcp HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n\
             mcp-protocol-version: {VERSION}\r\ncontent-length: {length}\r\n{headers}\r\n{message}"
        )
        .as_bytes(),
    );
    raw.answer("POST")
}

async fn stage(settings: &[(&str, &str)]) -> (Service, Customer, impl Sized) {
    let database = TestDatabase::sqlite();
    let provider = PushSource::of(&["company_reviews"]);
    let dir = provider.dir();
    let service = Service::start(database.url(), &[settings, &[("SOURCES__DIR", dir.as_str())]].concat());
    let customer = Customer::create(&service).await;
    customer.top_up(&service, "first", "1").await;
    (service, customer, (database, provider))
}

async fn balance(service: &Service, customer: &Customer) -> Option<f64> {
    customer.account(service).await["balance_remaining_usd"].as_f64()
}

/// What an agent does in its first minutes, through every tool.
async fn first_minutes(service: &Service, customer: &Customer, agent: &mut Agent) {
    assert_eq!(agent.greet()["serverInfo"]["name"], "radar");
    let tools = agent.ask("tools/list", json!({}))["result"]["tools"].clone();
    let hints = |tool: &Value| {
        let hints = &tool["annotations"];
        (tool["name"].clone(), hints["readOnlyHint"] == true, hints["destructiveHint"] == true)
    };
    assert_eq!(
        tools.as_array().expect("tools").iter().map(hints).collect::<Vec<_>>(),
        [
            ("list_radar_types".into(), true, false),
            ("preview_radar".into(), true, false),
            (CREATE.into(), false, false),
            ("list_radars".into(), true, false),
            ("list_updates".into(), true, false),
            ("get_radar_health".into(), true, false),
            ("deactivate_radar".into(), false, true),
        ]
    );

    let types = agent.call(&tools, "list_radar_types", json!({})).expect("types");
    assert_eq!(types["data"].as_array().map(Vec::len), Some(15));
    let wanted = json!({"radar_type": "company_reviews", "domain": "acme.com"});
    let preview = agent.call(&tools, "preview_radar", wanted.clone()).expect("a preview");
    assert_eq!(preview["data"]["price"]["rate_usd"], 0.1);

    // What costs money is done only at a price that was seen.
    let with = |more: Value| {
        let mut arguments = wanted.clone();
        arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        arguments
    };
    for more in [
        json!({}),
        json!({"confirm": true}),
        json!({"confirm": true, "rate_usd": 0.1}),
        json!({"confirm": true, "model": "subscription"}),
        json!({"confirm": true, "model": "subscription", "rate_usd": 0.05}),
        json!({"confirm": true, "model": "update_based", "rate_usd": 0.1}),
        json!({"model": "subscription", "rate_usd": 0.1}),
    ] {
        let told = agent.call(&tools, CREATE, with(more)).expect("a price");
        assert_eq!((&told["created"], &told["price"]["rate_usd"]), (&json!(false), &json!(0.1)), "{told}");
    }
    assert_eq!(balance(service, customer).await, Some(1.0));
    let agreed = json!({"confirm": true, "model": "subscription", "rate_usd": 0.1});
    let mut confirmed = with(agreed.clone());
    confirmed["idempotency_key"] = "once".into();
    let created = agent.call(&tools, CREATE, confirmed.clone()).expect("a radar");
    assert_eq!((&created["created"], &created["radar"]["radar_status"]), (&json!(true), &json!("active")));
    assert_eq!(agent.call(&tools, CREATE, confirmed).expect("the same")["radar"], created["radar"]);
    assert_eq!(balance(service, customer).await, Some(0.9));

    // The errors are those of the API.
    let radar_id = created["radar"]["radar_id"].clone();
    let mut keyless = with(agreed);
    keyless["idempotency_key"] = Value::Null;
    let again = agent.call(&tools, CREATE, keyless).expect_err("a conflict");
    assert_eq!((&again["code"], &again["errors"][0]["reason"]), (&json!(409), &radar_id));
    let nothing = json!({"radar_type": "company_reviews", "confirm": true, "model": "subscription", "rate_usd": 0.1});
    let unclear = agent.call(&tools, CREATE, nothing).expect_err("an error");
    assert_eq!((&unclear["code"], &unclear["errors"][0]["field"]), (&json!(400), &json!("domain")));
    let odd = agent.call(&tools, "list_radars", json!({"radar_typ": ["company_reviews"]})).expect_err("an error");
    assert_eq!(odd["code"], 400);
    let astray = agent.call(&tools, "get_radar_health", json!({"radar_id": "../account"})).expect_err("an error");
    assert_eq!(astray["errors"][0]["field"], "radar_id");
    assert_eq!(agent.ask("tools/call", json!({"name": "delete_all"}))["error"]["code"], -32602);

    let one = json!({"radar_id": radar_id});
    let listed =
        agent.call(&tools, "list_radars", json!({"radar_type": ["company_reviews"], "limit": 5})).expect("a page");
    assert_eq!(listed["data"][0]["radar_id"], radar_id);
    let health = agent.call(&tools, "get_radar_health", one.clone()).expect("its health");
    assert_eq!(health["data"]["radar_id"], radar_id);
    agent.call(&tools, "list_updates", json!({"update_type": ["radar_finding", "radar_failure"]})).expect("a page");

    let asked = agent.call(&tools, "deactivate_radar", one.clone()).expect("a question");
    assert_eq!((&asked["deactivated"], &asked["radar"]["radar_status"]), (&json!(false), &json!("active")));
    let ended = agent.call(&tools, "deactivate_radar", json!({"radar_id": radar_id, "confirm": true})).expect("an end");
    assert_eq!((&ended["deactivated"], &ended["radar"]["radar_status"]), (&json!(true), &json!("inactive")));
    assert_eq!(ended["price"]["rate_usd"], 0.1);
}

#[actix_web::test]
async fn an_agent_uses_every_tool_over_http() {
    let (service, customer, _kept) = stage(&[("HTTP__MCP", "true")]).await;
    let mut agent = Agent::Http { port: service.public_port(), key: customer.api_key.clone() };
    first_minutes(&service, &customer, &mut agent).await;
    assert!(!service.log().contains(&customer.api_key));
}

#[actix_web::test]
async fn an_agent_uses_every_tool_of_a_program_that_it_starts() {
    // The program needs nothing but the API.
    let (service, customer, _kept) = stage(&[]).await;
    let mut agent = Agent::stdio(&service, &customer);
    first_minutes(&service, &customer, &mut agent).await;
    let Agent::Stdio { mut program, input, .. } = agent else { panic!("a program") };
    drop(input);
    assert!(program.wait().expect("an end").success());
}

#[actix_web::test]
async fn a_key_that_only_reads_reads_with_tools() {
    let (service, customer, _kept) = stage(&[("HTTP__MCP", "true")]).await;
    let keys = format!("/operator/v1/accounts/{}/api-keys", customer.account_id);
    let made = service.operator().post(&keys, &json!({"scopes": ["read"]})).await.expect_status(201);
    let mut agent = Agent::Http { port: service.public_port(), key: made.text("/data/api_key").to_owned() };
    assert_eq!(agent.greet()["serverInfo"]["name"], "radar");
    let tools = agent.ask("tools/list", json!({}))["result"]["tools"].clone();
    agent.call(&tools, "list_radars", json!({})).expect("a page");
    let wanted = json!({
        "radar_type": "company_reviews", "domain": "acme.com", "confirm": true, "model": "subscription", "rate_usd": 0.1
    });
    let refused = agent.call(&tools, CREATE, wanted).expect_err("a refusal");
    assert_eq!((&refused["code"], &refused["errors"][0]["reason"]), (&json!(403), &json!("lacks the scope write")));
    assert_eq!(balance(&service, &customer).await, Some(1.0));
}

#[actix_web::test]
async fn tools_are_off_until_they_are_wanted() {
    let (service, customer, _kept) = stage(&[]).await;
    let key = format!("x-api-key: {}\r\n", customer.api_key);
    post(service.public_port(), &key, "{}").expect_status(404);
}

#[actix_web::test]
async fn a_message_is_held_to_what_any_request_is_held_to() {
    let settings = [("HTTP__MCP", "true"), ("HTTP__CORS_ORIGINS", "https://app.example.com")];
    let (service, _, _kept) = stage(&settings).await;
    let customer = Customer::create_with(&service, &json!({"per_second": 2})).await;
    let key = format!("x-api-key: {}\r\n", customer.api_key);
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    let say = |headers: &str| post(service.public_port(), headers, &ping);
    let unknown = say("").expect_status(401);
    assert!(unknown.head.contains("www-authenticate"), "{}", unknown.head);
    // A page whose name was made to lead here still tells where it comes from.
    say(&format!("{key}origin: https://evil.example\r\n")).expect_status(403);
    let answer = say(&format!("{key}origin: https://app.example.com\r\n")).expect_status(200);
    assert!(answer.head.contains("content-type: application/json"), "{}", answer.head);
    let mut raw = Raw::connect(service.public_port());
    raw.send(format!("GET /mcp HTTP/1.1\r\nhost: a\r\n{key}\r\n").as_bytes());
    let listening = raw.answer("GET").expect_status(405);
    assert!(listening.head.contains("allow: post, options\r\n"), "{}", listening.head);
    let statuses: Vec<u16> = (0..20).map(|_| say(&key).status).collect();
    assert!(statuses.contains(&429), "{statuses:?}");
}
