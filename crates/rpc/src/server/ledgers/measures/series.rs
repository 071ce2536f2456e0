//! The histograms, and the ones that a call updates.

use crate::server::messages::call::{Call, Work};
use std::time::Duration;

/// A histogram of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Series {
    /// Times of whole calls of the frequent methods, in nanoseconds.
    Get,
    Mutate,
    Multi,
    Scan,
    /// Waiting time of a call, and its total time including the wait.
    Queue,
    Total,
    /// Sizes of calls, and of answers as sent, in bytes.
    Request,
    Response,
    /// Times of single operations, or of the calls that contained them.
    GetOfMulti,
    Put,
    PutBatch,
    Delete,
    DeleteBatch,
    Increment,
    Append,
    CheckAndPut,
    CheckAndDelete,
    CheckAndMutate,
    /// Bytes of the cells in an answer to a scan.
    ScanSize,
}

/// All histograms in order, with the names by which they are reported.
pub(super) const ALL: [(Series, &str); 19] = [
    (Series::Get, "Get"),
    (Series::Mutate, "Mutate"),
    (Series::Multi, "Multi"),
    (Series::Scan, "Scan"),
    (Series::Queue, "queue"),
    (Series::Total, "total"),
    (Series::Request, "request"),
    (Series::Response, "response"),
    (Series::GetOfMulti, "get_of_multi"),
    (Series::Put, "put"),
    (Series::PutBatch, "put_batch"),
    (Series::Delete, "delete"),
    (Series::DeleteBatch, "delete_batch"),
    (Series::Increment, "increment"),
    (Series::Append, "append"),
    (Series::CheckAndPut, "check_and_put"),
    (Series::CheckAndDelete, "check_and_delete"),
    (Series::CheckAndMutate, "check_and_mutate"),
    (Series::ScanSize, "scan_size"),
];

/// Number of histograms of methods, which come first.
pub(super) const METHODS: usize = 4;

/// Returns the histogram of a frequent method.
pub(super) fn of_method(method: &str) -> Option<Series> {
    match method {
        "Get" => Some(Series::Get),
        "Mutate" => Some(Series::Mutate),
        "Multi" => Some(Series::Multi),
        "Scan" => Some(Series::Scan),
        _ => None,
    }
}

/// Reports the further histograms that a call updates, with value and count. The time of a multi is divided among its
/// gets, increments and appends; for its puts and its deletes it counts as that of a batch. Source: HBase's
/// `RSRpcServices`.
pub(super) fn of_work(call: &Call, taken: Duration, mut add: impl FnMut(Series, Duration, u64)) {
    let Work { gets, puts, deletes, increments, appends, checks } = call.work();
    match call.method() {
        "Mutate" if checks > 0 => {
            let series = match (puts, deletes) {
                (1, 0) => Series::CheckAndPut,
                (0, 1) => Series::CheckAndDelete,
                _ => Series::CheckAndMutate,
            };
            add(series, taken, 1);
        }
        "Mutate" => {
            let single = [
                (puts, Series::Put),
                (deletes, Series::Delete),
                (increments, Series::Increment),
                (appends, Series::Append),
            ];
            for (_, series) in single.into_iter().filter(|(count, _)| *count > 0) {
                add(series, taken, 1);
            }
        }
        "Multi" => {
            let share = taken / (gets + puts + deletes + increments + appends).max(1);
            let each = [(gets, Series::GetOfMulti), (increments, Series::Increment), (appends, Series::Append)];
            for (count, series) in each.into_iter().filter(|(count, _)| *count > 0) {
                add(series, share, u64::from(count));
            }
            let batches = [(puts, Series::PutBatch), (deletes, Series::DeleteBatch), (checks, Series::CheckAndMutate)];
            for (_, series) in batches.into_iter().filter(|(count, _)| *count > 0) {
                add(series, taken, 1);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_are_listed_in_their_order() {
        for (place, (series, _)) in ALL.iter().enumerate() {
            assert_eq!(*series as usize, place);
        }
        assert_eq!(of_method(ALL[METHODS - 1].1), Some(ALL[METHODS - 1].0));
        assert_eq!(of_method(ALL[METHODS].1), None);
    }
}
