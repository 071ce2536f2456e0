//! Calls for operators: methods and messages by their names in `proto/operate/`, requests and responses as JSON.
//!
//! A switch that is set once a month needs no type of its own. Calls that programs make often have types, in the
//! files next to this one.

use super::Admin;
use crate::cluster::Recovery;
use crate::connection::{Server, Service};
use crate::failure::Failure;
use crate::proto;
use crate::region::Location;
use crate::wire::Call;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, SerializeOptions};
use rowstone_model::schema::TableName;
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::{Arc, LazyLock};

/// The table whose region hosts the service for visibility labels.
const LABELS_TABLE: (&str, &str) = ("hbase", "labels");
/// HBase's prefix of messages that it stores.
const MAGIC: &[u8] = b"PBUF";

/// The descriptors in `proto/operate/`.
struct Texts {
    pool: Option<DescriptorPool>,
    methods: Vec<Method>,
}

struct Method {
    service: String,
    name: String,
    input: MessageDescriptor,
    output: MessageDescriptor,
}

static TEXTS: LazyLock<Texts> = LazyLock::new(|| {
    let bytes: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/operate.bin"));
    let pool = DescriptorPool::decode(bytes).ok();
    let mut methods = Vec::new();
    for service in pool.iter().flat_map(DescriptorPool::services) {
        methods.extend(service.methods().map(|method| Method {
            service: service.name().to_string(),
            name: method.name().to_string(),
            input: method.input(),
            output: method.output(),
        }));
    }
    Texts { pool, methods }
});

fn method_of(service: &str, name: &str) -> Result<&'static Method> {
    let found = TEXTS.methods.iter().find(|method| method.service == service && method.name == name);
    found.ok_or_else(|| Error::invalid(format!("unknown method {name} of {service}")))
}

/// Parses a message from JSON.
fn message_of(kind: &MessageDescriptor, text: &str) -> Result<DynamicMessage> {
    let wrong = |error: serde_json::Error| Error::invalid(format!("{text} is not a valid {}: {error}", kind.name()));
    let mut reader = serde_json::Deserializer::from_str(text);
    let message = DynamicMessage::deserialize(kind.clone(), &mut reader).map_err(wrong)?;
    reader.end().map_err(wrong)?;
    Ok(message)
}

/// Formats an encoded message as JSON: numbers as numbers, bytes in base64, absent fields omitted.
fn text_of(kind: &MessageDescriptor, bytes: &[u8]) -> Result<String> {
    let wrong = |error: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Remote, format!("what should be a {} cannot be read: {error}", kind.name()))
    };
    let message = DynamicMessage::decode(kind.clone(), bytes).map_err(|error| wrong(&error))?;
    let mut out = Vec::new();
    let options = SerializeOptions::new().stringify_64_bit_integers(false).use_proto_field_name(true);
    message
        .serialize_with_options(&mut serde_json::Serializer::new(&mut out), &options)
        .map_err(|error| wrong(&error))?;
    String::from_utf8(out).map_err(|error| wrong(&error))
}

fn kind_named(kind: &str) -> Result<MessageDescriptor> {
    let found = TEXTS.pool.as_ref().and_then(|pool| pool.get_message_by_name(&format!("hbase.{kind}")));
    found.ok_or_else(|| Error::invalid(format!("unknown message {kind}")))
}

/// Decodes message `kind`, which HBase stored in a cell, to JSON.
pub(super) fn stored_text(kind: &str, bytes: &[u8]) -> Result<String> {
    text_of(&kind_named(kind)?, bytes.strip_prefix(MAGIC).unwrap_or(bytes))
}

/// Encodes message `kind` from JSON.
pub(super) fn encoded(kind: &str, text: &str) -> Result<Vec<u8>> {
    Ok(message_of(&kind_named(kind)?, text)?.encode_to_vec())
}

impl Admin {
    /// Calls a method and returns its response. If that names a procedure, waits until the procedure has ended.
    pub(super) fn ask_by_name(&self, service: &str, method: &str, at: Option<&str>, request: &str) -> Result<String> {
        let method = method_of(service, method)?;
        let request = message_of(&method.input, request)?;
        let call = Call::new(&method.name, &request);
        let answer = match (service, at) {
            ("MasterService", None) => self.ask_master(Service::Master, &call)?,
            ("HbckService", None) => self.ask_master(Service::Hbck, &call)?,
            ("AdminService", Some(server)) => self.ask_server(server, &call)?,
            ("ClientService", Some(server)) => self.ask_once(server, &call)?,
            ("RSGroupAdminService", None) => self.ask_loaded_in_master(method, &request)?,
            ("AuthenticationService", None) => {
                self.ask_region(method, &request, |recovery| self.cluster.meta(recovery.call_deadline()))?
            }
            ("VisibilityLabelsService", None) => self.ask_labels(method, &request)?,
            (_, at) => {
                let place = if at.is_some() { "one server" } else { "no server in particular" };
                return Err(Error::invalid(format!("{service} is not asked of {place}")));
            }
        };
        self.await_procedure(method, &answer)?;
        text_of(&method.output, &answer)
    }

    fn await_procedure(&self, method: &Method, answer: &[u8]) -> Result<()> {
        if method.output.get_field_by_name("proc_id").is_none() {
            return Ok(());
        }
        let wrong =
            |error| Error::new(ErrorKind::Remote, format!("the answer of {} cannot be read: {error}", method.name));
        let started = proto::ProcedureId::decode(answer).map_err(wrong)?;
        started.proc_id.map_or(Ok(()), |id| self.wait_for(id, &method.name))
    }

    fn ask_master(&self, service: Service, call: &Call) -> Result<Vec<u8>> {
        self.call_master(service, call, |response| Ok(response.message_bytes().to_vec()))
    }

    /// Calls the region server named `host,port,startcode`.
    fn ask_server(&self, name: &str, call: &Call) -> Result<Vec<u8>> {
        let server = self.server_named(name)?;
        let mut recovery = Recovery::new(&self.cluster);
        loop {
            let deadline = recovery.call_deadline();
            match server.call(Service::Admin, call, deadline) {
                Ok(response) => return Ok(response.message_bytes().to_vec()),
                Err(failure) => recovery.after(failure, call.method(), None, None)?,
            }
        }
    }

    /// Calls the region server named `host,port,startcode` about one of its regions. The caller repeats a failed call:
    /// the region may then be on another server, or may be split.
    fn ask_once(&self, name: &str, call: &Call) -> Result<Vec<u8>> {
        let answer = self.server_named(name)?.call(Service::Client, call, self.cluster.deadline());
        answer.map(|response| response.message_bytes().to_vec()).map_err(|failure| failure.error)
    }

    fn server_named(&self, name: &str) -> Result<Arc<Server>> {
        self.cluster.check_open()?;
        let mut parts = name.split(',');
        let host = parts.next().unwrap_or_default();
        let port = parts.next().and_then(|port| port.parse().ok());
        let port =
            port.ok_or_else(|| Error::invalid(format!("server '{name}' is not written as host,port,startcode")))?;
        Ok(self.cluster.servers.get(host, port))
    }

    /// Calls a coprocessor service of the master.
    fn ask_loaded_in_master(&self, method: &Method, request: &DynamicMessage) -> Result<Vec<u8>> {
        let region = proto::RegionSpecifier::by_name(b"");
        let request = wrapped(method, request, region);
        let answer: proto::CoprocessorServiceResponse = self.call("ExecMasterService", &request)?;
        Ok(answer.value.value.unwrap_or_default())
    }

    /// Calls the visibility label service in the region of `hbase:labels`.
    fn ask_labels(&self, method: &Method, request: &DynamicMessage) -> Result<Vec<u8>> {
        let table = TableName::new(LABELS_TABLE.0, LABELS_TABLE.1)?;
        let places = self.region_rows(&table)?;
        let place = places.into_iter().next().ok_or_else(|| crate::cluster::table_not_found(&table))?;
        let place = Arc::new(place);
        self.ask_region(method, request, |_| Ok(Arc::clone(&place)))
    }

    /// Calls a coprocessor service of the region that `find` returns.
    fn ask_region(
        &self,
        method: &Method,
        request: &DynamicMessage,
        find: impl Fn(&Recovery<'_>) -> Result<Arc<Location>, Failure>,
    ) -> Result<Vec<u8>> {
        let mut recovery = Recovery::new(&self.cluster);
        loop {
            let answer = find(&recovery).and_then(|place| {
                let call = Call::new("ExecService", &wrapped(method, request, place.specifier()));
                let nowhere =
                    || Failure::connection(format!("region {} is not assigned to a server", place.info.encoded_name));
                let server = place.server.as_ref().ok_or_else(nowhere)?;
                let response = server.call(Service::Client, &call, recovery.call_deadline())?;
                Ok(response.message::<proto::CoprocessorServiceResponse>()?)
            });
            match answer {
                Ok(answer) => return Ok(answer.value.value.unwrap_or_default()),
                Err(failure) => recovery.after(failure, &method.name, None, None)?,
            }
        }
    }
}

fn wrapped(
    method: &Method,
    request: &DynamicMessage,
    region: proto::RegionSpecifier,
) -> proto::CoprocessorServiceRequest {
    let call = proto::CoprocessorServiceCall {
        row: Vec::new(),
        service_name: method.service.clone(),
        method_name: method.name.clone(),
        request: request.encode_to_vec(),
    };
    proto::CoprocessorServiceRequest { region, call }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_there_with_its_messages() {
        assert!(TEXTS.pool.is_some());
        assert!(TEXTS.methods.len() > 60, "{}", TEXTS.methods.len());
        assert_eq!(method_of("MasterService", "SetQuota").unwrap().input.name(), "SetQuotaRequest");
        assert!(method_of("MasterService", "Nonsense").is_err());
    }

    #[test]
    fn json_and_bytes_are_the_same_message() {
        let kind = &method_of("MasterService", "SetQuota").unwrap().input;
        let text = r#"{"user_name":"u","throttle":{"type":"WRITE_SIZE","timed_quota":{"time_unit":"SECONDS","soft_limit":5}}}"#;
        let bytes = message_of(kind, text).unwrap().encode_to_vec();
        assert_eq!(bytes, b"\x0a\x01u\x3a\x08\x08\x04\x12\x04\x08\x04\x10\x05");
        assert_eq!(text_of(kind, &bytes).unwrap(), text);
    }

    #[test]
    fn invalid_messages_are_refused() {
        let kind = &method_of("MasterService", "SetQuota").unwrap().input;
        for text in ["", "[]", "{\"nonsense\":1}", "{} {}", "{\"user_name\":5}"] {
            assert_eq!(message_of(kind, text).unwrap_err().kind(), ErrorKind::InvalidArgument, "{text}");
        }
        assert_eq!(text_of(kind, b"\xff\xff").unwrap_err().kind(), ErrorKind::Remote);
    }

    #[test]
    fn stored_messages_may_have_their_magic() {
        for bytes in [&b"PBUF\x08\x01"[..], b"\x08\x01"] {
            assert_eq!(stored_text("Quotas", bytes).unwrap(), r#"{"bypass_globals":true}"#);
        }
        assert!(stored_text("Nonsense", b"").is_err());
    }
}
