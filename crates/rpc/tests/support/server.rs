//! The socket side: threads that read calls, and the faults injected into them.

use super::fault::{Fault, Faults};
use super::frames::{frame_of, read_hello, read_request, Answer, Exception, Request};
use super::table::FakeTable;
use std::io::Write;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

pub struct Shared {
    pub table: Mutex<FakeTable>,
    pub faults: Faults,
    /// Every call received, in order.
    pub calls: Mutex<Vec<Request>>,
    connections: Mutex<Vec<TcpStream>>,
    port: u16,
}

pub struct FakeServer {
    pub shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

impl FakeServer {
    pub fn start(table: FakeTable) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            table: Mutex::new(table),
            faults: Faults::default(),
            calls: Mutex::default(),
            connections: Mutex::default(),
            port,
        });
        let for_thread = Arc::clone(&shared);
        let accepting = std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { return };
                if Arc::strong_count(&for_thread) == 1 {
                    return;
                }
                let shared = Arc::clone(&for_thread);
                shared.connections.lock().unwrap().push(stream.try_clone().unwrap());
                std::thread::spawn(move || serve(&shared, stream));
            }
        });
        FakeServer { shared, accepting: Some(accepting) }
    }

    pub fn url(&self) -> String {
        format!("hbase://127.0.0.1:{}", self.shared.port)
    }

    /// Number of calls of a method received so far.
    pub fn count(&self, method: &str) -> usize {
        self.shared.calls.lock().unwrap().iter().filter(|call| call.method == method).count()
    }

    /// The calls of a method.
    pub fn calls(&self, method: &str) -> Vec<Request> {
        self.shared.calls.lock().unwrap().iter().filter(|call| call.method == method).cloned().collect()
    }

    pub fn plan(&self, method: &str, after: usize, fault: Fault) {
        self.shared.faults.plan(method, after, fault);
    }

    /// Closes all connections.
    pub fn cut(&self) {
        for stream in self.shared.connections.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.cut();
        let address = ("127.0.0.1", self.shared.port);
        self.shared = Arc::new(Shared {
            table: Mutex::new(FakeTable::new(&[])),
            faults: Faults::default(),
            calls: Mutex::default(),
            connections: Mutex::default(),
            port: 0,
        });
        // Wakes the accepting thread, which then ends.
        let _ = TcpStream::connect(address);
        drop(self.accepting.take());
    }
}

fn serve(shared: &Arc<Shared>, mut stream: TcpStream) {
    let Ok(_hello) = read_hello(&mut stream) else { return };
    let writer = Arc::new(Mutex::new(stream.try_clone().unwrap()));
    while let Ok(request) = read_request(&mut stream) {
        shared.calls.lock().unwrap().push(request.clone());
        let fault = shared.faults.next(&request.method);
        let done = match &fault {
            Some(Fault::Exception(class, message, flag)) => Err(Exception::new(class, message, *flag)),
            Some(Fault::CutBefore) => {
                let _ = stream.shutdown(Shutdown::Both);
                return;
            }
            _ => shared.table.lock().unwrap().handle(&request, shared.port),
        };
        match fault {
            Some(Fault::CutAfter) => {
                let _ = stream.shutdown(Shutdown::Both);
                return;
            }
            Some(Fault::CutInside) => {
                let frame = frame_of(request.call_id, &done);
                let _ = writer.lock().unwrap().write_all(&frame[..frame.len() / 2]);
                let _ = stream.shutdown(Shutdown::Both);
                return;
            }
            Some(Fault::Late(pause)) => {
                let writer = Arc::clone(&writer);
                std::thread::spawn(move || {
                    std::thread::sleep(pause);
                    answer(&writer, &request, &done);
                });
            }
            Some(Fault::Silence) => {}
            _ => answer(&writer, &request, &done),
        }
    }
}

fn answer(writer: &Mutex<TcpStream>, request: &Request, done: &Result<Answer, Exception>) {
    // The client may have disconnected.
    let _ = writer.lock().unwrap().write_all(&frame_of(request.call_id, done));
}
