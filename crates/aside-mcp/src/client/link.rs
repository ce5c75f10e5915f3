//! The connection to one server: made when it is needed, given up when it breaks, and not made again at once when it
//! keeps breaking.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use aside_core::{Failure, McpLaunch, McpServerName};
use http::{HeaderName, HeaderValue};
use rmcp::{
    RoleClient,
    model::{CallToolRequestParams, CallToolResponse, CallToolResult, PaginatedRequestParams, ProtocolVersion, Tool},
    service::{ClientCacheConfig, ClientLifecycleMode, ClientServiceExt as _, RunningService, ServiceError},
    transport::{
        StreamableHttpClientTransport, async_rw::AsyncRwTransport,
        streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde_json::{Map, Value};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};

use super::{
    bounded::Bounded,
    kept::Files,
    launch,
    refuser::Refuser,
    servers::{ClientLimits, Servers},
    words::fit_line,
};

/// The longest rest between two starts.
const LONGEST_REST: Duration = Duration::from_secs(60);
/// Pages of a list of tools, and tools, that are read before it is given up.
const MOST_PAGES: usize = 50;
const MOST_TOLD: usize = 2000;
/// Lines that are kept of what a program writes for people, and characters of each.
const MOST_SAID: usize = 40;
const LONGEST_SAID: usize = 400;
const LONGEST_LINE_SAID: u64 = 64 * 1024;

/// One server's connection, if there is one.
#[derive(Default)]
pub(crate) struct Link {
    slot: tokio::sync::Mutex<Slot>,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Slot {
    session: Option<Arc<Session>>,
    /// Starts in a row that led to nothing.
    failures: u32,
    rest_until: Option<Instant>,
}

/// What is told of a connection without waiting for it.
#[derive(Default)]
struct Seen {
    running: bool,
    failure: Option<String>,
    said: VecDeque<String>,
}

/// A connection that was made. Dropping it ends the program.
pub(crate) struct Session {
    service: RunningService<RoleClient, Refuser>,
    exceeded: Arc<AtomicBool>,
    limits: ClientLimits,
}

/// Why a request over a connection led to nothing.
#[derive(Debug)]
pub(crate) enum Lost {
    /// The connection is gone, so what became of the request is not known.
    Connection(Failure),
    /// The server said no, or did not answer in time; the connection is still there.
    Request(Failure),
}

/// What is needed to make a connection.
pub(crate) struct Reach<'a> {
    pub(crate) server: &'a McpServerName,
    pub(crate) launch: &'a McpLaunch,
    pub(crate) files: &'a Files,
    pub(crate) limits: ClientLimits,
    pub(crate) servers: Weak<Servers>,
}

impl Link {
    /// Returns the connection, and makes it first if there is none. Whoever comes meanwhile waits for the same one.
    pub(crate) async fn session(&self, reach: &Reach<'_>) -> Result<Arc<Session>, Failure> {
        // Held while it is started, so that it is started once.
        let mut slot = self.slot.lock().await;
        if let Some(session) = slot.session.as_ref().filter(|session| !session.is_closed()) {
            return Ok(session.clone());
        }
        slot.session = None;
        if let Some(rest) = slot.rest_until.and_then(|until| until.checked_duration_since(Instant::now())) {
            let message = format!("{} keeps failing and rests for {} s", reach.server, rest.as_secs() + 1);
            return Err(Failure::new("server_resting", message).hint(self.last_words()));
        }
        match tokio::time::timeout(reach.limits.start, self.start(reach)).await {
            Ok(Ok(session)) => {
                let session = Arc::new(session);
                slot.session = Some(session.clone());
                self.note(None, true);
                Ok(session)
            }
            other => {
                slot.failures = slot.failures.saturating_add(1);
                slot.rest_until = Some(Instant::now() + rest_after(slot.failures));
                let late = || format!("it did not answer within {} s", reach.limits.start.as_secs());
                let problem = other.map_or_else(|_| late(), |failed| failed.err().unwrap_or_default());
                let message = format!("{} could not be reached: {problem}", reach.server);
                self.note(Some(&message), false);
                Err(Failure::new("server_unreachable", message).hint(self.last_words()))
            }
        }
    }

    /// Gives a connection up, unless another one was made meanwhile.
    pub(crate) async fn give_up(&self, session: &Arc<Session>, why: &Failure) {
        let mut slot = self.slot.lock().await;
        if slot.session.as_ref().is_some_and(|current| Arc::ptr_eq(current, session)) {
            slot.session = None;
            slot.failures = slot.failures.saturating_add(1);
            slot.rest_until = Some(Instant::now() + rest_after(slot.failures));
            self.note(Some(&why.message), false);
        }
    }

    /// It did what it was asked for.
    pub(crate) async fn worked(&self) {
        let mut slot = self.slot.lock().await;
        (slot.failures, slot.rest_until) = (0, None);
    }

    /// Ends it.
    pub(crate) async fn close(&self) {
        let session = self.slot.lock().await.session.take();
        self.note(None, false);
        drop(session);
    }

    /// Whether it runs, why it could not be reached last, and what it said.
    pub(crate) fn seen(&self) -> (bool, Option<String>, Vec<String>) {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        (seen.running, seen.failure.clone(), seen.said.iter().cloned().collect())
    }

    async fn start(&self, reach: &Reach<'_>) -> Result<Session, String> {
        let exceeded = Arc::new(AtomicBool::new(false));
        let refuser = Refuser { servers: reach.servers.clone(), server: reach.server.clone() };
        let both = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: Some(ProtocolVersion::V_2025_11_25),
        };
        let service = match reach.launch {
            McpLaunch::Program { .. } => {
                let line = launch::line(reach.server, reach.launch, reach.files).map_err(explained)?;
                let companion = line.start().await.map_err(|error| error.to_string())?;
                self.seen.lock().unwrap_or_else(PoisonError::into_inner).said.clear();
                tokio::spawn(listen(companion.errors, self.seen.clone()));
                let output = Bounded::new(companion.output, reach.limits.message, exceeded.clone());
                let transport =
                    AsyncRwTransport::<RoleClient, _, _>::new(output, companion.input).with_max_line_length(usize::MAX);
                refuser.serve_with_lifecycle(transport, both).await
            }
            McpLaunch::Http { url, headers } => {
                let transport = http_transport(url, headers, reach).map_err(explained)?;
                refuser.serve_with_lifecycle(transport, both).await
            }
        };
        let service = service.map_err(|error| match exceeded.load(Ordering::SeqCst) {
            true => "it sent a message that is too long".to_owned(),
            false => fit_line(&error.to_string(), LONGEST_SAID),
        })?;
        // A list that is kept by us could hide that it changed.
        service.peer().set_response_cache_config(ClientCacheConfig::disabled()).await;
        Ok(Session { service, exceeded, limits: reach.limits })
    }

    fn note(&self, failure: Option<&str>, running: bool) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        (seen.running, seen.failure) = (running, failure.map(str::to_owned));
    }

    fn last_words(&self) -> String {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let last: Vec<_> = seen.said.iter().rev().take(5).rev().map(String::as_str).collect();
        if last.is_empty() {
            "it said nothing on its error output".to_owned()
        } else {
            format!("it said: {}", last.join(" / "))
        }
    }
}

impl Session {
    fn is_closed(&self) -> bool {
        self.service.peer().is_transport_closed()
    }

    /// Asks for all tools.
    pub(crate) async fn tools(&self) -> Result<Vec<Tool>, Lost> {
        let all = async {
            let (mut tools, mut cursor) = (Vec::new(), None);
            for _ in 0..MOST_PAGES {
                let page = PaginatedRequestParams::default().with_cursor(cursor);
                let result = self.service.peer().list_tools(Some(page)).await.map_err(|error| self.lost(error))?;
                tools.extend(result.tools);
                cursor = result.next_cursor;
                if cursor.is_none() && tools.len() <= MOST_TOLD {
                    return Ok(tools);
                }
                if tools.len() > MOST_TOLD {
                    break;
                }
            }
            Err(Lost::Request(Failure::new("too_many_tools", "its list of tools does not end")))
        };
        self.in_time(self.limits.list, all).await
    }

    /// Calls a tool. When this is dropped, the server is told that nobody waits any more.
    pub(crate) async fn call(&self, tool: &str, args: &Map<String, Value>) -> Result<CallToolResult, Lost> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(args.clone());
        let call = async { self.service.peer().call_tool_once(params).await.map_err(|error| self.lost(error)) };
        match self.in_time(self.limits.call, call).await? {
            CallToolResponse::Complete(result) => Ok(result),
            CallToolResponse::InputRequired(_) => {
                let message = "it asks for something in return, and Aside asks nobody for a server of tools";
                Err(Lost::Request(Failure::new("asks_back", message)))
            }
            _ => Err(Lost::Request(Failure::new("no_answer", "it answered with something else than a result"))),
        }
    }

    async fn in_time<T>(&self, limit: Duration, work: impl Future<Output = Result<T, Lost>>) -> Result<T, Lost> {
        tokio::time::timeout(limit, work).await.unwrap_or_else(|_| {
            let message =
                format!("it did not answer within {} s; what it did until then is not known", limit.as_secs());
            Err(Lost::Request(Failure::new("timeout", message)))
        })
    }

    fn lost(&self, error: ServiceError) -> Lost {
        if self.exceeded.load(Ordering::SeqCst) {
            let message = format!("its answer is longer than {} bytes, and was not read", self.limits.message);
            return Lost::Connection(Failure::new("answer_too_long", message));
        }
        match error {
            ServiceError::McpError(error) => {
                let message = format!("it says: {}", fit_line(&error.message, LONGEST_SAID));
                Lost::Request(Failure::new("tool_error", message))
            }
            ServiceError::UnexpectedResponse => {
                Lost::Request(Failure::new("no_answer", "it answered with something else than a result"))
            }
            other => {
                let message =
                    format!("it ended in the middle of a request ({})", fit_line(&other.to_string(), LONGEST_SAID));
                Lost::Connection(Failure::new("server_ended", message))
            }
        }
    }
}

/// The first failure may be an accident; after that each rest is twice as long.
fn rest_after(failures: u32) -> Duration {
    match failures {
        0 | 1 => Duration::ZERO,
        more => Duration::from_secs(1 << (more - 2).min(6)).min(LONGEST_REST),
    }
}

fn explained(failure: Failure) -> String {
    match failure.hint {
        Some(hint) => format!("{}; {hint}", failure.message),
        None => failure.message,
    }
}

fn http_transport(
    url: &str,
    headers: &std::collections::BTreeMap<String, String>,
    reach: &Reach<'_>,
) -> Result<StreamableHttpClientTransport<reqwest::Client>, Failure> {
    let invalid = |what: &str| Failure::new("invalid_args", format!("`{what}` can't be a header or its value"));
    let values = launch::values(headers.values(), reach.files)?;
    let mut custom = HashMap::new();
    for (header, variable) in headers {
        let name = HeaderName::try_from(header).map_err(|_| invalid(header))?;
        let mut value = HeaderValue::try_from(&values[variable]).map_err(|_| invalid(variable))?;
        value.set_sensitive(true);
        custom.insert(name, value);
    }
    // Where it leads on to is not what a person said yes to.
    let http =
        reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).connect_timeout(reach.limits.list);
    let http = http.build().map_err(|error| Failure::new("io", format!("cannot set up HTTP: {error}")))?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url).custom_headers(custom);
    config.max_sse_event_size = reach.limits.message;
    Ok(StreamableHttpClientTransport::with_client(http, config))
}

/// Keeps the last lines of what a program writes for people.
async fn listen(errors: impl AsyncRead + Unpin, seen: Arc<Mutex<Seen>>) {
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    // An error is the end too. A line without an end is taken in pieces.
    while let Ok(1..) = (&mut errors).take(LONGEST_LINE_SAID).read_until(b'\n', &mut line).await {
        let text = fit_line(&String::from_utf8_lossy(&line), LONGEST_SAID);
        line.clear();
        if text.is_empty() {
            continue;
        }
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.said.push_back(text);
        if seen.said.len() > MOST_SAID {
            seen.said.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_grow_and_end() {
        let rests: Vec<_> = (0..10).map(|failures| rest_after(failures).as_secs()).collect();
        assert_eq!(rests, [0, 0, 1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(rest_after(u32::MAX), LONGEST_REST);
    }

    #[tokio::test]
    async fn of_a_flood_of_lines_the_last_are_kept() {
        let seen = Arc::new(Mutex::new(Seen::default()));
        let flood = (0..1000).map(|line| format!("line {line}\n")).collect::<String>() + &"x".repeat(200_000);
        listen(flood.as_bytes(), seen.clone()).await;
        let said = &seen.lock().unwrap().said;
        assert_eq!(said.len(), MOST_SAID);
        assert!(said.iter().all(|line| line.chars().count() < LONGEST_SAID + 10));
    }
}
