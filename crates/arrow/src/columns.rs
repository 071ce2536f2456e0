//! The columns of a scan, and their positions in a frame.

use crate::array::Field;
use crate::kind::Kind;
use rowstone_model::cell::is_same;
use rowstone_model::codec::printable;
use rowstone_model::filter::Filter;
use rowstone_model::operations::{CellBatch, ColumnSelection, Scan};
use rowstone_model::{Error, Result};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of columns in a frame: a wider table is unreadable.
pub const MOST_COLUMNS: usize = 1000;

/// Declared types by column (`family:qualifier`) or family.
pub type Kinds = BTreeMap<Vec<u8>, Kind>;

/// A list of columns, sorted by family and qualifier.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    names: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Columns {
    /// The columns that a selection names one by one; `None` if it contains whole families.
    pub fn from_selection(selection: &ColumnSelection) -> Option<Columns> {
        let mut names = Vec::new();
        for (family, qualifiers) in &selection.families {
            names.extend(qualifiers.as_ref()?.iter().map(|qualifier| (family.clone(), qualifier.clone())));
        }
        (!names.is_empty()).then_some(Columns { names })
    }

    /// Number of columns.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The columns as pairs of family and qualifier.
    pub fn names(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.names.iter().map(|(family, qualifier)| (family.as_slice(), qualifier.as_slice()))
    }

    /// The position of a column; `guess` is tried first.
    #[inline]
    pub fn find(&self, family: &[u8], qualifier: &[u8], guess: usize) -> Option<usize> {
        match self.names.get(guess) {
            Some((known, name)) if is_same(name, qualifier) && is_same(known, family) => Some(guess),
            _ => self.search(family, qualifier).ok(),
        }
    }

    fn search(&self, family: &[u8], qualifier: &[u8]) -> std::result::Result<usize, usize> {
        self.names.binary_search_by(|(known, name)| (known.as_slice(), name.as_slice()).cmp(&(family, qualifier)))
    }

    /// Adds the columns that occur in a page.
    ///
    /// # Errors
    /// `InvalidArgument` beyond [`MOST_COLUMNS`].
    pub fn discover(&mut self, page: &CellBatch) -> Result<()> {
        for range in &page.rows {
            let mut guess = 0;
            for cell in page.row_cells(*range) {
                guess = match self.find(cell.family(), cell.qualifier(), guess) {
                    Some(place) => place + 1,
                    None => self.insert(cell.family(), cell.qualifier())? + 1,
                };
            }
        }
        Ok(())
    }

    fn insert(&mut self, family: &[u8], qualifier: &[u8]) -> Result<usize> {
        if self.names.len() == MOST_COLUMNS {
            return Err(Error::invalid(format!(
                "the scan has more than {MOST_COLUMNS} columns: select some with columns=[...], or use form='cells'"
            )));
        }
        let place = self.search(family, qualifier).unwrap_or_else(|place| place);
        self.names.insert(place, (family.to_vec(), qualifier.to_vec()));
        Ok(place)
    }

    /// Refuses two columns that would have the same name in a frame.
    ///
    /// # Errors
    /// `InvalidArgument`.
    pub fn check_names(&self) -> Result<()> {
        let mut known = BTreeMap::new();
        for (family, qualifier) in &self.names {
            let column = [family, b":".as_slice(), qualifier].concat();
            if let Some(other) = known.insert(escape(&column), column.clone()) {
                let (other, column) = (printable(&other), printable(&column));
                return Err(Error::invalid(format!(
                    "columns '{other}' and '{column}' have the same name in a frame: select one of them with columns=[...]"
                )));
            }
        }
        Ok(())
    }

    /// A field for each column, of the type declared for it or its family; otherwise binary.
    pub fn fields(&self, kinds: &Kinds) -> Vec<Field> {
        let field = |(family, qualifier): &(Vec<u8>, Vec<u8>)| {
            let column = [family, b":".as_slice(), qualifier].concat();
            let kind = kinds.get(&column).or_else(|| kinds.get(family)).copied().unwrap_or(Kind::Binary);
            Field { name: escape(&column), kind, is_nullable: true }
        };
        self.names.iter().map(field).collect()
    }
}

/// The scan that discovers the columns of `scan`: the same cells, but without values if it has no filter.
pub fn discovery(scan: &Scan) -> Scan {
    let mut scan = scan.clone();
    if scan.options.filter.is_none() {
        // Limits and offsets of a family count older versions too.
        if scan.options.cells_per_family.is_none() && scan.options.offset_per_family == 0 {
            scan.options.versions = 1;
        }
        scan.options.filter = Some(Arc::new(Filter::KeyOnlyFilter { length_as_value: false }));
    }
    scan
}

/// A column's name as text: valid UTF-8 as it is, other bytes escaped.
pub fn escape(column: &[u8]) -> String {
    let mut text = String::with_capacity(column.len());
    for chunk in column.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{discovery, escape, Columns, MOST_COLUMNS};
    use rowstone_model::cell::{CellBuffer, CellParts, CellType};
    use rowstone_model::operations::{CellBatch, ColumnSelection, RowRange, Scan};

    fn page(columns: &[(&str, &str)]) -> CellBatch {
        let mut cells = CellBuffer::new();
        for (family, qualifier) in columns {
            cells.push(CellParts {
                row: b"r",
                family: family.as_bytes(),
                qualifier: qualifier.as_bytes(),
                timestamp: 1,
                cell_type: CellType::Put,
                value: b"",
                tags: b"",
            });
        }
        let end = cells.byte_len();
        let range = RowRange { start: 0, end, cell_count: columns.len() as u32, is_partial: false };
        CellBatch { cells, rows: [range].into_iter().collect() }
    }

    #[test]
    fn two_columns_of_one_name_are_refused() {
        let columns = |qualifiers: [&[u8]; 2]| Columns {
            names: qualifiers.map(|qualifier| (b"f".to_vec(), qualifier.to_vec())).to_vec(),
        };
        assert!(columns([br"\xff", b"\xfe"]).check_names().is_ok());
        let refused = columns([br"\xff", b"\xff"]).check_names().err();
        assert!(refused.is_some_and(|error| error.message().contains("have the same name in a frame")));
    }

    #[test]
    fn columns_are_found_in_order() {
        let mut found = Columns::default();
        assert!(found.discover(&page(&[("f", "b"), ("g", "a")])).is_ok());
        assert!(found.discover(&page(&[("f", "a"), ("f", "b"), ("g", "a")])).is_ok());
        let names: Vec<String> = found.fields(&Default::default()).into_iter().map(|field| field.name).collect();
        assert_eq!(names, ["f:a", "f:b", "g:a"]);
        assert_eq!(found.find(b"g", b"a", 0), Some(2));
        assert_eq!(found.find(b"g", b"b", 2), None);
    }

    #[test]
    fn discovery_reads_old_versions_if_limits_of_families_count_them() {
        let versions = |cells_per_family, offset_per_family| {
            let mut scan = Scan::default();
            scan.options.versions = 3;
            (scan.options.cells_per_family, scan.options.offset_per_family) = (cells_per_family, offset_per_family);
            discovery(&scan).options.versions
        };
        assert_eq!((versions(None, 0), versions(Some(2), 0), versions(None, 1)), (1, 3, 3));
    }

    #[test]
    fn too_many_columns_are_refused() {
        let mut found = Columns::default();
        for number in 0..MOST_COLUMNS {
            assert!(found.discover(&page(&[("f", &number.to_string())])).is_ok());
        }
        assert!(found.discover(&page(&[("f", "more")])).is_err());
        assert_eq!(found.len(), MOST_COLUMNS);
    }

    #[test]
    fn only_whole_names_are_names() {
        let mut selection = ColumnSelection::default();
        assert_eq!(Columns::from_selection(&selection), None);
        selection.add_column(b"f", b"q");
        assert_eq!(Columns::from_selection(&selection).map(|columns| columns.len()), Some(1));
        selection.add_family(b"g");
        assert_eq!(Columns::from_selection(&selection), None);
    }

    #[test]
    fn names_that_are_no_text_are_escaped() {
        assert_eq!(escape(b"f:\xffa"), "f:\\xffa");
    }
}
