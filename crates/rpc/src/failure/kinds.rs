//! Kinds of permanent exceptions: the one place that says which error of `rowstone.errors` a server's exception becomes.
//! A directory raises the same kinds for the same mistakes.

use rowstone_model::ErrorKind;

/// Classes with a kind of their own, without their packages.
const BY_CLASS: &[(&str, ErrorKind)] = &[
    ("TableNotFoundException", ErrorKind::TableNotFound),
    ("TableExistsException", ErrorKind::TableExists),
    ("TableNotEnabledException", ErrorKind::TableNotEnabled),
    ("TableNotDisabledException", ErrorKind::TableNotDisabled),
    ("ConcurrentTableModificationException", ErrorKind::SchemaChanged),
    ("NoSuchColumnFamilyException", ErrorKind::NoSuchColumnFamily),
    ("NamespaceNotFoundException", ErrorKind::NamespaceNotFound),
    ("NamespaceExistException", ErrorKind::NamespaceExists),
    ("ConstraintException", ErrorKind::Constraint),
    ("QuotaExceededException", ErrorKind::QuotaExceeded),
    ("SpaceLimitingException", ErrorKind::QuotaExceeded),
    ("SnapshotDoesNotExistException", ErrorKind::SnapshotNotFound),
    ("SnapshotExistsException", ErrorKind::SnapshotExists),
    ("AccessDeniedException", ErrorKind::AccessDenied),
    ("UnsupportedOperationException", ErrorKind::Unsupported),
    ("IllegalArgumentException", ErrorKind::InvalidArgument),
    ("RequestTooBigException", ErrorKind::CellTooLarge),
    ("CallTimeoutException", ErrorKind::Timeout),
];

/// Words in messages, in lower case, of classes that HBase uses for many things, such as `DoNotRetryIOException`. The
/// first match counts.
const BY_WORDS: &[(&str, ErrorKind)] = &[
    ("java.lang.unsupportedoperationexception", ErrorKind::Unsupported),
    // `TableDescriptorChecker` ends all its messages with these words.
    ("want to bypass sanity checks", ErrorKind::InvalidArgument),
    ("split policy '", ErrorKind::InvalidArgument),
    ("split row ", ErrorKind::InvalidArgument),
    ("cannot merge a region to itself", ErrorKind::InvalidArgument),
    // Splits and merges that a table, a switch or the state of a region does not allow.
    ("is disabled for the table", ErrorKind::Constraint),
    (" switch is off", ErrorKind::Constraint),
    ("not split", ErrorKind::Constraint),
    ("not merge", ErrorKind::Constraint),
    ("skip merging ", ErrorKind::Constraint),
    (" is not open; state=", ErrorKind::Constraint),
    ("is not a long", ErrorKind::NotALong),
    ("keyvalue size too large", ErrorKind::CellTooLarge),
    ("exceeds limit of", ErrorKind::CellTooLarge),
];

/// Kind of the permanent exception `class`, given without its package.
pub(super) fn kind_of(class: &str, message: &str) -> ErrorKind {
    if let Some((_, kind)) = BY_CLASS.iter().find(|(known, _)| *known == class) {
        return *kind;
    }
    let message = message.to_lowercase();
    match class {
        "SnapshotCreationException" if message.contains("doesn't exist") => return ErrorKind::TableNotFound,
        "InvalidFamilyOperationException" if message.contains("does not exist") => {
            return ErrorKind::NoSuchColumnFamily
        }
        "InvalidFamilyOperationException" => return ErrorKind::InvalidArgument,
        _ => {}
    }
    let by_words = BY_WORDS.iter().find(|(words, _)| message.contains(words)).map(|(_, kind)| *kind);
    by_words.unwrap_or(match class {
        // Regions that do not form a range of one table.
        "MergeRegionException" => ErrorKind::InvalidArgument,
        _ => ErrorKind::Remote,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// HBase 2.6.4's messages, and those of `rowstone serve` where they differ.
    #[test]
    fn mistakes_in_schemas_and_merges_have_the_kinds_of_a_directory() {
        let any = "DoNotRetryIOException";
        for (class, message, kind) in [
            (any, "Block size for column family f  must be between 1K and 16MB. Set hbase.table.sanity.checks to false at \
                   conf or table descriptor if you want to bypass sanity checks", ErrorKind::InvalidArgument),
            (any, "split policy 'no.such.Policy' is unknown; there are: …", ErrorKind::InvalidArgument),
            (any, "Split row is equal to startkey: b", ErrorKind::InvalidArgument),
            (any, "Split row is not inside region key range splitKey:zz region: …", ErrorKind::InvalidArgument),
            (any, "split row 'b' is the start key of region 71ad", ErrorKind::InvalidArgument),
            (any, "Merge of [a, b] failed as region merge is disabled for the table", ErrorKind::Constraint),
            (any, "Split region t,,1.a. failed as region split is disabled for the table", ErrorKind::Constraint),
            (any, "Merge of [a, b] failed because merge switch is off", ErrorKind::Constraint),
            (any, "something else", ErrorKind::Remote),
            ("MergeRegionException", "Unable to merge non-adjacent or non-overlapping regions 'a', 'b' when force=false",
             ErrorKind::InvalidArgument),
            ("MergeRegionException", "Duplicate regions specified; cannot merge a region to itself. Passed in 2 but only \
                                      1 unique.", ErrorKind::InvalidArgument),
            ("MergeRegionException", "Can't merge regions from different tables: …", ErrorKind::InvalidArgument),
            ("MergeRegionException", "org.apache.hadoop.hbase.client.DoNotRetryRegionException: b1a9 is not OPEN; \
                                      state=CLOSED", ErrorKind::Constraint),
            ("InvalidFamilyOperationException", "Family 'f' is the only column family in the table, so it cannot be \
                                                 deleted", ErrorKind::InvalidArgument),
            ("InvalidFamilyOperationException", "Family 'x' does not exist, so it cannot be deleted",
             ErrorKind::NoSuchColumnFamily),
        ] {
            assert_eq!(kind_of(class, message), kind, "{class}: {message}");
        }
    }
}
