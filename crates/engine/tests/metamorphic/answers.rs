//! Runs a stream under a configuration: a hash of each result.

use super::configuration::{table_name, Configuration, Event};
use super::operation::Operation;
use rowstone_engine::sys::{FileSystem, ManualClock, MemoryFileSystem, SeededEntropy, System};
use rowstone_model::backend::Backend;
use rowstone_model::schema::TableState;
use std::path::Path;
use std::sync::Arc;

struct Run<'c> {
    configuration: &'c Configuration,
    system: System,
    database: Arc<dyn Backend>,
}

impl Run<'_> {
    fn event(&mut self, event: Event) {
        let (name, admin) = (table_name(), self.database.admin());
        match event {
            Event::Flush => admin.flush(Some(&name)).unwrap(),
            Event::Compact { major } => admin.compact(&name, None, major).unwrap(),
            Event::DisableAndEnable => {
                admin.set_table_state(&name, TableState::Disabled).unwrap();
                admin.set_table_state(&name, TableState::Enabled).unwrap();
            }
            Event::Reopen => {
                self.database.close().unwrap();
                self.database = self.configuration.open(&self.system);
            }
        }
    }
}

/// Passes every result to `take`.
fn each_answer(operations: &[Operation], configuration: &Configuration, mut take: impl FnMut(&str)) {
    let files = MemoryFileSystem::new();
    files.create_dir_all(Path::new("/")).unwrap();
    let clock = Arc::new(ManualClock::new(1));
    let entropy = Arc::new(SeededEntropy::new(configuration.seed));
    let system = System { files: Arc::new(files), clock: clock.clone(), entropy };
    let database = configuration.open(&system);
    let splits = configuration.splits.iter().map(|key| key.clone().into_bytes()).collect();
    database.admin().create_table(configuration.table(), splits).unwrap();
    let mut run = Run { configuration, system, database };
    let mut answer = String::new();
    for operation in operations {
        clock.set(operation.at_ms);
        for event in configuration.events(operation.number) {
            run.event(event);
        }
        answer.clear();
        operation.run(&*run.database.table(&table_name()).unwrap(), &mut answer);
        take(&answer);
    }
    run.database.close().unwrap();
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The hashes of all results.
pub fn answers(operations: &[Operation], configuration: &Configuration) -> Vec<u64> {
    let mut hashes = Vec::with_capacity(operations.len());
    each_answer(operations, configuration, |answer| hashes.push(hash(answer)));
    hashes
}

/// One result in full.
pub fn answer_at(operations: &[Operation], configuration: &Configuration, at: usize) -> String {
    let mut all = Vec::new();
    each_answer(&operations[..=at], configuration, |answer| all.push(answer.to_string()));
    all.pop().unwrap_or_default()
}
