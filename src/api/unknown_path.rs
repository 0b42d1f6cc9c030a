//! The answer to a path that is no route.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use super::state::ApiState;
use crate::domain::rejection::{Missing, Rejection};
use crate::web::errors::Failure;

/// A 404. Requests to unknown paths use up the budget of their address.
pub(super) async fn unknown_path(request: HttpRequest, state: Data<ApiState>) -> HttpResponse {
    let failure = Failure::from(Rejection::NotFound(Missing::Path));
    state.strangers.refuse(failure, &request, state.shared.clock.now())
}
