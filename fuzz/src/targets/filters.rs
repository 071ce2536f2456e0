//! Filters, from the filter language and from messages; each parsed filter runs over a small table.

use super::Target;
use prost::Message;
use rowstone_engine::db::{open, OpenOptions};
use rowstone_model::backend::{Backend, TableBackend};
use rowstone_model::cell::{CellParts, CellType};
use rowstone_model::filter::language::{parse, print};
use rowstone_model::filter::Filter;
use rowstone_model::operations::{Mutation, MutationKind, ReadOptions, Scan};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use rowstone_rpc::filter::{from_wire, to_wire};
use rowstone_rpc::proto;
use std::sync::{Arc, OnceLock};

const WORDS: &[&[u8]] = &[
    b"PrefixFilter",
    b"KeyOnlyFilter",
    b"FirstKeyOnlyFilter",
    b"PageFilter",
    b"ColumnPrefixFilter",
    b"RowFilter",
    b"ValueFilter",
    b"QualifierFilter",
    b"FamilyFilter",
    b"SingleColumnValueFilter",
    b"SingleColumnValueExcludeFilter",
    b"ColumnRangeFilter",
    b"TimestampsFilter",
    b"InclusiveStopFilter",
    b"MultipleColumnPrefixFilter",
    b"ColumnCountGetFilter",
    b"ColumnPaginationFilter",
    b"DependentColumnFilter",
    b"ColumnValueFilter",
    b" AND ",
    b" OR ",
    b"SKIP ",
    b"WHILE ",
    b"binary:",
    b"binaryprefix:",
    b"regexstring:",
    b"substring:",
    b"regexstringnocase:",
    b"', '",
    b"(=, '",
    b"''",
    b"!=",
    b">=",
    b"true",
    b"false",
    b"9223372036854775807",
    b"-1",
    b"(((",
];

pub fn targets() -> Vec<Target> {
    vec![
        Target { name: "filter-language", run: language, seeds: texts, words: WORDS, most_bytes: 400 },
        Target {
            name: "filter-message",
            run: message,
            seeds: messages,
            words: &[b"org.apache.hadoop.hbase.filter."],
            most_bytes: 1024,
        },
    ]
}

struct Sample {
    _database: Arc<dyn Backend>,
    table: Arc<dyn TableBackend>,
}

/// Six rows of two families.
fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let configuration = [("rowstone.compaction.background".to_string(), "false".to_string())].into();
        let database = open(OpenOptions { create: true, configuration, ..OpenOptions::default() }).unwrap();
        let name = TableName::parse("t").unwrap();
        let descriptor = TableDescriptor::new(name.clone())
            .with_family(FamilyDescriptor::new("f"))
            .with_family(FamilyDescriptor::new("g"));
        database.admin().create_table(descriptor, Vec::new()).unwrap();
        let table = database.table(&name).unwrap();
        for n in 0..6i64 {
            let mut put = Mutation::new(MutationKind::Put, format!("row{n}"));
            for (family, qualifier) in [("f", "q"), ("f", "q1"), ("g", ""), ("g", "zz")] {
                put.cells.push(CellParts {
                    row: format!("row{n}").as_bytes(),
                    family: family.as_bytes(),
                    qualifier: qualifier.as_bytes(),
                    timestamp: 10 + n,
                    cell_type: CellType::Put,
                    value: &n.to_be_bytes(),
                    tags: &[],
                });
            }
            table.mutate(put).unwrap();
        }
        Sample { _database: database, table }
    })
}

fn scan(filter: &Filter, reversed: bool) {
    let options = ReadOptions { filter: Some(Arc::new(filter.clone())), versions: 3, ..ReadOptions::default() };
    let Ok(mut scanner) = sample().table.scan(Scan { reversed, options, ..Scan::default() }) else { return };
    let mut rows = 0;
    while let Ok(Some(batch)) = scanner.next_batch(100, 1 << 20) {
        rows += batch.rows.len();
        assert!(rows <= 6, "a scan of six rows gives more");
    }
}

/// Parses, prints, parses again, and runs.
fn language(input: &[u8]) {
    let Ok(filter) = parse(input) else { return };
    if let Ok(text) = print(&filter) {
        let again = parse(&text);
        assert_eq!(again.as_ref().ok(), Some(&filter), "{:?} is read as {again:?}", String::from_utf8_lossy(&text));
    }
    scan(&filter, false);
}

fn texts() -> Vec<Vec<u8>> {
    let lines = include_str!("../../../tests/oracle/filter_language.txt").lines();
    let mut seeds: Vec<Vec<u8>> =
        lines.filter(|line| line.len() < 400).step_by(3).map(|line| line.as_bytes().to_vec()).collect();
    seeds.extend([
        b"PrefixFilter('row') AND (KeyOnlyFilter() OR ValueFilter(=, 'regexstring:a.*b'))".to_vec(),
        b"SKIP SingleColumnValueFilter('f', 'q', >=, 'binary:x', true, false)".to_vec(),
        b"ColumnRangeFilter('a', true, 'z', false) OR TimestampsFilter(1, 12, 13)".to_vec(),
        b"ColumnPaginationFilter(2, 1)".to_vec(),
        b"DependentColumnFilter('f', 'q', false, >, 'substring:x')".to_vec(),
    ]);
    seeds
}

/// Decodes a message, encodes it again, and runs it in both directions.
fn message(input: &[u8]) {
    let Ok(message) = proto::Filter::decode(input) else { return };
    let Ok(filter) = from_wire(&message) else { return };
    let again = from_wire(&to_wire(&filter));
    assert_eq!(
        again.as_ref().map(|again| format!("{again:?}")).ok(),
        Some(format!("{filter:?}")),
        "a filter changes on its way"
    );
    scan(&filter, false);
    scan(&filter, true);
}

fn messages() -> Vec<Vec<u8>> {
    let filters = texts().into_iter().filter_map(|text| parse(&text).ok());
    filters.map(|filter| to_wire(&filter).encode_to_vec()).filter(|bytes| bytes.len() < 1024).collect()
}
