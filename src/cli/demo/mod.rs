//! `radar demo`: the whole service on this machine, with sample companies and a customer's receiver, as one can watch it.
//!
//! Duty: set the stage in a temporary folder and tell what happens. The demo is an outside observer: everything that it
//! prints it learns from its own site, its own receiver and the two APIs.

mod all_types;
pub mod company_site;
mod local_server;
mod month;
mod observer;
mod polls;
mod proof;
mod receiver;
pub mod sample_pages;
mod stage;
mod timeline;

use std::path::Path;
use std::time::Duration;

use clap::Args;
use tokio::sync::mpsc;

use super::failure::{Failure, Result};
use super::output;
use crate::app;
use clock::Clock;
use company_site::{CompanySite, Fetch};
use config::{Config, Log};
use observer::{Observer, Pulled};
use polls::Polls;
use proof::{Comparison, Proof};
use receiver::Delivery;
use stage::{Customer, Stage};
use timeline::{Event, Timeline};

/// How often the two APIs are asked what is new.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How often a company publishes a job.
const PUBLISH_EVERY: Duration = Duration::from_secs(4);
/// How long `--once` waits.
const ONCE_WAIT_MAX: Duration = Duration::from_secs(60);
/// Jobs that are open before anybody watches, one for each company: the silent baseline.
const JOBS_BEFORE: u32 = 2;
/// Reports that wait to be shown.
const REPORTS_MAX: usize = 256;

/// `radar demo …`
#[derive(Debug, Args)]
pub struct Arguments {
    /// End after the first finding was pulled and pushed with equal bytes
    #[arg(long)]
    once: bool,
    /// Watch a sample web with a radar of each type, and end once each has found something
    #[arg(long)]
    all_types: bool,
}

/// Keeps what the service logs out of the timeline, unless somebody asked for it.
///
/// # Errors
/// None in a build that passes its tests.
pub fn quieten(log: &mut Log) -> Result<()> {
    if *log == Config::built_in()?.log {
        // The demo has a source that is broken on purpose.
        log.filter = "warn,actors::housekeeping::duties=off".to_owned();
    }
    Ok(())
}

/// Runs the demo until it is interrupted, with `--once` until the first finding was seen both ways, or with `--all-types`
/// until each type has found something.
///
/// # Errors
/// [`Failure`] when something cannot be started, or when what is waited for does not come.
pub fn run(arguments: &Arguments, log: &Log) -> Result<()> {
    let folder = tempfile::Builder::new().prefix("radar-demo-").tempdir();
    let folder = folder.map_err(|error| Failure::of("temporary folder", error))?;
    let mut config = Config::built_in()?;
    config.log = log.clone();
    stage::furnish(&mut config, folder.path())?;
    let customer = match arguments.all_types {
        true => None,
        false => {
            config.sources.dir = Some(month::declare_sources(folder.path())?);
            Some(month::play(&config)?)
        }
    };
    let outcome = app::run(&config.clone(), |clock| async {
        match customer {
            None => all_types::play(clock, config, folder.path()).await,
            Some(customer) => play(clock, config, folder.path(), customer, arguments.once).await,
        }
    });
    let outcome = outcome.map_err(|error| Failure::of("runtime", error))?;
    folder.close().map_err(|error| Failure::of("temporary folder", error))?;
    outcome
}

async fn play(clock: Clock, mut config: Config, folder: &Path, customer: Customer, is_once: bool) -> Result<()> {
    let mut signals = app::StopSignals::catch().map_err(|error| Failure::of("signals", error))?;
    let (fetch_reports, fetches) = mpsc::channel(REPORTS_MAX);
    let (delivery_reports, deliveries) = mpsc::channel(REPORTS_MAX);
    let site = CompanySite::start(fetch_reports).map_err(|error| Failure::of("company site", error))?;
    let receive = |secret: &str, reports| {
        receiver::start(clock.clone(), secret.to_owned(), reports).map_err(|error| Failure::of("receiver", error))
    };
    let receiver = receive(&customer.webhook_secret, delivery_reports)?;
    // It knows no secret, so it takes every signature for a wrong one.
    let refusing = receive("", mpsc::channel(1).0)?;
    config.outbound.rewrite = stage::rewrite_all(&site.url());
    for already in 0..JOBS_BEFORE {
        site.publish(stage::job(already, clock.now().date_naive()));
    }

    let app = app::App::start(config, clock.clone()).await?;
    let stage = Stage::of(&app);
    let played = tokio::select! {
        played = async {
            output::print(&stage.introduction(&customer, folder))?;
            let mut observer = stage.observer(&customer);
            observer.pass_over().await?;
            output::print(&stage.preview(&customer).await?)?;
            stage.create_radars(&customer, &receiver).await?;
            stage.open_troubled_accounts(&refusing).await?;
            Story::new(clock, observer, is_once).play(&site, fetches, deliveries).await
        } => played,
        _ = signals.received() => Ok(()),
    };
    app.stop().await;
    site.stop().await;
    receiver.stop().await;
    refusing.stop().await;
    played
}

/// The demo as it goes on.
struct Story {
    clock: Clock,
    observer: Observer,
    timeline: Timeline,
    polls: Polls,
    proof: Proof,
    is_once: bool,
    jobs_published: u32,
}

impl Story {
    fn new(clock: Clock, observer: Observer, is_once: bool) -> Self {
        Self {
            timeline: Timeline::new(clock.clone()),
            clock,
            observer,
            polls: Polls::default(),
            proof: Proof::default(),
            is_once,
            jobs_published: JOBS_BEFORE,
        }
    }

    /// Ends only with `--once`, or when something fails.
    async fn play(
        mut self,
        site: &CompanySite,
        mut fetches: mpsc::Receiver<Fetch>,
        mut deliveries: mpsc::Receiver<Delivery>,
    ) -> Result<()> {
        let mut look_at = self.clock.now();
        let mut publish_at = look_at + PUBLISH_EVERY;
        let give_up_at = look_at + ONCE_WAIT_MAX;
        loop {
            let comparison = tokio::select! {
                Some(fetch) = fetches.recv() => {
                    self.polls.count(&fetch);
                    None
                }
                Some(delivery) = deliveries.recv() => self.delivered(&delivery)?,
                () = self.clock.sleep_until(look_at) => {
                    let comparison = self.look().await?;
                    look_at = self.clock.now() + LOOK_EVERY;
                    comparison
                }
                () = self.clock.sleep_until(publish_at) => {
                    self.publish(site)?;
                    publish_at = self.clock.now() + PUBLISH_EVERY;
                    None
                }
                () = self.clock.sleep_until(give_up_at), if self.is_once => {
                    return Err(Failure::of("demo", "no finding was both pulled and pushed within 60 s"));
                }
            };
            match comparison {
                Some(Err(update_id)) => {
                    return Err(Failure::of("demo", format!("update {update_id} differs between pull and push")));
                }
                Some(Ok(())) if self.is_once => {
                    return self.timeline.show(Event::Ready, "the finding was pulled and pushed with equal bytes");
                }
                _ => {}
            }
        }
    }

    fn publish(&mut self, site: &CompanySite) -> Result<()> {
        let job = stage::job(self.jobs_published, self.clock.now().date_naive());
        self.jobs_published += 1;
        self.timeline.show(Event::Published, &format!("{} at {}", job.title, job.company.domain))?;
        site.publish(job);
        Ok(())
    }

    fn delivered(&mut self, delivery: &Delivery) -> Result<Option<Comparison>> {
        match delivery.signature {
            Ok(()) => {
                self.timeline.show(Event::Delivered, &format!("{} bytes, signature verified", delivery.body.len()))?;
                Ok(self.proof.pushed(&delivery.body))
            }
            Err(error) => {
                self.timeline.show(Event::Problem, &format!("a delivery was refused: {error}"))?;
                Ok(None)
            }
        }
    }

    /// Asks the two APIs what is new.
    async fn look(&mut self) -> Result<Option<Comparison>> {
        let mut comparison = None;
        for Pulled { update, text } in self.observer.new_updates().await? {
            self.timeline.show(Event::Found, &update.summary())?;
            comparison = self.proof.pulled(&update.update_id, &text).or(comparison);
        }
        for entry in self.observer.new_entries().await? {
            self.timeline.show(Event::Charged, &entry)?;
        }
        if let Some(balance) = self.observer.new_balance().await? {
            self.timeline.show(Event::Balance, &format!("{balance} USD"))?;
        }
        if self.timeline.is_quiet() {
            self.timeline.show(Event::Fetched, &self.polls.take())?;
        }
        Ok(comparison)
    }
}
