//! Writing of objects. An object appears when its last byte is there, so a reader never finds half of one.

use super::{path_of, request, Objects};
use crate::failure::{Failure, FailureKind};
use crate::storage::{Answer, Listed, WritableStorage};
use bytes::Bytes;
use object_store::multipart::{MultipartStore, PartId};
use object_store::path::Path;
use object_store::{Error, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions};

impl Objects {
    async fn put_object(&self, path: Path, bytes: Bytes, is_new: bool) -> Result<bool, Failure> {
        let mode = if is_new { PutMode::Create } else { PutMode::Overwrite };
        let options = PutOptions { mode, ..PutOptions::default() };
        let put = request(async {
            match self.store.put_opts(&path, bytes.into(), options).await {
                Ok(_) => Ok(true),
                Err(Error::AlreadyExists { .. }) if is_new => Ok(false),
                Err(error) => Err(error),
            }
        });
        put.await.map_err(without_bucket)
    }

    /// The storage library's part of multipart uploads.
    fn multipart(&self) -> Result<&dyn MultipartStore, Failure> {
        let unsupported = || Failure::new(FailureKind::Unsupported, "it takes no uploads in parts");
        self.parts.as_deref().ok_or_else(unsupported)
    }
}

/// Writing a file that does not exist is no error, so what is missing is the bucket.
fn without_bucket(failure: Failure) -> Failure {
    match failure.kind {
        FailureKind::Missing => Failure { kind: FailureKind::NoBucket, ..failure },
        _ => failure,
    }
}

fn listed(meta: &ObjectMeta) -> Option<Listed> {
    let name = meta.location.filename()?.to_owned();
    Some(Listed { name, size: meta.size, modified_ms: meta.last_modified.timestamp_millis() })
}

impl WritableStorage for Objects {
    fn put(&self, key: &str, bytes: Bytes, is_new: bool) -> Answer<'_, bool> {
        let path = path_of(key);
        Box::pin(async move { self.put_object(path?, bytes, is_new).await })
    }

    fn delete(&self, key: &str) -> Answer<'_, ()> {
        let path = path_of(key);
        Box::pin(async move {
            match request(self.store.delete(&path?)).await {
                Err(failure) if failure.kind == FailureKind::Missing => Ok(()),
                other => other,
            }
        })
    }

    fn list_files(&self, key: &str) -> Answer<'_, Vec<Listed>> {
        let path = path_of(key);
        Box::pin(async move {
            let found = request(self.store.list_with_delimiter(Some(&path?))).await.map_err(without_bucket)?;
            Ok(found.objects.iter().filter_map(listed).collect())
        })
    }

    fn begin_upload(&self, key: &str) -> Answer<'_, String> {
        let path = path_of(key);
        Box::pin(async move { request(self.multipart()?.create_multipart(&path?)).await.map_err(without_bucket) })
    }

    fn put_part(&self, key: &str, upload: &str, index: usize, bytes: Bytes) -> Answer<'_, String> {
        let (path, upload) = (path_of(key), upload.to_owned());
        Box::pin(async move {
            let part = request(self.multipart()?.put_part(&path?, &upload, index, bytes.into())).await?;
            Ok(part.content_id)
        })
    }

    fn finish_upload(&self, key: &str, upload: &str, parts: Vec<String>) -> Answer<'_, ()> {
        let (path, upload) = (path_of(key), upload.to_owned());
        let parts = parts.into_iter().map(|content_id| PartId { content_id }).collect();
        Box::pin(async move {
            request(self.multipart()?.complete_multipart(&path?, &upload, parts)).await?;
            Ok(())
        })
    }

    fn abort_upload(&self, key: &str, upload: &str) -> Answer<'_, ()> {
        let (path, upload) = (path_of(key), upload.to_owned());
        Box::pin(async move { request(self.multipart()?.abort_multipart(&path?, &upload)).await })
    }
}
