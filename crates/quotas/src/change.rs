//! Changes of an owner's limits. Source: `GlobalQuotaSettingsImpl.merge`.

use rowstone_model::quota::{QuotaChange, QuotaOwner, Quotas, ThrottleKind, TimeUnit};
use rowstone_model::{Error, Result};
use std::collections::BTreeMap;

/// Applies a change; `None` if nothing is left to store.
///
/// # Errors
/// `InvalidArgument` for invalid limits: a limit of zero, a unit of time that is too short, or a space limit for an
/// owner that is neither a table nor a namespace.
pub fn changed(owner: &QuotaOwner, old: &Quotas, change: &QuotaChange) -> Result<Option<Quotas>> {
    check(owner, change)?;
    let mut new = old.clone();
    match change {
        QuotaChange::RemoveAll => return Ok(None),
        QuotaChange::Unthrottle => new.throttle.clear(),
        QuotaChange::Throttle(kind, None) => drop(new.throttle.remove(kind)),
        QuotaChange::Throttle(kind, Some(limit)) => drop(new.throttle.insert(*kind, *limit)),
        QuotaChange::Bypass(bypass) => new.bypass_globals = Some(*bypass),
        QuotaChange::Space(space) => new.space = *space,
    }
    let is_empty = new.throttle.is_empty() && new.bypass_globals.is_none() && new.space.is_none();
    Ok((!is_empty).then_some(new))
}

fn check(owner: &QuotaOwner, change: &QuotaChange) -> Result<()> {
    match change {
        QuotaChange::Throttle(_, Some(limit)) if limit.limit < 1 || i64::try_from(limit.limit).is_err() => {
            Err(Error::invalid(format!("The throttle limit must be greater then 0, got {}", limit.limit)))
        }
        QuotaChange::Throttle(kind, Some(limit)) if limit.unit.millis().is_none() => Err(Error::invalid(format!(
            "a limit {kind} cannot be in {}: milliseconds are the shortest unit",
            limit.unit
        ))),
        QuotaChange::Space(Some(space)) if i64::try_from(space.limit_bytes).is_err() => {
            Err(Error::invalid(format!("space limit {} exceeds 2^63-1 bytes", space.limit_bytes)))
        }
        QuotaChange::Space(_) if !matches!(owner, QuotaOwner::Table(_) | QuotaOwner::Namespace(_)) => {
            Err(Error::invalid("space limits apply to tables and namespaces only"))
        }
        QuotaChange::Bypass(_) if !matches!(owner, QuotaOwner::User(_)) => {
            Err(Error::invalid("GLOBAL_BYPASS applies to users only; pass `user=`"))
        }
        _ => Ok(()),
    }
}

/// Checks that quotas may be exceeded while the server has capacity left. That requires limits of the server itself, on
/// reads and on writes, per second: a user who exceeds a limit then does not delay the others for long. Source:
/// `QuotaUtil`.
///
/// # Errors
/// `InvalidArgument`, with HBase's message.
pub fn check_may_exceed(owners: &BTreeMap<QuotaOwner, Quotas>) -> Result<()> {
    use ThrottleKind as Kind;
    let own = owners.get(&QuotaOwner::Server("all".into())).filter(|own| !own.throttle.is_empty());
    let Some(own) = own else {
        return Err(Error::invalid("Please set region server quota before enable exceed throttle quota"));
    };
    let all = [Kind::RequestNumber, Kind::RequestSize, Kind::RequestCapacityUnit];
    let reads = [Kind::ReadNumber, Kind::ReadSize, Kind::ReadCapacityUnit];
    let writes = [Kind::WriteNumber, Kind::WriteSize, Kind::WriteCapacityUnit];
    for (what, kinds) in [("read", reads), ("write", writes)] {
        if !all.iter().chain(&kinds).any(|kind| own.throttle.contains_key(kind)) {
            let text =
                format!("Please set at least one {what} region server quota before enable exceed throttle quota");
            return Err(Error::invalid(text));
        }
    }
    let counted = all.iter().chain(&reads).chain(&writes).filter_map(|kind| own.throttle.get(kind));
    if counted.into_iter().all(|limit| limit.unit == TimeUnit::Seconds) {
        Ok(())
    } else {
        Err(Error::invalid("All region server quota must be in seconds time unit if enable exceed throttle quota"))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use rowstone_model::quota::{SpaceLimit, SpacePolicy, TimedLimit};
    use rowstone_model::schema::TableName;

    fn limit(limit: u64, unit: TimeUnit) -> Option<TimedLimit> {
        Some(TimedLimit { unit, limit, scope: None })
    }

    fn space(limit_bytes: u64) -> QuotaChange {
        QuotaChange::Space(Some(SpaceLimit { limit_bytes, policy: SpacePolicy::NoWrites }))
    }

    #[test]
    fn limits_come_and_go_one_by_one() {
        let owner = QuotaOwner::Table(TableName::parse("t").unwrap());
        let steps = [
            (QuotaChange::Throttle(ThrottleKind::ReadNumber, limit(5, TimeUnit::Seconds)), 1, false),
            (QuotaChange::Throttle(ThrottleKind::WriteSize, limit(9, TimeUnit::Days)), 2, false),
            (space(7), 2, true),
            (QuotaChange::Throttle(ThrottleKind::ReadNumber, None), 1, true),
            (QuotaChange::Unthrottle, 0, true),
        ];
        let mut now = Quotas::default();
        for (change, throttles, has_space) in steps {
            now = changed(&owner, &now, &change).unwrap().unwrap();
            assert_eq!((now.throttle.len(), now.space.is_some()), (throttles, has_space), "{change:?}");
        }
        assert_eq!(changed(&owner, &now, &QuotaChange::Space(None)).unwrap(), None);
        assert_eq!(changed(&owner, &now, &QuotaChange::RemoveAll).unwrap(), None);
    }

    #[test]
    fn a_bypass_of_false_is_stored() {
        let owner = QuotaOwner::User("ann".into());
        let told = changed(&owner, &Quotas::default(), &QuotaChange::Bypass(false)).unwrap().unwrap();
        assert_eq!(told.bypass_globals, Some(false));
    }

    #[test]
    fn invalid_changes_are_refused() {
        let (user, table) = (QuotaOwner::User("ann".into()), QuotaOwner::Table(TableName::parse("t").unwrap()));
        let kind = ThrottleKind::RequestNumber;
        for (owner, change) in [
            (&table, QuotaChange::Throttle(kind, limit(0, TimeUnit::Seconds))),
            (&table, QuotaChange::Throttle(kind, limit(1, TimeUnit::Nanoseconds))),
            (&table, space(u64::MAX)),
            (&user, space(1)),
            (&table, QuotaChange::Bypass(true)),
        ] {
            assert!(changed(owner, &Quotas::default(), &change).is_err(), "{change:?}");
        }
    }
}
