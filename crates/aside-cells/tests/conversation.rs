//! What a model is told of a notebook, message by message.

use aside_cells::{Reading, conversation, outputs};
use aside_core::{Id as _, StepStop, ThreadEventBody, Timestamp, ToolCall, TurnEnd, TurnId};
use aside_llm::Message;
use aside_notebook::{Cell, CellKey, Notebook};
use serde_json::{Value, json};

const TRUSTED: Reading<'_> = Reading { sees: true, calls: true, trusts: &|_| true };
const BLIND: Reading<'_> = Reading { sees: false, calls: true, trusts: &|_| true };

fn notebook(cells: &[Value]) -> Notebook {
    let file = json!({
        "cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5,
    });
    Notebook::read(file.to_string().as_bytes()).unwrap()
}

fn code(id: &str, source: &str, outputs: Value) -> Value {
    json!({"cell_type": "code", "id": id, "metadata": {}, "execution_count": null, "source": source, "outputs": outputs})
}

fn ai(id: &str, source: &str, outputs: Value) -> Value {
    let mut cell = code(id, source, outputs);
    cell["metadata"] = json!({"aside": {"cell": "ai"}});
    cell
}

fn told(cells: &[Value], at: &str) -> Vec<Message> {
    conversation(&notebook(cells), &CellKey(at.to_owned()), TRUSTED).said.into_iter().map(|said| said.message).collect()
}

fn user(message: &Message) -> &str {
    match message {
        Message::User { text, .. } => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn cells_above_are_messages_with_their_ids_and_what_is_hidden_leaves_no_trace() {
    let mut hidden = code("h", "secret", json!([]));
    hidden["metadata"] = json!({"aside": {"ai_hidden": true}});
    let mut seeds = ai("s", "secret", json!([{"output_type": "stream", "name": "stdout", "text": "secret"}]));
    seeds["metadata"]["aiContextVisible"] = json!(false);
    let markdown = json!({"cell_type": "markdown", "id": "m", "metadata": {}, "source": "# T"});
    let raw = json!({"cell_type": "raw", "id": "r", "metadata": {}, "source": "secret"});
    let mut sql = code("q", "select 1", json!([]));
    sql["metadata"] = json!({"aside": {"cell": "sql", "connection": "a.db", "result": "tides"}});
    let cells = [
        markdown,
        hidden,
        code("c", "x = '```'", json!([])),
        raw,
        sql,
        seeds,
        ai("a", "  why? ", json!([])),
        code("below", "secret", json!([])),
    ];
    let messages = told(&cells, "a");
    let texts: Vec<&str> = messages.iter().map(user).collect();
    assert_eq!(
        texts,
        [
            "Notebook markdown cell m:\n# T",
            "Notebook code cell c:\n```python\nx = '```'\n```",
            "Notebook sql cell q (on a.db, into tides):\n```sql\nselect 1\n```",
            "why?",
        ]
    );
}

#[test]
fn cells_below_are_told_where_they_are_wanted() {
    let mut hidden = code("h", "secret", json!([]));
    hidden["metadata"] = json!({"aside": {"ai_hidden": true}});
    let texts = |own: Value, notebook: Value| {
        let mut asking = ai("a", "why?", json!([]));
        asking["metadata"]["aside"]["ai_context"] = own;
        let cells = [code("c", "x", json!([])), asking, hidden.clone(), code("d", "y", json!([]))];
        let file = json!({
            "cells": cells, "nbformat": 4, "nbformat_minor": 5,
            "metadata": {"language_info": {"name": "python"}, "aside": {"ai_context": notebook}},
        });
        let notebook = Notebook::read(file.to_string().as_bytes()).unwrap();
        let said = conversation(&notebook, &CellKey("a".to_owned()), TRUSTED).said;
        said.iter().map(|said| user(&said.message).to_owned()).collect::<Vec<_>>()
    };
    let [above, below] = ["c:\n```python\nx", "d:\n```python\ny"].map(|cell| format!("Notebook code cell {cell}\n```"));
    let whole = [
        above.as_str(),
        "[Aside] The following cells stand below the cell that you answer in:",
        below.as_str(),
        "why?",
    ];
    for (own, notebook) in
        [(json!("notebook"), Value::Null), (json!("notebook"), json!("above")), (Value::Null, json!("notebook"))]
    {
        assert_eq!(texts(own, notebook), whole);
    }
    for (own, notebook) in [(Value::Null, Value::Null), (json!("above"), json!("notebook")), (json!(5), json!("other"))]
    {
        assert_eq!(texts(own, notebook), [above.as_str(), "why?"]);
    }
}

#[test]
fn outputs_are_data_one_fence_a_stream_with_the_last_line_of_an_error_and_images_for_eyes() {
    let outputs = json!([
        {"output_type": "stream", "name": "stdout", "text": ["a\u{1b}[31m\n"]},
        {"output_type": "stream", "name": "stdout", "text": ["b"]},
        {"output_type": "display_data", "metadata": {}, "data": {"text/plain": "p", "text/html": "<b>h</b>", "image/png": "AAAA"}},
        {"output_type": "display_data", "metadata": {}, "data": {"text/html": "<b>only</b> this"}},
        {"output_type": "display_data", "metadata": {}, "data": {"application/json": {"k": 1}}},
        {"output_type": "error", "ename": "E", "evalue": "why", "traceback": ["\u{1b}[0mframe\n".repeat(9000), "last"]},
    ]);
    let messages = told(&[code("c", "x", outputs), ai("a", "?", json!([]))], "a");
    let text = user(&messages[0]);
    assert!(text.contains("\n\nOutput:\n[Aside] The text between the two lines `=== data "), "{text}");
    assert!(text.contains("```\na\nb\n```\np\n**Visual Content:** image/png"), "{text}");
    assert!(!text.contains("only this"), "what follows the image follows it: {text}");
    let text = user(&messages[1]);
    assert!(text.starts_with("[Aside] This image is output 3 of cell c.\n\nOutput:\n"), "{text}");
    assert!(text.contains("\nonly this\n**Structured Data:**\n```json\n{\n  \"k\": 1\n}\n```"), "{text}");
    assert!(text.contains("`read_cell`, cellId c and output 6"), "numbered as stored: {text}");
    assert!(text.contains("last\nError: E: why\n```\n=== data "), "{text}");
    assert!(text.len() < 6000);
    let shown = |message: &Message| matches!(message, Message::User { images, .. } if images.len() == 1);
    assert!(!shown(&messages[0]) && shown(&messages[1]) && messages.len() == 3);
    let blind =
        conversation(&notebook(&[code("c", "x", json!([])), ai("a", "?", json!([]))]), &CellKey("a".into()), BLIND);
    assert!(blind.sources.is_empty(), "no output, nothing from outside");
}

#[test]
fn a_formula_is_text_and_what_a_model_can_t_be_shown_is_named_however_its_file_spells_it() {
    let display = |data: Value| json!([{"output_type": "display_data", "metadata": {}, "data": data}]);
    let said = |data: Value| {
        let messages = told(&[code("c", "x", display(data)), ai("a", "?", json!([]))], "a");
        let Message::User { text, images } = &messages[0] else { panic!("{messages:?}") };
        assert!(images.is_empty());
        let lines = text.split_once("\nOutput:\n").unwrap().1.lines();
        lines.filter(|line| !line.starts_with("===") && !line.starts_with('[')).collect::<Vec<_>>().join("\n")
    };
    let spelled = |svg: Value| said(json!({"image/svg+xml": svg}));
    assert_eq!(said(json!({"text/latex": "$x^2$", "text/plain": "<Math object>"})), "$x^2$");
    assert_eq!(spelled(json!("<svg>\n</svg>")), "**Not shown here:** image/svg+xml (12 bytes)");
    assert_eq!(spelled(json!("<svg>\n</svg>")), spelled(json!(["<svg>\n", "</svg>"])));
    let widget = json!({"model_id": "m", "version_major": 2});
    assert_eq!(
        said(json!({"application/vnd.jupyter.widget-view+json": widget, "text/plain": "IntSlider(value=1)"})),
        "IntSlider(value=1)\n**Not shown here:** application/vnd.jupyter.widget-view+json (34 bytes)"
    );
    assert_eq!(
        said(json!({"application/vnd.vegalite.v5+json": {"mark": "bar"}})),
        "**Not shown here:** application/vnd.vegalite.v5+json (14 bytes)"
    );
}

#[test]
fn a_long_stream_in_pieces_names_all_that_are_stored() {
    let line = |name: &str| json!({"output_type": "stream", "name": name, "text": ["x".repeat(3000)]});
    let outputs = json!([line("stderr"), line("stdout"), line("stdout"), line("stdout")]);
    let cells = [code("c", "x", outputs), ai("a", "?", json!([]))];
    let messages = told(&cells, "a");
    assert!(user(&messages[0]).contains("`read_cell`, cellId c and each output from 2 to 4"));
    let wordy = Reading { calls: false, ..TRUSTED };
    let said = conversation(&notebook(&cells), &CellKey("a".into()), wordy).said;
    let text = user(&said[0].message);
    assert!(text.contains("omitted here …") && !text.contains("read_cell"), "{text}");
}

fn call(id: &str, name: &str, args: Value) -> ToolCall {
    ToolCall { id: id.into(), name: name.into(), args, problem: None, from_text: false }
}

fn step(step: u32, text: &str, calls: Vec<ToolCall>, echo: Value) -> ThreadEventBody {
    ThreadEventBody::StepEnded {
        turn: TurnId::from_parts(Timestamp(1), 1),
        step,
        text: text.into(),
        thinking: String::new(),
        calls,
        usage: Default::default(),
        cost: Default::default(),
        stop: StepStop::ToolCalls,
        left_out: None,
        echo,
    }
}

fn log() -> Vec<ThreadEventBody> {
    let turn = TurnId::from_parts(Timestamp(1), 1);
    let refused = |step: u32, call: &str, text: &str| ThreadEventBody::Notice {
        turn: turn.clone(),
        step,
        call: Some(call.into()),
        text: text.into(),
    };
    let broken = ToolCall { problem: Some("ends early".into()), ..call("c3", "modify_cell", json!("{\"cell")) };
    vec![
        ThreadEventBody::TurnStarted {
            turn: turn.clone(),
            text: "why?".into(),
            focus: None,
            model: "fake/m".parse().unwrap(),
            by: "ada".into(),
            program: None,
            attached: vec![],
        },
        step(
            1,
            "Let me see.",
            vec![call("c1", "read_cell", json!({})), call("c2", "brew", json!({"z": 1.5}))],
            Value::Null,
        ),
        refused(1, "c1", "read_cell: cellId is required"),
        refused(1, "c2", "Unknown tool: brew"),
        step(
            2,
            "",
            vec![broken, call("c4", "read_cell", json!({"cellId": "x"}))],
            json!({"of": "fake/m", "content": ["sig"]}),
        ),
        refused(2, "c3", "Error parsing arguments: ends early"),
        ThreadEventBody::TurnEnded { turn, end: TurnEnd::Stopped, usage: Default::default(), cost: Default::default() },
    ]
}

#[test]
fn calls_made_together_are_one_message_and_each_has_a_result_whatever_became_of_it() {
    let messages = told(&[ai("a", "why?", json!(outputs(&log(), "")))], "a");
    let assistant = |message: &Message| match message {
        Message::Assistant { text, calls, echo } => (text.clone(), calls.len(), echo.clone()),
        other => panic!("{other:?}"),
    };
    let result = |message: &Message| match message {
        Message::ToolResult { call, text, failed, .. } => (call.clone(), text.clone(), *failed),
        other => panic!("{other:?}"),
    };
    assert_eq!(user(&messages[0]), "why?");
    assert_eq!(assistant(&messages[1]), ("Let me see.".to_owned(), 0, Value::Null));
    assert_eq!(assistant(&messages[2]), (String::new(), 2, Value::Null));
    assert_eq!(result(&messages[3]), ("c1".into(), "Error: read_cell: cellId is required".into(), true));
    assert_eq!(result(&messages[4]), ("c2".into(), "Error: Unknown tool: brew".into(), true));
    assert_eq!(assistant(&messages[5]).2["content"], json!(["sig"]));
    assert_eq!(result(&messages[6]), ("c3".into(), "Error: Error parsing arguments: ends early".into(), true));
    assert_eq!(result(&messages[7]).1, "Error: not carried out: the answer ended first");
    assert_eq!(messages.len(), 8);
    let Message::Assistant { calls, .. } = &messages[5] else { unreachable!() };
    assert_eq!(calls[0].args, json!({"raw_arguments": "{\"cell"}));
}

#[test]
fn what_a_provider_wants_back_goes_along_from_the_cell_itself_and_from_cells_that_are_trusted() {
    let mut log = log();
    log[4] =
        step(2, "And there.", vec![call("c3", "modify_cell", json!({}))], json!({"of": "fake/m", "content": ["sig"]}));
    let cells = [ai("a", "why?", json!(outputs(&log, ""))), ai("b", "and?", json!([]))];
    let told = |at: &str, trusted: &[&str]| {
        let trusts = |cell: &Cell| trusted.contains(&cell.key().0.as_str());
        let said =
            conversation(&notebook(&cells), &CellKey(at.into()), Reading { sees: true, calls: true, trusts: &trusts })
                .said;
        said.into_iter().map(|said| said.message).collect::<Vec<_>>()
    };
    let echoes = |messages: &[Message]| {
        messages.iter().filter(|message| matches!(message, Message::Assistant { echo, .. } if !echo.is_null())).count()
    };
    assert_eq!([("a", &[][..]), ("b", &[]), ("b", &["a"])].map(|(at, trusted)| echoes(&told(at, trusted))), [1, 0, 1]);
    let mut here = told("b", &["a"]);
    for message in &mut here {
        if let Message::Assistant { echo, .. } = message {
            *echo = Value::Null;
        }
    }
    assert_eq!(here, told("b", &[]), "without it, the messages are the same");
    let joined = |message: &Message| matches!(message, Message::Assistant { text, calls, .. } if text == "And there." && calls.len() == 1);
    assert!(here.iter().any(joined), "{here:#?}");
}

#[test]
fn what_calls_have_shown_follows_their_results_for_a_model_that_sees() {
    let result = |id: &str| {
        json!({"output_type": "display_data", "metadata": {"anode": {"role": "tool", "iteration": 1}},
            "data": {"application/vnd.anode.aitool.result+json": {"tool_call_id": id, "result": "ran", "status": "success"}}})
    };
    let made = |id: &str| {
        json!({"output_type": "display_data", "metadata": {"anode": {"role": "function_call", "iteration": 1}},
            "data": {"application/vnd.anode.aitool+json": {"tool_call_id": id, "tool_name": "execute_cell", "arguments": {}}}})
    };
    let image =
        json!({"output_type": "display_data", "metadata": {"anode": {"role": "image"}}, "data": {"image/png": "AAAA"}});
    let cells = [ai("a", "?", json!([made("1"), result("1"), image, made("2"), result("2")]))];
    let messages = told(&cells, "a");
    assert!(matches!(&messages[2], Message::ToolResult { call, .. } if call == "1"), "{messages:?}");
    assert!(matches!(&messages[3], Message::ToolResult { call, .. } if call == "2"), "{messages:?}");
    assert!(matches!(&messages[4], Message::User { images, .. } if images.len() == 1 && images[0].base64 == "AAAA"));
    let blind = conversation(&notebook(&cells), &CellKey("a".into()), BLIND);
    assert_eq!(blind.said.len(), 4);
}

#[test]
fn what_was_said_is_the_same_bytes_after_the_file_was_written_and_read_again() {
    let mut before =
        notebook(&[code("c", "x", json!([{"output_type": "stream", "name": "stdout", "text": ["1\n", "2"]}]))]);
    let mut cell = notebook(&[ai("a", "why?\n", json!(outputs(&log(), "")))]).cells.remove(0);
    cell.set_source("why?\nreally");
    before.cells.push(cell);
    let key = CellKey("a".into());
    let bytes = |notebook: &Notebook| {
        let messages: Vec<Message> =
            conversation(notebook, &key, TRUSTED).said.into_iter().map(|said| said.message).collect();
        serde_json::to_string(&messages).unwrap()
    };
    let after = Notebook::read(before.write().as_bytes()).unwrap();
    let canonical = Notebook::read(before.write_canonical().as_bytes()).unwrap();
    assert_eq!(bytes(&before), bytes(&after));
    assert_eq!(bytes(&before), bytes(&canonical));
}

#[test]
fn the_text_that_still_comes_is_one_output_that_grows() {
    let start = &log()[..1];
    assert_eq!(outputs(start, ""), Vec::<Value>::new());
    let growing = outputs(start, "Hel");
    assert_eq!(growing.len(), 1);
    assert_eq!(growing[0]["data"]["text/markdown"], "Hel");
    assert_eq!(
        growing[0]["metadata"]["anode"],
        json!({"role": "assistant", "ai_provider": "fake", "ai_model": "m", "iteration": 1})
    );
}

#[test]
fn of_very_many_images_the_last_ones_are_shown_and_the_others_named() {
    let image = json!({"output_type": "display_data", "metadata": {}, "data": {"image/png": "AAAA"}});
    let mut cells: Vec<Value> =
        (0..15).map(|at| code(&format!("c{at}"), "plot()", json!([image.clone(), image.clone()]))).collect();
    cells.push(ai("a", "why?", json!([])));
    let counts: Vec<usize> = told(&cells, "a")
        .iter()
        .map(|message| match message {
            Message::User { text, images } => {
                let is_image = text.starts_with("[Aside] This image");
                assert_eq!(is_image && images.is_empty(), text.contains("1 image of this is not shown"), "{text}");
                images.len()
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(counts, [vec![0; 3 * 5], [0, 1, 1].repeat(10), vec![0]].concat());
}

#[test]
fn of_a_very_large_notebook_what_is_far_above_is_left_out_with_how_it_is_read() {
    let much = |text: &str| json!([{"output_type": "stream", "name": "stdout", "text": text.repeat(3 << 20)}]);
    let cells = [
        code("far", "x", much("f")),
        ai("asked", "and this?", much("a")),
        code("near", "y", much("n")),
        ai("a", "why?", much("o")),
    ];
    let messages = told(&cells, "a");
    let texts: Vec<&str> = messages.iter().map(user).collect();
    assert!(texts[0].ends_with(
        "Its outputs are omitted here because the notebook is large; read them with `read_cell` and cellId far."
    ));
    assert_eq!(texts[1..3], ["and this?", "[Aside] The answer is omitted here because the notebook is large."]);
    assert!(texts[3].contains("nnn") && texts[3].len() < 6_000, "{}", texts[3].len());
    assert_eq!(texts[4..], ["why?"]);
}

#[test]
fn of_very_many_outputs_the_first_and_the_last_are_told() {
    let numbered = |many: usize| -> Vec<Value> {
        let output = |at| json!({"output_type": "display_data", "metadata": {}, "data": {"text/plain": format!("number {at}.")}});
        (1..=many).map(output).collect()
    };
    let said = |many: usize| {
        let messages = told(&[code("c", "x", json!(numbered(many))), ai("a", "?", json!([]))], "a");
        user(&messages[0]).to_owned()
    };
    assert!((1..=64).all(|at| said(64).contains(&format!("number {at}."))));
    let text = said(100);
    let left = "… 36 outputs are omitted here; read them with `read_cell`, cellId c and each output from 17 to 52 …";
    assert!(text.contains(&format!("number 16.\n{left}\nnumber 53.")), "{text}");
    assert!(text.contains("number 1.") && text.contains("number 100.") && !text.contains("number 17."), "{text}");
    let mixed = [numbered(99), vec![json!({"output_type": "error", "ename": "E", "evalue": "late", "traceback": []})]];
    let messages = told(&[code("c", "x", json!(mixed.concat())), ai("a", "?", json!([]))], "a");
    assert!(user(&messages[0]).contains("Error: E: late"));
}
