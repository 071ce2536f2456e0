//! Simulated power loss: computes the disk's contents after it.

use super::disk::{sector_of, Disk, Names, Node, SECTOR_BYTES};
use super::{Crash, Tail};
use crate::sys::{Entropy, SeededEntropy};
use std::path::Path;
use std::sync::Arc;

/// Random decisions from a seed. Each crash has its own probability of survival.
struct Dice {
    entropy: SeededEntropy,
    percent: u64,
}

impl Dice {
    fn new(seed: u64) -> Self {
        let entropy = SeededEntropy::new(seed);
        let percent = 10 + entropy.next_u64() % 81;
        Dice { entropy, percent }
    }

    fn below(&self, count: usize) -> usize {
        (self.entropy.next_u64() % count.max(1) as u64) as usize
    }

    fn survives(&self) -> bool {
        self.entropy.next_u64() % 100 < self.percent
    }
}

impl Disk {
    /// The disk after a crash. After a power loss, everything on it is durable.
    pub fn after(&self, crash: Crash) -> Disk {
        let dice = match crash {
            Crash::Killed => return self.clone(),
            Crash::Subset(seed) | Crash::Torn { seed, .. } => Dice::new(seed),
            _ => Dice::new(0),
        };
        let mut thing = 0;
        let mut survives = || {
            thing += 1;
            match crash {
                Crash::Killed | Crash::Everything | Crash::Torn { .. } => true,
                Crash::Synced => false,
                Crash::Only(number) => thing == number,
                Crash::Without(number) => thing != number,
                Crash::Subset(_) => dice.survives(),
            }
        };
        let mut names = Names::clone(&self.durable);
        for change in &self.pending {
            if survives() {
                names.apply(change);
            }
        }
        drop_unreachable(&mut names);
        let mut content = |node: &Node| match crash {
            _ if !node.is_loose() => Arc::clone(&node.durable),
            Crash::Subset(_) => Arc::new(mix(node, &dice)),
            Crash::Torn { unit, tail, .. } => Arc::new(tear(node, unit as usize, tail, &dice)),
            _ if survives() => Arc::clone(&node.content),
            _ => Arc::clone(&node.durable),
        };
        let settled = |content: Arc<Vec<u8>>| Node { durable: Arc::clone(&content), content, ..Node::default() };
        let nodes = self.nodes.iter().map(|node| settled(content(node))).collect();
        let names = Arc::new(names);
        Disk { nodes, present: Arc::clone(&names), durable: names, pending: Vec::new() }
    }

    /// Number of changes of names and files that a power loss may lose.
    pub fn loose_things(&self) -> usize {
        self.pending.len() + self.nodes.iter().filter(|node| node.is_loose()).count()
    }
}

/// A file whose folder is missing is lost.
fn drop_unreachable(names: &mut Names) {
    let known = names.directories.clone();
    let is_reachable = |path: &Path| path.ancestors().skip(1).all(|above| known.contains(above));
    names.files.retain(|path, _| is_reachable(path));
    names.directories.retain(|path| is_reachable(path));
}

/// The durable bytes mixed with some of the others.
fn mix(node: &Node, dice: &Dice) -> Vec<u8> {
    let (old, new) = (&node.durable, &node.content);
    let (shorter, longer) = (old.len().min(new.len()), old.len().max(new.len()));
    let length = match dice.below(3) {
        0 => old.len(),
        1 => new.len(),
        _ => shorter + dice.below(longer - shorter + 1),
    };
    let fills_with_garbage = dice.below(2) == 0;
    let mut mixed = Vec::with_capacity(length + SECTOR_BYTES);
    for sector in 0..length.div_ceil(SECTOR_BYTES) {
        let start = mixed.len();
        let source = if dice.survives() { new } else { old };
        mixed.extend_from_slice(sector_of(source, sector));
        while mixed.len() < start + SECTOR_BYTES {
            mixed.push(if fills_with_garbage { dice.below(256) as u8 } else { 0 });
        }
    }
    mixed.truncate(length);
    mixed
}

/// Appended bytes survive up to a boundary of `unit` bytes; `tail` determines what follows.
fn tear(node: &Node, unit: usize, tail: Tail, dice: &Dice) -> Vec<u8> {
    let (old, new) = (&node.durable, &node.content);
    if new.len() <= old.len() {
        // A truncation is either applied or not.
        return Vec::clone(if dice.survives() { new } else { old });
    }
    let (first, last) = (old.len() / unit, new.len().div_ceil(unit));
    let border = ((first + dice.below(last - first + 1)) * unit).clamp(old.len(), new.len());
    let mut torn = new[..border].to_vec();
    match tail {
        Tail::Cut => {}
        Tail::Zeros => torn.resize(new.len(), 0),
        Tail::Garbage => torn.resize_with(new.len(), || dice.below(256) as u8),
    }
    torn
}
