//! Conditions with comparators that none of HBase's clients send.

use super::support::{disk, mutation, serve_on};
use rowstone_model::filter::{BitwiseOperator, Comparator};
use rowstone_rpc::filter::comparator_to_wire;
use rowstone_rpc::proto::mutation_proto::MutationType;
use rowstone_rpc::proto::{self, CompareType};

#[test]
fn every_comparator_may_be_a_condition() {
    let served = serve_on(&disk());
    served.create(&[]);
    let region = served.region("r");
    let mut client = served.connect("ClientService");
    let mut mutate = |qualifier: &str, condition: Option<(Comparator, CompareType)>| {
        let condition = condition.map(|(comparator, operator)| proto::Condition {
            row: b"r".to_vec(),
            family: Some(b"f".to_vec()),
            qualifier: Some(qualifier.into()),
            compare_type: Some(operator as i32),
            comparator: Some(comparator_to_wire(&comparator)),
            time_range: None,
            filter: None,
        });
        let mutation = mutation(MutationType::Put, "r", qualifier, &300i64.to_be_bytes());
        let request = proto::MutateRequest { region: region.clone(), mutation, condition, nonce_group: None };
        client.call::<proto::MutateResponse>("Mutate", &request).unwrap().processed.unwrap()
    };
    mutate("n", None);
    use CompareType::{Equal, Greater, Less, NotEqual};
    // The comparator is the left operand.
    let cases: Vec<(Comparator, CompareType, bool)> = vec![
        (Comparator::LongComparator { value: 5 }, Less, true),
        (Comparator::LongComparator { value: 5 }, Greater, false),
        (Comparator::LongComparator { value: 300 }, Equal, true),
        (Comparator::BinaryPrefixComparator { value: vec![0, 0] }, Equal, true),
        (Comparator::BinaryPrefixComparator { value: vec![1] }, Equal, false),
        (Comparator::BinaryComponentComparator { value: vec![1, 44], offset: 6 }, Equal, true),
        (Comparator::BitComparator { value: vec![255; 8], bit_operator: BitwiseOperator::And }, Equal, true),
        (Comparator::SubstringComparator { substring: "x".into() }, Equal, false),
        (Comparator::SubstringComparator { substring: "x".into() }, NotEqual, true),
        (Comparator::NullComparator {}, Equal, false),
        (Comparator::NullComparator {}, NotEqual, true),
    ];
    for (comparator, operator, expected) in cases {
        let found = mutate("n", Some((comparator.clone(), operator)));
        assert_eq!(found, expected, "{comparator:?} {operator:?}");
    }
    // For a column without a value, only the test for absence holds.
    assert!(!mutate("none", Some((Comparator::LongComparator { value: 5 }, NotEqual))));
    assert!(mutate("none", Some((Comparator::NullComparator {}, Equal))));
    assert!(!mutate("none", Some((Comparator::NullComparator {}, Equal))));
    served.end();
}
