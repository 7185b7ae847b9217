//! The table `[machine]`: what of the machine a run uses. It may be another one whenever the run is taken up.

recipe::params! {
    /// What of the machine a run uses.
    pub struct MachineSettings as "machine" {
        threads: u32 = 2, 1..=256, "threads; each plays games, and one of them trains while steps are due";
        memory: u32 = 256, 8..=1_000_000, "megabytes of a thread's search, its remembered answers included";
    }
}
