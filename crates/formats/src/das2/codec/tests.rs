use super::*;

/// Bytes that compress, but not to nothing, and that do not begin like a buffer.
fn pattern(size: usize) -> Vec<u8> {
    (0..size).map(|i| ((i * i) >> 7) as u8 ^ (i % 251) as u8 ^ 0x55).collect()
}

fn sink(bytes: &[u8]) -> Sink {
    let mut sink = Sink::default();
    sink.bytes(bytes);
    sink
}

fn limits(max_inflate: u64) -> Limits {
    Limits { max_inflate, ..Limits::default() }
}

/// What every way to do zstd must do.
fn does_zstd<C: Codec>() {
    let inflate = |packed: &[u8], limits: &Limits| frames::inflate::<C>(packed, &mut Room::new(packed.len(), limits));
    for size in [0, 1, 5, 1000, 70_000, 3_000_000] {
        let bytes = pattern(size);
        let packed = C::deflate(&sink(&bytes), 3).expect("memory takes everything");
        assert_eq!(packed, C::deflate(&sink(&bytes), 3).expect("again"), "the same bytes every time");
        assert!(inflate(&packed, &Limits::default()).expect("its own").bytes == bytes);
        // A limit of exactly the size is enough, one byte less is not.
        assert!(inflate(&packed, &limits(size as u64)).is_ok());
        if size > 0 {
            assert!(matches!(inflate(&packed, &limits(size as u64 - 1)), Err(Trouble::TooLarge { .. })));
        }
        let cut = inflate(&packed[..packed.len() - 1], &Limits::default());
        assert!(matches!(cut, Err(Trouble::Damaged { .. })), "{size}: {cut:?}");
    }
    let one = C::deflate(&sink(b"first"), 3).expect("memory takes everything");
    let two = C::deflate(&sink(b"second"), 3).expect("memory takes everything");
    // An empty frame as Boost appends it, and a skippable one of three bytes.
    let empty = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x00, 0x01, 0x00, 0x00];
    let skipped = [0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 9, 9, 9];
    let all = [&one[..], &skipped, &two, &empty].concat();
    let inflated = inflate(&all, &Limits::default()).expect("frames");
    assert_eq!(inflated.bytes, b"firstsecond");
    assert_eq!(inflated.empty_frame, Some(all.len() - 9..all.len()));
    let tail = [&one[..], b"tail"].concat();
    let trouble = inflate(&tail, &Limits::default()).expect_err("no frame");
    assert_eq!(trouble, Trouble::damaged(one.len(), "bytes that are no zstd frame follow the last one"));
    assert!(inflate(&skipped[..10], &Limits::default()).is_err());
    // One block of 16 MiB of zeros, 200 times over: a byte repeated 128 KiB per block.
    let mut bomb = vec![0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x88];
    for i in 0..20_000_u32 {
        let last = u32::from(i == 19_999);
        bomb.extend(&(((128 << 10) << 3) | 2 | last).to_le_bytes()[..3]);
        bomb.push(0x07);
    }
    assert!(matches!(inflate(&bomb, &Limits::default()), Err(Trouble::TooLarge { limit }) if limit < 64 << 20));
}

#[cfg(feature = "zstd")]
#[test]
fn the_library_does_zstd() {
    does_zstd::<native::Native>();
}

#[test]
fn rust_does_zstd() {
    does_zstd::<portable::Portable>();
}

#[cfg(feature = "zstd")]
#[test]
fn each_way_reads_what_the_other_writes() {
    let bytes = pattern(300_000);
    let by_native = native::Native::deflate(&sink(&bytes), 9).expect("memory takes everything");
    let by_portable = portable::Portable::deflate(&sink(&bytes), 9).expect("memory takes everything");
    let room = || Room::new(1 << 20, &Limits::default());
    assert!(frames::inflate::<portable::Portable>(&by_native, &mut room()).expect("readable").bytes == bytes);
    assert!(frames::inflate::<native::Native>(&by_portable, &mut room()).expect("readable").bytes == bytes);
}

#[test]
fn zlib_comes_back_and_ends_where_it_says() {
    for size in [0, 1, 5, 1000, 70_000, 3_000_000] {
        let bytes = pattern(size);
        for level in [1, 6, 9] {
            let packed = deflate_zlib(&sink(&bytes), level).expect("memory takes everything");
            assert!(is_zlib(&packed));
            assert!(inflate_zlib(&packed, &Limits::default()).expect("its own").bytes == bytes);
            assert!(inflate_zlib(&packed, &limits(size as u64)).is_ok());
            if size > 0 {
                assert!(matches!(inflate_zlib(&packed, &limits(size as u64 - 1)), Err(Trouble::TooLarge { .. })));
            }
            let cut = inflate_zlib(&packed[..packed.len() - 1], &Limits::default());
            assert!(matches!(cut, Err(Trouble::Damaged { .. })), "{size}: {cut:?}");
            let more = [&packed[..], &packed].concat();
            let trouble = inflate_zlib(&more, &Limits::default()).expect_err("two streams");
            assert_eq!(trouble, Trouble::damaged(packed.len(), "bytes follow the end of the zlib stream"));
        }
    }
}

#[test]
fn a_body_that_announces_too_much_is_refused_before_it_is_made() {
    let mut bytes = vec![1];
    bytes.extend((1_u32 << 31).to_le_bytes());
    bytes.extend(vec![0; 100_000]);
    let packed = deflate_zlib(&sink(&bytes), 6).expect("memory takes everything");
    let trouble = inflate_zlib(&packed, &limits(1 << 20)).expect_err("too large");
    assert_eq!(trouble, Trouble::TooLarge { limit: 1 << 20 });
}

#[test]
fn few_bytes_look_like_a_zlib_stream() {
    assert!(is_zlib(&[0x78, 0x9C]) && is_zlib(&[0x08, 0x1D]));
    assert!(!is_zlib(&[0x78]) && !is_zlib(&[0x01, 0x00]) && !is_zlib(&[0x88, 0x1C]));
}
