//! What stands behind a finding, and what customers think of it.

pub mod evidence;
pub mod feedback;
