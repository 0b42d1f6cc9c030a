//! The sample web, served on a free port of this machine. The first part of a path is the host that is meant, as the
//! rewrite table puts it there.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use actix_web::{HttpRequest, HttpResponse, web};
use chrono::{DateTime, Utc};

use super::moment::Moment;
use super::world;
use crate::cli::demo::local_server::LocalServer;
use crate::config::Rewrite;

/// The web, served until [`SampleWeb::stop`].
pub struct SampleWeb {
    moment: Arc<Mutex<Moment>>,
    server: LocalServer,
}

impl SampleWeb {
    /// Starts serving at `now`, when one thing of every kind has happened; must be called within an actix system.
    pub fn start(now: DateTime<Utc>) -> io::Result<Self> {
        let moment = Arc::new(Mutex::new(Moment { happened: 1, now }));
        let shared = moment.clone();
        let server = LocalServer::start(move |config| {
            config.app_data(web::Data::new(shared.clone())).default_service(web::to(answer));
        })?;
        Ok(Self { moment, server })
    }

    /// The rewrite table that leads every address here: nothing of the real web is asked.
    pub fn rewrites(&self) -> Vec<Rewrite> {
        let to = format!("http://{}/", self.server.address());
        ["https://", "http://"].map(|from| Rewrite { from: from.to_owned(), to: to.clone() }).into()
    }

    /// Lets one more thing of every kind happen.
    pub fn go_on(&self, now: DateTime<Utc>) {
        let mut moment = self.moment.lock().unwrap_or_else(PoisonError::into_inner);
        *moment = Moment { happened: moment.happened + 1, now };
    }

    /// Ends serving.
    pub async fn stop(self) {
        self.server.stop().await;
    }
}

async fn answer(request: HttpRequest, moment: web::Data<Arc<Mutex<Moment>>>) -> HttpResponse {
    let path = request.path().trim_start_matches('/');
    let (host, path) = path.split_once('/').unwrap_or((path, ""));
    let moment = *moment.lock().unwrap_or_else(PoisonError::into_inner);
    match world::page(host, &format!("/{path}"), request.query_string(), moment) {
        Some(page) => HttpResponse::Ok().content_type(page.content_type).body(page.body),
        None => HttpResponse::NotFound().body("There is no such page.\n"),
    }
}
