use aside_store::StoreOptions;

use super::*;

struct There {
    _folder: tempfile::TempDir,
    store: Arc<Store>,
    people: People,
    chats: Chats,
}

fn there() -> There {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
    let people = People::open(store.clone(), "ada", None).unwrap();
    let chats = Chats::new(store.clone(), people.clone());
    There { _folder: folder, store, people, chats }
}

impl There {
    fn ada(&self) -> Person {
        self.people.owner()
    }

    fn guest(&self, name: &str) -> Person {
        self.people.invite(name).unwrap()
    }

    fn say(&self, document: &str, by: &Person, text: &str) -> ChatMessage {
        // Each in its own time: what is tested here is no flood.
        for _ in 0..1000 {
            self.store.now();
        }
        self.chats.say(&path(document), author(by), text_of(text)).unwrap()
    }

    fn standing(&self, document: &str, person: &Person) -> ChatStanding {
        self.chats.page(&path(document), person, None, 10).unwrap().standing.unwrap()
    }
}

fn path(text: &str) -> WorkspacePath {
    text.parse().unwrap()
}

fn author(person: &Person) -> Author {
    Author { person: person.id.clone(), name: person.name.clone(), program: false }
}

fn text_of(text: &str) -> NewMessage {
    NewMessage { text: text.to_owned(), key: None }
}

#[test]
fn what_others_say_is_unread_until_it_is_read_and_ones_own_never_is() {
    let there = there();
    let (ada, ben) = (there.ada(), there.guest("Ben"));
    there.say("a.py", &ada, "one");
    let last = there.say("a.py", &ada, "look, @ben");
    let of = |person: &Person| {
        let standing = there.standing("a.py", person);
        (standing.unread, standing.mentions)
    };
    assert_eq!((of(&ada), of(&ben)), ((0, 0), (2, 1)));
    there.chats.read(&path("a.py"), &ben, &last.id).unwrap();
    assert_eq!(of(&ben), (0, 0));
    let first = there.chats.page(&path("a.py"), &ben, None, 10).unwrap().messages[0].id.clone();
    there.chats.read(&path("a.py"), &ben, &first).unwrap();
    assert_eq!(of(&ben), (0, 0), "nobody unreads");
    let cleo = there.guest("Cleo");
    assert_eq!(of(&cleo), (0, 0), "what was said before somebody came is no news to them");
}

#[test]
fn only_who_said_it_changes_it_and_a_deleted_message_leaves_a_mark_without_text() {
    let there = there();
    let (ada, ben) = (there.ada(), there.guest("Ben"));
    let said = there.say("a.py", &ada, "a secret plan");
    assert!(matches!(there.chats.edit(&said.id, &author(&ben), "x"), Err(ChatError::NotYours)));
    assert!(matches!(there.chats.delete(&said.id, &author(&ben)), Err(ChatError::NotYours)));
    let program = Author { program: true, ..author(&ada) };
    assert!(matches!(there.chats.delete(&said.id, &program), Err(ChatError::NotYours)), "nor a program of theirs");
    let edited = there.chats.edit(&said.id, &author(&ada), "a plan, @Ben").unwrap();
    assert!(edited.edited.is_some());
    assert_eq!(edited.mentions, [ben.id]);
    let deleted = there.chats.delete(&said.id, &author(&ada)).unwrap();
    assert_eq!((&*deleted.text, deleted.deleted.is_some()), ("", true));
    assert!(matches!(there.chats.edit(&said.id, &author(&ada), "again"), Err(ChatError::Deleted)));
    let log = there.store.read(said.chat.as_str(), 0).unwrap();
    assert!(log.iter().all(|entry| !entry.body.contains("plan")), "the log has no text");
    assert!(there.chats.search("plan", None).unwrap().is_empty());
}

#[test]
fn what_can_not_be_said_is_refused_with_its_reason() {
    let there = there();
    let say = |text: &str| there.chats.say(&path("a.py"), author(&there.ada()), text_of(text));
    assert!(matches!(say(" \n"), Err(ChatError::Empty)));
    assert!(matches!(say(&"x".repeat(10 << 20)), Err(ChatError::TooLong(_))));
    assert_eq!(say("a\u{202e}b\x1b[31m\tc\n<b>").unwrap().text, "a\\u{202e}b\\u{1b}[31m\tc\n<b>");
}

#[test]
fn a_flood_is_stopped() {
    let there = there();
    let say = || there.chats.say(&path("a.py"), author(&there.ada()), text_of("again"));
    let refused = (0..60).filter(|_| matches!(say(), Err(ChatError::TooFast))).count();
    assert!(refused >= 35, "{refused}");
}

#[test]
fn the_same_message_sent_twice_is_said_once() {
    let there = there();
    let new = || NewMessage { text: "hello".to_owned(), key: Some("k1".to_owned()) };
    let first = there.chats.say(&path("a.py"), author(&there.ada()), new()).unwrap();
    let again = there.chats.say(&path("a.py"), author(&there.ada()), new()).unwrap();
    assert_eq!(first, again);
    let ben = there.guest("Ben");
    assert_ne!(there.chats.say(&path("a.py"), author(&ben), new()).unwrap().id, first.id, "another's key is another");
}

#[test]
fn older_messages_come_by_page_and_what_was_missed_by_position() {
    let there = there();
    let ada = there.ada();
    for number in 1..=5 {
        there.say("a.py", &ada, &number.to_string());
    }
    let texts = |page: &Page| page.messages.iter().map(|message| message.text.clone()).collect::<Vec<_>>();
    let latest = there.chats.page(&path("a.py"), &ada, None, 2).unwrap();
    assert_eq!((texts(&latest), latest.more), (vec!["4".to_owned(), "5".to_owned()], true));
    let older = there.chats.page(&path("a.py"), &ada, Some(&latest.messages[0].id), 3).unwrap();
    assert_eq!((texts(&older), older.more), (vec!["1".to_owned(), "2".to_owned(), "3".to_owned()], false));
    there.say("a.py", &ada, "6");
    there.chats.edit(&older.messages[0].id, &author(&ada), "one").unwrap();
    let missed = there.chats.since(&path("a.py"), &ada, latest.seq).unwrap().unwrap();
    assert_eq!(texts(&missed), ["one", "6"]);
}

#[test]
fn a_chat_goes_along_with_its_file_and_is_there_after_a_restart() {
    let there = there();
    let ada = there.ada();
    there.say("old/a.py", &ada, "here");
    there.say("older.py", &ada, "elsewhere");
    there.chats.moved(&path("old"), &path("new")).unwrap();
    let again = Chats::new(there.store.clone(), there.people.clone());
    assert_eq!(again.page(&path("new/a.py"), &ada, None, 9).unwrap().messages[0].text, "here");
    assert!(again.of(&path("old/a.py")).unwrap().is_none());
    assert!(again.of(&path("older.py")).unwrap().is_some());
}

#[test]
fn search_finds_all_words_in_one_chat_or_in_all() {
    let there = there();
    let (ada, ben) = (there.ada(), there.guest("Ben"));
    there.say("a.py", &ada, "The Height is wrong");
    there.say("b.py", &ben, "the height is right");
    let found = |query: &str, document: Option<&str>| {
        let document = document.map(path);
        let found = there.chats.search(query, document.as_ref()).unwrap();
        found.into_iter().map(|found| found.chat.document.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(found("height IS", None), ["b.py", "a.py"]);
    assert_eq!(found("height", Some("a.py")), ["a.py"]);
    assert_eq!(found("ben height", None), ["b.py"]);
    assert!(found(" ", None).is_empty());
}
