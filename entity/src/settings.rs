//! Facts about the installation.

crate::tables! {
    /// A fact about the installation.
    setting(name: String) {
        value: String,
    }
}
