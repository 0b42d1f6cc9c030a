//! `radar demo --all-types`: a radar of each of the fifteen types in a sample web, until each has found something.
//!
//! Duty: set the stage, create the radars, let things happen, and tell what each radar finds and where. What no built-in
//! source shows, or none whose answers the sample web has, is handed in by a sample provider, and the output says so.

mod acts;
mod moment;
mod server;
mod wires;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use actix_web::http::Method;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::stage::Stage;
use super::timeline::{Event, Timeline};
use crate::app::App;
use crate::cli::api_client::ApiClient;
use crate::cli::failure::Failure;
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::radar_type::RadarType;
use crate::sources::Catalog;
use acts::{Act, By, PROVIDER};
use server::SampleWeb;

/// How long the radars may take to find something, from the moment in which the last of them is set up.
const PATIENCE: TimeDelta = TimeDelta::seconds(60);
/// How long their set-ups may take.
const SET_UP_PATIENCE: TimeDelta = TimeDelta::seconds(60);
/// How often something happens in the sample web, and how often the API is asked what is new.
const HAPPENS_EVERY: TimeDelta = TimeDelta::seconds(5);
const LOOK_EVERY: Duration = Duration::from_millis(300);

/// Runs the service with the sample web until every type has found something.
///
/// # Errors
/// [`Failure`] when something cannot be started, or when a type finds nothing within a minute.
pub async fn play(clock: Clock, mut config: Config, folder: &Path) -> Result<(), Failure> {
    let catalog = Catalog::load(None).map_err(|error| Failure::of("sources", error))?;
    let acts = acts::all(&catalog);
    config.sources.dir = Some(acts::declare_provider(&acts, folder)?);
    let web = SampleWeb::start(clock.now()).map_err(|error| Failure::of("sample web", error))?;
    config.outbound.rewrite = web.rewrites();
    let app = App::start(config, clock.clone()).await?;
    let stage = Stage::of(&app);
    let told = match Tour::begin(clock, &stage, acts).await {
        Ok(tour) => tour.tell(&web).await,
        Err(failure) => Err(failure),
    };
    app.stop().await;
    web.stop().await;
    told
}

/// The radars, and what has been found so far.
struct Tour {
    clock: Clock,
    began_at: DateTime<Utc>,
    timeline: Timeline,
    operator: ApiClient,
    public: ApiClient,
    acts: Vec<Act>,
    radars: BTreeMap<RadarType, String>,
    found: BTreeMap<RadarType, DateTime<Utc>>,
}

impl Tour {
    /// Creates an account and a radar of each type, and waits until all are set up.
    async fn begin(clock: Clock, stage: &Stage, acts: Vec<Act>) -> Result<Self, Failure> {
        let operator = stage.operator();
        let account = json!({"name": "Demo customer", "limits": {"per_second": 1_000}});
        let account = operator.call(Method::POST, "/operator/v1/accounts", Some(&account)).await?;
        let (account_id, api_key) = (text(&account, "/data/account_id"), text(&account, "/data/api_key"));
        let top_up = json!({"amount_usd": "100", "payment_ref": "demo"});
        let path = format!("/operator/v1/accounts/{account_id}/top-ups");
        operator.call(Method::POST, &path, Some(&top_up)).await?;
        let public = ApiClient::public(stage.public_url.clone(), api_key);
        let mut tour = Self {
            began_at: clock.now(),
            clock,
            timeline: Timeline::on_standard_output(),
            operator,
            public,
            acts,
            radars: BTreeMap::new(),
            found: BTreeMap::new(),
        };
        tour.create().await?;
        tour.set_up().await?;
        Ok(tour)
    }

    async fn create(&mut self) -> Result<(), Failure> {
        for act in &self.acts {
            let made = self.public.call(Method::POST, act.path(), Some(&act.request)).await?;
            self.radars.insert(act.radar_type, text(&made, "/data/radar_id"));
        }
        self.say(Event::Ready, &format!("{} radars, one of each type", self.radars.len()))?;
        let reasons: BTreeSet<&str> = self.acts.iter().filter_map(Act::why_handed_in).collect();
        reasons.into_iter().try_for_each(|why| self.say(Event::Ready, &format!("some are handed in: {why}")))
    }

    async fn set_up(&self) -> Result<(), Failure> {
        let give_up_at = self.clock.now() + SET_UP_PATIENCE;
        for (radar_type, radar_id) in &self.radars {
            loop {
                let health = self.public.call(Method::GET, &format!("/v1/radars/{radar_id}/health"), None).await?;
                match text(&health, "/data/state").as_str() {
                    "setting_up" if self.clock.now() < give_up_at => self.clock.sleep(LOOK_EVERY).await,
                    "watching" => break,
                    state => {
                        let error = text(&health, "/data/last_error");
                        return Err(Failure::of(radar_type.as_str(), format!("its radar is {state}: {error}")));
                    }
                }
            }
        }
        self.say(Event::Ready, "every radar is set up; what was there before is no finding")
    }

    /// Lets things happen until each type has found one of them.
    async fn tell(mut self, web: &SampleWeb) -> Result<(), Failure> {
        let set_up_at = self.clock.now();
        let mut happens_at = set_up_at;
        let mut since = None;
        while self.found.len() < self.acts.len() {
            let now = self.clock.now();
            if now > set_up_at + PATIENCE {
                let found_none = |act: &&Act| !self.found.contains_key(&act.radar_type);
                let missing: Vec<&str> =
                    self.acts.iter().filter(found_none).map(|act| act.radar_type.as_str()).collect();
                return Err(Failure::of("demo", format!("found nothing within a minute: {}", missing.join(", "))));
            }
            if now >= happens_at {
                web.go_on(now);
                self.hand_in(now).await?;
                happens_at = now + HAPPENS_EVERY;
            }
            self.look(&mut since).await?;
            self.clock.sleep(LOOK_EVERY).await;
        }
        self.say(Event::Ready, "every type has found something")
    }

    /// What the provider hands in, as one batch.
    async fn hand_in(&self, now: DateTime<Utc>) -> Result<(), Failure> {
        let finding = |act: &Act| {
            let native_id = format!("{}-{}", act.radar_type, now.timestamp_millis());
            json!({
                "radar_id": self.radars.get(&act.radar_type), "native_id": native_id, "source": PROVIDER,
                "content": act.sample(),
            })
        };
        let handed_in = self.acts.iter().filter(|act| matches!(act.by, By::Provider(_)));
        let findings: Vec<Value> = handed_in.map(finding).collect();
        if findings.is_empty() {
            return Ok(());
        }
        let batch = json!({ "findings": findings });
        self.operator.call(Method::POST, "/operator/v1/findings/batch", Some(&batch)).await?;
        Ok(())
    }

    /// Tells the first finding of each type.
    async fn look(&mut self, since: &mut Option<String>) -> Result<(), Failure> {
        let from = since.as_ref().map(|since| format!("&since={since}")).unwrap_or_default();
        let path = format!("/v1/updates?update_type=radar_finding,radar_failure&limit=100{from}");
        let page = self.public.call(Method::GET, &path, None).await?;
        for update in page["updates"].as_array().into_iter().flatten() {
            *since = Some(text(update, "/discovered_at"));
            let radar_type = text(update, "/radar_type");
            if update["update_type"] == "radar_failure" {
                return Err(Failure::of(radar_type, text(update, "/content/message")));
            }
            let Some(act) = self.acts.iter().find(|act| act.radar_type.as_str() == radar_type) else { continue };
            if self.found.contains_key(&act.radar_type) {
                continue;
            }
            self.say(Event::Found, &act.described(&update["content"]))?;
            self.found.insert(act.radar_type, self.clock.now());
        }
        Ok(())
    }

    fn say(&self, event: Event, text: &str) -> Result<(), Failure> {
        self.timeline.tell(self.clock.now() - self.began_at, event, text)
    }
}

fn text(value: &Value, pointer: &str) -> String {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}
