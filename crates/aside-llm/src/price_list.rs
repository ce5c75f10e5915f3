//! Gets a newer list of prices, when the person asks for it.

use std::time::Duration;

use aside_core::Failure;
use aside_macros::boxed;
use aside_prices::PriceTable;
use serde_json::Value;
use tokio::time::interval;

use crate::{
    Limits, Permits, ProviderError,
    http::{
        ask::{Question, ask},
        endpoint::Endpoint,
    },
};

/// Where the LiteLLM project publishes its list.
pub const LITELLM: &str = "https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json";
/// Bytes of a list.
pub const LONGEST_LIST: usize = 16 << 20;
/// From the first byte of the question to the last one of the list.
const TIME: Duration = Duration::from_secs(30);
/// How often it is asked again whether another machine may be reached.
const AGAIN: Duration = Duration::from_millis(250);

/// Why there is no newer list.
#[derive(Debug, thiserror::Error)]
pub enum PriceListError {
    /// It can't be asked for there.
    #[error("cannot get prices from this address: {0}")]
    Address(String),
    /// What came, or was given, is not believed.
    #[error("{place} has no usable price list: {detail}")]
    NotAList {
        /// Where.
        place: String,
        /// What is wrong with it, and where.
        detail: String,
    },
    /// It did not come.
    #[error(transparent)]
    Server(#[from] ProviderError),
}

impl From<&PriceListError> for Failure {
    fn from(error: &PriceListError) -> Self {
        match error {
            PriceListError::Server(error) => error.into(),
            PriceListError::Address(_) => Self::new("bad_request", error.to_string())
                .hint("Pass a file, or the https address of a list in LiteLLM's format."),
            PriceListError::NotAList { .. } => Self::new("bad_request", error.to_string()).hint(
                "Prices were not changed. Try again later, or pass another list in LiteLLM's format with --from.",
            ),
        }
    }
}

/// Reads a list in LiteLLM's form. What has no price there is left out, so that the list that comes with Aside can know
/// it.
pub fn read_list(list: &Value, source: &str, date: &str) -> Result<PriceTable, PriceListError> {
    let table = PriceTable::from_litellm(list, source, date);
    table.map(PriceTable::priced).map_err(|detail| PriceListError::NotAList { place: source.to_owned(), detail })
}

/// Gets a list; its source is its address without user, password and query. Nothing but the address is sent. Another
/// machine is reached by https, and only while Local only is off; no redirect is followed.
#[boxed]
pub async fn fetch_list(address: &str, date: &str, permits: &Permits) -> Result<PriceTable, PriceListError> {
    let limits = Limits { question: TIME, line: LONGEST_LIST, ..Limits::default() };
    let mut endpoint = Endpoint::parse(address, limits).map_err(PriceListError::Address)?;
    if !endpoint.local() && !endpoint.is_https() {
        return Err(PriceListError::Address("its address does not begin with https://".to_owned()));
    }
    endpoint.when_unreachable =
        "Try again later, or download the list in another way and pass it with `aside models prices refresh --from FILE`."
            .to_owned();
    let list = while_allowed(&endpoint, permits).await.map_err(|error| match error {
        ProviderError::NotUnderstood { endpoint: place, detail, .. } => PriceListError::NotAList { place, detail },
        error => error.into(),
    })?;
    let source = if address == LITELLM { "LiteLLM".to_owned() } else { endpoint.shown() };
    read_list(&list, &source, date)
}

async fn while_allowed(endpoint: &Endpoint, permits: &Permits) -> Result<Value, ProviderError> {
    let host = endpoint.elsewhere();
    permits.check_connection(host.as_deref())?;
    let question = Question::get("");
    let mut again = interval(AGAIN);
    let mut answer = std::pin::pin!(ask(endpoint, &question));
    loop {
        tokio::select! {
            biased;
            // Returning drops the answer: the connection is closed.
            _ = again.tick() => permits.check_connection(host.as_deref())?,
            list = &mut answer => return list,
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpListener,
    };

    use super::*;
    use crate::Said;

    /// Answers one question with this; returns where.
    async fn served(head: &'static str, body: String) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            let (mut socket, _) = listener.accept().await.unwrap();
            let _ = socket.read(&mut [0; 4096]).await.unwrap();
            let length = body.len();
            let answer = format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
            // Whoever has read enough goes away.
            let _ = socket.write_all(answer.as_bytes()).await;
        });
        format!("http://user:canary@{address}/list.json?key=canary")
    }

    /// As many models, the last without a price.
    fn list(models: usize) -> String {
        let mut entry = serde_json::json!({"litellm_provider": "openai", "mode": "chat",
            "input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6});
        let mut list: serde_json::Map<_, _> = (0..models).map(|number| (format!("m{number}"), entry.clone())).collect();
        entry.as_object_mut().unwrap().remove("output_cost_per_token");
        list.insert("half".to_owned(), entry);
        Value::Object(list).to_string()
    }

    async fn fetch(address: &str, permits: &Permits) -> Result<PriceTable, PriceListError> {
        fetch_list(address, "2026-11-21", permits).await
    }

    fn local_only() -> Permits {
        Permits::always(Said { local_only: true, ..Said::default() })
    }

    #[tokio::test]
    async fn a_list_on_this_machine_is_read_also_under_local_only() {
        let table = fetch(&served("200 OK", list(60)).await, &local_only()).await.unwrap();
        assert_eq!((table.models.len(), table.date.as_str()), (60, "2026-11-21"));
        assert!(table.source.ends_with("/list.json") && !table.source.contains("canary"), "{}", table.source);
    }

    #[tokio::test]
    async fn what_is_no_whole_list_or_leads_elsewhere_is_refused() {
        for (head, body) in [
            ("200 OK", "<html>".to_owned()),
            ("200 OK", list(60).replacen("1e-6", "NaN", 1)),
            ("200 OK", list(60).replacen("1e-6", "-1e-6", 1)),
            ("200 OK", list(9)),
            ("200 OK", list(60)[..900].to_owned()),
            ("200 OK", String::new()),
            ("200 OK", " ".repeat(LONGEST_LIST + 1)),
            ("404 Not Found", list(60)),
            ("302 Found\r\nlocation: https://models.example/", list(60)),
        ] {
            let error = fetch(&served(head, body).await, &Permits::default()).await.unwrap_err();
            assert!(!error.to_string().contains("canary"), "{error}");
        }
    }

    #[tokio::test]
    async fn another_machine_is_reached_by_https_only_and_not_under_local_only() {
        let refused = fetch(LITELLM, &local_only()).await.unwrap_err();
        assert_eq!(Failure::from(&refused).code, "local_only");
        for plain in ["http://models.example/list.json", "ftp://models.example", "list.json", "file:///etc/passwd"] {
            let error = fetch(plain, &Permits::default()).await.unwrap_err();
            assert!(matches!(error, PriceListError::Address(_)), "{plain}: {error}");
        }
        let unclear = Permits::by(|| Err("models.json is damaged".to_owned()));
        let error = fetch(LITELLM, &unclear).await.unwrap_err();
        assert!(error.to_string().contains("damaged"), "{error}");
    }
}
