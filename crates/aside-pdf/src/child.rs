//! The process that reads: this program, started again.

use std::{
    io::{self, Read as _, Write as _},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicBool, Ordering},
};

use rustix::process::{Resource, Rlimit, Signal, nice, set_parent_process_death_signal, setrlimit};

/// The argument that makes this program the reader.
pub(crate) const READER: &str = "pdf-text";
/// Ends a page in the output. No text of a page has it: control characters are left out.
pub(crate) const PAGE_END: char = '\u{c}';
/// The status of a file that is no PDF, is torn or encrypted.
pub(crate) const UNREADABLE: i32 = 3;

static CAN_READ: AtomicBool = AtomicBool::new(false);

/// Becomes the reader and never returns, if that is what this program was started as. Only a program that calls this first of all in
/// `main` can read PDFs.
pub fn enter_if_reader() {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    match &arguments[..] {
        [first, memory, seconds] if first == READER => {
            let number = |text: &std::ffi::OsStr| text.to_str()?.parse().ok();
            let limits = (number(memory), number(seconds));
            let status = match limits {
                (Some(memory), Some(seconds)) => limit(memory, seconds).and_then(|()| answer()),
                _ => Err(io::ErrorKind::InvalidInput.into()),
            };
            std::process::exit(status.unwrap_or(1));
        }
        _ => CAN_READ.store(true, Ordering::Relaxed),
    }
}

/// Tells whether this program can be started again as the reader.
pub(crate) fn can_read() -> bool {
    CAN_READ.load(Ordering::Relaxed)
}

fn limit(memory: u64, seconds: u64) -> io::Result<()> {
    let at_most = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
    setrlimit(Resource::As, at_most(memory))?;
    setrlimit(Resource::Cpu, at_most(seconds))?;
    setrlimit(Resource::Core, at_most(0))?;
    // Nobody waits for it: people's own programs come first, and it ends with the server.
    let _ = nice(10);
    Ok(set_parent_process_death_signal(Some(Signal::KILL))?)
}

/// Writes the text of the PDF from the standard input to the standard output; returns the exit status.
fn answer() -> io::Result<i32> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    // It writes of fonts and panics of its own to the standard output and error.
    std::panic::set_hook(Box::new(|_| {}));
    let read = catch_unwind(AssertUnwindSafe(|| pdf_extract::extract_text_from_mem_by_pages(&bytes)));
    let pages = match read {
        Ok(Ok(pages)) => pages,
        Ok(Err(error)) => {
            eprint!("{error}");
            return Ok(UNREADABLE);
        }
        Err(_) => return Ok(UNREADABLE),
    };
    let mut output = io::BufWriter::new(io::stdout().lock());
    for page in pages {
        let text: String = page.chars().filter(|letter| !letter.is_control() || *letter == '\n').collect();
        write!(output, "{text}{PAGE_END}")?;
    }
    output.flush()?;
    Ok(0)
}
