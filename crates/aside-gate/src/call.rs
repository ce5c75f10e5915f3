//! Calls a handler so that its panic is a failure of the action and of nothing else.

use std::panic::{AssertUnwindSafe, catch_unwind};

use aside_core::{Assessment, Effects, Failure, Preview};
use futures_util::{FutureExt as _, future::BoxFuture};
use serde_json::Value;

use crate::{ActionContext, Handler, Run};

pub(crate) async fn assess(
    handler: &dyn Handler,
    context: &ActionContext,
    args: &Value,
) -> Result<Assessment, Failure> {
    guarded(handler, || handler.assess(context, args)).await
}

pub(crate) async fn preview(handler: &dyn Handler, context: &ActionContext, args: &Value) -> Result<Preview, Failure> {
    guarded(handler, || handler.preview(context, args)).await
}

pub(crate) async fn effects(handler: &dyn Handler, context: &ActionContext, args: &Value) -> Result<Effects, Failure> {
    guarded(handler, || handler.effects(context, args)).await
}

pub(crate) async fn run(handler: &dyn Handler, context: &ActionContext, args: &Value) -> Result<Run, Failure> {
    guarded(handler, || handler.run(context, args)).await
}

pub(crate) async fn cut_off(
    handler: &dyn Handler,
    context: &ActionContext,
    args: &Value,
) -> Result<Option<Run>, Failure> {
    guarded(handler, || handler.cut_off(context, args)).await
}

pub(crate) fn parts(handler: &dyn Handler, args: &Value, preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
    catch_unwind(AssertUnwindSafe(|| handler.parts(args, preview, parts))).unwrap_or_else(|_| Err(panicked(handler)))
}

/// A handler's own state may be torn by a panic; what it keeps behind locks is its own to mend.
async fn guarded<'a, T>(
    handler: &dyn Handler,
    call: impl FnOnce() -> BoxFuture<'a, Result<T, Failure>>,
) -> Result<T, Failure> {
    let future = async move { call().await };
    AssertUnwindSafe(future).catch_unwind().await.unwrap_or_else(|_| Err(panicked(handler)))
}

fn panicked(handler: &dyn Handler) -> Failure {
    let name = &handler.descriptor().name;
    tracing::error!(action = %name, "the handler panicked");
    Failure::new("panicked", format!("{name} crashed: this is a bug in Aside, not in the request"))
        .hint("check the result before you try again, and report the bug")
}
