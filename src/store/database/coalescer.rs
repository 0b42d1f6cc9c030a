//! Coalesces work: what is asked for while a statement runs is done together by the next one.
//!
//! The counterpart of the ledger's group commit. Nothing is kept: each answer comes from a statement that began after
//! it was asked for, so a caller who reads sees everything that was committed before. Never here: what the work is.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::oneshot;

/// How many items are done together at most.
const GROUP_MAX: usize = 64;

/// Gathers items of one kind and works on them together; each gets its own result. Clones share the queue.
pub(crate) struct Coalescer<T, R>(Arc<Mutex<Queue<T, R>>>);

struct Queue<T, R> {
    waiting: Vec<Waiting<T, R>>,
    /// Whether a caller works, for itself and for others.
    is_led: bool,
}

struct Waiting<T, R> {
    item: T,
    turn: oneshot::Sender<WakeUp<T, R>>,
}

enum WakeUp<T, R> {
    /// Another caller has done it.
    Done(R),
    /// It is this one's turn to work, for all that wait.
    Lead(Lead<T, R>),
}

/// The right to work. It passes to the next who waits when it is dropped, whatever becomes of its holder.
struct Lead<T, R>(Coalescer<T, R>);

impl<T: Clone, R> Coalescer<T, R> {
    /// An empty coalescer.
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(Queue { waiting: Vec::new(), is_led: false })))
    }

    /// The result of `item`, worked on together with as many as have gathered, at most [`GROUP_MAX`]. `work` answers the
    /// results in the order of its items. Where it fails for a group, each of the others tries for itself.
    ///
    /// # Errors
    /// What `work` answered.
    pub(crate) async fn run<E>(
        &self,
        item: T,
        work: impl AsyncFn(Vec<T>) -> Result<Vec<R>, E>,
    ) -> Result<Option<R>, E> {
        let lead = match self.join(&item) {
            Ok(lead) => lead,
            Err(turn) => match turn.await {
                Ok(WakeUp::Done(result)) => return Ok(Some(result)),
                Ok(WakeUp::Lead(lead)) => lead,
                Err(_) => return Ok(work(vec![item]).await?.pop()),
            },
        };
        // Those that are ready to ask by now come along: under load a statement for many costs little more than one for few.
        tokio::task::yield_now().await;
        let group = self.take();
        let items = std::iter::once(&item).chain(group.iter().map(|waiting| &waiting.item)).cloned().collect();
        let mut results = work(items).await?.into_iter();
        drop(lead);
        let own = results.next();
        for (Waiting { turn, .. }, result) in group.into_iter().zip(results) {
            // The caller may have given up.
            turn.send(WakeUp::Done(result)).ok();
        }
        Ok(own)
    }

    /// The right to work if nobody has it, otherwise a place among those who wait.
    fn join(&self, item: &T) -> Result<Lead<T, R>, oneshot::Receiver<WakeUp<T, R>>> {
        let mut queue = self.0.lock();
        if !queue.is_led {
            queue.is_led = true;
            return Ok(Lead(self.clone()));
        }
        let (turn, receiver) = oneshot::channel();
        queue.waiting.push(Waiting { item: item.clone(), turn });
        Err(receiver)
    }

    /// The waiting items, oldest first, as many as are done together with the leader's own.
    fn take(&self) -> Vec<Waiting<T, R>> {
        let waiting = &mut self.0.lock().waiting;
        waiting.drain(..waiting.len().min(GROUP_MAX - 1)).collect()
    }
}

impl<T, R> Clone for Coalescer<T, R> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T, R> Drop for Lead<T, R> {
    fn drop(&mut self) {
        let mut queue = self.0.0.lock();
        if queue.waiting.is_empty() {
            queue.is_led = false;
            return;
        }
        let Waiting { turn, .. } = queue.waiting.remove(0);
        drop(queue);
        // A caller that has given up hands the lead back; dropping it passes it on.
        turn.send(WakeUp::Lead(Lead(self.0.clone()))).ok();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use futures_util::future::join_all;

    use super::Coalescer;

    #[actix_web::test]
    async fn what_is_asked_for_meanwhile_is_done_together_and_each_gets_its_own_result() {
        let (coalescer, groups) = (Coalescer::<u32, u32>::new(), RefCell::new(Vec::new()));
        let work = async |items: Vec<u32>| {
            groups.borrow_mut().push(items.len());
            tokio::task::yield_now().await;
            Ok::<_, ()>(items.iter().map(|item| item * 2).collect())
        };
        let results = join_all((0..100).map(|item| coalescer.run(item, work))).await;
        assert_eq!(results, (0..100).map(|item| Ok(Some(item * 2))).collect::<Vec<_>>());
        assert_eq!(*groups.borrow(), [64, 36]);
    }

    #[actix_web::test]
    async fn a_group_that_fails_is_tried_one_by_one() {
        let coalescer = Coalescer::<u32, u32>::new();
        let work = async |items: Vec<u32>| {
            tokio::task::yield_now().await;
            if items.contains(&7) { Err("seven") } else { Ok(items) }
        };
        let results = join_all((0..10).map(|item| coalescer.run(item, work))).await;
        let failed = results.iter().filter(|result| **result == Err("seven")).count();
        assert!((1..=2).contains(&failed), "the leader of the group and the one to blame: {results:?}");
        assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 10 - failed);
    }

    #[actix_web::test]
    async fn a_caller_who_gives_up_stops_nobody() {
        let coalescer = Coalescer::<u32, u32>::new();
        let stuck = async |_: Vec<u32>| std::future::pending::<Result<Vec<u32>, ()>>().await;
        let work = async |items: Vec<u32>| Ok::<_, ()>(items);
        let mut first = Box::pin(coalescer.run(1, stuck));
        assert!(futures_util::poll!(&mut first).is_pending());
        let mut second = Box::pin(coalescer.run(2, work));
        assert!(futures_util::poll!(&mut second).is_pending());
        drop(first);
        assert_eq!(second.await, Ok(Some(2)));
        assert_eq!(coalescer.run(3, work).await, Ok(Some(3)));
    }
}
