//! Bulk loads of store files from the server's staging directory. Files are copied, not moved.

use super::mutate::writable;
use crate::proto;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::session::Session;
use crate::server::staging::Staged;
use rowstone_model::codec::printable;
use rowstone_model::Error;
use std::path::PathBuf;

/// Loads files into the families of a region, all or none. Files that extend beyond the region are split for its
/// neighbors.
pub(super) fn load(session: &Session, call: &Call) -> Outcome {
    let request: proto::BulkLoadHFileRequest = call.message()?;
    let region = writable(session, &request.region)?;
    let mut opened = Vec::with_capacity(request.family_path.len());
    let mut files = Vec::with_capacity(request.family_path.len());
    for file in request.family_path {
        let staged = open(session, &file.path)?;
        files.push((file.family, staged.path()));
        opened.push((staged, file.path));
    }
    let loaded = session.backend.admin().bulk_load(&region.info.table, files);
    loaded.map_err(|error| with_names(error, &opened))?;
    Ok(Answer::of(&proto::BulkLoadHFileResponse { loaded: true }))
}

/// Opens a file of the staging directory. All refusals have the same message, so that clients learn nothing about
/// other files on the machine.
fn open(session: &Session, asked: &str) -> Result<Staged, Exception> {
    let Some(staging) = &session.state.options.staging else {
        let message = "this server accepts no bulk loads: start it with a staging directory (--bulk-load-staging-dir)";
        return Err(Exception::last("DoNotRetryIOException", message));
    };
    staging.open(&path_of(asked)).ok_or_else(|| {
        let message = format!(
            "'{}' cannot be loaded: a bulk load takes regular files below the server's staging directory, and no \
             symbolic links",
            printable(asked.as_bytes())
        );
        Exception::last("DoNotRetryIOException", message)
    })
}

/// Replaces the file names in an error by the names that the client sent.
fn with_names(error: Error, opened: &[(Staged, String)]) -> Error {
    let mut message = error.message().to_string();
    // Longest first: the path of descriptor 1 is a prefix of the path of descriptor 12.
    let mut names: Vec<_> = opened.iter().map(|(staged, asked)| (staged.path(), asked)).collect();
    names.sort_by_key(|(path, _)| std::cmp::Reverse(path.as_os_str().len()));
    for (path, asked) in names {
        message = message.replace(&path.display().to_string(), &printable(asked.as_bytes()));
    }
    Error::new(error.kind(), message)
}

/// Answers the calls before and after a load. HBase creates and deletes a staging folder there; here the files stay
/// where they are.
pub(super) fn around(method: &str) -> Outcome {
    Ok(match method {
        "PrepareBulkLoad" => Answer::of(&proto::PrepareBulkLoadResponse { bulk_token: "none".to_string() }),
        _ => Answer::of(&proto::Empty {}),
    })
}

/// Returns the path of a Hadoop local URL (`file:/a/b` or `file:///a/b`) or of a plain path.
fn path_of(text: &str) -> PathBuf {
    let path = text.strip_prefix("file:").unwrap_or(text);
    PathBuf::from(path.strip_prefix("//").filter(|path| path.starts_with('/')).unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_in_three_forms() {
        for text in ["/a/b", "file:/a/b", "file:///a/b"] {
            assert_eq!(path_of(text), PathBuf::from("/a/b"));
        }
    }
}
