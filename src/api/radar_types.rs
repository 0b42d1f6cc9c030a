//! `GET /v1/radar-types`: what is served here, by which sources, at which price (Spec 2.1; decisions 4.2, 7.5).

use crate::api::call::Call;
use crate::web::Answer;
use domain::RadarType;
use sources::{self, Catalog, Source};
use wire::public::radar_types::{RadarTypeRecord, ServingSource};

/// Every radar type, for the account.
pub(crate) async fn radar_types(call: Call) -> Answer {
    call.no_query()?;
    let (shared, now) = (call.shared(), call.now());
    let prices = shared.store.price_list(call.account_id()).await?;
    let record = |&radar_type| {
        let (sources, served_if) =
            (serving(&shared.catalog, radar_type, shared.lookups), sources::served_if(&shared.catalog, radar_type));
        RadarTypeRecord::of(radar_type, sources, served_if, prices.at(radar_type, now))
    };
    let records: Vec<RadarTypeRecord<'_>> = RadarType::ALL.iter().map(record).collect();
    call.data(200, "Radar types", records)
}

fn serving(catalog: &Catalog, radar_type: RadarType, may_ask: bool) -> Vec<ServingSource<'_>> {
    let served = |source: &&Source| sources::is_served(source, radar_type, may_ask);
    catalog.serving(radar_type).filter(served).map(serving_source).collect()
}

fn serving_source(source: &Source) -> ServingSource<'_> {
    ServingSource {
        source_id: &source.id,
        name: &source.name,
        attribution: source.terms.as_ref().and_then(|terms| terms.attribution.as_deref()),
    }
}
