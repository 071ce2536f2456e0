//! URLs of clusters.

use rowstone_model::{Error, Result};

/// The port of masters.
const MASTER_PORT: u16 = 16000;

/// Where a cluster is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// At any of these masters or region servers.
    Servers(Vec<(String, u16)>),
}

/// A cluster's URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterUrl {
    /// Where to ask.
    pub place: Place,
}

impl ClusterUrl {
    /// Reads `hbase://host[:port][,host[:port]]`; without a port it is a master's, 16000.
    ///
    /// # Errors
    /// `InvalidArgument` for anything else, with the part that is wrong.
    pub fn parse(text: &str) -> Result<Self> {
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err(Error::invalid(format!("'{text}' is no URL of a cluster: write hbase://host:port")));
        };
        match scheme {
            "hbase" => {
                Ok(ClusterUrl { place: Place::Servers(servers(text, rest.trim_end_matches('/'), MASTER_PORT)?) })
            }
            _ => Err(Error::invalid(format!(
                "'{text}' starts with '{scheme}://': clusters have hbase://host:port or hbase+zk://quorum/parent"
            ))),
        }
    }
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

    fn named(url: &str) -> Vec<(String, u16)> {
        let Place::Servers(servers) = ClusterUrl::parse(url).unwrap().place;
        servers
    }

    #[test]
    fn servers_have_names_and_ports() {
        assert_eq!(named("hbase://a:1,b:2"), [("a".to_string(), 1), ("b".to_string(), 2)]);
        assert_eq!(named("hbase://a/"), [("a".to_string(), 16000)]);
        assert_eq!(named("hbase://[::1]:5"), [("::1".to_string(), 5)]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (url, part) in [
            ("hbase://", "no host"),
            ("hbase://a:0", "no port"),
            ("hbase://a:99999", "no port"),
            ("hbase://a:1/x", "has a path"),
            ("hbase://::1:5", "brackets"),
            ("http://a", "http://"),
            ("a:1", "no URL"),
        ] {
            let error = ClusterUrl::parse(url).unwrap_err();
            assert!(error.message().contains(part), "{url}: {error}");
        }
    }
}
