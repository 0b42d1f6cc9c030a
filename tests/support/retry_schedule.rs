//! The schedule of retries, for tests of what goes by it.

use config::Config;
use domain::delivery::RetrySchedule;

/// That of the built-in settings (decision 5.3).
pub fn retry_schedule() -> RetrySchedule {
    let settings = Config::built_in().expect("settings");
    RetrySchedule::new(&settings.webhooks.retry_schedule).expect("a schedule")
}
