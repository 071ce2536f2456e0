//! Store files that were made elsewhere, on the server's machine. They are copied, not moved.

use super::mutate::writable;
use crate::proto;
use crate::server::call::{Answer, Call, Outcome};
use crate::server::session::Session;
use std::path::PathBuf;

/// Takes files into the families of a region; all of them or none. Files that reach beyond the region are cut at its ends, for
/// its neighbours.
pub(super) fn load(session: &Session, call: &Call) -> Outcome {
    let request: proto::BulkLoadHFileRequest = call.message()?;
    let region = writable(session, &request.region)?;
    let files = request.family_path.into_iter().map(|file| (file.family, path_of(&file.path))).collect();
    session.backend.admin().bulk_load(&region.info.table, files)?;
    Ok(Answer::of(&proto::BulkLoadHFileResponse { loaded: true }))
}

/// What comes before and after a load: HBase makes and removes a folder of its own for the files. Here they stay where they are.
pub(super) fn around(method: &str) -> Outcome {
    Ok(match method {
        "PrepareBulkLoad" => Answer::of(&proto::PrepareBulkLoadResponse { bulk_token: "none".to_string() }),
        _ => Answer::of(&proto::Empty {}),
    })
}

/// The path in a URL of Hadoop's local file system, `file:/a/b` or `file:///a/b`, or in plain.
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
