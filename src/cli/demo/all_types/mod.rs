//! `radar demo --all-types`: a radar of each of the fifteen types in a sample web, until each has found something.
//!
//! Duty: set the stage, create the radars, let things happen, and tell what each radar finds and where. What no built-in
//! source shows, or none whose answers the sample web has, is handed in by a sample provider, and the output says so.

mod acts;
mod moment;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use actix_web::http::Method;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::company_site::Site;
use super::observer::{Observer, Pulled};
use super::stage::{self, Stage};
use super::timeline::{Event, Timeline};
use crate::app::App;
use crate::cli::failure::{Failure, Result};
use crate::cli::output;
use acts::{Act, PROVIDER};
use clock::Clock;
use config::Config;
use domain::RadarType;
use moment::Moment;
use sources::Catalog;

/// What the customer has paid in, in USD.
const TOP_UP_USD: &str = "100";
/// How long the radars may take to find something, from the moment in which the last of them is set up.
const WAIT_MAX: TimeDelta = TimeDelta::seconds(60);
/// How long their set-ups may take.
const SET_UP_WAIT_MAX: TimeDelta = TimeDelta::seconds(60);
/// How often something happens in the sample web, and how often the API is asked what is new.
const HAPPENS_EVERY: TimeDelta = TimeDelta::seconds(5);
const LOOK_EVERY: Duration = Duration::from_millis(300);

/// Runs the service with the sample web until every type has found something.
///
/// # Errors
/// [`Failure`] when something cannot be started, or when a type finds nothing within a minute.
pub async fn play(clock: Clock, mut config: Config, folder: &Path) -> Result<()> {
    let catalog = Catalog::load(None).map_err(|error| Failure::of("sources", error))?;
    let acts = acts::all(&catalog);
    config.sources.dir = Some(acts::declare_provider(&acts, folder)?);
    let first = Moment { happened: 1, now: clock.now() };
    let web = Site::serve(first, world::page, None).map_err(|error| Failure::of("sample web", error))?;
    config.outbound.rewrite = stage::rewrite_all(&web.url());
    let app = App::start(config, clock.clone()).await?;
    let stage = Stage::of(&app);
    let played = async { Tour::begin(clock, &stage, acts).await?.play(&web).await }.await;
    app.stop().await;
    web.stop().await;
    played
}

/// The radars, and which types have found something so far.
struct Tour {
    clock: Clock,
    timeline: Timeline,
    observer: Observer,
    acts: Vec<Act>,
    radars: BTreeMap<RadarType, String>,
    found: BTreeSet<RadarType>,
}

impl Tour {
    /// Creates an account and a radar of each type, and waits until all are set up.
    async fn begin(clock: Clock, stage: &Stage, acts: Vec<Act>) -> Result<Self> {
        output::print(&stage.console())?;
        let customer = stage.open_account("Demo customer", json!({"per_second": 1_000}), TOP_UP_USD).await?;
        let observer = stage.observer(&customer);
        let timeline = Timeline::new(clock.clone());
        let mut tour = Self { clock, timeline, observer, acts, radars: BTreeMap::new(), found: BTreeSet::new() };
        tour.create().await?;
        tour.set_up().await?;
        Ok(tour)
    }

    async fn create(&mut self) -> Result<()> {
        for act in &self.acts {
            let made = self.observer.public.call(Method::POST, act.path(), Some(&act.request)).await?;
            self.radars.insert(act.radar_type, text(&made, "/data/radar_id"));
        }
        self.timeline.show(Event::Ready, &format!("{} radars, one of each type", self.radars.len()))?;
        let reasons: BTreeSet<&str> = self.acts.iter().filter_map(|act| act.why_handed_in).collect();
        reasons.into_iter().try_for_each(|why| self.timeline.show(Event::Ready, &format!("some are handed in: {why}")))
    }

    async fn set_up(&self) -> Result<()> {
        let give_up_at = self.clock.now() + SET_UP_WAIT_MAX;
        for (ready, (radar_type, radar_id)) in self.radars.iter().enumerate() {
            loop {
                self.tell_progress(&format!("{ready} of {} radars are set up", self.radars.len()))?;
                let health =
                    self.observer.public.call(Method::GET, &format!("/v1/radars/{radar_id}/health"), None).await?;
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
        self.timeline.show(Event::Ready, "every radar is set up; what was there before is no finding")
    }

    /// Lets things happen until each type has found one of them.
    async fn play(mut self, web: &Site<Moment>) -> Result<()> {
        let set_up_at = self.clock.now();
        let mut happens_at = set_up_at;
        while self.found.len() < self.acts.len() {
            let now = self.clock.now();
            if now > set_up_at + WAIT_MAX {
                let found_none = |act: &&Act| !self.found.contains(&act.radar_type);
                let missing: Vec<&str> =
                    self.acts.iter().filter(found_none).map(|act| act.radar_type.as_str()).collect();
                return Err(Failure::of("demo", format!("found nothing within a minute: {}", missing.join(", "))));
            }
            if now >= happens_at {
                web.change(|moment| *moment = Moment { happened: moment.happened + 1, now });
                self.hand_in(now).await?;
                happens_at = now + HAPPENS_EVERY;
            }
            self.look().await?;
            self.tell_progress(&format!("{} of {} types have found something", self.found.len(), self.acts.len()))?;
            self.clock.sleep(LOOK_EVERY).await;
        }
        self.timeline.show(Event::Ready, "every type has found something")
    }

    /// Says how far it is, where nothing else was said lately.
    fn tell_progress(&self, text: &str) -> Result<()> {
        if self.timeline.is_quiet() { self.timeline.show(Event::Ready, text) } else { Ok(()) }
    }

    /// What the provider hands in, as one batch.
    async fn hand_in(&self, now: DateTime<Utc>) -> Result<()> {
        let finding = |act: &Act| {
            let native_id = format!("{}-{}", act.radar_type, now.timestamp_millis());
            json!({
                "radar_id": self.radars.get(&act.radar_type), "native_id": native_id, "source": PROVIDER,
                "content": act.sample(),
            })
        };
        let handed_in = self.acts.iter().filter(|act| act.why_handed_in.is_some());
        let findings: Vec<Value> = handed_in.map(finding).collect();
        let batch = json!({ "findings": findings });
        self.observer.operator.call(Method::POST, "/operator/v1/findings/batch", Some(&batch)).await?;
        Ok(())
    }

    /// Tells the first finding of each type.
    async fn look(&mut self) -> Result<()> {
        for Pulled { update, .. } in self.observer.new_updates().await? {
            if update.update_type == "radar_failure" {
                return Err(Failure::of(update.radar_type, text(&update.content, "/message")));
            }
            let act = self.acts.iter().find(|act| act.radar_type.as_str() == update.radar_type);
            if let Some(act) = act.filter(|act| !self.found.contains(&act.radar_type)) {
                self.timeline.show(Event::Found, &act.described(&update.content))?;
                self.found.insert(act.radar_type);
            }
        }
        Ok(())
    }
}

fn text(value: &Value, pointer: &str) -> String {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}
