//! What is fuzzed: for each decoder what it does with an input, and inputs to begin with.

mod blocks;
mod cells;
mod filters;
mod hfile;
mod journals;
mod messages;
mod tables;

/// A decoder under test.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name on the command line, and of its folder of inputs.
    pub name: &'static str,
    /// Gives an input to the decoder. It panics where the decoder does, or answers what it should not.
    pub run: fn(&[u8]),
    /// Inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words of the format.
    pub words: &'static [&'static [u8]],
    /// No input grows beyond this.
    pub most_bytes: usize,
}

/// All of them.
pub fn all() -> Vec<Target> {
    [
        hfile::targets(),
        blocks::targets(),
        tables::targets(),
        journals::targets(),
        cells::targets(),
        messages::targets(),
        filters::targets(),
    ]
    .concat()
}
