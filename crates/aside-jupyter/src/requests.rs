//! Brings what a kernel says to whoever asked for it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use tokio::{
    sync::{
        mpsc::{self, UnboundedReceiver, UnboundedSender},
        watch,
    },
    time::{Instant, timeout},
};

use crate::{KernelEnd, KernelError, KernelEvent, backlog::Backlog, channels::size, message::Key};

/// How long the second half of an end (the reply, or that it is idle) may come after the first, while nothing else comes.
const SECOND_HALF: Duration = Duration::from_secs(10);
/// What is still on its way when a kernel is dead comes within this time.
const ON_ITS_WAY: Duration = Duration::from_millis(200);

/// What a kernel says on one request, from the start to the end. Dropped, the rest is not kept; the kernel goes on.
#[derive(Debug)]
pub struct Execution {
    id: String,
    events: UnboundedReceiver<Held>,
    backlog: Arc<Backlog>,
}

/// What a kernel says on no request of ours that still runs: late outputs, messages of widgets, its death.
#[derive(Debug)]
pub struct News {
    events: UnboundedReceiver<Held>,
    backlog: Arc<Backlog>,
}

/// Something that nobody has taken yet.
#[derive(Debug)]
struct Held {
    about: Option<String>,
    event: Result<KernelEvent, KernelError>,
    bytes: usize,
}

/// The requests that are not at their end.
#[derive(Debug)]
pub(crate) struct Requests {
    /// None when the kernel is dead.
    asked: Mutex<Option<HashMap<String, Asked>>>,
    /// None when its death was told.
    news: Mutex<Option<UnboundedSender<Held>>>,
    pub backlog: Arc<Backlog>,
    /// What was wrong with the first message that could not be read.
    lie: Mutex<Option<String>>,
}

#[derive(Debug)]
struct Asked {
    events: UnboundedSender<Held>,
    is_idle: Option<Instant>,
    replied: Option<Instant>,
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
        let held = self.events.recv().await?;
        self.backlog.take(held.bytes);
        Some(held.event)
    }
}

impl Drop for Execution {
    fn drop(&mut self) {
        drain(&mut self.events, &self.backlog);
    }
}

impl News {
    /// Returns what comes next, with the id of the request that it came from; none after the kernel's death.
    ///
    /// # Errors
    /// If the kernel died, or says what can't be read.
    pub async fn next(&mut self) -> Option<(Option<String>, Result<KernelEvent, KernelError>)> {
        let held = self.events.recv().await?;
        self.backlog.take(held.bytes);
        Some((held.about, held.event))
    }
}

impl Drop for News {
    fn drop(&mut self) {
        drain(&mut self.events, &self.backlog);
    }
}

fn drain(events: &mut UnboundedReceiver<Held>, backlog: &Backlog) {
    events.close();
    while let Ok(held) = events.try_recv() {
        backlog.take(held.bytes);
    }
}

impl Requests {
    pub fn new(backlog: Arc<Backlog>) -> (Arc<Self>, News) {
        let (news, events) = mpsc::unbounded_channel();
        let asked = Mutex::new(Some(HashMap::new()));
        (
            Arc::new(Self { asked, news: Mutex::new(Some(news)), backlog: backlog.clone(), lie: Mutex::default() }),
            News { events, backlog },
        )
    }

    /// Listens for the answers to a request; none if the kernel is dead.
    pub fn listen(&self, id: &str) -> Option<Execution> {
        let (sender, events) = mpsc::unbounded_channel();
        let asked = Asked { events: sender, is_idle: None, replied: None };
        self.asked().as_mut()?.insert(id.to_owned(), asked);
        Some(Execution { id: id.to_owned(), events, backlog: self.backlog.clone() })
    }

    /// What was wrong with the first message that could not be read.
    pub fn lie(&self) -> Option<String> {
        self.lie.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn asked(&self) -> MutexGuard<'_, Option<HashMap<String, Asked>>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bring(&self, key: &Key, frames: &[Bytes]) {
        let bytes = size(frames);
        match key.read(frames) {
            Ok(mut message) => {
                let parent = message.parent.take();
                self.hand_on(parent, KernelEvent::of(message), bytes);
            }
            Err(reason) => {
                self.lie.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason.clone());
                self.tell_news(None, Err(KernelError::Lies { reason }), bytes);
            }
        }
    }

    fn hand_on(&self, parent: Option<String>, event: KernelEvent, bytes: usize) {
        let mut asked = self.asked();
        let found = parent.as_ref().zip(asked.as_mut()).and_then(|(id, all)| all.get_mut(id));
        let Some(found) = found else {
            drop(asked);
            return self.tell_news(parent, Ok(event), bytes);
        };
        let now = Instant::now();
        if event.is_idle() {
            found.is_idle.get_or_insert(now);
        }
        if matches!(event, KernelEvent::Reply(_)) {
            found.replied.get_or_insert(now);
        }
        let ends = found.is_idle.is_some() && found.replied.is_some();
        self.tell(&found.events, Held { about: None, event: Ok(event), bytes });
        if let (true, Some(id), Some(all)) = (ends, parent, asked.as_mut()) {
            all.remove(&id);
        }
    }

    fn tell_news(&self, about: Option<String>, event: Result<KernelEvent, KernelError>, bytes: usize) {
        match &*self.news.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(news) => self.tell(news, Held { about, event, bytes }),
            None => self.backlog.take(bytes),
        }
    }

    /// What nobody listens for any more is not kept.
    fn tell(&self, to: &UnboundedSender<Held>, held: Held) {
        let bytes = held.bytes;
        if to.send(held).is_err() {
            self.backlog.take(bytes);
        }
    }

    /// Ends the requests that are waited for in vain.
    fn give_up(&self, now: Instant) {
        let is_late = |since: Option<Instant>| since.is_some_and(|since| now - since >= SECOND_HALF);
        let mut asked = self.asked();
        let Some(all) = asked.as_mut() else { return };
        all.retain(|_, asked| {
            let what = match (is_late(asked.is_idle), is_late(asked.replied)) {
                (true, _) => "reply after it was idle",
                (_, true) => "word that it is idle after its reply",
                _ => return true,
            };
            let event = Err(KernelError::Deaf { what, waited: SECOND_HALF });
            self.tell(&asked.events, Held { about: None, event, bytes: 0 });
            false
        });
    }

    fn end(&self, end: &KernelEnd) {
        let died = || Err(KernelError::Died(end.clone()));
        for asked in self.asked().take().into_iter().flat_map(HashMap::into_values) {
            self.tell(&asked.events, Held { about: None, event: died(), bytes: 0 });
        }
        self.tell_news(None, died(), 0);
        self.news.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// Brings everything that comes to whoever waits for it, until the kernel is dead.
pub(crate) async fn distribute(
    requests: Arc<Requests>,
    key: Key,
    mut inbox: UnboundedReceiver<Vec<Bytes>>,
    mut ended: watch::Receiver<Option<KernelEnd>>,
) {
    let mut heard = Instant::now();
    loop {
        tokio::select! {
            biased;
            Some(frames) = inbox.recv() => {
                requests.bring(&key, &frames);
                heard = Instant::now();
            }
            _ = ended.wait_for(Option::is_some) => break,
            () = tokio::time::sleep_until(heard + SECOND_HALF) => {
                requests.give_up(Instant::now());
                heard = Instant::now();
            }
        }
    }
    while let Ok(Some(frames)) = timeout(ON_ITS_WAY, inbox.recv()).await {
        requests.bring(&key, &frames);
    }
    let end = ended.borrow().clone().unwrap_or_default();
    requests.end(&end);
}

#[cfg(test)]
mod tests {
    use rustix::process::{Pid, getpid};

    use super::*;
    use crate::process::Group;

    fn requests() -> (Arc<Requests>, News) {
        // Nothing here is large enough for a signal.
        Requests::new(Arc::new(Backlog::new(Group(Pid::from_raw(getpid().as_raw_nonzero().get()).unwrap()))))
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
        requests.hand_on(Some("a".to_owned()), idle(), 1);
        requests.give_up(Instant::now());
        assert!(requests.asked().as_ref().unwrap().contains_key("a"), "not yet");
        requests.give_up(Instant::now() + SECOND_HALF);
        let events = rest(execution).await;
        assert_eq!(events[1], "the kernel does not answer: no reply after it was idle within 10 s");
    }

    #[tokio::test]
    async fn what_comes_after_the_end_is_news() {
        let (requests, mut news) = requests();
        let execution = requests.listen("a").unwrap();
        let reply = crate::Reply { status: crate::ReplyStatus::Ok, count: None, content: String::new() };
        requests.hand_on(Some("a".to_owned()), KernelEvent::Reply(reply), 1);
        requests.hand_on(Some("a".to_owned()), idle(), 1);
        requests.hand_on(Some("a".to_owned()), KernelEvent::Stream { name: "stdout".into(), text: "late".into() }, 1);
        assert_eq!(rest(execution).await.len(), 2);
        let (about, event) = news.next().await.unwrap();
        assert!(about.as_deref() == Some("a") && matches!(event, Ok(KernelEvent::Stream { .. })));
        requests.end(&KernelEnd::default());
        assert!(matches!(news.next().await, Some((None, Err(KernelError::Died(_))))));
        assert!(news.next().await.is_none() && requests.listen("b").is_none());
    }
}
