//! Carries a plan out: its programs one after the other, apart from the rest of the machine and without a network.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use aside_core::{
    ActionId, LatexBuild, LatexEnd, Problem, ProblemSeverity, ProblemSource, SeedLog, WorkspacePath, harmless,
};
use aside_latex::{BuildPlan, Step, When, tail};

use super::{
    document::{LatexDocument, LatexError, line_of},
    logs,
    output::{Output, pdf_path},
    tectonic,
};
use crate::{
    Workspace, WorkspaceError,
    process::{CommandEnd, CommandLine, Finished, Limits, Live, Stop},
};

/// The program, and the folder of its own.
const TECTONIC: &str = "tectonic";
/// How much one program of a build may use.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(300),
    memory: 4 << 30,
    processes: 256,
    file: 256 << 20,
    disk: 1 << 30,
    ..Limits::COMMAND
};
/// Bytes of a PDF and of a packed SyncTeX file.
const MOST_PDF: u64 = 256 << 20;
const MOST_SYNCTEX: u64 = 64 << 20;
/// Bytes of the end of the output that stand for a fault nobody named, and of what one stage put out.
const TAIL: usize = 1_500;
/// Stages whose output is kept, the last ones: the one that failed is among them.
const MOST_STAGES: usize = 4;

/// What is heard of a build while it runs.
#[derive(Clone, Debug)]
pub enum LatexSaid {
    /// A program begins: as a shell would read it.
    Step(String),
    /// A piece of what it puts out; offsets are within this program's output.
    Live(Live),
}

/// What came of a build.
#[derive(Clone, Debug)]
pub struct LatexBuilt {
    /// How it ended.
    pub build: LatexBuild,
    /// What is wrong; what was known before, if it was stopped.
    pub problems: Vec<Problem>,
    /// What its programs put out, with the lines that started them.
    pub output: Vec<u8>,
}

impl Workspace {
    /// Builds a document. Blocks until the end; held against other builds by a turn, and against other commands by theirs.
    pub fn build_latex(
        &self,
        document: &LatexDocument,
        action: &ActionId,
        stop: &Stop,
        say: &mut dyn FnMut(LatexSaid),
    ) -> Result<LatexBuilt, LatexError> {
        self.build_latex_within(LIMITS, document, action, stop, say)
    }

    /// The same within other limits: how hostile documents are tested.
    pub fn build_latex_within(
        &self,
        limits: Limits,
        document: &LatexDocument,
        action: &ActionId,
        stop: &Stop,
        say: &mut dyn FnMut(LatexSaid),
    ) -> Result<LatexBuilt, LatexError> {
        document.check()?;
        self.latex.running().insert(document.main.clone(), action.clone());
        self.tell_of_latex(&document.main);
        let built = Builder::new(self, document, limits).and_then(|builder| builder.build(action, stop, say));
        self.latex.running().remove(&document.main);
        self.tell_of_latex(&document.main);
        built
    }
}

struct Builder<'a> {
    workspace: &'a Workspace,
    document: &'a LatexDocument,
    limits: Limits,
    plan: BuildPlan,
    output: Output,
    /// Fonts that LuaTeX has looked at, which takes it long.
    fonts: PathBuf,
    /// Whether pictures that TeX is to find may come to lie beside what is written.
    draws: bool,
    put_out: Vec<u8>,
    /// The program that ran last, and where in what was put out its words begin.
    last: Option<(String, usize)>,
    /// The end of what each stage put out when it ran last, in that order.
    stages: Vec<SeedLog>,
    took: Duration,
}

impl<'a> Builder<'a> {
    #[expect(clippy::disallowed_methods, reason = "a temporary folder of our own")]
    fn new(workspace: &'a Workspace, document: &'a LatexDocument, limits: Limits) -> Result<Self, LatexError> {
        let output = workspace.latex_output(document)?;
        let plan = document.plan(&output.folder.to_string_lossy())?;
        output.make_folders(&plan.folders);
        let fonts = output.folder.with_extension("fonts");
        let failed =
            |source| WorkspaceError::Io { attempt: "make a folder for", path: document.main.to_string(), source };
        std::fs::create_dir_all(&fonts).map_err(failed)?;
        let is_tectonic = plan.steps.iter().any(|step| step.program == TECTONIC);
        if let Some(cache) = tectonic::cache().filter(|_| is_tectonic) {
            tectonic::mirror(&cache, &fonts.join(TECTONIC)).map_err(failed)?;
        }
        let (put_out, last, stages, took) = (Vec::new(), None, Vec::new(), Duration::ZERO);
        let draws = plan.steps.iter().any(|step| step.stage.runs_in_output());
        Ok(Self { workspace, document, limits, plan, output, fonts, draws, put_out, last, stages, took })
    }

    fn build(
        mut self,
        action: &ActionId,
        stop: &Stop,
        say: &mut dyn FnMut(LatexSaid),
    ) -> Result<LatexBuilt, LatexError> {
        let last = self.run_steps(stop, say)?;
        let main = &self.document.main;
        let end = self.end(last.as_ref())?;
        let problems = match end {
            LatexEnd::Stopped => self.workspace.problems_of(main)?,
            LatexEnd::Done | LatexEnd::Failed => self.problems(end, last.as_ref()),
        };
        let before = self.workspace.latex_build(main)?.and_then(|build| build.pdf);
        let pdf = if end == LatexEnd::Done { Some(pdf_path(main)) } else { before };
        let count = |graver: fn(ProblemSeverity) -> bool| {
            u32::try_from(problems.iter().filter(|problem| graver(problem.severity)).count()).unwrap_or(u32::MAX)
        };
        let build = LatexBuild {
            main: main.clone(),
            action: action.clone(),
            end,
            at: self.workspace.store.now(),
            duration_ms: u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX),
            errors: count(|severity| severity == ProblemSeverity::Error),
            warnings: count(|severity| severity == ProblemSeverity::Warning),
            pdf,
        };
        self.workspace.keep_latex_build(&build)?;
        self.workspace.keep_problems(main, problems.clone())?;
        if end != LatexEnd::Stopped {
            let first = self.stages.len().saturating_sub(MOST_STAGES);
            self.workspace.keep_latex_output(main, &self.stages[first..])?;
        }
        if end != LatexEnd::Done {
            self.start_afresh();
        }
        Ok(LatexBuilt { build, problems, output: self.put_out })
    }

    /// Runs them up to the first that fails; returns the last one that ran.
    fn run_steps(&mut self, stop: &Stop, say: &mut dyn FnMut(LatexSaid)) -> Result<Option<Finished>, LatexError> {
        let mut last = None;
        let mut steps = std::mem::take(&mut self.plan.steps).into_iter().peekable();
        while let Some(step) = steps.next() {
            if step.when == When::IfAsked && !logs::asks_again(&self.output) {
                break;
            }
            let finished = self.run(&step, stop, say)?;
            let failed = !succeeded(&finished);
            let exited = finished.why == CommandEnd::Exited;
            last = Some(finished);
            // The code that is computed next may be all that has something to show.
            let waits_for_code = exited && steps.peek().is_some_and(|next| next.stage.is_code());
            if failed && !(waits_for_code && logs::has_no_pages(&self.output)) {
                break;
            }
        }
        Ok(last)
    }

    fn run(&mut self, step: &Step, stop: &Stop, say: &mut dyn FnMut(LatexSaid)) -> Result<Finished, LatexError> {
        let line = line_of(step).replace(&*self.output.folder.to_string_lossy(), "…");
        self.put_out.extend_from_slice(format!("$ {line}\n").as_bytes());
        say(LatexSaid::Step(line));
        let mut argv = vec![step.program.clone()];
        argv.extend(step.arguments.iter().cloned());
        let line = CommandLine {
            argv,
            cwd: self.folder_of(step)?,
            network: false,
            limits: self.limits,
            write: vec![self.output.folder.clone(), self.fonts.clone()],
            read: self.document.outside.clone(),
            read_only: false,
            environment: self.environment(),
        };
        let finished = self.workspace.processes().run(&line, stop, |live| say(LatexSaid::Live(live)))?;
        self.took += finished.duration;
        let output = finished.output.bytes();
        self.keep_end(step, &output);
        self.last = Some((step.program.clone(), self.put_out.len()));
        self.put_out.extend_from_slice(&output);
        Ok(finished)
    }

    fn folder_of(&self, step: &Step) -> Result<PathBuf, WorkspaceError> {
        if step.stage.runs_in_output() {
            return Ok(self.output.folder.clone());
        }
        self.workspace.folder_of_command(self.document.main.parent().as_ref())
    }

    /// A stage that runs again says anew what is wrong.
    fn keep_end(&mut self, step: &Step, output: &[u8]) {
        let name = format!("{} ({})", step.program, step.stage.word());
        self.stages.retain(|stage| stage.name != name);
        let text = harmless(tail(output, TAIL).trim_end()).into_owned();
        if !text.is_empty() {
            self.stages.push(SeedLog { name, text });
        }
    }

    fn environment(&self) -> BTreeMap<String, String> {
        let text = |path: &PathBuf| path.to_string_lossy().into_owned();
        // BibTeX and makeindex write nowhere else but there and where they run.
        let mut environment = BTreeMap::from([
            ("TEXMFOUTPUT".to_owned(), text(&self.output.folder)),
            ("TEXMFVAR".to_owned(), text(&self.fonts)),
            ("TEXMFCACHE".to_owned(), text(&self.fonts)),
        ]);
        for (variable, folders) in &self.document.search {
            // The empty place at the end is TeX's own.
            environment.insert(variable.clone(), format!(".:{}:", folders.join(":")));
        }
        if self.draws {
            let more = environment.get("TEXINPUTS").map_or(".:", |folders| folders.as_str());
            environment.insert("TEXINPUTS".to_owned(), format!("{more}{}:", text(&self.output.folder)));
        }
        environment.insert("TECTONIC_CACHE_DIR".to_owned(), text(&self.fonts.join(TECTONIC)));
        environment
    }

    /// How it ended; a build that succeeds has put its PDF where it belongs.
    fn end(&self, last: Option<&Finished>) -> Result<LatexEnd, LatexError> {
        match last {
            Some(finished) if finished.why == CommandEnd::Stopped => Ok(LatexEnd::Stopped),
            Some(finished) if succeeded(finished) => self.publish(),
            _ => Ok(LatexEnd::Failed),
        }
    }

    fn publish(&self) -> Result<LatexEnd, LatexError> {
        // A document that has become empty leaves the PDF of the run before.
        if logs::has_no_pages(&self.output) {
            return Ok(LatexEnd::Failed);
        }
        let Some(pdf) = self.output.read_whole("pdf", MOST_PDF) else { return Ok(LatexEnd::Failed) };
        let path = pdf_path(&self.document.main);
        let place = self.workspace.confine(&path)?;
        if place.read(MOST_PDF).ok().as_ref() != Some(&pdf) {
            place.replace(&pdf)?;
            self.workspace.disk_changed(&[&path]);
        }
        if let Some(synctex) = self.output.read_whole("synctex.gz", MOST_SYNCTEX) {
            self.workspace.keep_synctex(&self.document.main, &synctex)?;
        }
        Ok(LatexEnd::Done)
    }

    fn problems(&self, end: LatexEnd, last: Option<&Finished>) -> Vec<Problem> {
        let main = &self.document.main;
        let mut problems = logs::of_logs(self.workspace, main, &self.output, end);
        let broken = |problems: &[Problem]| problems.iter().any(|one| one.severity == ProblemSeverity::Error);
        if end == LatexEnd::Failed && !broken(&problems) {
            problems.extend(logs::of_output(self.workspace, main, &self.put_out));
        }
        let cut_short = last.is_some_and(|finished| finished.why != CommandEnd::Exited);
        if end == LatexEnd::Failed && (cut_short || !broken(&problems)) {
            let (program, from) =
                self.last.as_ref().map_or(("a program", 0), |(program, from)| (program.as_str(), *from));
            problems.insert(0, unnamed(main, program, last, &self.put_out[from..]));
        }
        problems
    }

    /// What a build left that did not get to its end can break the next one.
    #[expect(clippy::disallowed_methods, reason = "a temporary folder of our own")]
    fn start_afresh(&self) {
        // What can't be removed is written over.
        let _ = std::fs::remove_dir_all(&self.output.folder);
    }
}

fn succeeded(finished: &Finished) -> bool {
    finished.why == CommandEnd::Exited && finished.status == Some(0)
}

/// A failure that no log explains, of the program that ran last and put this out.
fn unnamed(main: &WorkspacePath, program: &str, last: Option<&Finished>, output: &[u8]) -> Problem {
    let message = match last.map(|finished| (finished.why, finished.status)) {
        Some((CommandEnd::TimedOut, _)) => "The build timed out.".to_owned(),
        Some((CommandEnd::OutOfMemory, _)) => "The build used too much memory and was ended.".to_owned(),
        Some((CommandEnd::TooMuchWritten, _)) => "The build wrote too much and was ended.".to_owned(),
        Some((CommandEnd::TooManyProcesses, _)) => "The build started too many processes and was ended.".to_owned(),
        Some((_, Some(0))) => "The build produced no pages.".to_owned(),
        Some((_, Some(_))) if program == TECTONIC && tectonic::has_nothing(output) => format!(
            "tectonic has not downloaded its packages yet, and builds have no network: run `tectonic {}` once in a \
                terminal.",
            main.name()
        ),
        Some((_, Some(status))) => format!("The build failed: {program} ended with status {status}."),
        _ => "The build failed.".to_owned(),
    };
    Problem {
        path: Some(main.clone()),
        line: None,
        end_line: None,
        column: None,
        end_column: None,
        severity: ProblemSeverity::Error,
        message,
        source: ProblemSource::Latex,
        program: None,
        detail: Some(harmless(tail(output, TAIL).trim_end()).into_owned()),
        version: None,
        found_line: None,
    }
}
