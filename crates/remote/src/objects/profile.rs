//! Named profiles of AWS: `~/.aws/credentials` and `~/.aws/config`.

use rowstone_model::{Error, Result};
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::PathBuf;

type Named = BTreeMap<String, String>;

/// Keys of a profile that are options of the same meaning.
const KEYS: [(&str, &str); 5] = [
    ("aws_access_key_id", "aws_access_key_id"),
    ("aws_secret_access_key", "aws_secret_access_key"),
    ("aws_session_token", "aws_session_token"),
    ("region", "aws_region"),
    ("endpoint_url", "aws_endpoint_url"),
];

/// Credentials that go before those of the default profile.
const STRONGER: [&str; 6] = [
    "aws_access_key_id",
    "access_key_id",
    "aws_skip_signature",
    "skip_signature",
    "aws_web_identity_token_file",
    "aws_container_credentials_relative_uri",
];

/// Adds the profile's credentials and region to `options`. The profile is the option `aws_profile`, or the environment's
/// `AWS_PROFILE`, or the one named `default`, if nothing else gives credentials.
///
/// # Errors
/// `InvalidArgument` if a named profile does not exist.
pub fn add(options: &Named) -> Result<Named> {
    let mut options = options.clone();
    let chosen = options.remove("aws_profile").or_else(|| options.remove("profile"));
    let has_credentials =
        STRONGER.iter().any(|name| options.contains_key(*name) || env::var_os(name.to_ascii_uppercase()).is_some());
    let named = match chosen {
        Some(name) => Some(name),
        None if has_credentials => return Ok(options),
        None => env::var("AWS_PROFILE").ok(),
    };
    let name = named.as_deref().unwrap_or("default");
    let found = read(name);
    if found.is_empty() && named.is_some() {
        return Err(Error::invalid(format!(
            "AWS has no profile '{name}' in {} or {}",
            credentials_file().display(),
            config_file().display()
        )));
    }
    for (key, option) in KEYS {
        // The environment goes before a profile's region and endpoint, but not before the credentials of a chosen profile.
        let is_overridden = !key.starts_with("aws_") && env::var_os(option.to_ascii_uppercase()).is_some();
        if let Some(value) = found.get(key).filter(|_| !is_overridden) {
            options.entry(option.to_owned()).or_insert_with(|| value.clone());
        }
    }
    Ok(options)
}

fn read(name: &str) -> Named {
    let config = fs::read_to_string(config_file()).unwrap_or_default();
    let heading = if name == "default" { "default".to_owned() } else { format!("profile {name}") };
    let mut found = section(&config, &heading);
    found.extend(section(&fs::read_to_string(credentials_file()).unwrap_or_default(), name));
    found
}

/// The keys and values below `[heading]` of a file of profiles.
pub fn section(text: &str, heading: &str) -> Named {
    let mut is_inside = false;
    let mut found = Named::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with(['#', ';'])) {
        if let Some(title) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            is_inside = title.split_whitespace().eq(heading.split_whitespace());
        } else if let (true, Some((key, value))) = (is_inside, line.split_once('=')) {
            found.insert(key.trim().to_ascii_lowercase(), value.trim().to_owned());
        }
    }
    found
}

fn credentials_file() -> PathBuf {
    env::var_os("AWS_SHARED_CREDENTIALS_FILE").map_or_else(|| home().join(".aws/credentials"), PathBuf::from)
}

fn config_file() -> PathBuf {
    env::var_os("AWS_CONFIG_FILE").map_or_else(|| home().join(".aws/config"), PathBuf::from)
}

fn home() -> PathBuf {
    let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    env::var_os(home).map(PathBuf::from).unwrap_or_default()
}
