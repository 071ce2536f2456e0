//! Coprocessor endpoints: services that clients call by name for one region. Every table has the services of this
//! module; the access control service exists only if access control is on. All other services are unknown. Source:
//! `HRegion.execService`.

mod access;
mod aggregate;
mod decimal;
mod interpreter;
mod rows;

use crate::proto;
use crate::server::authentication::{Method, User};
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::services::regions::{find, Target};
use crate::server::session::Session;
use prost::Message;
use rowstone_model::codec::printable;

/// The access control service, which checks permissions itself.
const ACCESS: &str = "AccessControlService";
/// The service that returns the current user; every user may call it.
const AUTHENTICATION: &str = "AuthenticationService";
/// The package of HBase's own services, which clients omit.
const SERVICE_PACKAGE: &str = "hbase.pb.";
/// The package of the Java classes of their messages.
const MESSAGE_PACKAGE: &str = "org.apache.hadoop.hbase.shaded.protobuf.generated.";

/// Calls a method of a region's service.
pub(in crate::server) fn execute(session: &Session, call: &Call) -> Outcome {
    let request: proto::CoprocessorServiceRequest = call.message()?;
    let target = find(session, &request.region)?;
    let wanted = &request.call;
    let service = wanted.service_name.strip_prefix(SERVICE_PACKAGE).unwrap_or(&wanted.service_name);
    if let (true, Target::Region(region)) = (![ACCESS, AUTHENTICATION].contains(&service), &target) {
        region.table.check_invoke()?;
    }
    let (class, value) = match (service, &target) {
        ("AggregateService", _) => {
            let source = aggregate::Source::new(session, &target, call.timeout_ms());
            let answer = aggregate::call(&source, &wanted.method_name, &wanted.request)?;
            let answer = answer.ok_or_else(|| unknown_method(wanted, &request.region))?;
            ("AggregateProtos$AggregateResponse".to_string(), answer.encode_to_vec())
        }
        ("MultiRowMutationService", Target::Region(region)) if wanted.method_name == "MutateRows" => {
            let answer = rows::mutate(session, region, &wanted.request)?;
            ("MultiRowMutationProtos$MutateRowsResponse".to_string(), answer.encode_to_vec())
        }
        (ACCESS, Target::Region(_)) if session.backend.admin().has_authorization() => {
            let answer = access::call(session, &wanted.method_name, &wanted.request)?;
            let (name, value) = answer.ok_or_else(|| unknown_method(wanted, &request.region))?;
            (format!("AccessControlProtos${name}"), value)
        }
        (AUTHENTICATION, _) if wanted.method_name == "WhoAmI" => {
            ("AuthenticationProtos$WhoAmIResponse".to_string(), who_am_i(session).encode_to_vec())
        }
        ("MultiRowMutationService", Target::Region(_)) => return Err(unknown_method(wanted, &request.region)),
        _ => {
            let region = printable(&request.region.value);
            let message = format!("No registered coprocessor service found for {service} in region {region}");
            return Err(unknown(message));
        }
    };
    let value = proto::NameBytesPair { name: format!("{MESSAGE_PACKAGE}{class}"), value: Some(value) };
    Ok(Answer::of(&proto::CoprocessorServiceResponse { region: request.region, value }))
}

/// Returns the user that the connection's calls run as. Source: `TokenProvider`.
fn who_am_i(session: &Session) -> proto::WhoAmIResponse {
    let user = &session.user;
    proto::WhoAmIResponse { username: Some(user.name.clone()), auth_method: Some(auth_method(user).to_string()) }
}

/// The name in Hadoop's `AuthenticationMethod`.
fn auth_method(user: &User) -> &'static str {
    match (&user.real_user, user.method) {
        (Some(_), _) => "PROXY",
        (None, Method::Simple) => "SIMPLE",
        (None, Method::Certificate) => "CERTIFICATE",
        (None, Method::Password) => "TOKEN",
        (None, Method::Kerberos) => "KERBEROS",
    }
}

/// Rejects services of a region server or of the master: there are none.
pub(in crate::server) fn refuse(call: &Call) -> Outcome {
    let request: proto::CoprocessorServiceRequest = call.message()?;
    Err(unknown(format!("No registered coprocessor service found for {}", request.call.service_name)))
}

fn unknown(message: String) -> Exception {
    Exception::last("exceptions.UnknownProtocolException", message)
}

fn unknown_method(call: &proto::CoprocessorServiceCall, region: &proto::RegionSpecifier) -> Exception {
    let (method, service, region) = (&call.method_name, &call.service_name, printable(&region.value));
    unknown(format!("Unknown method {method} called on service {service} in region {region}"))
}
