//! The addresses that one page names, within a bound of number and of bytes.

use url::Url;

use crate::bounds::ADDRESSES_BYTES_MAX;
use outbound::web_address;

/// Joins references to addresses for as long as there is room for them.
pub struct Addresses<'a> {
    base: &'a Url,
    bytes_left: usize,
}

impl<'a> Addresses<'a> {
    /// The addresses of a page whose references are relative to `base`.
    pub const fn of(base: &'a Url) -> Self {
        Self { base, bytes_left: ADDRESSES_BYTES_MAX }
    }

    /// `reference` as an http or https address, if it is one, it is not too long and there is room for it.
    pub fn join(&mut self, reference: &str) -> Option<Url> {
        let url = web_address::join(self.base, reference)?;
        self.bytes_left = self.bytes_left.checked_sub(url.as_str().len())?;
        Some(url)
    }
}
