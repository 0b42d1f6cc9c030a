//! One attempt of a mail by SMTP.

use std::time::Duration;

use lettre::address::AddressError;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::response::{Category, Code, Severity};
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};

use super::texts::Links;
use clock::Clock;
use store::ClaimedMail;

/// The longest that an attempt may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Why mails cannot be sent as the settings say. The address itself is left out: it may hold a password.
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
    /// The server will never take it, as it said with this code; without one the recipient is no address.
    Refused(Option<u16>),
    /// It may be taken later; the server's code, if it answered.
    Failed(Option<u16>),
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
        let Some(message) = self.message(clock, mail) else { return Sent::Refused(None) };
        match clock.real_timeout(TIMEOUT, self.transport.send(message)).await {
            Some(Ok(_)) => Sent::Taken,
            Some(Err(error)) => match error.status() {
                Some(code) if is_final(code) => Sent::Refused(Some(code.into())),
                code => Sent::Failed(code.map(u16::from)),
            },
            None => Sent::Failed(None),
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

/// Whether a code is about the mail itself. Others, such as 535 after a password was changed, say what an operator can mend.
fn is_final(code: Code) -> bool {
    code.severity == Severity::PermanentNegativeCompletion && code.category == Category::MailSystem
}

#[cfg(test)]
mod tests {
    use super::is_final;
    use lettre::transport::smtp::response::Response;

    #[test]
    fn a_mail_is_given_up_only_for_what_is_said_of_its_mailbox() {
        for (code, expected) in [
            (550, true),
            (553, true),
            (554, true),
            (450, false),
            (421, false),
            (502, false),
            (530, false),
            (535, false),
        ] {
            let response: Response = format!("{code} so\r\n").parse().expect("a response");
            assert_eq!(is_final(response.code()), expected, "{code}");
        }
    }
}
