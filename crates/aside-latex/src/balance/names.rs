//! Names of environments and commands whose text is not read as other text is.

/// Environments whose text is taken as it is.
pub(super) const VERBATIM: [&str; 22] = [
    "verbatim",
    "verbatim*",
    "Verbatim",
    "BVerbatim",
    "LVerbatim",
    "lstlisting",
    "minted",
    "comment",
    "filecontents",
    "filecontents*",
    "luacode",
    "luacode*",
    "pycode",
    "pyblock",
    "pyverbatim",
    "sageblock",
    "sagesilent",
    "sageverbatim",
    "asy",
    "spverbatim",
    "listing*",
    "dot2tex",
];
/// Commands that take text between two equal signs as it is.
pub(super) const INLINE: [&str; 6] = ["verb", "Verb", "lstinline", "mintinline", "spverb", "path"];
/// Commands whose argument may have `%` and `#` as they are.
pub(super) const ADDRESS: [&str; 3] = ["url", "href", "nolinkurl"];
/// Commands that define, and how many groups belong to them, the braced name not counted. What is in there need not be balanced
/// but for braces.
pub(super) const DEFINING: [(&str, usize); 24] = [
    ("newcommand", 1),
    ("renewcommand", 1),
    ("providecommand", 1),
    ("DeclareRobustCommand", 1),
    ("def", 1),
    ("edef", 1),
    ("gdef", 1),
    ("xdef", 1),
    ("let", 0),
    ("newenvironment", 2),
    ("renewenvironment", 2),
    ("NewDocumentCommand", 2),
    ("RenewDocumentCommand", 2),
    ("ProvideDocumentCommand", 2),
    ("DeclareDocumentCommand", 2),
    ("NewDocumentEnvironment", 3),
    ("RenewDocumentEnvironment", 3),
    ("AtBeginEnvironment", 1),
    ("AtEndEnvironment", 1),
    ("BeforeBeginEnvironment", 1),
    ("AfterEndEnvironment", 1),
    ("newcolumntype", 1),
    ("pretocmd", 2),
    ("apptocmd", 2),
];
/// Environments of tables, and how many groups come before their text: those say how columns look.
pub(super) const TABLES: [(&str, usize); 9] = [
    ("tabular", 1),
    ("tabular*", 2),
    ("tabularx", 2),
    ("tabulary", 2),
    ("array", 1),
    ("longtable", 1),
    ("supertabular", 1),
    ("xltabular", 2),
    ("tabularray", 0),
];
