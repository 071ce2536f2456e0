//! Both sides of the mechanism against each other, with a library that has no secrets, and against cheating peers.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use std::io::{Read, Write};
use std::sync::Arc;

/// An exchange of `rounds` tokens. A seal is two bytes in front: the encryption flag and the number.
struct Toy {
    tokens_left: u8,
    is_first: bool,
    sent: u8,
    opened: u8,
}

impl Toy {
    fn boxed(tokens_left: u8, is_first: bool) -> Box<dyn SecurityContext> {
        Box::new(Toy { tokens_left, is_first, sent: 0, opened: 0 })
    }
}

impl SecurityContext for Toy {
    fn step(&mut self, token: &[u8]) -> Result<Vec<u8>> {
        if token.is_empty() != std::mem::take(&mut self.is_first) {
            return Err(refused("not a token"));
        }
        if self.tokens_left == 0 {
            return Ok(Vec::new());
        }
        self.tokens_left -= 1;
        Ok(b"token".to_vec())
    }

    fn is_complete(&self) -> Result<bool> {
        Ok(self.tokens_left == 0)
    }

    fn peer(&self) -> Result<String> {
        Ok("ada@EXAMPLE.COM".into())
    }

    fn seal(&mut self, bytes: &[u8], encrypts: bool) -> Result<Vec<u8>> {
        self.sent += 1;
        Ok([&[u8::from(encrypts), self.sent], bytes].concat())
    }

    fn open(&mut self, token: &[u8]) -> Result<(Vec<u8>, bool)> {
        self.opened += 1;
        match token {
            [encrypts, number, rest @ ..] if *number == self.opened => Ok((rest.to_vec(), *encrypts == 1)),
            _ => Err(refused("a token that is not the next")),
        }
    }
}

/// A login like that of Kerberos: one token each, the client's first.
fn sides(wanted: &str, offered: &str) -> (GssClient, GssServer) {
    let client = GssClient::new(Toy::boxed(1, true), Protection::parse_list(wanted).unwrap());
    (client, GssServer::new(Toy::boxed(1, false), Protection::parse_list(offered).unwrap()))
}

/// The protection on both sides after a login, and the number of rounds.
fn log_in(wanted: &str, offered: &str) -> Result<(Option<Sealed>, Option<Sealed>, usize)> {
    let (mut client, mut server) = sides(wanted, offered);
    let mut token = client.begin()?;
    for round in 1..10 {
        match server.answer(&token)? {
            Step::Send(back) => match client.answer(&back)? {
                Step::Send(next) | Step::Done(Some(next)) => token = next,
                Step::Done(None) => break,
            },
            Step::Done(None) => {
                let (peer, at_server) = server.finish()?;
                assert_eq!(peer, "ada@EXAMPLE.COM");
                return Ok((client.finish()?, at_server, round));
            }
            Step::Done(Some(_)) => break,
        }
    }
    Err(refused("it does not end"))
}

#[test]
fn a_login_takes_three_rounds_and_seals_as_agreed() {
    let (client, server, rounds) = log_in("authentication", "authentication").unwrap();
    assert!(client.is_none() && server.is_none() && rounds == 3);
    for (name, encrypts) in [("integrity", 0), ("privacy", 1)] {
        let (client, server, _) = log_in(name, "authentication,integrity,privacy").unwrap();
        let (client, server) = (client.unwrap(), server.unwrap());
        let frame = client.seal(b"call").unwrap();
        assert_eq!(frame, [0, 0, 0, 6, encrypts, 2, b'c', b'a', b'l', b'l']);
        assert_eq!(server.open(&frame[4..]).unwrap(), b"call");
        assert!(server.open(&frame[4..]).is_err(), "a frame came twice");
    }
}

#[test]
fn the_client_takes_what_it_wants_most() {
    assert!(log_in("privacy,authentication", "authentication,integrity").unwrap().0.is_none());
    let error = log_in("privacy", "authentication,integrity").err().unwrap();
    assert!(error.message().contains("hbase.rpc.protection"), "{error}");
}

#[test]
fn a_client_cannot_choose_what_was_not_offered_nor_come_for_another() {
    for (choice, words) in [
        (&[1, 0, 0, 0][..], "was not offered"),
        (&[6, 0, 0, 0], "was not offered"),
        (&[0, 0, 0, 0], "was not offered"),
        (&[4, 0], "bytes about protection"),
        (b"\x04\x00\xff\xffbob@EXAMPLE.COM", "authorization identity"),
    ] {
        let (_, mut server) = sides("privacy", "integrity,privacy");
        assert!(matches!(server.answer(b"token"), Ok(Step::Send(_))));
        assert!(matches!(server.answer(b""), Ok(Step::Send(_))));
        let sealed = [&[0, 1], choice].concat();
        assert!(server.answer(&sealed).unwrap_err().message().contains(words));
        assert!(server.finish().is_err(), "it was let in after all");
    }
}

#[test]
fn a_login_that_is_cut_short_is_none() {
    let (_, mut server) = sides("privacy", "privacy");
    assert!(server.answer(b"").is_err());
    let (_, mut server) = sides("privacy", "privacy");
    assert!(server.answer(b"token").is_ok());
    assert!(server.answer(b"more").is_err());
    assert!(server.finish().is_err());
    let (mut client, _) = sides("privacy", "privacy");
    assert!(client.begin().is_ok());
    assert!(client.finish().is_err());
}

#[test]
fn a_too_small_receive_buffer_is_reported() {
    let (_, mut server) = sides("privacy", "privacy");
    assert!(server.answer(b"token").is_ok());
    assert!(server.answer(b"").is_ok());
    assert_eq!(server.answer(&[0, 1, 4, 0, 0, 9]).unwrap(), Step::Done(None));
    assert!(server.finish().err().unwrap().message().contains("9 sealed bytes"));
}

#[test]
fn a_stream_goes_through_frames_of_any_size() {
    let (client, server, _) = log_in("privacy", "privacy").unwrap();
    let sent: Vec<u8> = (0..3_000_000u32).map(|number| number as u8).collect();
    let mut frames = Vec::new();
    crate::sasl::SealedWriter::new(Arc::new(client.unwrap()), &mut frames).write_all(&sent).unwrap();
    let server = Arc::new(server.unwrap());
    let mut reader = crate::sasl::SealedReader::new(Arc::clone(&server), &frames[..], 2 << 20);
    let mut got = Vec::new();
    reader.read_to_end(&mut got).unwrap();
    assert!(got == sent);
    let announced = [0x7f, 0xff, 0xff, 0xff, 0];
    let mut reader = crate::sasl::SealedReader::new(server, &announced[..], 2 << 20);
    assert!(reader.read(&mut [0; 9]).unwrap_err().to_string().contains("announced"));
}

#[test]
fn bytes_that_anybody_could_read_are_refused_where_privacy_was_agreed_on() {
    let (_, server, _) = log_in("privacy", "privacy").unwrap();
    assert!(server.unwrap().open(&[0, 2, b'x']).unwrap_err().message().contains("anybody could read"));
}
