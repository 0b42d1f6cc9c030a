//! The engine against a small web on loopback.
