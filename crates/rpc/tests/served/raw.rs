//! Calls as raw messages, without a retrying client: exactly the test's bytes are sent.

use prost::Message;
use rowstone_model::codec::read_varint;
use rowstone_rpc::proto;
use rowstone_rpc::wire::{header, preamble, Call};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

/// A connection for one service.
pub struct Raw {
    stream: TcpStream,
    calls: u32,
}

impl Raw {
    pub fn connect(address: SocketAddr, service: &str) -> Self {
        let mut stream = TcpStream::connect(address).unwrap();
        let hello = [&preamble(80)[..], &header(service, Some(("tester", None)), None)].concat();
        stream.write_all(&hello).unwrap();
        Raw { stream, calls: 0 }
    }

    /// The response's message and cells, or the exception's class and text.
    pub fn call_with<M: Message + Default>(
        &mut self,
        method: &'static str,
        parameter: &impl Message,
        cells: &[u8],
    ) -> Result<(M, Vec<u8>), (String, String)> {
        self.calls += 1;
        let mut frame = Vec::new();
        if Call::new(method, parameter).encode(self.calls, 0, cells, &mut frame) == 0 {
            frame.extend_from_slice(cells);
        }
        self.stream.write_all(&frame).unwrap();
        let mut length = [0; 4];
        self.stream.read_exact(&mut length).unwrap();
        let mut body = vec![0; u32::from_be_bytes(length) as usize];
        self.stream.read_exact(&mut body).unwrap();
        let (header, rest) = delimited(&body);
        let header = proto::ResponseHeader::decode(header).unwrap();
        assert_eq!(header.call_id, Some(self.calls));
        if let Some(exception) = header.exception {
            return Err((exception.exception_class_name.unwrap(), exception.stack_trace.unwrap()));
        }
        let (message, cells) = delimited(rest);
        Ok((M::decode(message).unwrap(), cells.to_vec()))
    }

    /// The response's message, or the exception's class and text.
    pub fn call<M: Message + Default>(
        &mut self,
        method: &'static str,
        parameter: &impl Message,
    ) -> Result<M, (String, String)> {
        self.call_with(method, parameter, &[]).map(|(message, _)| message)
    }
}

fn delimited(bytes: &[u8]) -> (&[u8], &[u8]) {
    let (length, used) = read_varint(bytes).unwrap();
    bytes[used..].split_at(length as usize)
}
