//! The table `[stop]`: when a run ends by itself.

recipe::params! {
    /// When a run ends by itself; with 0 everywhere it never does.
    pub struct StopSettings as "stop" {
        hours: f64 = 0.0, 0.0..=1_000_000.0, "hours at work";
        cpu_hours: f64 = 0.0, 0.0..=1_000_000.0, "hours of processor time, all threads together: on a machine that others use, too, the measure of the work";
        games: u64 = 0, 0..=1_000_000_000_000, "games";
        nets: u32 = 0, 0..=1_000_000, "networks";
    }
}
