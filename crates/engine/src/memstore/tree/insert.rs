//! Inserting cells into a tree.

use super::{Entry, Leaf, Tree, LEAF};
use rowstone_model::cell::{row_of, Cell, Layout};

impl Tree {
    /// Adds `cell`, replacing one of the same key and sequence id.
    ///
    /// Tries leaf `hint` first. Returns the leaf it was inserted into, which is the hint for a cell nearby in the
    /// order.
    pub(crate) fn insert(&mut self, cell: &Cell<'_>, hint: usize) -> usize {
        let row = cell.row();
        if self.prefix.admit(row) {
            self.renew_prefixes();
        }
        let prefix = self.prefix.of(row);
        let start = self.bytes.len();
        cell.write(self.bytes.own(), Layout::STORED);
        let entry = Entry { prefix, start: start as u32, length: (self.bytes.len() - start) as u32 };
        self.stats.count(cell);
        if self.leaves.is_empty() {
            self.entries.resize(LEAF, Entry::default());
            self.entries[0] = entry;
            self.leaves.push(Leaf { prefix, slot: 0, count: 1 });
            return 0;
        }
        let leaf = self.leaf_for(prefix, cell, hint);
        let entries = self.leaf_entries(&self.leaves[leaf]);
        let is_before =
            |other: &Entry| other.prefix < prefix || (other.prefix == prefix && self.compare(other, cell).is_lt());
        let at = entries.partition_point(is_before);
        match entries.get(at) {
            Some(other) if other.prefix == prefix && self.compare(other, cell).is_eq() => {
                self.stats.forget(other.length as usize);
                let slot = self.leaves[leaf].slot as usize;
                self.entries[slot * LEAF + at] = entry;
                leaf
            }
            _ => self.insert_entry(leaf, at, entry),
        }
    }

    /// The last leaf that begins at or before `cell`, or else the first leaf.
    fn leaf_for(&self, prefix: u64, cell: &Cell<'_>, hint: usize) -> usize {
        let begins_by = |leaf: &Leaf| {
            let first = &self.entries[leaf.slot as usize * LEAF];
            leaf.prefix < prefix || (leaf.prefix == prefix && self.compare(first, cell).is_le())
        };
        let last = self.leaves.len() - 1;
        for near in [hint, last] {
            if self.leaves.get(near).is_some_and(begins_by) && !self.leaves.get(near + 1).is_some_and(begins_by) {
                return near;
            }
        }
        self.leaves.partition_point(begins_by).saturating_sub(1)
    }

    fn insert_entry(&mut self, leaf: usize, at: usize, entry: Entry) -> usize {
        let Leaf { slot, count, .. } = self.leaves[leaf];
        let (start, count) = (slot as usize * LEAF, count as usize);
        if count == LEAF {
            let (leaf, at) = self.split(leaf, at);
            return self.insert_entry(leaf, at, entry);
        }
        self.entries.copy_within(start + at..start + count, start + at + 1);
        self.entries[start + at] = entry;
        self.leaves[leaf].count += 1;
        if at == 0 {
            self.leaves[leaf].prefix = entry.prefix;
        }
        leaf
    }

    /// Makes room in a full leaf for an entry at `at`. Returns the new position of that entry.
    ///
    /// Splits in half, except at the very end, where ascending keys would leave every leaf half empty.
    fn split(&mut self, leaf: usize, at: usize) -> (usize, usize) {
        let keep = if leaf + 1 == self.leaves.len() && at == LEAF { LEAF - 1 } else { LEAF / 2 };
        let from = self.leaves[leaf].slot as usize * LEAF;
        let slot = self.entries.len() / LEAF;
        self.entries.resize((slot + 1) * LEAF, Entry::default());
        self.entries.copy_within(from + keep..from + LEAF, slot * LEAF);
        self.leaves[leaf].count = keep as u32;
        let prefix = self.entries[slot * LEAF].prefix;
        self.leaves.insert(leaf + 1, Leaf { prefix, slot: slot as u32, count: (LEAF - keep) as u32 });
        if at <= keep && keep == LEAF / 2 {
            (leaf, at)
        } else {
            (leaf + 1, at - keep)
        }
    }

    /// Recomputes every prefix after the rows' shared part shrank.
    fn renew_prefixes(&mut self) {
        let Tree { bytes, entries, leaves, prefix, .. } = self;
        for leaf in leaves.iter_mut() {
            let start = leaf.slot as usize * LEAF;
            for entry in &mut entries[start..start + leaf.count as usize] {
                let key_start = entry.start as usize + 8;
                entry.prefix = prefix.of(row_of(&bytes[key_start..]));
            }
            leaf.prefix = entries[start].prefix;
        }
    }
}
