//! `smtp`: how mails are sent.

use super::reader::Table;
use super::{ConfigError, Result};
use domain::Email;

/// `smtp`
#[derive(Clone, PartialEq, Eq)]
pub struct Smtp {
    /// The mail server, with a password; `None`: no mails.
    pub url: Option<String>,
    /// Whom mails are from.
    pub from: Option<String>,
    /// How the links in mails begin: where the public API is reached from outside.
    pub public_url: Option<String>,
}

impl Smtp {
    pub(super) fn read(table: &mut Table) -> Result<Self> {
        let smtp = Self {
            url: table.take("url")?.secret().parse_or_none(smtp_url)?,
            from: table.take("from")?.parse_or_none(email)?,
            public_url: table.take("public_url")?.parse_or_none(public_url)?,
        };
        let missing = match (&smtp.from, &smtp.public_url) {
            (None, _) => "smtp.from",
            (_, None) => "smtp.public_url",
            _ => return Ok(smtp),
        };
        if smtp.url.is_some() { Err(ConfigError::Missing { key: missing.to_owned() }) } else { Ok(smtp) }
    }
}

fn smtp_url(text: &str) -> Result<String, &'static str> {
    let is_known = ["smtp://", "smtps://"].iter().any(|scheme| text.starts_with(scheme));
    if is_known { Ok(text.to_owned()) } else { Err("must begin with smtps:// or smtp://") }
}

fn email(text: &str) -> Result<String, String> {
    Email::parse(text).map(|email| email.as_str().to_owned()).map_err(|error| error.to_string())
}

fn public_url(text: &str) -> Result<String, &'static str> {
    let is_known = ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme));
    if is_known { Ok(text.trim_end_matches('/').to_owned()) } else { Err("must begin with https:// or http://") }
}
