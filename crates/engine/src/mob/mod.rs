//! MOB families: large values in files of their own, so that compactions do not copy them again and again. Sources: HBase's
//! `HMobStore`, `DefaultMobStoreFlusher`, `DefaultMobStoreCompactor`, `MobFileCleanerChore`.
//!
//! ```text
//! put --log, memstore: as every cell--> flush --value over MOB_THRESHOLD--> MOB file: the cell as it was written
//!                                             --> store file: the same key, in the value's place length and file name,
//!                                                 in front of its tags the two that say so
//! read --rules of `scan` over keys and tags--> included cell --reference?--> its value, from the MOB file
//! ```
//!
//! | file | duty |
//! |---|---|
//! | `reference` | the cell that stands for a value, as HBase writes it |
//! | `references` | to which files a store file's cells refer |
//! | `name` | names of MOB files, HBase's too |
//! | `file` | an open MOB file |
//! | `set` | the MOB files that a reader may meet |
//! | `writer` | cells to a store file and to MOB files |
//!
//! Who owns a MOB file? Every store file whose cells refer to it: the manifest's entry of a store file names its MOB files, and
//! a MOB file is alive as long as an entry names it ([`crate::manifest::FileEntry::paths`]). So there is no list of MOB files
//! that could differ from the references, and no cleaner that reads files to find out (HBase has both):
//!
//! * A flush or compaction is one edit, with or without MOB files. What a crash leaves is swept as other files are.
//! * Daughters of a split, snapshots, clones and restored tables copy entries, and with them the names. A file goes when the
//!   last entry goes: with a compaction, the table, the family, the snapshot.
//! * Compactions copy references and the names of those that they meet; a file that none of them met is no longer named.
//!
//! Rules:
//! * A key is at most once in a MOB file, so that a reference needs nothing but the key. The second of two writes with equal
//!   keys stays in the store file until one of the two goes.
//! * A MOB file that is missing or damaged costs the values in it and nothing else: the database opens, other reads succeed,
//!   and compactions carry the references along.
//! * Values come from MOB files when a cell is included, or shown to a filter that looks at values; never for cells that the
//!   rules pass over. Their blocks do not go to the cache.
//! * References in a family that is no MOB family any more are read all the same; its next compaction makes values of them.

mod file;
mod name;
mod reference;
mod references;
mod set;
mod writer;

pub use file::MobFile;
pub use name::mob_file_name;
pub use references::References;
pub use set::{MobReading, MobSet};
pub use writer::{MobPlace, MobRules, MobWriter};
