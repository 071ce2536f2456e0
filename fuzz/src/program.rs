//! Runs all targets, two at a time, each in a process of its own; prints a table at the end.

use crate::targets;
use crate::worker::{last_input, Outcome};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// Number of concurrent processes.
const LANES: usize = 2;

struct Line {
    name: &'static str,
    outcome: Option<Outcome>,
}

fn outcome(text: &str) -> Option<Outcome> {
    let numbers: Vec<u64> = text.lines().last()?.split(' ').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let [executions, edges, corpus, crashes] = numbers[..] else { return None };
    Some(Outcome { executions, edges: edges as usize, corpus: corpus as usize, crashes: crashes as usize })
}

/// Runs one target. A process that died has left its input.
fn run_target(root: &Path, name: &'static str, seconds: u64, seed: u64) -> std::io::Result<Line> {
    let mut command = Command::new(std::env::current_exe()?);
    let output =
        command.args(["worker", name, &seconds.to_string(), &seed.to_string()]).stderr(Stdio::inherit()).output()?;
    let outcome = outcome(&String::from_utf8_lossy(&output.stdout));
    if outcome.is_none() {
        let path = root.join("artifacts").join(format!("{name}-died"));
        std::fs::write(&path, last_input(root, name).unwrap_or_default())?;
        eprintln!("{name}: the process died ({}); its input is {}", output.status, path.display());
    }
    std::fs::remove_file(root.join("artifacts").join(format!("{name}.current")))?;
    Ok(Line { name, outcome })
}

/// Runs every target for `seconds` seconds. Returns whether nothing was found.
pub fn run(root: &Path, seconds: u64, seed: u64) -> Result<bool, String> {
    let mut names: Vec<&'static str> = targets::all().iter().map(|target| target.name).collect();
    let count = names.len();
    names.reverse();
    let (queue, lines) = (Mutex::new(names), Mutex::new(Vec::new()));
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..LANES {
            scope.spawn(|| loop {
                let Some(name) = queue.lock().unwrap().pop() else { return };
                match run_target(root, name, seconds, seed) {
                    Ok(line) => lines.lock().unwrap().push(line),
                    Err(error) => *failed.lock().unwrap() = Some(format!("{name}: {error}")),
                }
                eprintln!("{} of {count}: {name}", lines.lock().unwrap().len());
            });
        }
    });
    if let Some(message) = failed.into_inner().unwrap() {
        return Err(message);
    }
    Ok(table(&mut lines.into_inner().unwrap(), seconds, seed))
}

fn table(lines: &mut [Line], seconds: u64, seed: u64) -> bool {
    lines.sort_by_key(|line| line.name);
    println!("| target | executions | edges | inputs | crashes |\n|---|---:|---:|---:|---:|");
    let (mut executions, mut crashes) = (0, 0);
    for line in lines.iter() {
        match line.outcome {
            Some(found) => {
                println!(
                    "| {} | {} | {} | {} | {} |",
                    line.name, found.executions, found.edges, found.corpus, found.crashes
                );
                executions += found.executions;
                crashes += found.crashes;
            }
            None => {
                println!("| {} | | | | died |", line.name);
                crashes += 1;
            }
        }
    }
    println!("{} targets, {seconds} s each, seed {seed}: {executions} executions, {crashes} crashes", lines.len());
    crashes == 0
}
