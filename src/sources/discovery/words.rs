//! What is looked for and what was missing, in words that a customer knows.

use domain::{ProfileKey, RadarType};

/// What radars of `radar_type` find.
pub const fn sought(radar_type: RadarType) -> &'static str {
    match radar_type {
        RadarType::CompanyJobOpenings | RadarType::IndustryJobOpenings => "job openings",
        RadarType::CompanyNewHires => "new hires",
        RadarType::CompanyPromotions => "promotions",
        RadarType::CompanySocialPostsCxo => "posts of executives",
        RadarType::CompanyReviews => "reviews by employees",
        RadarType::CompanyMentions | RadarType::IndustryMentions => "mentions",
        RadarType::CompanySocialPosts | RadarType::ContactSocialPosts => "posts",
        RadarType::CompanySocialEngagements | RadarType::ContactSocialEngagements => "reactions to posts",
        RadarType::ContactJobChanges => "career moves",
        RadarType::IndustryFundingRounds => "funding rounds",
        RadarType::IndustryNewCompanies => "new companies",
    }
}

/// What a page would have to name for a source that goes by `key`.
pub const fn named_by(key: ProfileKey) -> &'static str {
    match key {
        ProfileKey::Name | ProfileKey::LegalName => "name",
        ProfileKey::Ticker => "symbol of shares",
        ProfileKey::Product => "product",
        ProfileKey::Person => "person",
        ProfileKey::FeedUrl => "feed",
        ProfileKey::NewsroomFeedUrl => "feed of news",
        ProfileKey::ArticlesUrl | ProfileKey::NewsroomUrl => "list of news",
        ProfileKey::BlogUrl => "blog",
        ProfileKey::YoutubeChannelId => "channel on YouTube",
        ProfileKey::BlueskyHandle | ProfileKey::PersonBlueskyHandle => "account on Bluesky",
        ProfileKey::MastodonAccount | ProfileKey::PersonMastodonAccount => "account on Mastodon",
        ProfileKey::LinkedinUrl => "page on LinkedIn",
        ProfileKey::XHandle | ProfileKey::PersonXHandle => "account on X",
    }
}
