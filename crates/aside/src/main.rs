//! The program: the command line, with the user interface inside.

use std::process::ExitCode;

fn main() -> ExitCode {
    aside_cli::run(|path| aside_ui::file(path).map(|(bytes, hash)| aside_cli::UiFile { bytes, hash }))
}
