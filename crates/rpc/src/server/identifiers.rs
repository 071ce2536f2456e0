//! Random numbers and ids.

use rowstone_model::{Error, Result};

/// Returns 63 random bits: unguessable, and not negative in Java.
pub(super) fn random_number() -> Result<u64> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| Error::internal(format!("no randomness to be had: {error}")))?;
    Ok(u64::from_be_bytes(bytes) >> 1)
}

/// Returns a UUID, for a database without one.
pub(super) fn random_uuid() -> Result<String> {
    let (high, low) = (random_number()?, random_number()?);
    Ok(format!(
        "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
        high & 0xffff_ffff,
        high >> 32 & 0xffff,
        high >> 48 & 0xfff,
        low >> 48 & 0xfff,
        low & 0xffff_ffff_ffff
    ))
}
