//! The month before the demo: what the console has to show of money, and a source that breaks.
//!
//! Duty: run the same service on the same database with a simulated clock, from a month ago until now: a customer pays in, a
//! provider hands in reviews and mentions of every day, and near the end a source changes the shape of its answers.

use std::path::{Path, PathBuf};

use actix_web::http::Method;
use chrono::TimeDelta;
use serde_json::{Value, json};

use super::company_site::Site;
use super::sample_pages::{self, ACME_ROBOTICS, BOREALIS_FOODS, NEWS_HOST, Page};
use super::stage::{self, Customer, Stage};
use super::timeline::{Event, Timeline};
use crate::app::{self, App};
use crate::cli::failure::{Failure, Result};
use clock::Clock;
use config::Config;

/// One more than a subscription's period, so that one is renewed.
const DAYS: i64 = 31;
/// The day on which the customer pays in again.
const PAYS_AGAIN_ON: i64 = 14;
/// The day on which the source breaks.
const BREAKS_ON: i64 = 29;
/// What the customer pays in each time, in USD.
const TOP_UP_USD: &str = "5";

/// What is said about the companies, by whom, again and again.
const MENTIONS: [(&str, &str); 5] = [
    (ACME_ROBOTICS.domain, "Acme Robotics shows an arm that folds shirts"),
    (BOREALIS_FOODS.domain, "Borealis Foods buys a fishery in Bergen"),
    (ACME_ROBOTICS.domain, "A harbour is unloaded by robots of Acme"),
    (BOREALIS_FOODS.domain, "Dried cod for a year: what Borealis Foods plans"),
    (ACME_ROBOTICS.domain, "Why Acme Robotics has moved to Ghent"),
];
const REVIEWS: [(u8, &str); 3] =
    [(5, "It has not stopped once."), (2, "The manual is a riddle."), (4, "Spare parts came in two days.")];

/// Puts the source files of the demo into `folder` and answers where they are.
pub(super) fn declare_sources(folder: &Path) -> Result<PathBuf> {
    let files = [("provider.toml", include_str!("provider.toml")), ("news.toml", include_str!("news.toml"))];
    stage::declare_sources(folder, &files)
}

/// Plays the month; answers the customer whose money it tells of.
///
/// # Errors
/// [`Failure`] when something cannot be started or is refused.
pub(super) fn play(config: &Config) -> Result<Customer> {
    let timeline = Timeline::new(Clock::system());
    timeline.show(Event::Ready, "the month before today is played first")?;
    let began_at = Clock::system().now() - TimeDelta::days(DAYS);
    let played = app::run_on(&Clock::simulated(began_at), |clock| play_on(clock, config.clone(), &timeline));
    played.map_err(|error| Failure::of("runtime", error))?
}

async fn play_on(clock: Clock, mut config: Config, timeline: &Timeline) -> Result<Customer> {
    let news = Site::serve(false, page, None).map_err(|error| Failure::of("news site", error))?;
    config.outbound.rewrite = stage::rewrite_all(&news.url());
    config.sources.builtin = false;
    config.sources.poll_interval = None;
    let app = App::start(config, clock.clone()).await?;
    let played = live(&Stage::of(&app), &clock, &news, timeline).await;
    app.stop().await;
    news.stop().await;
    played
}

/// What the sites show while the source is well, and then while it is broken.
fn page(host: &str, path: &str, _query: &str, is_broken: &bool) -> Option<Page> {
    match host {
        NEWS_HOST if !is_broken => Some(Page::json(&json!({"results": []}))),
        _ => sample_pages::page(host, path, &[]),
    }
}

async fn live(stage: &Stage, clock: &Clock, news: &Site<bool>, timeline: &Timeline) -> Result<Customer> {
    let customer = stage.open_account("Demo customer", json!({}), TOP_UP_USD).await?;
    for (domain, radar_type) in [
        (ACME_ROBOTICS.domain, "company_reviews"),
        (ACME_ROBOTICS.domain, "company_mentions"),
        (BOREALIS_FOODS.domain, "company_mentions"),
    ] {
        let radar = json!({"domain": domain, "radar_type": radar_type});
        stage.public(&customer).call(Method::POST, "/v1/radars/companies", Some(&radar)).await?;
    }
    clock.advance(TimeDelta::minutes(1)).await;
    for day in 0..DAYS {
        if day == PAYS_AGAIN_ON {
            stage.top_up(&customer, TOP_UP_USD, "demo, again").await?;
        }
        if day == BREAKS_ON {
            news.change(|is_broken| *is_broken = true);
        }
        let batch = json!({"findings": findings(day)});
        stage.operator().call(Method::POST, "/operator/v1/findings/batch", Some(&batch)).await?;
        if timeline.is_quiet() {
            timeline.show(Event::Ready, &format!("day {day} of {DAYS}"))?;
        }
        // Not beyond the present: the last day is left to it.
        clock.advance(TimeDelta::hours(if day + 1 < DAYS { 24 } else { 23 })).await;
    }
    Ok(customer)
}

/// What the provider hands in on a day.
fn findings(day: i64) -> Vec<Value> {
    let number = usize::try_from(day).unwrap_or_default();
    let finding = |radar_type: &str, domain: &str, content: Value| {
        json!({
            "radar_type": radar_type, "target": {"domain": domain}, "native_id": format!("{radar_type} {domain} {day}"),
            "source": "sample_provider", "content": content,
        })
    };
    let (rating, text) = REVIEWS[number % REVIEWS.len()];
    let review = json!({"review_rating": rating, "review_content": text});
    let mentions = MENTIONS.iter().skip(number % 2).step_by(1 + number % 3).map(|(domain, text)| {
        let content = json!({"mention_content": text, "mention_url": format!("https://{NEWS_HOST}/{day}")});
        finding("company_mentions", domain, content)
    });
    mentions.chain([finding("company_reviews", ACME_ROBOTICS.domain, review)]).collect()
}
