//! The filter language parser against HBase's: HBase's result for each text was recorded, as the class and the
//! serialized form of the filter. This also compares the encoded messages with HBase's, byte for byte.

use rowstone_model::codec::from_printable;
use rowstone_model::filter::language::{parse, print};
use rowstone_rpc::filter::{from_wire, to_wire};
use std::fmt::Write;

const RECORDED: &str = include_str!("../../../tests/oracle/filter_language.txt");
const PACKAGE: &str = "org.apache.hadoop.hbase.filter.";

/// Texts with HBase's results: a line each, followed by an indented line.
fn recorded() -> Vec<(&'static str, &'static str)> {
    let lines: Vec<&str> = RECORDED.lines().collect();
    lines.chunks_exact(2).map(|pair| (pair[0], pair[1].trim())).collect()
}

fn ours(text: &[u8]) -> String {
    let Ok(filter) = parse(text) else { return "error".to_string() };
    let message = to_wire(&filter);
    let mut answer = format!("{} ", message.name.strip_prefix(PACKAGE).unwrap());
    for byte in message.serialized_filter.as_deref().unwrap() {
        write!(answer, "{byte:02x}").unwrap();
    }
    answer.trim_end().to_string()
}

#[test]
fn both_parsers_agree() {
    let recorded = recorded();
    let wrong = recorded.iter().filter(|(_, answer)| *answer == "error").count();
    assert!(recorded.len() >= 200 && wrong * 2 >= recorded.len(), "{} texts, {wrong} wrong", recorded.len());
    for (text, answer) in recorded {
        assert_eq!(ours(&from_printable(text)), answer, "{text}");
    }
}

#[test]
fn filters_from_hbase_round_trip() {
    for (text, _) in recorded() {
        let Ok(filter) = parse(&from_printable(text)) else { continue };
        assert_eq!(from_wire(&to_wire(&filter)).unwrap(), filter, "{text}");
        assert_eq!(parse(&print(&filter).unwrap()).unwrap(), filter, "{text}");
    }
}
