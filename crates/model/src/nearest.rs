//! Finds the known name closest to a misspelt one.

/// The known name with the fewest single-letter edits from `name`, if fewer than a third of the letters differ.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let near = known.into_iter().map(|known| (changes(name.as_bytes(), known.as_bytes()), known));
    let (count, nearest) = near.min()?;
    (count * 3 < name.len().max(nearest.len())).then_some(nearest)
}

/// The edit distance: insertions, deletions and replacements of letters (Levenshtein).
fn changes(from: &[u8], to: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, letter) in from.iter().enumerate() {
        let mut before = std::mem::replace(&mut row[0], index + 1);
        for (place, other) in to.iter().enumerate() {
            let replaced = before + usize::from(letter != other);
            before = row[place + 1];
            row[place + 1] = replaced.min(before + 1).min(row[place] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_found_and_nothing_where_nothing_is_near() {
        let known = ["hbase.superuser", "hbase.security.authorization", "hbase.table.max.rowsize"];
        assert_eq!(nearest("hbase.superusers", known), Some("hbase.superuser"));
        assert_eq!(nearest("hbase.security.authorisation", known), Some("hbase.security.authorization"));
        assert_eq!(nearest("no.such.key", known), None);
        assert_eq!(nearest("", []), None);
        assert_eq!((changes(b"kitten", b"sitting"), changes(b"", b"abc"), changes(b"abc", b"")), (3, 3, 3));
    }
}
