//! Limits by the memory of the process, by settings and by arguments.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::sys::MemorySource;
use std::collections::BTreeMap;

const MIB: u64 = 1 << 20;

fn limits(mebibytes: Option<u64>, given: GivenMemory, settings: &[(&str, &str)]) -> Result<[(u64, &'static str); 2]> {
    let settings: BTreeMap<_, _> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let process = mebibytes.map(|mebibytes| MemoryLimit { bytes: mebibytes * MIB, source: MemorySource::ControlGroup });
    let found = memory_limits(&Settings::parse(&settings)?, given, process)?;
    assert_eq!(found.process.map(|limit| limit.source), mebibytes.map(|_| "cgroup"));
    Ok([found.cache, found.memstore].map(|limit| (limit.bytes, limit.source)))
}

#[test]
fn defaults_follow_the_memory_of_the_process() {
    // Memory in MiB; then cache and memstores in MiB in a library, and in a process for the database alone.
    let table = [
        (16, [4, 4], [4, 4]),
        (64, [4, 4], [16, 8]),
        (128, [6, 6], [32, 16]),
        (512, [25, 25], [128, 64]),
        (2_048, [102, 102], [512, 256]),
        (8_192, [409, 256], [2_048, 1_024]),
        (65_536, [2_048, 256], [16_384, 1_024]),
        (2_097_152, [2_048, 256], [16_384, 1_024]),
    ];
    for (memory, library, server) in table {
        for (is_dedicated, expected) in [(false, library), (true, server)] {
            let given = GivenMemory { is_dedicated, ..GivenMemory::default() };
            let found = limits(Some(memory), given, &[]).unwrap();
            assert_eq!(found.map(|(bytes, _)| bytes / MIB), expected, "{memory} MiB, dedicated: {is_dedicated}");
            assert_eq!(found.map(|(_, source)| source), ["default"; 2]);
        }
    }
}

#[test]
fn without_a_known_limit_the_defaults_are_fixed() {
    for is_dedicated in [false, true] {
        let given = GivenMemory { is_dedicated, ..GivenMemory::default() };
        assert_eq!(limits(None, given, &[]).unwrap(), [(256 * MIB, "default"); 2]);
        assert_eq!(limits(None, given, &[(CACHE_SHARE, "0.4")]).unwrap()[0], (256 * MIB, "default"));
    }
}

#[test]
fn hbases_files_have_a_small_cache_by_default() {
    let given = GivenMemory { is_root: true, ..GivenMemory::default() };
    assert_eq!(limits(None, given, &[]).unwrap()[0], (32 * MIB, "default"));
    assert_eq!(limits(Some(100_000), given, &[]).unwrap()[0], (32 * MIB, "default"));
    assert_eq!(limits(Some(100), given, &[]).unwrap()[0], (5 * MIB, "default"));
    assert_eq!(limits(Some(1_000), given, &[(CACHE_SHARE, "0.4")]).unwrap()[0], (400 * MIB, CACHE_SHARE));
    let given = GivenMemory { cache: Some(77), ..given };
    assert_eq!(limits(None, given, &[]).unwrap()[0], (77, "argument"));
}

#[test]
fn a_database_that_is_only_read_or_in_memory_has_a_small_cache_by_default() {
    let given = GivenMemory { has_small_cache: true, ..GivenMemory::default() };
    assert_eq!(limits(Some(100_000), given, &[]).unwrap()[0], (256 * MIB, "default"));
    assert_eq!(limits(Some(100_000), given, &[(CACHE_SHARE, "0.4")]).unwrap()[0], (40_000 * MIB, CACHE_SHARE));
    let given = GivenMemory { is_dedicated: true, ..given };
    assert_eq!(limits(Some(100_000), given, &[]).unwrap()[0], (16_384 * MIB, "default"));
}

#[test]
fn bytes_come_before_a_setting_and_a_setting_before_the_default() {
    let share = [(CACHE_SHARE, "0.4"), (MEMSTORE_SHARE, "0.01")];
    let shares = [(40_000 * MIB, CACHE_SHARE), (1_000 * MIB, MEMSTORE_SHARE)];
    for is_dedicated in [false, true] {
        let given = GivenMemory { is_dedicated, ..GivenMemory::default() };
        assert_eq!(limits(Some(100_000), given, &share).unwrap(), shares, "without an upper limit");
        let given = GivenMemory { memstore: Some(77), ..given };
        assert_eq!(limits(Some(100_000), given, &share).unwrap(), [shares[0], (77, "argument")]);
    }
    assert_eq!(limits(Some(100), GivenMemory::default(), &[(CACHE_SHARE, "0")]).unwrap()[0], (0, CACHE_SHARE));
}

#[test]
fn shares_above_four_fifths_are_refused() {
    let error =
        limits(Some(100), GivenMemory::default(), &[(CACHE_SHARE, "0.5"), (MEMSTORE_SHARE, "0.4")]).unwrap_err();
    assert!(error.message().contains("hfile.block.cache.size = 0.5"), "{error}");
    assert!(limits(Some(100), GivenMemory::default(), &[(CACHE_SHARE, "0.4"), (MEMSTORE_SHARE, "0.4")]).is_ok());
    let given = GivenMemory { memstore: Some(77), is_dedicated: true, ..GivenMemory::default() };
    let shares = [(CACHE_SHARE, "0.7"), (MEMSTORE_SHARE, "0.4")];
    assert!(limits(Some(100), given, &shares).is_ok(), "a part given in bytes has no share");
    let error = limits(Some(100), GivenMemory::default(), &[(CACHE_SHARE, "1.5")]).unwrap_err();
    assert!(error.message().contains("not a ratio from 0 to 0.8"), "{error}");
}

#[test]
fn memstores_always_have_some_memory() {
    let found = limits(Some(100), GivenMemory::default(), &[(MEMSTORE_SHARE, "0")]).unwrap();
    assert_eq!(found[1], (4 * MIB, MEMSTORE_SHARE));
}

#[test]
fn the_shares_of_a_server_are_valid_settings() {
    let shares = dedicated_shares();
    let settings: Vec<(&str, &str)> = shares.iter().map(|(key, text)| (*key, text.as_str())).collect();
    let given = GivenMemory { is_dedicated: true, ..GivenMemory::default() };
    let by_settings = limits(Some(1_024), given, &settings).unwrap().map(|(bytes, _)| bytes);
    assert_eq!(by_settings, limits(Some(1_024), given, &[]).unwrap().map(|(bytes, _)| bytes));
}
