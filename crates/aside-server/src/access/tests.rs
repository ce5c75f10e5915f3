//! The rules as a table; the same over real sockets is in `tests/security.rs`.

use aside_core::Id as _;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};

use super::*;

const HOST: (&str, &str) = ("host", "localhost:4177");
const ORIGIN: (&str, &str) = ("origin", "http://localhost:4177");
const JSON: (&str, &str) = ("content-type", "application/json");
const SAME: (&str, &str) = ("sec-fetch-site", "same-origin");

fn access() -> Access {
    let folder = tempfile::tempdir().unwrap();
    let store = aside_store::Store::open(folder.path(), aside_store::StoreOptions::system()).unwrap();
    let people = People::open(store.clone(), "ada", None).unwrap();
    Access {
        people,
        hosts: Hosts::of("127.0.0.1".parse().unwrap(), 4177),
        secret: Secret::new("the-token".into(), 4177),
        devices: Devices::new(None, "/w".to_owned(), None),
        grants: Grants::new(store),
    }
}

fn cookie(access: &Access) -> String {
    let (id, now) = (DeviceId::from_parts(aside_core::Timestamp(1), 1), access.people.now());
    access.devices.add(id, "Firefox".to_owned(), "the-device", now).unwrap();
    access.secret.set_device_cookie("/", "the-device").split(';').next().unwrap().to_owned()
}

fn check(door: Door, method: &str, headers: &[(&str, &str)]) -> Result<(), Denied> {
    let access = access();
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let value = match *value {
            "COOKIE" => cookie(&access),
            "CSRF" => access.secret.csrf().to_owned(),
            other => other.to_owned(),
        };
        map.append(HeaderName::try_from(*name).unwrap(), HeaderValue::try_from(value).unwrap());
    }
    access.admit(door, &Method::from_bytes(method.as_bytes()).unwrap(), &Uri::from_static("/x"), &map).map(drop)
}

const BEARER: (&str, &str) = ("authorization", "Bearer the-token");
const COOKIE: (&str, &str) = ("cookie", "COOKIE");
const CSRF: (&str, &str) = ("x-aside-csrf", "CSRF");

#[test]
fn the_host_decides_first() {
    assert_eq!(check(Door::Page, "GET", &[HOST]), Ok(()));
    assert_eq!(check(Door::Page, "GET", &[]), Err(Denied::WrongHost));
    assert_eq!(check(Door::Page, "GET", &[("host", "evil.com")]), Err(Denied::WrongHost));
    assert_eq!(check(Door::Page, "GET", &[HOST, HOST]), Err(Denied::WrongHost));
    assert_eq!(check(Door::Api, "GET", &[("host", "evil.com"), BEARER]), Err(Denied::WrongHost));
    let uri = Uri::from_static("http://evil.com/x");
    let headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_static("localhost:4177"))]);
    assert_eq!(access().admit(Door::Page, &Method::GET, &uri, &headers), Err(Denied::WrongHost));
}

#[test]
fn the_api_needs_the_token_or_the_cookie() {
    type Headers = &'static [(&'static str, &'static str)];
    let cases: &[(Headers, Result<(), Denied>)] = &[
        (&[HOST], Err(Denied::NoToken)),
        (&[HOST, BEARER], Ok(())),
        (&[HOST, COOKIE], Ok(())),
        (&[HOST, ("authorization", "Bearer the-tokem")], Err(Denied::NoToken)),
        (&[HOST, ("authorization", "Basic the-token")], Err(Denied::NoToken)),
        (&[HOST, ("authorization", "the-token")], Err(Denied::NoToken)),
        (&[HOST, ("authorization", "Bearer ")], Err(Denied::NoToken)),
        (&[HOST, ("authorization", "Bearer wrong"), COOKIE], Err(Denied::NoToken)),
        (&[HOST, BEARER, BEARER], Err(Denied::Malformed)),
        (&[HOST, ("cookie", "aside-session-4177=the-token")], Err(Denied::NoToken)),
        (&[HOST, ("cookie", "aside-session-4178=COOKIE")], Err(Denied::NoToken)),
        (&[HOST, ("cookie", "x=1; aside-session-4177=")], Err(Denied::NoToken)),
        (&[HOST, ORIGIN], Err(Denied::NoToken)),
    ];
    for (headers, expected) in cases {
        assert_eq!(&check(Door::Api, "GET", headers), expected, "{headers:?}");
    }
}

#[test]
fn reading_from_another_page_is_refused() {
    for (site, expected) in [
        ("same-origin", Ok(())),
        ("none", Ok(())),
        ("same-site", Err(Denied::ForeignPage)),
        ("cross-site", Err(Denied::ForeignPage)),
        ("", Err(Denied::ForeignPage)),
    ] {
        assert_eq!(check(Door::Api, "GET", &[HOST, COOKIE, ("sec-fetch-site", site)]), expected, "{site}");
    }
}

#[test]
fn a_change_by_cookie_needs_every_mark_of_our_page() {
    let all = [HOST, COOKIE, ORIGIN, SAME, CSRF, JSON];
    assert_eq!(check(Door::Api, "POST", &all), Ok(()));
    let without = |name: &str| all.iter().filter(|(found, _)| *found != name).copied().collect::<Vec<_>>();
    assert_eq!(check(Door::Api, "POST", &without("cookie")), Err(Denied::NoToken));
    assert_eq!(check(Door::Api, "POST", &without("sec-fetch-site")), Err(Denied::ForeignPage));
    assert_eq!(check(Door::Api, "POST", &without("x-aside-csrf")), Err(Denied::NoCsrf));
    assert_eq!(check(Door::Api, "POST", &without("content-type")), Ok(()), "there is no body");
    let with = |name: &str, value: &'static str| {
        let mut headers = without(name);
        headers.push((all.iter().find(|(found, _)| *found == name).unwrap().0, value));
        check(Door::Api, "POST", &headers)
    };
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        assert_eq!(check(Door::Api, method, &without("x-aside-csrf")), Err(Denied::NoCsrf), "{method}");
    }
    for site in ["none", "same-site", "cross-site"] {
        assert_eq!(with("sec-fetch-site", site), Err(Denied::ForeignPage), "{site}");
    }
    for origin in
        ["null", "http://localhost:4178", "https://localhost:4177", "http://localhost:41770", "http://evil.com"]
    {
        assert_eq!(with("origin", origin), Err(Denied::ForeignOrigin), "{origin}");
    }
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"] {
        assert_eq!(with("content-type", kind), Err(Denied::NotJson), "{kind}");
    }
    assert_eq!(with("content-type", "application/json; charset=utf-8"), Ok(()));
    assert_eq!(with("content-type", "application/octet-stream"), Ok(()));
    assert_eq!(with("x-aside-csrf", "wrong"), Err(Denied::NoCsrf));
}

#[test]
fn a_request_without_cors_is_not_our_page() {
    let headers = [HOST, COOKIE, ORIGIN, SAME, ("sec-fetch-mode", "no-cors"), CSRF, JSON];
    assert_eq!(check(Door::Api, "POST", &headers), Err(Denied::ForeignPage));
}

#[test]
fn a_program_with_the_token_needs_no_marks_but_may_not_be_a_foreign_page() {
    assert_eq!(check(Door::Api, "POST", &[HOST, BEARER, JSON]), Ok(()));
    assert_eq!(check(Door::Api, "POST", &[HOST, BEARER]), Ok(()));
    assert_eq!(check(Door::Api, "POST", &[HOST, BEARER, ("content-length", "2")]), Err(Denied::NotJson));
    let foreign = ("origin", "http://localhost:9");
    assert_eq!(check(Door::Api, "POST", &[HOST, BEARER, JSON, foreign]), Err(Denied::ForeignOrigin));
}

#[test]
fn an_upgrade_by_cookie_needs_the_exact_origin() {
    assert_eq!(check(Door::Upgrade, "GET", &[HOST, COOKIE, ORIGIN]), Ok(()));
    assert_eq!(check(Door::Upgrade, "GET", &[HOST, COOKIE]), Err(Denied::ForeignOrigin));
    assert_eq!(check(Door::Upgrade, "GET", &[HOST, BEARER]), Ok(()));
    assert_eq!(check(Door::Upgrade, "GET", &[HOST, ORIGIN]), Err(Denied::NoToken));
    for origin in ["null", "http://127.0.0.1:4177", "http://localhost:4177.evil.com", "http://localhost"] {
        let headers = [HOST, BEARER, ("origin", origin)];
        assert_eq!(check(Door::Upgrade, "GET", &headers), Err(Denied::ForeignOrigin), "{origin}");
    }
}

#[test]
fn opening_a_session_needs_our_page_or_a_program() {
    assert_eq!(check(Door::OpenSession, "POST", &[HOST, JSON]), Ok(()));
    assert_eq!(check(Door::OpenSession, "POST", &[HOST, JSON, ORIGIN, SAME]), Ok(()));
    assert_eq!(check(Door::OpenSession, "POST", &[HOST]), Err(Denied::NotJson));
    let foreign = ("sec-fetch-site", "same-site");
    assert_eq!(check(Door::OpenSession, "POST", &[HOST, JSON, foreign]), Err(Denied::ForeignPage));
}
