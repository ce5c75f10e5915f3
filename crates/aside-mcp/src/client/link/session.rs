//! A connection that was made, and how it is made: over a program's input and output, or over HTTP.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    net::{Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use aside_core::{Failure, McpLaunch, Switch};
use http::{HeaderName, HeaderValue};
use rmcp::{
    RoleClient,
    model::{CallToolRequestParams, CallToolResponse, CallToolResult, PaginatedRequestParams, ProtocolVersion, Tool},
    service::{
        ClientCacheConfig, ClientLifecycleMode, ClientServiceExt as _, Peer, RunningService,
        RunningServiceCancellationToken, ServiceError,
    },
    transport::{
        StreamableHttpClientTransport, async_rw::AsyncRwTransport,
        streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde_json::{Map, Value};

use super::{
    Reach,
    counted_http::CountedHttp,
    reason,
    said::{LONGEST_SAID, Said},
};
use crate::client::{
    bounded::{Bounded, Exceeded, TOO_LONG},
    launch,
    refuser::Refuser,
    servers::ClientLimits,
    words::fit_line,
};

/// Pages of a list of tools, and tools, that are read before it is given up.
const MOST_PAGES: usize = 50;
const MOST_TOLD: usize = 2000;
/// How often it is looked whether another machine may still be reached.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How long the last words of a program that could not be started are waited for.
const LAST_WORDS_WITHIN: Duration = Duration::from_secs(1);

/// A connection that was made. Dropping it ends the program.
pub(crate) struct Session {
    service: RunningService<RoleClient, Refuser>,
    exceeded: Exceeded,
    limits: ClientLimits,
    /// Ends it while it is on, if the server is on another machine.
    kept_off: Option<Switch>,
}

/// The tools that a server told.
#[derive(Debug, Default)]
pub(crate) struct ListedTools {
    pub(crate) tools: Vec<Tool>,
    /// How its list ends, if not as it should.
    pub(crate) problem: Option<String>,
}

impl ListedTools {
    /// Takes a page. What was on another page already is not told twice.
    fn add(&mut self, page: Vec<Tool>) {
        let new: Vec<Tool> = page.into_iter().filter(|tool| !self.tools.contains(tool)).collect();
        self.tools.extend(new);
    }
}

/// Why a request over a connection led to nothing.
#[derive(Debug)]
pub(crate) enum Lost {
    /// The connection is gone, so what became of the request is not known.
    Connection(Failure),
    /// The server said no, or did not answer in time; the connection is still there.
    Request(Failure),
}

impl Session {
    /// Makes a connection. What the program writes for people goes to `said`.
    pub(super) async fn open(reach: &Reach<'_>, said: &Said) -> Result<Self, String> {
        let exceeded = Exceeded::default();
        let refuser = Refuser { servers: reach.servers.clone(), server: reach.server.clone() };
        let both = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: Some(ProtocolVersion::V_2025_11_25),
        };
        let mut listening = None;
        let service = match reach.launch {
            McpLaunch::Program { .. } => {
                let line = launch::line(reach.server, reach.launch, reach.files).map_err(explained)?;
                let companion = line.start().await.map_err(|error| error.to_string())?;
                said.clear();
                listening = Some(tokio::spawn(said.clone().listen(companion.errors)));
                let output = Bounded::new(companion.output, reach.limits.message, exceeded.clone());
                let transport =
                    AsyncRwTransport::<RoleClient, _, _>::new(output, companion.input).with_max_line_length(usize::MAX);
                refuser.serve_with_lifecycle(transport, both).await
            }
            McpLaunch::Http { url, .. } if !launch::is_on_this_machine(url) && reach.local_only.is_on() => {
                return Err("Local only is on, and the server is remote".to_owned());
            }
            McpLaunch::Http { url, headers } => {
                let http = CountedHttp::new(http(url, reach).map_err(explained)?, exceeded.clone());
                let transport = http_transport(url, headers, http, reach).map_err(explained)?;
                refuser.serve_with_lifecycle(transport, both).await
            }
        };
        let service = match service {
            Ok(service) => service,
            Err(error) => {
                if let Some(listening) = listening {
                    // Its end may be heard before its words. One that does not end is not waited for.
                    let _ = tokio::time::timeout(LAST_WORDS_WITHIN, listening).await;
                }
                return Err(match exceeded.get() {
                    Some(what) => format!("it sent {what}"),
                    None => reason::of_start(&error),
                });
            }
        };
        // A list that is kept by us could hide that it changed.
        service.peer().set_response_cache_config(ClientCacheConfig::disabled()).await;
        let (peer, connection) = (service.peer().clone(), service.cancellation_token());
        tokio::spawn(end_when_exceeded(exceeded.clone(), peer, connection));
        let elsewhere = matches!(reach.launch, McpLaunch::Http { url, .. } if !launch::is_on_this_machine(url));
        let kept_off = elsewhere.then(|| reach.local_only.clone());
        if let Some(local_only) = kept_off.clone() {
            tokio::spawn(end_when_on(local_only, service.peer().clone(), service.cancellation_token()));
        }
        Ok(Self { service, exceeded, limits: reach.limits, kept_off })
    }

    pub(super) fn is_closed(&self) -> bool {
        self.service.peer().is_transport_closed()
    }

    /// Why it was ended, if it sent too many messages.
    pub(super) fn ended_for(&self) -> Option<String> {
        self.exceeded.get().filter(|what| **what != TOO_LONG).map(|what| format!("it was stopped: it sent {what}"))
    }

    /// Asks for all tools, page by page. The pages that were read count, whatever is wrong with the next.
    pub(crate) async fn tools(&self) -> Result<ListedTools, Lost> {
        let mut told = ListedTools::default();
        let read = self.in_time(self.limits.list, self.pages(&mut told)).await;
        match read {
            Ok(problem) => told.problem = problem.map(str::to_owned),
            Err(Lost::Request(failure)) if !told.tools.is_empty() => {
                told.problem = Some(format!("only the first pages of its list were read: {}", failure.message));
            }
            Err(lost) => return Err(lost),
        }
        Ok(told)
    }

    /// Reads all pages; returns what is wrong with how they end.
    async fn pages(&self, told: &mut ListedTools) -> Result<Option<&'static str>, Lost> {
        let (mut seen, mut cursor) = (BTreeSet::new(), None);
        for _ in 0..MOST_PAGES {
            let page = PaginatedRequestParams::default().with_cursor(cursor);
            let result = self.service.peer().list_tools(Some(page)).await.map_err(|error| self.lost(error))?;
            told.add(result.tools);
            if told.tools.len() > MOST_TOLD {
                told.tools.truncate(MOST_TOLD);
                return Ok(Some("its list of tools is too long, the rest is omitted"));
            }
            match result.next_cursor {
                None => return Ok(None),
                Some(next) if next.is_empty() => {
                    return Ok(Some("its list ends with an empty cursor, which was taken for its end"));
                }
                Some(next) if !seen.insert(next.clone()) => {
                    return Ok(Some("its list repeats a cursor, which was taken for its end"));
                }
                next => cursor = next,
            }
        }
        Ok(Some("its list of tools has too many pages, the rest is omitted"))
    }

    /// Calls a tool. When this is dropped, the server is told that nobody waits any more.
    pub(crate) async fn call(&self, tool: &str, args: &Map<String, Value>) -> Result<CallToolResult, Lost> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(args.clone());
        let call = async { self.service.peer().call_tool_once(params).await.map_err(|error| self.lost(error)) };
        match self.in_time(self.limits.call, call).await? {
            CallToolResponse::Complete(result) => Ok(result),
            CallToolResponse::InputRequired(_) => {
                let message = "it requested input, which Aside does not support for MCP servers";
                Err(Lost::Request(Failure::new("asks_back", message)))
            }
            _ => Err(Lost::Request(Failure::new("no_answer", "it answered without a result"))),
        }
    }

    /// What a server sent too much of can keep its connection from ending for long: nobody waits for that.
    async fn in_time<T>(&self, limit: Duration, work: impl Future<Output = Result<T, Lost>>) -> Result<T, Lost> {
        tokio::select! {
            biased;
            done = work => done,
            _ = self.exceeded.wait() => Err(self.lost(ServiceError::TransportClosed)),
            () = tokio::time::sleep(limit) => {
                let message =
                    format!("it did not answer within {} s; its effect until then is unknown", limit.as_secs());
                Err(Lost::Request(Failure::new("timeout", message)))
            }
        }
    }

    fn lost(&self, error: ServiceError) -> Lost {
        if let Some(ended) = self.ended_for() {
            return Lost::Connection(Failure::new("flooded", ended));
        }
        if self.kept_off.as_ref().is_some_and(Switch::is_on) {
            let message = "the server is remote, and was disconnected when Local only was turned on";
            return Lost::Connection(Failure::new("local_only", message));
        }
        if self.exceeded.get().is_some() {
            let message = format!("its answer was not read because it is larger than {} bytes", self.limits.message);
            return Lost::Connection(Failure::new("answer_too_long", message));
        }
        match error {
            ServiceError::McpError(error) => {
                let message = format!("its error: {}", fit_line(&error.message, LONGEST_SAID));
                Lost::Request(Failure::new("tool_error", message))
            }
            ServiceError::UnexpectedResponse => {
                Lost::Request(Failure::new("no_answer", "it answered without a result"))
            }
            other => {
                let message = format!("it ended during a request ({})", reason::of_request(&other));
                Lost::Connection(Failure::new("server_ended", message))
            }
        }
    }
}

/// Ends a connection to another machine, with all that is under way, when *Local only* is turned on.
async fn end_when_on(local_only: Switch, peer: Peer<RoleClient>, connection: RunningServiceCancellationToken) {
    let mut look = tokio::time::interval(LOOK_EVERY);
    while !peer.is_transport_closed() {
        look.tick().await;
        if local_only.is_on() {
            return connection.cancel();
        }
    }
}

fn explained(failure: Failure) -> String {
    match failure.hint {
        Some(hint) => format!("{}; {hint}", failure.message),
        None => failure.message,
    }
}

/// Ends a connection over which too much came.
async fn end_when_exceeded(exceeded: Exceeded, peer: Peer<RoleClient>, connection: RunningServiceCancellationToken) {
    let mut look = tokio::time::interval(LOOK_EVERY);
    loop {
        tokio::select! {
            _ = exceeded.wait() => return connection.cancel(),
            _ = look.tick() => if peer.is_transport_closed() { return },
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the caller has asked whether Local only is on, and ends this when it is"
)]
fn http(url: &str, reach: &Reach<'_>) -> Result<reqwest::Client, Failure> {
    // Where it leads on to is not what a person said yes to.
    let http =
        reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).connect_timeout(reach.limits.list);
    // Proxies are for the world outside.
    let here = [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))];
    let http = match launch::is_on_this_machine(url) {
        // Nobody is asked what that name means.
        true => http.no_proxy().resolve_to_addrs("localhost", &here),
        false => http,
    };
    http.build().map_err(|error| Failure::new("io", format!("cannot set up HTTP: {error}")))
}

fn http_transport(
    url: &str,
    headers: &BTreeMap<String, String>,
    http: CountedHttp,
    reach: &Reach<'_>,
) -> Result<StreamableHttpClientTransport<CountedHttp>, Failure> {
    let invalid = |what: &str| Failure::new("invalid_args", format!("`{what}` can't be a header or its value"));
    let values = launch::values(headers.values(), reach.files)?;
    let mut custom = HashMap::new();
    for (header, variable) in headers {
        let name = HeaderName::try_from(header).map_err(|_| invalid(header))?;
        let mut value = HeaderValue::try_from(&values[variable]).map_err(|_| invalid(variable))?;
        value.set_sensitive(true);
        custom.insert(name, value);
    }
    let mut config = StreamableHttpClientTransportConfig::with_uri(url).custom_headers(custom);
    config.max_sse_event_size = reach.limits.message;
    Ok(StreamableHttpClientTransport::with_client(http, config))
}
