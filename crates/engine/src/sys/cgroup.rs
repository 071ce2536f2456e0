//! Memory limits of Linux control groups, version 1 and 2.
//!
//! A process is in one group of each hierarchy, and the limits of all groups above it hold too.
//!
//! | file | contents |
//! |---|---|
//! | `/proc/self/cgroup` | the group: `0::/path` (version 2), `4:memory:/path` (version 1) |
//! | `/proc/self/mountinfo` | where the hierarchy is mounted, and which of its groups is the root of that mount |
//! | `memory.max`, `memory.high` | limits of a group, version 2: bytes, or `max` for none |
//! | `memory.limit_in_bytes` | limit of a group, version 1: bytes, a huge number for none |
//!
//! In a container the mount may begin at the container's own group. Groups above it are then out of sight, and their
//! limits unknown.

use std::path::Path;

/// Limits of this size and above mean "none": version 1 writes the largest multiple of the page size.
const NO_LIMIT: u64 = 1 << 60;

/// Version of a hierarchy of groups.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// The smallest memory limit of the process's groups; `None` if they have none or there are no groups. `read` returns
/// the text of a file.
pub(super) fn memory_limit(read: &dyn Fn(&Path) -> Option<String>) -> Option<u64> {
    let groups = read(Path::new("/proc/self/cgroup"))?;
    let mounts = read(Path::new("/proc/self/mountinfo"))?;
    let mounts: Vec<Mount<'_>> = mounts.lines().filter_map(Mount::parse).collect();
    let limits = mounts.iter().filter_map(|mount| {
        let group = Path::new(group_of(&groups, mount.version)?);
        let has_group = |mount: &Mount<'_>| group.starts_with(mount.root);
        let below = match group.strip_prefix(mount.root) {
            Ok(below) => below,
            // A group outside all mounts is seen as their root: a container whose groups have their own namespace.
            Err(_) if !mounts.iter().any(|other| other.version == mount.version && has_group(other)) => Path::new(""),
            Err(_) => return None,
        };
        let folders = below.ancestors().map(|below| mount.place.join(below));
        folders.filter_map(|folder| limit_in(&folder, mount.version, read)).min()
    });
    limits.min()
}

/// A mounted hierarchy that may limit memory.
struct Mount<'t> {
    version: Version,
    /// The group at the root of the mount.
    root: &'t Path,
    /// Path of the mount.
    place: &'t Path,
}

impl<'t> Mount<'t> {
    /// Parses a line of `mountinfo`: `35 31 0:32 /root /place options - type source options`.
    fn parse(line: &'t str) -> Option<Self> {
        let (before, after) = line.split_once(" - ")?;
        let mut before = before.split(' ').skip(3);
        let (root, place) = (Path::new(before.next()?), Path::new(before.next()?));
        let mut after = after.split(' ');
        let version = match after.next()? {
            "cgroup2" => Version::Two,
            "cgroup" if after.nth(1)?.split(',').any(|option| option == "memory") => Version::One,
            _ => return None,
        };
        Some(Mount { version, root, place })
    }
}

/// The path of the process's group.
fn group_of(groups: &str, version: Version) -> Option<&str> {
    groups.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (number, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let is_wanted = match version {
            Version::One => controllers.split(',').any(|name| name == "memory"),
            Version::Two => number == "0" && controllers.is_empty(),
        };
        is_wanted.then_some(path)
    })
}

/// The smallest limit of a group; `None` for none.
fn limit_in(folder: &Path, version: Version, read: &dyn Fn(&Path) -> Option<String>) -> Option<u64> {
    let names: &[&str] = match version {
        Version::One => &["memory.limit_in_bytes"],
        Version::Two => &["memory.max", "memory.high"],
    };
    let number = |name: &&str| read(&folder.join(name))?.trim().parse::<u64>().ok();
    names.iter().filter_map(number).filter(|bytes| (1..NO_LIMIT).contains(bytes)).min()
}
