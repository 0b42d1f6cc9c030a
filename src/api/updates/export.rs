//! `GET /v1/updates/export`: the updates of an account, or of a part of its time, as a file of any length.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt, TryStreamExt};

use crate::api::call::Call;
use crate::web::Answer;
use domain::{AccountId, UpdateFilter};
use store::{Store, StoreError};
use wire::public::query::{self, ExportQuery};
use wire::public::updates_export::Export;

/// Updates that are read at once, if their payloads are not long.
const PAGE: usize = 500;

/// The updates as they are when the answer begins, in the order of their publication.
pub(crate) async fn export_updates(call: Call) -> Answer {
    let ExportQuery { mut filter, format, until } = query::export(call.query())?;
    let (now, store) = (call.now(), call.store().clone());
    filter.keep_from(call.kept_from());
    let last_seq = store.last_update_until(call.account_id(), until.map_or(now, |until| until.min(now))).await?;
    let export = Export::new(format, &filter);
    let file = format!("attachment; filename=\"updates.{}\"", format.as_str());
    let header = stream::iter([Ok(Bytes::from(export.header()))]);
    let pages = pages(store, call.account_id(), filter, last_seq, export);
    // An empty piece would end the answer.
    let pieces = header.chain(pages).try_filter(|piece| std::future::ready(!piece.is_empty()));
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, format.media_type()))
        .insert_header((CONTENT_DISPOSITION, file))
        .streaming(pieces))
}

/// One piece per page. If the database fails meanwhile, the answer is cut off, which the client notices.
fn pages(
    store: Arc<Store>,
    account_id: AccountId,
    filter: UpdateFilter,
    last_seq: i64,
    export: Export,
) -> impl Stream<Item = Result<Bytes, StoreError>> {
    stream::try_unfold(Some(filter), move |rest| {
        let (store, export) = (store.clone(), export.clone());
        async move {
            let Some(mut filter) = rest.filter(|filter| filter.after_seq < last_seq) else { return Ok(None) };
            let page = store.updates(account_id, &filter, PAGE).await;
            let (updates, has_more) =
                page.inspect_err(|error| tracing::error!(%error, "updates could not be read to their end"))?;
            let wanted = updates.iter().take_while(|update| update.update_seq <= last_seq);
            let text: String = wanted.map(|update| export.line(&update.body)).collect();
            filter.after_seq = updates.last().map_or(last_seq, |last| last.update_seq);
            Ok(Some((Bytes::from(text), has_more.then_some(filter))))
        }
    })
}
