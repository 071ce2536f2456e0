//! `GetStoreFile`: the paths of a region's store files, by family.

use super::support::{disk, name, serve_on, Served};
use rowstone_model::cell::{CellParts, CellType};
use rowstone_model::operations::{Get, Mutation, MutationKind};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use rowstone_rpc::proto::{
    ClearRegionBlockCacheRequest, ClearRegionBlockCacheResponse, CompactRegionRequest, Empty, GetRegionInfoRequest,
    GetRegionInfoResponse, GetStoreFileRequest, GetStoreFileResponse, RegionSpecifier,
};

/// Writes one cell to each named family of a row and flushes the table.
fn write(served: &Served, row: &str, families: &[&str]) {
    let mut put = Mutation::new(MutationKind::Put, row);
    for family in families {
        put.cells.push(CellParts {
            row: row.as_bytes(),
            family: family.as_bytes(),
            qualifier: b"q",
            timestamp: 5,
            cell_type: CellType::Put,
            value: b"value",
            tags: b"",
        });
    }
    served.engine.table(&name()).unwrap().mutate(put).unwrap();
    served.engine.admin().flush(Some(&name())).unwrap();
}

/// The response to a request, or the class of the exception.
fn store_files(served: &Served, region: RegionSpecifier, families: &[&str]) -> Result<Vec<String>, String> {
    let family = families.iter().map(|family| family.as_bytes().to_vec()).collect();
    let mut admin = served.connect("AdminService");
    let answer = admin.call::<GetStoreFileResponse>("GetStoreFile", &GetStoreFileRequest { region, family });
    answer.map(|answer| answer.store_file).map_err(|(class, _)| class)
}

#[test]
fn store_files_are_listed_by_region_and_family() {
    let served = serve_on(&disk());
    let table = TableDescriptor::new(name()).with_family(FamilyDescriptor::new("f"));
    let table = table.with_family(FamilyDescriptor::new("g"));
    served.engine.admin().create_table(table, vec![b"m".to_vec()]).unwrap();
    assert_eq!(store_files(&served, served.region("a"), &["f"]), Ok(vec![]));
    write(&served, "a", &["f"]);
    write(&served, "a", &["f", "g"]);
    write(&served, "z", &["g"]);
    let count = |row, families: &[&str]| store_files(&served, served.region(row), families).unwrap().len();
    assert_eq!((count("a", &["f"]), count("a", &["g"]), count("a", &["f", "g"]), count("a", &[])), (2, 1, 3, 3));
    assert_eq!((count("z", &["f"]), count("z", &["g"]), count("z", &[])), (0, 1, 1));
    let known: Vec<String> =
        served.engine.admin().store_files(&name()).unwrap().into_iter().map(|file| file.path).collect();
    let listed = [store_files(&served, served.region("a"), &[]), store_files(&served, served.region("z"), &[])];
    assert_eq!(listed.map(Result::unwrap).concat(), known);
    served.end();
}

#[test]
fn store_files_of_meta_and_of_an_unknown_family() {
    let served = serve_on(&disk());
    served.create(&[]);
    assert_eq!(store_files(&served, RegionSpecifier::by_name(b"hbase:meta,,1"), &["info"]), Ok(vec![]));
    let class = store_files(&served, served.region("a"), &["none"]).unwrap_err();
    assert!(class.ends_with("NoSuchColumnFamilyException"), "{class}");
    served.end();
}

#[test]
fn the_region_of_large_values_compacts_the_table() {
    let served = serve_on(&disk());
    let mut family = FamilyDescriptor::new("f");
    family.attributes.insert("IS_MOB".into(), "true".into());
    served.engine.admin().create_table(TableDescriptor::new(name()).with_family(family), vec![]).unwrap();
    let plain = TableDescriptor::new(TableName::parse("plain").unwrap()).with_family(FamilyDescriptor::new("f"));
    served.engine.admin().create_table(plain, vec![]).unwrap();
    write(&served, "a", &["f"]);
    write(&served, "b", &["f"]);
    let compact = |table: &str| {
        let region = RegionSpecifier::by_name(format!("{table},.mob,0.0123456789abcdef.").as_bytes());
        let request = CompactRegionRequest { region, major: Some(true), family: None };
        served.connect("AdminService").call::<Empty>("CompactRegion", &request).map_err(|error| error.0)
    };
    compact(&name().to_string()).unwrap();
    let region = RegionSpecifier::by_name(format!("{},.mob,0.0123456789abcdef.", name()).as_bytes());
    let request = GetRegionInfoRequest { region, compaction_state: Some(true) };
    served.connect("AdminService").call::<GetRegionInfoResponse>("GetRegionInfo", &request).unwrap();
    while served.engine.admin().store_files(&name()).unwrap().len() > 1 {
        std::thread::yield_now();
    }
    assert!(compact("plain").unwrap_err().ends_with(".NotServingRegionException"));
    assert!(compact("missing").unwrap_err().ends_with(".TableNotFoundException"));
    served.end();
}

#[test]
fn the_block_cache_of_regions_is_cleared() {
    let served = serve_on(&disk());
    served.create(&["m"]);
    write(&served, "a", &["f"]);
    let read = || served.engine.table(&name()).unwrap().get(&Get::of(b"a")).unwrap();
    let clear = |regions: &[RegionSpecifier]| {
        let request = ClearRegionBlockCacheRequest { region: regions.to_vec() };
        let mut admin = served.connect("AdminService");
        admin.call::<ClearRegionBlockCacheResponse>("ClearRegionBlockCache", &request).unwrap().stats
    };
    read();
    let unknown = RegionSpecifier::by_name(b"t,,1.0123456789abcdef0123456789abcdef.");
    let stats = clear(&[unknown.clone(), served.region("a"), served.region("z")]);
    assert!(stats.evicted_blocks > Some(0) && stats.max_cache_size > Some(0), "{stats:?}");
    assert_eq!(stats.exception[0].region, unknown);
    assert!(stats.exception[0].exception.name.ends_with(".NotServingRegionException"));
    assert_eq!(clear(&[served.region("a")]).evicted_blocks, Some(0));
    assert_eq!(read().rows.len(), 1);
    served.end();
}
