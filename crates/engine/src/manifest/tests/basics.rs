//! The manifest without failures.

use super::*;

#[test]
fn a_new_database_has_its_namespaces_and_an_id() {
    let system = memory();
    let manifest = Manifest::open(&system, directory(), true).unwrap();
    let state = manifest.state();
    assert_eq!(state.namespaces.keys().collect::<Vec<_>>(), ["default", "hbase"]);
    assert_eq!(state.database_id.len(), 36);
    assert_eq!(state.database_id.as_bytes()[14], b'4');
    drop(manifest);
    assert_eq!(*Manifest::open(&system, directory(), false).unwrap().state(), *state);
}

#[test]
fn commits_are_there_after_reopening() {
    let system = memory();
    let manifest = Manifest::open(&system, directory(), true).unwrap();
    let namespace = NamespaceDescriptor { name: "ns".into(), properties: [("a".into(), "b".into())].into() };
    manifest.commit(&[Edit::PutNamespace { namespace }, create("ns:t", &["f", "g"], &[b"m\x00\xff\\"], 5)]).unwrap();
    let region = manifest.state().tables[&name("ns:t")].regions[1].info.encoded_name.clone();
    let half = Half { split_row: b"\x01x".to_vec(), is_top: true };
    let add = vec![FileEntry { reference: Some(half), is_major: true, ..file("data/x", 9) }, file("data/y", 3)];
    let family = b"g".to_vec();
    let edit =
        Edit::ReplaceFiles { region, family, remove: vec![], add, flushed_sequence_id: Some(12), last_write_ms: None };
    manifest.commit(&[edit]).unwrap();
    let disabled = Edit::SetTableState { table: name("ns:t"), state: TableState::Disabled };
    let state = manifest.commit(&[disabled]).unwrap();
    assert_eq!(read(&*system.files, directory()).unwrap(), *state);
    let reopened = Manifest::open(&system, directory(), false).unwrap();
    assert_eq!(*reopened.state(), *state);
    let entry = &state.tables[&name("ns:t")].regions[1];
    assert_eq!((entry.last_sequence_id, entry.stores[&b"g"[..]].flushed_sequence_id), (12, 12));
    assert_eq!(state.live_paths().into_iter().collect::<Vec<_>>(), ["data/x", "data/y"]);
    assert_eq!(state.last_region_id, 5);
}

#[test]
fn an_edit_that_does_not_fit_changes_nothing() {
    let system = memory();
    let manifest = Manifest::open(&system, directory(), true).unwrap();
    manifest.commit(&[create("t", &["f"], &[], 1)]).unwrap();
    let before = manifest.state();
    let namespace = NamespaceDescriptor { name: "left".into(), properties: Default::default() };
    let unknown = [
        Edit::DropTable { table: name("u") },
        Edit::DropNamespace { name: "hbase".into() },
        Edit::DropNamespace { name: "nobody".into() },
        create("t", &["f"], &[], 2),
        create("nobody:t", &["f"], &[], 2),
        Edit::RecordSequenceId { region: "0".into(), sequence_id: 1 },
        Edit::SetRegions { table: name("t"), regions: vec![] },
        Edit::ReplaceRegions { table: name("t"), remove: vec!["0".into()], add: vec![] },
        Edit::ReplaceRegions { table: name("t"), remove: vec![], add: regions(&table("t", &["f"]), &[b"m"], 4) },
        Edit::SetRegions { table: name("t"), regions: regions(&table("u", &["f"]), &[], 3) },
        Edit::SetRegions { table: name("t"), regions: regions(&table("t", &["g"]), &[], 3) },
    ];
    for edit in unknown {
        let error = manifest.commit(&[Edit::PutNamespace { namespace: namespace.clone() }, edit]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Internal);
    }
    assert_eq!(manifest.state(), before);
    assert_eq!(read(&*system.files, directory()).unwrap(), *before);
}

#[test]
fn a_split_keeps_the_parents_files_until_both_daughters_have_their_own() {
    let system = memory();
    let manifest = Manifest::open(&system, directory(), true).unwrap();
    manifest.commit(&[create("t", &["f"], &[b"x"], 1)]).unwrap();
    let parent = manifest.state().tables[&name("t")].regions[0].clone();
    let mut halves = regions(&table("t", &["f"]), &[b"m", b"x"], 2);
    halves.truncate(2);
    let (bottom, top) = (halves[0].info.clone(), halves[1].info.clone());
    for (half, is_top) in halves.iter_mut().zip([false, true]) {
        let reference = Some(Half { split_row: b"m".to_vec(), is_top });
        half.stores.get_mut(&b"f"[..]).unwrap().files = vec![FileEntry { reference, ..file("data/old", 7) }];
        half.split = Some(Split { parent: parent.info.clone(), bottom: bottom.clone(), top: top.clone() });
    }
    let remove = vec![parent.info.encoded_name.clone()];
    manifest.commit(&[Edit::ReplaceRegions { table: name("t"), remove, add: halves.clone() }]).unwrap();
    for (daughter, path) in [(&bottom, "data/a"), (&top, "data/b")] {
        assert!(manifest.state().live_paths().contains("data/old"));
        let (region, family) = (daughter.encoded_name.clone(), b"f".to_vec());
        let (remove, add) = (vec!["data/old".into()], vec![file(path, 9)]);
        let edit = Edit::ReplaceFiles { region, family, remove, add, flushed_sequence_id: None, last_write_ms: None };
        manifest.commit(&[edit]).unwrap();
        assert_eq!(manifest.state().region(&daughter.encoded_name).unwrap().1.split, None);
    }
    assert_eq!(manifest.state().live_paths().into_iter().collect::<Vec<_>>(), ["data/a", "data/b"]);
    assert_eq!(manifest.state().tables[&name("t")].regions.len(), 3);
    assert_eq!(read(&*system.files, directory()).unwrap(), *manifest.state());
}

#[test]
fn region_names_are_those_of_hbase() {
    let info = new_region(&name("ns:t"), b"m".to_vec(), Vec::new(), 17);
    assert_eq!(info.name_without_hash(), b"ns:t,m,17");
    assert_eq!(info.encoded_name, "f2e6d809034ad085a0d10bfd93eaaecb", "as md5sum says");
    let key = region_key(&info).unwrap();
    assert_eq!(key.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), info.encoded_name);
}
