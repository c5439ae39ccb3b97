//! Bodies that hold more than they should.

use wire::Limits;

use crate::support::*;

#[test]
fn a_bomb_that_announces_itself_is_refused_at_once() {
    // Two gibibytes of zeros in 65 kilobytes.
    let bomb = corpus::das2::zstd_bomb(1 << 31);
    assert!(bomb.len() < 70_000);
    let error = try_read(&bomb).expect_err("a bomb");
    assert!(error.is_limit(), "{error}");
    assert!(error.help().is_some_and(|help| help.contains("--max-inflate")), "{error}");
}

#[test]
fn a_bomb_that_does_not_is_refused_by_its_ratio() {
    // 258 bytes per 14 bits: 147 times, so a limit on the ratio below that stops it after 16 MiB.
    let bomb = corpus::das2::zlib_bomb(100_000);
    let error = try_read_within(&bomb, Limits { max_ratio: 90, ..Limits::default() }).expect_err("a bomb");
    assert!(error.is_limit(), "{error}");
}

#[test]
fn the_limit_is_what_was_asked_for() {
    let zlib = testing::sample("das2", "zlib");
    let bytes = zlib;
    // The body inflates to 479 bytes.
    assert!(try_read_within(&bytes, Limits { max_inflate: 479, ..Limits::default() }).is_ok());
    let error = try_read_within(&bytes, Limits { max_inflate: 478, ..Limits::default() }).expect_err("too large");
    assert!(error.is_limit(), "{error}");
}

#[test]
fn damage_is_told_where_it_is() {
    let bad = |name: &str| {
        let found = testing::sample("das2", name);
        try_read(&found).expect_err("damaged")
    };
    for name in ["zlib-twice", "zstd-cut", "not-zstd"] {
        assert_eq!(bad(name).rule().id, "DAS2-005", "{name}");
    }
    // A frame of 9 bytes and 391 behind a header of 47.
    assert_eq!(bad("not-zstd").place().span, Some(wire::Span::file(447, 4)));
}
