//! State of the simulated disk: cached contents and durable contents.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const SECTOR_BYTES: usize = 512;

/// A file without its name. Copies of a disk share bytes until one of them writes.
#[derive(Default, Clone)]
pub(super) struct Node {
    /// Contents that programs see.
    pub content: Arc<Vec<u8>>,
    /// Durable contents.
    pub durable: Arc<Vec<u8>>,
    /// Sectors that a failed sync has dropped: clean in the cache, not on the disk.
    pub lost: BTreeSet<usize>,
    /// Length up to which space is reserved.
    pub reserved: usize,
}

impl Node {
    pub fn append(&mut self, bytes: &[u8]) {
        let first = self.content.len() / SECTOR_BYTES;
        Arc::make_mut(&mut self.content).extend_from_slice(bytes);
        // Rewritten sectors are dirty again.
        self.lost.retain(|sector| *sector < first);
    }

    pub fn reserve(&mut self, bytes: usize) {
        self.reserved = self.reserved.max(self.content.len() + bytes);
    }

    /// Bytes written or reserved.
    pub fn occupied(&self) -> usize {
        self.content.len().max(self.reserved)
    }

    pub fn has_room(&self, bytes: usize) -> bool {
        self.content.len() + bytes <= self.reserved
    }

    pub fn sync(&mut self) {
        let old = std::mem::replace(&mut self.durable, Arc::clone(&self.content));
        for &sector in &self.lost {
            let start = sector * SECTOR_BYTES;
            for index in start..(start + SECTOR_BYTES).min(self.durable.len()) {
                Arc::make_mut(&mut self.durable)[index] = old.get(index).copied().unwrap_or(0);
            }
        }
    }

    /// Whether the visible and the durable contents differ.
    pub fn is_loose(&self) -> bool {
        !Arc::ptr_eq(&self.content, &self.durable) && self.content != self.durable
    }

    /// Simulates a failed sync: the sectors that differ are dropped.
    pub fn lose(&mut self) {
        let sectors = self.content.len().div_ceil(SECTOR_BYTES);
        let differs = |sector: &usize| sector_of(&self.content, *sector) != sector_of(&self.durable, *sector);
        self.lost.extend((0..sectors).filter(differs));
    }
}

pub(super) fn sector_of(bytes: &[u8], sector: usize) -> &[u8] {
    let start = (sector * SECTOR_BYTES).min(bytes.len());
    &bytes[start..(start + SECTOR_BYTES).min(bytes.len())]
}

/// Files by name, and folders.
#[derive(Default, Clone)]
pub(super) struct Names {
    pub files: BTreeMap<PathBuf, usize>,
    pub directories: BTreeSet<PathBuf>,
}

/// A change of names. It is durable once the folder of [`Change::path`] is synced.
#[derive(Clone)]
pub(super) enum Change {
    Link(PathBuf, usize),
    Unlink(PathBuf),
    /// Within one folder.
    Rename(PathBuf, PathBuf, usize),
    MakeDirectory(PathBuf),
    RemoveDirectory(PathBuf),
}

impl Change {
    fn path(&self) -> &Path {
        match self {
            Change::Link(path, _)
            | Change::Unlink(path)
            | Change::Rename(path, _, _)
            | Change::MakeDirectory(path)
            | Change::RemoveDirectory(path) => path,
        }
    }
}

impl Names {
    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::Link(path, node) => drop(self.files.insert(path.clone(), *node)),
            Change::Unlink(path) => drop(self.files.remove(path)),
            Change::Rename(from, to, node) => {
                self.files.remove(from);
                self.files.insert(to.clone(), *node);
            }
            Change::MakeDirectory(path) => drop(self.directories.insert(path.clone())),
            Change::RemoveDirectory(path) => drop(self.directories.remove(path)),
        }
    }
}

#[derive(Default, Clone)]
pub(super) struct Disk {
    pub nodes: Vec<Node>,
    /// Names that programs see.
    pub present: Arc<Names>,
    /// Durable names.
    pub durable: Arc<Names>,
    /// The changes between the two, in order.
    pub pending: Vec<Change>,
}

fn missing(path: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("no file {}", path.display()))
}

impl Disk {
    pub fn node(&self, path: &Path) -> io::Result<usize> {
        self.present.files.get(path).copied().ok_or_else(|| missing(path))
    }

    /// Bytes written or reserved, of files that have a name.
    pub fn occupied(&self) -> usize {
        let nodes: BTreeSet<usize> = self.present.files.values().copied().collect();
        nodes.into_iter().map(|node| self.nodes[node].occupied()).sum()
    }

    pub fn change(&mut self, change: Change) {
        Arc::make_mut(&mut self.present).apply(&change);
        self.pending.push(change);
    }

    pub fn create(&mut self, path: &Path) -> io::Result<usize> {
        if let Some(&node) = self.present.files.get(path) {
            self.nodes[node].content = Arc::default();
            return Ok(node);
        }
        self.check_parent(path)?;
        self.nodes.push(Node::default());
        self.change(Change::Link(path.into(), self.nodes.len() - 1));
        Ok(self.nodes.len() - 1)
    }

    pub fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let node = self.node(from)?;
        self.check_parent(to)?;
        if from.parent() == to.parent() {
            self.change(Change::Rename(from.into(), to.into(), node));
        } else {
            self.change(Change::Link(to.into(), node));
            self.change(Change::Unlink(from.into()));
        }
        Ok(())
    }

    fn check_parent(&self, path: &Path) -> io::Result<()> {
        match path.parent() {
            Some(parent) if self.present.directories.contains(parent) => Ok(()),
            _ => Err(missing(path)),
        }
    }

    /// The root always exists.
    pub fn make_directories(&mut self, path: &Path) {
        let above: Vec<&Path> = path.ancestors().collect();
        for folder in above.into_iter().rev() {
            if self.present.directories.contains(folder) {
                continue;
            }
            self.change(Change::MakeDirectory(folder.into()));
            if folder.parent().is_none() {
                Arc::make_mut(&mut self.durable).directories.insert(folder.into());
            }
        }
    }

    pub fn remove_directory(&mut self, path: &Path) -> io::Result<()> {
        if !self.list(path).is_empty() {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        self.change(Change::RemoveDirectory(path.into()));
        Ok(())
    }

    pub fn sync_directory(&mut self, path: &Path) -> io::Result<()> {
        if !self.present.directories.contains(path) {
            return Err(missing(path));
        }
        let is_here = |change: &Change| change.path().parent() == Some(path);
        let (here, elsewhere) = std::mem::take(&mut self.pending).into_iter().partition(is_here);
        self.pending = elsewhere;
        let here: Vec<Change> = here;
        here.iter().for_each(|change| Arc::make_mut(&mut self.durable).apply(change));
        Ok(())
    }

    pub fn list(&self, path: &Path) -> Vec<PathBuf> {
        let all = self.present.files.keys().chain(&self.present.directories);
        let mut paths: Vec<PathBuf> = all.filter(|entry| entry.parent() == Some(path)).cloned().collect();
        paths.sort();
        paths
    }
}
