//! Maps a server's exceptions to kinds of errors and remedies. Source: `ClientExceptionsUtil`, and the exceptions'
//! own classes.

use super::kinds::kind_of;
use super::{Failure, Remedy};
use crate::wire::RemoteException;
use rowstone_model::{Error, ErrorKind};
use std::time::Duration;

/// Kind and remedy of an exception, by its class without the package.
fn classify(class: &str) -> Option<(ErrorKind, Remedy)> {
    Some(match class {
        "NotServingRegionException" | "WrongRegionException" | "UnknownRegionException" | "RegionOfflineException" => {
            (ErrorKind::RegionNotFound, Remedy::Relocate)
        }
        "RegionMovedException" => (ErrorKind::RegionNotFound, Remedy::Relocate),
        "RegionOpeningException" => (ErrorKind::RegionNotFound, Remedy::Again),
        "RegionServerStoppedException" | "RegionServerAbortedException" | "MasterStoppedException" => {
            (ErrorKind::ConnectionFailed, Remedy::Reconnect)
        }
        "ServerNotRunningYetException"
        | "PleaseHoldException"
        | "MasterNotRunningException"
        | "PleaseRestartMasterException"
        | "ServerNotRunningException" => (ErrorKind::ConnectionFailed, Remedy::Relocate),
        "RegionTooBusyException" => (ErrorKind::RegionTooBusy, Remedy::Overloaded),
        "CallQueueTooBigException" | "CallDroppedException" => (ErrorKind::RegionTooBusy, Remedy::Overloaded),
        "RpcThrottlingException" => (ErrorKind::QuotaExceeded, Remedy::Overloaded),
        "MultiActionResultTooLarge" | "RetryImmediatelyException" => (ErrorKind::RegionTooBusy, Remedy::AtOnce),
        "TimeoutIOException" | "CallTimeoutException" => (ErrorKind::Timeout, Remedy::Again),
        "UnknownScannerException" | "LeaseException" | "OutOfOrderScannerNextException" | "ScannerResetException" => {
            (ErrorKind::ScannerClosed, Remedy::Reopen)
        }
        _ => return None,
    })
}

/// Converts `exception` to a failure.
pub fn failure_of(exception: &RemoteException) -> Failure {
    let class = exception.class.rsplit(['.', '$']).next().unwrap_or("");
    let message = exception.message();
    let (kind, remedy) = match classify(class) {
        Some((kind, remedy)) => (kind, remedy),
        None if exception.do_not_retry || is_final(class) => (kind_of(class, message), Remedy::Stop),
        // Servers send internal errors, such as a closed stream: most of them are transient.
        None => (kind_of(class, message), Remedy::Again),
    };
    let remedy = match class {
        "RegionMovedException" => moved_to(message).unwrap_or(remedy),
        "RpcThrottlingException" => wait_of(message).map_or(remedy, Remedy::After),
        _ if exception.is_overloaded && remedy == Remedy::Again => Remedy::Overloaded,
        _ => remedy,
    };
    let message = match kind {
        // The rest of the message is the whole descriptor of the table.
        ErrorKind::NoSuchColumnFamily => message.split(" in table '").next().unwrap_or(message),
        _ => message,
    };
    Failure { error: Error::new(kind, message).from_remote(exception.class.clone()), remedy }
}

/// Whether an exception is permanent although a server may not flag it: there is no flag inside a multi.
fn is_final(class: &str) -> bool {
    class.starts_with("DoNotRetry")
        || class.ends_with("SanityCheckException")
        || class == "IncompatibleFilterException"
        || kind_of(class, "") != ErrorKind::Remote
}

/// Parses the new location in `Region moved to: hostname=H port=P startCode=S. As of locationSeqNum=N.`
fn moved_to(message: &str) -> Option<Remedy> {
    let host = value_after(message, "hostname=")?;
    let port = value_after(message, "port=")?.parse().ok()?;
    Some(Remedy::MovedTo(host.to_string(), port))
}

fn value_after<'a>(message: &'a str, name: &str) -> Option<&'a str> {
    let rest = &message[message.find(name)? + name.len()..];
    rest.split([' ', ',']).next().filter(|value| !value.is_empty())
}

/// Parses the pause in a throttled server's message, which ends with text like ` - wait 1mins, 20sec, 30ms`.
fn wait_of(message: &str) -> Option<Duration> {
    let text = &message[message.rfind("wait ")? + 5..];
    let mut total = Duration::ZERO;
    for part in text.split(',') {
        let part = part.trim();
        let unit = part.find(|c: char| !c.is_ascii_digit())?;
        let number: u64 = part[..unit].parse().ok()?;
        total += match part[unit..].trim() {
            "ms" => Duration::from_millis(number),
            "sec" => Duration::from_secs(number),
            "min" | "mins" => Duration::from_secs(60 * number),
            "hr" | "hrs" => Duration::from_secs(3600 * number),
            _ => return None,
        };
    }
    Some(total)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn failure(class: &str, message: &str, do_not_retry: bool) -> Failure {
        let text = format!("{class}: {message}\n\tat somewhere");
        failure_of(&RemoteException { class: class.into(), text, do_not_retry, is_overloaded: false })
    }

    #[test]
    fn a_moved_region_says_where_it_is() {
        let message = "Region moved to: hostname=rs1.example port=16020 startCode=17. As of locationSeqNum=4.";
        let failure = failure("org.apache.hadoop.hbase.exceptions.RegionMovedException", message, false);
        assert_eq!(failure.remedy, Remedy::MovedTo("rs1.example".into(), 16020));
    }

    #[test]
    fn a_throttled_call_waits_as_long_as_it_is_told() {
        let message = "number of requests exceeded - wait 1hr, 1min, 2sec, 30ms";
        let failure = failure("org.apache.hadoop.hbase.quotas.RpcThrottlingException", message, false);
        assert_eq!(failure.remedy, Remedy::After(Duration::from_millis(3_662_030)));
    }

    #[test]
    fn final_ones_are_final_with_and_without_the_flag() {
        let class = "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException";
        for flag in [true, false] {
            let failure = failure(class, "Column family x does not exist", flag);
            assert_eq!((failure.error.kind(), failure.remedy), (ErrorKind::NoSuchColumnFamily, Remedy::Stop));
            assert_eq!(failure.error.remote_class(), Some(class));
            assert_eq!(failure.error.message(), "Column family x does not exist");
        }
    }

    #[test]
    fn unknown_exceptions_are_retried_unless_flagged() {
        assert_eq!(failure("java.io.IOException", "stream closed", false).remedy, Remedy::Again);
        let flagged = failure("java.io.IOException", "no", true);
        assert_eq!((flagged.error.kind(), flagged.remedy), (ErrorKind::Remote, Remedy::Stop));
    }

    #[test]
    fn an_exception_without_text_still_says_its_class() {
        let exception = RemoteException { class: "a.B".into(), ..RemoteException::default() };
        assert_eq!(failure_of(&exception).error.message(), "a.B");
    }
}
