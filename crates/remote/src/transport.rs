//! HTTP connections: counted requests, and the status of a task's last answer.
//!
//! The storage library reports most failures as text. The status decides what to do about one, so it is recorded here,
//! below the library, for the task that sent the request.

use crate::storage::Counts;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpService, ReqwestConnector,
};
use object_store::ClientOptions;
use std::cell::Cell;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

tokio::task_local! {
    static STATUS: Cell<Option<u16>>;
}

/// Runs `future`; also returns the HTTP status of the last answer that it received, if it received one.
pub async fn traced<T>(future: impl Future<Output = T>) -> (T, Option<u16>) {
    STATUS
        .scope(Cell::new(None), async {
            let result = future.await;
            (result, STATUS.try_with(Cell::get).unwrap_or_default())
        })
        .await
}

fn record(status: Option<u16>) {
    // Outside of `traced` the status is not needed.
    let _ = STATUS.try_with(|last| last.set(status));
}

/// Creates HTTP clients whose requests are counted.
#[derive(Clone)]
pub struct Connector {
    counts: Arc<Counts>,
    inner: Arc<dyn HttpConnector>,
}

impl Connector {
    /// Clients over sockets, with TLS by rustls.
    pub fn new(counts: Arc<Counts>) -> Self {
        // An error means that the process has a provider already, which is then used.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Connector { counts, inner: Arc::new(ReqwestConnector::default()) }
    }

    /// Clients of `inner`, for tests.
    #[cfg(test)]
    pub fn over(inner: Arc<dyn HttpConnector>, counts: Arc<Counts>) -> Self {
        Connector { counts, inner }
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connector")
    }
}

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let inner = self.inner.connect(options)?;
        Ok(HttpClient::new(Counted { counts: Arc::clone(&self.counts), inner }))
    }
}

#[derive(Debug)]
struct Counted {
    counts: Arc<Counts>,
    inner: HttpClient,
}

type Call<'a> = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'a>>;

impl HttpService for Counted {
    // The trait's macro gives an `async fn` this signature.
    fn call<'a, 'b>(&'a self, request: HttpRequest) -> Call<'b>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(async move {
            record(None);
            self.counts.add_request();
            let answer = self.inner.execute(request).await?;
            record(Some(answer.status().as_u16()));
            Ok(answer)
        })
    }
}
