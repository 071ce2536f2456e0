//! The two stacks of the parser: operands and operators.

use crate::error::{Error, Result};
use crate::filter::{Filter, ListOperator};

/// An entry of the operator stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Skip,
    While,
    And,
    Or,
    Open,
}

impl Operator {
    /// Precedence: a smaller number binds tighter.
    fn rank(self) -> u8 {
        match self {
            Self::Skip | Self::While => 1,
            Self::And => 2,
            Self::Or => 3,
            Self::Open => u8::MAX,
        }
    }
}

/// Filters waiting for an operator, and operators waiting for their filters.
#[derive(Default)]
pub(super) struct Stacks {
    filters: Vec<Filter>,
    operators: Vec<Operator>,
}

impl Stacks {
    /// Handles a filter.
    pub(super) fn push_filter(&mut self, filter: Filter) {
        self.filters.push(filter);
    }

    /// Handles an opening parenthesis.
    pub(super) fn open(&mut self) {
        self.operators.push(Operator::Open);
    }

    /// Handles an operator: preceding ones that bind tighter are applied first.
    pub(super) fn push_operator(&mut self, operator: Operator) -> Result<()> {
        while self.operators.last().is_some_and(|last| *last != Operator::Open && last.rank() < operator.rank()) {
            self.apply()?;
        }
        self.operators.push(operator);
        Ok(())
    }

    /// Handles a closing parenthesis. As in HBase, the operator after the first one applied is dropped, so only one
    /// kind of operator may appear between parentheses.
    pub(super) fn close(&mut self) -> Result<()> {
        const MISMATCHED: &str = "unmatched closing parenthesis, or operators of two kinds between parentheses";
        match self.operators.last() {
            None => return Err(Error::invalid(MISMATCHED)),
            Some(Operator::Open) => {
                self.operators.pop();
                return Ok(());
            }
            Some(_) => {}
        }
        loop {
            self.apply()?;
            match self.operators.pop() {
                None => return Err(Error::invalid(MISMATCHED)),
                Some(Operator::Open) => return Ok(()),
                Some(_) => {}
            }
        }
    }

    /// Handles the end of the text.
    pub(super) fn finish(mut self) -> Result<Filter> {
        while !self.operators.is_empty() {
            self.apply()?;
        }
        match (self.filters.pop(), self.filters.is_empty()) {
            (Some(filter), true) => Ok(filter),
            (None, _) => Err(Error::invalid("there is no filter in it")),
            (Some(_), false) => Err(Error::invalid("two adjacent filters need AND or OR between them")),
        }
    }

    /// Applies the last operator to its filters; neighbors of the same kind become one list.
    fn apply(&mut self) -> Result<()> {
        let Some(&operator) = self.operators.last() else { return Ok(()) };
        let filter = match operator {
            Operator::And => self.list(operator, "AND", ListOperator::MustPassAll)?,
            Operator::Or => self.list(operator, "OR", ListOperator::MustPassOne)?,
            Operator::Skip => {
                let filter = Box::new(self.pop_filter("SKIP needs a filter")?);
                self.operators.pop();
                Filter::SkipFilter { filter }.check()?
            }
            Operator::While => {
                let filter = Box::new(self.pop_filter("WHILE needs a filter")?);
                self.operators.pop();
                Filter::WhileMatchFilter { filter }.check()?
            }
            Operator::Open => {
                let filter = self.pop_filter("there is no filter between parentheses")?;
                self.operators.pop();
                filter
            }
        };
        self.filters.push(filter);
        Ok(())
    }

    fn list(&mut self, kind: Operator, word: &str, operator: ListOperator) -> Result<Filter> {
        let missing = format!("{word} needs a filter on both sides");
        let mut filters = Vec::new();
        while self.operators.last() == Some(&kind) {
            filters.push(self.pop_filter(&missing)?);
            self.operators.pop();
        }
        filters.push(self.pop_filter(&missing)?);
        filters.reverse();
        Filter::FilterList { operator, filters }.check()
    }

    fn pop_filter(&mut self, missing: &str) -> Result<Filter> {
        self.filters.pop().ok_or_else(|| Error::invalid(missing))
    }
}
