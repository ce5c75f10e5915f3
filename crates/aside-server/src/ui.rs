//! The user interface's files, as the program gives them. Every address that is no file is the page itself, which finds its
//! way by the address.

mod encoding;

use std::{borrow::Cow, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::{app::App, base_path::BasePath};

/// Returns a file of the user interface by its path below the page. Files that compress well are there once, compressed with
/// Brotli, with `.br` after their name.
pub type Ui = fn(path: &str) -> Option<UiFile>;

/// A file of the user interface.
#[derive(Clone, Debug)]
pub struct UiFile {
    /// Its content.
    pub bytes: Cow<'static, [u8]>,
    /// Its SHA-256.
    pub hash: [u8; 32],
}

/// The files of a server without pages: none.
pub fn no_ui(_: &str) -> Option<UiFile> {
    None
}

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Aside</title>\
    <h1>The user interface is not built</h1><p>Run <code>cargo xtask up</code>, then load this page again.</p></html>";

/// Answers with a file, or with the page.
pub async fn serve(State(app): State<Arc<App>>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let path = request.uri().path().trim_start_matches('/');
    match path {
        "" | "index.html" => page(&app),
        _ => match file(app.ui, path, request.headers()) {
            Some(response) => response,
            None if path.starts_with("assets/") => StatusCode::NOT_FOUND.into_response(),
            None => page(&app),
        },
    }
}

/// The page knows where it is served from by a `meta` element, and its assets by whole addresses.
fn page(app: &App) -> Response {
    let text = match (app.ui)("index.html") {
        Some(file) => at_base(&String::from_utf8_lossy(&file.bytes), &app.base_path),
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

fn file(ui: Ui, path: &str, headers: &HeaderMap) -> Option<Response> {
    let (file, is_packed) = match ui(&format!("{path}.br")) {
        Some(file) => (file, true),
        None => (ui(path)?, false),
    };
    let tag = format!("\"{}\"", short(&file.hash));
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut response = match (is_known, is_packed) {
        (true, _) => StatusCode::NOT_MODIFIED.into_response(),
        (false, false) => file.bytes.into_response(),
        (false, true) => encoding::sent(file.bytes, headers),
    };
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(header::ETAG, HeaderValue::try_from(tag).expect("hexadecimal digits are a header value"));
    Some(response)
}

fn short(hash: &[u8; 32]) -> String {
    hash[..12].iter().map(|byte| format!("{byte:02x}")).collect()
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
