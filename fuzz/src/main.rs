//! Fuzzing of every decoder, guided by coverage, on the stable compiler and without libFuzzer.
//!
//! ```text
//! rowstone-fuzz list
//! rowstone-fuzz all SECONDS [SEED]          every target for so long, two at a time; a table at the end
//! rowstone-fuzz worker NAME SECONDS SEED    one target
//! rowstone-fuzz replay NAME FILE...         single inputs
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `random` | random numbers |
//! | `coverage` | coverage from the instrumentation |
//! | `memory` | an allocator that counts |
//! | `mutate` | mutation of an input |
//! | `targets` | the fuzzed decoders |
//! | `worker` | the loop for one target |
//! | `program` | all targets, and the table of results |

mod coverage;
mod memory;
mod mutate;
mod program;
mod random;
mod targets;
mod worker;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

fn target(name: &str) -> Result<targets::Target, String> {
    targets::all().into_iter().find(|target| target.name == name).ok_or_else(|| format!("there is no target {name}"))
}

fn number(text: Option<&String>, default: u64) -> Result<u64, String> {
    text.map_or(Ok(default), |text| text.parse().map_err(|_| format!("{text} is no number")))
}

fn replay(name: &str, files: &[String]) -> Result<bool, String> {
    let target = target(name)?;
    let mut is_well = true;
    for file in files {
        let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
        let failure = worker::run_once(&target, &bytes);
        println!("{file}: {}", failure.as_deref().unwrap_or("well"));
        is_well &= failure.is_none();
    }
    Ok(is_well)
}

fn run(arguments: &[String]) -> Result<bool, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let argument = |at: usize| arguments.get(at).map(String::as_str);
    match (argument(0), argument(1)) {
        (Some("list"), _) => {
            targets::all().iter().for_each(|target| println!("{}", target.name));
            Ok(true)
        }
        (Some("all"), _) => program::run(root, number(arguments.get(1), 10)?, number(arguments.get(2), 1)?),
        (Some("worker"), Some(name)) => {
            worker::watch_panics();
            let (seconds, seed) = (number(arguments.get(2), 10)?, number(arguments.get(3), 1)?);
            let target = target(name)?;
            let mut worker = worker::Worker::new(&target, root, seed).map_err(|error| error.to_string())?;
            let outcome = worker.run(Duration::from_secs(seconds)).map_err(|error| error.to_string())?;
            println!("{} {} {} {}", outcome.executions, outcome.edges, outcome.corpus, outcome.crashes);
            Ok(outcome.crashes == 0)
        }
        (Some("replay"), Some(name)) => {
            worker::watch_panics();
            replay(name, &arguments[2..])
        }
        _ => Err("list | all SECONDS [SEED] | worker NAME SECONDS SEED | replay NAME FILE...".into()),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}
