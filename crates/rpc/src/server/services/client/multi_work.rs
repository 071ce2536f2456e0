//! Work of a multi: what it asks for, what was done, and what quotas charge.

use super::mutate::reads_first;
use crate::proto;
use crate::server::messages::call::Work;
use rowstone_quotas::Work as ThrottledWork;

/// Work that a multi asks for.
pub(super) fn work_of(request: &proto::MultiRequest) -> Work {
    let mut work = Work::default();
    for part in &request.region_action {
        work.checks += u32::from(part.condition.is_some());
        part.action.iter().for_each(|action| add(&mut work, action));
    }
    work
}

/// Work that was done: failed mutations do not count as writes.
pub(super) fn work_done(request: &proto::MultiRequest, response: &proto::MultiResponse) -> Work {
    let mut work = Work::default();
    for (part, result) in request.region_action.iter().zip(&response.region_action_result) {
        work.checks += u32::from(part.condition.is_some());
        let each = part.action.iter().zip(&result.result_or_exception);
        let done = each.filter(|(_, one)| one.exception.is_none());
        done.for_each(|(action, _)| add(&mut work, action));
    }
    work
}

fn add(work: &mut Work, action: &proto::Action) {
    match &action.mutation {
        Some(mutation) => work.add(mutation.mutate_type()),
        None => work.gets += 1,
    }
}

/// Work of a region's actions, for request quotas.
pub(super) fn count_work(part: &proto::RegionAction) -> ThrottledWork {
    let mut wanted = ThrottledWork::default();
    for action in &part.action {
        match &action.mutation {
            Some(mutation) => {
                let reads = part.condition.is_some() || reads_first(mutation);
                wanted.writes += 1;
                wanted.reads += i64::from(reads);
                wanted.is_atomic |= reads;
            }
            None => wanted.reads += i64::from(action.get.is_some()),
        }
    }
    wanted
}
