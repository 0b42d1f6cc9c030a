//! `GET /v1/radar-types`: what is served here, by which sources, at which price (Spec 2.1; decisions 4.2, 7.5).

use crate::api::call::Call;
use crate::domain::radar_type::RadarType;
use crate::sources::{Catalog, Source};
use crate::web::call::{Answer, with_data};
use crate::wire::public::radar_types::{RadarTypeRecord, ServingSource};

/// Every radar type, for the account.
pub(crate) async fn radar_types(call: Call) -> Answer {
    call.no_query()?;
    let (shared, now) = (&call.state.shared, call.now());
    let prices = shared.store.price_list(call.account_id()).await?;
    let record =
        |&radar_type| RadarTypeRecord::of(radar_type, sources(&shared.catalog, radar_type), prices.at(radar_type, now));
    let records: Vec<RadarTypeRecord<'_>> = RadarType::ALL.iter().map(record).collect();
    with_data(200, "Radar types", now, records)
}

fn sources(catalog: &Catalog, radar_type: RadarType) -> Vec<ServingSource<'_>> {
    catalog.serving(radar_type).map(serving_source).collect()
}

fn serving_source(source: &Source) -> ServingSource<'_> {
    ServingSource {
        source_id: source.id(),
        name: source.name(),
        attribution: source.terms().and_then(|terms| terms.attribution.as_deref()),
    }
}
