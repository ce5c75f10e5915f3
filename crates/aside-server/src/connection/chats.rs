//! What one connection hears of people and their chats.

use std::sync::Arc;

use aside_core::Person;
use aside_people::{Chats, People, READ_NEWS, ReadNews};
use aside_protocol::ServerFrame;
use aside_store::{LogEntry, StoreError, Tail};
use tokio::sync::broadcast::error::RecvError;

use super::outbox::{Gone, Outbox};

/// The listener: the chats as one person stands in them.
pub struct Listener {
    chats: Arc<Chats>,
    people: People,
    person: Person,
    outbox: Outbox,
}

impl Listener {
    /// Listens for a person.
    pub fn new(chats: Arc<Chats>, people: People, person: Person, outbox: Outbox) -> Self {
        Self { chats, people, person, outbox }
    }

    /// Passes on what of the store's tail is about people and chats. Ends the connection of one who was sent away.
    pub fn hear(&self, heard: &Result<Tail, RecvError>) -> Result<(), Gone> {
        match heard {
            Ok(Tail::Entry(entry)) if People::is_news(&entry.stream) => self.people_changed(),
            Ok(Tail::Entry(entry)) => self.changed(entry),
            Ok(Tail::Live(live)) if *live.stream == *READ_NEWS => match serde_json::from_str::<ReadNews>(&live.body) {
                Ok(news) if news.person == self.person.id => {
                    self.outbox.say(&ServerFrame::ChatChanged { standing: news.standing, message: None, seq: None })
                }
                _ => Ok(()),
            },
            Err(RecvError::Lagged(_)) => {
                self.people_changed()?;
                self.outbox.say(&ServerFrame::ChatsMissed)
            }
            Ok(_) | Err(RecvError::Closed) => Ok(()),
        }
    }

    /// Says that somebody came or went.
    pub fn people_changed(&self) -> Result<(), Gone> {
        if !self.people.may_come(&self.person.id) {
            return Err(Gone);
        }
        self.outbox.say(&ServerFrame::PeopleChanged)
    }

    fn changed(&self, entry: &LogEntry) -> Result<(), Gone> {
        match self.news(entry) {
            Ok(Some(frame)) => self.outbox.say(&frame),
            Ok(None) => Ok(()),
            Err(error) => {
                tracing::warn!(%error, "cannot read a chat update");
                self.outbox.say(&ServerFrame::ChatsMissed)
            }
        }
    }

    fn news(&self, entry: &LogEntry) -> Result<Option<ServerFrame>, StoreError> {
        let news = self.chats.news(entry, &self.person)?;
        Ok(news.map(|(standing, message)| ServerFrame::ChatChanged {
            standing,
            message: message.map(Box::new),
            seq: Some(entry.seq),
        }))
    }
}
