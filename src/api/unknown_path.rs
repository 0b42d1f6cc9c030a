//! The answer to a path that is no route.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use super::state::ApiState;
use domain::Missing;

/// A 404. Requests to unknown paths use up the budget of their address.
pub(super) async fn unknown_path(request: HttpRequest, state: Data<ApiState>) -> HttpResponse {
    state.strangers.refuse(Missing::Path.into(), &request, &state.shared.clock)
}
