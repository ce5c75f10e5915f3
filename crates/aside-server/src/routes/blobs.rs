//! `blobs/{sha256}`: content by its hash. Never shown as a page: it may be anything.

use std::sync::Arc;

use aside_core::Sha256;
use axum::{extract::State, http::header, response::IntoResponse};

use crate::{
    app::App,
    problem::{Named, Problem},
};

/// Returns the bytes.
pub async fn get(State(app): State<Arc<App>>, Named(sha256): Named<String>) -> Result<impl IntoResponse, Problem> {
    let hash =
        Sha256::parse(&sha256).ok_or_else(|| Problem::bad_request("the name of a blob has 64 hexadecimal digits"))?;
    let bytes = app.store.get_blob(&hash)?.ok_or_else(|| Problem::not_found(format!("there is no blob {hash}")))?;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream"),
        (header::CONTENT_DISPOSITION, "attachment"),
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable"),
    ];
    Ok((headers, bytes))
}
