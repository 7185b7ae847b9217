//! The rollout loop and its move policies.
