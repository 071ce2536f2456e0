//! A served database on a disk that outlives it, with table `t` and family `f`, and helpers for messages.

use super::raw::Raw;
use rowstone_engine::db::{open as open_engine, OpenOptions as EngineOptions};
use rowstone_engine::sys::{ManualClock, MemoryFileSystem, System, SystemEntropy};
use rowstone_model::backend::Backend;
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use rowstone_rpc::proto::mutation_proto::{MutationType, QualifierValue};
use rowstone_rpc::proto::{self, RegionSpecifier};
use rowstone_rpc::{Server, ServerOptions};
use std::sync::Arc;

/// A disk that remains when its database is closed.
pub fn disk() -> System {
    let clock = Arc::new(ManualClock::new(1_000_000));
    System { files: Arc::new(MemoryFileSystem::new()), clock, entropy: Arc::new(SystemEntropy) }
}

pub struct Served {
    pub server: Server,
    pub engine: Arc<dyn Backend>,
}

pub fn serve_on(disk: &System) -> Served {
    let options = EngineOptions {
        create: true,
        directory: Some("/db".into()),
        system: Some(disk.clone()),
        ..EngineOptions::default()
    };
    let engine = open_engine(options).unwrap();
    let server = Server::start(Arc::clone(&engine), ServerOptions::default()).unwrap();
    Served { server, engine }
}

impl Served {
    pub fn create(&self, splits: &[&str]) {
        let descriptor = TableDescriptor::new(name()).with_family(FamilyDescriptor::new("f"));
        let splits = splits.iter().map(|key| key.as_bytes().to_vec()).collect();
        self.engine.admin().create_table(descriptor, splits).unwrap();
    }

    pub fn region(&self, row: &str) -> RegionSpecifier {
        let info = self.engine.table(&name()).unwrap().region_at(row.as_bytes()).unwrap();
        RegionSpecifier::by_name(&info.region_name())
    }

    pub fn connect(&self, service: &str) -> Raw {
        Raw::connect(self.server.address(), service)
    }

    pub fn end(self) {
        self.server.stop();
        self.engine.close().unwrap();
    }
}

pub fn name() -> TableName {
    TableName::parse("t").unwrap()
}

pub fn column(qualifier: &str, value: &[u8]) -> proto::mutation_proto::ColumnValue {
    let cell = QualifierValue { qualifier: Some(qualifier.into()), value: Some(value.to_vec()), ..Default::default() };
    proto::mutation_proto::ColumnValue { family: b"f".to_vec(), qualifier_value: vec![cell] }
}

pub fn mutation(kind: MutationType, row: &str, qualifier: &str, value: &[u8]) -> proto::MutationProto {
    proto::MutationProto {
        row: Some(row.into()),
        mutate_type: Some(kind as i32),
        column_value: vec![column(qualifier, value)],
        ..Default::default()
    }
}
