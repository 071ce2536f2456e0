//! Mutations of a batch, grouped by the regions that hold their rows.

use super::table::Table;
use crate::db::state::tables::{TableHandle, LOOKS};
use crate::region::Region;
use rowstone_model::operations::Mutation;
use rowstone_model::{Error, ErrorKind, Result};
use std::sync::Arc;

impl Table {
    pub(in crate::db) fn do_mutate_many(&self, mutations: Vec<Mutation>) -> Vec<Result<()>> {
        let handle = match self.handle() {
            Ok(handle) => handle,
            Err(error) => return mutations.iter().map(|_| Err(error.clone())).collect(),
        };
        if handle.space_policy().is_some() {
            return self.mutate_allowed(&handle, mutations);
        }
        self.mutate_all(&handle, mutations)
    }

    fn mutate_all(&self, handle: &TableHandle, mutations: Vec<Mutation>) -> Vec<Result<()>> {
        // A client of the server groups its puts by region.
        let Some(region) = handle.only_region_of(mutations.iter().map(|mutation| &mutation.row[..])) else {
            return self.mutate_in_regions(handle, mutations);
        };
        let results = write_all(&region, &mutations);
        self.note_done(handle, &mutations, &results);
        if results.iter().any(is_late) {
            self.mutate_late(handle, mutations, results)
        } else {
            results
        }
    }

    /// Applies the mutations that a limit on space permits.
    #[cold]
    fn mutate_allowed(&self, handle: &TableHandle, mutations: Vec<Mutation>) -> Vec<Result<()>> {
        let checks: Vec<_> = mutations.iter().map(|one| handle.check_space(std::slice::from_ref(one))).collect();
        let allowed = mutations.into_iter().zip(&checks).filter(|(_, check)| check.is_ok());
        let mut done = self.mutate_all(handle, allowed.map(|(mutation, _)| mutation).collect()).into_iter();
        let missing = || Err(Error::internal("a batch has fewer results than mutations"));
        checks.into_iter().map(|check| check.and_then(|()| done.next().unwrap_or_else(missing))).collect()
    }

    /// Groups mutations by region, in their order, and returns the results in the original order.
    fn mutate_in_regions(&self, handle: &TableHandle, mutations: Vec<Mutation>) -> Vec<Result<()>> {
        let mut results: Vec<Result<()>> = mutations.iter().map(|_| Ok(())).collect();
        let mut rest: Vec<(usize, Mutation)> = mutations.into_iter().enumerate().collect();
        // Mutations that reached a region just as it was split are routed again.
        for _ in 0..LOOKS {
            rest = self.mutate_once(handle, rest, &mut results);
            if rest.is_empty() {
                break;
            }
        }
        results
    }

    /// Retries the mutations that reached the single region too late.
    #[cold]
    fn mutate_late(
        &self,
        handle: &TableHandle,
        mutations: Vec<Mutation>,
        mut results: Vec<Result<()>>,
    ) -> Vec<Result<()>> {
        let with_results = mutations.into_iter().zip(&results).enumerate();
        let late = with_results.filter(|(_, (_, result))| is_late(result));
        let (places, mutations): (Vec<usize>, Vec<Mutation>) =
            late.map(|(place, (mutation, _))| (place, mutation)).unzip();
        for (place, result) in places.into_iter().zip(self.mutate_in_regions(handle, mutations)) {
            results[place] = result;
        }
        results
    }

    /// One round of routing. Returns the mutations that were too late.
    fn mutate_once(
        &self,
        handle: &TableHandle,
        mutations: Vec<(usize, Mutation)>,
        results: &mut [Result<()>],
    ) -> Vec<(usize, Mutation)> {
        let mut groups: Vec<(Arc<Region>, Vec<usize>, Vec<Mutation>)> = Vec::new();
        for (index, mutation) in mutations {
            match handle.region_of(&mutation.row) {
                Err(error) => results[index] = Err(error),
                Ok(region) => match groups.iter_mut().find(|group| Arc::ptr_eq(&group.0, &region)) {
                    Some(group) => {
                        group.1.push(index);
                        group.2.push(mutation);
                    }
                    None => groups.push((region, vec![index], vec![mutation])),
                },
            }
        }
        let mut late = Vec::new();
        for (region, places, mutations) in groups {
            let done = write_all(&region, &mutations);
            self.note_done(handle, &mutations, &done);
            for ((place, result), mutation) in places.into_iter().zip(done).zip(mutations) {
                if is_late(&result) {
                    late.push((place, mutation));
                }
                results[place] = result;
            }
        }
        late
    }

    /// Counts the successful mutations of a batch. Those that are routed again are counted by `mutate_once`.
    fn note_done(&self, handle: &TableHandle, mutations: &[Mutation], results: &[Result<()>]) {
        let now_ms = || self.shared.system.clock.now_ms();
        if results.iter().all(Result::is_ok) {
            return handle.heat().write_many(mutations.len(), |index| Some(&mutations[index].row[..]), now_ms);
        }
        let done = mutations.iter().zip(results).filter(|(_, result)| result.is_ok());
        done.for_each(|(mutation, _)| handle.heat().write(&mutation.row, now_ms));
    }
}

fn is_late(result: &Result<()>) -> bool {
    result.as_ref().is_err_and(|error| error.kind() == ErrorKind::RegionNotFound)
}

/// Writes to a region once it has room.
fn write_all(region: &Region, mutations: &[Mutation]) -> Vec<Result<()>> {
    match region.wait_for_room(mutations) {
        Ok(()) => region.mutate_many(mutations),
        Err(error) => mutations.iter().map(|_| Err(error.clone())).collect(),
    }
}
