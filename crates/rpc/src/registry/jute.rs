//! The subset of ZooKeeper's messages needed to read a node: big-endian numbers, and length-prefixed bytes.

use rowstone_model::codec::{Reader, Short};

/// Session timeout in milliseconds. This client closes its session right after a read.
const SESSION_TIMEOUT_MS: i32 = 30_000;
const GET_DATA: i32 = 4;
const CLOSE_SESSION: i32 = -11;

/// A request.
#[derive(Debug, Clone, Copy)]
pub(super) enum Request<'a> {
    /// Open a session.
    Connect,
    /// Read the contents of a node.
    GetData(&'a str),
    /// Close the session.
    Close,
}

impl Request<'_> {
    /// Encodes the message with its length.
    pub(super) fn encode(self) -> Vec<u8> {
        let mut body = Vec::new();
        match self {
            Request::Connect => {
                body.extend_from_slice(&0i32.to_be_bytes());
                body.extend_from_slice(&0i64.to_be_bytes());
                body.extend_from_slice(&SESSION_TIMEOUT_MS.to_be_bytes());
                body.extend_from_slice(&0i64.to_be_bytes());
                put_bytes(&mut body, &[0; 16]);
                // Not read-only.
                body.push(0);
            }
            Request::GetData(path) => {
                body.extend_from_slice(&1i32.to_be_bytes());
                body.extend_from_slice(&GET_DATA.to_be_bytes());
                put_bytes(&mut body, path.as_bytes());
                // No watch.
                body.push(0);
            }
            Request::Close => {
                body.extend_from_slice(&2i32.to_be_bytes());
                body.extend_from_slice(&CLOSE_SESSION.to_be_bytes());
            }
        }
        let mut message = (body.len() as u32).to_be_bytes().to_vec();
        message.extend(body);
        message
    }
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&(bytes.len() as u32).to_be_bytes());
    out.extend_from_slice(bytes);
}

/// The response to [`Request::Connect`].
#[derive(Debug)]
pub(super) struct ConnectResponse;

impl ConnectResponse {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Short> {
        let mut reader = Reader::new(bytes);
        // Protocol version, timeout, session.
        reader.take(4 + 4 + 8)?;
        let length = reader.u32()? as usize;
        reader.take(length)?;
        Ok(ConnectResponse)
    }
}

/// The response to [`Request::GetData`].
#[derive(Debug)]
pub(super) struct Reply<'a> {
    /// The error code; 0 for success.
    pub(super) error: i32,
    /// The contents of the node.
    pub(super) data: &'a [u8],
}

impl<'a> Reply<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Short> {
        let mut reader = Reader::new(bytes);
        // The xid of the request, the zxid of the last change.
        reader.take(4 + 8)?;
        let error = reader.i32()?;
        if error != 0 {
            return Ok(Reply { error, data: &[] });
        }
        let length = reader.i32()?;
        let data = reader.take(usize::try_from(length).unwrap_or(0))?;
        Ok(Reply { error, data })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn requests_have_the_lengths_that_servers_expect() {
        assert_eq!(Request::Connect.encode().len(), 4 + 45);
        assert_eq!(Request::Close.encode(), [0, 0, 0, 8, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xf5]);
        assert_eq!(&Request::GetData("/a").encode()[8..], [0, 0, 0, 4, 0, 0, 0, 2, b'/', b'a', 0]);
    }

    #[test]
    fn truncated_replies_are_rejected() {
        let mut bytes = vec![0; 16];
        bytes.extend_from_slice(&[0, 0, 0, 2, 7, 8]);
        assert_eq!(Reply::read(&bytes).unwrap().data, [7, 8]);
        for end in 0..bytes.len() {
            assert!(Reply::read(&bytes[..end]).is_err(), "{end}");
        }
        bytes[15] = 1;
        assert_eq!(Reply::read(&bytes).unwrap().error, 1);
        assert!(ConnectResponse::read(&[0; 19]).is_err());
    }
}
