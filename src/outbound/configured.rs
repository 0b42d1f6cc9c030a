//! The way out as the service's settings want it.

use super::fetch::WebSettings;
use crate::config::Outbound;

impl From<&Outbound> for WebSettings {
    fn from(settings: &Outbound) -> Self {
        let rewrite = settings.rewrite.iter().map(|rewrite| (rewrite.from.clone(), rewrite.to.clone()));
        Self {
            contact: settings.contact.clone(),
            rewrite: rewrite.collect(),
            host_gap: settings.host_gap,
            timeout: settings.timeout,
            ..Self::default()
        }
    }
}
