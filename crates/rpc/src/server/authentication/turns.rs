//! Turns for costly work that clients cause before they are known, such as password checks.

use crate::sync::lock;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, Weak};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

/// Limits work to a number of turns at once, and to one of each address: a client that asks often waits for itself
/// before it competes with other addresses.
pub(super) struct Turns {
    all: Semaphore,
    /// The turn of each address that has or awaits one.
    by_address: Mutex<BTreeMap<IpAddr, Weak<Semaphore>>>,
}

/// A turn, until it is dropped.
pub(super) struct Turn<'a> {
    _of_address: Option<OwnedSemaphorePermit>,
    _of_all: Option<SemaphorePermit<'a>>,
}

impl Turns {
    /// Creates `count` turns.
    pub const fn new(count: usize) -> Self {
        Turns { all: Semaphore::const_new(count), by_address: Mutex::new(BTreeMap::new()) }
    }

    /// Waits for a turn. The semaphores are never closed, so waiting does not fail.
    pub async fn wait(&self, address: IpAddr) -> Turn<'_> {
        let of_address = self.of(address).acquire_owned().await.ok();
        Turn { _of_address: of_address, _of_all: self.all.acquire().await.ok() }
    }

    fn of(&self, address: IpAddr) -> Arc<Semaphore> {
        let mut by_address = lock(&self.by_address);
        if let Some(found) = by_address.get(&address).and_then(Weak::upgrade) {
            return found;
        }
        by_address.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::new(Semaphore::new(1));
        by_address.insert(address, Arc::downgrade(&turn));
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Waker};

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[test]
    fn an_address_that_asks_often_waits_for_itself() {
        let turns = Turns::new(2);
        let mut context = Context::from_waker(Waker::noop());
        let (mut first, mut second) = (pin!(turns.wait(address(1))), pin!(turns.wait(address(1))));
        let (mut other, mut third) = (pin!(turns.wait(address(2))), pin!(turns.wait(address(3))));
        let turn = first.as_mut().poll(&mut context);
        assert!(turn.is_ready());
        assert!(second.as_mut().poll(&mut context).is_pending());
        let turn_of_other = other.as_mut().poll(&mut context);
        assert!(turn_of_other.is_ready());
        assert!(third.as_mut().poll(&mut context).is_pending(), "both turns are in use");
        drop(turn);
        assert!(third.as_mut().poll(&mut context).is_ready() && lock(&turns.by_address).len() == 3);
        drop(turn_of_other);
        assert!(second.as_mut().poll(&mut context).is_ready());
        // Addresses without a turn are forgotten.
        let _turn = turns.of(address(4));
        assert_eq!(lock(&turns.by_address).len(), 1);
    }
}
