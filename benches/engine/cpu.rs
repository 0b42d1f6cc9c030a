//! What processes have used, read from /proc.

use std::fs;

use crate::plain_receiver::PlainReceiver;

/// Clock ticks of /proc in a second.
const TICKS: f64 = 100.0;

/// CPU time of this process and of PostgreSQL, without the receiver's thread, in seconds.
pub struct Cpu {
    seconds: f64,
}

impl Cpu {
    /// As of now.
    pub fn now(receiver: &PlainReceiver) -> Self {
        let own = used("/proc/self/stat") - used(&format!("/proc/self/task/{}/stat", receiver.thread_id()));
        Self { seconds: own + postgres() }
    }

    /// Seconds since then.
    pub fn elapsed(&self, receiver: &PlainReceiver) -> f64 {
        Self::now(receiver).seconds - self.seconds
    }
}

/// Memory of this process.
pub fn resident_bytes() -> u64 {
    let statm = fs::read_to_string("/proc/self/statm").expect("figures");
    statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).expect("pages") * 4_096
}

/// All servers of this machine together, ended ones among their parents' children.
pub fn postgres() -> f64 {
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    let stats = processes.filter_map(|entry| {
        let path = entry.path().join("stat");
        let stat = fs::read_to_string(&path).ok()?;
        stat.contains("(postgres)").then(|| seconds(&stat))
    });
    stats.sum()
}

/// CPU time of the process or thread whose `stat` is at `path`, in seconds.
pub fn used(path: &str) -> f64 {
    seconds(&fs::read_to_string(path).expect("figures"))
}

/// User and system time, the eleventh and twelfth field after the name.
fn seconds(stat: &str) -> f64 {
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / TICKS
}
