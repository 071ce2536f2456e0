//! MOB families: large values in separate files, so that compactions do not copy them again and again. Sources:
//! HBase's `HMobStore`, `DefaultMobStoreFlusher`, `DefaultMobStoreCompactor`, `MobFileCleanerChore`.
//!
//! ```text
//! put --log, memstore: as every cell--> flush --value over MOB_THRESHOLD--> MOB file: the cell as it was written
//!                                             --> store file: the same key; the value is length and file name;
//!                                                 two tags in front of its own mark it as a reference
//! read --rules of `scan` over keys and tags--> included cell --reference?--> its value, from the MOB file
//! ```
//!
//! | file | duty |
//! |---|---|
//! | `reference` | the cell that replaces a value, as HBase writes it |
//! | `references` | the files to which a store file's cells refer |
//! | `name` | names of MOB files, as in HBase |
//! | `file` | an open MOB file |
//! | `set` | the MOB files that a reader may need |
//! | `writer` | writes cells to a store file and to MOB files |
//!
//! A MOB file is owned by every store file whose cells refer to it. The manifest's entry of a store file names its
//! MOB files, and a MOB file is alive as long as an entry names it ([`crate::manifest::FileEntry::paths`]). So
//! there is no list of MOB files that could differ from the references, and no cleaner that reads files to find out
//! (HBase has both):
//!
//! * A flush or compaction is one edit, with or without MOB files. A crash leaves garbage that is swept like other
//!   files.
//! * Daughters of a split, snapshots, clones and restored tables copy entries, including the names. A file is
//!   removed with its last entry: by a compaction, or with the table, the family or the snapshot.
//! * Compactions copy references and the names of those that they encounter. A file without references among them
//!   is no longer named.
//!
//! Rules:
//! * A key is at most once in a MOB file, so that a reference needs nothing but the key. The second of two writes
//!   with equal keys stays in the store file until one of the two is dropped.
//! * A missing or damaged MOB file only loses its own values: the database opens, other reads succeed, and
//!   compactions retain the references.
//! * Values are read from MOB files when a cell is included, or shown to a filter that checks values, but never for
//!   cells that the rules skip. Their blocks are not cached.
//! * References in a family that is no longer a MOB family are still read; its next compaction replaces them by
//!   values.

mod file;
mod name;
mod reference;
mod references;
mod set;
mod writer;

pub use file::MobFile;
pub use name::mob_file_name;
pub use references::{refuse_references, References};
pub use set::{MobReading, MobSet};
pub use writer::{MobPlace, MobRules, MobWriter};
