//! Guards of a mutation: called with the row locked, before anything is written.

use super::Region;
use rowstone_model::cell::{Cell, CellBuffer};
use rowstone_model::operations::{
    CellBatch, ColumnSelection, ComparedCondition, Condition, Get, Guard, Mutation, ReadOptions, RowGuard,
    ValueCondition,
};
use rowstone_model::Result;

impl Region {
    /// Calls the guard of `mutation`, if it has one, with the cells of `planned` from byte `start` on.
    #[inline]
    pub(super) fn ask_before_write(
        &self,
        mutation: &Mutation,
        planned: &CellBuffer,
        start: usize,
        now: i64,
    ) -> Result<()> {
        let Some(guard) = &mutation.guard else { return Ok(()) };
        let cells: Vec<Cell<'_>> = planned.range(start, planned.byte_len()).collect();
        guard.0.check_write(mutation, &cells, now, &|options| self.row_as_it_is(&mutation.row, options))
    }

    /// Asks whether a condition may read its column. Permission to read the whole row was checked before.
    pub(super) fn ask_before_condition(
        &self,
        guard: &Guard<dyn RowGuard>,
        row: &[u8],
        condition: &Condition,
    ) -> Result<()> {
        let mut columns = ColumnSelection::default();
        match condition {
            Condition::Value(ValueCondition { family, qualifier, .. })
            | Condition::Compared(ComparedCondition { family, qualifier, .. }) => columns.add_column(family, qualifier),
            Condition::Matches { .. } => {}
        }
        guard.0.check_read(&columns, self.now(), &|options| self.row_as_it_is(row, options))
    }

    fn row_as_it_is(&self, row: &[u8], options: ReadOptions) -> Result<CellBatch> {
        let mut batch = CellBatch::default();
        self.get(&Get::new(row, options), &mut batch)?;
        Ok(batch)
    }
}
