//! Estimate of the memory that a request's decoded message takes. A field of two bytes becomes a structure of some
//! hundred, so the bytes of a request say little about its memory.

use prost::encoding::{decode_key, decode_varint, skip_field, DecodeContext, WireType};

/// Messages up to this size are not estimated.
const SMALL_BYTES: usize = 4 << 10;
/// Estimate for a message, a string or bytes.
const FIELD_BYTES: usize = 64;
/// Estimate for an action of a multi, or for all actions of a region, with the result or exception in the answer.
const ACTION_BYTES: usize = 640;
/// Deeper messages are not estimated.
const DEPTH: usize = 8;

/// Estimates the memory of a method's decoded parameter, in bytes. The estimate ends soon after it exceeds `limit`.
pub(super) fn estimate(method: &str, parameter: &[u8], limit: usize) -> usize {
    if parameter.len() <= SMALL_BYTES {
        return 0;
    }
    let mut estimate = Estimate { is_multi: method == "Multi", bytes: 0, limit };
    estimate.add(parameter, 0);
    estimate.bytes
}

struct Estimate {
    is_multi: bool,
    bytes: usize,
    limit: usize,
}

impl Estimate {
    /// Adds the fields of a message. The kind of a field is unknown here: bytes are read like a message, as far as
    /// they resemble one.
    fn add(&mut self, mut message: &[u8], depth: usize) {
        while !message.is_empty() && self.bytes <= self.limit {
            let Ok((tag, kind)) = decode_key(&mut message) else { return };
            if kind != WireType::LengthDelimited {
                if skip_field(kind, tag, &mut message, DecodeContext::default()).is_err() {
                    return;
                }
                continue;
            }
            let length = decode_varint(&mut message).ok().and_then(|length| usize::try_from(length).ok());
            let Some((field, rest)) = length.and_then(|length| message.split_at_checked(length)) else { return };
            message = rest;
            self.bytes += if self.is_multi && is_action(depth, tag) { ACTION_BYTES } else { FIELD_BYTES };
            if depth < DEPTH {
                self.add(field, depth + 1);
            }
        }
    }
}

/// Whether a field of a `MultiRequest` is a `RegionAction` or an `Action`.
fn is_action(depth: usize, tag: u32) -> bool {
    matches!((depth, tag), (0, 1) | (1, 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto;
    use prost::Message;

    const NO_LIMIT: usize = usize::MAX;

    fn multi(actions: Vec<proto::Action>) -> Vec<u8> {
        let region = proto::RegionSpecifier { r#type: 1, value: b"t,,1.x.".to_vec() };
        let region_action = vec![proto::RegionAction { region, action: actions, ..proto::RegionAction::default() }];
        proto::MultiRequest { region_action, ..proto::MultiRequest::default() }.encode_to_vec()
    }

    #[test]
    fn empty_actions_count_as_what_they_become() {
        let message = multi(vec![proto::Action::default(); 10_000]);
        assert!(message.len() < 21_000);
        let decoded = size_of::<proto::Action>() + size_of::<proto::Get>() + size_of::<proto::ResultOrException>();
        assert!(decoded <= ACTION_BYTES, "{decoded}");
        assert!(estimate("Multi", &message, NO_LIMIT) > 10_000 * ACTION_BYTES);
        // A walk that has found enough ends.
        assert!(estimate("Multi", &message, 100_000) < 110_000);
    }

    #[test]
    fn a_multi_of_several_hundred_thousand_gets_fits_into_the_memory_for_requests() {
        let column = proto::Column { family: b"cf".to_vec(), qualifier: vec![b"qualifier".to_vec()] };
        let get = proto::Get { row: b"user-00000001".to_vec(), column: vec![column], ..proto::Get::default() };
        let action = proto::Action { index: Some(7), get: Some(Box::new(get)), ..proto::Action::default() };
        let message = multi(vec![action; 10_000]);
        let bytes = 50 * estimate("Multi", &message, NO_LIMIT);
        assert!((200 << 20..600 << 20).contains(&bytes), "{bytes}");
    }

    #[test]
    fn a_large_value_counts_as_one_field() {
        let value = vec![0u8; 1 << 20];
        let put = [&[0x0a, 0x80, 0x80, 0x40][..], &value].concat();
        assert!(estimate("Mutate", &put, NO_LIMIT) <= FIELD_BYTES);
        assert_eq!(estimate("Mutate", &put[..SMALL_BYTES], NO_LIMIT), 0);
        assert!(estimate("Scan", &[0xff; 9_000], NO_LIMIT) == 0);
    }
}
