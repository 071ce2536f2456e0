//! Human-readable descriptions of calls. The call is decoded a second time, because only few calls are ever
//! described.

use crate::filter::from_wire;
use crate::proto::slow_call::Kind;
use crate::proto::{self, SlowCall};
use crate::server::ledgers::finished::Finished;
use crate::server::messages::call::Call;
use crate::server::messages::service::Service;
use rowstone_model::codec::printable;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Java package of the messages.
const PROTOS: &str = "org.apache.hadoop.hbase.shaded.protobuf.generated";
/// Maximum length of the description of a call.
const MOST_CHARACTERS: usize = 1_000;
/// Maximum length of the columns and of the filter, so that the row after them still fits.
const MOST_OF_ONE: usize = 300;

/// Region, rows and details that a call asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Asked {
    region: String,
    text: String,
    gets: i32,
    mutations: i32,
}

/// Builds the record of a call.
pub(super) fn describe(finished: &Finished<'_>, bytes: u64, kind: Kind) -> SlowCall {
    let Finished { service, client, user, call, times, .. } = *finished;
    let asked = asked_by(service, call);
    let began = SystemTime::now().checked_sub(times.processed).unwrap_or(UNIX_EPOCH);
    let milliseconds = |time: Duration| i32::try_from(time.as_millis()).unwrap_or(i32::MAX);
    SlowCall {
        start_time: began.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64),
        processing_time: milliseconds(times.processed),
        queue_time: milliseconds(times.queued),
        response_size: i64::try_from(bytes).unwrap_or(i64::MAX),
        client_address: client.to_string(),
        server_class: server_class(service).to_string(),
        method_name: call.method().to_string(),
        call_details: format!("{}({PROTOS}.{})", call.method(), message_class(service, call.method())),
        param: Some(cut(asked.text, MOST_CHARACTERS)),
        user_name: user.to_string(),
        region_name: Some(asked.region),
        multi_gets: Some(asked.gets),
        multi_mutations: Some(asked.mutations),
        multi_service_calls: Some(0),
        r#type: kind as i32,
        ..SlowCall::default()
    }
}

fn server_class(service: Service) -> &'static str {
    match service {
        Service::Client | Service::Admin => "HRegionServer",
        Service::Master | Service::ClientMeta | Service::Other(_) => "HMaster",
    }
}

/// Java class of a method's message.
fn message_class(service: Service, method: &str) -> String {
    let file = match service {
        Service::Client => "ClientProtos",
        Service::Admin => "AdminProtos",
        Service::ClientMeta => "RegistryProtos",
        Service::Master | Service::Other(_) => "MasterProtos",
    };
    let message = match method {
        "ExecService" => "CoprocessorService",
        method => method,
    };
    format!("{file}${message}Request")
}

fn cut(text: String, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Decodes the region and rows of a call; empty for a message that cannot be decoded.
fn asked_by(service: Service, call: &Call) -> Asked {
    let found = match (service, call.method()) {
        (Service::Client, "Get") => call.message().ok().map(get),
        (Service::Client, "Mutate") => call.message().ok().map(mutate),
        (Service::Client, "Multi") => call.message().ok().map(multi),
        (Service::Client, "Scan") => call.message().ok().map(|request| scan(request, call)),
        (Service::Client, "ExecService") => call.message().ok().map(endpoint),
        _ => None,
    };
    found.unwrap_or_default()
}

fn of_region(specifier: &proto::RegionSpecifier, rest: &str) -> Asked {
    let region = printable(&specifier.value);
    Asked { text: format!("region= {region}, {rest}"), region, ..Asked::default() }
}

fn get(request: proto::GetRequest) -> Asked {
    let what = describe_columns(&request.get.column, request.get.filter.as_ref());
    of_region(&request.region, &format!("{what}row= {}", printable(&request.get.row)))
}

/// Describes the columns and the filter of a read; empty if it has neither.
fn describe_columns(columns: &[proto::Column], filter: Option<&proto::Filter>) -> String {
    let mut text = String::new();
    if !columns.is_empty() {
        text = format!("columns= {}, ", columns_of(columns));
    }
    if let Some(message) = filter {
        let shown = match from_wire(message) {
            // The filter language contains values as raw bytes.
            Ok(filter) => printable(filter.to_string().as_bytes()),
            Err(_) => message.name.rsplit('.').next().unwrap_or_default().to_string(),
        };
        text.push_str(&format!("filter= {}, ", cut(shown, MOST_OF_ONE)));
    }
    text
}

/// Formats columns as `FAMILY` and `FAMILY:QUALIFIER`.
fn columns_of(columns: &[proto::Column]) -> String {
    let mut names: Vec<String> = Vec::new();
    for column in columns.iter().take(MOST_OF_ONE) {
        let family = printable(&column.family);
        if column.qualifier.is_empty() {
            names.push(family)
        } else {
            names.extend(column.qualifier.iter().take(MOST_OF_ONE).map(|name| format!("{family}:{}", printable(name))))
        }
    }
    cut(names.join(" "), MOST_OF_ONE)
}

fn mutate(request: proto::MutateRequest) -> Asked {
    let row = printable(request.mutation.row());
    of_region(&request.region, &format!("row= {row}, type= {}", request.mutation.mutate_type().as_str_name()))
}

fn multi(request: proto::MultiRequest) -> Asked {
    let actions = || request.region_action.iter().flat_map(|part| &part.action);
    let Some(first) = request.region_action.first() else { return Asked::default() };
    let row = actions().next().map_or(&[][..], |action| match (&action.get, &action.mutation) {
        (Some(get), _) => &get.row,
        (None, mutation) => mutation.as_ref().map_or(&[][..], |mutation| mutation.row()),
    });
    let text = format!("for {} action(s) and 1st row key= {}", actions().count(), printable(row));
    let gets = actions().filter(|action| action.get.is_some()).count() as i32;
    let mutations = actions().filter(|action| action.mutation.is_some()).count() as i32;
    Asked { gets, mutations, ..of_region(&first.region, &text) }
}

fn scan(request: proto::ScanRequest, call: &Call) -> Asked {
    let rows = format!("number of rows= {}", request.number_of_rows());
    let number = request.scanner_id.map_or_else(String::new, |id| format!("scanner= {id}, "));
    let range = request.scan.as_ref().map_or_else(String::new, |scan| {
        format!("start= {}, stop= {}, ", printable(scan.start_row()), printable(scan.stop_row()))
    });
    let what =
        request.scan.as_ref().map_or_else(String::new, |scan| describe_columns(&scan.column, scan.filter.as_ref()));
    let rest = format!("{number}{range}{what}{rows}");
    match &request.region {
        Some(specifier) => of_region(specifier, &rest),
        // Calls after the first only name the scanner.
        None => of_region(&proto::RegionSpecifier::by_name(&call.region()), &rest),
    }
}

fn endpoint(request: proto::CoprocessorServiceRequest) -> Asked {
    let (service, method) = (&request.call.service_name, &request.call.method_name);
    of_region(&request.region, &format!("coprocessorService= {service}:{method}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::RegionSpecifier;

    #[test]
    fn a_multi_tells_its_first_row_and_how_many_actions_follow() {
        let get = proto::Get { row: b"a\x00".to_vec(), ..proto::Get::default() };
        let put = proto::MutationProto { row: Some(b"b".to_vec()), ..Default::default() };
        let action = |get, mutation| proto::Action { index: None, mutation, get };
        let part = proto::RegionAction {
            region: RegionSpecifier::by_name(b"t,,1.abc."),
            action: vec![action(Some(Box::new(get)), None), action(None, Some(put))],
            ..Default::default()
        };
        let asked = multi(proto::MultiRequest { region_action: vec![part], ..Default::default() });
        assert_eq!(asked.text, "region= t,,1.abc., for 2 action(s) and 1st row key= a\\x00");
        assert_eq!((asked.region.as_str(), asked.gets, asked.mutations), ("t,,1.abc.", 1, 1));
        assert_eq!(multi(proto::MultiRequest::default()), Asked::default());
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(cut("ä".repeat(9), 9).chars().count(), 9);
        assert_eq!(cut("ä".repeat(10), 9).chars().count(), 10);
    }
}
