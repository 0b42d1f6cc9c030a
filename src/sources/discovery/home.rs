//! The home page of a domain, wherever it answers.

use std::collections::VecDeque;

use url::Url;

use super::error::DiscoveryError;
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
        match home_at(&place, &mut visit).await {
            Ok(home) => return Ok(home),
            Err((error, meaning)) => {
                let cannot_connect = matches!(
                    error,
                    FetchError::Unreachable(TransportError::Connect | TransportError::Tls | TransportError::Timeout)
                );
                let without_https = place.strip_prefix("https").filter(|_| cannot_connect);
                places.extend(without_https.map(|rest| format!("http{rest}")));
                gravest = Some(graver(gravest, meaning));
            }
        }
    }
    Err(gravest.unwrap_or_else(|| DiscoveryError::Unexpected("the home page was not looked for".into())))
}

async fn home_at<T>(
    address: &str,
    visit: &mut impl AsyncFnMut(&Url) -> Result<T, FetchError>,
) -> Result<(Url, Option<T>), (FetchError, DiscoveryError)> {
    let unusable = |_| (FetchError::BadRedirect, DiscoveryError::Unexpected(format!("{address} is no address")));
    let url = Url::parse(address).map_err(unusable)?;
    match visit(&url).await {
        Ok(page) => Ok((url, Some(page))),
        // The site answers: that its front page is missing or too large says nothing of its other pages.
        Err(FetchError::NotFound | FetchError::TooLarge | FetchError::BadRedirect) => Ok((url, None)),
        Err(FetchError::Status(status)) if !FetchError::Status(status).is_transient() => Ok((url, None)),
        Err(error) => {
            tracing::info!(address, error = error.reason(), "a home page could not be read");
            Err((error, DiscoveryError::of_fetch(address, error)))
        }
    }
}

/// The graver of two errors. A refusal outweighs a silence, and a silence outweighs an unknown name: the other name may
/// exist.
fn graver(one: Option<DiscoveryError>, other: DiscoveryError) -> DiscoveryError {
    let weight = |error: &DiscoveryError| match error {
        DiscoveryError::UnknownName(_) => 0,
        DiscoveryError::Transient(_) => 1,
        DiscoveryError::NoSource(_) | DiscoveryError::Unexpected(_) => 2,
        DiscoveryError::Inaccessible(_) => 3,
    };
    match one {
        Some(one) if weight(&one) >= weight(&other) => one,
        _ => other,
    }
}
