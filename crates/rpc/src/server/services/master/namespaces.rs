//! Namespaces.

use super::procedures::run;
use crate::convert::name_pairs;
use crate::proto;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::session::Session;
use rowstone_model::schema::NamespaceDescriptor;

fn of_message(message: proto::NamespaceDescriptor) -> NamespaceDescriptor {
    NamespaceDescriptor {
        name: String::from_utf8_lossy(&message.name).into_owned(),
        properties: message.configuration.into_iter().map(|pair| (pair.name, pair.value)).collect(),
    }
}

fn to_message(namespace: &NamespaceDescriptor) -> proto::NamespaceDescriptor {
    proto::NamespaceDescriptor {
        name: namespace.name.clone().into_bytes(),
        configuration: name_pairs(&namespace.properties),
    }
}

pub(super) fn create(session: &Session, call: &Call) -> Outcome {
    let request: proto::CreateNamespaceRequest = call.message()?;
    let namespace = of_message(request.namespace_descriptor);
    let admin = session.backend.admin();
    run(session, (request.nonce_group, request.nonce), || admin.create_namespace(namespace))
}

pub(super) fn modify(session: &Session, call: &Call) -> Outcome {
    let request: proto::CreateNamespaceRequest = call.message()?;
    let namespace = of_message(request.namespace_descriptor);
    let admin = session.backend.admin();
    run(session, (request.nonce_group, request.nonce), || admin.alter_namespace(namespace))
}

pub(super) fn delete(session: &Session, call: &Call) -> Outcome {
    let request: proto::DeleteNamespaceRequest = call.message()?;
    let admin = session.backend.admin();
    run(session, (request.nonce_group, request.nonce), || admin.drop_namespace(&request.namespace_name))
}

pub(super) fn describe(session: &Session, call: &Call) -> Outcome {
    let name = call.message::<proto::NamespaceName>()?.namespace_name;
    let namespace_descriptor = to_message(&session.backend.admin().describe_namespace(&name)?);
    Ok(Answer::of(&proto::GetNamespaceDescriptorResponse { namespace_descriptor }))
}

pub(super) fn descriptors(session: &Session) -> Outcome {
    let all = session.backend.admin().list_namespaces()?;
    let namespace_descriptor = all.iter().map(to_message).collect();
    Ok(Answer::of(&proto::ListNamespaceDescriptorsResponse { namespace_descriptor }))
}

pub(super) fn names(session: &Session) -> Outcome {
    let namespace_name = session.backend.admin().namespace_names()?;
    Ok(Answer::of(&proto::ListNamespacesResponse { namespace_name }))
}
