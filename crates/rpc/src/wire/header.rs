//! The start of a connection: the client's identity, the service, the cell format.

use crate::proto::{ConnectionHeader, UserInformation, VersionInfo};
use prost::Message;

const CODEC: &str = "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags";

/// The first bytes of a connection: magic, version 0, and the authentication method.
pub fn preamble(auth_byte: u8) -> [u8; 6] {
    [b'H', b'B', b'a', b's', 0, auth_byte]
}

/// The header of a connection to `service`, with the effective and the real user.
pub fn header(service: &str, users: Option<(&str, Option<&str>)>, compressor: Option<&str>) -> Vec<u8> {
    let header = ConnectionHeader {
        user_info: users.map(|(user, real)| UserInformation {
            effective_user: user.to_string(),
            real_user: real.map(str::to_string),
        }),
        service_name: Some(service.to_string()),
        cell_block_codec_class: Some(CODEC.to_string()),
        cell_block_compressor_class: compressor.map(str::to_string),
        version_info: Some(version()),
    };
    let mut bytes = (header.encoded_len() as u32).to_be_bytes().to_vec();
    bytes.extend_from_slice(&header.encode_to_vec());
    bytes
}

/// The HBase version that this client implements: servers only answer gets with cell blocks to clients that send a
/// version.
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
