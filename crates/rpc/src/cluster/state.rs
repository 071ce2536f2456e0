//! Existence and state of tables, according to `hbase:meta`.

use super::{Cluster, TableCache};
use crate::connection::Service;
use crate::convert::append_result;
use crate::failure::{Deadline, Failure};
use crate::proto;
use crate::proto::table_state::State;
use crate::wire::Call;
use prost::Message;
use rowstone_model::operations::CellBatch;
use rowstone_model::schema::TableName;
use rowstone_model::{Error, ErrorKind};

/// The error for a table that does not exist.
pub fn table_not_found(name: &TableName) -> Error {
    Error::new(ErrorKind::TableNotFound, format!("table '{name}' does not exist"))
        .from_remote("org.apache.hadoop.hbase.TableNotFoundException")
}

/// The error for a table that is disabled.
pub fn table_not_enabled(name: &TableName) -> Error {
    Error::new(ErrorKind::TableNotEnabled, format!("table '{name}' is disabled"))
        .from_remote("org.apache.hadoop.hbase.TableNotEnabledException")
}

impl Cluster {
    /// The state of table `name`; `None` if it does not exist. `hbase:meta` is always enabled, and has no row in itself.
    pub fn table_state(&self, name: &TableName, deadline: Deadline) -> Result<Option<State>, Failure> {
        if name.is_meta() {
            return Ok(Some(State::Enabled));
        }
        let deadline = deadline.at_most(self.options.rpc_timeout);
        let meta = self.meta(deadline)?;
        let state = self.read_state(name, &meta, deadline);
        state.inspect_err(|failure| self.note_meta_failure(failure))
    }

    fn read_state(
        &self,
        name: &TableName,
        meta: &crate::region::Location,
        deadline: Deadline,
    ) -> Result<Option<State>, Failure> {
        let Some(server) = &meta.server else { return Ok(None) };
        let column = proto::Column { family: b"table".to_vec(), qualifier: vec![b"state".to_vec()] };
        let get = proto::Get { row: name.to_string().into_bytes(), column: vec![column], ..proto::Get::default() };
        let call = Call::new("Get", &proto::GetRequest { region: meta.specifier(), get }).for_meta();
        let response = server.call(Service::Client, &call, deadline)?;
        let malformed = |malformed| Failure::malformed(&server.to_string(), malformed);
        let message: proto::GetResponse = response.message().map_err(malformed)?;
        let mut batch = CellBatch::default();
        append_result(&message.result.unwrap_or_default(), &mut response.cells(), &mut batch).map_err(malformed)?;
        let Some(cell) = batch.cells.iter().next() else { return Ok(None) };
        Ok(proto::TableState::decode(cell.value()).ok().map(|message| message.state()))
    }

    /// Fails if the table does not exist.
    pub fn check_exists(&self, table: &TableCache, deadline: Deadline) -> Result<(), Failure> {
        match self.table_state(&table.name, deadline)? {
            None => Err(Failure::stop(table_not_found(&table.name))),
            Some(_) => Ok(()),
        }
    }

    /// Fails if the table does not exist or is disabled: no server serves its regions, so retrying is useless.
    pub(super) fn check_state(&self, table: &TableCache, deadline: Deadline) -> Result<(), Failure> {
        match self.table_state(&table.name, deadline)? {
            None => Err(Failure::stop(table_not_found(&table.name))),
            Some(State::Disabled | State::Disabling) => Err(Failure::stop(table_not_enabled(&table.name))),
            Some(State::Enabled | State::Enabling) => Ok(()),
        }
    }
}
