//! The encodings in which a file is sent that is kept compressed with Brotli. Browsers take Brotli over HTTPS and from this
//! machine; over plain HTTP from another one they take gzip, for which the file is compressed again.

use std::{
    borrow::Cow,
    io::{Read as _, Write as _},
};

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use flate2::{Compression, write::GzEncoder};

/// Bytes that are decompressed at a time.
const PIECE: usize = 4096;

/// Returns the file as the browser takes it.
pub fn sent(packed: Cow<'static, [u8]>, headers: &HeaderMap) -> Response {
    if accepts(headers, "br") {
        return encoded("br", packed.into_response());
    }
    let Some(plain) = unpacked(&packed) else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    match accepts(headers, "gzip").then(|| gzip(&plain)).flatten() {
        Some(bytes) => encoded("gzip", bytes.into_response()),
        None => plain.into_response(),
    }
}

fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|item| {
        let mut parts = item.split(';').map(str::trim);
        parts.next() == Some(encoding) && !parts.any(|quality| quality == "q=0")
    })
}

fn encoded(encoding: &'static str, mut response: Response) -> Response {
    response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    response
}

fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    brotli_decompressor::Decompressor::new(packed, PIECE).read_to_end(&mut plain).ok()?;
    Some(plain)
}

fn gzip(plain: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    /// `hello hello hello hello` as Brotli's own tool packs it.
    const PACKED: &[u8] = &[27, 22, 0, 248, 141, 148, 110, 222, 68, 85, 134, 150, 108, 32, 111, 33, 79, 28, 224, 56];
    const PLAIN: &[u8] = b"hello hello hello hello";

    async fn sent_to(accepted: &str) -> (Option<String>, Vec<u8>) {
        let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_str(accepted).unwrap())]);
        let response = sent(PACKED.into(), &headers);
        let encoding = response.headers().get(header::CONTENT_ENCODING).map(|value| value.to_str().unwrap().to_owned());
        (encoding, to_bytes(response.into_body(), 1 << 20).await.unwrap().to_vec())
    }

    #[tokio::test]
    async fn brotli_is_sent_as_kept() {
        assert_eq!(sent_to("gzip, deflate, br").await, (Some("br".to_owned()), PACKED.to_vec()));
    }

    #[tokio::test]
    async fn gzip_is_sent_without_brotli() {
        let (encoding, bytes) = sent_to("gzip, br;q=0").await;
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(&*bytes).read_to_end(&mut plain).unwrap();
        assert_eq!((encoding.as_deref(), &*plain), (Some("gzip"), PLAIN));
    }

    #[tokio::test]
    async fn plain_bytes_are_sent_without_both() {
        assert_eq!(sent_to("identity").await, (None, PLAIN.to_vec()));
    }
}
