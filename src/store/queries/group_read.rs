//! Group read: what is asked for while a few statements run is read by the next one, together.
//!
//! The counterpart of the ledger's group commit. Nothing is kept: each answer comes from a statement that began after
//! it was asked for, so whoever asks sees everything that was committed before. Never here: what is read.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// How many keys one statement reads at most.
const GROUP_MAX: usize = 64;
/// How many statements run at once: while one is on its way, the database works on another.
const LEADERS_MAX: usize = 3;

/// The values of one table, by key. Clones share the group.
pub(in crate::store) struct GroupRead<K, V>(Arc<Mutex<Group<K, V>>>);

struct Group<K, V> {
    waiting: Vec<Waiting<K, V>>,
    leaders: usize,
}

struct Waiting<K, V> {
    key: K,
    turn: oneshot::Sender<Turn<K, V>>,
}

enum Turn<K, V> {
    /// Somebody has read it.
    Read(Option<V>),
    /// It is this one's turn to read, for all that wait.
    Lead(Lead<K, V>),
}

/// The right to read. It passes to the next who waits when it is dropped, whatever becomes of its holder.
struct Lead<K, V>(GroupRead<K, V>);

impl<K: Clone + Eq + Hash, V: Clone> GroupRead<K, V> {
    /// A group that nobody waits in.
    pub(in crate::store) fn new() -> Self {
        Self(Arc::new(Mutex::new(Group { waiting: Vec::new(), leaders: 0 })))
    }

    /// The value of `key`, read by `read` for as many keys as have gathered, at most [`GROUP_MAX`].
    ///
    /// # Errors
    /// What `read` answered.
    pub(in crate::store) async fn get<E>(
        &self,
        key: K,
        read: impl AsyncFn(Vec<K>) -> Result<HashMap<K, V>, E>,
    ) -> Result<Option<V>, E> {
        let lead = match self.join(&key) {
            Ok(lead) => lead,
            Err(turn) => match turn.await {
                Ok(Turn::Read(value)) => return Ok(value),
                Ok(Turn::Lead(lead)) => lead,
                // Whoever read for this one has failed: it sees for itself.
                Err(_) => return Ok(read(vec![key.clone()]).await?.remove(&key)),
            },
        };
        let group = self.take();
        let keys = std::iter::once(&key).chain(group.iter().map(|waiting| &waiting.key)).cloned().collect();
        let mut found = read(keys).await?;
        drop(lead);
        for Waiting { key, turn } in group {
            // Whoever asked may have given up.
            turn.send(Turn::Read(found.get(&key).cloned())).ok();
        }
        Ok(found.remove(&key))
    }

    /// The right to read if few have it, otherwise a place among those who wait.
    fn join(&self, key: &K) -> Result<Lead<K, V>, oneshot::Receiver<Turn<K, V>>> {
        let mut group = self.lock();
        if group.leaders < LEADERS_MAX {
            group.leaders += 1;
            return Ok(Lead(self.clone()));
        }
        let (turn, receiver) = oneshot::channel();
        group.waiting.push(Waiting { key: key.clone(), turn });
        Err(receiver)
    }

    /// Those who wait, oldest first, as many as one statement reads besides the leader's own.
    fn take(&self) -> Vec<Waiting<K, V>> {
        let waiting = &mut self.lock().waiting;
        waiting.drain(..waiting.len().min(GROUP_MAX - 1)).collect()
    }
}

impl<K, V> GroupRead<K, V> {
    fn lock(&self) -> MutexGuard<'_, Group<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K, V> Clone for GroupRead<K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K, V> Drop for Lead<K, V> {
    fn drop(&mut self) {
        let mut group = self.0.lock();
        if group.waiting.is_empty() {
            group.leaders -= 1;
            return;
        }
        let Waiting { turn, .. } = group.waiting.remove(0);
        drop(group);
        // Who has given up hands it back, and dropping what comes back passes it on.
        turn.send(Turn::Lead(Lead(self.0.clone()))).ok();
    }
}
