//! What a LaTeX text says of its own building: magic comments, packages, chapters. A scan, no TeX.

use super::Engine;

/// Magic comments are looked for in as many lines.
const MAGIC_LINES: usize = 20;

/// The text up to `\end{document}` without comments, line by line.
pub(super) fn code(text: &str) -> impl Iterator<Item = &str> {
    let end = text.find("\\end{document}").unwrap_or(text.len());
    text[..end].lines().map(uncommented)
}

fn uncommented(line: &str) -> &str {
    let comment = line.match_indices('%').find(|(at, _)| {
        let slashes = line[..*at].bytes().rev().take_while(|&byte| byte == b'\\').count();
        slashes % 2 == 0
    });
    comment.map_or(line, |(at, _)| &line[..at])
}

/// The value of `% !TEX key = value` at the head of a text.
pub(super) fn magic<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().take(MAGIC_LINES).find_map(|line| {
        let said = line.trim_start().strip_prefix('%')?.trim_start().strip_prefix('!')?.trim_start();
        let said = said.get(3..).filter(|_| said.get(..3).is_some_and(|tex| tex.eq_ignore_ascii_case("tex")))?;
        let (name, value) = said.split_once('=')?;
        let value = value.trim();
        (name.trim().eq_ignore_ascii_case(key) && !value.is_empty()).then_some(value)
    })
}

/// The arguments of each use of a command: what is in brackets, and what is in braces.
pub(super) fn uses<'a>(text: &'a str, command: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    code(text).flat_map(move |line| {
        line.match_indices(command).filter_map(move |(at, _)| {
            let rest = line[at + command.len()..].trim_start_matches('*');
            let (options, rest) = match rest.strip_prefix('[') {
                Some(inner) => inner.split_once(']')?,
                None => ("", rest),
            };
            let (argument, _) = rest.trim_start().strip_prefix('{')?.split_once('}')?;
            Some((options, argument.trim()))
        })
    })
}

/// The files that are read without braces (`\input chapter`), or from a folder that is named first
/// (`\import{folder/}{chapter}`).
pub(super) fn other_inputs(text: &str) -> Vec<String> {
    const FROM_FOLDERS: [&str; 4] = ["\\import", "\\subimport", "\\includefrom", "\\subincludefrom"];
    let mut found = Vec::new();
    for line in code(text) {
        for (at, command) in line.match_indices("\\input") {
            let rest = &line[at + command.len()..];
            let name = rest.trim_start().split([' ', '\\', '{', '}']).next().unwrap_or_default();
            if rest.starts_with(char::is_whitespace) && !name.is_empty() {
                found.push(name.to_owned());
            }
        }
        for command in FROM_FOLDERS {
            for (at, _) in line.match_indices(command) {
                let rest = line[at + command.len()..].trim_start_matches('*');
                let Some((folder, rest)) = rest.strip_prefix('{').and_then(|rest| rest.split_once("}{")) else {
                    continue;
                };
                let Some((name, _)) = rest.split_once('}') else { continue };
                found.push(format!("{}/{}", folder.trim().trim_end_matches('/'), name.trim()));
            }
        }
    }
    found
}

/// The options of a package that is loaded.
pub(super) fn package<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let loaded = uses(text, "\\usepackage").chain(uses(text, "\\RequirePackage"));
    loaded.filter(|(_, names)| names.split(',').any(|one| one.trim() == name)).map(|(options, _)| options).next()
}

/// The engine that a document asks for.
pub(super) enum DocumentEngine {
    /// This one, and why.
    For(Engine, String),
    /// Any does.
    Nothing,
}

/// Finds out which engine a document asks for.
pub(super) fn engine(text: &str) -> DocumentEngine {
    if let Some(program) = magic(text, "program").or_else(|| magic(text, "TS-program")) {
        match program.to_ascii_lowercase().as_str() {
            "pdflatex" | "latex" | "pdftex" => {
                return DocumentEngine::For(Engine::Pdflatex, format!("`% !TEX program = {program}`"));
            }
            "xelatex" | "xetex" => {
                return DocumentEngine::For(Engine::Xelatex, format!("`% !TEX program = {program}`"));
            }
            "lualatex" | "luatex" => {
                return DocumentEngine::For(Engine::Lualatex, format!("`% !TEX program = {program}`"));
            }
            _ => {}
        }
    }
    const LUA: [&str; 4] = ["luacode", "luatexja", "luamplib", "luatextra"];
    const UNICODE: [&str; 6] = ["fontspec", "unicode-math", "polyglossia", "xeCJK", "mathspec", "xltxtra"];
    let loaded = |names: &[&'static str]| names.iter().copied().find(|name| package(text, name).is_some());
    if let Some(name) = loaded(&LUA) {
        return DocumentEngine::For(Engine::Lualatex, format!("the package {name} needs it"));
    }
    if code(text).any(|line| line.contains("\\directlua")) {
        return DocumentEngine::For(Engine::Lualatex, "\\directlua needs it".to_owned());
    }
    match loaded(&UNICODE) {
        Some(name) => DocumentEngine::For(Engine::Xelatex, format!("the package {name} needs it, or LuaLaTeX")),
        None => DocumentEngine::Nothing,
    }
}

/// The folders of chapters: TeX writes a file beside each of them in the output folder, and makes no folders.
pub(super) fn folders(text: &str) -> Vec<String> {
    let mut found: Vec<String> = uses(text, "\\include")
        .filter_map(|(_, chapter)| chapter.rsplit_once('/').map(|(folder, _)| folder.to_owned()))
        .filter(|folder| !folder.starts_with('/') && !folder.split('/').any(|part| part == ".."))
        .collect();
    found.sort();
    found.dedup();
    found
}
