//! In which form updates are pushed (decision 5.10).

use crate::closed;

closed! {
    /// `webhook_format`: what the receiver is.
    WebhookFormat {
        /// Anything that reads the payload of an update as it can be pulled.
        Standard = "standard",
        /// A consumer of CloudEvents 1.0, in structured JSON mode.
        CloudEvents = "cloudevents",
        /// An incoming webhook of Slack.
        Slack = "slack",
        /// A workflow of Microsoft Teams that posts an Adaptive Card.
        Teams = "teams",
    }
}

impl WebhookFormat {
    /// The media type of what is pushed.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::CloudEvents => "application/cloudevents+json",
            Self::Standard | Self::Slack | Self::Teams => "application/json",
        }
    }
}

/// A payload in a form other than the standard one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormattedPayload {
    /// The form.
    pub format: WebhookFormat,
    /// The frozen bytes.
    pub body: String,
}
