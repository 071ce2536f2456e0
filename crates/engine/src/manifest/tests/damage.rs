//! Damage is reported, a torn last frame is cut off, and directories of other programs are left alone.

use super::*;
use crate::sys::faulty::FaultyFileSystem;
use proptest::prelude::*;
use std::path::PathBuf;

fn path() -> PathBuf {
    directory().join("MANIFEST")
}

fn create_manifest() -> (FaultyFileSystem, System) {
    let files = FaultyFileSystem::new();
    let system = system_on(files.clone());
    let manifest = Manifest::open(&system, directory(), true).unwrap();
    manifest.commit(&[create("t", &["f"], &[], 1)]).unwrap();
    manifest.commit(&[create("u", &["f"], &[], 2)]).unwrap();
    (files, system)
}

#[test]
fn a_flipped_bit_anywhere_is_damage_and_never_another_state() {
    let (files, system) = create_manifest();
    let length = files.read(&path()).unwrap().len();
    let good = read(&files, directory()).unwrap();
    for at in 0..length - crate::frame::MARK_BYTES {
        let (files, _) = create_manifest();
        files.damage(&path(), |bytes| bytes[at] ^= 1 << (at % 8)).unwrap();
        let before = files.read(&path()).unwrap();
        for result in [
            read(&files, directory()),
            Manifest::open(&system_on(files.clone()), directory(), true).map(|_| good.clone()),
        ] {
            let kind = result.expect_err("damaged").kind();
            assert!(kind == ErrorKind::Corruption || kind == ErrorKind::Unsupported, "{at}");
        }
        assert_eq!(files.read(&path()).unwrap(), before, "nothing was changed");
    }
    drop(system);
}

#[test]
fn a_torn_last_frame_is_cut_and_a_torn_first_one_is_damage() {
    let (files, system) = create_manifest();
    let good = read(&files, directory()).unwrap();
    files.damage(&path(), |bytes| bytes.extend_from_slice(&[0, 1, 2, 3, 0, 0, 0, 200, b'{'])).unwrap();
    assert_eq!(read(&files, directory()).unwrap(), good);
    assert_eq!(*Manifest::open(&system, directory(), false).unwrap().state(), good);
    for length in 0..40 {
        files.damage(&path(), |bytes| bytes.truncate(length)).unwrap();
        assert_eq!(read(&files, directory()).unwrap_err().kind(), ErrorKind::Corruption);
        files.damage(&path(), |bytes| bytes.resize(40, 0)).unwrap();
    }
}

#[test]
fn other_directories_are_refused_and_left_alone() {
    let files = FaultyFileSystem::new();
    let system = system_on(files.clone());
    assert_eq!(inspect(&files, directory()).unwrap(), Standing::Missing);
    assert_eq!(Manifest::open(&system, directory(), false).err().unwrap().kind(), ErrorKind::NotADatabase);
    files.create_dir_all(directory()).unwrap();
    assert_eq!(inspect(&files, directory()).unwrap(), Standing::Vacant);
    files.create(&directory().join("thesis.tex")).unwrap();
    assert_eq!(inspect(&files, directory()).unwrap(), Standing::Foreign("thesis.tex".into()));
    let error = Manifest::open(&system, directory(), true).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::NotADatabase);
    assert!(error.message().contains("thesis.tex"));
    assert_eq!(files.list(directory()).unwrap().len(), 1);
}

#[test]
fn a_database_without_its_manifest_is_damaged_not_foreign() {
    let files = FaultyFileSystem::new();
    files.create_dir_all(directory()).unwrap();
    files.create_dir_all(&directory().join("WALs")).unwrap();
    assert_eq!(inspect(&files, directory()).unwrap(), Standing::Headless("WALs".into()));
    let error = Manifest::open(&system_on(files.clone()), directory(), true).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Corruption);
}

#[test]
fn another_format_says_so() {
    let (files, system) = create_manifest();
    for (format, advice) in [(3, "newer"), (1, "before the first release")] {
        files
            .damage(&path(), |bytes| {
                bytes[11] = format;
                let checksum = crc32c::crc32c(&bytes[..28]);
                bytes[28..32].copy_from_slice(&checksum.to_be_bytes());
            })
            .unwrap();
        let error = Manifest::open(&system, directory(), true).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.message().contains(&format!("format {format}")), "{error}");
        assert!(error.message().contains(advice), "{error}");
    }
}

proptest! {
    #[test]
    fn random_bytes_are_no_manifest(bytes in proptest::collection::vec(any::<u8>(), 0..400), keeps in 0usize..700) {
        let (files, _) = create_manifest();
        files.damage(&path(), |content| {
            content.truncate(keeps);
            content.extend_from_slice(&bytes);
        }).unwrap();
        match read(&files, directory()) {
            Ok(state) => prop_assert!(state.tables.len() <= 2),
            // Random bytes in the header may look like a later version.
            Err(error) => prop_assert!([ErrorKind::Corruption, ErrorKind::Unsupported].contains(&error.kind())),
        }
    }
}

#[test]
fn a_full_disk_needs_room_for_the_edits_only() {
    let (files, system) = create_manifest();
    let manifest = Manifest::open(&system, directory(), false).unwrap();
    for number in 0..100 {
        manifest.commit(&[create(&format!("t{number}"), &["f"], &[], 10 + number)]).unwrap();
    }
    // Enough edits that the next commit would normally rewrite the file.
    let dropped = |name: &str| Edit::DropTable { table: rowstone_model::schema::TableName::parse(name).unwrap() };
    for number in 0..400 {
        manifest.commit(&[create("more", &["f"], &[], 1000 + number)]).unwrap();
        manifest.commit(&[dropped("more")]).unwrap();
    }
    let whole = files.read(&path()).unwrap().len();
    // A full disk: commits use the space reserved behind the end of the file, until it is used up.
    files.set_capacity(files.occupied());
    let mut more = 0;
    while manifest.commit(&[create(&format!("m{more}"), &["f"], &[], 2000 + more)]).is_ok() {
        more += 1;
    }
    assert!(more > 100, "{more} commits on a full disk");
    for number in 0..100 {
        files.set_capacity(files.occupied() + 40);
        manifest.commit(&[create("large", &["f"], &[], 2000 + more)]).unwrap_err();
        files.set_capacity(files.occupied() + 600);
        manifest.commit(&[dropped(&format!("t{number}"))]).expect("an edit fits, if not a second manifest");
    }
    assert!(files.read(&path()).unwrap().len() > whole / 2);
    let expected = manifest.state();
    manifest.close();
    assert_eq!(*Manifest::open(&system, directory(), false).unwrap().state(), *expected);
}
