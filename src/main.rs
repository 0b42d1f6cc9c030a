//! The program `radar`; everything it does is in the library.

/// What a commit writes is put together in one thread and let go of in another, by the ten thousand pieces.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    radar::cli::run()
}
