//! An update in the forms of other systems, made from its payload: events for machines, messages for people.
//!
//! What strangers wrote is shortened and escaped for each form. Never here: where it goes.

pub mod atom;
pub mod cloudevents;
pub mod json_feed;
pub mod slack;
pub mod summary;
pub mod teams;
