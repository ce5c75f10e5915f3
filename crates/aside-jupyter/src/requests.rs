//! Brings what a kernel says to whoever asked for it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{
        mpsc::{self, UnboundedReceiver, UnboundedSender},
        watch,
    },
    time::{Instant, timeout},
};

use crate::{
    KernelEnd, KernelError, KernelEvent,
    backlog::Backlog,
    channels::{Incoming, size},
    message::Key,
    receipts::Receipts,
};

/// How long the second half of an end (the reply, or that it is idle) may come after the first, while nothing else comes.
const SECOND_HALF: Duration = Duration::from_secs(10);
/// What is still on its way when a kernel is dead comes within this time.
const ON_ITS_WAY: Duration = Duration::from_millis(200);

/// What a kernel says on one request, from the start to the end. Dropped, the rest is not kept; the kernel goes on.
#[derive(Debug)]
pub struct Execution {
    id: String,
    events: UnboundedReceiver<Held>,
    unread: Arc<Unread>,
    number: u64,
    is_over: bool,
}

/// What a kernel says on no request of ours that still runs: late outputs, messages of widgets, its death.
#[derive(Debug)]
pub struct News {
    events: UnboundedReceiver<Held>,
    unread: Arc<Unread>,
    number: u64,
}

/// Something that nobody has taken yet.
#[derive(Debug)]
struct Held {
    about: Option<String>,
    event: Result<KernelEvent, KernelError>,
    bytes: usize,
    number: u64,
    /// The messages that are done with when this is taken.
    done: Vec<u64>,
    /// Nothing comes after it.
    is_last: bool,
}

/// What nobody has taken yet, in sum.
#[derive(Debug)]
pub(crate) struct Unread {
    pub backlog: Arc<Backlog>,
    receipts: Mutex<Receipts>,
}

/// The requests that are not at their end.
#[derive(Debug)]
pub(crate) struct Requests {
    /// None when the kernel is dead.
    asked: Mutex<Option<HashMap<String, Asked>>>,
    /// None when its death was told.
    news: Mutex<Option<UnboundedSender<Held>>>,
    pub unread: Arc<Unread>,
    /// The question for input that is not answered.
    question: Mutex<Option<u64>>,
    /// What was wrong with the first message that could not be read.
    lie: Mutex<Option<String>>,
}

#[derive(Debug)]
struct Asked {
    events: UnboundedSender<Held>,
    is_idle: Option<Instant>,
    replied: Option<Instant>,
    is_answered_here: bool,
    /// What has to be heard again after a restart, until it is at its end: the first half of the end, a question.
    open: Vec<u64>,
}

impl Unread {
    fn came(&self, number: u64, bytes: usize) {
        self.receipts().came(number);
        self.backlog.add(bytes);
    }

    fn taken(&self, held: &Held) {
        let mut receipts = self.receipts();
        held.done.iter().for_each(|number| receipts.taken(*number));
        drop(receipts);
        self.backlog.take(held.bytes);
    }

    fn receipts(&self) -> MutexGuard<'_, Receipts> {
        self.receipts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Execution {
    /// Returns the request's id, which news name when they come after its end.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns what comes next; none when the kernel has replied and is idle again.
    ///
    /// # Errors
    /// If the kernel died, or does not end what it began. Nothing comes after that.
    pub async fn next(&mut self) -> Option<Result<KernelEvent, KernelError>> {
        if self.is_over {
            return None;
        }
        let held = self.events.recv().await?;
        (self.number, self.is_over) = (held.number, held.is_last);
        self.unread.taken(&held);
        Some(held.event)
    }

    /// Returns the number of what came last: those of a kernel only grow, also over restarts. 0 without a relay.
    pub fn number(&self) -> u64 {
        self.number
    }
}

impl Drop for Execution {
    fn drop(&mut self) {
        drain(&mut self.events, &self.unread);
    }
}

impl News {
    /// Returns what comes next, with the id of the request that it came from; none after the kernel's death.
    ///
    /// # Errors
    /// If the kernel died, or says what can't be read.
    pub async fn next(&mut self) -> Option<(Option<String>, Result<KernelEvent, KernelError>)> {
        let held = self.events.recv().await?;
        self.number = held.number;
        self.unread.taken(&held);
        Some((held.about, held.event))
    }

    /// Returns the number of what came last, as [`Execution::number`].
    pub fn number(&self) -> u64 {
        self.number
    }
}

impl Drop for News {
    fn drop(&mut self) {
        drain(&mut self.events, &self.unread);
    }
}

fn drain(events: &mut UnboundedReceiver<Held>, unread: &Unread) {
    events.close();
    while let Ok(held) = events.try_recv() {
        unread.taken(&held);
    }
}

impl Held {
    /// Something that is not from the kernel.
    fn own(event: Result<KernelEvent, KernelError>, done: Vec<u64>) -> Self {
        Self { about: None, event, bytes: 0, number: 0, done, is_last: true }
    }
}

impl Requests {
    pub fn new(backlog: Arc<Backlog>) -> (Arc<Self>, News) {
        let (news, events) = mpsc::unbounded_channel();
        let asked = Mutex::new(Some(HashMap::new()));
        let unread = Arc::new(Unread { backlog, receipts: Mutex::default() });
        let (news, question, lie) = (Mutex::new(Some(news)), Mutex::default(), Mutex::default());
        (Arc::new(Self { asked, news, unread: unread.clone(), question, lie }), News { events, unread, number: 0 })
    }

    /// Listens for the answers to a request; none if the kernel is dead.
    pub fn listen(&self, id: &str) -> Option<Execution> {
        self.listen_again(id, true)
    }

    /// Listens for what is left of the answers to a request of a program before this one. Its reply may go elsewhere.
    pub fn listen_again(&self, id: &str, is_answered_here: bool) -> Option<Execution> {
        let (sender, events) = mpsc::unbounded_channel();
        let asked = Asked { events: sender, is_idle: None, replied: None, is_answered_here, open: Vec::new() };
        self.asked().as_mut()?.insert(id.to_owned(), asked);
        Some(Execution { id: id.to_owned(), events, unread: self.unread.clone(), number: 0, is_over: false })
    }

    /// The requests that are not at their end.
    pub fn open(&self) -> Vec<String> {
        self.asked().iter().flat_map(|all| all.keys().cloned()).collect()
    }

    /// The kernel is done with these, and their end was not heard.
    pub fn missed(&self, ids: &[String]) {
        let mut asked = self.asked();
        let Some(all) = asked.as_mut() else { return };
        for asked in ids.iter().filter_map(|id| all.remove(id)) {
            self.tell(&asked.events, Held::own(Err(KernelError::Missed), asked.open));
        }
    }

    /// The question for input is answered.
    pub fn answered(&self) {
        let question = self.question.lock().unwrap_or_else(PoisonError::into_inner).take();
        question.iter().for_each(|number| self.unread.receipts().taken(*number));
    }

    /// Everything that was taken is kept. Returns up to where the relay has to remember nothing, if that is news.
    pub fn kept(&self) -> Option<u64> {
        self.unread.receipts().kept()
    }

    /// What was wrong with the first message that could not be read.
    pub fn lie(&self) -> Option<String> {
        self.lie.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn asked(&self) -> MutexGuard<'_, Option<HashMap<String, Asked>>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bring(&self, key: &Key, incoming: &Incoming) {
        let Incoming { number, frames } = incoming;
        let bytes = size(frames);
        self.unread.came(*number, bytes);
        match key.read(frames) {
            Ok(mut message) => {
                let parent = message.parent.take();
                self.hand_on(parent, KernelEvent::of(message), *number, bytes);
            }
            Err(reason) => {
                self.lie.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason.clone());
                self.tell_news(None, Err(KernelError::Lies { reason }), *number, bytes);
            }
        }
    }

    fn hand_on(&self, parent: Option<String>, event: KernelEvent, number: u64, bytes: usize) {
        let mut asked = self.asked();
        let found = parent.as_ref().zip(asked.as_mut()).and_then(|(id, all)| all.get_mut(id));
        let Some(found) = found else {
            drop(asked);
            return self.tell_news(parent, Ok(event), number, bytes);
        };
        let (now, is_reply) = (Instant::now(), matches!(event, KernelEvent::Reply(_)));
        if event.is_idle() {
            found.is_idle.get_or_insert(now);
        }
        if is_reply {
            found.replied.get_or_insert(now);
        }
        let is_last = found.is_idle.is_some() && (found.replied.is_some() || !found.is_answered_here);
        let is_question = matches!(event, KernelEvent::AsksInput { .. });
        if is_question {
            *self.question.lock().unwrap_or_else(PoisonError::into_inner) = Some(number);
        }
        let mut done = vec![number];
        match is_last {
            true => done.append(&mut found.open),
            false if is_reply || is_question || event.is_idle() => found.open.append(&mut done),
            false => (),
        }
        self.tell(&found.events, Held { about: None, event: Ok(event), bytes, number, done, is_last });
        if let (true, Some(id), Some(all)) = (is_last, parent, asked.as_mut()) {
            all.remove(&id);
        }
    }

    fn tell_news(&self, about: Option<String>, event: Result<KernelEvent, KernelError>, number: u64, bytes: usize) {
        let held = Held { about, event, bytes, number, done: vec![number], is_last: false };
        match &*self.news.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(news) => self.tell(news, held),
            None => self.unread.taken(&held),
        }
    }

    /// What nobody listens for any more is not kept.
    fn tell(&self, to: &UnboundedSender<Held>, held: Held) {
        if let Err(unheard) = to.send(held) {
            self.unread.taken(&unheard.0);
        }
    }

    /// Ends the requests that are waited for in vain.
    fn give_up(&self, now: Instant) {
        let is_late = |since: Option<Instant>| since.is_some_and(|since| now - since >= SECOND_HALF);
        let mut asked = self.asked();
        let Some(all) = asked.as_mut() else { return };
        all.retain(|_, asked: &mut Asked| {
            let what = match (is_late(asked.is_idle), is_late(asked.replied)) {
                (true, _) => "reply after it was idle",
                (_, true) => "idle message after its reply",
                _ => return true,
            };
            let event = Err(KernelError::Deaf { what, waited: SECOND_HALF });
            self.tell(&asked.events, Held::own(event, std::mem::take(&mut asked.open)));
            false
        });
    }

    fn end(&self, end: &KernelEnd) {
        let died = || Err(KernelError::Died(end.clone()));
        for asked in self.asked().take().into_iter().flat_map(HashMap::into_values) {
            self.tell(&asked.events, Held::own(died(), asked.open));
        }
        self.tell_news(None, died(), 0, 0);
        self.news.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// Brings everything that comes to whoever waits for it, until the kernel is dead.
pub(crate) async fn distribute(
    requests: Arc<Requests>,
    key: Key,
    mut inbox: UnboundedReceiver<Incoming>,
    mut ended: watch::Receiver<Option<KernelEnd>>,
) {
    let mut heard = Instant::now();
    loop {
        tokio::select! {
            biased;
            Some(incoming) = inbox.recv() => {
                requests.bring(&key, &incoming);
                heard = Instant::now();
            }
            _ = ended.wait_for(Option::is_some) => break,
            () = tokio::time::sleep_until(heard + SECOND_HALF) => {
                requests.give_up(Instant::now());
                heard = Instant::now();
            }
        }
    }
    while let Ok(Some(incoming)) = timeout(ON_ITS_WAY, inbox.recv()).await {
        requests.bring(&key, &incoming);
    }
    let end = ended.borrow().clone().unwrap_or_default();
    requests.end(&end);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests() -> (Arc<Requests>, News) {
        Requests::new(Arc::new(Backlog::new(None, usize::MAX)))
    }

    fn idle() -> KernelEvent {
        KernelEvent::Status("idle".to_owned())
    }

    async fn rest(mut execution: Execution) -> Vec<String> {
        let mut events = Vec::new();
        while let Some(event) = execution.next().await {
            events.push(event.map_or_else(|error| error.to_string(), |event| format!("{event:?}")));
        }
        events
    }

    #[tokio::test]
    async fn half_an_end_is_an_error_when_nothing_else_comes() {
        let (requests, _news) = requests();
        let execution = requests.listen("a").unwrap();
        requests.hand_on(Some("a".to_owned()), idle(), 1, 1);
        requests.give_up(Instant::now());
        assert!(requests.asked().as_ref().unwrap().contains_key("a"), "not yet");
        requests.give_up(Instant::now() + SECOND_HALF);
        let events = rest(execution).await;
        assert_eq!(events[1], "the kernel does not answer: no reply after it was idle within 10 s");
    }

    #[tokio::test]
    async fn what_has_to_be_heard_again_after_a_restart_is_not_kept_before_the_end() {
        let (requests, _news) = requests();
        let mut execution = requests.listen("a").unwrap();
        let mut say = async |number, event| {
            requests.unread.came(number, 1);
            requests.hand_on(Some("a".to_owned()), event, number, 1);
            execution.next().await.unwrap().unwrap();
            requests.kept()
        };
        let text = || KernelEvent::Stream { name: "stdout".into(), text: "x".into() };
        assert_eq!(say(1, text()).await, Some(1));
        assert_eq!(say(2, KernelEvent::AsksInput { prompt: String::new(), password: false }).await, None);
        assert_eq!(say(3, text()).await, None, "the question is asked again");
        requests.answered();
        assert_eq!(say(4, text()).await, Some(4));
        assert_eq!(say(5, idle()).await, None);
        assert_eq!(say(6, text()).await, None);
        let reply = crate::Reply { status: crate::ReplyStatus::Ok, count: None, content: String::new() };
        assert_eq!(say(7, KernelEvent::Reply(reply)).await, Some(7));
    }

    #[tokio::test]
    async fn what_comes_after_the_end_is_news() {
        let (requests, mut news) = requests();
        let execution = requests.listen("a").unwrap();
        let reply = crate::Reply { status: crate::ReplyStatus::Ok, count: None, content: String::new() };
        requests.hand_on(Some("a".to_owned()), KernelEvent::Reply(reply), 2, 1);
        requests.hand_on(Some("a".to_owned()), idle(), 1, 1);
        requests.hand_on(
            Some("a".to_owned()),
            KernelEvent::Stream { name: "stdout".into(), text: "late".into() },
            3,
            1,
        );
        assert_eq!(rest(execution).await.len(), 2);
        let (about, event) = news.next().await.unwrap();
        assert!(about.as_deref() == Some("a") && matches!(event, Ok(KernelEvent::Stream { .. })));
        requests.end(&KernelEnd::default());
        assert!(matches!(news.next().await, Some((None, Err(KernelError::Died(_))))));
        assert!(news.next().await.is_none() && requests.listen("b").is_none());
    }
}
