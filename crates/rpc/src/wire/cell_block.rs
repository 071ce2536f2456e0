//! Cell blocks (`KeyValueCodecWithTags`): `u32 length | KeyValue` per cell, with tags only for cells that have some.

use super::Malformed;
use rowstone_model::cell::{Cell, CellBuffer, Layout};

/// Appends the cells to `block`.
pub fn encode_cells(cells: &CellBuffer, block: &mut Vec<u8>) {
    block.reserve(cells.byte_len() + cells.byte_len() / 16 + 16);
    for cell in cells {
        append_cell(&cell, true, block);
    }
}

/// Appends a cell to `block`, without its tags if the peer's codec does not support them.
#[inline]
pub fn append_cell(cell: &Cell<'_>, with_tags: bool, block: &mut Vec<u8>) {
    let layout = if with_tags { layout_of(cell) } else { Layout::PLAIN };
    block.extend_from_slice(&(cell.written_len(layout) as u32).to_be_bytes());
    cell.write(block, layout);
}

fn layout_of(cell: &Cell<'_>) -> Layout {
    if cell.tags().is_empty() {
        Layout::PLAIN
    } else {
        Layout::TAGGED
    }
}

/// Reads cells from the front of a block.
#[derive(Debug, Clone, Copy)]
pub struct BlockReader<'a> {
    block: &'a [u8],
}

impl<'a> BlockReader<'a> {
    /// A reader at the first cell.
    pub fn new(block: &'a [u8]) -> Self {
        BlockReader { block }
    }

    /// Number of unread bytes.
    pub fn remaining(&self) -> usize {
        self.block.len()
    }

    /// The next cell's KeyValue.
    #[inline]
    fn key_value(&mut self) -> Result<&'a [u8], Malformed> {
        let Some((length, rest)) = self.block.split_first_chunk::<4>() else {
            return Err(Malformed("a cell block that ends before its cells"));
        };
        let length = u32::from_be_bytes(*length) as usize;
        let Some((key_value, rest)) = rest.split_at_checked(length) else {
            return Err(Malformed("a cell longer than its block"));
        };
        self.block = rest;
        Ok(key_value)
    }

    /// Appends the next `count` cells to `out`.
    pub fn take(&mut self, count: usize, out: &mut CellBuffer) -> Result<(), Malformed> {
        for _ in 0..count {
            out.push_key_value(self.key_value()?)?;
        }
        Ok(())
    }

    /// Skips the next `count` cells.
    pub fn skip(&mut self, count: usize) -> Result<(), Malformed> {
        for _ in 0..count {
            self.key_value()?;
        }
        Ok(())
    }
}
