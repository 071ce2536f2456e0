//! A folder to write to: small files whole, large ones in parts.
//!
//! Names are paths below the folder. Every request is repeated as the options say. Writing the same file twice changes
//! nothing, so a repetition is harmless; a file that has to be new is compared with the one that is there.

use crate::failure::{Failure, FailureKind};
use crate::options::Options;
use crate::retry::Retry;
use crate::runtime;
use crate::storage::{Answer, Counts, Listed, WritableStorage};
use crate::target::Target;
use bytes::Bytes;
use rowstone_model::{Error, Result};
use std::sync::Arc;

/// Bytes of a file that its first request reads.
const WHOLE_BYTES: u64 = 16 << 20;

/// A folder of a storage.
pub struct Folder {
    storage: Arc<dyn WritableStorage>,
    target: Target,
    retry: Arc<Retry>,
    counts: Arc<Counts>,
}

impl Folder {
    /// The folder of `target` in `storage`.
    pub fn new(storage: Arc<dyn WritableStorage>, target: Target, options: &Options, counts: Arc<Counts>) -> Self {
        let retry = Arc::new(Retry::new(options, Arc::clone(&counts)));
        Folder { storage, target, retry, counts }
    }

    /// Numbers of requests so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Writes a file. If it has to be new and there is another one of that name, returns false; a file with the same
    /// bytes counts as this one, because the answer to an earlier attempt may have been lost.
    ///
    /// # Errors
    /// `Io`.
    pub fn put(&self, name: &str, bytes: Bytes, is_new: bool) -> Result<bool> {
        let sent = bytes.clone();
        let is_put = self.request("write", name, move |storage, key| storage.put(key, sent.clone(), is_new))?;
        Ok(is_put || self.get(name)?.is_some_and(|found| found == bytes))
    }

    /// All bytes of a file; `None` if there is none of that name.
    ///
    /// # Errors
    /// `Io`.
    pub fn get(&self, name: &str) -> Result<Option<Bytes>> {
        self.request("read", name, |storage, key| Box::pin(read_whole(storage, key)))
    }

    /// Removes a file, if there is one of that name.
    ///
    /// # Errors
    /// `Io`.
    pub fn delete(&self, name: &str) -> Result<()> {
        self.request("remove", name, |storage, key| storage.delete(key))
    }

    /// The files directly in a folder below this one, in any order; empty if there is no such folder.
    ///
    /// # Errors
    /// `Io`.
    pub fn list(&self, name: &str) -> Result<Vec<Listed>> {
        self.request("list", name, |storage, key| storage.list_files(key))
    }

    /// Begins the upload of a file in parts; returns its id. The file appears when the upload is finished.
    ///
    /// # Errors
    /// `Io`.
    pub fn begin_upload(&self, name: &str) -> Result<String> {
        self.request("begin the upload of", name, |storage, key| storage.begin_upload(key))
    }

    /// Uploads part number `index`, from 0, and returns its id. All parts but the last have the same length, at least
    /// 5 MiB.
    ///
    /// # Errors
    /// `Io`.
    pub fn put_part(&self, name: &str, upload: &str, index: usize, bytes: Bytes) -> Result<String> {
        let upload = upload.to_owned();
        self.request("upload a part of", name, move |storage, key| storage.put_part(key, &upload, index, bytes.clone()))
    }

    /// Makes the file from all its parts.
    ///
    /// # Errors
    /// `Io`.
    pub fn finish_upload(&self, name: &str, upload: &str, parts: &[String]) -> Result<()> {
        let (upload, parts) = (upload.to_owned(), parts.to_owned());
        self.request("finish the upload of", name, move |storage, key| {
            storage.finish_upload(key, &upload, parts.clone())
        })
    }

    /// Removes the parts of an upload that will not be finished.
    ///
    /// # Errors
    /// `Io`.
    pub fn abort_upload(&self, name: &str, upload: &str) -> Result<()> {
        let upload = upload.to_owned();
        self.request("remove the parts of", name, move |storage, key| storage.abort_upload(key, &upload))
    }

    /// Waits for a request, which is repeated as the options say.
    fn request<T, F>(&self, doing: &str, name: &str, send: F) -> Result<T>
    where
        T: Send + 'static,
        F: for<'a> Fn(&'a dyn WritableStorage, &'a str) -> Answer<'a, T> + Send + Sync + 'static,
    {
        let key = [self.target.path.as_str(), name];
        let key = key.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("/");
        let (storage, retry, sent) = (Arc::clone(&self.storage), Arc::clone(&self.retry), key.clone());
        let result = runtime::wait(async move { retry.run(|| send(&*storage, &sent)).await });
        result.map_err(|failure| {
            Error::io(doing, format!("{}/{key}", self.target.base), &failure.into_io(&self.target.place(), &key))
        })
    }
}

/// Reads a file with one request, or two if it is long.
async fn read_whole(storage: &dyn WritableStorage, key: &str) -> std::result::Result<Option<Bytes>, Failure> {
    let opened = match storage.open(key, WHOLE_BYTES).await {
        Err(failure) if failure.kind == FailureKind::Missing => return Ok(None),
        other => other?,
    };
    let missing = opened.source.length() - opened.tail.len() as u64;
    if missing == 0 {
        return Ok(Some(opened.tail));
    }
    let head = opened.source.read(0..missing).await?;
    Ok(Some([head, opened.tail].concat().into()))
}
