//! WebHDFS: its requests, its answers, and Java's exceptions as failures.

use crate::failure::FailureKind;
use crate::hdfs::kind_of_exception;
use crate::storage::{Counts, Storage};
use crate::target::Target;
use crate::transport::Connector;
use crate::webhdfs::WebHdfs;
use http::Response;
use object_store::client::{HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpService};
use object_store::ClientOptions;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::runtime::Builder;

/// Answers by their request; an unknown one is answered as Hadoop answers for a missing file.
#[derive(Debug, Default)]
struct Fake {
    answers: BTreeMap<&'static str, (u16, &'static str)>,
    log: Mutex<Vec<String>>,
}

#[derive(Debug, Clone)]
struct Service(Arc<Fake>);

impl HttpConnector for Service {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

const MISSING: &str =
    r#"{"RemoteException":{"exception":"FileNotFoundException","message":"File does not exist: /x\n\tat java"}}"#;

#[async_trait::async_trait]
impl HttpService for Service {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let line = request.uri().to_string().replace("http://nn:9870/webhdfs/v1", "");
        let (status, body) = self.0.answers.get(line.as_str()).copied().unwrap_or((404, MISSING));
        self.0.log.lock().unwrap().push(line);
        Ok(Response::builder().status(status).body(body.to_owned().into()).unwrap())
    }
}

fn hdfs_of(answers: &[(&'static str, (u16, &'static str))]) -> (WebHdfs, Arc<Fake>) {
    let fake = Arc::new(Fake { answers: answers.iter().copied().collect(), ..Fake::default() });
    let counts = Arc::new(Counts::default());
    let connector = Connector::over(Arc::new(Service(Arc::clone(&fake))), Arc::clone(&counts));
    let target = Target::parse("webhdfs://nn:9870/r").unwrap();
    let options = [("user".to_owned(), "a&b".to_owned())].into();
    (WebHdfs::connect(&target, &options, &connector, counts).unwrap(), fake)
}

fn run<T>(future: impl std::future::Future<Output = T>) -> T {
    Builder::new_current_thread().build().unwrap().block_on(future)
}

#[test]
fn a_directory_is_listed() {
    let listing = r#"{"FileStatuses":{"FileStatus":[
        {"pathSuffix":"data","type":"DIRECTORY","length":0},{"pathSuffix":"f","type":"FILE","length":5}]}}"#;
    let file = r#"{"FileStatuses":{"FileStatus":[{"pathSuffix":"","type":"FILE","length":5}]}}"#;
    let empty = r#"{"FileStatuses":{"FileStatus":[]}}"#;
    let (hdfs, _) = hdfs_of(&[
        ("/r?op=LISTSTATUS&user.name=a%26b", (200, listing)),
        ("/r/f?op=LISTSTATUS&user.name=a%26b", (200, file)),
        ("/r/void?op=LISTSTATUS&user.name=a%26b", (200, empty)),
    ]);
    let names = run(hdfs.list("r")).unwrap().unwrap();
    let names: Vec<(&str, bool)> = names.iter().map(|entry| (entry.name.as_str(), entry.is_directory)).collect();
    assert_eq!(names, [("data", true), ("f", false)]);
    assert_eq!(run(hdfs.list("r/f")).unwrap(), None);
    assert_eq!(run(hdfs.list("r/void")).unwrap(), Some(Vec::new()));
    assert_eq!(run(hdfs.list("r/none")).unwrap(), None);
}

#[test]
fn a_file_is_opened_by_its_status_and_its_end() {
    let (hdfs, fake) = hdfs_of(&[
        ("/r/a%252C?op=GETFILESTATUS&user.name=a%26b", (200, r#"{"FileStatus":{"type":"FILE","length":10}}"#)),
        ("/r/a%252C?op=OPEN&offset=6&length=4&user.name=a%26b", (200, "6789")),
        ("/r/a%252C?op=OPEN&offset=0&length=3&user.name=a%26b", (200, "01")),
    ]);
    let opened = run(hdfs.open("r/a%2C", 4)).unwrap();
    assert_eq!((opened.source.length(), &opened.tail[..]), (10, &b"6789"[..]));
    assert_eq!(fake.log.lock().unwrap().len(), 2);
    assert_eq!(run(opened.source.read(0..3)).unwrap_err().kind, FailureKind::Truncated);
    assert!(run(hdfs.is_file("r/a%2C")).unwrap());
}

#[test]
fn a_directory_is_not_a_file() {
    let (hdfs, _) = hdfs_of(&[(
        "/r/d?op=GETFILESTATUS&user.name=a%26b",
        (200, r#"{"FileStatus":{"type":"DIRECTORY","length":0}}"#),
    )]);
    assert_eq!(run(hdfs.open("r/d", 4)).err().unwrap().kind, FailureKind::Missing);
    assert!(!run(hdfs.is_file("r/d")).unwrap() && !run(hdfs.is_file("r/none")).unwrap());
}

#[test]
fn refusals_have_the_name_of_their_exception() {
    let denied =
        r#"{"RemoteException":{"exception":"AccessControlException","message":"Permission denied: user=ann"}}"#;
    let (hdfs, _) = hdfs_of(&[
        ("/r/a?op=GETFILESTATUS&user.name=a%26b", (403, denied)),
        ("/r/b?op=GETFILESTATUS&user.name=a%26b", (503, "busy")),
        ("/r/c?op=GETFILESTATUS&user.name=a%26b", (500, "<html>")),
    ]);
    let failure = |key| run(hdfs.open(key, 4)).err().unwrap();
    let denied = failure("r/a");
    assert_eq!(
        (denied.kind, denied.status, denied.code.as_str()),
        (FailureKind::Denied, Some(403), "AccessControlException")
    );
    assert_eq!(failure("r/b").kind, FailureKind::Throttled);
    assert_eq!(failure("r/c").kind, FailureKind::Unavailable);
    assert_eq!(failure("r/none").detail, "File does not exist: /x");
}

#[test]
fn exceptions_of_hdfs() {
    for (class, kind) in [
        ("java.io.FileNotFoundException", FailureKind::Missing),
        ("org.apache.hadoop.security.AccessControlException", FailureKind::Denied),
        ("org.apache.hadoop.ipc.StandbyException", FailureKind::Unavailable),
        ("org.apache.hadoop.hdfs.server.namenode.SafeModeException", FailureKind::Unavailable),
        ("java.lang.IllegalStateException", FailureKind::Other),
    ] {
        assert_eq!(kind_of_exception(class), kind, "{class}");
    }
}
