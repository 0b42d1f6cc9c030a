//! What a command of `radar admin` is: its arguments, and the one request of the operator API that they make.

use std::collections::BTreeMap;

use actix_web::http::Method;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use serde_json::{Value, json};
use url::form_urlencoded::byte_serialize;

use crate::cli::failure::{Failure, Result};
use config::duration;

/// A command, as a row of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Command {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    method: &'static Method,
    /// `{account}` stands for the argument of that name.
    path: &'static str,
    arguments: &'static [Argument],
    /// The columns of its table; none are all.
    pub(super) columns: &'static [&'static str],
    /// Which arguments need or exclude each other.
    rules: fn(clap::Command) -> clap::Command,
}

/// An argument. Those that the path does not name go into the query of a GET and into the body of any other request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument {
    name: &'static str,
    /// The name in the query or the body, where it is another; a dot leads into an object there.
    field: Option<&'static str>,
    help: &'static str,
    kind: Kind,
    is_positional: bool,
    is_required: bool,
}

/// What an argument holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Text,
    /// An identifier, or a name that only one has.
    Named(Named),
    /// The type of the radars that a finding is for; there is a target beside it.
    ReceiverType,
    /// Words with commas between them.
    Words,
    Number,
    Boolean,
    /// True where it is given.
    Flag,
    /// The same; the answer is a file then, at the path with `.csv`.
    CsvFlag,
    /// An address, or nothing, which removes the one that there is.
    Address,
    /// Whole seconds, written as a duration such as `30d`.
    Seconds,
    /// JSON, or `@` and a file that holds it.
    Content,
    /// A text for a request that follows.
    Later,
}

/// The argument of a new account that says what is paid in at once.
pub(super) const OPENING_PAYMENT: &str = "top-up";

/// The identifiers of what arguments name, by the names of the arguments.
pub(super) type Ids = BTreeMap<&'static str, String>;

/// What has an identifier and a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// By its name.
    Account,
    /// By what it watches: a domain, a person, a keyword.
    Radar,
    /// By where it runs.
    Node,
}

/// One request of the operator API.
#[derive(Debug, PartialEq)]
pub(super) struct Request {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) body: Option<Value>,
    /// Whether the answer is a file, of any length.
    pub(super) is_download: bool,
}

/// A text that must be given, without a name before it.
pub(super) const fn positional(name: &'static str, help: &'static str) -> Argument {
    Argument { is_positional: true, ..required(name, help) }
}

/// A text that must be given, after its name.
pub(super) const fn required(name: &'static str, help: &'static str) -> Argument {
    Argument { is_required: true, ..option(name, help) }
}

/// A text that may be given, after its name.
pub(super) const fn option(name: &'static str, help: &'static str) -> Argument {
    Argument { name, field: None, help, kind: Kind::Text, is_positional: false, is_required: false }
}

/// A command that reads.
pub(super) const fn get(
    name: &'static str,
    about: &'static str,
    path: &'static str,
    arguments: &'static [Argument],
) -> Command {
    Command { name, about, method: &Method::GET, path, arguments, columns: &[], rules: |command| command }
}

/// A command that makes or does something.
pub(super) const fn post(
    name: &'static str,
    about: &'static str,
    path: &'static str,
    arguments: &'static [Argument],
) -> Command {
    get(name, about, path, arguments).by(&Method::POST)
}

impl Command {
    pub(super) const fn by(self, method: &'static Method) -> Self {
        Self { method, ..self }
    }

    /// A table shows these columns, in this order, unless all are asked for.
    pub(super) const fn showing(self, columns: &'static [&'static str]) -> Self {
        Self { columns, ..self }
    }

    pub(super) const fn with_rules(self, rules: fn(clap::Command) -> clap::Command) -> Self {
        Self { rules, ..self }
    }

    /// The command as the parser knows it, under its own name or that of its group.
    pub(super) fn parser(&self, name: &'static str, about: &'static str) -> clap::Command {
        let command = clap::Command::new(name).about(about);
        (self.rules)(self.arguments.iter().map(Argument::parser).fold(command, clap::Command::arg))
    }

    /// Whether the request is one of the operator API.
    pub(super) fn needs_key(&self) -> bool {
        !self.path.starts_with('/')
    }

    /// The arguments that name something which has an identifier.
    pub(super) fn named(&self, given: &ArgMatches) -> Vec<(&'static str, Named, String)> {
        let named = |argument: &Argument| {
            let Kind::Named(named) = argument.kind else { return None };
            Some((argument.name, named, given.get_one::<String>(argument.name)?.clone()))
        };
        self.arguments.iter().filter_map(named).collect()
    }

    /// The request that the command stands for; `ids` has the identifiers of what is named.
    pub(super) fn request(&self, given: &ArgMatches, ids: &Ids) -> Result<Request> {
        let prefix = if self.path.starts_with('/') { "" } else { "/operator/v1/" };
        let mut path = format!("{prefix}{}", self.path);
        let mut query = Vec::new();
        let mut body = json!({});
        let mut is_download = false;
        for argument in self.arguments {
            let Some(value) = argument.value(given, ids)? else { continue };
            if matches!(argument.kind, Kind::Later) {
                continue;
            }
            let text = segment(&value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            let place = format!("{{{}}}", argument.name);
            let field = argument.field.map_or_else(|| argument.name.replace('-', "_"), str::to_owned);
            match field.split_once('.') {
                _ if path.contains(&place) => path = path.replace(&place, &text),
                _ if matches!(argument.kind, Kind::CsvFlag) => (path, is_download) = (path + ".csv", true),
                _ if *self.method == Method::GET => query.push(format!("{field}={text}")),
                _ if matches!(argument.kind, Kind::ReceiverType) => {
                    (body["target"], body[&field]) = (json!({}), value);
                }
                Some((object, field)) => body[object][field] = value,
                None => body[&field] = value,
            }
        }
        if !query.is_empty() {
            let joint = if path.contains('?') { '&' } else { '?' };
            path = format!("{path}{joint}{}", query.join("&"));
        }
        let has_body = ![Method::GET, Method::DELETE].contains(self.method);
        Ok(Request { method: self.method.clone(), path, body: has_body.then_some(body), is_download })
    }
}

impl Argument {
    pub(super) const fn at(self, field: &'static str) -> Self {
        Self { field: Some(field), ..self }
    }

    pub(super) const fn of(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    fn parser(&self) -> Arg {
        let argument = Arg::new(self.name).help(self.help).required(self.is_required);
        let argument = if self.is_positional { argument } else { argument.long(self.name) };
        let named = |argument: Arg| argument.value_name(self.name.replace('-', "_").to_uppercase());
        match self.kind {
            Kind::Text | Kind::Named(_) | Kind::ReceiverType | Kind::Words | Kind::Content | Kind::Later => {
                named(argument)
            }
            Kind::Number => named(argument).value_parser(value_parser!(u32)),
            Kind::Boolean => named(argument).value_parser(value_parser!(bool)),
            Kind::Flag | Kind::CsvFlag => argument.action(ArgAction::SetTrue),
            Kind::Address => argument.value_name("URL"),
            Kind::Seconds => named(argument).value_parser(seconds),
        }
    }

    /// The value, if it is given.
    fn value(&self, given: &ArgMatches, ids: &Ids) -> Result<Option<Value>> {
        let text = || given.get_one::<String>(self.name);
        Ok(match self.kind {
            Kind::Named(_) => text().map(|text| json!(ids.get(self.name).unwrap_or(text))),
            Kind::Text | Kind::ReceiverType | Kind::Later => text().map(|text| json!(text)),
            Kind::Words => text().map(|text| json!(text.split(',').map(str::trim).collect::<Vec<_>>())),
            Kind::Number => given.get_one::<u32>(self.name).map(|number| json!(number)),
            Kind::Boolean => given.get_one::<bool>(self.name).map(|is_true| json!(is_true)),
            Kind::Flag | Kind::CsvFlag => given.get_flag(self.name).then_some(Value::Bool(true)),
            Kind::Address => text().map(|url| json!(Some(url).filter(|url| !url.is_empty()))),
            Kind::Seconds => given.get_one::<u64>(self.name).map(|seconds| json!(seconds)),
            Kind::Content => text().map(|text| content(text)).transpose()?,
        })
    }
}

fn content(given: &str) -> Result<Value> {
    let text = match given.strip_prefix('@') {
        Some(file) => std::fs::read_to_string(file).map_err(|error| Failure::of(file, error))?,
        None => given.to_owned(),
    };
    serde_json::from_str(&text).map_err(|error| Failure::of("--content", error))
}

/// Whole seconds of a duration such as `30d`.
fn seconds(text: &str) -> Result<u64, &'static str> {
    let duration = duration::parse(text).ok_or("must be a duration such as 30d or 90s")?;
    if duration.subsec_nanos() == 0 { Ok(duration.as_secs()) } else { Err("must be whole seconds") }
}

/// A text that somebody typed, as a part of a path or a query.
pub(super) fn segment(text: &str) -> String {
    byte_serialize(text.as_bytes()).map(|part| part.replace('+', "%20")).collect()
}
