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
