//! ClientMetaService: the location of the master and of `hbase:meta`. Both are this server.

use crate::proto;
use crate::server::messages::call::{Answer, Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::services::meta;
use crate::server::session::Session;

pub(in crate::server) fn answer(session: &Session, call: &Call) -> Outcome {
    let server_name = session.advertised.to_message();
    Ok(match call.method() {
        "GetClusterId" => {
            Answer::of(&proto::GetClusterIdResponse { cluster_id: Some(session.state.cluster_id.clone()) })
        }
        "GetActiveMaster" => Answer::of(&proto::GetActiveMasterResponse { server_name: Some(server_name) }),
        "GetMasters" => Answer::of(&proto::GetMastersResponse {
            master_servers: vec![proto::MasterEntry { server_name, is_active: true }],
        }),
        "GetMetaRegionLocations" => Answer::of(&proto::GetMetaRegionLocationsResponse {
            meta_locations: vec![proto::RegionLocation {
                region_info: meta::region_info(),
                server_name: Some(server_name),
                seq_num: 1,
            }],
        }),
        "GetBootstrapNodes" => Answer::of(&proto::GetBootstrapNodesResponse { server_name: vec![server_name] }),
        method => return Err(Exception::unsupported(method)),
    })
}
