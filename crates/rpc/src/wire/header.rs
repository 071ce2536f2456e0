//! What a client says first: who it is, which service it wants, how it writes cells.

use crate::proto::{ConnectionHeader, UserInformation, VersionInfo};
use prost::Message;

/// Magic, version 0, authentication SIMPLE.
const PREAMBLE: [u8; 6] = [b'H', b'B', b'a', b's', 0, 80];
const CODEC: &str = "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags";

/// Preamble and connection header for `service`.
pub fn preamble(service: &str, user: &str, compressor: Option<&str>) -> Vec<u8> {
    let header = ConnectionHeader {
        user_info: Some(UserInformation { effective_user: user.to_string(), real_user: None }),
        service_name: Some(service.to_string()),
        cell_block_codec_class: Some(CODEC.to_string()),
        cell_block_compressor_class: compressor.map(str::to_string),
        version_info: Some(version()),
    };
    let mut bytes = PREAMBLE.to_vec();
    bytes.extend_from_slice(&(header.encoded_len() as u32).to_be_bytes());
    bytes.extend_from_slice(&header.encode_to_vec());
    bytes
}

/// The version of HBase whose behaviour we know: servers answer gets with cell blocks only to clients that name one.
fn version() -> VersionInfo {
    VersionInfo {
        version: "2.6.4".to_string(),
        url: String::new(),
        revision: String::new(),
        user: "rowstone".to_string(),
        date: String::new(),
        src_checksum: String::new(),
        version_major: Some(2),
        version_minor: Some(6),
    }
}
