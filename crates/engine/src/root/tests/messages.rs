//! Names and messages of a root.

use crate::manifest::{new_region, Half};
use crate::root::messages::{read_description, read_manifest, write_manifest, Manifest, NamedFile, RegionFiles};
use crate::root::{meaning_of, sequence_id_in};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};

const PARENT: &str = "0123456789abcdef0123456789abcdef";

fn name_file(name: &str, split_row: Option<&str>) -> NamedFile {
    let half = split_row.map(|row| Half { split_row: row.into(), is_top: false });
    NamedFile { name: name.into(), half, size_bytes: 7 }
}

fn region() -> RegionFiles {
    let table = TableName::new("n", "t").unwrap();
    let info = new_region(&table, b"a".to_vec(), Vec::new(), 5);
    let files = vec![name_file("feed", None), name_file(&format!("beef.{PARENT}"), Some("m"))];
    RegionFiles { info, is_shadow: false, families: vec![(b"f".to_vec(), files)] }
}

#[test]
fn a_manifest_survives_both_ways() {
    let mut family = FamilyDescriptor::new("f");
    family.attributes.insert("VERSIONS".into(), "3".into());
    family.configuration.insert("c".into(), "d".into());
    let mut descriptor = TableDescriptor::new(region().info.table).with_family(family);
    descriptor.attributes.insert("OWNER".into(), "me".into());
    let bytes = write_manifest(&Manifest { descriptor: descriptor.clone(), regions: vec![region()] });
    let again = read_manifest(&bytes).unwrap().unwrap();
    assert_eq!((&again.descriptor.name, &again.descriptor.attributes), (&descriptor.name, &descriptor.attributes));
    let family = &again.descriptor.families[b"f".as_slice()];
    assert_eq!((family.attributes["VERSIONS"].as_str(), family.configuration["c"].as_str()), ("3", "d"));
    let [found] = &again.regions[..] else { unreachable!("one region was written") };
    assert_eq!((&found.info, found.is_shadow), (&region().info, false));
    assert_eq!(found.families, region().families);
}

#[test]
fn damaged_messages_are_refused() {
    assert!(read_description(b"\x0a\x05ab").is_err());
    assert!(read_manifest(b"\x0a\xff").is_err());
    // A table without a name.
    assert!(read_manifest(b"").unwrap().is_err());
}

#[test]
fn names_mean_files_of_regions() {
    let own = region().info.encoded_name;
    for (name, half, table, region_name, file) in [
        ("feed", false, "n:t", own.as_str(), "feed"),
        ("feed_SeqId_4_", false, "n:t", own.as_str(), "feed_SeqId_4_"),
        (&format!("feed.{PARENT}"), true, "n:t", PARENT, "feed"),
        (&format!("u={PARENT}-feed"), false, "u", PARENT, "feed"),
        (&format!("n2=u={PARENT}-feed"), false, "n2:u", PARENT, "feed"),
        (&format!("u={PARENT}-feed.{own}"), true, "u", PARENT, "feed"),
    ] {
        let meant = meaning_of(&region().info, name, half).unwrap();
        assert_eq!(
            (meant.table.to_string().as_str(), meant.region.as_str(), meant.file.as_str()),
            (table, region_name, file)
        );
    }
}

#[test]
fn names_lead_nowhere_else() {
    for name in ["", "../feed", "a/b", "u=../x-feed", "u=feed", "feed.x"] {
        assert!(meaning_of(&region().info, name, false).is_err(), "{name}");
    }
    assert!(meaning_of(&region().info, "feed", true).is_err());
}

#[test]
fn a_name_tells_when_a_file_was_loaded() {
    assert_eq!(sequence_id_in("feed_SeqId_17_"), Some(17));
    assert_eq!((sequence_id_in("feed"), sequence_id_in("feed_SeqId_x_")), (None, None));
}
