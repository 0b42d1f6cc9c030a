//! The public API without a listener: the same routes, and those of sessions on the portal.

use actix_web::web::{Data, ServiceConfig};

use super::state::ApiState;
use super::{portal_sessions, routes};

/// Adds the routes, and what they work with.
pub(super) fn api(state: &Data<ApiState>) -> impl Fn(&mut ServiceConfig) + use<> {
    let (clock, state) = (Data::new(state.shared.clock.clone()), state.clone());
    move |config| {
        config.app_data(clock.clone()).app_data(state.clone());
        config.configure(portal_sessions::routes).configure(routes::public);
    }
}
