//! Who is signed in to the console. Sessions live in the process: a restart ends them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use clock::Clock;

/// How long a session lasts, whatever a simulated clock says.
pub(crate) const LIFE: Duration = Duration::from_secs(12 * 60 * 60);
/// Sessions at most; the oldest gives way.
const SESSIONS_MAX: usize = 256;

/// All sessions. Clones share them.
#[derive(Clone)]
pub(crate) struct Sessions {
    clock: Clock,
    open: Arc<Mutex<HashMap<String, OpenSession>>>,
}

#[derive(Clone)]
struct OpenSession {
    session: Session,
    ends_at: Instant,
}

/// Somebody who is signed in. It has no `Debug`: a key must not reach a log.
#[derive(Clone)]
pub(crate) struct Session {
    /// The key that the API is asked with.
    pub(crate) key: String,
    /// What each form of the session carries.
    pub(crate) token: String,
}

impl Sessions {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, open: Arc::default() }
    }

    /// Begins a session and answers its identifier.
    ///
    /// # Errors
    /// When the system has no random bits.
    pub(crate) fn begin(&self, key: String) -> Result<String, getrandom::Error> {
        let (id, token) = (random()?, random()?);
        let now = self.clock.real_now();
        let mut open = self.open.lock();
        open.retain(|_, session| session.ends_at > now);
        if open.len() >= SESSIONS_MAX {
            let oldest = open.iter().min_by_key(|(_, session)| session.ends_at).map(|(id, _)| id.clone());
            oldest.map(|id| open.remove(&id));
        }
        open.insert(id.clone(), OpenSession { session: Session { key, token }, ends_at: now + LIFE });
        Ok(id)
    }

    /// The session of that identifier, while it lasts.
    pub(crate) fn get(&self, id: &str) -> Option<Session> {
        let now = self.clock.real_now();
        self.open.lock().get(id).filter(|open| open.ends_at > now).map(|open| open.session.clone())
    }

    /// Ends a session.
    pub(crate) fn end(&self, id: &str) {
        self.open.lock().remove(id);
    }
}

/// 256 random bits.
fn random() -> Result<String, getrandom::Error> {
    let mut bits = [0; 32];
    getrandom::fill(&mut bits)?;
    Ok(hex::encode(bits))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{LIFE, SESSIONS_MAX, Sessions};
    use clock::Clock;

    #[test]
    fn a_session_lasts_twelve_hours_and_the_oldest_gives_way() {
        let sessions = Sessions::new(Clock::system());
        let first = sessions.begin("key".to_owned()).expect("a session");
        assert_eq!(sessions.get(&first).map(|session| session.key), Some("key".to_owned()));
        for _ in 0..SESSIONS_MAX {
            sessions.begin("key".to_owned()).expect("a session");
        }
        assert!(sessions.get(&first).is_none() && sessions.open.lock().len() == SESSIONS_MAX);
        let last = sessions.begin("key".to_owned()).expect("a session");
        sessions.open.lock().values_mut().for_each(|session| session.ends_at -= LIFE + Duration::from_secs(1));
        assert!(sessions.get(&last).is_none());
        sessions.begin("key".to_owned()).expect("a session");
        assert_eq!(sessions.open.lock().len(), 1, "those that are over are forgotten");
        assert!(sessions.get("").is_none());
    }
}
