//! The user interface: `web/dist`, embedded (a debug build reads it from disk). Every address that is no
//! file is the page itself, which finds its way by the address.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::base_path::BasePath;

#[derive(RustEmbed)]
#[folder = "$ASIDE_WEB_DIST"]
#[allow_missing = true]
struct Dist;

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Aside</title>\
    <h1>The user interface is not built</h1><p>Run <code>cargo xtask up</code>, then load this page again.</p></html>";

/// Tells whether the user interface was built.
pub fn has_ui() -> bool {
    Dist::get("index.html").is_some()
}

/// Answers with a file, or with the page.
pub async fn serve(State(base): State<BasePath>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let path = request.uri().path().trim_start_matches('/');
    match path {
        "" | "index.html" => page(&base),
        _ => match file(path, request.headers()) {
            Some(response) => response,
            None if path.starts_with("assets/") => StatusCode::NOT_FOUND.into_response(),
            None => page(&base),
        },
    }
}

/// The page knows where it is served from by a `meta` element, and its assets by whole addresses.
fn page(base: &BasePath) -> Response {
    let text = match Dist::get("index.html") {
        Some(file) => at_base(&String::from_utf8_lossy(&file.data), base),
        None => NOT_BUILT.to_owned(),
    };
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (headers, text).into_response()
}

fn at_base(page: &str, base: &BasePath) -> String {
    let folder = base.folder();
    let page = page.replace("=\"./", &format!("=\"{folder}"));
    page.replacen("<head>", &format!("<head><meta name=\"aside-base\" content=\"{folder}\">"), 1)
}

fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let (file, encoding) = compressed(path, headers).or_else(|| Some((Dist::get(path)?, None)))?;
    let tag = format!("\"{}\"", short_hash(&file));
    let mut response = if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        file.data.into_response()
    };
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(header::ETAG, HeaderValue::try_from(tag).expect("hexadecimal digits are a header value"));
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Some(response)
}

/// Returns the compressed twin that the build left beside a file, if the browser takes it.
fn compressed(path: &str, headers: &HeaderMap) -> Option<(EmbeddedFile, Option<&'static str>)> {
    let accepted = headers.get(header::ACCEPT_ENCODING)?.to_str().ok()?;
    [("br", "br"), ("gz", "gzip")].into_iter().find_map(|(ending, encoding)| {
        let accepts = accepted.split(',').any(|item| item.split(';').next().unwrap_or_default().trim() == encoding);
        let file = if accepts { Dist::get(&format!("{path}.{ending}")) } else { None };
        file.map(|file| (file, Some(encoding)))
    })
}

fn short_hash(file: &EmbeddedFile) -> String {
    file.metadata.sha256_hash()[..12].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("webmanifest") => "application/manifest+json",
        Some("txt") => "text/plain; charset=utf-8",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_loads_its_assets_from_where_it_is_served() {
        let page = "<html><head><script src=\"./assets/a.js\"></script></head></html>";
        let base: BasePath = "/user/ada".parse().unwrap();
        let expected = "<html><head><meta name=\"aside-base\" content=\"/user/ada/\">\
                        <script src=\"/user/ada/assets/a.js\"></script></head></html>";
        assert_eq!(at_base(page, &base), expected);
    }
}
