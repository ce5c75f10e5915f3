//! What stands in an AI cell as messages.

use aside_core::ToolCall;
use aside_llm::{Image, Message};
use serde_json::{Value, json};

use super::text_in;

/// The outputs of an AI cell on their way to messages: calls that were made together are one message, and each has a
/// result.
#[derive(Default)]
pub(super) struct Answer {
    messages: Vec<Message>,
    calls: Vec<ToolCall>,
    echo: Value,
    iteration: Value,
    results: Vec<(String, String, bool)>,
    /// What the results show.
    pub images: Vec<Image>,
    keeps_echo: bool,
    /// A text, until it is known whether the calls after it are of the same message.
    open: Option<(String, Value)>,
}

impl Answer {
    /// Nothing yet. `keeps_echo`: what a provider wants back goes along.
    pub fn new(keeps_echo: bool) -> Self {
        Self { keeps_echo, ..Self::default() }
    }

    pub fn text(&mut self, output: &Value) {
        self.flush();
        let text = text_in(&output["data"]["text/markdown"]);
        if !text.is_empty() {
            self.open = Some((text, self.kept(echo_of(output))));
            self.iteration = output["metadata"]["anode"]["iteration"].clone();
        }
    }

    pub fn call(&mut self, output: &Value) {
        let said = &output["data"]["application/vnd.anode.aitool+json"];
        let (Some(id), Some(name)) = (said["tool_call_id"].as_str(), said["tool_name"].as_str()) else { return };
        let iteration = &output["metadata"]["anode"]["iteration"];
        let together = self.results.is_empty() || (!iteration.is_null() && *iteration == self.iteration);
        if !self.calls.is_empty() && (!together || self.calls.iter().any(|call| call.id == id)) {
            self.flush();
        }
        if self.calls.is_empty() {
            let echo = echo_of(output);
            self.iteration = iteration.clone();
            // What a provider wants back is of one message, the text and the calls; also where it can't be given back.
            if echo.is_null() {
                self.close();
            }
            self.echo = self.kept(echo);
        }
        let args = if said["arguments"].is_object() { said["arguments"].clone() } else { json!({}) };
        let (id, name) = (id.to_owned(), name.to_owned());
        self.calls.push(ToolCall { id, name, args, problem: None, from_text: false });
    }

    fn kept(&self, echo: &Value) -> Value {
        if self.keeps_echo { echo.clone() } else { Value::Null }
    }

    /// Takes a result; returns its text.
    pub fn result(&mut self, output: &Value) -> Option<String> {
        let said = &output["data"]["application/vnd.anode.aitool.result+json"];
        let id = said["tool_call_id"].as_str()?.to_owned();
        let text = said["result"].as_str().filter(|text| !text.is_empty()).unwrap_or("Success").to_owned();
        self.results.push((id, text.clone(), said["status"] == "error"));
        Some(text)
    }

    fn close(&mut self) {
        if let Some((text, echo)) = self.open.take() {
            self.messages.push(Message::Assistant { text, calls: Vec::new(), echo });
        }
    }

    fn flush(&mut self) {
        let (calls, results) = (std::mem::take(&mut self.calls), std::mem::take(&mut self.results));
        if calls.is_empty() {
            return self.close();
        }
        let text = self.open.take().map(|(text, _)| text).unwrap_or_default();
        self.messages.push(Message::Assistant { text, calls: calls.clone(), echo: self.echo.take() });
        for ToolCall { id, name, .. } in calls {
            let found = results.iter().find(|(of, ..)| *of == id);
            let (text, failed) = match found {
                Some((_, text, failed)) => (text.clone(), *failed),
                None => ("Error: not carried out: the answer ended first".to_owned(), true),
            };
            self.messages.push(Message::ToolResult { call: id, name, text, failed });
        }
        // No wire but one takes images in a result.
        let images = std::mem::take(&mut self.images);
        if !images.is_empty() {
            let text = "[Aside] Images from these calls, in this order:".to_owned();
            self.messages.push(Message::User { text, images });
        }
    }

    pub fn done(mut self) -> Vec<Message> {
        self.flush();
        self.messages
    }
}

fn echo_of(output: &Value) -> &Value {
    &output["metadata"]["aside"]["echo"]
}
