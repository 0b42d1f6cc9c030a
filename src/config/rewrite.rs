//! The table of addresses that are fetched from elsewhere.

use super::Result;
use super::reader::Table;
use super::values::http_prefix;

/// One entry of `outbound.rewrite`: addresses that begin with `from` are fetched from `to` instead. Either may hold a
/// password.
#[derive(Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// The prefix as it stands in the address.
    pub from: String,
    /// What takes its place.
    pub to: String,
}

impl Rewrite {
    /// Reads the table, whose keys are the prefixes that are replaced.
    pub(super) fn read(table: &mut Table) -> Result<Vec<Self>> {
        let mut prefixes = Vec::new();
        for (from, entry) in table.take_rest() {
            // A bare scheme sends everything through one gateway.
            let is_bare_scheme = matches!(from.as_str(), "http://" | "https://");
            if let Err(problem) = http_prefix(&from)
                && !is_bare_scheme
            {
                return Err(entry.wrong(format_args!("its key {problem}")));
            }
            prefixes.push(Self { from, to: entry.secret().parse(http_prefix)? });
        }
        prefixes.sort_by_key(|rewrite| std::cmp::Reverse(rewrite.from.len()));
        Ok(prefixes)
    }
}
