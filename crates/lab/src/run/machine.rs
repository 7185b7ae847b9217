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

/// Bytes of memory that this machine has, those on its disk included; none where nobody tells.
pub fn memory() -> Option<u64> {
    memory_of(&fs::read_to_string("/proc/meminfo").ok()?)
}

/// Bytes of memory by `/proc/meminfo`: lines such as `MemTotal:  16316412 kB`, where kB are 1024 bytes.
fn memory_of(info: &str) -> Option<u64> {
    let kib = |key: &str| -> Option<u64> {
        let line = info.lines().find_map(|line| line.strip_prefix(key))?;
        line.split_whitespace().next()?.parse().ok()
    };
    Some((kib("MemTotal:")? + kib("SwapTotal:").unwrap_or(0)) * 1024)
}

/// The operating system and its version.
pub fn os() -> String {
    match fs::read_to_string("/proc/sys/kernel/osrelease") {
        Ok(release) if !release.trim().is_empty() => format!("{} {}", consts::OS, release.trim()),
        _ => consts::OS.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_what_the_system_says() {
        let info = "MemTotal:        1000 kB\nMemFree:          10 kB\nSwapTotal:         24 kB\n";
        assert_eq!(memory_of(info), Some(1024 * 1024));
        assert_eq!(memory_of("MemTotal:        1000 kB\n"), Some(1_024_000));
        assert_eq!(memory_of("nothing of that\n"), None);
    }
}
