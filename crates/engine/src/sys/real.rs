//! The machine's file system.

use super::file::{FileLock, FileSystem, ReadableFile, WritableFile};
use super::platform;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files through the standard library. What differs between operating systems is in `unix.rs` and `windows.rs`.
#[derive(Debug, Default, Clone, Copy)]
pub struct RealFileSystem;

struct RealFile(File);

impl WritableFile for RealFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn reserve(&mut self, bytes: u64) -> io::Result<()> {
        let offset = self.0.stream_position()?;
        platform::reserve(&self.0, offset, bytes)
    }

    fn trim(&mut self) -> io::Result<()> {
        // Truncating a file to its own length frees the space allocated behind it.
        let length = self.0.metadata()?.len();
        self.0.set_len(length)
    }

    fn forget(&mut self, start: u64, end: u64) {
        platform::forget(&self.0, start, end);
    }

    fn syncer(&self) -> io::Result<Box<dyn WritableFile>> {
        Ok(Box::new(RealFile(self.0.try_clone()?)))
    }
}

impl ReadableFile for File {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        platform::read_exact_at(self, buffer, offset)
    }

    fn read_at_once(&self, offset: u64, buffer: &mut [u8]) -> io::Result<bool> {
        platform::read_at_once(self, buffer, offset)
    }

    fn will_need(&self, offset: u64, bytes: u64) {
        platform::will_need(self, offset, bytes);
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

impl FileSystem for RealFileSystem {
    fn create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        let file = platform::writing_options().create(true).truncate(true).open(path)?;
        Ok(Box::new(RealFile(file)))
    }

    fn open_to_append(&self, path: &Path, length: u64) -> io::Result<Box<dyn WritableFile>> {
        let mut file = platform::writing_options().open(path)?;
        // Setting a length, even the current one, frees the space that is reserved behind the end.
        if file.metadata()?.len() != length {
            file.set_len(length)?;
        }
        file.seek(SeekFrom::End(0))?;
        Ok(Box::new(RealFile(file)))
    }

    fn open(&self, path: &Path) -> io::Result<Arc<dyn ReadableFile>> {
        // A pipe has no length.
        let file = platform::options().read(true).open(path)?;
        if file.metadata()?.is_file() {
            Ok(Arc::new(file))
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        platform::sync_dir(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        Ok(paths)
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }

    fn is_dir(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn lock(&self, path: &Path, owner: &str) -> io::Result<Box<dyn FileLock>> {
        let (mut file, lock) = platform::lock(path)?;
        file.set_len(0)?;
        match file.write_all(owner.as_bytes()) {
            // On a full disk the owner's text cannot be written, but the lock is still effective.
            Err(error) if error.kind() == io::ErrorKind::StorageFull => {}
            outcome => outcome?,
        }
        Ok(lock)
    }
}

#[cfg(test)]
#[cfg(unix)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn symbolic_links_are_not_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("LOCK"));
        fs::write(&target, "valuable").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let refused = RealFileSystem.lock(&link, "me").err().unwrap();
        assert_eq!(refused.kind(), io::ErrorKind::InvalidInput);
        assert!(refused.to_string().contains("replace it with a regular file"));
        assert!(RealFileSystem.create(&link).is_err() && RealFileSystem.open_to_append(&link, 0).is_err());
        assert_eq!(fs::read_to_string(&target).unwrap(), "valuable");
        fs::remove_file(&link).unwrap();
        assert!(RealFileSystem.lock(&link, "me").is_ok());
        assert_eq!(fs::read_to_string(&link).unwrap(), "me");
    }
}
