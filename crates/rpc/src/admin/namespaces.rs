//! Namespaces.

use super::Admin;
use crate::convert::name_pairs;
use crate::proto;
use rowstone_model::schema::{check_namespace, NamespaceDescriptor};
use rowstone_model::Result;

impl Admin {
    /// Creates a namespace or replaces its properties.
    pub(super) fn make_namespace(&self, method: &'static str, namespace: &NamespaceDescriptor) -> Result<()> {
        check_namespace(&namespace.name)?;
        let (nonce_group, nonce) = self.nonce();
        let descriptor = proto::NamespaceDescriptor {
            name: namespace.name.clone().into_bytes(),
            configuration: name_pairs(&namespace.properties),
        };
        self.run(method, &proto::CreateNamespaceRequest { namespace_descriptor: descriptor, nonce_group, nonce })
    }

    pub(super) fn remove_namespace(&self, name: &str) -> Result<()> {
        let (nonce_group, nonce) = self.nonce();
        let request = proto::DeleteNamespaceRequest { namespace_name: name.to_string(), nonce_group, nonce };
        self.run("DeleteNamespace", &request)
    }

    pub(super) fn namespaces(&self) -> Result<Vec<NamespaceDescriptor>> {
        let answer: proto::ListNamespaceDescriptorsResponse =
            self.call("ListNamespaceDescriptors", &proto::Empty {})?;
        let mut all: Vec<_> = answer.namespace_descriptor.into_iter().map(of_message).collect();
        all.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(all)
    }

    pub(super) fn names_of_namespaces(&self) -> Result<Vec<String>> {
        let answer: proto::ListNamespacesResponse = self.call("ListNamespaces", &proto::Empty {})?;
        let mut names = answer.namespace_name;
        names.sort();
        Ok(names)
    }

    pub(super) fn namespace(&self, name: &str) -> Result<NamespaceDescriptor> {
        let request = proto::NamespaceName { namespace_name: name.to_string() };
        let answer: proto::GetNamespaceDescriptorResponse = self.call("GetNamespaceDescriptor", &request)?;
        Ok(of_message(answer.namespace_descriptor))
    }
}

fn of_message(namespace: proto::NamespaceDescriptor) -> NamespaceDescriptor {
    NamespaceDescriptor {
        name: String::from_utf8_lossy(&namespace.name).into_owned(),
        properties: namespace.configuration.into_iter().map(|pair| (pair.name, pair.value)).collect(),
    }
}
