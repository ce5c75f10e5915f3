//! The table of kinds: a line or two for each.

use crate::TS;
use serde::{Deserialize, Serialize};

use super::{FileEditor, FileFacts, FileIcon, Formatter, formatter::*};

/// Makes the enumeration and the table in one go, so that neither lacks what the other has.
macro_rules! kinds {
    ($($kind:ident $title:literal = $facts:expr;)+) => {
        /// A kind of file; for a text also the language it is in.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
        #[serde(rename_all = "lowercase")]
        pub enum FileKind {
            $(#[doc = $title] $kind,)+
        }

        impl FileKind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// What is to be known of it.
            pub const fn facts(self) -> &'static FileFacts {
                match self {
                    $(Self::$kind => const { &FileFacts { title: $title, ..$facts } },)+
                }
            }
        }
    };
}

const fn shown_by(editor: FileEditor, icon: FileIcon) -> FileFacts {
    FileFacts { title: "", editor, icon, wraps: false, endings: "", names: "", programs: "", formatters: &[] }
}

const fn code(endings: &'static str) -> FileFacts {
    shown_by(FileEditor::Text, FileIcon::Code).endings(endings)
}

const fn prose(endings: &'static str) -> FileFacts {
    FileFacts { wraps: true, ..shown_by(FileEditor::Text, FileIcon::Text).endings(endings) }
}

const fn data(endings: &'static str) -> FileFacts {
    shown_by(FileEditor::Text, FileIcon::Data).endings(endings)
}

const fn settings(endings: &'static str) -> FileFacts {
    shown_by(FileEditor::Text, FileIcon::Settings).endings(endings)
}

impl FileFacts {
    const fn endings(self, endings: &'static str) -> Self {
        Self { endings, ..self }
    }

    const fn names(self, names: &'static str) -> Self {
        Self { names, ..self }
    }

    const fn programs(self, programs: &'static str) -> Self {
        Self { programs, ..self }
    }

    const fn formatted_by(self, formatters: &'static [Formatter]) -> Self {
        Self { formatters, ..self }
    }
}

kinds! {
    Plain "Plain text" = prose("txt text log out err asc")
        .names("license* licence* copying readme authors contributors changelog todo news notice version install");
    Markdown "Markdown" = prose("md markdown mdown mkd mdx rmd qmd").programs("markdown md gfm").formatted_by(&[PRETTIER]);
    ReStructuredText "reStructuredText" = prose("rst rest").programs("rst");
    Org "Org" = prose("org").programs("org");
    Tex "LaTeX" = prose("tex ltx latex sty cls dtx ins rnw rtex snw tikz pgf bbx cbx def")
        .programs("tex latex plaintex").formatted_by(&[LATEXINDENT]);
    Bibtex "BibTeX" = data("bib bibtex").programs("bibtex bib");
    Typst "Typst" = prose("typ").programs("typst");
    Textile "Textile" = prose("textile");
    Troff "Troff" = prose("roff man mdoc").programs("nroff troff");
    AsciiDoc "AsciiDoc" = prose("adoc asciidoc").programs("asciidoc");

    Python "Python" = code("py pyi pyw pyx pxd py3 gyp ipy")
        .names("sconstruct sconscript wscript snakefile .pythonrc")
        .programs("python pypy ipython uv python-ts sage snakemake").formatted_by(&[RUFF, BLACK]);
    R "R" = code("r rprofile").names(".rprofile").programs("rscript r littler ess");
    Julia "Julia" = code("jl").programs("julia");
    Octave "MATLAB or Octave" = code("m octave").programs("octave matlab");
    Mathematica "Mathematica" = code("wl wls").programs("wolframscript mathematica");
    Sas "SAS" = code("sas").programs("sas");
    Fortran "Fortran" = code("f f77 f90 f95 f03 f08 for fpp").programs("fortran f90");
    C "C" = code("c h").programs("c").formatted_by(&[CLANG_FORMAT]);
    Cpp "C++" = code("cpp cc cxx hpp hh hxx c++ h++ ipp tpp ino cu cuh").programs("c++ cpp").formatted_by(&[CLANG_FORMAT]);
    ObjectiveC "Objective-C" = code("mm").programs("objc").formatted_by(&[CLANG_FORMAT]);
    Java "Java" = code("java").programs("java jbang").formatted_by(&[CLANG_FORMAT]);
    CSharp "C#" = code("cs csx").programs("csharp cs").formatted_by(&[CLANG_FORMAT]);
    Kotlin "Kotlin" = code("kt kts").programs("kotlin kotlinc");
    Scala "Scala" = code("scala sc sbt").programs("scala amm");
    Groovy "Groovy" = code("groovy gradle gvy").names("jenkinsfile*").programs("groovy");
    Dart "Dart" = code("dart").programs("dart");
    Rust "Rust" = code("rs").programs("rust rust-script").formatted_by(&[RUSTFMT]);
    Go "Go" = code("go").programs("go").formatted_by(&[GOFMT]);
    Zig "Zig" = code("zig zon").programs("zig").formatted_by(&[ZIG]);
    Swift "Swift" = code("swift").programs("swift");
    JavaScript "JavaScript" = code("js mjs cjs jsx es6").names("jakefile")
        .programs("node javascript js bun nodejs js2 rjsx").formatted_by(&[PRETTIER]);
    TypeScript "TypeScript" = code("ts mts cts").programs("deno tsx ts-node typescript").formatted_by(&[PRETTIER]);
    Tsx "TypeScript with JSX" = code("tsx").programs("typescriptreact").formatted_by(&[PRETTIER]);
    Vue "Vue" = code("vue svelte astro").programs("vue").formatted_by(&[PRETTIER]);
    Html "HTML" = FileFacts { editor: FileEditor::Page, ..code("html htm xhtml shtml") }.programs("html mhtml web").formatted_by(&[PRETTIER]);
    Jinja "Jinja" = code("jinja jinja2 j2 njk").programs("jinja2 jinja");
    Css "CSS" = code("css").programs("css").formatted_by(&[PRETTIER]);
    Sass "Sass" = code("sass").programs("sass");
    Scss "SCSS" = code("scss less").programs("scss less").formatted_by(&[PRETTIER]);
    Stylus "Stylus" = code("styl").programs("stylus");
    Pug "Pug" = code("pug jade").programs("pug");
    Php "PHP" = code("php phtml php5").programs("php");
    Ruby "Ruby" = code("rb rake gemspec ru podspec")
        .names("gemfile rakefile guardfile vagrantfile podfile fastfile brewfile .irbrc").programs("ruby jruby rake");
    Perl "Perl" = code("pl pm t pod").programs("perl cperl").formatted_by(&[PERLTIDY]);
    Lua "Lua" = code("lua luau rockspec").programs("lua luajit").formatted_by(&[STYLUA]);
    Tcl "Tcl" = code("tcl tk").programs("tclsh wish expect tcl");
    Haskell "Haskell" = code("hs lhs hsc").programs("runhaskell runghc stack haskell").formatted_by(&[ORMOLU]);
    OCaml "OCaml" = code("ml mli mll mly").programs("ocaml tuareg").formatted_by(&[OCAMLFORMAT]);
    FSharp "F#" = code("fs fsi fsx").programs("fsharp fsharpi");
    Elm "Elm" = code("elm").programs("elm");
    Erlang "Erlang" = code("erl hrl").names("rebar.config").programs("escript erlang");
    Elixir "Elixir" = code("ex exs").programs("elixir");
    Clojure "Clojure" = code("clj cljs cljc edn").programs("clojure clj bb");
    Lisp "Lisp" = code("lisp lsp cl el asd").names(".emacs").programs("sbcl clisp emacs lisp emacs-lisp common-lisp");
    Scheme "Scheme" = code("scm ss rkt sld").programs("guile racket scheme");
    Pascal "Pascal" = code("pas pp dpr lpr").programs("pascal instantfpc");
    D "D" = code("d di").programs("rdmd dmd");
    Crystal "Crystal" = code("cr").programs("crystal");
    Nim "Nim" = code("nim nims nimble").programs("nim");
    Vb "Visual Basic" = code("vb bas vbs").programs("vb");
    Cobol "COBOL" = code("cob cbl cpy").programs("cobol");
    Verilog "Verilog" = code("v vh sv svh").programs("verilog systemverilog");
    Vhdl "VHDL" = code("vhd vhdl").programs("vhdl");
    Assembly "Assembly" = code("s asm").programs("asm gas");
    WebAssembly "WebAssembly text" = code("wat wast").programs("wat");
    Sql "SQL" = code("sql psql ddl dml").programs("sql psql sqlite3").formatted_by(&[PG_FORMAT]);
    Sparql "SPARQL" = code("rq sparql").programs("sparql");
    Stan "Stan" = code("stan").programs("stan");
    Gherkin "Gherkin" = code("feature").programs("gherkin cucumber");
    Proto "Protocol Buffers" = code("proto").programs("proto protobuf").formatted_by(&[CLANG_FORMAT]);
    GraphQl "GraphQL" = code("graphql gql").programs("graphql").formatted_by(&[PRETTIER]);
    Diff "Diff" = code("diff patch rej").programs("diff");

    Shell "Shell" = FileFacts { icon: FileIcon::Shell, ..code("sh bash zsh ksh bats command envrc ebuild") }
        .names(".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zshenv .zprofile .zlogin .profile \
            .xinitrc .xprofile .envrc pkgbuild gradlew configure")
        .programs("sh bash zsh dash ksh ash busybox shell-script bats").formatted_by(&[SHFMT]);
    Fish "Fish" = FileFacts { icon: FileIcon::Shell, ..code("fish") }.programs("fish");
    PowerShell "PowerShell" = FileFacts { icon: FileIcon::Shell, ..code("ps1 psm1 psd1") }.programs("pwsh powershell");
    Batch "Batch" = FileFacts { icon: FileIcon::Shell, ..code("bat cmd") }.programs("dosbatch");
    Awk "Awk" = code("awk").programs("awk gawk mawk");
    Vim "Vim script" = settings("vim").names(".vimrc .gvimrc .exrc").programs("vim");

    Makefile "Makefile" = settings("mk mak make").names("makefile* gnumakefile bsdmakefile").programs("make gmake makefile");
    Cmake "CMake" = settings("cmake").names("cmakelists.txt").programs("cmake").formatted_by(&[CMAKE_FORMAT]);
    Dockerfile "Dockerfile" = settings("dockerfile containerfile").names("dockerfile* containerfile*").programs("dockerfile");
    Just "Justfile" = settings("just").names("justfile .justfile").programs("just");
    Meson "Meson" = settings("build").names("meson.build meson_options.txt").programs("meson");
    Starlark "Starlark" = settings("bzl star bazel").names("build workspace tiltfile").programs("bazel starlark");
    Nix "Nix" = settings("nix").programs("nix").formatted_by(&[NIXFMT]);
    Terraform "Terraform" = settings("tf tfvars hcl").programs("terraform hcl").formatted_by(&[TERRAFORM]);
    Puppet "Puppet" = settings("epp").names("puppetfile").programs("puppet");
    Nginx "nginx" = settings("nginx nginxconf").names("nginx.conf").programs("nginx");
    Yaml "YAML" = FileFacts { editor: FileEditor::Tree, ..settings("yaml yml") }.names(".clang-format .clang-tidy .clangd .prettierrc citation.cff")
        .programs("yaml yml").formatted_by(&[PRETTIER]);
    Toml "TOML" = FileFacts { editor: FileEditor::Tree, ..settings("toml") }.names("cargo.lock poetry.lock uv.lock pdm.lock pipfile").programs("toml").formatted_by(&[TAPLO]);
    Properties "Settings" = settings("ini cfg conf config properties cnf desktop service timer socket mount inf reg editorconfig")
        .names(".env .env.* .editorconfig .gitconfig .gitmodules .npmrc .netrc .pylintrc .flake8 .coveragerc .condarc \
            .latexmkrc latexmkrc .wgetrc .curlrc .inputrc .hgrc .tmux.conf .yarnrc .pypirc")
        .programs("conf dosini properties ini");
    Ignore "Patterns" = settings("gitignore dockerignore")
        .names(".gitignore .dockerignore .npmignore .ignore .prettierignore .eslintignore .gitattributes .gcloudignore \
            .hgignore .rgignore .helmignore codeowners .mailmap .git-blame-ignore-revs")
        .programs("gitignore");

    Json "JSON" = FileFacts { editor: FileEditor::Tree, ..data("json jsonl ndjson json5 jsonc geojson topojson webmanifest har map code-workspace avsc") }
        .names(".babelrc .eslintrc .jshintrc .watchmanconfig composer.lock pipfile.lock flake.lock deno.lock .swcrc")
        .programs("json jsonc").formatted_by(&[PRETTIER]);
    Xml "XML" = data("xml xsd xsl xslt rss atom plist kml gpx svg dae wsdl xaml csproj vcxproj fsproj ui glade qrc ts.xml")
        .programs("xml nxml sgml").formatted_by(&[XMLLINT]);
    Turtle "Turtle" = data("ttl nt n3").programs("turtle");
    Table "Table" = FileFacts { editor: FileEditor::Table, icon: FileIcon::Table, ..data("csv tsv psv") }.programs("csv tsv");
    Parquet "Parquet" = shown_by(FileEditor::Rows, FileIcon::Table).endings("parquet parq pq");

    Notebook "Notebook" = shown_by(FileEditor::Notebook, FileIcon::Notebook).endings("ipynb");
    Pdf "PDF" = shown_by(FileEditor::Pdf, FileIcon::Pdf).endings("pdf");
    Image "Image" = shown_by(FileEditor::Image, FileIcon::Image).endings("png jpg jpeg gif webp bmp ico avif apng tif tiff");
    Audio "Audio" = shown_by(FileEditor::Audio, FileIcon::Media).endings("mp3 m4a aac wav flac ogg oga opus");
    Video "Video" = shown_by(FileEditor::Video, FileIcon::Media).endings("mp4 m4v webm ogv mov mkv avi");
    Binary "Binary file" = shown_by(FileEditor::Bytes, FileIcon::Binary)
        .endings("zip gz tgz bz2 xz zst 7z rar tar tar.gz tar.xz jar war whl egg exe dll so dylib a o obj lib bin dat class \
            pyc pyo wasm db sqlite sqlite3 npy npz pkl pickle feather arrow h5 hdf5 nc mat rds rdata onnx pt pth \
            safetensors gguf woff woff2 ttf otf eot doc docx xls xlsx ppt \
            pptx odt ods odp dvi ps eps psd ai sketch iso img dmg deb rpm synctex.gz")
        .names(".ds_store thumbs.db");
}
