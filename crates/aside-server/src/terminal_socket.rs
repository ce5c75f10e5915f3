//! The WebSocket of one window of a terminal: its output from a place on, what is typed, and sizes.
//!
//! One task owns all state of a window. What is to be sent goes through the [`Outbox`], so that a slow window can still
//! type; how much is on its way is for [`Flow`] to say, by what the window acknowledges.

use std::{sync::Arc, time::Instant};

use aside_core::{Failure, TerminalExit, TerminalId, TerminalSize};
use aside_protocol::{TerminalClientFrame, TerminalGone, TerminalServerFrame};
use aside_terminal::{Flow, FlowStep, FoundTerminal, Resume, Terminal, ViewerId, is_answer};
use axum::{
    extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade},
    response::Response,
};
use bytes::{BufMut as _, Bytes, BytesMut};
use futures_util::{StreamExt as _, stream::SplitStream};
use serde::Deserialize;

use crate::{
    access::Shown,
    app::App,
    connection::{Gone, Outbox, Rate, next, outbox, shut_out, size, write},
};

/// Bytes of one message of a window.
const MOST_MESSAGE: usize = 128 << 10;
/// Bytes of a socket's read buffer, which is cleared for every read: keys are small.
const READ_BUFFER: usize = 8 << 10;
/// Bytes of output with which a window goes on that was too slow.
const MOVED_ON: u64 = 512 << 10;
/// The code with which a socket closes whose terminal is not there.
const NOT_THERE: u16 = 4404;

/// The query of a socket.
#[derive(Debug, Deserialize)]
pub struct Attaching {
    /// The number of the first byte that the window has not had; none for all that is kept.
    from: Option<u64>,
    /// The columns of the window.
    cols: Option<u16>,
    /// Its rows.
    rows: Option<u16>,
}

/// Answers the upgrade.
pub fn upgrade(
    app: Arc<App>,
    shown: Shown,
    id: TerminalId,
    attaching: Attaching,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade
        .read_buffer_size(READ_BUFFER)
        .max_message_size(MOST_MESSAGE)
        .max_frame_size(MOST_MESSAGE)
        .on_upgrade(move |socket| attach(app, shown, id, attaching, socket))
}

/// Shows a terminal until either end goes away, or the browser is signed out.
async fn attach(app: Arc<App>, shown: Shown, id: TerminalId, attaching: Attaching, socket: WebSocket) {
    let (sink, stream) = socket.split();
    let (outbox, outgoing) = outbox();
    let mut writer = tokio::spawn(write(sink, outgoing));
    let shown_to_end = async {
        match app.terminals.find(&id) {
            FoundTerminal::Open(terminal) => {
                Window::new(&app, &id, terminal, &attaching, outbox).run(stream, &attaching).await
            }
            FoundTerminal::Closed => gone(&outbox, TerminalGone::Closed),
            FoundTerminal::Unknown => gone(&outbox, TerminalGone::ServerRestarted),
        }
    };
    tokio::select! {
        ended = shown_to_end => {
            tracing::debug!("a window of a terminal ended: {ended:?}");
            // A reader that is too slow would keep the rest waiting for ever.
            let _ = tokio::time::timeout(std::time::Duration::from_secs(1), &mut writer).await;
            writer.abort();
        }
        _ = &mut writer => {}
        () = shut_out(&app, &shown) => writer.abort(),
    }
}

/// Says that a terminal is not there, and closes.
fn gone(outbox: &Outbox, why: TerminalGone) -> Result<(), Gone> {
    let message = match why {
        TerminalGone::Closed => "This terminal was closed, and its programs have ended.",
        TerminalGone::ServerRestarted => {
            "Aside was restarted. Terminals end with it, so the programs in this one have ended."
        }
        TerminalGone::ServerEnds => "Aside is stopping. Terminals end with it, so the programs in this one end now.",
    };
    say(outbox, &TerminalServerFrame::Gone { why, message: message.to_owned() })?;
    outbox.send(Message::Close(Some(CloseFrame { code: NOT_THERE, reason: "the terminal is gone".into() })))
}

fn say(outbox: &Outbox, frame: &TerminalServerFrame) -> Result<(), Gone> {
    let text = serde_json::to_string(frame).expect("wire types serialise to JSON");
    outbox.send(Message::Text(text.into()))
}

/// One window of a terminal.
struct Window {
    app: Arc<App>,
    id: TerminalId,
    terminal: Arc<Terminal>,
    viewer: ViewerId,
    outbox: Outbox,
    flow: Flow,
    /// As the window knows it.
    size: TerminalSize,
    title: String,
    exit: Option<TerminalExit>,
    rate: Rate,
}

impl Drop for Window {
    fn drop(&mut self) {
        self.terminal.leave(self.viewer);
    }
}

impl Window {
    fn new(app: &Arc<App>, id: &TerminalId, terminal: Arc<Terminal>, attaching: &Attaching, outbox: Outbox) -> Self {
        let now = terminal.size();
        let size = TerminalSize::bounded(attaching.cols.unwrap_or(now.cols), attaching.rows.unwrap_or(now.rows));
        let viewer = terminal.come(size);
        Self {
            app: app.clone(),
            id: id.clone(),
            viewer,
            outbox,
            flow: Flow::begin(0, 0),
            size: terminal.size(),
            title: String::new(),
            exit: None,
            rate: Rate::new(Instant::now()),
            terminal,
        }
    }

    async fn run(mut self, mut stream: SplitStream<WebSocket>, attaching: &Attaching) -> Result<(), Gone> {
        let app = self.app.clone();
        let ended = app.ended();
        tokio::pin!(ended);
        let (mut changes, mut list) = (self.terminal.changes(), app.terminals.changes());
        self.begin(attaching.from)?;
        let mut pause = tokio::time::Instant::now();
        loop {
            self.send_output()?;
            self.send_state()?;
            tokio::select! {
                () = &mut ended => return gone(&self.outbox, TerminalGone::ServerEnds),
                message = next(&mut stream, pause) => {
                    let Some(message) = message else { return Ok(()) };
                    pause = tokio::time::Instant::now() + self.rate.take(size(&message), Instant::now());
                    self.take_in(message)?;
                }
                _ = changes.changed() => {}
                _ = list.changed() => {
                    if !matches!(app.terminals.find(&self.id), FoundTerminal::Open(_)) {
                        return gone(&self.outbox, TerminalGone::Closed);
                    }
                }
            }
        }
    }

    /// Begins where the window was, or at the oldest output that is kept.
    fn begin(&mut self, from: Option<u64>) -> Result<(), Gone> {
        let (oldest, end, resume) =
            self.terminal.output(|output| (output.oldest(), output.end(), output.resume(u64::MAX)));
        match from.filter(|from| (oldest..=end).contains(from)) {
            Some(from) => {
                let same = Resume { seq: from, restore: String::new(), mid_screen: false };
                self.start(same, end, false, 0)
            }
            None => {
                let omitted = resume.seq.saturating_sub(from.unwrap_or_default());
                self.start(resume, end, true, omitted)
            }
        }
    }

    /// Goes on at the newest output.
    fn move_on(&mut self, from: u64) -> Result<(), Gone> {
        let (end, resume) = self.terminal.output(|output| (output.end(), output.resume(MOVED_ON)));
        let omitted = resume.seq.saturating_sub(from);
        self.start(resume, end, true, omitted)
    }

    fn start(&mut self, resume: Resume, replay_to: u64, reset: bool, omitted: u64) -> Result<(), Gone> {
        let Resume { seq, restore, mid_screen } = resume;
        self.flow = Flow::begin(seq, replay_to);
        self.size = self.terminal.size();
        say(&self.outbox, &TerminalServerFrame::Start { seq, replay_to, reset, restore, omitted, size: self.size })?;
        if mid_screen && self.terminal.exit().is_none() {
            self.terminal.redraw();
        }
        Ok(())
    }

    fn send_output(&mut self) -> Result<(), Gone> {
        loop {
            let (step, bytes) = self.terminal.output(|output| {
                let step = self.flow.next(output.oldest(), output.end());
                let FlowStep::Send { from, most } = step else { return (step, None) };
                (step, output.read(from, most))
            });
            match (step, bytes) {
                (FlowStep::Send { from, .. }, Some(bytes)) => {
                    self.flow.sent(from + bytes.len() as u64);
                    self.outbox.send(Message::Binary(numbered(from, &bytes)))?;
                }
                (FlowStep::Wait, _) => return Ok(()),
                (FlowStep::Send { from, .. }, None) | (FlowStep::MoveOn { from }, _) => self.move_on(from)?,
            }
        }
    }

    fn send_state(&mut self) -> Result<(), Gone> {
        let size = self.terminal.size();
        if size != self.size {
            self.size = size;
            say(&self.outbox, &TerminalServerFrame::Size { size })?;
        }
        let title = self.terminal.title();
        if title != self.title {
            self.title.clone_from(&title);
            say(&self.outbox, &TerminalServerFrame::Title { title })?;
        }
        let exit = self.terminal.exit().filter(|_| self.flow.has_sent(self.terminal.end()));
        if exit != self.exit {
            self.exit.clone_from(&exit);
            exit.map_or(Ok(()), |exit| say(&self.outbox, &TerminalServerFrame::Exit { exit }))?;
        }
        Ok(())
    }

    fn take_in(&mut self, message: Message) -> Result<(), Gone> {
        match message {
            Message::Binary(input) => self.type_in(&input),
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(TerminalClientFrame::Ack { seq }) => {
                    self.flow.acknowledge(seq);
                    Ok(())
                }
                Ok(TerminalClientFrame::Resize { cols, rows }) => {
                    self.terminal.resize(self.viewer, TerminalSize::bounded(cols, rows));
                    Ok(())
                }
                Err(error) => self.problem(Failure::new("bad_frame", format!("invalid frame: {error}"))),
            },
            Message::Ping(_) | Message::Pong(_) => Ok(()),
            Message::Close(_) => Err(Gone),
        }
    }

    fn type_in(&mut self, input: &Bytes) -> Result<(), Gone> {
        if is_answer(input) {
            if self.flow.is_replaying() || !self.terminal.leads(self.viewer) {
                return Ok(());
            }
        } else {
            self.terminal.typed_in(self.viewer);
        }
        match self.terminal.type_in(input.to_vec()) {
            Ok(()) => Ok(()),
            Err(error) => self.problem(error.failure()),
        }
    }

    fn problem(&self, failure: Failure) -> Result<(), Gone> {
        say(&self.outbox, &TerminalServerFrame::Problem { failure })
    }
}

/// Writes the frame of some output.
fn numbered(from: u64, output: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(8 + output.len());
    frame.put_u64(from);
    frame.extend_from_slice(output);
    frame.freeze()
}
