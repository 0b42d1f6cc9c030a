//! What customers use on a terminal: a look ahead, a file of what was found, and what helps to write a receiver.

pub mod access;
pub mod export;
pub mod listen;
pub mod mcp;
pub mod preview;
pub mod signature;
pub mod trigger;
