//! Normalizer: splits regions that are much larger than the others, and merges small neighbors. Source: HBase's
//! `SimpleRegionNormalizer`.

use super::{is_allowed, merge, split};
use crate::db::state::shared::Shared;
use crate::db::state::tables::TableHandle;
use crate::region::Region;
use crate::settings::Settings;
use rowstone_model::schema::TableDescriptor;
use rowstone_model::{Error, ErrorKind, Result};
use std::ops::Range;
use std::sync::Arc;

const MEGABYTE: u64 = 1 << 20;
const DAY_MS: i64 = 86_400_000;

/// Planned changes, by the index of regions.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Plan {
    Split(usize),
    Merge(Range<usize>),
}

/// Properties of a region that plans depend on.
#[derive(Debug, Clone, Copy)]
struct Size {
    megabytes: u64,
    created_ms: i64,
}

/// Rules from the table and the settings.
#[derive(Debug, Clone)]
struct Rules {
    splits: bool,
    merges: bool,
    target_count: u64,
    target_megabytes: u64,
    /// Tables with fewer regions are not merged.
    least_regions: usize,
    /// Younger or smaller regions are not merged.
    least_age_ms: i64,
    least_megabytes: u64,
    /// Maximum number of regions in one merge.
    most_merged: usize,
}

impl Rules {
    fn of(table: &TableDescriptor, settings: &Settings) -> Result<Self> {
        let settings = settings.overridden_by(&table.settings())?;
        let allows = |attribute: &str, setting: &str| {
            if table.attributes.contains_key(attribute) {
                is_allowed(table, attribute)
            } else {
                settings.flag(setting)
            }
        };
        let count = |setting: &str| usize::try_from(settings.number(setting)).unwrap_or(usize::MAX);
        let target = |names: &[&str]| {
            let said = names.iter().filter_map(|name| table.attributes.get(*name)?.parse::<u64>().ok());
            said.max().unwrap_or(0)
        };
        Ok(Rules {
            splits: allows("SPLIT_ENABLED", "hbase.normalizer.split.enabled"),
            merges: allows("MERGE_ENABLED", "hbase.normalizer.merge.enabled"),
            target_count: target(&["NORMALIZER_TARGET_REGION_COUNT"]),
            target_megabytes: target(&["NORMALIZER_TARGET_REGION_SIZE_MB", "NORMALIZER_TARGET_REGION_SIZE"]),
            least_regions: count("hbase.normalizer.merge.min.region.count"),
            least_age_ms: settings.number("hbase.normalizer.merge.min_region_age.days").saturating_mul(DAY_MS),
            least_megabytes: settings.size("hbase.normalizer.merge.min_region_size.mb"),
            most_merged: count("hbase.normalizer.merge.merge_request_max_number_of_regions"),
        })
    }

    /// Target size of a region in megabytes.
    fn compute_target_megabytes(&self, regions: &[Size]) -> f64 {
        let total: u64 = regions.iter().map(|region| region.megabytes).sum();
        match (self.target_megabytes, self.target_count) {
            (0, 0) => total as f64 / regions.len().max(1) as f64,
            (0, count) => total as f64 / count as f64,
            (megabytes, _) => megabytes as f64,
        }
    }

    /// Splits first, then merges.
    fn plans(&self, regions: &[Size], now_ms: i64) -> Vec<Plan> {
        let mut plans = Vec::new();
        if self.splits {
            let most = 2.0 * self.compute_target_megabytes(regions);
            let is_large = |at: &usize| regions.get(*at).is_some_and(|region| region.megabytes as f64 > most);
            plans.extend((0..regions.len()).filter(is_large).map(Plan::Split));
        }
        if self.merges {
            plans.extend(self.merges(regions, now_ms).into_iter().map(Plan::Merge));
        }
        plans
    }

    /// Runs of neighbors that together do not exceed the target size. Empty regions fit every run.
    fn merges(&self, regions: &[Size], now_ms: i64) -> Vec<Range<usize>> {
        let wanted = self.compute_target_megabytes(regions) as u64;
        if regions.len() < self.least_regions || wanted < self.least_megabytes {
            return Vec::new();
        }
        let mut runs: Vec<Range<usize>> = Vec::new();
        let (mut run, mut sum) = (0..0, 0);
        for (at, region) in regions.iter().enumerate() {
            let is_old = now_ms > region.created_ms.saturating_add(self.least_age_ms);
            let can = is_old && region.megabytes >= self.least_megabytes;
            let is_open = run.len() == 1 && sum == 0 || region.megabytes == 0 || region.megabytes + sum <= wanted;
            if can && !run.is_empty() && is_open && run.len() < self.most_merged {
                (run.end, sum) = (at + 1, sum + region.megabytes);
                continue;
            }
            runs.push(std::mem::replace(&mut run, if can { at..at + 1 } else { at..at }));
            sum = if can { region.megabytes } else { 0 };
        }
        runs.push(run);
        runs.retain(|run| run.len() > 1);
        runs
    }
}

/// Splits and merges regions of `table` until their sizes are more similar, if its NORMALIZATION_ENABLED says so.
/// Returns the number of splits and merges. A change that is not possible now is left for another run. The caller
/// holds the schema lock.
///
/// # Errors
/// `Io`, `DiskFull` and the like. Changes made before the error stay.
pub(in crate::db) fn normalize(shared: &Arc<Shared>, table: &TableHandle) -> Result<u64> {
    let descriptor = table.descriptor();
    let is_wanted = descriptor.attributes.get("NORMALIZATION_ENABLED");
    if !table.is_enabled() || !is_wanted.is_some_and(|text| text.eq_ignore_ascii_case("true")) {
        return Ok(0);
    }
    let rules = Rules::of(&descriptor, &shared.settings)?;
    let regions = Vec::clone(&table.regions());
    let size = |region: &Arc<Region>| Size {
        megabytes: region.stores().iter().map(|store| store.file_bytes()).sum::<u64>() / MEGABYTE,
        created_ms: region.info().region_id,
    };
    let sizes: Vec<Size> = regions.iter().map(size).collect();
    let mut done = 0;
    for plan in rules.plans(&sizes, shared.system.clock.now_ms()) {
        let outcome = match plan {
            Plan::Split(at) => match regions.get(at) {
                Some(region) => split(shared, table, region, None),
                None => Ok(()),
            },
            Plan::Merge(range) => {
                let chosen = regions.get(range).unwrap_or_default();
                merge(shared, &chosen.iter().map(|region| region.info().region_name()).collect::<Vec<_>>(), false)
            }
        };
        match outcome {
            Ok(()) => done += 1,
            Err(error) if is_refusal(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

/// Whether the error means "not now": no row to split at, halves of an earlier split, an exhausted quota, or a
/// region that was just split.
fn is_refusal(error: &Error) -> bool {
    let kinds =
        [ErrorKind::Constraint, ErrorKind::InvalidArgument, ErrorKind::QuotaExceeded, ErrorKind::RegionNotFound];
    kinds.contains(&error.kind())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::Plan::{Merge, Split};
    use super::*;
    use rowstone_model::schema::TableName;

    const NOW_MS: i64 = 10 * DAY_MS;

    fn table() -> TableDescriptor {
        TableDescriptor::new(TableName::parse("t").unwrap())
    }

    fn rules() -> Rules {
        Rules::of(&table(), &Settings::default()).unwrap()
    }

    fn plans(rules: &Rules, megabytes: &[u64]) -> Vec<Plan> {
        let size = |megabytes: &u64| Size { megabytes: *megabytes, created_ms: 1 };
        rules.plans(&megabytes.iter().map(size).collect::<Vec<_>>(), NOW_MS)
    }

    #[test]
    fn regions_of_one_size_stay() {
        assert_eq!(plans(&rules(), &[10, 10, 10, 10]), []);
        assert_eq!(plans(&rules(), &[10, 6, 8, 7]), []);
        assert_eq!(plans(&rules(), &[]), []);
    }

    #[test]
    fn one_more_than_twice_as_large_is_split_and_small_neighbors_are_merged() {
        // The average is 16.
        assert_eq!(plans(&rules(), &[40, 5, 5, 6, 24]), [Split(0), Merge(1..4)]);
        assert_eq!(plans(&rules(), &[5, 5, 20, 4, 5, 7, 7]), [Split(2)]);
        let target = Rules { target_megabytes: 10, ..rules() };
        assert_eq!(plans(&target, &[5, 5, 20, 4, 5, 21]), [Split(5), Merge(0..2), Merge(3..5)]);
        let counted = Rules { target_count: 2, ..rules() };
        assert_eq!(plans(&counted, &[5, 5, 5, 5]), [Merge(0..2), Merge(2..4)]);
        let pairs = Rules { most_merged: 2, ..target };
        assert_eq!(plans(&pairs, &[1, 1, 1, 1, 1]), [Merge(0..2), Merge(2..4)]);
    }

    #[test]
    fn small_and_young_regions_and_few_of_them_are_not_merged() {
        let target = Rules { target_megabytes: 10, ..rules() };
        assert_eq!(plans(&target, &[5, 0, 5]), []);
        let empty_too = Rules { least_megabytes: 0, ..target.clone() };
        assert_eq!(plans(&empty_too, &[5, 0, 5]), [Merge(0..3)]);
        assert_eq!(plans(&empty_too, &[0, 30, 0]), [Split(1), Merge(0..3)]);
        assert_eq!(plans(&target, &[5, 5]), []);
        let young = Size { megabytes: 1, created_ms: NOW_MS - 3 * DAY_MS };
        let old = Size { created_ms: NOW_MS - 3 * DAY_MS - 1, ..young };
        assert_eq!(target.plans(&[old, young, old, old], NOW_MS), [Merge(2..4)]);
    }

    #[test]
    fn a_table_and_the_settings_switch_both_off() {
        let mut table = table();
        table.attributes.insert("SPLIT_ENABLED".into(), "false".into());
        table.attributes.insert("NORMALIZER_TARGET_REGION_SIZE_MB".into(), "10".into());
        table.configuration.insert("hbase.normalizer.merge.enabled".into(), "false".into());
        let rules = Rules::of(&table, &Settings::default()).unwrap();
        assert_eq!(plans(&rules, &[1, 1, 1, 100]), []);
        table.attributes.insert("MERGE_ENABLED".into(), "true".into());
        let rules = Rules::of(&table, &Settings::default()).unwrap();
        assert_eq!(plans(&rules, &[1, 1, 1, 100]), [Merge(0..3)]);
    }
}
