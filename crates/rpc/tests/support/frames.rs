//! The server's side of frames: the counterpart of `rowstone_rpc::wire`, implemented independently.

use prost::Message;
use rowstone_model::codec::{read_varint, write_varint};
use rowstone_rpc::proto;
use std::io::{Read, Result};
use std::net::TcpStream;

#[derive(Debug, Clone)]
pub struct Request {
    pub call_id: u32,
    pub method: String,
    pub parameter: Vec<u8>,
    pub cells: Vec<u8>,
}

impl Request {
    pub fn message<M: Message + Default>(&self) -> M {
        M::decode(self.parameter.as_slice()).expect("a request of the right kind")
    }
}

fn read_vec(stream: &mut TcpStream, length: usize) -> Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn read_length(stream: &mut TcpStream) -> Result<usize> {
    let bytes = read_vec(stream, 4)?;
    Ok(u32::from_be_bytes(bytes.try_into().unwrap()) as usize)
}

/// Reads preamble and header; returns the service.
pub fn read_hello(stream: &mut TcpStream) -> Result<proto::ConnectionHeader> {
    let preamble = read_vec(stream, 6)?;
    assert_eq!(preamble, [b'H', b'B', b'a', b's', 0, 80]);
    let length = read_length(stream)?;
    Ok(proto::ConnectionHeader::decode(read_vec(stream, length)?.as_slice()).unwrap())
}

fn delimited(bytes: &[u8]) -> (&[u8], &[u8]) {
    let (length, used) = read_varint(bytes).unwrap();
    bytes[used..].split_at(length as usize)
}

pub fn read_request(stream: &mut TcpStream) -> Result<Request> {
    let length = read_length(stream)?;
    let frame = read_vec(stream, length)?;
    let (header, rest) = delimited(&frame);
    let header = proto::RequestHeader::decode(header).unwrap();
    let (parameter, cells) = delimited(rest);
    let announced = header.cell_block_meta.and_then(|meta| meta.length).unwrap_or(0) as usize;
    assert_eq!(cells.len(), announced);
    assert_eq!(header.request_param, Some(true));
    Ok(Request {
        call_id: header.call_id.unwrap(),
        method: header.method_name.unwrap(),
        parameter: parameter.to_vec(),
        cells: cells.to_vec(),
    })
}

/// The response of a method: its message and its cells.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    pub message: Vec<u8>,
    pub cells: Vec<u8>,
}

impl Answer {
    pub fn of(message: &impl Message) -> Self {
        Answer { message: message.encode_to_vec(), cells: Vec::new() }
    }
}

#[derive(Debug, Clone)]
pub struct Exception {
    pub class: String,
    pub message: String,
    pub do_not_retry: bool,
}

impl Exception {
    pub fn new(class: &str, message: &str, do_not_retry: bool) -> Self {
        Exception { class: class.to_string(), message: message.to_string(), do_not_retry }
    }

    pub fn text(&self) -> String {
        format!("{}: {}\n\tat fake.Server.call(Server.java:1)", self.class, self.message)
    }
}

pub fn frame_of(call_id: u32, answer: &std::result::Result<Answer, Exception>) -> Vec<u8> {
    let mut body = Vec::new();
    let mut header = proto::ResponseHeader { call_id: Some(call_id), ..proto::ResponseHeader::default() };
    match answer {
        Ok(answer) => {
            if !answer.cells.is_empty() {
                header.cell_block_meta = Some(proto::CellBlockMeta { length: Some(answer.cells.len() as u32) });
            }
            body.extend(header.encode_length_delimited_to_vec());
            write_varint(&mut body, answer.message.len() as u64);
            body.extend_from_slice(&answer.message);
            body.extend_from_slice(&answer.cells);
        }
        Err(exception) => {
            header.exception = Some(proto::ExceptionResponse {
                exception_class_name: Some(exception.class.clone()),
                stack_trace: Some(exception.text()),
                do_not_retry: Some(exception.do_not_retry),
                ..proto::ExceptionResponse::default()
            });
            body.extend(header.encode_length_delimited_to_vec());
        }
    }
    let mut frame = (body.len() as u32).to_be_bytes().to_vec();
    frame.extend(body);
    frame
}
