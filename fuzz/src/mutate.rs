//! Mutation of an input: bits, numbers, pieces, pieces of other inputs, and numbers that would satisfy a comparison.

use crate::random::Random;

const INTERESTING: [u64; 20] = [
    0,
    1,
    2,
    7,
    8,
    12,
    16,
    32,
    64,
    127,
    128,
    255,
    256,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
];

/// Sources of mutations besides the input itself.
pub struct Material<'a> {
    /// Another input.
    pub other: &'a [u8],
    /// Pairs of numbers that were compared when the input ran.
    pub comparisons: &'a [(u64, u64)],
    /// Words of the format.
    pub words: &'a [&'a [u8]],
    /// Maximum size of an input.
    pub most_bytes: usize,
}

/// Applies one or a few mutations to `bytes`.
pub fn mutate(bytes: &mut Vec<u8>, random: &mut Random, material: &Material<'_>) {
    let most = 1 << random.below(4);
    for _ in 0..1 + random.below(most) {
        once(bytes, random, material);
    }
    bytes.truncate(material.most_bytes);
}

fn once(bytes: &mut Vec<u8>, random: &mut Random, material: &Material<'_>) {
    let length = bytes.len();
    if length == 0 {
        bytes.extend((0..random.below(16)).map(|_| random.next() as u8));
        return;
    }
    let at = random.below(length);
    match random.below(12) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.next() as u8,
        2 => bytes[at] = bytes[at].wrapping_add(random.below(17) as u8).wrapping_sub(8),
        3 => put_number(bytes, at, INTERESTING[random.below(INTERESTING.len())], 1 << random.below(4)),
        4 => {
            let bound = [0, length, length - at, length * 2][random.below(4)] as u64;
            put_number(bytes, at, bound.wrapping_add(random.below(9) as u64).wrapping_sub(4), 1 << random.below(4));
        }
        5 => drop(bytes.drain(at..at + piece(random, length - at))),
        6 => {
            let copied = bytes[at..at + piece(random, length - at)].to_vec();
            let to = random.below(length + 1);
            bytes.splice(to..to, copied);
        }
        7 => {
            let copied = bytes[at..at + piece(random, length - at)].to_vec();
            let to = random.below(length);
            let end = (to + copied.len()).min(length);
            bytes[to..end].copy_from_slice(&copied[..end - to]);
        }
        8 if !material.other.is_empty() => {
            let from = random.below(material.other.len());
            let taken = &material.other[from..from + piece(random, material.other.len() - from)];
            let end = at + if random.one_in(2) { 0 } else { taken.len().min(length - at) };
            bytes.splice(at..end, taken.iter().copied());
        }
        9 if !material.words.is_empty() => {
            let word = material.words[random.below(material.words.len())];
            let end = at + if random.one_in(2) { 0 } else { word.len().min(length - at) };
            bytes.splice(at..end, word.iter().copied());
        }
        10 if random.one_in(4) => bytes.truncate(at),
        _ if !material.comparisons.is_empty() => satisfy(bytes, random, material.comparisons),
        _ => bytes[at] = random.next() as u8,
    }
}

/// A random length up to `most`, with a preference for small ones.
fn piece(random: &mut Random, most: usize) -> usize {
    let width = random.below(10);
    let bound = 1 + random.below(1 << width);
    1 + random.below(bound.min(most))
}

fn put_number(bytes: &mut [u8], at: usize, number: u64, width: usize) {
    let end = (at + width).min(bytes.len());
    bytes[at..end].copy_from_slice(&number.to_be_bytes()[8 - width..][..end - at]);
}

/// Replaces one side of a comparison by the other in the input.
fn satisfy(bytes: &mut [u8], random: &mut Random, comparisons: &[(u64, u64)]) {
    let (mut found, mut wanted) = comparisons[random.below(comparisons.len())];
    if random.one_in(2) {
        (found, wanted) = (wanted, found);
    }
    wanted = wanted.wrapping_add([0, 0, 0, 1, u64::MAX][random.below(5)]);
    let width = [1, 2, 4, 8].into_iter().find(|width| *width == 8 || found >> (8 * width) == 0).unwrap_or(8);
    let width = if width < 4 && random.one_in(2) { 4 } else { width };
    let is_little = random.one_in(8);
    let text = |number: u64| {
        let mut text = number.to_be_bytes()[8 - width..].to_vec();
        if is_little {
            text.reverse();
        }
        text
    };
    let needle = text(found);
    let places: Vec<usize> =
        (0..(bytes.len() + 1).saturating_sub(width)).filter(|at| bytes[*at..].starts_with(&needle)).collect();
    if !places.is_empty() {
        let at = places[random.below(places.len())];
        bytes[at..at + width].copy_from_slice(&text(wanted));
    }
}
