//! The page in which outputs of a trusted notebook run their scripts. It is served with a policy of its own: no origin
//! (so that nothing of ours can be read or asked), no network, nothing but what is put into it by a message.

use axum::{
    Extension, Router,
    http::header,
    response::{IntoResponse, Response},
    routing::get,
};

use crate::headers::Framed;

/// `sandbox` takes the origin away even where the page is opened by itself. Scripts are the outputs' own; they reach nothing.
const CONTENT_SECURITY_POLICY: &str = "sandbox allow-scripts; default-src 'none'; \
     script-src 'unsafe-inline' 'unsafe-eval' data: blob:; style-src 'unsafe-inline' data: blob:; img-src data: blob:; \
     font-src data: blob:; media-src data: blob:; worker-src data: blob:; connect-src data: blob:; \
     form-action 'none'; base-uri 'none'; frame-ancestors 'self'; webrtc 'block'";

/// Takes one output from the page around it, and says how tall it is, what it asked a network for, and that the save key was
/// pressed, also of a page inside it. Scripts that are put in as markup don't run by themselves, so each is made anew, in order.
const PAGE: &str = r#"<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Output</title>
<style>html{color-scheme:light}body{margin:0;padding:2px 8px;background:#fff;color:#16191f;font:13px/1.45 system-ui,sans-serif;overflow-x:auto}</style>
<body><script>
const WATCH = "addEventListener('securitypolicyviolation', ({ blockedURI }) => parent.postMessage({ blocked: blockedURI }, '*'));" +
  "addEventListener('keydown', (event) => { if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.code === 'KeyS') { event.preventDefault(); if (!event.repeat) parent.postMessage({ save: true }, '*'); } }, true);";
(0, eval)(WATCH);
addEventListener('message', (event) => {
  if (event.source !== parent && typeof event.data?.blocked === 'string') return parent.postMessage({ blocked: event.data.blocked }, '*');
  if (event.source !== parent && event.data?.save === true) return parent.postMessage({ save: true }, '*');
  if (event.source !== parent || typeof event.data?.html !== 'string') return;
  document.body.innerHTML = event.data.html;
  for (const inner of document.body.querySelectorAll('iframe[srcdoc]')) {
    inner.srcdoc = inner.srcdoc.replace(/^\s*(<!doctype[^>]*>)?/i, (start) => `${start}<script>${WATCH}<\/script>`);
  }
  for (const old of document.body.querySelectorAll('script')) {
    const fresh = document.createElement('script');
    for (const { name, value } of old.attributes) fresh.setAttribute(name, value);
    fresh.textContent = old.textContent;
    old.replaceWith(fresh);
  }
});
const tell = () => parent.postMessage({ height: document.documentElement.scrollHeight }, '*');
new ResizeObserver(tell).observe(document.body);
addEventListener('load', tell);
</script></body></html>
"#;

/// Where the page is.
pub fn routes<State: Clone + Send + Sync + 'static>() -> Router<State> {
    Router::new().route("/output-frame", get(page))
}

async fn page() -> Response {
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (Extension(Framed(CONTENT_SECURITY_POLICY)), headers, PAGE).into_response()
}
