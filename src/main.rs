//! The program `radar`; everything it does is in the library.

fn main() -> std::process::ExitCode {
    radar::cli::run()
}
