//! A kernel that runs: what can be asked of it, and how it is interrupted and ended.

use std::{
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use aside_core::Timestamp;
use aside_macros::boxed;
use bytes::Bytes;
use rustix::process::Signal;
use serde_json::{Value, json, value::RawValue};
use tokio::{
    sync::watch,
    task::{JoinHandle, JoinSet},
    time::{Instant, timeout, timeout_at},
};
use zeromq::ZmqError;

use crate::{
    Execution, KernelEnd, KernelError, KernelEvent, KernelRecord, Reply,
    channels::Channels,
    connection::{Channel, Connection},
    launch::remove_files,
    message::Key,
    process::Group,
    relay::Link,
    requests::Requests,
};

/// How long an answer may take that a kernel gives at once when it is idle.
const ANSWER: Duration = Duration::from_secs(10);
/// How long a kernel may take to end, before it is told with more force.
const END: Duration = Duration::from_millis(2500);
/// The first wait for an answer of a kernel that is starting; each is twice the one before.
const FIRST: Duration = Duration::from_millis(150);

/// A kernel that runs. Clones are the same one. It goes on when all are dropped: [`Kernel::shut_down`] ends it.
#[derive(Clone)]
pub struct Kernel {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    record: KernelRecord,
    group: Group,
    connection: Connection,
    key: Key,
    session: String,
    way: Arc<Way>,
    requests: Arc<Requests>,
    ended: watch::Receiver<Option<KernelEnd>>,
    info: OnceLock<KernelInfo>,
    sent: AtomicU64,
    /// Dropped with the last handle, which ends the tasks.
    _tasks: JoinSet<()>,
    /// Goes on: a child is waited for, whether anybody asks or not.
    watching: Mutex<Option<JoinHandle<()>>>,
}

/// How it is spoken to.
pub(crate) enum Way {
    Direct(Channels),
    Relayed(Link),
}

/// What a kernel says of itself.
#[derive(Clone, Debug)]
pub struct KernelInfo {
    /// The version of the protocol, such as `5.3`.
    pub protocol: String,
    /// JSON: `language_info`, as notebooks keep it.
    pub language_info: String,
    /// Its greeting.
    pub banner: String,
}

/// Something to run.
#[derive(Clone, Debug)]
pub struct RunCode<'a> {
    /// The code.
    pub code: &'a str,
    /// It may ask for input: whoever sets this answers.
    pub may_ask: bool,
    /// What is waiting behind it is not begun if it fails.
    pub stop_on_error: bool,
}

impl Inner {
    #[expect(clippy::too_many_arguments, reason = "the parts of one thing, put together in one place")]
    pub fn new(
        record: KernelRecord,
        group: Group,
        connection: Connection,
        key: Key,
        session: String,
        way: Arc<Way>,
        requests: Arc<Requests>,
        ended: watch::Receiver<Option<KernelEnd>>,
        tasks: JoinSet<()>,
    ) -> Self {
        let (info, sent, watching) = (OnceLock::new(), AtomicU64::new(0), Mutex::default());
        Self { record, group, connection, key, session, way, requests, ended, info, sent, _tasks: tasks, watching }
    }
}

impl Kernel {
    pub(crate) fn new(inner: Inner) -> Self {
        Self { inner: Arc::new(inner) }
    }

    pub(crate) fn keep(&self, watching: JoinHandle<()>) {
        *self.inner.watching.lock().unwrap_or_else(PoisonError::into_inner) = Some(watching);
    }

    /// Returns what has to be kept so that it can be found again.
    pub fn record(&self) -> &KernelRecord {
        &self.inner.record
    }

    /// Returns what it says of itself; none of one that was found again.
    pub fn info(&self) -> Option<&KernelInfo> {
        self.inner.info.get()
    }

    /// Returns how it ended, if it did.
    pub fn end(&self) -> Option<KernelEnd> {
        self.inner.ended.borrow().clone()
    }

    /// Waits for its end.
    #[boxed]
    pub async fn ended(&self) -> KernelEnd {
        let mut ended = self.inner.ended.clone();
        let end = ended.wait_for(Option::is_some).await.ok().and_then(|end| end.clone());
        end.unwrap_or_default()
    }

    /// Runs code. What comes of it is to be taken; while nobody does, the kernel waits, and nothing is lost.
    ///
    /// # Errors
    /// If the kernel is dead.
    #[boxed]
    pub async fn run(&self, run: &RunCode<'_>) -> Result<Execution, KernelError> {
        self.run_as(self.new_request(), run).await
    }

    /// Returns the id of a request that is still to be made, so that it can be kept before the kernel has it.
    pub fn new_request(&self) -> String {
        format!("{}_{}", self.inner.session, self.inner.sent.fetch_add(1, Ordering::Relaxed))
    }

    /// Runs code as a request that [`Kernel::new_request`] named.
    ///
    /// # Errors
    /// If the kernel is dead.
    #[boxed]
    pub async fn run_as(&self, request: String, run: &RunCode<'_>) -> Result<Execution, KernelError> {
        let content = json!({
            "code": run.code, "silent": false, "store_history": true, "user_expressions": {},
            "allow_stdin": run.may_ask, "stop_on_error": run.stop_on_error,
        });
        self.send_as(request, Channel::Shell, "execute_request", &content).await
    }

    /// Says that everything that was taken of what it said is kept: it will not be told again after a restart.
    pub fn kept(&self) {
        if let (Some(upto), Way::Relayed(link)) = (self.inner.requests.kept(), &*self.inner.way) {
            link.keep(upto);
        }
    }

    /// Answers [`KernelEvent::AsksInput`].
    ///
    /// # Errors
    /// If the kernel is dead.
    #[boxed]
    pub async fn answer(&self, value: &str) -> Result<(), KernelError> {
        self.post(Channel::Input, &self.new_request(), "input_reply", &json!({ "value": value })).await?;
        self.inner.requests.answered();
        Ok(())
    }

    /// Asks how the code at a place, in code points, can go on; the reply's content as JSON.
    ///
    /// # Errors
    /// If the kernel is dead, or is busy for longer than is waited.
    #[boxed]
    pub async fn complete(&self, code: &str, at: usize) -> Result<Reply, KernelError> {
        let content = json!({ "code": code, "cursor_pos": at });
        self.ask(Channel::Shell, "complete_request", &content, "completions").await
    }

    /// Asks what stands at a place, in code points; the reply's content as JSON.
    ///
    /// # Errors
    /// If the kernel is dead, or is busy for longer than is waited.
    #[boxed]
    pub async fn inspect(&self, code: &str, at: usize, detail: u8) -> Result<Reply, KernelError> {
        let content = json!({ "code": code, "cursor_pos": at, "detail_level": detail });
        self.ask(Channel::Shell, "inspect_request", &content, "description").await
    }

    /// Asks whether code is complete; the reply's content as JSON.
    ///
    /// # Errors
    /// If the kernel is dead, or is busy for longer than is waited.
    #[boxed]
    pub async fn is_complete(&self, code: &str) -> Result<Reply, KernelError> {
        self.ask(Channel::Shell, "is_complete_request", &json!({ "code": code }), "answer to the completeness check")
            .await
    }

    /// Evaluates an expression beside what is run: nothing is counted, put out or remembered of it. Returns the reply's content
    /// as JSON, with the value as `user_expressions.asked`.
    ///
    /// # Errors
    /// If the kernel is dead, or is busy for longer than is waited.
    #[boxed]
    pub async fn evaluate(&self, expression: &str) -> Result<Reply, KernelError> {
        let content = json!({
            "code": "", "silent": true, "store_history": false, "user_expressions": { "asked": expression },
            "allow_stdin": false, "stop_on_error": false,
        });
        self.ask(Channel::Shell, "execute_request", &content, "value").await
    }

    /// Sends a message of a widget or of another part of the protocol, and returns what comes of it.
    ///
    /// # Errors
    /// If the kernel is dead.
    #[boxed]
    pub async fn tell(&self, kind: &str, content: &Value) -> Result<Execution, KernelError> {
        self.send(Channel::Shell, kind, content).await
    }

    /// Sends a message that is not answered, such as one of a widget, and returns its id: what comes of it is told as news.
    ///
    /// # Errors
    /// If the kernel is dead.
    #[boxed]
    pub async fn say(&self, kind: &str, content: &Value) -> Result<String, KernelError> {
        let id = self.new_request();
        self.post(Channel::Shell, &id, kind, content).await?;
        Ok(id)
    }

    /// The same with binary parts, whose places the content names.
    ///
    /// # Errors
    /// If the kernel is dead.
    #[boxed]
    pub async fn say_with(&self, kind: &str, content: &Value, buffers: Vec<Bytes>) -> Result<String, KernelError> {
        let id = self.new_request();
        self.post_with(Channel::Shell, &id, kind, &json!({}), content, buffers).await?;
        Ok(id)
    }

    /// Opens a comm with a part of the kernel that wants to know which version of its protocol is spoken.
    ///
    /// # Errors
    /// If the kernel is dead.
    #[boxed]
    pub async fn open_comm(&self, comm: &str, target: &str, version: &str) -> Result<String, KernelError> {
        let id = self.new_request();
        let content = json!({ "comm_id": comm, "target_name": target, "data": {} });
        self.post_with(Channel::Shell, &id, "comm_open", &json!({ "version": version }), &content, Vec::new()).await?;
        Ok(id)
    }

    /// Interrupts what runs. Whether it heeds that is seen in what runs.
    ///
    /// # Errors
    /// If it is interrupted by a message and does not answer it.
    #[boxed]
    pub async fn interrupt(&self) -> Result<(), KernelError> {
        if !self.inner.record.is_interrupted_by_message() {
            self.inner.group.signal(Signal::INT);
            return Ok(());
        }
        self.ask(Channel::Control, "interrupt_request", &json!({}), "answer to an interrupt").await.map(drop)
    }

    /// Tells whether it is stopped, because more of it waits to be taken than is kept.
    pub fn is_held_back(&self) -> bool {
        self.inner.requests.unread.backlog.is_stopped()
    }

    /// Ends it: it is told to, then told with more force, each after some seconds. All that it started goes with it.
    #[boxed]
    pub async fn shut_down(&self) -> KernelEnd {
        let group = self.inner.group;
        group.signal(Signal::CONT);
        let id = self.new_request();
        // If it can't be told, it is ended.
        let _ = self.post(Channel::Control, &id, "shutdown_request", &json!({ "restart": false })).await;
        for force in [Signal::TERM, Signal::KILL] {
            if timeout(END, self.ended()).await.is_ok() {
                break;
            }
            group.signal(force);
        }
        let end = self.ended().await;
        // What it started and left behind.
        group.signal(Signal::KILL);
        remove_files(&self.inner.record.connection_file, &self.inner.connection);
        end
    }

    /// Waits until it answers and is heard; none of an error if it just does not.
    pub(crate) async fn ready(&self, deadline: Instant) -> Result<(), Option<KernelError>> {
        let (mut wait, mut silent) = (FIRST, false);
        while Instant::now() < deadline {
            let mut asked = self.send(Channel::Shell, "kernel_info_request", &json!({})).await?;
            let end = deadline.min(Instant::now() + wait);
            match timeout_at(end, self.learn(&mut asked)).await {
                Ok(learned) => return learned.map_err(Some),
                Err(_) => silent = self.info().is_some(),
            }
            wait *= 2;
        }
        let reason = self.inner.requests.lie();
        let reason = reason.or(silent.then(|| "it answers, but its output does not arrive".to_owned()));
        Err(reason.map(|reason| KernelError::Lies { reason }))
    }

    /// Learns what it says of itself, and hears that it is idle.
    async fn learn(&self, asked: &mut Execution) -> Result<(), KernelError> {
        while let Some(event) = asked.next().await {
            if let KernelEvent::Reply(reply) = event? {
                let info = read_info(&reply.content)?;
                let _ = self.inner.info.set(info);
            }
        }
        Ok(())
    }

    async fn ask(
        &self,
        channel: Channel,
        kind: &str,
        content: &Value,
        what: &'static str,
    ) -> Result<Reply, KernelError> {
        let mut asked = self.send(channel, kind, content).await?;
        let answered = async {
            loop {
                match asked.next().await {
                    Some(Ok(KernelEvent::Reply(reply))) => return Ok(reply),
                    Some(Ok(_)) => (),
                    Some(Err(error)) => return Err(error),
                    None => return Err(KernelError::Deaf { what, waited: ANSWER }),
                }
            }
        };
        timeout(ANSWER, answered).await.unwrap_or(Err(KernelError::Deaf { what, waited: ANSWER }))
    }

    async fn send(&self, channel: Channel, kind: &str, content: &Value) -> Result<Execution, KernelError> {
        self.send_as(self.new_request(), channel, kind, content).await
    }

    async fn send_as(
        &self,
        id: String,
        channel: Channel,
        kind: &str,
        content: &Value,
    ) -> Result<Execution, KernelError> {
        let execution = self.inner.requests.listen(&id);
        let execution = execution.ok_or_else(|| KernelError::Died(self.end().unwrap_or_default()))?;
        self.post(channel, &id, kind, content).await?;
        Ok(execution)
    }

    async fn post(&self, channel: Channel, id: &str, kind: &str, content: &Value) -> Result<(), KernelError> {
        self.post_with(channel, id, kind, &json!({}), content, Vec::new()).await
    }

    async fn post_with(
        &self,
        channel: Channel,
        id: &str,
        kind: &str,
        metadata: &Value,
        content: &Value,
        buffers: Vec<Bytes>,
    ) -> Result<(), KernelError> {
        let inner = &self.inner;
        let (date, metadata, content) = (now().to_string(), metadata.to_string(), content.to_string());
        let mut frames = inner.key.write_with(id, &inner.session, &date, kind, &metadata, &content);
        // They come after what is signed.
        frames.extend(buffers);
        let sent = inner.way.send(channel, frames).await;
        sent.map_err(|_| self.end().map_or(KernelError::Gone, KernelError::Died))
    }
}

impl Way {
    async fn send(&self, channel: Channel, frames: Vec<Bytes>) -> Result<(), ZmqError> {
        match self {
            Self::Direct(channels) => channels.send(channel, frames).await,
            Self::Relayed(link) => {
                link.send(channel, frames);
                Ok(())
            }
        }
    }
}

/// Asks a kernel for a word that it gives when it is done with everything before it: what then has no end was not heard.
pub(crate) async fn look_for_missed(requests: &Requests, key: &Key, way: &Way, id: &str) {
    let before = requests.open();
    let Some(mut asked) = requests.listen(id) else { return };
    // To a kernel that is dead; that is told by other ways.
    let _ = way.send(Channel::Shell, key.write(id, id, &now().to_string(), "kernel_info_request", "{}")).await;
    while asked.next().await.is_some() {}
    requests.missed(&before);
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Kernel").field(&self.inner.record).finish()
    }
}

fn read_info(content: &str) -> Result<KernelInfo, KernelError> {
    #[derive(serde::Deserialize)]
    struct Said {
        #[serde(default)]
        protocol_version: String,
        #[serde(default)]
        language_info: Option<Box<RawValue>>,
        #[serde(default)]
        banner: String,
    }
    let lies = |reason: String| KernelError::Lies { reason };
    let said: Said =
        serde_json::from_str(content).map_err(|error| lies(format!("its description is invalid: {error}")))?;
    if !said.protocol_version.starts_with("5.") {
        let version: String = said.protocol_version.chars().take(20).collect();
        return Err(lies(format!("it uses protocol version `{version}`, not 5")));
    }
    let language_info = said.language_info.map_or_else(|| "{}".to_owned(), |info| info.get().to_owned());
    Ok(KernelInfo { protocol: said.protocol_version, language_info, banner: said.banner })
}

/// Random letters, two a byte.
pub(crate) fn random(bytes: usize) -> String {
    let mut buffer = vec![0; bytes];
    getrandom::fill(&mut buffer).expect("the system gives random bytes");
    buffer.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn now() -> Timestamp {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(now.as_millis()).unwrap_or(i64::MAX))
}
