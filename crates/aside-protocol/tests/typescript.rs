//! The generated TypeScript is what `cargo xtask codegen` writes; this test says when it is out of date.

use std::{any::TypeId, collections::BTreeMap, collections::BTreeSet, path::Path};

use aside_core::{
    ActionRecord, ActionRequest, AuditRecord, Decision, Descriptor, Explanation, FileAgent, FileEditor, FileIcon,
    FileKind, FoundKernels, McpProposals, McpServer, OpenTerminal, PolicyView, RuleOffer, RunningKernel, ThreadCard,
    ThreadEvent,
};
use aside_protocol::*;
use serde_json::json;
use ts_rs::{Config, TS, TypeVisitor};

#[derive(Default)]
struct Declarations {
    config: Config,
    seen: BTreeSet<TypeId>,
    texts: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            self.texts.insert(T::ident(&self.config), format!("{docs}export {}\n", T::decl(&self.config)));
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

fn typescript() -> String {
    let mut found = Declarations::default();
    found.visit::<ClientFrame>();
    found.visit::<ServerFrame>();
    found.visit::<ErrorBody>();
    found.visit::<Serving>();
    found.visit::<OpenSession>();
    found.visit::<Session>();
    found.visit::<Status>();
    found.visit::<SubmitAction>();
    found.visit::<RouteSentence>();
    found.visit::<RoutedSentence>();
    found.visit::<CountSentence>();
    found.visit::<SpokenWords>();
    found.visit::<Statistics>();
    found.visit::<Submitted>();
    found.visit::<ActionLine>();
    found.visit::<Decision>();
    found.visit::<Decisions>();
    found.visit::<DocumentVersion>();
    found.visit::<DecisionTaken>();
    found.visit::<PersonHere>();
    found.visit::<RenamePerson>();
    found.visit::<GuestLink>();
    found.visit::<Devices>();
    found.visit::<Chats>();
    found.visit::<ChatPage>();
    found.visit::<SendMessage>();
    found.visit::<EditMessage>();
    found.visit::<ReadUpTo>();
    found.visit::<ChatFound>();
    found.visit::<HistoryStanding>();
    found.visit::<HistorySettings>();
    found.visit::<HistoryDashboard>();
    found.visit::<HistorySessions>();
    found.visit::<HistoryPage>();
    found.visit::<HistoryPlayback>();
    found.visit::<HistoryPull>();
    found.visit::<HistoryPulled>();
    found.visit::<HistoryPullRequests>();
    found.visit::<HistoryRuns>();
    found.visit::<HistoryRisk>();
    found.visit::<HistoryProblems>();
    found.visit::<HistoryAdvice>();
    found.visit::<MetaAgentAsked>();
    found.visit::<MetaAgentLine>();
    found.visit::<NewGrant>();
    found.visit::<GrantMade>();
    found.visit::<FoundKernels>();
    found.visit::<RunningKernel>();
    found.visit::<OpenTerminal>();
    found.visit::<TerminalClientFrame>();
    found.visit::<TerminalServerFrame>();
    found.visit::<AnswerInput>();
    found.visit::<GoOn>();
    found.visit::<NotebookTrust>();
    found.visit::<NoteView>();
    found.visit::<CompletionKind>();
    found.visit::<NoteCompletions>();
    found.visit::<ResolvedLink>();
    found.visit::<NoteGraph>();
    found.visit::<SearchQuery>();
    found.visit::<SearchAnswer>();
    found.visit::<TodoList>();
    found.visit::<TagCount>();
    found.visit::<AskKernel>();
    found.visit::<AiCellAt>();
    found.visit::<AiCellThread>();
    found.visit::<TellWidget>();
    found.visit::<KernelCompletions>();
    found.visit::<KernelInspection>();
    found.visit::<NewThread>();
    found.visit::<ChangeThread>();
    found.visit::<StartTurn>();
    found.visit::<SlashWords>();
    found.visit::<ThreadFound>();
    found.visit::<ThreadEdits>();
    found.visit::<StandingInstructions>();
    found.visit::<StreamLine>();
    found.visit::<TurnStarted>();
    found.visit::<ThreadWithEvents>();
    found.visit::<ThreadCard>();
    found.visit::<Listing>();
    found.visit::<FileNames>();
    found.visit::<FileLabel>();
    found.visit::<Uploaded>();
    found.visit::<FindInFiles>();
    found.visit::<FindLine>();
    found.visit::<ReadTable>();
    found.visit::<TableRows>();
    found.visit::<SummariseColumn>();
    found.visit::<TableSummary>();
    found.visit::<ReadCell>();
    found.visit::<TableCell>();
    found.visit::<Problems>();
    found.visit::<LanguageServers>();
    found.visit::<LatexState>();
    found.visit::<LatexAreas>();
    found.visit::<LatexOutput>();
    found.visit::<LatexSource>();
    found.visit::<Models>();
    found.visit::<ChooseModel>();
    found.visit::<LocalOnly>();
    found.visit::<SetLocalOnly>();
    found.visit::<RestrictAssistant>();
    found.visit::<GiveConsent>();
    found.visit::<SetKey>();
    found.visit::<KeyStatus>();
    found.visit::<SettingsView>();
    found.visit::<SpendingView>();
    found.visit::<SpendingSum>();
    found.visit::<SumsBy>();
    found.visit::<PriceLists>();
    found.visit::<RefreshPrices>();
    found.visit::<EstimateTurn>();
    found.visit::<TurnEstimate>();
    found.visit::<PullModel>();
    found.visit::<PullLine>();
    found.visit::<TestModel>();
    found.visit::<ModelTested>();
    found.visit::<CatalogHit>();
    found.visit::<AuditEntry>();
    found.visit::<AuditRecord>();
    found.visit::<FindAudit>();
    found.visit::<AuditCheck>();
    found.visit::<VerifyAudit>();
    found.visit::<NewTask>();
    found.visit::<UndoTask>();
    found.visit::<RunAgain>();
    found.visit::<TaskDetail>();
    found.visit::<ListedTasks>();
    found.visit::<TaskActions>();
    found.visit::<NewScript>();
    found.visit::<CheckScript>();
    found.visit::<ScriptFindings>();
    found.visit::<aside_core::TaskDecision>();
    found.visit::<aside_core::Recipe>();
    found.visit::<SaveRecipe>();
    found.visit::<RunRecipe>();
    found.visit::<CheckPolicy>();
    found.visit::<PolicyView>();
    found.visit::<Explanation>();
    found.visit::<RuleOffer>();
    found.visit::<Descriptor>();
    found.visit::<McpServer>();
    found.visit::<McpProposals>();
    found.visit::<ActionRequest>();
    found.visit::<ActionRecord>();
    found.visit::<ThreadEvent>();
    found.visit::<FileKind>();
    found.visit::<FileEditor>();
    found.visit::<FileAgent>();
    found.visit::<FileIcon>();
    HEAD.to_owned() + &found.texts.into_values().collect::<Vec<_>>().join("\n")
}

const HEAD: &str = "// Generated from the Rust wire types by `cargo xtask codegen`; do not edit.\n\n";

/// The table of kinds of files, a line each; what is as usual is left out.
fn file_kinds() -> String {
    let line = |kind: &FileKind| {
        let facts = kind.facts();
        let programs: Vec<_> = facts.formatters.iter().map(|formatter| formatter.program).collect();
        let row = json!([
            facts.title,
            facts.editor,
            facts.agent(),
            facts.icon,
            facts.wraps,
            facts.endings,
            facts.names,
            programs
        ]);
        format!("  {}: {row},\n", json!(kind).as_str().expect("a kind is a word"))
    };
    let rows: String = FileKind::ALL.iter().map(line).collect();
    format!(
        "{HEAD}import type {{ FileAgent, FileEditor, FileIcon, FileKind }} from './types';\n\n\
        /** Title, editor, agent, icon, whether long lines wrap, endings, whole names (`*`: and what follows), formatters. */\n\
        type Row = [string, FileEditor, FileAgent, FileIcon, boolean, string, string, string[]];\n\n\
        export const FILE_KINDS: Record<FileKind, Row> = {{\n{rows}}};\n"
    )
}

#[test]
fn typescript_is_up_to_date() {
    is_up_to_date("types.ts", &typescript());
    is_up_to_date("fileKinds.ts", &file_kinds());
}

#[allow(clippy::disallowed_methods, reason = "the generated files are this test's subject")]
fn is_up_to_date(name: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/wire/gen").join(name);
    if std::env::var_os("ASIDE_CODEGEN").is_some() {
        std::fs::create_dir_all(path.parent().expect("the file is in a folder")).expect("the folder can be made");
        std::fs::write(&path, wanted).expect("the file can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "web/src/wire/gen/{name} is out of date: run `cargo xtask codegen`");
}
