//! `GetClusterStatus`: the cluster as the master reports it.

use super::raw::Raw;
use super::support::{disk, serve_on};
use rowstone_model::switches::Switch;
use rowstone_rpc::proto::{ClusterStatus, Empty, GetClusterStatusResponse};

fn status(master: &mut Raw) -> ClusterStatus {
    master.call::<GetClusterStatusResponse>("GetClusterStatus", &Empty {}).unwrap().cluster_status
}

#[test]
fn the_status_has_the_state_of_the_balancer() {
    let served = serve_on(&disk());
    let mut master = served.connect("MasterService");
    assert_eq!(status(&mut master).balancer_on, Some(true));
    served.engine.admin().set_switch(Switch::Balancer, false).unwrap();
    assert_eq!(status(&mut master).balancer_on, Some(false));
    served.end();
}

#[test]
fn the_port_of_the_web_ui_is_reported() {
    let served = serve_on(&disk());
    let mut master = served.connect("MasterService");
    assert_eq!(status(&mut master).master_info_port, Some(0));
    served.server.set_info_port(16010);
    let cluster = status(&mut master);
    assert_eq!(cluster.master_info_port, Some(16010));
    assert_eq!(cluster.live_servers[0].server_load.info_server_port, Some(16010));
    served.end();
}
