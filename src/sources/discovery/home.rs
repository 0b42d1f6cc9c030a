//! The home page of a domain, wherever it answers.

use std::collections::VecDeque;

use url::Url;

use super::error::DiscoveryError;
use domain::Obstacle;
use outbound::fetch::FetchError;
use outbound::transport::TransportError;

/// Looks for the home page of `domain`, with or without `www`; over http only where https cannot connect. `visit` reads
/// a page. Answers where it is, and what was read there: nothing where the site answers without a page.
///
/// # Errors
/// The gravest of what the places answered.
pub async fn home<T>(
    domain: &str,
    mut visit: impl AsyncFnMut(&Url) -> Result<T, FetchError>,
) -> Result<(Url, Option<T>), DiscoveryError> {
    let mut gravest: Option<DiscoveryError> = None;
    let mut places = VecDeque::from([format!("https://{domain}/"), format!("https://www.{domain}/")]);
    while let Some(place) = places.pop_front() {
        let Ok(url) = Url::parse(&place) else { break };
        let error = match visit(&url).await {
            Ok(page) => return Ok((url, Some(page))),
            // The site answers: that its front page is missing or too large says nothing of its other pages.
            Err(FetchError::NotFound | FetchError::TooLarge | FetchError::BadRedirect) => return Ok((url, None)),
            Err(FetchError::Status(status)) if !FetchError::Status(status).is_transient() => return Ok((url, None)),
            Err(error) => error,
        };
        tracing::info!(address = place, error = error.reason(), "a home page could not be read");
        if let FetchError::Unreachable(TransportError::Connect | TransportError::Tls | TransportError::Timeout) = error
        {
            places.extend(place.strip_prefix("https").map(|rest| format!("http{rest}")));
        }
        let meaning = DiscoveryError::of_fetch(&place, error);
        if gravest.as_ref().is_none_or(|gravest| weight(gravest.obstacle()) < weight(meaning.obstacle())) {
            gravest = Some(meaning);
        }
    }
    Err(gravest.unwrap_or_else(|| DiscoveryError::new(Obstacle::Unexpected, format!("{domain} is no address"))))
}

/// How grave an error is. A refusal outweighs a silence, and a silence outweighs an unknown name: the other name may exist.
const fn weight(obstacle: Obstacle) -> u8 {
    match obstacle {
        Obstacle::UnknownName => 0,
        Obstacle::Unreachable => 1,
        Obstacle::NoSource | Obstacle::Unexpected => 2,
        Obstacle::Inaccessible => 3,
    }
}
