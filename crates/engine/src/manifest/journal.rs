//! The open manifest: the state in memory, and commits.

use super::edit::Edit;
use super::file::{self, Contents};
use super::state::State;
use crate::frame;
use crate::sys::lock::{Mutex, RwLock};
use crate::sys::{sync_ancestors, FileLock, FileSystem, System, WritableFile};
use rowstone_model::{Error, ErrorKind, Result};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The lock file of a database. It may exist before the manifest does.
pub const LOCK_NAME: &str = "LOCK";
const TEMPORARY_NAME: &str = "MANIFEST.tmp";
/// Marker of an unfinished copy, which becomes the manifest.
pub const UNFINISHED_NAME: &str = "MANIFEST.unfinished";
/// The users of a server (`rowstone user`). The file may exist before the database does.
const USERS_NAME: &str = "users.toml";
/// Names that only exist in a database, and only after its manifest was written.
const OWN_NAMES: [&str; 1] = ["WALs"];
/// The file is rewritten when its edits exceed this size plus twice the size of the state.
const GROWTH_BYTES: u64 = 64 << 10;
/// Space reserved behind the file's end, so that commits on a full disk have room: those that drop tables, for example.
const ROOM_BYTES: u64 = 64 << 10;

/// Contents of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// There is no such directory.
    Missing,
    /// Nothing, or the remains of a crash while a database was being created.
    Vacant,
    /// A manifest, readable or not.
    Database,
    /// No manifest, but the marker of an unfinished copy.
    Unfinished,
    /// No manifest, but other contents: this name, for example.
    Foreign(String),
    /// No manifest, but something that only a database has: this name.
    Headless(String),
}

/// Inspects `directory`. Callers must do this before they create a lock file in it.
pub fn inspect(files: &dyn FileSystem, directory: &Path) -> Result<Standing> {
    if files.exists(&file::path(directory)) {
        return Ok(Standing::Database);
    }
    if !files.exists(directory) {
        return Ok(Standing::Missing);
    }
    let entries = files.list(directory).map_err(|error| Error::io("list", directory.display(), &error))?;
    let name = |path: &PathBuf| path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let names: Vec<String> = entries.iter().map(name).collect();
    if names.iter().any(|name| name == UNFINISHED_NAME) {
        return Ok(Standing::Unfinished);
    }
    if let Some(own) = names.iter().find(|name| OWN_NAMES.contains(&name.as_str())) {
        return Ok(Standing::Headless(own.clone()));
    }
    let foreign = names.into_iter().find(|name| ![LOCK_NAME, TEMPORARY_NAME, USERS_NAME].contains(&name.as_str()));
    Ok(foreign.map_or(Standing::Vacant, Standing::Foreign))
}

impl Standing {
    /// The error that says why it cannot be opened.
    pub fn refusal(&self, directory: &Path) -> Error {
        let directory = directory.display();
        let message = match self {
            Standing::Missing => format!("there is no directory {directory}"),
            Standing::Unfinished => format!(
                "{directory} is not a database, but an unfinished copy of one: repeat the backup, restore or repair, \
                 or remove the directory"
            ),
            Standing::Headless(entry) => {
                let message = format!(
                    "{directory} has no MANIFEST, but '{entry}', which belongs to a database; nothing was changed"
                );
                return Error::new(ErrorKind::Corruption, message);
            }
            Standing::Foreign(entry) => {
                format!("{directory} is not a database: it has no MANIFEST, but it has '{entry}'; nothing was changed")
            }
            _ => format!("{directory} is not a database: it has no MANIFEST"),
        };
        Error::new(ErrorKind::NotADatabase, message)
    }
}

/// The manifest of a database opened for writing.
pub struct Manifest {
    system: System,
    directory: PathBuf,
    journal: Mutex<Journal>,
    state: RwLock<Arc<State>>,
    /// The lock of the directory, until it is released.
    lock: Mutex<Option<Box<dyn FileLock>>>,
}

/// The file, while it can be appended to.
struct Journal {
    file: Option<Box<dyn WritableFile>>,
    is_closed: bool,
    seed: u32,
    length: u64,
    whole_bytes: u64,
    /// The offset up to which space is reserved.
    room_end: u64,
}

impl Journal {
    /// Reserves space for later commits if half of it is used up. Without it they may meet a full disk.
    fn reserve_room(&mut self) {
        if self.room_end >= self.length + ROOM_BYTES / 2 {
            return;
        }
        if let Some(file) = &mut self.file {
            if file.reserve(ROOM_BYTES).is_ok() {
                self.room_end = self.length + ROOM_BYTES;
            }
        }
    }
}

impl Manifest {
    /// Opens the manifest in `directory`. With `creates`, creates a new database in a missing or empty one.
    ///
    /// # Errors
    /// `NotADatabase`; `Unsupported` for another version; `Corruption`, and then nothing was changed; `Io`,
    /// `DiskFull`.
    pub fn open(system: &System, directory: &Path, creates: bool) -> Result<Manifest> {
        match inspect(&*system.files, directory)? {
            Standing::Database => Self::open_existing(system, directory),
            Standing::Missing | Standing::Vacant if creates => Self::create(system, directory),
            other => Err(other.refusal(directory)),
        }
    }

    fn create(system: &System, directory: &Path) -> Result<Manifest> {
        // A killed process may have created any of the folders above, and left their names unsynced.
        let make = || {
            system.files.create_dir_all(directory)?;
            sync_ancestors(&*system.files, directory)
        };
        make().map_err(|error| Error::io("make folder", directory.display(), &error))?;
        let state = State::new(random_uuid(system));
        let journal = rewrite(system, directory, &state)?;
        Ok(Self::new(system, directory, journal, state))
    }

    fn open_existing(system: &System, directory: &Path) -> Result<Manifest> {
        let path = file::path(directory);
        let contents = file::read_contents(&*system.files, &path)?;
        // Frames without a mark that they were synced may only be in the cache, and a second sync may not save
        // them. Nothing is written yet: the caller may find that the manifest is an older copy.
        let file = if contents.is_torn || !contents.is_proven {
            None
        } else {
            Some(open_to_append(system, &path, &contents)?)
        };
        let Contents { state, seed, whole_bytes, valid_bytes, .. } = contents;
        let journal = Journal { file, is_closed: false, seed, length: valid_bytes, whole_bytes, room_end: 0 };
        Ok(Self::new(system, directory, journal, state))
    }

    fn new(system: &System, directory: &Path, journal: Journal, state: State) -> Manifest {
        let (journal, state) = (Mutex::new(journal), RwLock::new(Arc::new(state)));
        Manifest { system: system.clone(), directory: directory.to_path_buf(), journal, state, lock: Mutex::default() }
    }

    /// Keeps the lock of the directory until [`Manifest::unlock`].
    pub fn keep_lock(&self, lock: Box<dyn FileLock>) {
        *self.lock.lock() = Some(lock);
    }

    /// Releases the lock of the directory.
    pub fn unlock(&self) {
        self.lock.lock().take();
    }

    /// Refuses changes of a directory that this process no longer owns: it was moved or deleted, or its lock file was.
    /// Open files would still accept writes, but new files would be created elsewhere, or in another owner's database.
    ///
    /// # Errors
    /// `Io`.
    pub fn check_place(&self) -> Result<()> {
        if self.lock.lock().as_ref().is_none_or(|lock| lock.is_in_place()) {
            return Ok(());
        }
        let message = format!(
            "{} is no longer the file that this process locked: the database was moved, deleted or replaced while it was \
             open; close it, then open it where it is now",
            self.directory.join(LOCK_NAME).display()
        );
        Err(Error::new(ErrorKind::Io, message))
    }

    /// The current state. It is immutable: a later commit creates another.
    pub fn state(&self) -> Arc<State> {
        Arc::clone(&self.state.read())
    }

    /// Commits all of `edits`, or none. When it returns they are on the disk. Returns the new state.
    ///
    /// # Errors
    /// `Internal` for an edit that does not fit the state: nothing was changed. `Io`, `DiskFull`: nothing was
    /// changed in this process, but until a later commit succeeds, a reopened database may have the edits or not.
    /// So retain both the files they add and those they drop. `Io` from [`Manifest::check_place`].
    pub fn commit(&self, edits: &[Edit]) -> Result<Arc<State>> {
        let mut journal = self.journal.lock();
        if journal.is_closed {
            return Err(Error::new(ErrorKind::DatabaseClosed, "the database was closed meanwhile"));
        }
        self.check_place()?;
        let next = self.state().after(edits)?;
        // Taken out, and put back only after success.
        let file = journal.file.take();
        let prepared = if file.is_none() || has_grown(journal.length, journal.whole_bytes) {
            Some(prepare(&self.system, &self.directory, self.directory.join(TEMPORARY_NAME), &next))
        } else {
            None
        };
        match (prepared, file) {
            (Some(Ok(prepared)), _) => *journal = prepared.publish(&self.system, &self.directory)?,
            (None, Some(file)) => self.append(&mut journal, file, edits, next.commits)?,
            // A full disk may have room for the edits, if not for the whole state.
            (Some(Err(error)), Some(file)) if error.kind() == ErrorKind::DiskFull => {
                self.append(&mut journal, file, edits, next.commits)?;
            }
            (Some(Err(error)), _) => return Err(error),
            (None, None) => return Err(Error::internal("the manifest has no file".to_string())),
        }
        let next = Arc::new(next);
        *self.state.write() = Arc::clone(&next);
        Ok(next)
    }

    /// Makes the commits that were read at open durable, before anything is removed because of them.
    ///
    /// # Errors
    /// `Io`, `DiskFull`. The manifest is then as it was.
    pub fn make_durable(&self) -> Result<()> {
        let mut journal = self.journal.lock();
        if journal.file.is_none() && !journal.is_closed {
            *journal = rewrite(&self.system, &self.directory, &self.state())?;
        }
        journal.reserve_room();
        Ok(())
    }

    /// Closes the manifest: no later commit can succeed. The directory may then get another writer.
    pub fn close(&self) {
        let mut journal = self.journal.lock();
        journal.is_closed = true;
        journal.file = None;
    }

    fn append(
        &self,
        journal: &mut Journal,
        mut file: Box<dyn WritableFile>,
        edits: &[Edit],
        commits: u64,
    ) -> Result<()> {
        let bytes = file::encode_edits(edits, journal.seed, journal.length)?;
        let path = file::path(&self.directory);
        let failed = |error: io::Error| Error::io("write manifest", path.display(), &error);
        if let Err(error) = file.append(&bytes).map_err(failed) {
            self.cut_back(journal, &error);
            return Err(error);
        }
        file.sync().map_err(failed)?;
        journal.length += bytes.len() as u64;
        // The commit is durable. If its mark cannot be written, the next commit creates a new file.
        let mark = frame::mark(journal.seed, journal.length, journal.length, commits);
        match file.append(&mark).map_err(failed) {
            Ok(()) => {
                journal.length += mark.len() as u64;
                journal.file = Some(file);
                journal.reserve_room();
            }
            Err(error) => self.cut_back(journal, &error),
        }
        Ok(())
    }

    /// On a full disk, cuts the file back to its valid end. It then stays usable without a second copy.
    fn cut_back(&self, journal: &mut Journal, error: &Error) {
        if error.kind() == ErrorKind::DiskFull {
            let path = file::path(&self.directory);
            journal.file = self.system.files.open_to_append(&path, journal.length).ok();
            // That may have freed what was reserved.
            journal.room_end = 0;
            journal.reserve_room();
        }
    }
}

/// Writes the manifest of a copy into the folder `directory`, which contains the files that `state` names and the
/// marker of an unfinished copy. The marker becomes the manifest.
pub fn write_copy(system: &System, directory: &Path, state: &State) -> Result<()> {
    let marker = directory.join(UNFINISHED_NAME);
    prepare(system, directory, marker, state)?.publish(system, directory).map(|_| ())
}

fn has_grown(length: u64, whole_bytes: u64) -> bool {
    length > 3 * whole_bytes + GROWTH_BYTES
}

fn random_uuid(system: &System) -> String {
    let bits = u128::from(system.entropy.next_u64()) << 64 | u128::from(system.entropy.next_u64());
    // Version 4, variant 1.
    let bits = bits & !(0xf << 76 | 0xc << 60) | 0x4 << 76 | 0x8 << 60;
    let hex = format!("{bits:032x}");
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// A manifest written next to the current one.
struct Prepared {
    temporary: PathBuf,
    file: Box<dyn WritableFile>,
    seed: u32,
    length: u64,
}

/// Writes a manifest of `state` to the file `temporary` next to the current one. On failure nothing is left of it.
fn prepare(system: &System, directory: &Path, temporary: PathBuf, state: &State) -> Result<Prepared> {
    let (bytes, seed) = file::encode_whole(system, state)?;
    let make = || -> io::Result<Box<dyn WritableFile>> {
        let mut file = system.files.create(&temporary)?;
        file.append(&bytes)?;
        file.sync()?;
        Ok(file)
    };
    let file = make().map_err(|error| {
        let _ = system.files.remove_file(&temporary);
        Error::io("write manifest", file::path(directory).display(), &error)
    })?;
    Ok(Prepared { temporary, file, seed, length: bytes.len() as u64 })
}

impl Prepared {
    /// Replaces the current manifest. After a failure, a crash may leave either of the two.
    fn publish(self, system: &System, directory: &Path) -> Result<Journal> {
        let path = file::path(directory);
        let replaced = system.files.rename(&self.temporary, &path);
        let replaced = replaced.and_then(|()| system.files.sync_dir(directory));
        replaced.map_err(|error| Error::io("write manifest", path.display(), &error))?;
        let Prepared { file, seed, length, .. } = self;
        let mut journal =
            Journal { file: Some(file), is_closed: false, seed, length, whole_bytes: length, room_end: 0 };
        journal.reserve_room();
        Ok(journal)
    }
}

/// Writes a manifest of `state` next to the current one and replaces it.
fn rewrite(system: &System, directory: &Path, state: &State) -> Result<Journal> {
    prepare(system, directory, directory.join(TEMPORARY_NAME), state)?.publish(system, directory)
}

/// Opens the file for appending at its valid end.
fn open_to_append(system: &System, path: &Path, contents: &Contents) -> Result<Box<dyn WritableFile>> {
    let file = system.files.open_to_append(path, contents.valid_bytes);
    file.map_err(|error| Error::io("open manifest", path.display(), &error))
}
