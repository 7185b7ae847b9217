//! No network.

recipe::params! {
    /// There is no network.
    pub struct NoNet as "none" {}
}
