//! A file system in memory: for `:memory:` databases and tests.

use super::file::{FileLock, FileSystem, ReadableFile, WritableFile};
use super::lock::{Mutex, RwLock};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

type Content = Arc<RwLock<Vec<u8>>>;

#[derive(Default)]
struct Tree {
    files: BTreeMap<PathBuf, Content>,
    directories: BTreeSet<PathBuf>,
    locks: BTreeMap<PathBuf, String>,
}

/// Files that live as long as the last clone of this value. Clones share them.
#[derive(Clone, Default)]
pub struct MemoryFileSystem {
    tree: Arc<Mutex<Tree>>,
}

struct MemoryFile(Content);

impl WritableFile for MemoryFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write().extend_from_slice(bytes);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn reserve(&mut self, _bytes: u64) -> io::Result<()> {
        Ok(())
    }

    fn syncer(&self) -> io::Result<Box<dyn WritableFile>> {
        Ok(Box::new(MemoryFile(Arc::clone(&self.0))))
    }
}

impl ReadableFile for MemoryFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let content = self.0.read();
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        match content.get(start..start.saturating_add(buffer.len())) {
            Some(bytes) => {
                buffer.copy_from_slice(bytes);
                Ok(())
            }
            None => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file ends before")),
        }
    }

    fn read_at_once(&self, offset: u64, buffer: &mut [u8]) -> io::Result<bool> {
        self.read_at(offset, buffer).map(|()| true)
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.0.read().len() as u64)
    }
}

struct MemoryLock {
    tree: Arc<Mutex<Tree>>,
    path: PathBuf,
}

impl FileLock for MemoryLock {}

impl Drop for MemoryLock {
    fn drop(&mut self) {
        self.tree.lock().locks.remove(&self.path);
    }
}

fn missing(path: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("no file {}", path.display()))
}

impl MemoryFileSystem {
    /// Creates an empty file system.
    pub fn new() -> Self {
        Self::default()
    }

    fn content(&self, path: &Path) -> io::Result<Content> {
        self.tree.lock().files.get(path).cloned().ok_or_else(|| missing(path))
    }
}

impl FileSystem for MemoryFileSystem {
    fn create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        let content = Content::default();
        self.tree.lock().files.insert(path.to_path_buf(), Arc::clone(&content));
        Ok(Box::new(MemoryFile(content)))
    }

    fn open_to_append(&self, path: &Path, length: u64) -> io::Result<Box<dyn WritableFile>> {
        let content = self.content(path)?;
        content.write().resize(length as usize, 0);
        Ok(Box::new(MemoryFile(content)))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn ReadableFile>> {
        Ok(Arc::new(MemoryFile(self.content(path)?)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut tree = self.tree.lock();
        let content = tree.files.remove(from).ok_or_else(|| missing(from))?;
        tree.files.insert(to.to_path_buf(), content);
        Ok(())
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.tree.lock().files.remove(path).map(|_| ()).ok_or_else(|| missing(path))
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.tree.lock().directories.remove(path);
        Ok(())
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        let mut tree = self.tree.lock();
        for ancestor in path.ancestors() {
            tree.directories.insert(ancestor.to_path_buf());
        }
        Ok(())
    }

    fn sync_dir(&self, _path: &Path) -> io::Result<()> {
        Ok(())
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let tree = self.tree.lock();
        let all = tree.files.keys().chain(tree.directories.iter());
        let mut paths: Vec<PathBuf> = all.filter(|entry| entry.parent() == Some(path)).cloned().collect();
        paths.sort();
        Ok(paths)
    }

    fn exists(&self, path: &Path) -> bool {
        let tree = self.tree.lock();
        tree.files.contains_key(path) || tree.directories.contains(path)
    }

    fn is_dir(&self, path: &Path) -> bool {
        self.tree.lock().directories.contains(path)
    }

    fn lock(&self, path: &Path, owner: &str) -> io::Result<Box<dyn FileLock>> {
        let mut tree = self.tree.lock();
        if let Some(holder) = tree.locks.get(path) {
            return Err(io::Error::new(io::ErrorKind::WouldBlock, holder.clone()));
        }
        tree.locks.insert(path.to_path_buf(), owner.to_string());
        Ok(Box::new(MemoryLock { tree: Arc::clone(&self.tree), path: path.to_path_buf() }))
    }
}
