//! Memory limits found in texts of `/proc` and of control groups.

use super::*;
use std::collections::BTreeMap;

const GIB: u64 = 1 << 30;
const MEMINFO: (&str, &str) = ("/proc/meminfo", "MemTotal:       16777216 kB\nMemFree:        1000 kB\n");
const V2: &str = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";
const V1: &str = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n\
                  32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
                  35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n";

fn limit(files: &[(&str, &str)], address_space: Option<u64>, data: Option<u64>) -> Option<(u64, &'static str)> {
    let files: BTreeMap<&Path, &str> = files.iter().map(|(path, text)| (Path::new(*path), *text)).collect();
    let read = |path: &Path| files.get(path).map(|text| (*text).to_string());
    let resources = [(MemorySource::AddressSpace, address_space), (MemorySource::DataSegment, data)];
    smallest(&read, resources).map(|limit| (limit.bytes, limit.source.name()))
}

fn in_groups(group: &str, mounts: &str, files: &[(&str, &str)]) -> Option<(u64, &'static str)> {
    let own = [MEMINFO, ("/proc/self/cgroup", group), ("/proc/self/mountinfo", mounts)];
    limit(&[&own, files].concat(), None, None)
}

#[test]
fn without_groups_and_limits_it_is_the_memory_of_the_machine() {
    assert_eq!(limit(&[MEMINFO], None, None), Some((16 * GIB, "machine")));
    assert_eq!(in_groups("0::/\n", V2, &[]), Some((16 * GIB, "machine")));
    assert_eq!(limit(&[], None, None), None, "nothing is known");
    assert_eq!(limit(&[("/proc/meminfo", "MemTotal: many kB\n")], None, None), None, "and damaged text is no limit");
}

#[test]
fn the_smallest_resource_limit_applies() {
    assert_eq!(limit(&[MEMINFO], Some(GIB), None), Some((GIB, "RLIMIT_AS")));
    assert_eq!(limit(&[MEMINFO], Some(GIB), Some(GIB / 2)), Some((GIB / 2, "RLIMIT_DATA")));
    assert_eq!(limit(&[MEMINFO], Some(32 * GIB), None), Some((16 * GIB, "machine")), "larger than the machine");
    assert_eq!(limit(&[], None, Some(GIB)), Some((GIB, "RLIMIT_DATA")), "a system without /proc");
}

#[test]
fn a_group_of_version_2_and_all_above_it_apply() {
    let group = "0::/system.slice/rowstone.service\n";
    let own = ("/sys/fs/cgroup/system.slice/rowstone.service/memory.max", "2147483648\n");
    assert_eq!(in_groups(group, V2, &[own]), Some((2 * GIB, "cgroup")));
    let above = ("/sys/fs/cgroup/system.slice/memory.max", "1073741824\n");
    assert_eq!(in_groups(group, V2, &[own, above]), Some((GIB, "cgroup")));
    let high = ("/sys/fs/cgroup/system.slice/rowstone.service/memory.high", "536870912\n");
    assert_eq!(in_groups(group, V2, &[own, above, high]), Some((GIB / 2, "cgroup")), "beyond it the kernel throttles");
    let none = ("/sys/fs/cgroup/system.slice/rowstone.service/memory.max", "max\n");
    assert_eq!(in_groups(group, V2, &[none]), Some((16 * GIB, "machine")));
    let other = ("/sys/fs/cgroup/user.slice/memory.max", "1048576\n");
    assert_eq!(in_groups(group, V2, &[own, other]), Some((2 * GIB, "cgroup")), "another branch does not count");
}

#[test]
fn a_group_of_version_1_and_all_above_it_apply() {
    let group = "9:name=systemd:/job\n4:cpu,memory:/batch/job\n0::/\n";
    let own = ("/sys/fs/cgroup/memory/batch/job/memory.limit_in_bytes", "2147483648\n");
    let none = ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assert_eq!(in_groups(group, V1, &[own, none]), Some((2 * GIB, "cgroup")));
    assert_eq!(in_groups(group, V1, &[none]), Some((16 * GIB, "machine")), "a huge number means none");
    let above = ("/sys/fs/cgroup/memory/batch/memory.limit_in_bytes", "134217728\n");
    assert_eq!(in_groups(group, V1, &[own, none, above]), Some((GIB / 8, "cgroup")));
}

#[test]
fn in_a_container_the_mount_begins_at_its_own_group() {
    let limit = ("/sys/fs/cgroup/memory.max", "67108864\n");
    assert_eq!(in_groups("0::/\n", V2, &[limit]), Some((GIB / 16, "cgroup")), "with a namespace of its own");
    let mounts = "35 31 0:32 /docker/4f2a /sys/fs/cgroup/memory ro master:9 - cgroup cgroup rw,memory\n";
    let limit = ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "67108864\n");
    assert_eq!(in_groups("4:memory:/docker/4f2a\n", mounts, &[limit]), Some((GIB / 16, "cgroup")), "without");
    assert_eq!(in_groups("4:memory:/../4f2b\n", mounts, &[limit]), Some((GIB / 16, "cgroup")), "beside the mount");
}

#[test]
fn this_process_has_a_limit_on_linux() {
    if cfg!(target_os = "linux") {
        assert!(memory_limit().is_some_and(|limit| limit.bytes > 1 << 20));
    }
}
