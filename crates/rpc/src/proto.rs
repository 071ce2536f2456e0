//! HBase's messages, generated from the definitions in `proto/`.

#![allow(missing_docs, reason = "the texts in proto/ say what there is to say")]

include!(concat!(env!("OUT_DIR"), "/hbase.rs"));

/// HBase's prefix of messages that it stores.
const MAGIC: &[u8] = b"PBUF";

/// Decodes a message that HBase stored with its prefix.
pub fn stored<M: prost::Message + Default>(bytes: &[u8]) -> Option<M> {
    M::decode(bytes.strip_prefix(MAGIC)?).ok()
}

impl ServerName {
    /// `host,port,startcode`.
    pub fn full_name(&self) -> String {
        format!("{},{},{}", self.host_name, self.port.unwrap_or(0), self.start_code.unwrap_or(0))
    }
}

impl RegionSpecifier {
    /// Specifies a region by its full name.
    pub fn by_name(name: &[u8]) -> Self {
        RegionSpecifier { r#type: region_specifier::Kind::RegionName as i32, value: name.to_vec() }
    }

    /// Specifies a region by its encoded name.
    pub fn by_encoded_name(name: &str) -> Self {
        RegionSpecifier { r#type: region_specifier::Kind::EncodedRegionName as i32, value: name.as_bytes().to_vec() }
    }
}
