//! The sweep only moves files that the store named and no edit refers to, and only to the archive.

use super::*;

fn touch(system: &System, path: &str) {
    let path = directory().join(path);
    system.files.create_dir_all(path.parent().unwrap()).unwrap();
    system.files.create(&path).unwrap().append(b"x").unwrap();
}

#[test]
fn unreachable_files_go_to_the_archive_and_all_else_stays() {
    let system = memory();
    let manifest = Manifest::open(&system, directory(), true).unwrap();
    manifest.commit(&[create("t", &["f"], &[], 1)]).unwrap();
    let info = manifest.state().tables[&name("t")].regions[0].info.clone();
    let region = format!("data/default/t/{}", info.encoded_name);
    let dead_region = format!("data/default/gone/{:032x}", 77);
    let hex = |number: u32| format!("{number:032x}");
    let live = file_path(&info, b"f", &hex(1));
    let (orphan, loaded) = (file_path(&info, b"f", &hex(2)), file_path(&info, b"f", &format!("{}_SeqId_12_", hex(3))));
    let dead = format!("{dead_region}/f/{}", hex(4));
    let unfinished = [format!("{region}/.tmp/f/{}", hex(5)), format!(".tmp/{}", hex(6))];
    let foreign = [
        file_path(&info, b"f", "notes.txt"),
        format!("data/default/t/{}", hex(7)),
        format!("data/default/t/other/f/{}", hex(8)),
        file_path(&info, b"f", &format!("{}_SeqId_x_", hex(9))),
        format!("{region}/.tmp/f/README"),
        format!("archive/{}", file_path(&info, b"f", &hex(10))),
        format!("WALs/{}", hex(11)),
    ];
    let all = [&live, &orphan, &loaded, &dead].into_iter().chain(&unfinished).chain(&foreign);
    all.for_each(|path| touch(&system, path));
    let add = vec![file(&live, 3)];
    let (encoded, family) = (info.encoded_name.clone(), b"f".to_vec());
    let flush = Edit::ReplaceFiles {
        region: encoded,
        family,
        remove: vec![],
        add,
        flushed_sequence_id: None,
        last_write_ms: None,
    };
    let state = manifest.commit(&[flush]).unwrap();

    let mut expected = vec![orphan.clone(), loaded.clone(), dead.clone()];
    expected.sort();
    assert_eq!(find_unreachable(&*system.files, directory(), &state).unwrap().len(), 3);
    let report = sweep(&*system.files, directory(), &state).unwrap();
    let mut archived = report.archived.clone();
    archived.sort();
    assert_eq!(archived, expected);
    assert_eq!(report.deleted, unfinished);
    for path in &expected {
        assert!(!system.files.exists(&directory().join(path)));
        assert!(system.files.exists(&directory().join("archive").join(path)));
    }
    for path in foreign.iter().chain([&live]) {
        assert!(system.files.exists(&directory().join(path)), "{path}");
    }
    assert!(!system.files.exists(&directory().join("data/default/gone")), "folders of dead tables go when empty");
    assert!(system.files.exists(&directory().join(&region).join("f")));
    assert_eq!(sweep(&*system.files, directory(), &state).unwrap(), SweepReport::default());
}
