//! The service's own OpenAPI document, held against every answer of the public API that a test receives, and against
//! everything that is pushed to a test.
//!
//! Answers are checked more strictly than customers must: a field that the document does not know is a deviation.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use actix_web::http::header::HeaderMap;
use jsonschema::{Draft, Validator};
use serde_json::{Value, json};
use url::form_urlencoded;

/// What all paths of the public API begin with.
const PUBLIC: &str = "/v1/";

/// One request and what was answered to it.
#[derive(Clone, Copy)]
pub struct Exchange<'a> {
    pub method: &'a str,
    /// The path with its query.
    pub path: &'a str,
    pub sent: Option<&'a str>,
    pub status: u16,
    pub headers: &'a HeaderMap,
    pub body: &'a Value,
}

/// The document, compiled.
pub struct Contract {
    operations: Vec<Operation>,
    error: Validator,
    push: Documented,
}

struct Operation {
    method: String,
    /// The path's template, in segments.
    path: Vec<String>,
    parameters: Vec<String>,
    request: Option<Validator>,
    answers: BTreeMap<u16, Arc<Documented>>,
}

struct Documented {
    /// `None` where the answer is no JSON.
    body: Option<Validator>,
    /// Headers that must be there, each with its schema.
    headers: Vec<(String, Validator)>,
}

/// Holds an exchange against the document; one with anything but the public API is let pass.
///
/// # Panics
/// The exchange is not as documented.
pub fn check(exchange: &Exchange<'_>) {
    if exchange.path.starts_with(PUBLIC) {
        contract().check(exchange);
    }
}

/// Holds a pushed update against the document. Samples, which have no signature, are updates without its headers.
///
/// # Panics
/// The update is not as documented.
pub fn check_push(headers: &HeaderMap, body: &[u8]) {
    let body = serde_json::from_slice(body).unwrap_or(Value::Null);
    let push = &contract().push;
    let mut deviations = push.body_deviations(&body);
    if headers.contains_key("webhook-signature") {
        deviations.extend(push.headers.iter().flat_map(|(name, schema)| header_deviations(headers, name, schema)));
    }
    assert!(deviations.is_empty(), "pushed not as documented:\n{}\n{body}", deviations.join("\n"));
}

/// The contract, compiled at the first call: to be called before a connection is open that would have to wait.
pub fn contract() -> &'static Contract {
    static CONTRACT: OnceLock<Contract> = OnceLock::new();
    CONTRACT.get_or_init(|| Contract::of(&document()))
}

/// The document as JSON.
pub fn document() -> Value {
    serde_json::to_value(radar::api::document()).expect("JSON")
}

/// Compiles a schema of `document`.
pub fn compile(schema: &Value, document: &Value) -> Validator {
    let mut whole = schema.clone();
    whole["components"] = json!({"schemas": document["components"]["schemas"]});
    let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true);
    options.build(&whole).unwrap_or_else(|error| panic!("{error} in {schema}"))
}

/// Follows a reference within the document, if it is one.
pub fn resolved<'a>(value: &'a Value, document: &'a Value) -> &'a Value {
    match value["$ref"].as_str() {
        None => value,
        Some(place) => {
            let pointer = place.strip_prefix('#').expect("a reference within the document");
            document.pointer(pointer).unwrap_or_else(|| panic!("{place} is nowhere"))
        }
    }
}

/// The same schema without room for fields that it does not name.
pub fn strict(mut schema: Value) -> Value {
    close(&mut schema);
    schema
}

fn close(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.get("properties").is_some_and(Value::is_object) {
                fields.entry("additionalProperties").or_insert(json!(false));
            }
        }
        Value::Array(values) => values.iter_mut().for_each(close),
        _ => {}
    }
}

impl Contract {
    fn of(document: &Value) -> Self {
        let mut strictly = document.clone();
        close(&mut strictly["components"]["schemas"]);
        let shared = strictly["components"]["responses"].as_object().expect("responses").iter();
        let shared = shared.map(|(name, answer)| {
            (format!("#/components/responses/{name}"), Arc::new(Documented::of(answer, &strictly)))
        });
        let shared: BTreeMap<String, Arc<Documented>> = shared.collect();
        let mut operations = Vec::new();
        for (path, item) in document["paths"].as_object().expect("paths") {
            for (method, operation) in item.as_object().expect("methods") {
                operations.push(Operation::of(path, method, operation, &strictly, &shared));
            }
        }
        let error = compile(&json!({"$ref": "#/components/schemas/Error"}), &strictly);
        Self { operations, error, push: Documented::push(&strictly["webhooks"]["radarUpdate"]["post"], &strictly) }
    }

    fn check(&self, exchange: &Exchange<'_>) {
        let deviations = self.deviations(exchange);
        let Exchange { method, path, status, body, .. } = exchange;
        let deviations = deviations.join("\n");
        assert!(deviations.is_empty(), "{method} {path} answers {status} not as documented:\n{deviations}\n{body}");
    }

    /// What is not as documented.
    pub fn deviations(&self, exchange: &Exchange<'_>) -> Vec<String> {
        let (path, query) = exchange.path.split_once('?').unwrap_or((exchange.path, ""));
        let here = self.at(path);
        let Some(operation) = here.iter().find(|operation| operation.method == exchange.method.to_lowercase()) else {
            return self.stray_deviations(exchange, &here);
        };
        let Some(documented) = operation.answers.get(&exchange.status) else {
            return vec!["the status is not documented".to_owned()];
        };
        let mut deviations = documented.body_deviations(exchange.body);
        deviations.extend(
            documented.headers.iter().flat_map(|(name, schema)| header_deviations(exchange.headers, name, schema)),
        );
        if documented.body.is_some() && exchange.body["code"] != exchange.status {
            deviations.push("the code in the body is another".to_owned());
        }
        if matches!(exchange.status, 200 | 201) {
            deviations.extend(operation.request_deviations(exchange, query));
        }
        deviations
    }

    /// The operations of the path; a template that has the words of the path fits better than one with parameters.
    fn at(&self, path: &str) -> Vec<&Operation> {
        let segments: Vec<&str> = path.split('/').collect();
        let fits = |operation: &&Operation| {
            operation.path.len() == segments.len()
                && operation.path.iter().zip(&segments).all(|(ours, theirs)| ours == theirs || is_filled(ours, theirs))
        };
        let parameters = |operation: &Operation| operation.path.iter().filter(|segment| is_parameter(segment)).count();
        let fitting: Vec<&Operation> = self.operations.iter().filter(fits).collect();
        let least = fitting.iter().map(|operation| parameters(operation)).min();
        fitting.into_iter().filter(|operation| Some(parameters(operation)) == least).collect()
    }

    /// What is wrong with the answer to a path or method that there is not.
    fn stray_deviations(&self, exchange: &Exchange<'_>, here: &[&Operation]) -> Vec<String> {
        let mut deviations = errors(&self.error, exchange.body);
        let wanted = if here.is_empty() { 404 } else { 405 };
        if exchange.status != wanted {
            deviations.push(format!("the status must be {wanted}"));
        }
        let mut allowed: BTreeSet<String> = here.iter().map(|operation| operation.method.to_uppercase()).collect();
        if !here.is_empty() {
            allowed.extend(allowed.contains("GET").then(|| "HEAD".to_owned()));
            allowed.insert("OPTIONS".to_owned());
        }
        let allow = exchange.headers.get("allow").and_then(|value| value.to_str().ok());
        let listed: BTreeSet<String> =
            allow.into_iter().flat_map(|methods| methods.split(", ")).map(str::to_owned).collect();
        if listed != allowed {
            deviations.push(format!("allow is {allow:?}"));
        }
        deviations
    }
}

impl Operation {
    fn of(
        path: &str,
        method: &str,
        operation: &Value,
        document: &Value,
        shared: &BTreeMap<String, Arc<Documented>>,
    ) -> Self {
        let documented = |answer: &Value| match answer["$ref"].as_str() {
            Some(reference) => shared[reference].clone(),
            None => Arc::new(Documented::of(answer, document)),
        };
        let names =
            operation["parameters"].as_array().into_iter().flatten().map(|parameter| parameter["name"].as_str());
        let answers = operation["responses"].as_object().expect("responses").iter();
        Self {
            method: method.to_owned(),
            path: path.split('/').map(str::to_owned).collect(),
            parameters: names.flatten().map(str::to_owned).collect(),
            request: json_schema(&operation["requestBody"]).map(|schema| compile(schema, document)),
            answers: answers.map(|(status, answer)| (status.parse().expect("a status"), documented(answer))).collect(),
        }
    }

    /// What was accepted although the document does not know it.
    fn request_deviations(&self, exchange: &Exchange<'_>, query: &str) -> Vec<String> {
        let mut deviations = Vec::new();
        for (name, _) in form_urlencoded::parse(query.as_bytes()) {
            if !self.parameters.iter().any(|known| *known == name) {
                deviations.push(format!("the parameter {name} is accepted, but not documented"));
            }
        }
        if let Some((schema, sent)) = self.request.as_ref().zip(exchange.sent) {
            let sent = serde_json::from_str(sent).expect("JSON");
            deviations.extend(errors(schema, &sent).into_iter().map(|error| format!("accepted: {error}")));
        }
        deviations
    }
}

impl Documented {
    fn of(answer: &Value, document: &Value) -> Self {
        let headers = answer["headers"].as_object().into_iter().flatten();
        let required = headers.filter(|(_, header)| header["required"] == true);
        Self {
            body: json_schema(answer).map(|schema| compile(&strict(schema.clone()), document)),
            headers: required.map(|(name, header)| (name.clone(), compile(&header["schema"], &json!({})))).collect(),
        }
    }

    fn push(operation: &Value, document: &Value) -> Self {
        let name = |parameter: &Value| parameter["name"].as_str().expect("a name").to_owned();
        let headers = operation["parameters"].as_array().expect("headers").iter();
        Self {
            body: json_schema(&operation["requestBody"]).map(|schema| compile(schema, document)),
            headers: headers.map(|header| (name(header), compile(&header["schema"], &json!({})))).collect(),
        }
    }
}

impl Documented {
    fn body_deviations(&self, body: &Value) -> Vec<String> {
        self.body.as_ref().map_or_else(Vec::new, |schema| errors(schema, body))
    }
}

fn json_schema(body: &Value) -> Option<&Value> {
    body.pointer("/content/application~1json/schema")
}

fn is_parameter(segment: &str) -> bool {
    segment.starts_with('{') && segment.ends_with('}')
}

/// Whether a segment is that of a template with a value in the place of its parameter.
fn is_filled(template: &str, segment: &str) -> bool {
    let end = template.strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(_, end)| end);
    end.is_some_and(|end| segment.len() > end.len() && segment.ends_with(end))
}

fn header_deviations(headers: &HeaderMap, name: &str, schema: &Validator) -> Vec<String> {
    let Some(text) = headers.get(name).and_then(|value| value.to_str().ok()) else {
        return vec![format!("the header {name} is missing")];
    };
    let value = text.parse::<i64>().map_or_else(|_| json!(text), |number| json!(number));
    errors(schema, &value).into_iter().map(|error| format!("the header {name}: {error}")).collect()
}

fn errors(schema: &Validator, value: &Value) -> Vec<String> {
    schema.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}
