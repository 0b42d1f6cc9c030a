//! Values that no log may show.

/// Makes the `Debug` of types say their names alone.
#[macro_export]
macro_rules! redacted {
    ($($name:ident),+) => { $(
        impl std::fmt::Debug for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    )+ };
}
