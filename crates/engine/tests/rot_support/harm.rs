//! Kinds of harm to a file.

use super::base::Base;
use super::Dice;
use std::path::PathBuf;

/// Harm that was done to a file.
#[derive(Debug, Clone)]
pub struct Harm {
    pub path: PathBuf,
    pub what: String,
    /// The first byte that differs.
    pub from: u64,
    /// End of the changed bytes; the file's end if all later bytes differ.
    pub to: u64,
    pub bytes: Vec<u8>,
}

/// Blocks of a store file: offset and length.
pub fn blocks(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at + 33 < bytes.len().saturating_sub(4096) {
        let length = 33 + u32::from_be_bytes([bytes[at + 8], bytes[at + 9], bytes[at + 10], bytes[at + 11]]) as usize;
        found.push((at, length));
        at += length;
    }
    found
}

/// End offsets of the header and the frames of a log or manifest, including marks.
pub fn frame_ends(base: &Base, path: &std::path::Path) -> Vec<usize> {
    let bytes = rowstone_engine::sys::FileSystem::read(&base.files(), path).unwrap();
    let mut at = if path.ends_with("MANIFEST") { 32 } else { 64 };
    let mut ends = vec![at];
    while at + 8 <= bytes.len() {
        let word = u32::from_be_bytes([bytes[at + 4], bytes[at + 5], bytes[at + 6], bytes[at + 7]]);
        at += 8 + (word & 0x7fff_ffff) as usize;
        ends.push(at);
    }
    ends
}

fn is_store_file(path: &std::path::Path) -> bool {
    path.starts_with("/db/data")
}

/// Selects where to damage it: trailers are mostly empty space.
fn place(dice: &Dice, path: &std::path::Path, length: usize) -> usize {
    match (is_store_file(path), dice.below(8)) {
        (true, 0) => length - 4096 + dice.below(140),
        (true, 1) => length - 1 - dice.below(8),
        (true, 2..) => dice.below(length - 4096),
        _ => dice.below(length),
    }
}

/// Changes one file of the database at random; `None` if the change had no effect.
pub fn damage(base: &Base, dice: &Dice) -> Option<Harm> {
    let path = base.paths[dice.below(base.paths.len())].clone();
    let old = rowstone_engine::sys::FileSystem::read(&base.files(), &path).ok()?;
    if old.is_empty() {
        return None;
    }
    let (mut bytes, at) = (old.clone(), place(dice, &path, old.len()));
    let end = |length: usize| (at + length).min(old.len());
    let what = match dice.below(12) {
        0..=3 => {
            bytes[at] ^= 1 << dice.below(8);
            format!("a bit of byte {at} flipped")
        }
        4 | 5 => {
            bytes[at] = dice.below(256) as u8;
            format!("byte {at} replaced")
        }
        6 => {
            let end = end(1 + dice.below(700));
            bytes[at..end].fill(0);
            format!("{at}..{end} zeroed")
        }
        7 => {
            let end = end(1 + dice.below(100));
            bytes[at..end].iter_mut().for_each(|byte| *byte = dice.below(256) as u8);
            format!("{at}..{end} scrambled")
        }
        8 => {
            bytes.truncate(at);
            format!("cut to {at}")
        }
        9 => {
            let count = 1 + dice.below(600);
            bytes.extend((0..count).map(|_| if at.is_multiple_of(2) { 0 } else { dice.below(256) as u8 }));
            format!("{count} bytes appended")
        }
        kind => swap(dice, &path, &mut bytes, kind == 10)?,
    };
    let same = old.iter().zip(&bytes).take_while(|(old, new)| old == new).count();
    let is_same = same == old.len() && same == bytes.len();
    let tail = old.iter().rev().zip(bytes.iter().rev()).take_while(|(old, new)| old == new).count();
    let to = if old.len() == bytes.len() { bytes.len() - tail.min(bytes.len()) } else { bytes.len() };
    (!is_same).then_some(Harm { path, what, from: same as u64, to: to as u64, bytes })
}

/// Exchanges two pieces of the same length, or overwrites one with the other; in store files these are blocks.
fn swap(dice: &Dice, path: &std::path::Path, bytes: &mut [u8], both: bool) -> Option<String> {
    let ((left, right), length) = if is_store_file(path) {
        let blocks = blocks(bytes);
        let pairs: Vec<_> = blocks
            .iter()
            .enumerate()
            .flat_map(|(index, left)| blocks[index + 1..].iter().map(move |right| (*left, *right)))
            .filter(|(left, right)| left.1 == right.1)
            .collect();
        let (left, right) = *pairs.get(dice.below(pairs.len()))?;
        ((left.0, right.0), left.1)
    } else {
        let length = 512.min(bytes.len() / 2);
        ((dice.below(bytes.len() - 2 * length + 1), bytes.len() - length), length)
    };
    let (first, second) = (bytes[left..left + length].to_vec(), bytes[right..right + length].to_vec());
    let is_forward = dice.below(2) == 0;
    if both || is_forward {
        bytes[right..right + length].copy_from_slice(&first);
    }
    if both || !is_forward {
        bytes[left..left + length].copy_from_slice(&second);
    }
    Some(format!("{length} bytes at {left} and {right}: both {both}, forward {is_forward}"))
}
