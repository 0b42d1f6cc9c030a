//! One attempt of a mail by SMTP.

use std::time::Duration;

use lettre::address::AddressError;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp;
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};

use super::texts::Links;
use clock::Clock;
use store::ClaimedMail;

/// The longest that an attempt may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Why mails cannot be sent as the settings say. The address itself is not told: it may hold a password.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum SmtpUrlError {
    /// The address of the server.
    #[error("smtp.url: is no address of a mail server such as smtps://name:password@mail.example.com")]
    Url,
    /// The address of the sender.
    #[error("smtp.from: is no e-mail address")]
    From,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    /// The server has it.
    Taken,
    /// The server will never take it.
    Refused,
    /// It may be taken later.
    Failed,
}

/// Sends mails.
pub(super) struct SmtpSender {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    links: Links,
}

impl SmtpSender {
    pub(super) fn new(url: &str, from: &str, links: Links) -> Result<Self, SmtpUrlError> {
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| SmtpUrlError::Url)?;
        let from = from.parse().map_err(|_: AddressError| SmtpUrlError::From)?;
        Ok(Self { transport: transport.timeout(Some(TIMEOUT)).build(), from, links })
    }

    pub(super) async fn send(&self, clock: &Clock, mail: &ClaimedMail) -> Sent {
        let Some(message) = self.message(clock, mail) else { return Sent::Refused };
        match clock.real_timeout(TIMEOUT, self.transport.send(message)).await {
            Some(Ok(_)) => Sent::Taken,
            Some(Err(error)) if is_final(&error) => Sent::Refused,
            Some(Err(_)) | None => Sent::Failed,
        }
    }

    /// `None` where the recipient is no address.
    fn message(&self, clock: &Clock, mail: &ClaimedMail) -> Option<Message> {
        let host = self.from.email.domain();
        let mut message = Message::builder()
            .message_id(Some(format!("<{}@{host}>", mail.mail_id)))
            .date(clock.now().into())
            .from(self.from.clone())
            .to(mail.recipient.parse().ok()?)
            .subject(&mail.subject)
            .header(ContentType::TEXT_PLAIN)
            .body(mail.body.clone())
            .ok()?;
        // RFC 8058: programs stop what comes with one POST.
        let stop = format!("<{}>", self.links.stop(&mail.token));
        for (name, value) in
            [("List-Unsubscribe", stop.as_str()), ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")]
        {
            let name = HeaderName::new_from_ascii(name.to_owned()).ok()?;
            message.headers_mut().insert_raw(HeaderValue::new(name, value.to_owned()));
        }
        Some(message)
    }
}

fn is_final(error: &smtp::Error) -> bool {
    error.is_permanent()
}
