//! Companies that show themselves with money of investors: `emerges from stealth with $30M`.

use super::claims::Claim;
use super::rows::{INVESTMENTS, Mark, WITH};
use crate::extraction::headlines::money::Money;

impl Claim<'_> {
    /// `launches with $30M in funding`, `reaches $2B valuation with new $90M round`.
    pub fn appears_with(&self, money: &Money) -> bool {
        let before = &self.text.words[self.until()];
        let links = [&["raises", "in", "on", "to"], WITH].concat();
        let follows = before.iter().rev().take(5).any(|word| word.is_one_of(&links));
        let near = money.place.start..self.text.purpose_from(money.place.start);
        let is_before = || self.text.has(Mark::Round, self.start.saturating_sub(4).max(self.rest)..self.start);
        let is_round =
            self.text.has(Mark::Round, near.clone()) || self.text.round(near.clone()).is_some() || is_before();
        let is_hidden = self.has_word(self.rest..self.text.words.len(), &["stealth"]);
        let is_direct = matches!(before, [word] if word.bare == "with");
        let next = self.text.words.get(self.behind);
        let has_purpose = is_direct && next.is_none_or(|next| next.is_one_of(&["to", "from", "for"]));
        let is_shown =
            is_hidden || is_direct || self.text.has(Mark::Value, self.until()) || self.has_behind(Mark::Plain);
        follows && (is_round || is_hidden || has_purpose || self.text.has(Mark::Money, near) && is_shown)
    }

    /// `hits $2B valuation with latest raise`, `hits unicorn status after Series C`.
    pub fn appears_after(&self) -> bool {
        let words = &self.text.words[self.rest..];
        let Some(link) =
            words.iter().position(|word| word.bare == "in" || word.is_one_of(WITH)).map(|at| self.rest + at)
        else {
            return false;
        };
        let near = link..self.text.purpose_from(link);
        let is_round = self.text.has(Mark::Called, near.clone()) || self.text.round(near.clone()).is_some();
        let is_raise = self.text.words[near.clone()].iter().any(|word| word.is_one_of(INVESTMENTS));
        self.text.has(Mark::Value, self.rest - 1..link) && (is_round || is_raise)
    }
}
