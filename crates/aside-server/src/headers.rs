//! Headers of every answer: what a page of ours may load, and that nobody may frame or guess at it.

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};

/// Inline style is allowed because the editor writes its rules into a style element; inline script is not.
/// No text becomes markup or script but by two rules of Trusted Types: `aside-pdf` lets the worker start that reads PDFs,
/// `aside-outputs` lets markup of outputs be parsed in order to take out of it what could run, and an HTML file be shown in a
/// frame that runs nothing. The one page that may be framed
/// is that of outputs with scripts (`output_frame.rs`), which has no origin.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; media-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
     frame-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
     require-trusted-types-for 'script'; trusted-types aside-pdf aside-outputs";

/// Marks an answer that a page of ours may frame; it has a policy of its own.
#[derive(Clone, Copy, Debug)]
pub struct Framed(pub &'static str);

const ALWAYS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Middleware that adds them.
pub async fn secure(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let framed = response.extensions().get::<Framed>().copied();
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Some(Framed(policy)) = framed {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}
