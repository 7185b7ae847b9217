//! The machine that games are played on, as reports describe it.

use std::env::consts;
use std::fs;
use std::thread;

/// The processor's name.
pub fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let value = |key: &str| {
        let line = info.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    value("model name").filter(|name| !name.is_empty()).unwrap_or_else(|| consts::ARCH.to_string())
}

/// Cores that this program may use.
pub fn cores() -> u64 {
    thread::available_parallelism().map_or(1, |n| n.get() as u64)
}

/// The operating system and its version.
pub fn os() -> String {
    match fs::read_to_string("/proc/sys/kernel/osrelease") {
        Ok(release) if !release.trim().is_empty() => format!("{} {}", consts::OS, release.trim()),
        _ => consts::OS.to_string(),
    }
}
