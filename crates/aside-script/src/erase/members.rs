//! Types of functions and classes that are not nodes of their own: modifiers, marks, `implements`, `this`, arrows over several lines.

use oxc::ast::ast::*;
use oxc::span::GetSpan;

use super::text::{Eraser, offset};

const MODIFIERS: [&str; 7] = ["public", "private", "protected", "readonly", "override", "abstract", "declare"];

/// Tells whether a member has no code: abstract members, overloads, declared fields, index signatures.
pub(super) fn erased(element: &ClassElement<'_>) -> bool {
    match element {
        ClassElement::TSIndexSignature(_) => true,
        ClassElement::MethodDefinition(method) => method.value.body.is_none(),
        ClassElement::PropertyDefinition(property) => {
            property.declare || property.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition
        }
        ClassElement::AccessorProperty(property) => property.r#type == AccessorPropertyType::TSAbstractAccessorProperty,
        ClassElement::StaticBlock(_) => false,
    }
}

/// Blanks the modifiers before a member's name, and the mark after it.
pub(super) fn modifiers(eraser: &mut Eraser<'_>, element: &ClassElement<'_>) {
    let (span, key, mark) = match element {
        ClassElement::MethodDefinition(method) => (method.span, method.key.span(), method.optional.then_some('?')),
        ClassElement::PropertyDefinition(property) => {
            let mark = if property.optional { Some('?') } else { property.definite.then_some('!') };
            (property.span, property.key.span(), mark)
        }
        ClassElement::AccessorProperty(property) => {
            (property.span, property.key.span(), property.definite.then_some('!'))
        }
        ClassElement::StaticBlock(_) | ClassElement::TSIndexSignature(_) => return,
    };
    if let Some(mark) = mark {
        eraser.blank_mark(mark, key.end, span.end);
    }
    let head = eraser.slice(span.start, key.start).to_owned();
    let mut first = true;
    for (place, word) in words(&head) {
        if !MODIFIERS.contains(&word) {
            first = false;
            continue;
        }
        let at = span.start + offset(place);
        eraser.blank(at, at + offset(word.len()));
        if first {
            // The line before must not go on with this one, as in `a = 1` and `[b] = 2`.
            eraser.put(at, b';');
        }
        first = false;
    }
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let begins = |place: usize| place == 0 || !text.as_bytes()[place - 1].is_ascii_alphanumeric();
    text.split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
        .filter(move |(place, _)| begins(*place))
}

/// Blanks `abstract` and `implements …`.
pub(super) fn class_head(eraser: &mut Eraser<'_>, class: &Class<'_>) {
    if class.r#abstract {
        eraser.blank_word("abstract", class.span.start, class.body.span.start);
    }
    let (Some(first), Some(last)) = (class.implements.first(), class.implements.last()) else { return };
    let head = eraser.slice(class.span.start, first.span.start);
    if let Some(place) = head.rfind("implements") {
        eraser.blank(class.span.start + offset(place), last.span.end);
    }
}

/// Blanks the parameter `this` and the comma after it.
pub(super) fn this_parameter(eraser: &mut Eraser<'_>, function: &Function<'_>) {
    let Some(this) = &function.this_param else { return };
    let next = function.params.items.first().map(|item| item.span.start);
    let next = next.or_else(|| function.params.rest.as_ref().map(|rest| rest.span.start));
    eraser.blank(this.span.start, this.span.end);
    eraser.blank_mark(',', this.span.end, next.unwrap_or(function.params.span.end));
}

/// Moves the parentheses of an arrow function to the line of its arrow, or of its first word, where types over several lines stood between them.
pub(super) fn arrow_over_lines(eraser: &mut Eraser<'_>, arrow: &ArrowFunctionExpression<'_>) {
    if let Some(result) = &arrow.return_type {
        let close = arrow.params.span.end - 1;
        if eraser.has_line_end(close, result.span.end) && eraser.slice(close, close + 1) == ")" {
            eraser.put(close, b' ');
            eraser.put(result.span.end - 1, b')');
        }
    }
    if let Some(parameters) = &arrow.type_parameters {
        let open = arrow.params.span.start;
        if eraser.has_line_end(parameters.span.start, open) && eraser.slice(open, open + 1) == "(" {
            eraser.put(open, b' ');
            eraser.put(parameters.span.start, b'(');
        }
    }
}
