//! Path through the index to a data block: one entry per level.

use super::blocks::{Blocks, ExpectedBlock};
use crate::cache::CachedBlock;
use crate::hfile::format::{BlockType, Damage};
use crate::hfile::index::{Entries, Entry};
use rowstone_model::cell::compare_keys;
use rowstone_model::Result;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::sync::Arc;

/// The index of an open file.
pub struct Index<'a> {
    pub blocks: &'a Blocks,
    pub root: &'a CachedBlock,
    pub levels: u64,
    /// Whether to stop if a block of the index is not in memory.
    pub at_once: bool,
}

#[derive(Clone)]
struct Step {
    block: Arc<CachedBlock>,
    at: usize,
}

/// A position in the index: at a data block, or nowhere.
#[derive(Clone)]
pub struct IndexPath {
    /// Entry of the root; `usize::MAX` for no position.
    root_at: usize,
    /// Whether it stopped because a block is not in memory.
    is_waiting: bool,
    below: SmallVec<[Step; 2]>,
}

/// Entry to take on the way down.
enum Choice<'k> {
    First,
    Last,
    /// The last at or before a key.
    Floor(&'k [u8]),
    /// The last at or before the beginning of a row.
    FloorOfRow(&'k [u8]),
}

impl Choice<'_> {
    /// The entry; `None` if there is none at or before the key.
    #[inline]
    fn of(&self, entries: Entries<'_>) -> Option<usize> {
        match self {
            Choice::First => Some(0),
            Choice::Last => Some(entries.len().saturating_sub(1)),
            Choice::Floor(key) => entries.floor(key),
            Choice::FloorOfRow(row) => entries.floor_of_row(row),
        }
    }
}

impl IndexPath {
    /// A path without a position.
    pub fn new() -> Self {
        IndexPath { root_at: usize::MAX, is_waiting: false, below: SmallVec::new() }
    }

    /// Clears the position.
    pub fn clear(&mut self) {
        self.root_at = usize::MAX;
        self.is_waiting = false;
        self.below.clear();
    }

    /// Whether it stopped because a block of the index is not in memory.
    pub fn is_waiting(&self) -> bool {
        self.is_waiting
    }

    /// The entry of the data block, if the path leads to one.
    pub fn entry<'a>(&'a self, index: &Index<'a>) -> Option<Entry<'a>> {
        match self.below.last() {
            Some(step) => Entries::of(&step.block).get(step.at),
            None => Entries::of(index.root).get(self.root_at),
        }
    }

    /// Moves to the block in which a search for `key` begins: the last one whose index key is at or before it, else
    /// the first.
    pub fn find(&mut self, index: &Index<'_>, key: &[u8]) -> Result<()> {
        self.choose(index, Choice::Floor(key))
    }

    /// The same for the beginning of a row.
    #[inline]
    pub fn find_row(&mut self, index: &Index<'_>, row: &[u8]) -> Result<()> {
        self.choose(index, Choice::FloorOfRow(row))
    }

    #[inline]
    fn choose(&mut self, index: &Index<'_>, choice: Choice<'_>) -> Result<()> {
        match choice.of(Entries::of(index.root)) {
            Some(root_at) => self.descend(index, root_at, choice),
            None => self.first(index),
        }
    }

    /// Moves to the first block.
    pub fn first(&mut self, index: &Index<'_>) -> Result<()> {
        self.descend(index, 0, Choice::First)
    }

    /// Moves to the last block.
    pub fn last(&mut self, index: &Index<'_>) -> Result<()> {
        self.descend(index, Entries::of(index.root).len().wrapping_sub(1), Choice::Last)
    }

    fn descend(&mut self, index: &Index<'_>, root_at: usize, choice: Choice<'_>) -> Result<()> {
        self.clear();
        if root_at >= Entries::of(index.root).len() {
            return Ok(());
        }
        self.root_at = root_at;
        self.complete(index, choice)
    }

    /// Adds the missing levels below the last step.
    fn complete(&mut self, index: &Index<'_>, choice: Choice<'_>) -> Result<()> {
        while (self.below.len() as u64) < index.levels - 1 {
            let is_leaf = self.below.len() as u64 == index.levels - 2;
            let wanted = if is_leaf { BlockType::LeafIndex } else { BlockType::IntermediateIndex };
            let Some(Entry { offset, bytes, key }) = self.entry(index) else {
                let damage = Damage::new("an index entry at every level", "none");
                return Err(damage.at(&index.blocks.path, 0));
            };
            let block = match index.blocks.cached(offset) {
                Some(block) => block,
                None if index.at_once => {
                    self.is_waiting = true;
                    return Ok(());
                }
                // Index blocks are always cached: every search needs them.
                None => index.blocks.get(offset, bytes, ExpectedBlock::new(wanted, key), true)?,
            };
            // The entry above was at or before the key, and its key is this block's first one.
            let at = choice.of(Entries::of(&block)).unwrap_or(0);
            self.below.push(Step { block, at });
        }
        Ok(())
    }

    /// Moves to the next data block; no position after the last.
    pub fn next(&mut self, index: &Index<'_>) -> Result<()> {
        while let Some(step) = self.below.last_mut() {
            if step.at + 1 < Entries::of(&step.block).len() {
                step.at += 1;
                return self.complete(index, Choice::First);
            }
            self.below.pop();
        }
        let next = self.root_at.saturating_add(1);
        self.descend(index, next, Choice::First)
    }

    /// Moves to the previous data block; no position before the first.
    pub fn previous(&mut self, index: &Index<'_>) -> Result<()> {
        while let Some(step) = self.below.last_mut() {
            if step.at > 0 {
                step.at -= 1;
                return self.complete(index, Choice::Last);
            }
            self.below.pop();
        }
        let previous = self.root_at.wrapping_sub(1);
        self.descend(index, previous, Choice::Last)
    }

    /// Whether all later blocks begin after `key`, according to the index alone.
    #[inline]
    pub fn ends_after(&self, index: &Index<'_>, key: &[u8]) -> bool {
        match self.next_key(index) {
            Some(next) => compare_keys(key, next) == Ordering::Less,
            None => true,
        }
    }

    /// The index key of the next data block; `None` at the last.
    pub fn next_key<'a>(&'a self, index: &Index<'a>) -> Option<&'a [u8]> {
        for step in self.below.iter().rev() {
            if let Some(entry) = Entries::of(&step.block).get(step.at + 1) {
                return Some(entry.key);
            }
        }
        Entries::of(index.root).get(self.root_at.saturating_add(1)).map(|entry| entry.key)
    }
}
