//! Totals are exact, rows are a fair sample, memory is bounded.

use super::windows::{MOST_ROWS, MOST_ROW_BYTES, MOST_WINDOWS};
use super::*;

fn written(rows: impl Iterator<Item = (Vec<u8>, i64)>) -> Vec<HeatWindow> {
    let heat = Heat::default();
    for (row, now_ms) in rows {
        heat.write(&row, || now_ms);
    }
    let map = heat.map();
    assert!(map.reads.is_empty());
    map.writes
}

fn number(row: &[u8]) -> u64 {
    std::str::from_utf8(row).unwrap().parse().unwrap()
}

#[test]
fn nothing_is_nothing() {
    assert_eq!(Heat::default().map(), HeatMap::default());
}

#[test]
fn the_first_row_is_there() {
    let map = written([(b"row".to_vec(), 77)].into_iter());
    assert_eq!(map, [HeatWindow { start_ms: 77, width_ms: 250, total: 1, rows: vec![b"row".to_vec()] }]);
}

#[test]
fn every_row_is_counted_and_memory_has_a_bound() {
    for count in [10, 1_000, 5_000, 300_000] {
        let map = written((0..count).map(|at| (format!("{at:0>100}").into_bytes(), at as i64 * 7)));
        assert_eq!(map.iter().map(|window| window.total).sum::<u64>(), count);
        assert!(map.len() <= MOST_WINDOWS);
        assert!(map.iter().map(|window| window.rows.len()).sum::<usize>() <= MOST_ROWS);
        for window in &map {
            assert!(!window.rows.is_empty());
            assert!(window.rows.iter().all(|row| row.len() == MOST_ROW_BYTES));
        }
    }
}

#[test]
fn rows_lie_in_the_window_of_their_time() {
    let map = written((0..200_000_u64).map(|at| (at.to_string().into_bytes(), 1_000 + at as i64)));
    for window in &map {
        for row in &window.rows {
            let at = 1_000 + number(row) as i64;
            assert!((window.start_ms..window.start_ms + window.width_ms).contains(&at));
        }
        // The gaps between samples are short: totals are in the right window except for a few rows.
        let expected = (200_000 - (window.start_ms - 1_000)).clamp(0, window.width_ms);
        assert!((window.total as i64 - expected).abs() <= 64, "{window:?}");
    }
}

#[test]
fn periodic_rows_are_sampled_evenly() {
    for period in [2_u64, 3, 8, 16, 17, 64] {
        let map =
            written((0..400_000_u64).map(|at| ((at % period).to_string().into_bytes(), (at / 10_000) as i64 * 250)));
        let rows: Vec<u64> = map.iter().flat_map(|window| &window.rows).map(|row| number(row)).collect();
        let low = rows.iter().filter(|row| **row < period / 2).count() as f64 / rows.len() as f64;
        let expected = (period / 2) as f64 / period as f64;
        assert!((low - expected).abs() < 0.07, "period {period}: {low} of the lower half, not {expected}");
    }
}

#[test]
fn frequent_rows_are_frequent_in_the_sample() {
    // Nine of ten accesses are of one row; meanwhile the sampling rate changes and windows are merged.
    let row = |at: u64| if at % 10 == 3 { at.to_string() } else { "0".to_string() };
    let map = written((0..100_000_u64).map(|at| (row(at).into_bytes(), at as i64)));
    let rows: Vec<u64> = map.iter().flat_map(|window| &window.rows).map(|row| number(row)).collect();
    let hot = rows.iter().filter(|row| **row == 0).count() as f64 / rows.len() as f64;
    assert!((hot - 0.9).abs() < 0.05, "{hot}");
}

#[test]
fn a_busy_while_outweighs_a_quiet_one_when_windows_are_merged() {
    // Every second millisecond of time is a window's half: 90 writes of "1", then 10 of "2".
    let mut rows = Vec::new();
    for second in 0..48_i64 {
        let (row, count) = if second % 2 == 0 { ("1", 900) } else { ("2", 100) };
        rows.extend((0..count).map(|_| (row.as_bytes().to_vec(), second * 250)));
    }
    rows.extend((0..100).map(|_| (b"1".to_vec(), 48 * 250)));
    let map = written(rows.into_iter());
    assert_eq!(map[0].width_ms, 500);
    let ones = map[0].rows.iter().filter(|row| row.as_slice() == b"1").count();
    let share = ones as f64 / map[0].rows.len() as f64;
    assert!((share - 0.9).abs() < 0.1, "{ones} of {}", map[0].rows.len());
}

#[test]
fn a_short_program_has_a_large_sample() {
    // Regression: 9,000 writes in a quarter of a second had 24 sampled rows, and most ranges of keys had none.
    let map = written((0..9_000_u64).map(|at| (at.to_string().into_bytes(), (at / 9_000) as i64)));
    let rows: Vec<u64> = map.iter().flat_map(|window| &window.rows).map(|row| number(row)).collect();
    assert!((400..=MOST_ROWS).contains(&rows.len()), "{}", rows.len());
    for tenth in 0..10 {
        let share = rows.iter().filter(|row| **row / 900 == tenth).count() as f64 / rows.len() as f64;
        assert!((share - 0.1).abs() < 0.05, "{share} of tenth {tenth}");
    }
}

#[test]
fn each_access_is_as_likely_while_windows_become_more() {
    // The sampling rate falls after the first accesses, and the room of a window shrinks with each new one.
    for count in [1_100_u64, 2_000, 20_000, 200_000] {
        let map = written((0..count).map(|at| (at.to_string().into_bytes(), (at * 12_000 / count) as i64)));
        let total: f64 = map.iter().map(|window| window.total as f64).sum();
        let first: f64 = map
            .iter()
            .map(|window| {
                let early = window.rows.iter().filter(|row| number(row) < count / 2).count() as f64;
                window.total as f64 * early / window.rows.len() as f64
            })
            .sum();
        assert!((first / total - 0.5).abs() < 0.05, "{count}: {}", first / total);
    }
}

#[test]
fn the_first_accesses_of_a_window_have_no_larger_share() {
    for count in [1_100_u64, 1_500, 3_000, 20_000, 100_000] {
        let map = written((0..count).map(|at| (at.to_string().into_bytes(), 5)));
        assert_eq!(map.len(), 1);
        let window = &map[0];
        let early = window.rows.iter().filter(|row| number(row) < 1_024).count() as f64 / window.rows.len() as f64;
        let expected = 1_024.0 / count as f64;
        assert!((early - expected).abs() < 0.08, "{count}: {early}, not {expected}");
    }
}

#[test]
fn time_may_stand_still_go_back_or_jump() {
    let times = [5_000, 5_000, 0, i64::MAX, i64::MIN, 4_000];
    let map = written(times.into_iter().map(|at| (b"row".to_vec(), at)));
    assert_eq!(map.iter().map(|window| window.total).sum::<u64>(), 6);
}

#[test]
fn many_at_once_are_as_many_one_by_one() {
    let rows: Vec<String> = (0..30_000).map(|at: u64| at.to_string()).collect();
    let (single, batch) = (Heat::default(), Heat::default());
    rows.iter().for_each(|row| single.read(row.as_bytes(), || 5));
    for piece in rows.chunks(700) {
        batch.read_many(piece.len(), |index| Some(piece[index].as_bytes()), || 5);
    }
    assert_eq!(single.map(), batch.map());
}

#[test]
fn threads_lose_nothing() {
    let heat = Heat::default();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..20_000).for_each(|at: i64| heat.read(b"row", || at / 100)));
        }
    });
    assert_eq!(heat.map().reads.iter().map(|window| window.total).sum::<u64>(), 80_000);
}
