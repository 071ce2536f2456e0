//! The services that clients connect to.

/// Services of a connection, by their short names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::server) enum Service {
    ClientMeta,
    Client,
    Master,
    Admin,
    /// A service of HBase that has no methods here.
    Other(&'static str),
}

const OTHERS: [&str; 4] = ["HbckService", "RegionServerStatusService", "LockService", "BootstrapNodeService"];

impl Service {
    /// Returns the service of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "ClientMetaService" => Service::ClientMeta,
            "ClientService" => Service::Client,
            "MasterService" => Service::Master,
            "AdminService" => Service::Admin,
            _ => Service::Other(OTHERS.into_iter().find(|known| *known == name)?),
        })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Service::ClientMeta => "ClientMetaService",
            Service::Client => "ClientService",
            Service::Master => "MasterService",
            Service::Admin => "AdminService",
            Service::Other(name) => name,
        }
    }
}
