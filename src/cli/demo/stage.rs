//! What the demo puts in place before it begins: the settings, the account, the prices, the radars, the jobs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use actix_web::http::Method;
use chrono::NaiveDate;
use serde_json::{Value, json};

use super::local_server::LocalServer;
use super::observer::Observer;
use super::sample_pages::{ACME_ROBOTICS, BOREALIS_FOODS, Company, Job};
use crate::app::App;
use crate::cli::api_client::ApiClient;
use crate::cli::customer::preview;
use crate::cli::failure::{Failure, Result};
use config::{Config, Rewrite};

/// What a finding costs at the second company, in USD.
const FINDING_RATE_USD: &str = "0.02";
/// Reads per minute of the demo's own account: it looks twice a second.
const READ_PER_MINUTE: u32 = 6_000;

/// Titles, departments, cities and countries of the jobs that are published one after the other.
const JOBS: &[(&str, &str, &str, &str)] = &[
    ("Senior Robotics Engineer", "Engineering", "Ghent", "BE"),
    ("Head of Quality Assurance", "Quality", "Oslo", "NO"),
    ("Key Account Manager", "Sales", "Lyon", "FR"),
    ("Food Scientist", "Research", "Tromsø", "NO"),
    ("Director of Operations", "Operations", "Rotterdam", "NL"),
    ("Purchasing Trainee", "Purchasing", "Bergen", "NO"),
];

/// The running service, as the demo reaches it.
pub(super) struct Stage {
    public_url: String,
    operator_url: String,
    operator_key: String,
}

/// The customer of the demo.
pub(super) struct Customer {
    account_id: String,
    api_key: String,
    pub(super) webhook_secret: String,
}

/// Settings for a service that lives in `folder`, takes free ports and may reach this machine.
pub(super) fn furnish(config: &mut Config, folder: &Path) -> Result<()> {
    let loopback = |error| Failure::of("loopback", error);
    config.http.listen.set_port(0);
    config.operator.listen.set_port(0);
    config.operator.data_dir = folder.to_owned();
    config.database.url = format!("sqlite://{}", folder.join("radar.db").display());
    config.limits.of_account.read_per_minute = READ_PER_MINUTE;
    config.outbound.allow_private = vec!["127.0.0.0/8".parse().map_err(loopback)?];
    config.webhooks.allow_private = config.outbound.allow_private.clone();
    // Without it a line would warn of sources that ask for one, of which none is asked here.
    config.outbound.contact = "demo@example.com".to_owned();
    config.outbound.host_gap = Duration::ZERO;
    config.sources.lookups = false;
    config.sources.poll_interval = Some(Duration::from_secs(1));
    Ok(())
}

/// Puts source files into a folder within `folder`, and answers where they are.
pub(super) fn declare_sources(folder: &Path, files: &[(&str, &str)]) -> Result<PathBuf> {
    let dir = folder.join("sources");
    let written = std::fs::create_dir_all(&dir)
        .and_then(|()| files.iter().try_for_each(|(name, text)| std::fs::write(dir.join(name), text)));
    written.map_err(|error| Failure::of(dir.display(), error)).map(|()| dir)
}

/// A rewrite table by which every address leads to `url`: nothing of the real web is asked.
pub(super) fn rewrite_all(url: &str) -> Vec<Rewrite> {
    ["https://", "http://"].map(|from| Rewrite { from: from.to_owned(), to: url.to_owned() }).into()
}

/// The job that is published after `already` others.
pub(super) fn job(already: u32, posted_on: NaiveDate) -> Job {
    let (company, number) = if already.is_multiple_of(2) { (ACME_ROBOTICS, 4_100) } else { (BOREALIS_FOODS, 7_300) };
    let index = usize::try_from(already).unwrap_or_default();
    let (title, department, city, country) = JOBS[index % JOBS.len()];
    let round = index / JOBS.len();
    let title = if round == 0 { title.to_owned() } else { format!("{title} {}", round + 1) };
    Job {
        company,
        id: number + u64::from(already),
        description: format!("We are looking for somebody to join us in {city} as {title}."),
        title,
        department: department.to_owned(),
        city: city.to_owned(),
        country: country.to_owned(),
        posted_on,
    }
}

impl Customer {
    /// A path of the operator API that is about this account.
    fn path(&self, rest: &str) -> String {
        format!("/operator/v1/accounts/{}/{rest}", self.account_id)
    }
}

impl Stage {
    /// The stage that `app` is.
    pub(super) fn of(app: &App) -> Self {
        Self {
            public_url: format!("http://{}", app.api_address()),
            operator_url: format!("http://{}", app.operator_address()),
            operator_key: app.operator_key().to_owned(),
        }
    }

    /// Creates the account with its money.
    pub(super) async fn open_account(&self, name: &str, limits: Value, top_up_usd: &str) -> Result<Customer> {
        let operator = self.operator();
        let account = json!({"name": name, "limits": limits});
        let account = operator.call(Method::POST, "/operator/v1/accounts", Some(&account)).await?;
        let data = |name: &str| {
            let text = account.pointer(&format!("/data/{name}")).and_then(Value::as_str).map(str::to_owned);
            text.ok_or_else(|| Failure::of(format!("data.{name}"), "is missing in the answer"))
        };
        let customer = Customer {
            account_id: data("account_id")?,
            api_key: data("api_key")?,
            webhook_secret: data("webhook_secret")?,
        };
        self.top_up(&customer, top_up_usd, "demo").await?;
        Ok(customer)
    }

    /// Pays money in.
    pub(super) async fn top_up(&self, customer: &Customer, amount_usd: &str, payment_ref: &str) -> Result<()> {
        let top_up = json!({"amount_usd": amount_usd, "payment_ref": payment_ref});
        self.operator().call(Method::POST, &customer.path("top-ups"), Some(&top_up)).await?;
        Ok(())
    }

    /// What a radar on the first company would find, laid out for people.
    pub(super) async fn preview(&self, customer: &Customer) -> Result<String> {
        let domain = ACME_ROBOTICS.domain;
        let radar = json!({"domain": domain, "radar_type": "company_job_openings"});
        let preview = self.public(customer).call(Method::POST, preview::PATH, Some(&radar)).await?;
        Ok(format!("preview of {domain}, before anything is created:\n\n{}\n", preview::text(&preview["data"])))
    }

    /// Sets the prices and creates a radar for each company.
    pub(super) async fn create_radars(&self, customer: &Customer, receiver: &LocalServer) -> Result<()> {
        self.create_radar(customer, ACME_ROBOTICS, Some(receiver)).await?;
        self.charge_findings(customer).await?;
        self.create_radar(customer, BOREALIS_FOODS, Some(receiver)).await
    }

    /// Two more customers, for the console to have something that needs attention: the receiver of one refuses whatever it
    /// gets, and the money of the other ends after two findings.
    pub(super) async fn open_troubled_accounts(&self, refusing: &LocalServer) -> Result<()> {
        let refused = self.open_account("Customer whose receiver refuses", json!({}), "5").await?;
        self.create_radar(&refused, ACME_ROBOTICS, Some(refusing)).await?;
        let poor = self.open_account("Customer short of money", json!({}), "0.05").await?;
        self.charge_findings(&poor).await?;
        self.create_radar(&poor, BOREALIS_FOODS, None).await
    }

    /// From now on the customer's radars are paid per finding.
    async fn charge_findings(&self, customer: &Customer) -> Result<()> {
        let price = json!({"model": "update_based", "rate_usd": FINDING_RATE_USD});
        self.operator().call(Method::PUT, &customer.path("prices/company_job_openings"), Some(&price)).await?;
        Ok(())
    }

    async fn create_radar(&self, customer: &Customer, company: &Company, receiver: Option<&LocalServer>) -> Result<()> {
        let radar = json!({
            "domain": company.domain,
            "radar_type": "company_job_openings",
            "webhook_url": receiver.map(|receiver| format!("{}hook", receiver.url())),
            "custom_fields": {"shown_in": "demo"},
        });
        self.public(customer).call(Method::POST, "/v1/radars/companies", Some(&radar)).await?;
        Ok(())
    }

    /// Where the console is, and what opens it.
    pub(super) fn console(&self) -> String {
        format!("console       {}/\n  sign in with  {}", self.operator_url, self.operator_key)
    }

    /// Addresses, keys and commands to try by hand.
    pub(super) fn introduction(&self, customer: &Customer, folder: &Path) -> String {
        let Self { public_url, operator_url, operator_key } = self;
        let Customer { account_id, api_key, .. } = customer;
        format!(
            "radar demo: two sample companies publish jobs, a customer watches them. Ctrl-C ends it.\n\
             \n\
             {}\n\
             \x20 worth a look  a month of the demo customer's money, a broken source, an endpoint that fails\n\
             public API    {public_url}\n\
             operator API  {operator_url}\n\
             data folder   {}\n\
             \n\
             curl -H 'x-api-key: {api_key}' \\\n  {public_url}/v1/updates\n\
             curl -H 'x-api-key: {api_key}' \\\n  {public_url}/v1/radars\n\
             curl -H 'x-operator-key: {operator_key}' \\\n  {operator_url}/operator/v1/accounts/{account_id}/ledger\n",
            self.console(),
            folder.display()
        )
    }

    /// Somebody who watches through both APIs.
    pub(super) fn observer(&self, customer: &Customer) -> Observer {
        Observer::new(self.public(customer), self.operator(), customer.account_id.clone())
    }

    pub(super) fn operator(&self) -> ApiClient {
        ApiClient::operator(self.operator_url.clone(), self.operator_key.clone())
    }

    pub(super) fn public(&self, customer: &Customer) -> ApiClient {
        ApiClient::public(self.public_url.clone(), customer.api_key.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::{JOBS, job};
    use std::collections::HashSet;

    #[test]
    fn jobs_never_repeat() {
        let posted_on = "2026-01-02".parse().expect("a date");
        let jobs: Vec<_> = (0..50).map(|already| job(already, posted_on)).collect();
        assert!(jobs.len() > 2 * JOBS.len());
        assert_eq!(jobs.iter().map(|job| job.id).collect::<HashSet<_>>().len(), jobs.len());
        assert_eq!(jobs.iter().map(|job| &job.title).collect::<HashSet<_>>().len(), jobs.len());
    }
}
