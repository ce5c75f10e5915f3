//! What changes in a file when something is changed in its notebook.

use aside_notebook::{Cell, CellKey, CellKind, Member, Notebook, NotebookError, Raw};

const PYTHON: &str = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "# T\u00e9st\n",
    "more"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "sum",
   "metadata": {
    "tags": []
   },
   "outputs": [
    {
     "data": {
      "application/json": 1.0
     },
     "execution_count": 3,
     "metadata": {},
     "output_type": "execute_result"
    }
   ],
   "source": [
    "1+1"
   ]
  }
 ],
 "metadata": {
  "language_info": {
   "name": "python"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;

fn read(text: &str) -> Notebook {
    Notebook::read(text.as_bytes()).expect("a notebook")
}

fn key(name: &str) -> CellKey {
    CellKey(name.into())
}

/// Changes a notebook and returns the lines that differ, `-` before and `+` after.
fn check(text: &str, change: impl FnOnce(&mut Notebook)) -> Vec<String> {
    let mut notebook = read(text);
    assert_eq!(notebook.write(), text, "written without a change");
    change(&mut notebook);
    let after = notebook.write();
    read(&after);
    differing(text, &after)
}

fn differing(before: &str, after: &str) -> Vec<String> {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.split('\n').collect(), after.split('\n').collect());
    let start = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let rest = before.len().min(after.len()) - start;
    let end = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let gone = before[start..before.len() - end].iter().map(|line| format!("-{}", line.trim()));
    gone.chain(after[start..after.len() - end].iter().map(|line| format!("+{}", line.trim()))).collect()
}

#[test]
fn a_changed_source_changes_its_lines_only() {
    let lines = check(PYTHON, |notebook| notebook.cells[0].set_source("# Tést\nless\n"));
    assert_eq!(lines, [r#"-"more""#, r#"+"less\n""#]);
    let lines = check(PYTHON, |notebook| notebook.cells[1].set_source(""));
    assert_eq!(lines, [r#"-"source": ["#, r#"-"1+1""#, "-]", r#"+"source": []"#]);
}

#[test]
fn a_source_that_was_one_string_stays_one() {
    let text =
        r#"{"nbformat": 4, "nbformat_minor": 2, "cells": [{"source": "a\nb", "cell_type": "raw", "metadata": {}}]}"#;
    let lines = check(text, |notebook| notebook.cells[0].set_source("c\n"));
    assert_eq!(lines[1], format!("+{}", text.replace(r"a\nb", r"c\n")));
}

#[test]
fn outputs_and_counts_change_in_place() {
    let lines = check(PYTHON, |notebook| {
        let cell = &mut notebook.cells[1];
        assert_eq!(cell.execution_count(), Some(3));
        assert_eq!(cell.outputs().len(), 1);
        cell.set("execution_count", Raw::parse("4").unwrap());
    });
    assert_eq!(lines, [r#"-"execution_count": 3,"#, r#"+"execution_count": 4,"#]);
}

#[test]
fn cells_come_go_and_move_without_touching_the_others() {
    let lines = check(PYTHON, |notebook| {
        let mut cell = Cell::new(key("new"), &CellKind::Code, notebook.has_ids());
        cell.set_source("x = 1");
        notebook.cells.insert(1, cell);
    });
    let new = [
        "{",
        r#""cell_type": "code","#,
        r#""execution_count": null,"#,
        r#""id": "new","#,
        r#""metadata": {},"#,
        r#""outputs": [],"#,
        r#""source": ["#,
        r#""x = 1""#,
        "]",
        "},",
    ];
    let mut added: Vec<String> = new.iter().map(|line| format!("+{line}")).collect();
    // The lines `{` and `"cell_type": "code",` are also those of the next cell: the difference is shown two lines further down.
    added.rotate_left(2);
    assert_eq!(lines, added);

    check(PYTHON, |notebook| notebook.cells.clear());
    let mut moved = read(PYTHON);
    moved.cells.swap(0, 1);
    let there = moved.write();
    assert_ne!(there, PYTHON);
    let mut back = read(&there);
    back.cells.swap(0, 1);
    assert_eq!(back.write(), PYTHON);
}

#[test]
fn another_kind_takes_along_what_only_code_has() {
    let mut notebook = read(PYTHON);
    notebook.cells[1].set_kind(&CellKind::Markdown);
    let after = read(&notebook.write());
    assert_eq!(after.cells[1].kind(), CellKind::Markdown);
    assert!(after.cells[1].get("outputs").is_none() && after.cells[1].get("execution_count").is_none());
    assert_eq!(after.cells[1].get("metadata").unwrap().get("tags").unwrap().as_str(), "[]");
    notebook.cells[1].set_kind(&CellKind::Code);
    assert_eq!(read(&notebook.write()).cells[1].outputs().len(), 0);
}

#[test]
fn kinds_that_the_format_has_no_word_for_are_code_and_keep_what_they_put_out() {
    let mut notebook = read(PYTHON);
    let at = notebook.cells.iter().position(|cell| !cell.outputs().is_empty()).unwrap();
    let before = notebook.cells[at].outputs().len();
    for kind in [CellKind::Ai, CellKind::Sql] {
        notebook.cells[at].set_kind(&kind);
        let (written, named) = (notebook.write(), kind.name().to_owned());
        let after = read(&written);
        assert_eq!((after.cells[at].kind(), after.cells[at].outputs().len()), (kind, before));
        assert_eq!(after.cells[at].get("cell_type").unwrap().as_str(), r#""code""#);
        assert_eq!(after.write(), written);
        let ours = after.cells[at].get("metadata").unwrap().get("aside").unwrap();
        assert_eq!(ours.get("cell").unwrap().text(), Some(named));
    }
    notebook.cells[at].set_kind(&CellKind::Code);
    assert!(notebook.cells[at].get("metadata").unwrap().get("aside").is_none());
}

#[test]
fn foreign_layouts_marks_and_line_ends_stay() {
    let text = format!("\u{feff}{}", PYTHON.replace('\n', "\r\n").replace("\r\n ", "\r\n\t"));
    let mut notebook = read(&text);
    assert_eq!(notebook.write(), text);
    notebook.cells[1].set_source("1+1\n2");
    let expected = text.replace("\"1+1\"\r\n", "\"1+1\\n\",\r\n\t   \"2\"\r\n");
    assert_eq!(notebook.write(), expected);
}

/// Four spaces, then steps of one; metadata on one line, and cells each on a line of its own.
const LOOSE: &str = r##"{
    "nbformat": 4, "nbformat_minor": 5,
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}, "run": {"rate": 1.0, "eps": 1e-07, "path": "a\/b"}},
    "cells": [
     {
      "cell_type": "code",
      "id": "a",
      "metadata": {"tags": [ ]},
      "execution_count": 1,
      "outputs": [],
      "source": [
       "one\n",
       "two"
      ]
     },
     {"cell_type": "code", "id": "b", "metadata": {"collapsed": false}, "execution_count": 3, "source": ["# T\u00eft\n", "old"],
      "outputs": [{"output_type": "stream", "name": "stdout", "text": ["x\n", "y"]}]}
    ]
}"##;

#[test]
fn edited_array_keeps_its_own_layout() {
    let text = LOOSE;
    let lines = check(text, |notebook| notebook.cells[0].set_source("one\n2\nthree"));
    assert_eq!(lines, [r#"-"two""#, r#"+"2\n","#, r#"+"three""#]);
    let mut notebook = read(text);
    notebook.cells[0].set_source("one\n2\nthree");
    assert!(notebook.write().contains("\n       \"2\\n\",\n       \"three\"\n      ]"));
    let lines = check(text, |notebook| notebook.cells[1].set_source("# Tït\nnew\nmore"));
    assert_eq!(lines[1], format!("+{}", lines[0][1..].replace(r#""old""#, r#""new\n", "more""#)));
}

#[test]
fn run_changes_outputs_counts_and_language_only() {
    let text = LOOSE;
    let mut notebook = read(text);
    let info = r#"{"name":"python","version":"3"}"#;
    let metadata = notebook.get("metadata").unwrap().clone();
    let members =
        [metadata.members().unwrap(), vec![Member { name: "language_info".into(), value: Raw::parse(info).unwrap() }]];
    notebook.set("metadata", Raw::of_members(&members.concat()));
    let cell = &mut notebook.cells[1];
    cell.set("execution_count", Raw::parse("4").unwrap());
    cell.set("outputs", Raw::parse(r#"[{"name":"stdout","output_type":"stream","text":["x\n","z"]}]"#).unwrap());
    let expected = text
        .replace(r#""a\/b"}}"#, r#""a\/b"}, "language_info": {"name": "python", "version": "3"}}"#)
        .replace(r#""execution_count": 3"#, r#""execution_count": 4"#)
        .replace(r#""y"]"#, r#""z"]"#);
    assert_eq!(notebook.write(), expected);
}

#[test]
fn new_parts_are_laid_out_like_their_neighbours() {
    let mut notebook = read(LOOSE);
    let mut cell = Cell::new(key("new"), &CellKind::Markdown, true);
    cell.set_source("a\nb");
    notebook.cells.insert(1, cell);
    let outputs = r#"[{"data":{"text/plain":["1"]},"metadata":{},"output_type":"display_data"}]"#;
    notebook.cells[0].set("outputs", Raw::parse(outputs).unwrap());
    let written = notebook.write();
    let new = "\n     {\n      \"cell_type\": \"markdown\",\n      \"id\": \"new\",\n      \"metadata\": {},\n      \
        \"source\": [\n       \"a\\n\",\n       \"b\"\n      ]\n     },\n     {\"cell_type\"";
    assert!(written.contains(new), "{written}");
    assert!(written.contains("\"outputs\": [\n       {"), "{written}");
    notebook.cells.remove(1);
    notebook.cells[0].set("outputs", Raw::parse("[]").unwrap());
    assert_eq!(notebook.write(), LOOSE);
}

#[test]
fn what_is_odd_is_kept_and_said() {
    let text = r#"{"cells":[7,{"cell_type":"ai","id":"a","source":["?"]},{"cell_type":"code","id":"a"},{"id":"b"}],"nbformat":4,"nbformat_minor":9,"x":1e400}"#;
    let notebook = read(text);
    assert_eq!(notebook.write(), text);
    let said: Vec<String> = notebook
        .problems()
        .iter()
        .map(|problem| format!("{} {}: {}", problem.index, problem.key, problem.message))
        .collect();
    assert_eq!(
        said,
        [
            "0 cell-0: it is not a JSON object",
            "1 a: its type `ai` is unknown",
            "2 cell-2: its text (`source`) is missing or can't be read",
            "3 b: it has no type (`cell_type`)"
        ]
    );
    let keys: Vec<&str> = notebook.cells.iter().map(|cell| cell.key().0.as_str()).collect();
    assert_eq!(keys, ["cell-0", "a", "cell-2", "b"]);
}

#[test]
fn what_is_no_notebook_is_an_error_that_says_where() {
    let message = |bytes: &[u8]| Notebook::read(bytes).unwrap_err().to_string();
    assert_eq!(message(b"{\"cells\":[\n}"), "not a notebook: expected value at line 2 column 1");
    assert_eq!(message(b"ab\xff"), "not a notebook: byte 2 is not UTF-8");
    assert_eq!(message(b"[]"), "not a notebook: it is not a JSON object");
    assert_eq!(message(b"{\"nbformat\":4}"), "not a notebook: it has no `cells`");
    assert_eq!(message(b"{}"), "not a notebook: it has no `nbformat`");
    assert_eq!(Notebook::read(b"{\"nbformat\":5}").unwrap_err(), NotebookError::Version { major: 5 });
}

#[test]
fn format_3_is_read_and_written_as_format_4() {
    let text = r#"{"metadata":{"name":"x","a":1},"nbformat":3,"nbformat_minor":0,"worksheets":[{"cells":[
        {"cell_type":"heading","level":2,"source":["A\n","title"]},
        {"cell_type":"code","collapsed":true,"input":["1/0\n","2"],"language":"python","outputs":[
            {"output_type":"pyout","prompt_number":1,"text":["2\n","3"],"png":"aGk="},
            {"output_type":"pyerr","ename":"E","evalue":"v","traceback":["t"]},
            {"output_type":"stream","stream":"stderr","text":"a\nb"}],"prompt_number":1}]}]}"#;
    let notebook = read(text);
    assert_eq!(notebook.get("metadata").unwrap().as_str(), r#"{"a":1}"#);
    assert_eq!(notebook.cells[0].source(), "## A title");
    let code = &notebook.cells[1];
    assert_eq!((code.source().as_str(), code.execution_count()), ("1/0\n2", Some(1)));
    let outputs: Vec<String> = code.outputs().iter().map(|output| output.as_str().to_owned()).collect();
    assert_eq!(
        outputs,
        [
            r#"{"data":{"text/plain":["2\n","3"],"image/png":"aGk="},"metadata":{},"output_type":"execute_result","execution_count":1}"#,
            r#"{"ename":"E","evalue":"v","traceback":["t"],"output_type":"error"}"#,
            r#"{"name":"stderr","output_type":"stream","text":["a\n","b"]}"#
        ]
    );
    assert_eq!(notebook.write(), text, "nothing was changed");
    let mut changed = notebook.clone();
    changed.cells[0].set_source("## Another");
    let again = changed.write();
    assert!(again.contains("\"nbformat\": 4,") && read(&again).cells.len() == 2, "{again}");
}

#[test]
fn format_2_is_saved_as_format_4() {
    let text = r#"{"metadata":{"name":"x"},"nbformat":2,"worksheets":[{"cells":[
        {"cell_type":"html","source":"<b>a</b>"},
        {"cell_type":"code","collapsed":false,"input":"1/0","language":"python","outputs":[
            {"output_type":"pyerr","etype":"E","evalue":"v","traceback":["t"]},
            {"output_type":"stream","text":"a"}],"prompt_number":1}]}]}"#;
    let mut notebook = read(text);
    assert_eq!((notebook.older_format(), notebook.write().as_str()), (Some(2), text));
    let outputs: Vec<String> = notebook.cells[1].outputs().iter().map(|output| output.as_str().to_owned()).collect();
    assert_eq!(outputs[0], r#"{"evalue":"v","traceback":["t"],"ename":"E","output_type":"error"}"#);
    assert_eq!(outputs[1], r#"{"name":"stdout","output_type":"stream","text":["a"]}"#);
    notebook.cells[0].set_source("*a*");
    let again = read(&notebook.write());
    assert_eq!((again.older_format(), again.cells[0].source(), again.has_ids()), (None, "*a*".into(), true));
}

#[test]
fn format_1_is_read_by_its_cells() {
    let text = r#"{"cells":[{"cell_type":"text","text":"*a*"},{"cell_type":"code","code":"1/0","prompt_number":4}]}"#;
    let mut notebook = read(text);
    assert_eq!((notebook.older_format(), notebook.write().as_str()), (Some(1), text));
    let cells: Vec<_> = notebook.cells.iter().map(|cell| (cell.source(), cell.execution_count())).collect();
    assert_eq!(cells, [("*a*".to_owned(), None), ("1/0".to_owned(), Some(4))]);
    let upgraded = notebook.upgrade().unwrap();
    let written = notebook.write();
    assert!(written.contains("\"nbformat\": 4,") && notebook.older_format().is_none());
    notebook.take_back_upgrade(upgraded);
    assert_eq!((notebook.older_format(), notebook.write().as_str()), (Some(1), text));
    assert!(read(&written).upgrade().is_none() && read("").upgrade().is_none());
}

#[test]
fn a_new_notebook_is_written_as_python_writes_it() {
    let mut notebook = Notebook::new();
    let mut cell = Cell::new(key("a1"), &CellKind::Code, true);
    cell.set_source("print('é')\n\"q\"\t\x07");
    notebook.cells.push(cell);
    assert_eq!(
        notebook.write(),
        "{\n \"cells\": [\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": null,\n   \"id\": \"a1\",\n   \"metadata\": {},\n   \"outputs\": [],\n   \
         \"source\": [\n    \"print('é')\\n\",\n    \"\\\"q\\\"\\t\\u0007\"\n   ]\n  }\n ],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 5\n}\n"
    );
    assert_eq!(
        Notebook::new().write(),
        "{\n \"cells\": [],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 5\n}\n"
    );
}
