//! What headers of requests and answers say, whatever the route: who asks, from where, what may be kept, where to go on.

pub(crate) mod client_address;
pub(crate) mod cors;
pub(crate) mod entity_tag;
pub(crate) mod head;
pub(crate) mod paging_link;
pub(crate) mod request_id;
pub(crate) mod security_headers;
pub(crate) mod trace_parent;
