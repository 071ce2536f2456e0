//! A server without data: it answers gets, scans and writes of user tables at once, always with the same cells. A
//! client's rate against it is the client's own maximum, with which the rate of a real server can be compared.
//!
//! ```text
//! cargo run --release --example null_server -- --family info0 --columns 1 --value 1000
//! ```
//!
//! Locating the cluster, `hbase:meta` and the master are served by a real server of an in-memory database, which
//! listens on the same port of another loopback address (Linux has all of them). So clients can create tables and see
//! them.

#![allow(missing_docs, reason = "a program")]

mod canned;

use canned::{Canned, Shape};
use prost::Message;
use rowstone_engine::db::{open, OpenOptions};
use rowstone_rpc::wire::{encode_answer, RequestHead};
use rowstone_rpc::{proto, Server, ServerOptions};
use std::io::{BufReader, Error, ErrorKind, Read, Result, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

const FRONT: Ipv4Addr = Ipv4Addr::LOCALHOST;
const BEHIND: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const MAX_FRAME_BYTES: usize = 256 << 20;

fn main() -> Result<()> {
    let shape = shape(std::env::args().skip(1))?;
    let other = |error: rowstone_model::Error| Error::other(error.to_string());
    let engine = open(OpenOptions { create: true, ..OpenOptions::default() }).map_err(other)?;
    let options =
        ServerOptions { host: BEHIND.into(), zk_port: None, advertised: Some(FRONT.to_string()), ..Default::default() };
    let server = Server::start(engine, options).map_err(other)?;
    let behind = server.address();
    let listener = TcpListener::bind((FRONT, behind.port()))?;
    println!("ready: hbase://{}", listener.local_addr()?);
    for client in listener.incoming() {
        let (client, shape) = (client?, shape.clone());
        // A broken connection does not concern the others.
        thread::spawn(move || serve(client, behind, shape));
    }
    Ok(())
}

/// `--family NAME --columns COUNT --prefix TEXT --value BYTES`; qualifiers are the prefix and a number.
fn shape(mut arguments: impl Iterator<Item = String>) -> Result<Shape> {
    let (mut family, mut columns, mut prefix, mut value_bytes) = ("info0".to_string(), 1, String::new(), 1_000);
    while let (Some(name), Some(value)) = (arguments.next(), arguments.next()) {
        let number = || value.parse().map_err(|_| Error::new(ErrorKind::InvalidInput, format!("{name}: {value}")));
        match name.as_str() {
            "--family" => family = value,
            "--prefix" => prefix = value,
            "--columns" => columns = number()?,
            "--value" => value_bytes = number()?,
            _ => return Err(Error::new(ErrorKind::InvalidInput, format!("no option {name}"))),
        }
    }
    let qualifiers = (0..columns.max(1)).map(|number| format!("{prefix}{number}")).collect();
    Ok(Shape { family, qualifiers, value_bytes })
}

fn serve(mut client: TcpStream, behind: SocketAddr, shape: Shape) -> Result<()> {
    client.set_nodelay(true)?;
    let mut server = TcpStream::connect(behind)?;
    server.set_nodelay(true)?;
    let mut preamble = [0; 6];
    client.read_exact(&mut preamble)?;
    server.write_all(&preamble)?;
    let is_for_rows = preamble.starts_with(b"HBas") && pass_header(&mut client, &mut server)? == "ClientService";
    let back = Arc::new(Mutex::new(client.try_clone()?));
    let (answers, sink) = (server.try_clone()?, Arc::clone(&back));
    thread::spawn(move || if is_for_rows { pass_frames(answers, &sink) } else { pass_all(answers, &sink) });
    if is_for_rows {
        let done = answer_calls(&client, &mut server, &back, Canned::new(shape));
        server.shutdown(std::net::Shutdown::Both)?;
        return done;
    }
    std::io::copy(&mut client, &mut server)?;
    server.shutdown(std::net::Shutdown::Write)
}

/// Forwards the connection header; returns the service that it names.
fn pass_header(client: &mut TcpStream, server: &mut TcpStream) -> Result<String> {
    let bytes = read_frame(client)?;
    server.write_all(&(bytes.len() as u32).to_be_bytes())?;
    server.write_all(&bytes)?;
    let header = proto::ConnectionHeader::decode(&bytes[..]).map_err(Error::other)?;
    Ok(header.service_name.unwrap_or_default())
}

fn read_frame(source: &mut impl Read) -> Result<Vec<u8>> {
    let mut length = [0; 4];
    source.read_exact(&mut length)?;
    let length = u32::from_be_bytes(length) as usize;
    if length > MAX_FRAME_BYTES {
        return Err(Error::other("a frame that is too long"));
    }
    let mut frame = vec![0; length];
    source.read_exact(&mut frame)?;
    Ok(frame)
}

fn write(sink: &Mutex<TcpStream>, parts: &[&[u8]]) -> Result<()> {
    let mut stream = sink.lock().map_err(|_| Error::other("another thread failed"))?;
    parts.iter().try_for_each(|part| stream.write_all(part))
}

fn pass_frames(source: TcpStream, sink: &Mutex<TcpStream>) -> Result<()> {
    let mut source = BufReader::new(source);
    loop {
        let frame = read_frame(&mut source)?;
        write(sink, &[&(frame.len() as u32).to_be_bytes(), &frame])?;
    }
}

fn pass_all(mut source: TcpStream, sink: &Mutex<TcpStream>) -> Result<()> {
    let mut part = vec![0; 64 << 10];
    loop {
        match source.read(&mut part)? {
            0 => return Ok(()),
            length => write(sink, &[&part[..length]])?,
        }
    }
}

fn answer_calls(client: &TcpStream, server: &mut TcpStream, back: &Mutex<TcpStream>, mut canned: Canned) -> Result<()> {
    let mut source = BufReader::with_capacity(256 << 10, client);
    loop {
        let frame = read_frame(&mut source)?;
        let head = RequestHead::read(&frame).map_err(|_| Error::other("a frame that cannot be read"))?;
        match canned.answer(&head.method, &frame[head.parameter.clone()]) {
            Some((message, cells)) => match encode_answer(head.call_id, &message, &cells) {
                (answer, true) => write(back, &[&answer])?,
                (answer, false) => write(back, &[&answer, &cells])?,
            },
            None => {
                server.write_all(&(frame.len() as u32).to_be_bytes())?;
                server.write_all(&frame)?;
            }
        }
    }
}
