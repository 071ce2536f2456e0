//! Consecutive time windows of equal length. When there is no room for another, each pair is merged into one.
//!
//! All windows share the room for sampled rows, so that a program that runs for a second has a sample of a thousand rows.

use super::HeatWindow;

/// Maximum number of windows.
pub(super) const MOST_WINDOWS: usize = 48;
/// Maximum number of rows that all windows retain together.
pub(super) const MOST_ROWS: usize = 24 * MOST_WINDOWS;
/// Maximum number of bytes retained of a row.
pub(super) const MOST_ROW_BYTES: usize = 40;
/// Length of the first windows.
const FIRST_WIDTH_MS: i64 = 250;

/// A window: the number of rows, and a sample of them, in which every accessed row is equally likely to be.
#[derive(Default)]
struct Window {
    total: u64,
    rows: Vec<Box<[u8]>>,
}

pub(super) struct Windows {
    start_ms: i64,
    width_ms: i64,
    /// Number of rows in the windows' totals.
    counted: u64,
    windows: Vec<Window>,
}

impl Windows {
    pub(super) fn new(start_ms: i64) -> Self {
        Windows { start_ms, width_ms: FIRST_WIDTH_MS, counted: 0, windows: Vec::new() }
    }

    /// Adds the access with this number, and all earlier ones that were not sampled. One in `every` is sampled.
    pub(super) fn add(&mut self, number: u64, every: u64, row: &[u8], now_ms: i64) {
        // Threads may arrive in a different order than their numbers.
        let weight = (number + 1).saturating_sub(self.counted);
        if weight == 0 {
            return;
        }
        self.counted = number + 1;
        let index = self.index_of(now_ms);
        if self.windows.len() <= index {
            self.windows.resize_with(index + 1, Window::default);
            let most = self.rows_per_window();
            self.windows.iter_mut().for_each(|window| window.thin(most));
        }
        let most = self.rows_per_window();
        self.windows[index].add(weight, every, row, mix(number), most);
    }

    /// The index of the window of `now_ms`, or of the first window if the clock was set back before it.
    fn index_of(&mut self, now_ms: i64) -> usize {
        loop {
            let index = now_ms.saturating_sub(self.start_ms).max(0) / self.width_ms;
            match usize::try_from(index) {
                Ok(index) if index < MOST_WINDOWS => return index,
                _ => self.halve(),
            }
        }
    }

    /// The room for rows of each window.
    fn rows_per_window(&self) -> usize {
        MOST_ROWS / self.windows.len().max(1)
    }

    fn halve(&mut self) {
        self.width_ms = self.width_ms.saturating_mul(2);
        let most = MOST_ROWS / self.windows.len().div_ceil(2).max(1);
        let mut old = std::mem::take(&mut self.windows).into_iter();
        while let Some(first) = old.next() {
            self.windows.push(match old.next() {
                Some(second) => first.and(second, most),
                None => first,
            });
        }
    }

    /// The windows with accesses. Accesses not sampled yet count in the last one.
    pub(super) fn map(&self, count: u64) -> Vec<HeatWindow> {
        let used = self.windows.iter().enumerate().filter(|(_, window)| window.total > 0);
        let mut map: Vec<HeatWindow> = used
            .map(|(index, window)| HeatWindow {
                start_ms: self.start_ms.saturating_add(self.width_ms.saturating_mul(index as i64)),
                width_ms: self.width_ms,
                total: window.total,
                rows: window.rows.iter().map(|row| row.to_vec()).collect(),
            })
            .collect();
        if let Some(last) = map.last_mut() {
            last.total += count.saturating_sub(self.counted);
        }
        map
    }
}

impl Window {
    /// Adds accesses, of which `row` is the sampled one. The rows before it are thinned until each stands for at least
    /// `every` accesses. Then `row` is retained with the probability that an earlier access has to be among them.
    fn add(&mut self, weight: u64, every: u64, row: &[u8], draw: u64, most: usize) {
        self.thin(usize::try_from(self.total / every).unwrap_or(most).max(1));
        self.total += weight;
        if !self.rows.is_empty() && draw % self.total >= every.saturating_mul(self.rows.len() as u64 + 1) {
            return;
        }
        let kept = &row[..row.len().min(MOST_ROW_BYTES)];
        if self.rows.len() < most {
            self.rows.push(kept.into());
        } else {
            let index = (mix(draw) % self.rows.len() as u64) as usize;
            self.rows[index] = kept.into();
        }
    }

    /// Drops random rows until there are at most so many.
    fn thin(&mut self, most: usize) {
        while self.rows.len() > most {
            let index = (mix(self.total ^ self.rows.len() as u64) % self.rows.len() as u64) as usize;
            self.rows.swap_remove(index);
        }
        self.rows.shrink_to(most);
    }

    /// Merges two windows: each contributes sampled rows in proportion to its total.
    fn and(mut self, mut other: Window, most: usize) -> Window {
        let total = self.total + other.total;
        let mut most = most as u64;
        for window in [&self, &other] {
            if window.total > 0 {
                most = most.min((window.rows.len() as u64 * total).div_ceil(window.total));
            }
        }
        let first = (most * self.total / total.max(1)) as usize;
        self.thin(first);
        other.thin((most as usize).saturating_sub(self.rows.len()));
        self.rows.append(&mut other.rows);
        Window { total, rows: self.rows }
    }
}

/// A pseudo-random number derived from `number` (SplitMix64).
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
