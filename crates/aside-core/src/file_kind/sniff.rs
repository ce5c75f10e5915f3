//! What the first bytes of a file say of its kind.

use super::FileKind;

/// Lines in which editors look for what a file tells them.
const TOLD_LINES: usize = 5;

/// Beginnings of files that are not text.
const MAGIC: &[(&[u8], FileKind)] = &[
    (b"%PDF-", FileKind::Pdf),
    (b"\x89PNG\r\n\x1a\n", FileKind::Image),
    (b"\xff\xd8\xff", FileKind::Image),
    (b"GIF87a", FileKind::Image),
    (b"GIF89a", FileKind::Image),
    (b"BM\x00", FileKind::Image),
    (b"\x00\x00\x01\x00", FileKind::Image),
    (b"ID3", FileKind::Audio),
    (b"fLaC", FileKind::Audio),
    (b"OggS", FileKind::Audio),
    (b"\x1a\x45\xdf\xa3", FileKind::Video),
    (b"PK\x03\x04", FileKind::Binary),
    (b"\x1f\x8b", FileKind::Binary),
    (b"\x7fELF", FileKind::Binary),
    (b"SQLite format 3\x00", FileKind::Binary),
];

/// Returns the kind of what is not text.
pub(super) fn magic(head: &[u8]) -> Option<FileKind> {
    let magic = MAGIC.iter().find(|(start, _)| head.starts_with(start)).map(|(_, kind)| *kind);
    magic.or_else(|| match (head.get(..4)?, head.get(4..8)?, head.get(8..12)?) {
        (b"RIFF", _, b"WEBP") | (_, b"ftyp", b"avif") => Some(FileKind::Image),
        (b"RIFF", _, b"WAVE") | (_, b"ftyp", b"M4A ") => Some(FileKind::Audio),
        (b"RIFF", _, b"AVI ") | (_, b"ftyp", _) => Some(FileKind::Video),
        _ => None,
    })
}

/// Returns the beginning as text, as far as it is UTF-8: it may end in the middle of a character.
pub(super) fn text_of(head: &[u8]) -> &str {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    };
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Reads `-*- mode: python -*-`, `-*- python -*-` and `vim: set ft=python :` in the first lines.
pub(super) fn told_to_editors(text: &str) -> Option<FileKind> {
    text.lines().take(TOLD_LINES).find_map(|line| emacs(line).or_else(|| vim(line)))
}

fn emacs(line: &str) -> Option<FileKind> {
    let told = line.split_once("-*-")?.1.split_once("-*-")?.0.trim();
    let mode = told.split(';').find_map(|pair| {
        let (key, value) = pair.split_once(':')?;
        key.trim().eq_ignore_ascii_case("mode").then_some(value.trim())
    });
    FileKind::of_program(mode.unwrap_or(told).trim_end_matches("-mode"))
}

fn vim(line: &str) -> Option<FileKind> {
    let at = ["vim:", "vi:", "ex:"].iter().find_map(|mark| line.find(mark).map(|at| at + mark.len()))?;
    let options = line[at..].split(|character: char| character.is_whitespace() || character == ':');
    let kind = options.filter_map(|option| option.strip_prefix("ft=").or(option.strip_prefix("filetype="))).next()?;
    FileKind::of_program(kind)
}

/// Reads a `#!` line: `#!/bin/sh`, `#!/usr/bin/env python3`, `#!/usr/bin/env -S uv run --quiet python`.
pub(super) fn run_by(text: &str) -> Option<FileKind> {
    let line = text.lines().next()?.strip_prefix("#!")?;
    let mut words = line.split_whitespace().filter(|word| !word.starts_with('-') && !word.contains('='));
    let first = words.next()?.rsplit('/').next()?;
    // `env` and what runs programs of a project name the program further on.
    let known = |word: &str| FileKind::of_program(word.rsplit('/').next().unwrap_or(word));
    known(first).or_else(|| words.find_map(known)).or(Some(FileKind::Shell))
}

/// Guesses by the first characters that count.
pub(super) fn looks_like(text: &str) -> Option<FileKind> {
    let start = text.trim_start();
    let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| has_prefix(start, beginning));
    if begins(&["<!doctype html", "<html"]) {
        Some(FileKind::Html)
    } else if begins(&["<?xml", "<svg", "<!doctype"]) {
        Some(FileKind::Xml)
    } else if begins(&["\\documentclass", "\\documentstyle", "\\begin{", "\\input{"]) {
        Some(FileKind::Tex)
    } else if begins(&["diff --git ", "--- a/"]) {
        Some(FileKind::Diff)
    } else if begins(&["<?php"]) {
        Some(FileKind::Php)
    } else if is_json(start) {
        Some(FileKind::Json)
    } else if begins(&["%yaml", "---\n"]) {
        Some(FileKind::Yaml)
    } else {
        None
    }
}

fn has_prefix(text: &str, beginning: &str) -> bool {
    text.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
}

/// `{"` and `[{` and their like: what else begins so is rare.
fn is_json(start: &str) -> bool {
    let mut characters = start.chars().filter(|character| !character.is_whitespace());
    match (characters.next(), characters.next()) {
        (Some('{'), Some(next)) => matches!(next, '"' | '}'),
        (Some('['), Some(next)) => matches!(next, '{' | '[' | '"' | ']' | '-' | '0'..='9'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_line_for_the_system_names_the_program_wherever_it_stands() {
        assert_eq!(run_by("#!/bin/sh\n"), Some(FileKind::Shell));
        assert_eq!(run_by("#! /usr/bin/env python3.12\n"), Some(FileKind::Python));
        assert_eq!(run_by("#!/usr/bin/env -S uv run --script\n"), Some(FileKind::Python));
        assert_eq!(run_by("#!/usr/bin/env -S A=1 deno run --allow-net\n"), Some(FileKind::TypeScript));
        assert_eq!(run_by("#!/usr/bin/Rscript --vanilla\n"), Some(FileKind::R));
        assert_eq!(run_by("#!/opt/unheard/of\n"), Some(FileKind::Shell));
        assert_eq!(run_by("# no such line\n"), None);
    }

    #[test]
    fn what_is_told_to_editors_is_read() {
        assert_eq!(told_to_editors("#!/x\n# -*- coding: utf-8; mode: Python -*-\n"), Some(FileKind::Python));
        assert_eq!(told_to_editors(";; -*- emacs-lisp -*-\n"), Some(FileKind::Lisp));
        assert_eq!(told_to_editors("# vim: set ts=4 ft=ruby :\n"), Some(FileKind::Ruby));
        assert_eq!(told_to_editors("% !TeX: nothing\n# -*- coding: utf-8 -*-\n"), None);
        assert_eq!(told_to_editors("1\n2\n3\n4\n5\n# vim: ft=ruby\n"), None);
    }

    #[test]
    fn what_is_in_it_is_guessed_last() {
        assert_eq!(looks_like("\n<?xml version='1.0'?>"), Some(FileKind::Xml));
        assert_eq!(looks_like("<!DOCTYPE HTML><p>"), Some(FileKind::Html));
        assert_eq!(looks_like("[1, 2]"), Some(FileKind::Json));
        assert_eq!(looks_like("[section]\na=1"), None);
        assert_eq!(looks_like("{ braces }"), None);
        assert_eq!(looks_like("\\documentclass{article}"), Some(FileKind::Tex));
    }

    #[test]
    fn bytes_that_are_no_text_are_known() {
        assert_eq!(magic(b"%PDF-1.7\n"), Some(FileKind::Pdf));
        assert_eq!(magic(b"RIFF\x10\x00\x00\x00WEBPVP8 "), Some(FileKind::Image));
        assert_eq!(magic("Füße".as_bytes()), None);
        assert_eq!(text_of(&"é".as_bytes()[..1]), "");
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_kind(name in ".{0,12}", head in prop::collection::vec(any::<u8>(), 0..200)) {
            FileKind::of_file(&name, &head);
        }
    }
}
