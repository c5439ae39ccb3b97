//! Lets a program clean up before a signal ends it, and know that it began without standard output. For programs, not
//! for libraries: signals and streams belong to the process.
//!
//! A handler may do next to nothing, so it only says which signal came, through a pipe; a thread that waits at the other
//! end does the rest. Where a mapped file was cut short under a reader (SIGBUS), the reader cannot go on and is held until
//! that thread has ended the process.

#![cfg_attr(not(unix), allow(unused))]

/// Why a process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Somebody wants it to end: SIGINT, SIGTERM or SIGHUP.
    Asked,
    /// A file that is mapped was cut short by another program, and what is gone was read.
    Cut,
}

/// Has `clean_up` called, on a thread of its own, when a signal is about to end the process; what it answers are the last
/// words on standard error. The process then ends with 128 and the number of the signal, or with 2 if a file was cut
/// short. A second signal ends it at once. Signals that the process was started to ignore stay ignored.
///
/// # Errors
/// If there is no pipe, no thread or no handler to be had. Nothing on systems without such signals.
#[cfg(unix)]
pub fn on_end(clean_up: impl FnOnce(Ending) -> String + Send + 'static) -> std::io::Result<()> {
    unix::on_end(clean_up)
}

/// Has `clean_up` called when a signal is about to end the process; there are none on this system.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn on_end(_: impl FnOnce(Ending) -> String + Send + 'static) -> std::io::Result<()> {
    Ok(())
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod streams;

/// Whether the process was started with a closed standard output. The standard library puts the null device in its place
/// before `main`, so that whatever is printed seems to arrive.
pub fn stdout_was_closed() -> bool {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    return streams::stdout_was_closed();
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    false
}

#[cfg(unix)]
mod unix {
    use std::ffi::c_int;
    use std::io::{self, Read};
    use std::mem::MaybeUninit;
    use std::os::fd::IntoRawFd;
    use std::ptr;
    use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

    use crate::Ending;

    /// The end of the pipe that handlers write to.
    static PIPE: AtomicI32 = AtomicI32::new(-1);

    /// Whether a signal came already.
    static CAME: AtomicBool = AtomicBool::new(false);

    /// The exit code if a file was cut short: it could not be done.
    const FAILED: c_int = 2;

    pub(super) fn on_end(clean_up: impl FnOnce(Ending) -> String + Send + 'static) -> io::Result<()> {
        let (mut reader, writer) = io::pipe()?;
        PIPE.store(writer.into_raw_fd(), Ordering::Release);
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            let mut signal = [0];
            if reader.read_exact(&mut signal).is_err() {
                return;
            }
            let signal = c_int::from(signal[0]);
            let (ending, code) =
                if signal == libc::SIGBUS { (Ending::Cut, FAILED) } else { (Ending::Asked, 128 + signal) };
            let words = clean_up(ending);
            // Not by way of the standard library: whoever holds its lock may be the one that cannot go on.
            // SAFETY: the pointer and the length are those of a string that lives until the call is over.
            unsafe { libc::write(libc::STDERR_FILENO, words.as_ptr().cast(), words.len()) };
            end(code)
        })?;
        [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGBUS].into_iter().try_for_each(catch)
    }

    /// Ends the process, and nothing else: other threads may be in the middle of anything.
    fn end(code: c_int) -> ! {
        // SAFETY: it takes a number and never returns; it may be called from handlers.
        unsafe { libc::_exit(code) }
    }

    extern "C" fn handle(signal: c_int) {
        if signal != libc::SIGBUS && CAME.swap(true, Ordering::AcqRel) {
            end(128 + signal);
        }
        let byte = signal as u8;
        // SAFETY: writing may be done in handlers; the pointer is to one byte that lives until the call is over. If it
        // fails nothing is lost but the cleaning up.
        unsafe { libc::write(PIPE.load(Ordering::Acquire), ptr::from_ref(&byte).cast(), 1) };
        if signal == libc::SIGBUS {
            loop {
                // SAFETY: waiting for signals may be done in handlers and touches nothing. To return would be to read
                // again what is not there.
                unsafe { libc::pause() };
            }
        }
    }

    fn catch(signal: c_int) -> io::Result<()> {
        let mut before = MaybeUninit::<libc::sigaction>::uninit();
        // SAFETY: with no new action this only asks, and fills the place that it is given.
        if unsafe { libc::sigaction(signal, ptr::null(), before.as_mut_ptr()) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the call above answered that it filled it.
        let before = unsafe { before.assume_init() };
        if before.sa_sigaction == libc::SIG_IGN {
            return Ok(());
        }
        // SAFETY: all of its fields are numbers, sets of bits and pointers that may be null.
        let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
        action.sa_sigaction = handle as extern "C" fn(c_int) as usize;
        // Calls that were interrupted go on; a thread whose stack is used up has another one for handlers.
        action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
        // SAFETY: `action` is a whole action whose handler lives as long as the program and does nothing but what may be
        // done in one; the old one is not asked for.
        match unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}
