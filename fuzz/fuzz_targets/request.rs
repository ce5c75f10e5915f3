//! Any bytes are a request or are refused; one that says what only the Gate may say is no request. What is one is taken in
//! with arguments that fit the action's schema, its target among them, or is refused with a reason.
#![cfg_attr(fuzzing, no_main)]

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, LazyLock},
};

use aside_core::{
    ActionName, ActionRequest, Assessment, Descriptor, EffectScope, Failure, GrantNeeded, Label, Place, Preview, Risk,
    Risks, UndoSupport,
};
use aside_fuzz::fuzz_target;
use aside_gate::{ActionContext, Catalog, Handler, Run};
use serde_json::{Value, json};

type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, Failure>> + Send + 'a>>;

/// An action that is only declared: nothing is run here.
struct Declared(Descriptor);

impl Handler for Declared {
    fn descriptor(&self) -> &Descriptor {
        &self.0
    }

    fn assess<'a>(&'a self, _: &'a ActionContext, _: &'a Value) -> Answer<'a, Assessment> {
        unreachable!("nothing is assessed here")
    }

    fn preview<'a>(&'a self, _: &'a ActionContext, _: &'a Value) -> Answer<'a, Preview> {
        unreachable!("nothing is shown here")
    }

    fn run<'a>(&'a self, _: &'a ActionContext, _: &'a Value) -> Answer<'a, Run> {
        unreachable!("nothing is run here")
    }
}

fn declared(name: &str, args_schema: Value) -> Arc<dyn Handler> {
    let (name, risks): (ActionName, Risks) = (name.parse().expect("it is `noun.verb`"), [Risk::Write].into());
    Arc::new(Declared(Descriptor {
        grant_needed: GrantNeeded::of(&name, &risks),
        name,
        summary: "Change something".to_owned(),
        description: String::new(),
        args_schema,
        preconditions: Vec::new(),
        effect: EffectScope::Workspace,
        risks,
        places: vec![Place::Workspace],
        undo: UndoSupport::Inverse,
        examples: Vec::new(),
        phrases: vec!["change it".to_owned()],
        tags: Vec::new(),
        safety: Vec::new(),
        label: Label::Workspace,
    }))
}

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let edit = json!({ "type": "object", "additionalProperties": false, "required": ["old"],
        "properties": { "old": { "type": "string" }, "start": { "type": ["integer", "null"], "minimum": 1 } } });
    let edits = json!({ "type": "object", "additionalProperties": false, "required": ["path"],
        "properties": { "path": { "type": "string", "maxLength": 40 }, "edits": { "type": "array", "items": edit },
            "kind": { "enum": ["code", "markdown", null] } } });
    let nothing = json!({ "type": "object", "additionalProperties": false });
    Catalog::new([declared("doc.edit", edits), declared("doc.save", nothing)]).expect("the catalog is well declared")
});

fuzz_target!(|bytes: &[u8]| {
    let Ok(request) = serde_json::from_slice::<ActionRequest>(bytes) else { return };
    let value: Value = serde_json::from_slice(bytes).expect("what is a request is JSON");
    for reserved in ["risk_level", "requires_confirmation", "id", "hash"] {
        assert!(value.get(reserved).is_none(), "{value}");
    }
    let again = serde_json::to_vec(&request).expect("a request is JSON");
    assert_eq!(serde_json::from_slice::<ActionRequest>(&again).expect("it is still a request"), request);
    match CATALOG.taken_in(&request) {
        Ok(args) => {
            let fields = args.as_object().expect("arguments are an object");
            assert!(request.target.iter().all(|(name, value)| fields[name] == **value), "{args}");
            assert!(!["risk_level", "requires_confirmation"].iter().any(|name| fields.contains_key(*name)), "{args}");
            let plain = ActionRequest::new(request.action_type.clone(), args.clone());
            assert_eq!(CATALOG.taken_in(&plain), Ok(args), "with its target among the arguments it is the same");
        }
        Err(failure) => assert!(["unknown_action", "invalid_args"].contains(&&*failure.code), "{failure}"),
    }
});
