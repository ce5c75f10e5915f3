//! `latex.build`: makes the PDF of a LaTeX document, kept apart as any command is, and says what is wrong in it.

mod elsewhere;
mod told;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use aside_core::{
    ActionRequest, Assessment, Completeness, EffectScope, Failure, Guard, LabelSource, LatexEnd, ObjectRef,
    Observation, Place, Preview, PreviewBody, Risk, Risks, SandboxLevel, UndoSupport, Warning, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run, waiting};
use aside_workspace::{
    Compared, KEPT_FOR, LatexBuilt, LatexDocument, LatexEngine, LatexError, LatexSaid, LatexWishes, Workspace,
    process::Stop,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{files::blocking, request};

/// Arguments of `latex.build`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Any file of the document.
    path: WorkspacePath,
    /// The main file. Default: the file with `\documentclass` that includes the other one.
    #[serde(default)]
    main: Option<WorkspacePath>,
    /// The engine. Default: the one that the document asks for.
    #[serde(default)]
    engine: Option<Engine>,
    /// Allows the document to run any program (`\write18`). Few documents need it.
    #[serde(default)]
    shell_escape: bool,
    /// The file that was saved. Nothing is built if the last build already used this text.
    #[serde(default)]
    saved: Option<WorkspacePath>,
}

/// A TeX engine.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Engine {
    Pdflatex,
    Xelatex,
    Lualatex,
}

impl Args {
    fn wishes(&self) -> LatexWishes {
        let engine = self.engine.map(|engine| match engine {
            Engine::Pdflatex => LatexEngine::Pdflatex,
            Engine::Xelatex => LatexEngine::Xelatex,
            Engine::Lualatex => LatexEngine::Lualatex,
        });
        LatexWishes { main: self.main.clone(), engine, shell_escape: self.shell_escape }
    }
}

/// `latex.build`.
pub(crate) struct LatexBuild {
    pub workspace: Arc<Workspace>,
}

impl Action for LatexBuild {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "latex.build",
            summary: "Build a LaTeX document",
            description: "Builds the PDF of the LaTeX document that a file belongs to, with latexmk if installed, \
                else with tectonic or the engine itself, and with the tools that the document needs (BibTeX, Biber, \
                knitr, …). Returns errors and warnings with file and line. The PDF goes next to the main file if \
                the build succeeds; all other files go into a separate folder. The build has no network.",
            preconditions: &["TeX is installed", "the user approves, or a rule allows every program in it"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Build the paper", json!({"path": "paper/paper.tex"}))],
            phrases: &[
                "build the paper",
                "compile the latex",
                "make the pdf",
                "typeset this",
                "(build|compile|typeset|rebuild|recompile) [the|this|my] (paper|pdf|document|latex|latex document|latex file|tex|tex file|manuscript|it|this|file) [now|again] => path={latex}",
                "(build|compile|typeset|rebuild|recompile) => path={latex}",
                "(make|create|produce|generate) the pdf => path={latex}",
                "(build|compile|typeset|rebuild|recompile) {path:latex}",
            ],
            tags: &["latex", "tex", "pdf", "compile", "latexmk", "bibtex"],
            safety: &[
                "a document is a program: it can read what a command can read, and write in the workspace",
                "with `shell_escape` it can run any program",
            ],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let document = self.document(args).await?;
        let main = document.main.clone();
        let source = blocking(&self.workspace, move |workspace| Ok(workspace.label_of(&main))).await?;
        let risks = if self.is_agreed(context, &document).await? {
            Risks::default()
        } else {
            risks(&document, self.level().await?)
        };
        let mut assessment = Assessment {
            risks,
            targets: vec![ObjectRef::file(&document.main)],
            command: Some(document.line()),
            ..Assessment::default()
        };
        assessment.provenance.add(source);
        Ok(assessment)
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let document = self.document(args).await?;
        self.level().await?;
        let preview = preview(args, &document, &self.workspace);
        match self.is_agreed(context, &document).await? {
            true => Ok(Preview { warnings: Vec::new(), ..preview }),
            false => Ok(preview),
        }
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let agreed = self.document(args).await?;
        if context.origin.is_person() && context.approved.is_some() {
            self.agree(context, &agreed).await?;
        }
        let stopped = |by: String| Failure::new("stopped", format!("{by} stopped it before it started"));
        let turn = tokio::select! {
            turn = self.workspace.latex_turn(&agreed.main) => turn,
            by = context.progress.stopped() => return Err(stopped(by)),
        };
        let Some(_turn) = turn else { return Ok(Run::observed(waits_already(&agreed.main))) };
        if let Some(saved) = args.saved.as_ref().filter(|saved| self.workspace.has_taken_in_latex(&agreed.main, saved))
        {
            return Ok(Run::observed(taken_in(&agreed.main, saved)));
        }
        // Held until the files were compared, so that what has changed was changed by this build.
        let _commands = tokio::select! {
            turn = self.workspace.processes().turn() => turn,
            by = context.progress.stopped() => return Err(stopped(by)),
        };
        // Before they are written: what is typed from now on need not be in it.
        let versions = self.workspace.open_versions();
        let document = self.written_document(args).await?;
        if document.line() != agreed.line() {
            let message = format!("`{}` now needs other programs than were approved", document.main);
            return Err(Failure::new("stale", message).hint("build it again"));
        }
        let action = context.id.clone();
        let taken = blocking(&self.workspace, move |workspace| {
            workspace.tidy_snapshots();
            workspace.take_snapshot(&action)
        });
        let taken = taken.await?;
        let (main, runs_code) = (document.main.clone(), document.runs_code());
        self.workspace.takes_in_latex(&main, versions);
        let built = self.carry_out(context, document).await;
        if !built.as_ref().is_ok_and(|built| built.build.end != LatexEnd::Stopped) {
            self.workspace.takes_in_latex(&main, BTreeMap::new());
        }
        let compared = blocking(&self.workspace, move |workspace| workspace.compare_snapshot(taken)).await;
        self.conclude(context, built?, runs_code, compared).await
    }

    fn kept_for(&self) -> Option<Duration> {
        Some(KEPT_FOR)
    }

    async fn cut_off(&self, context: &ActionContext, _args: &Args) -> Result<Option<Run>, Failure> {
        let action = context.id.clone();
        let compared = blocking(&self.workspace, move |workspace| workspace.cut_off_snapshot(&action)).await?;
        Ok(compared.map(|compared| {
            let observation = Observation::text("The build was interrupted.");
            Run { observation, inverse: taking_back(&compared), changed: changed(&compared) }
        }))
    }
}

impl LatexBuild {
    /// The sandbox that holds; looked for the first time, that takes a moment.
    async fn level(&self) -> Result<SandboxLevel, Failure> {
        blocking(&self.workspace, |workspace| Ok(workspace.processes().found().level)).await
    }

    /// Tells whether this person has let the document be built so before: they are asked once.
    async fn is_agreed(&self, context: &ActionContext, document: &LatexDocument) -> Result<bool, Failure> {
        if !context.origin.is_person() {
            return Ok(false);
        }
        let (document, user) = (document.clone(), context.origin.user().to_owned());
        blocking(&self.workspace, move |workspace| workspace.is_agreed_to_latex(&document, &user)).await
    }

    async fn agree(&self, context: &ActionContext, document: &LatexDocument) -> Result<(), Failure> {
        let (document, user) = (document.clone(), context.origin.user().to_owned());
        blocking(&self.workspace, move |workspace| workspace.agree_to_latex(&document, &user)).await
    }

    /// The document, if it can be built here.
    async fn document(&self, args: &Args) -> Result<LatexDocument, Failure> {
        self.latex(args, |_| ()).await
    }

    /// The same, with everything that was typed so far in its files.
    async fn written_document(&self, args: &Args) -> Result<LatexDocument, Failure> {
        // What can't be written stays in its document; TeX sees the file as it is.
        self.latex(args, |workspace| drop(workspace.save_all())).await
    }

    async fn latex(&self, args: &Args, before: fn(&Workspace)) -> Result<LatexDocument, Failure> {
        let (workspace, args) = (self.workspace.clone(), args.clone());
        let found = waiting(move || -> Result<LatexDocument, LatexError> {
            before(&workspace);
            let document = workspace.latex_document(&args.path, args.wishes())?;
            document.check()?;
            Ok(document)
        });
        Ok(found.await.map_err(|error| error.failure())??)
    }

    async fn carry_out(&self, context: &ActionContext, document: LatexDocument) -> Result<LatexBuilt, Failure> {
        let (stop, workspace, action) = (Stop::default(), self.workspace.clone(), context.id.clone());
        let (stopping, progress) = (stop.clone(), context.progress.clone());
        let mut begins = 0;
        let mut say = move |said: LatexSaid| match said {
            LatexSaid::Step(line) => {
                progress.line(&format!("$ {line}"));
                begins = progress.end();
            }
            LatexSaid::Live(live) => {
                let offset = u32::try_from(live.offset).unwrap_or(u32::MAX);
                progress.write(begins.saturating_add(offset), &live.text);
            }
        };
        let work = move || workspace.build_latex(&document, &action, &stop, &mut say);
        let mut running = tokio::task::spawn_blocking(work);
        let built = tokio::select! {
            built = &mut running => built,
            _ = context.progress.stopped() => {
                stopping.stop();
                running.await
            }
        };
        let built = built.map_err(|error| Failure::new("internal", format!("the build was interrupted: {error}")))?;
        Ok(built?)
    }

    /// A build that found errors is a failure, with all that is known of it.
    async fn conclude(
        &self,
        context: &ActionContext,
        built: LatexBuilt,
        runs_code: bool,
        compared: Result<Compared, Failure>,
    ) -> Result<Run, Failure> {
        let (output, whole) = (built.output.clone(), built.clone());
        let advice = match built.build.end {
            LatexEnd::Failed => blocking(&self.workspace, move |workspace| Ok(elsewhere::advice(workspace, &whole)))
                .await
                .ok()
                .flatten(),
            _ => None,
        };
        let kept = blocking(&self.workspace, move |workspace| workspace.keep_output(&output)).await.ok();
        let stopped_by = context.progress.stopped_by();
        let told = told::told(&built, kept, stopped_by.as_deref(), compared.as_ref().ok());
        match built.build.end {
            LatexEnd::Done => {
                let observation = Observation::with(told.words, told.data);
                let observation = match runs_code {
                    true => observation.from_source(of_code(&built.build.main).by(&context.id)),
                    false => observation,
                };
                let compared = compared.ok();
                let inverse = compared.as_ref().and_then(taking_back);
                Ok(Run { observation, inverse, changed: compared.as_ref().map(changed).unwrap_or_default() })
            }
            LatexEnd::Failed => {
                let failure = Failure::new("build_failed", told.words).data(told.data);
                Err(advice.into_iter().fold(failure, Failure::hint))
            }
            LatexEnd::Stopped => Err(Failure::new("stopped", told.words).data(told.data)),
        }
    }
}

/// Without code the words are those of TeX and of the document, whose own label the request has.
fn of_code(main: &WorkspacePath) -> LabelSource {
    LabelSource::external(format!("the build of {main}"), "output of code in the document")
}

fn waits_already(main: &WorkspacePath) -> Observation {
    let words = format!("A build of {main} is already queued; it will use all changes saved before it starts.");
    Observation::with(words, json!({"waits": true, "main": main}))
}

fn taken_in(main: &WorkspacePath, saved: &WorkspacePath) -> Observation {
    let words = format!("The last build of {main} already includes {saved}.");
    Observation::with(words, json!({"taken_in": true, "main": main}))
}

fn taking_back(compared: &Compared) -> Option<ActionRequest> {
    let snapshot = compared.snapshot.as_ref()?;
    Some(request("snapshot.restore", json!({"snapshot": snapshot.id})))
}

fn changed(compared: &Compared) -> Vec<ObjectRef> {
    compared.changes.iter().map(|change| ObjectRef::file(&change.path)).collect()
}

/// A document that may run any program is one; without a sandbox every document can do what the person can.
fn risks(document: &LatexDocument, level: SandboxLevel) -> Risks {
    risks_of(document.runs_code(), level)
}

fn risks_of(runs_code: bool, level: SandboxLevel) -> Risks {
    let mut risks = Risks::default();
    if runs_code {
        risks.insert(Risk::Install);
    }
    if level == SandboxLevel::None {
        risks.insert(Risk::Access);
        risks.insert(Risk::Install);
        risks.insert(Risk::Network);
    }
    risks
}

fn preview(args: &Args, document: &LatexDocument, workspace: &Workspace) -> Preview {
    let found = workspace.processes().found();
    let mut warnings = Vec::new();
    if found.level == SandboxLevel::None {
        let text = format!("This build runs without a sandbox: {}", found.missing.join(" "));
        warnings.push(Warning { guard: Guard::NoSandbox, text });
    }
    let mut notes = vec![
        format!("Engine: {}, because {}.", document.engine(), document.because()),
        "The PDF goes next to the main file if the build succeeds. All other files go into a separate folder \
            outside the workspace."
            .to_owned(),
    ];
    notes.extend(document.notes().iter().cloned());
    notes.extend(document.missing().iter().map(|missing| {
        format!("{} is not installed, so part of the document is not updated ({}).", missing.program, missing.debian)
    }));
    let shell = if args.shell_escape { ", with a shell" } else { "" };
    Preview {
        summary: format!("Build {}{shell}", document.main),
        body: PreviewBody::Command {
            argv: vec!["/bin/sh".to_owned(), "-c".to_owned(), document.line()],
            cwd: document.main.parent().map(|folder| folder.to_string()).unwrap_or_default(),
            network: false,
            sandbox: found.level,
            environment: workspace.processes().environment_names(),
            notes,
        },
        completeness: Completeness::Opaque,
        warnings,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_for_the_document_is_another_risk() {
        assert_eq!(risks_of(false, SandboxLevel::Bubblewrap), Risks::default());
        assert_eq!(risks_of(true, SandboxLevel::Landlock), [Risk::Install].into());
        assert!(risks_of(false, SandboxLevel::None).contains(Risk::Access));
    }
}
