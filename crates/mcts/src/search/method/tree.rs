//! Tree search: from the root along the selector's choices to a leaf, which grows when the expander says so.
//! [You 3.1; Gelly & Silver 2011, Alg. 1]

use super::SearchMethod;

recipe::params! {
    /// A tree that grows where it is promising.
    pub struct TreeMethod as "tree" {}
}

/// Builds the method.
pub fn build(_params: &TreeMethod) -> Result<SearchMethod, recipe::Error> {
    Ok(SearchMethod::Tree)
}
