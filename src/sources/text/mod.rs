//! Texts, dates and addresses of strangers in one form.

pub mod canonical_url;
pub mod company_name;
pub mod dates;
pub mod excerpt;
pub mod folding;
pub mod markup;
mod path_functions;
pub mod pattern;
pub mod plain;
pub mod written_days;

/// Lets source files write a `$name` as the text that `$parse` reads.
macro_rules! read_from_text {
    ($name:ty, $parse:expr) => {
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                $parse(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use read_from_text;
