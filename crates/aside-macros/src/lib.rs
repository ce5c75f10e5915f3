//! Macros that keep builds short: [`boxed`] entry points are compiled in their own crate, and [`derive@TS`] stands for
//! `ts-rs` in programs that generate no TypeScript.

use proc_macro::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{
    FnArg, ItemFn, Lifetime, ParenthesizedGenericArguments, ReturnType, TypeBareFn, TypeReference, parse_macro_input,
    parse_quote,
    visit_mut::{self, VisitMut},
};

/// Has an `async fn` return a boxed future: its body is then compiled in its own crate. Without it the body, and all that it
/// awaits, is compiled in each crate that calls it.
///
/// All references among the arguments get one lifetime. The future is `Send`.
#[proc_macro_attribute]
pub fn boxed(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut function = parse_macro_input!(item as ItemFn);
    let signature = &mut function.sig;
    signature.asyncness = None;
    signature.generics.params.insert(0, parse_quote!('boxed));
    for argument in &mut signature.inputs {
        name_lifetimes(argument);
    }
    let output = match &mut signature.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, output) => {
            Elided.visit_type_mut(output);
            output.to_token_stream()
        }
    };
    signature.output = parse_quote!(-> ::std::pin::Pin<::std::boxed::Box<
        dyn ::std::future::Future<Output = #output> + ::std::marker::Send + 'boxed
    >>);
    let body = &function.block;
    function.block = parse_quote!({ ::std::boxed::Box::pin(async move #body) });
    function.into_token_stream().into()
}

fn name_lifetimes(argument: &mut FnArg) {
    match argument {
        FnArg::Typed(argument) => Elided.visit_type_mut(&mut argument.ty),
        FnArg::Receiver(receiver) if receiver.colon_token.is_some() => Elided.visit_type_mut(&mut receiver.ty),
        FnArg::Receiver(receiver) => {
            if let Some((_, lifetime)) = &mut receiver.reference {
                lifetime.get_or_insert_with(named);
            }
        }
    }
}

fn named() -> Lifetime {
    parse_quote!('boxed)
}

/// Names the lifetimes that were left out of a type. Those of a function in it are that function's own.
struct Elided;

impl VisitMut for Elided {
    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        reference.lifetime.get_or_insert_with(named);
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = named();
        }
    }

    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut ParenthesizedGenericArguments) {}

    fn visit_type_bare_fn_mut(&mut self, _: &mut TypeBareFn) {}
}

/// Derives nothing, and accepts the attributes `#[ts(..)]`. The descriptions that `ts-rs` derives would be two thirds of
/// `aside-core`'s code.
#[proc_macro_derive(TS, attributes(ts))]
pub fn derive_nothing(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
