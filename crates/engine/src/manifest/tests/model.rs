//! Random edits against a model of a few lines, with reopenings in between. The file must stay small.

use super::*;
use proptest::prelude::*;
use rowstone_model::switches::Switch;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone)]
enum Step {
    Create(u8, u8),
    Drop(u8),
    Disable(u8),
    Alter(u8, u8),
    Flush(u8, u8),
    Compact(u8, u8),
    Turn(bool, bool),
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0u8..4, 0u8..3).prop_map(|(table, splits)| Step::Create(table, splits)),
        (0u8..4).prop_map(Step::Drop),
        (0u8..4).prop_map(Step::Disable),
        (0u8..4, 0u8..3).prop_map(|(table, family)| Step::Alter(table, family)),
        (0u8..4, 0u8..3).prop_map(|(table, region)| Step::Flush(table, region)),
        (0u8..4, 0u8..3).prop_map(|(table, region)| Step::Compact(table, region)),
        (any::<bool>(), any::<bool>()).prop_map(|(splits, on)| Step::Turn(splits, on)),
        Just(Step::Reopen),
    ]
}

/// Per table: whether it is enabled, and the files of family `f` per region. Also the switches that are off.
type Model = (BTreeMap<u8, (bool, Vec<BTreeSet<String>>)>, BTreeSet<Switch>);

fn edit_for(step: &Step, model: &mut Model, state: &State, serial: u64) -> Option<Edit> {
    let text = |table: &u8| format!("t{table}");
    let splits = [&b"\x00\xff"[..], b"m"];
    let (model, off) = model;
    match step {
        Step::Create(table, count) => {
            let regions = usize::from(*count) + 1;
            let is_new = !model.contains_key(table);
            is_new.then(|| model.insert(*table, (true, vec![BTreeSet::new(); regions])));
            is_new.then(|| create(&text(table), &["f"], &splits[..regions - 1], state.next_region_id(5)))
        }
        Step::Drop(table) => model.remove(table).map(|_| Edit::DropTable { table: name(&text(table)) }),
        Step::Disable(table) => {
            model.get_mut(table)?.0 = false;
            Some(Edit::SetTableState { table: name(&text(table)), state: TableState::Disabled })
        }
        Step::Alter(table, family) => {
            model.get(table)?;
            Some(Edit::AlterTable { descriptor: super::table(&text(table), &["f", &format!("g{family}")]) })
        }
        Step::Flush(table, region) | Step::Compact(table, region) => {
            let files = model.get_mut(table)?.1.get_mut(usize::from(*region))?;
            let entry = &state.tables[&name(&text(table))].regions[usize::from(*region)];
            let remove = if matches!(step, Step::Compact(..)) { std::mem::take(files) } else { BTreeSet::new() };
            let path = file_path(&entry.info, b"f", &format!("{serial:032x}"));
            files.insert(path.clone());
            let (region, family, add) = (entry.info.encoded_name.clone(), b"f".to_vec(), vec![file(&path, serial)]);
            let remove = remove.into_iter().collect();
            Some(Edit::ReplaceFiles {
                region,
                family,
                remove,
                add,
                flushed_sequence_id: Some(serial),
                last_write_ms: None,
            })
        }
        Step::Turn(splits, on) => {
            let switch = if *splits { Switch::Split } else { Switch::Balancer };
            let _ = if *on { off.remove(&switch) } else { off.insert(switch) };
            Some(Edit::TurnSwitch { switch, on: *on })
        }
        Step::Reopen => None,
    }
}

fn assert_same((model, off): &Model, state: &State) {
    assert_eq!(state.off, *off);
    assert_eq!(state.tables.len(), model.len());
    for ((table, (is_enabled, regions)), entry) in model.iter().zip(state.tables.values()) {
        assert_eq!(entry.descriptor.name, name(&format!("t{table}")));
        assert_eq!(entry.state == TableState::Enabled, *is_enabled);
        let files =
            |region: &RegionEntry| region.stores[&b"f"[..]].files.iter().map(|file| file.path.clone()).collect();
        assert_eq!(*regions, entry.regions.iter().map(files).collect::<Vec<BTreeSet<String>>>());
    }
    let live = model.values().flat_map(|table| &table.1).flatten().map(String::as_str).collect::<BTreeSet<_>>();
    assert_eq!(state.live_paths(), live);
}

proptest! {
    #[test]
    fn the_manifest_is_the_sum_of_its_edits(steps in proptest::collection::vec(step(), 1..60)) {
        let system = memory();
        let mut manifest = Manifest::open(&system, directory(), true).unwrap();
        let mut model = Model::default();
        for (serial, step) in steps.iter().enumerate() {
            if matches!(step, Step::Reopen) {
                manifest = Manifest::open(&system, directory(), false).unwrap();
            }
            if let Some(edit) = edit_for(step, &mut model, &manifest.state(), serial as u64 + 1) {
                manifest.commit(&[edit]).unwrap();
            }
            assert_same(&model, &manifest.state());
        }
        prop_assert_eq!(&read(&*system.files, directory()).unwrap(), &*manifest.state());
    }
}

#[test]
fn a_file_that_has_grown_is_made_anew() {
    let system = memory();
    let manifest = Manifest::open(&system, directory(), true).unwrap();
    manifest.commit(&[create("t", &["f"], &[], 1)]).unwrap();
    let region = manifest.state().tables[&name("t")].regions[0].info.encoded_name.clone();
    for sequence_id in 0..5000 {
        manifest.commit(&[Edit::RecordSequenceId { region: region.clone(), sequence_id }]).unwrap();
    }
    assert!(system.files.read(&directory().join("MANIFEST")).unwrap().len() < 100_000);
    let state = read(&*system.files, directory()).unwrap();
    assert_eq!((&state, state.tables[&name("t")].regions[0].last_sequence_id), (&*manifest.state(), 4999));
    assert!(!system.files.exists(&directory().join("MANIFEST.tmp")));
}
