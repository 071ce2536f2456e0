//! Classification of the storage library's errors.

use crate::failure::{Failure, FailureKind};
use object_store::client::{HttpError, HttpErrorKind};
use object_store::Error;
use std::error::Error as StdError;

/// Error codes of S3, Google Cloud Storage and Azure that say more than their status.
const CODES: [(&str, FailureKind); 25] = [
    ("NoSuchKey", FailureKind::Missing),
    ("BlobNotFound", FailureKind::Missing),
    ("NoSuchBucket", FailureKind::NoBucket),
    ("ContainerNotFound", FailureKind::NoBucket),
    ("ExpiredToken", FailureKind::Expired),
    ("TokenRefreshRequired", FailureKind::Expired),
    ("RequestExpired", FailureKind::Expired),
    ("AccessDenied", FailureKind::Denied),
    ("InvalidAccessKeyId", FailureKind::Denied),
    ("SignatureDoesNotMatch", FailureKind::Denied),
    ("InvalidToken", FailureKind::Denied),
    ("RequestTimeTooSkewed", FailureKind::Denied),
    ("AuthenticationFailed", FailureKind::Denied),
    ("AuthorizationFailure", FailureKind::Denied),
    ("SlowDown", FailureKind::Throttled),
    ("ServerBusy", FailureKind::Throttled),
    ("TooManyRequests", FailureKind::Throttled),
    ("RequestLimitExceeded", FailureKind::Throttled),
    ("InternalError", FailureKind::Unavailable),
    ("RequestTimeout", FailureKind::TimedOut),
    ("OperationTimedOut", FailureKind::TimedOut),
    ("BadDigest", FailureKind::Truncated),
    ("IncompleteBody", FailureKind::Truncated),
    ("XAmzContentSHA256Mismatch", FailureKind::Truncated),
    ("InvalidRange", FailureKind::OutOfRange),
];

/// The failure that `error` stands for; `status` is the HTTP status of the last answer, if there was one.
pub fn classify(error: &Error, status: Option<u16>) -> Failure {
    let text = error.to_string();
    if lacks_credentials(&text) {
        return Failure::new(
            FailureKind::Denied,
            "no credentials were found: set the environment's, name a profile, pass them as options, \
             or pass skip_signature=true for public data",
        );
    }
    let status = status.filter(|status| !(200..300).contains(status));
    let code = element(&text, "Code").unwrap_or_default();
    let kind = kind_of(error, status, code);
    if status.is_none() && innermost(error).contains("certificate") {
        return Failure::new(FailureKind::Denied, format!("TLS: {}", innermost(error)));
    }
    let detail = match status {
        Some(301 | 307 | 308) => "the bucket is in another region: set the option aws_region".to_owned(),
        Some(_) => element(&text, "Message").unwrap_or_default().to_owned(),
        None => innermost(error),
    };
    Failure { status, code: code.to_owned(), ..Failure::new(kind, detail) }
}

fn kind_of(error: &Error, status: Option<u16>, code: &str) -> FailureKind {
    if let Some((_, kind)) = CODES.iter().find(|(known, _)| *known == code) {
        return *kind;
    }
    match error {
        Error::NotFound { .. } => return FailureKind::Missing,
        Error::Precondition { .. } => return FailureKind::Replaced,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => return FailureKind::Denied,
        Error::NotSupported { .. } | Error::NotImplemented { .. } | Error::InvalidPath { .. } => {
            return FailureKind::Unsupported
        }
        _ => {}
    }
    match status {
        Some(401 | 403) => FailureKind::Denied,
        Some(404) => FailureKind::Missing,
        Some(408) => FailureKind::TimedOut,
        Some(412) => FailureKind::Replaced,
        Some(416) => FailureKind::OutOfRange,
        Some(429 | 503) => FailureKind::Throttled,
        Some(500..) => FailureKind::Unavailable,
        Some(_) => FailureKind::Other,
        None => kind_of_transport(error),
    }
}

/// The class of a failure without an answer, or in the middle of one.
fn kind_of_transport(error: &Error) -> FailureKind {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(one) = cause {
        if let Some(failed) = one.downcast_ref::<HttpError>() {
            return match failed.kind() {
                HttpErrorKind::Timeout => FailureKind::TimedOut,
                _ => FailureKind::Unavailable,
            };
        }
        cause = one.source();
    }
    // The status was success, so only the library's text tells.
    let text = error.to_string();
    if text.contains("non-partial response") {
        // The server ignored the range.
        return FailureKind::Unsupported;
    }
    if text.contains("invalid list response") {
        return FailureKind::Truncated;
    }
    FailureKind::Other
}

/// Without credentials, the library asks the metadata service of a cloud's machine, which elsewhere does not exist.
fn lacks_credentials(text: &str) -> bool {
    ["169.254.169.254", "169.254.170.2", "metadata.google.internal", "metadata/computeMetadata"]
        .iter()
        .any(|host| text.contains(host))
}

/// The text between `<name>` and `</name>`.
fn element<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let rest = text.split_once(&format!("<{name}>"))?.1;
    rest.split_once(&format!("</{name}>")).map(|(inside, _)| inside.trim())
}

/// The message of the first cause.
fn innermost(error: &Error) -> String {
    let mut cause: &dyn StdError = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
