//! URLs of clusters.

use rowstone_model::codec::without_secrets;
use rowstone_model::{Error, Result};

/// The default port of masters.
const MASTER_PORT: u16 = 16000;
/// The default port of ZooKeeper, and the default parent of HBase's nodes.
const ZOOKEEPER: (u16, &str) = (2181, "/hbase");

/// Address of the registry that names the cluster's servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegistryAddress {
    /// Any of these masters or region servers.
    Servers(Vec<(String, u16)>),
    /// This ZooKeeper quorum, below this node.
    ZooKeeper(Vec<(String, u16)>, String),
}

/// A cluster's URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterUrl {
    /// Address at which clients look up the servers of a cluster.
    pub registry: RegistryAddress,
}

impl ClusterUrl {
    /// Parses `hbase://host[:port][,host[:port]]`, default port 16000 (a master's), or
    /// `hbase+zk://host[:port][,host[:port]][/parent]`, default port 2181 (ZooKeeper's), default parent `/hbase`.
    ///
    /// # Errors
    /// `InvalidArgument` for anything else, with the part that is wrong.
    pub fn parse(text: &str) -> Result<Self> {
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err(Error::invalid(format!("'{text}' is not the URL of a cluster: write hbase://host:port")));
        };
        let text = &without_secrets(text);
        if rest.split('/').next().is_some_and(|servers| servers.contains('@')) {
            return Err(Error::invalid(format!(
                "'{text}' was given with credentials; pass them as options, not in the URL"
            )));
        }
        match scheme {
            "hbase" => Ok(ClusterUrl {
                registry: RegistryAddress::Servers(servers(text, rest.trim_end_matches('/'), MASTER_PORT)?),
            }),
            "hbase+zk" => {
                let (quorum, parent) = match rest.split_once('/') {
                    Some((quorum, parent)) if !parent.is_empty() => (quorum, format!("/{}", parent.trim_matches('/'))),
                    Some((quorum, _)) => (quorum, ZOOKEEPER.1.to_string()),
                    None => (rest, ZOOKEEPER.1.to_string()),
                };
                Ok(ClusterUrl { registry: RegistryAddress::ZooKeeper(ports_of_all(servers(text, quorum, 0)?), parent) })
            }
            _ => Err(Error::invalid(format!(
                "'{text}' starts with '{scheme}://': clusters have hbase://host:port or hbase+zk://quorum/parent"
            ))),
        }
    }
}

/// In a quorum such as `a,b,c:2182`, a port at the end applies to all servers without one.
fn ports_of_all(mut quorum: Vec<(String, u16)>) -> Vec<(String, u16)> {
    let last = quorum.last().map_or(0, |server| server.1);
    let default = if last == 0 { ZOOKEEPER.0 } else { last };
    quorum.iter_mut().filter(|server| server.1 == 0).for_each(|server| server.1 = default);
    quorum
}

/// `host[:port][,host[:port]]`, with brackets around IPv6 addresses.
fn servers(url: &str, text: &str, default_port: u16) -> Result<Vec<(String, u16)>> {
    if text.contains('/') {
        return Err(Error::invalid(format!("'{url}' has a path: write hbase://host:port and nothing after it")));
    }
    text.split(',').map(|part| server(url, part.trim(), default_port)).collect()
}

fn server(url: &str, text: &str, default_port: u16) -> Result<(String, u16)> {
    let wrong = |what: &str| Error::invalid(format!("'{url}': {what} in '{text}'; write host:port"));
    let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, rest)) => (host, rest.strip_prefix(':')),
        None if text.matches(':').count() > 1 => return Err(wrong("an IPv6 address without brackets")),
        None => text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
    };
    if host.is_empty() {
        return Err(wrong("no host"));
    }
    match port.map(str::parse) {
        None => Ok((host.to_string(), default_port)),
        Some(Ok(port)) if port > 0 => Ok((host.to_string(), port)),
        Some(_) => Err(wrong("no port from 1 to 65535")),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn servers_of(url: &str) -> Vec<(String, u16)> {
        match ClusterUrl::parse(url).unwrap().registry {
            RegistryAddress::Servers(servers) => servers,
            RegistryAddress::ZooKeeper(..) => Vec::new(),
        }
    }

    #[test]
    fn a_quorum_has_a_parent() {
        let quorum = |url: &str| match ClusterUrl::parse(url).unwrap().registry {
            RegistryAddress::ZooKeeper(quorum, parent) => (quorum, parent),
            RegistryAddress::Servers(_) => Default::default(),
        };
        assert_eq!(quorum("hbase+zk://a"), (vec![("a".to_string(), 2181)], "/hbase".to_string()));
        let both = vec![("a".to_string(), 7), ("b".to_string(), 7)];
        assert_eq!(quorum("hbase+zk://a,b:7/x/y/"), (both, "/x/y".to_string()));
    }

    #[test]
    fn servers_have_names_and_ports() {
        assert_eq!(servers_of("hbase://a:1,b:2"), [("a".to_string(), 1), ("b".to_string(), 2)]);
        assert_eq!(servers_of("hbase://a/"), [("a".to_string(), 16000)]);
        assert_eq!(servers_of("hbase://[::1]:5"), [("::1".to_string(), 5)]);
    }

    #[test]
    fn errors_do_not_show_secrets_of_a_url() {
        for url in ["hbase://u:secret@h:1", "hbase+zk://u:secret@h/x", "hbases://u:secret@h", "hbase://h/x?key=secret"]
        {
            let error = ClusterUrl::parse(url).unwrap_err();
            assert!(!error.message().contains("secret"), "{error}");
        }
    }

    #[test]
    fn errors_name_the_wrong_part() {
        for (url, part) in [
            ("hbase://", "no host"),
            ("hbase://a:0", "no port"),
            ("hbase://a:99999", "no port"),
            ("hbase://a:1/x", "has a path"),
            ("hbase://::1:5", "brackets"),
            ("http://a", "http://"),
            ("a:1", "not the URL"),
        ] {
            let error = ClusterUrl::parse(url).unwrap_err();
            assert!(error.message().contains(part), "{url}: {error}");
        }
    }
}
