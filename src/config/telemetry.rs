//! `telemetry` and `log`: what the service tells of itself, and where.

use url::Url;

use super::reader::sections;
use super::values::{log_filter, word};
use super::words::LogFormat;

sections! {
    /// `telemetry`
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Telemetry {
        /// Where traces are sent; `None`: they are not.
        pub otlp_endpoint: Option<Url> = |entry| entry.parse_or_none(collector),
    }

    /// `log`
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Log {
        /// Directives such as `info,webhooks=debug`.
        pub filter: String = |entry| entry.parse(log_filter),
        /// How a line looks.
        pub format: LogFormat = |entry| entry.parse(word),
    }
}

fn collector(text: &str) -> Result<Url, &'static str> {
    let is_fit =
        |url: &Url| matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.query().is_none();
    Url::parse(text).ok().filter(is_fit).ok_or(r#"must be an address such as "http://127.0.0.1:4318""#)
}

#[cfg(test)]
mod tests {
    use super::collector;

    #[test]
    fn a_collector_has_an_address_and_nothing_secret_in_it() {
        for (text, is_fit) in [
            ("http://127.0.0.1:4318", true),
            ("https://collector.example.com/otlp", true),
            ("grpc://127.0.0.1:4317", false),
            ("http://user:secret@127.0.0.1:4318", false),
            ("127.0.0.1:4318", false),
        ] {
            assert_eq!(collector(text).is_ok(), is_fit, "{text}");
        }
    }
}
