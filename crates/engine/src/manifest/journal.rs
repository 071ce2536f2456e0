//! The open manifest: the state in memory, and commits.

use super::edit::Edit;
use super::file::{self, Contents};
use super::state::State;
use crate::frame;
use crate::sys::lock::{Mutex, RwLock};
use crate::sys::{sync_ancestors, FileSystem, System, WritableFile};
use rowstone_model::{Error, ErrorKind, Result};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The lock file of a database; it may be in a directory before the manifest is.
pub const LOCK_NAME: &str = "LOCK";
const TEMPORARY_NAME: &str = "MANIFEST.tmp";
/// The users of a server (`rowstone user`), who may be there before the database is.
const USERS_NAME: &str = "users.toml";
/// What only a database has, and has after its manifest.
const OWN_NAMES: [&str; 1] = ["WALs"];
/// Edits may take this much, and twice what the state took, before the file is made anew.
const GROWTH_BYTES: u64 = 64 << 10;

/// What is in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// There is no such directory.
    Missing,
    /// Nothing, or what a crash left of a database being made.
    Vacant,
    /// A manifest, readable or not.
    Database,
    /// No manifest, but something else: this, for example.
    Foreign(String),
    /// No manifest, but something that only a database has: this.
    Headless(String),
}

/// What is in `directory`. Who wants to put a lock there asks first.
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
    if let Some(own) = names.iter().find(|name| OWN_NAMES.contains(&name.as_str())) {
        return Ok(Standing::Headless(own.clone()));
    }
    let foreign = names.into_iter().find(|name| ![LOCK_NAME, TEMPORARY_NAME, USERS_NAME].contains(&name.as_str()));
    Ok(foreign.map_or(Standing::Vacant, Standing::Foreign))
}

impl Standing {
    /// Why it cannot be opened.
    pub fn refusal(&self, directory: &Path) -> Error {
        let directory = directory.display();
        let message = match self {
            Standing::Missing => format!("there is no directory {directory}"),
            Standing::Headless(entry) => {
                let message = format!("{directory} has no MANIFEST, but '{entry}' of a database; it stays as it is");
                return Error::new(ErrorKind::Corruption, message);
            }
            Standing::Foreign(entry) => {
                format!("{directory} is not a database: it has no MANIFEST, but it has '{entry}'; it stays as it is")
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
}

/// The file, while it can be appended to.
struct Journal {
    file: Option<Box<dyn WritableFile>>,
    is_closed: bool,
    seed: u32,
    length: u64,
    whole_bytes: u64,
}

impl Manifest {
    /// Opens the manifest in `directory`; with `creates`, makes a new database in one that is missing or empty.
    ///
    /// # Errors
    /// `NotADatabase`; `Unsupported` for another version; `Corruption`, and then nothing was changed; `Io`, `DiskFull`.
    pub fn open(system: &System, directory: &Path, creates: bool) -> Result<Manifest> {
        match inspect(&*system.files, directory)? {
            Standing::Database => Self::open_existing(system, directory),
            Standing::Missing | Standing::Vacant if creates => Self::create(system, directory),
            other => Err(other.refusal(directory)),
        }
    }

    fn create(system: &System, directory: &Path) -> Result<Manifest> {
        // A process that was killed may have made any of the folders above, and left their names unsynced.
        let make = || {
            system.files.create_dir_all(directory)?;
            sync_ancestors(&*system.files, directory)
        };
        make().map_err(|error| Error::io("make folder", directory.display(), &error))?;
        let state = State::new(random_uuid(system));
        let journal = write_anew(system, directory, &state)?;
        Ok(Self::new(system, directory, journal, state))
    }

    fn open_existing(system: &System, directory: &Path) -> Result<Manifest> {
        let path = file::path(directory);
        let contents = file::read_contents(&*system.files, &path)?;
        let has_grown = has_grown(contents.valid_bytes, contents.whole_bytes);
        // Frames that no mark says were synced may be in the cache only, and a second sync need not save them. Nothing is
        // written yet: the caller may find that the manifest is an older copy.
        let file = match contents.is_torn || !contents.is_proven || has_grown {
            true => None,
            false => Some(open_to_append(system, &path, &contents)?),
        };
        let Contents { state, seed, whole_bytes, valid_bytes, .. } = contents;
        let journal = Journal { file, is_closed: false, seed, length: valid_bytes, whole_bytes };
        Ok(Self::new(system, directory, journal, state))
    }

    fn new(system: &System, directory: &Path, journal: Journal, state: State) -> Manifest {
        let (journal, state) = (Mutex::new(journal), RwLock::new(Arc::new(state)));
        Manifest { system: system.clone(), directory: directory.to_path_buf(), journal, state }
    }

    /// What is alive. It does not change under the caller: a later commit makes another.
    pub fn state(&self) -> Arc<State> {
        Arc::clone(&self.state.read())
    }

    /// Makes all of `edits` happen, or none. When it returns they are on the disk; gives the new state.
    ///
    /// # Errors
    /// `Internal` where an edit does not fit: nothing happened. `Io`, `DiskFull`: nothing happened in this process, but until
    /// a later commit succeeds, a reopened database may have the edits or not. So keep the files they add and those they drop.
    pub fn commit(&self, edits: &[Edit]) -> Result<Arc<State>> {
        let mut journal = self.journal.lock();
        if journal.is_closed {
            return Err(Error::new(ErrorKind::DatabaseClosed, "the database was closed meanwhile"));
        }
        let next = self.state().after(edits)?;
        // Taken out, and put back only when all went well.
        match journal.file.take() {
            Some(file) if !has_grown(journal.length, journal.whole_bytes) => {
                self.append(&mut journal, file, edits, next.commits)?;
            }
            _ => *journal = write_anew(&self.system, &self.directory, &next)?,
        }
        let next = Arc::new(next);
        *self.state.write() = Arc::clone(&next);
        Ok(next)
    }

    /// Makes what was read at open safe, before anything is removed because of it.
    ///
    /// # Errors
    /// `Io`, `DiskFull`. The manifest is then as it was.
    pub fn settle(&self) -> Result<()> {
        let mut journal = self.journal.lock();
        if journal.file.is_none() && !journal.is_closed {
            *journal = write_anew(&self.system, &self.directory, &self.state())?;
        }
        Ok(())
    }

    /// Ends it: what was not committed by now never will be. The directory may have another writer afterwards.
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
        let written = file.append(&bytes).and_then(|()| file.sync());
        let path = file::path(&self.directory);
        written.map_err(|error| Error::io("write manifest", path.display(), &error))?;
        journal.length += bytes.len() as u64;
        // The commit is safe. Where its mark cannot be written, the next commit makes a new file.
        let mark = frame::mark(journal.seed, journal.length, journal.length, commits);
        if file.append(&mark).is_ok() {
            journal.length += mark.len() as u64;
            journal.file = Some(file);
        }
        Ok(())
    }
}

/// Makes the manifest of a new database in the folder `directory`, which holds what `state` names.
pub fn write_copy(system: &System, directory: &Path, state: &State) -> Result<()> {
    write_anew(system, directory, state).map(|_| ())
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

/// Makes a manifest of `state` beside the present one and puts it in its place.
fn write_anew(system: &System, directory: &Path, state: &State) -> Result<Journal> {
    let (bytes, seed) = file::encode_whole(system, state)?;
    let (temporary, path) = (directory.join(TEMPORARY_NAME), file::path(directory));
    let make = || -> io::Result<Box<dyn WritableFile>> {
        let mut file = system.files.create(&temporary)?;
        file.append(&bytes)?;
        file.sync()?;
        system.files.rename(&temporary, &path)?;
        system.files.sync_dir(directory)?;
        Ok(file)
    };
    let file = make().map_err(|error| Error::io("write manifest", path.display(), &error))?;
    let length = bytes.len() as u64;
    Ok(Journal { file: Some(file), is_closed: false, seed, length, whole_bytes: length })
}

/// The file, to be continued where it ends.
fn open_to_append(system: &System, path: &Path, contents: &Contents) -> Result<Box<dyn WritableFile>> {
    let file = system.files.open_to_append(path, contents.valid_bytes);
    file.map_err(|error| Error::io("open manifest", path.display(), &error))
}
