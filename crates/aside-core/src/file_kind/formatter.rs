//! Programs that format a text: it goes in at one end and comes out at the other.

/// One program. It reads the text from its standard input and writes the formatted one to its standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formatter {
    /// The program.
    pub program: &'static str,
    /// Its arguments; `{path}` stands for the file's path.
    pub args: &'static [&'static str],
    /// How it is got, as a person would type or look it up.
    pub install: &'static str,
}

const fn formatter(program: &'static str, args: &'static [&'static str], install: &'static str) -> Formatter {
    Formatter { program, args, install }
}

pub(super) const RUFF: Formatter =
    formatter("ruff", &["format", "--quiet", "--stdin-filename", "{path}", "-"], "pip install ruff");
pub(super) const BLACK: Formatter =
    formatter("black", &["--quiet", "--stdin-filename", "{path}", "-"], "pip install black");
pub(super) const RUSTFMT: Formatter =
    formatter("rustfmt", &["--quiet", "--edition", "2024", "--emit", "stdout"], "rustup component add rustfmt");
pub(super) const PRETTIER: Formatter =
    formatter("prettier", &["--stdin-filepath", "{path}"], "npm install --global prettier");
pub(super) const GOFMT: Formatter = formatter("gofmt", &[], "it comes with Go: https://go.dev/dl");
pub(super) const CLANG_FORMAT: Formatter =
    formatter("clang-format", &["--assume-filename={path}"], "pip install clang-format");
pub(super) const LATEXINDENT: Formatter = formatter(
    "latexindent",
    &["--silent", "--logfile=/dev/null", "-"],
    "it comes with TeX Live, in Debian as texlive-extra-utils",
);
pub(super) const SHFMT: Formatter = formatter("shfmt", &["--filename", "{path}", "-"], "apt install shfmt");
pub(super) const TAPLO: Formatter = formatter("taplo", &["format", "-"], "cargo install taplo-cli");
pub(super) const STYLUA: Formatter = formatter("stylua", &["-"], "cargo install stylua");
pub(super) const PG_FORMAT: Formatter = formatter("pg_format", &["-"], "apt install pgformatter");
pub(super) const XMLLINT: Formatter = formatter("xmllint", &["--nonet", "--format", "-"], "apt install libxml2-utils");
pub(super) const ORMOLU: Formatter = formatter("ormolu", &["--stdin-input-file", "{path}"], "cabal install ormolu");
pub(super) const OCAMLFORMAT: Formatter =
    formatter("ocamlformat", &["--name", "{path}", "-"], "opam install ocamlformat");
pub(super) const PERLTIDY: Formatter = formatter("perltidy", &["--standard-output"], "apt install perltidy");
pub(super) const CMAKE_FORMAT: Formatter = formatter("cmake-format", &["-"], "pip install cmakelang");
pub(super) const ZIG: Formatter = formatter("zig", &["fmt", "--stdin"], "https://ziglang.org/download");
pub(super) const TERRAFORM: Formatter =
    formatter("terraform", &["fmt", "-"], "https://developer.hashicorp.com/terraform/install");
pub(super) const NIXFMT: Formatter = formatter("nixfmt", &["-"], "nix profile install nixpkgs#nixfmt");
