//! The fuzz targets: for each decoder a function that runs it on an input, and initial inputs.

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
    /// Runs the decoder on an input. It panics if the decoder does, or if the result is wrong.
    pub run: fn(&[u8]),
    /// Initial inputs.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words of the format.
    pub words: &'static [&'static [u8]],
    /// Maximum size of an input.
    pub most_bytes: usize,
}

/// All targets.
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
