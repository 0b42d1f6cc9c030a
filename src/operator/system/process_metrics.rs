//! The part of `GET /metrics` that is about the process, under the names that every program has (`process_*`), and which
//! program it is. Linux tells it in `/proc/self`; elsewhere it is left out.

use std::fs;

use prometheus::{Counter, GaugeVec, Opts, Registry};
use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{Resource, getrlimit};

use actors::runtime::registered::{registered, set};

/// Fields of `/proc/self/stat` behind the name of the program, which may hold anything (proc(5), less three).
const USER_TICKS: usize = 11;
const SYSTEM_TICKS: usize = 12;
const THREADS: usize = 17;
const STARTED_TICKS: usize = 19;
const VIRTUAL_BYTES: usize = 20;
const RESIDENT_PAGES: usize = 21;

/// Adds what is known of this process.
pub(super) fn add_process(registry: &Registry) -> prometheus::Result<()> {
    let build = Opts::new("radar_build_info", "Which program this is; always 1");
    let build = registered(registry, GaugeVec::new(build, &["version"]))?;
    build.with_label_values(&[env!("CARGO_PKG_VERSION")]).set(1.0);
    if let Some(limit) = getrlimit(Resource::Nofile).current {
        set(registry, "process_max_fds", "File descriptors that the process may open", limit as f64)?;
    }
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        set(registry, "process_open_fds", "File descriptors that are open", open.count() as f64)?;
    }
    let Some(stat) = Stat::read() else { return Ok(()) };
    let ticks_per_s = clock_ticks_per_second() as f64;
    let cpu = Counter::new("process_cpu_seconds_total", "Processor time that the process has used")?;
    cpu.inc_by((stat.field(USER_TICKS) + stat.field(SYSTEM_TICKS)) / ticks_per_s);
    registry.register(Box::new(cpu))?;
    let resident = stat.field(RESIDENT_PAGES) * page_size() as f64;
    set(registry, "process_resident_memory_bytes", "Memory of the process that is in use", resident)?;
    let virtual_bytes = stat.field(VIRTUAL_BYTES);
    set(registry, "process_virtual_memory_bytes", "Memory that the process has reserved", virtual_bytes)?;
    set(registry, "process_threads", "Threads of the process", stat.field(THREADS))?;
    match booted_at() {
        Some(booted_at) => {
            let started_at = booted_at + stat.field(STARTED_TICKS) / ticks_per_s;
            set(registry, "process_start_time_seconds", "When the process began, since 1970", started_at)
        }
        None => Ok(()),
    }
}

/// The fields of `/proc/self/stat` from the third on.
struct Stat(Vec<f64>);

impl Stat {
    fn read() -> Option<Self> {
        fs::read_to_string("/proc/self/stat").ok().as_deref().and_then(Self::of)
    }

    fn of(text: &str) -> Option<Self> {
        let (_, fields) = text.rsplit_once(')')?;
        Some(Self(fields.split_ascii_whitespace().map(|field| field.parse().unwrap_or_default()).collect()))
    }

    fn field(&self, index: usize) -> f64 {
        self.0.get(index).copied().unwrap_or_default()
    }
}

/// When the machine was started, in seconds since 1970.
fn booted_at() -> Option<f64> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    stat.lines().find_map(|line| line.strip_prefix("btime ")?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::{RESIDENT_PAGES, STARTED_TICKS, Stat, THREADS, USER_TICKS};

    #[test]
    fn fields_are_counted_behind_the_name_of_the_program() {
        let text = "7 (a) b (c) S 1 7 7 0 -1 4194304 100 0 0 0 11 12 0 0 20 0 17 0 19 20480 21 18446744073709551615";
        let stat = Stat::of(text).expect("fields");
        let read = [USER_TICKS, THREADS, STARTED_TICKS, RESIDENT_PAGES].map(|index| stat.field(index));
        assert!(
            read.iter().zip([11.0, 17.0, 19.0, 21.0]).all(|(read, wanted)| (read - wanted).abs() < 0.1),
            "{read:?}"
        );
    }
}
