//! Every command of the README and of the book, run as a reader would run it: the `sh` blocks of a page, in order and in one
//! shell, beside a service of their own. A block that cannot run here has a comment before it that says why:
//! `<!-- not run: it needs Docker -->`. The `console` blocks are for a checkout and hold nothing but `cargo`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use regex::Regex;

use config::Config;
use domain::money::pricing::PricingModel;
use domain::radar_type::RadarType;

use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::PushSource;

/// What stands between a marker's beginning and its reason.
const NOT_RUN: &str = "<!-- not run: ";

/// A fenced block of a page.
struct Block {
    language: String,
    text: String,
    /// Why it does not run here.
    excuse: Option<String>,
}

#[actix_web::test]
async fn every_command_of_the_readme_and_the_book_runs() {
    on_both_databases(async |database| {
        let provider = PushSource::named("my_provider", &["company_reviews", "company_job_openings"]);
        let service = Service::start(database.url(), &[("SOURCES__DIR", provider.dir().as_str())]);
        let (mut run, mut failures) = (0, Vec::new());
        for page in pages() {
            let commands: Vec<String> = blocks(&page)
                .into_iter()
                .filter(|block| block.language == "sh" && block.excuse.is_none())
                .map(|block| block.text)
                .collect();
            if !commands.is_empty() {
                failures.extend(failure_of_page(&service, &page, &commands).await);
                run += commands.len();
            }
        }
        assert!(failures.is_empty(), "{}", failures.join("\n\n"));
        assert!(run >= 15, "{run} blocks ran");
    })
    .await;
}

#[test]
fn blocks_say_what_they_are() {
    for page in pages() {
        for Block { language, text, excuse } in blocks(&page) {
            assert!(!["bash", "shell", ""].contains(&language.as_str()), "{}: {text}", page.display());
            if language == "console" {
                let is_of_a_checkout = |line: &str| line.starts_with("cargo ");
                assert!(text.lines().all(is_of_a_checkout), "{}: {text}", page.display());
            }
            assert!(excuse.is_none_or(|excuse| excuse.len() > 5), "{}: a reason is missing", page.display());
        }
    }
}

#[test]
fn the_table_of_the_readme_has_each_type_at_its_price() {
    let readme = std::fs::read_to_string(top().join("README.md")).expect("a README");
    let prices = Config::built_in().expect("settings").prices;
    for radar_type in RadarType::ALL {
        let price = prices[radar_type];
        let per = if price.model == PricingModel::Subscription { "in 30 days" } else { "per finding" };
        let row = readme.lines().find(|line| line.starts_with(&format!("| `{radar_type}` |")));
        let row = row.unwrap_or_else(|| panic!("{radar_type} has no row"));
        let amount: f64 = price.rate.to_string().parse().expect("an amount");
        assert!(row.ends_with(&format!("| {amount:.2} {per} |")), "{row}");
    }
}

/// The README and the pages of the book.
fn pages() -> Vec<PathBuf> {
    let book = std::fs::read_dir(top().join("docs")).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut pages: Vec<PathBuf> = book.filter(|page| page.extension().is_some_and(|kind| kind == "md")).collect();
    pages.sort();
    pages.insert(0, top().join("README.md"));
    pages
}

fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn blocks(page: &Path) -> Vec<Block> {
    let text = std::fs::read_to_string(page).expect("a page");
    let fenced =
        Regex::new(r"(?ms)(?:^<!-- not run: (?P<excuse>[^\n]*) -->\n)?^```(?P<language>[^\n]*)\n(?P<text>.*?)^```$");
    let found: Vec<Block> = fenced
        .expect("a pattern")
        .captures_iter(&text)
        .map(|block| Block {
            language: block["language"].to_owned(),
            text: block["text"].to_owned(),
            excuse: block.name("excuse").map(|excuse| excuse.as_str().to_owned()),
        })
        .collect();
    let excused = found.iter().filter(|block| block.excuse.is_some()).count();
    assert_eq!(text.matches(NOT_RUN).count(), excused, "{}: a marker stands before no block", page.display());
    found
}

/// Runs the blocks of a page as a customer of their own; what went wrong, if anything did.
async fn failure_of_page(service: &Service, page: &Path, commands: &[String]) -> Option<String> {
    let customer = Customer::create(service).await;
    let home = tempfile::tempdir().expect("a folder");
    let program = Path::new(env!("CARGO_BIN_EXE_radar")).parent().expect("a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let script =
        format!("set -euo pipefail\ncurl() {{ command curl --fail-with-body \"$@\"; }}\n{}", commands.join("\n"));
    let script = script
        .replace("localhost:8080", &format!("127.0.0.1:{}", service.public_port()))
        .replace("localhost:8081", &format!("127.0.0.1:{}", service.operator_port()));
    let mut shell = Command::new("bash");
    shell.args(["-c", &script]).current_dir(home.path()).stdin(Stdio::null());
    shell.envs(service.environment()).env("PATH", path).env("HOME", home.path());
    shell.env("ACCOUNT_ID", &customer.account_id).env("RADAR_API_KEY", &customer.api_key);
    let output = shell.output().expect("bash");
    let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (!output.status.success()).then(|| format!("{}: {}\n{printed}\n{errors}", page.display(), output.status))
}
