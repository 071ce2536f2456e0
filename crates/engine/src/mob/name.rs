//! Names of MOB files, as [`is_mob_file`](crate::manifest::is_mob_file) recognizes them. Source: HBase's
//! `MobFileName`.
//!
//! ```text
//! MD5 of the region's start key, 32 hex digits | day of the writing, yyyymmdd | 32 random hex digits | '_' | region
//! ```
//!
//! HBase uses the day of the newest cell, in the server's time zone. Here nothing depends on it.

use md5::{Digest, Md5};

const DAY_MS: i64 = 86_400_000;

/// The name of a new file of the region `region`, with 32 random hex digits.
pub fn mob_file_name(start_key: &[u8], now_ms: i64, random: &str, region: &str) -> String {
    let start: String = Md5::digest(start_key).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{start}{}{random}_{region}", day(now_ms))
}

/// The day as eight digits. Times outside that range give the first or last such day.
fn day(now_ms: i64) -> String {
    const LAST_DAY: i64 = 2_932_896;
    // The calendar counted from the first of March of the year 0, in eras of 400 years.
    let days = now_ms.div_euclid(DAY_MS).clamp(0, LAST_DAY) + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}{month:02}{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::is_mob_file;

    #[test]
    fn days_are_those_of_the_calendar() {
        let days =
            [(0, "19700101"), (59, "19700301"), (11_016, "20000229"), (11_017, "20000301"), (20_778, "20261121")];
        for (number, text) in days {
            assert_eq!(day(number * DAY_MS), text);
            assert_eq!(day(number * DAY_MS + DAY_MS - 1), text);
        }
        assert_eq!((day(i64::MIN), day(i64::MAX)), ("19700101".to_string(), "99991231".to_string()));
    }

    #[test]
    fn a_name_is_recognized_and_nothing_else_is() {
        let (random, region) = ("0123456789abcdef".repeat(2), "f".repeat(32));
        let name = mob_file_name(b"", 0, &random, &region);
        assert_eq!(name, format!("d41d8cd98f00b204e9800998ecf8427e19700101{random}_{region}"));
        assert!(is_mob_file(&name));
        for other in [random.as_str(), "", "_", &name[1..], &format!("{name}0"), &name.replace('_', "-")] {
            assert!(!is_mob_file(other), "{other}");
        }
    }
}
