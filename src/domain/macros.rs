//! What types of many rooms are made with: closed lists of words, and values that no log may show.

/// The text is none of the words of a list; all of them are the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be one of {}", .0.join(", "))]
pub struct UnknownWord(pub &'static [&'static str]);

/// Makes a closed list: an enum, its words, and how these are read and written, alike on the wire and in the store.
#[macro_export]
macro_rules! closed {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// Every value, in the order of the list.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
            /// Every word, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($text,)*];

            /// The value on the wire and in the store.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.iter().copied().find(|value| value.as_str() == text);
                found.ok_or($crate::UnknownWord(Self::WORDS))
            }
        }
    };
}

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
