// Generated from the Rust wire types by `cargo xtask codegen`; do not edit.

/**
 * An action and its number.
 */
export type ActionCount = { 
/**
 * The action.
 */
action: ActionName, 
/**
 * How often.
 */
count: number, };

/**
 * One way to call an action; the tests run each.
 */
export type ActionExample = { 
/**
 * A short title.
 */
title: string, 
/**
 * The arguments.
 */
args: unknown, };

/**
 * A group of actions. While it is off in a thread, the model is not offered its actions and the Gate refuses them there.
 */
export type ActionGroup = "notes" | "todos" | "files" | "notebooks" | "commands" | "history" | "tools";

/**
 * One action, from its submission through its outcome to its undo.
 */
export type ActionId = string;

/**
 * One line of `POST actions?stream=true` and of `POST actions/{id}/decision?stream=true`: first `begun`, then what is put
 * out, last `ended` or `failed`.
 */
export type ActionLine = { "begun": ActionId } | { "output": { 
/**
 * Where the piece belongs.
 */
offset: number, 
/**
 * The piece.
 */
text: string, } } | { "ended": Submitted } | { "failed": Failure };

/**
 * `noun.verb` in lower case: `doc.edit`, `ui.tabs.close`.
 */
export type ActionName = string;

/**
 * `doc.edit`, or `doc.*` for every action of a noun.
 */
export type ActionPattern = string;

/**
 * One action and all that became of it.
 */
export type ActionRecord = { 
/**
 * The request as taken in.
 */
envelope: Envelope, 
/**
 * Who asked.
 */
origin: Origin, 
/**
 * What they were allowed to do.
 */
grant: GrantRef, 
/**
 * What the request was made from.
 */
provenance: Provenance, 
/**
 * The arguments that hold text from outside.
 */
marked: Array<MarkedArgument>, 
/**
 * Where it is in its life.
 */
state: ActionState, 
/**
 * What policy said.
 */
verdict: Verdict, 
/**
 * What the handler said.
 */
assessment: Assessment, 
/**
 * What is or was shown.
 */
preview: Preview | null, 
/**
 * SHA-256 over envelope hash, preview, versions and `expires`: what an approval is bound to, if it needs one.
 */
approval_hash: Sha256 | null, 
/**
 * Until when an approval of what is shown counts; after that it is shown anew.
 */
expires: Timestamp | null, 
/**
 * What was decided so far, part by part.
 */
parts: Array<PartDecision>, 
/**
 * Who decided, when a person did.
 */
decided_by: string | null, 
/**
 * The rule that the person's answer left behind, if it reaches further than this action.
 */
remembered?: Remembered, 
/**
 * How it ended.
 */
outcome: Outcome | null, 
/**
 * Tells whether a recorded inverse can be asked for.
 */
can_undo: boolean, 
/**
 * Until when it can be, where what that needs is kept for a time only.
 */
undo_until?: Timestamp, 
/**
 * The action of which this carries out one part, or whose plan this is a step of.
 */
parent: ActionId | null, 
/**
 * The action that this takes back.
 */
undoes: ActionId | null, 
/**
 * The action that took this back.
 */
undone_by: ActionId | null, 
/**
 * When it was asked for.
 */
created: Timestamp, 
/**
 * When it ended.
 */
ended: Timestamp | null, };

/**
 * A request to run an action. It can't set risks or ask for approval: the Gate does, and a request with any
 * other field is refused.
 */
export type ActionRequest = { 
/**
 * The action's name.
 */
action_type: ActionName, 
/**
 * The objects it affects, by name. Each is also accepted as the argument of that name.
 */
target?: { [key in string]: string }, 
/**
 * The arguments, checked against the action's schema.
 */
args: unknown, 
/**
 * The same key with the same request runs once.
 */
idempotency_key?: string, 
/**
 * Free text for the activity log, such as the reason or the source.
 */
audit_context?: unknown, };

/**
 * Where an action is in its life.
 *
 * ```text
 *             policy: allow
 *  proposed ---------------------------> running --> done ----> undone
 *     |  policy: confirm                   ^  |
 *     +-----------> awaiting --approve-----+  +--> failed | interrupted
 *     |  policy: deny   |  ^--- base changed: asked again with a new preview
 *     +--> refused <----+ reject
 * ```
 */
export type ActionState = "proposed" | "awaiting_confirmation" | "running" | "done" | "failed" | "refused" | "interrupted" | "undone";

/**
 * `POST notebooks/ai-cells`: a cell whose thread is wanted before it was first asked.
 */
export type AiCellAt = { 
/**
 * The notebook.
 */
path: WorkspacePath, 
/**
 * The key of the cell.
 */
cell: string, };

/**
 * One of `GET notebooks/ai-cells?path=…`: the thread in which an AI cell is answered.
 */
export type AiCellThread = { 
/**
 * The key of the cell.
 */
cell: string, 
/**
 * Its thread.
 */
thread: Thread, };

/**
 * Levels of AI restriction, the strictest first.
 */
export type AiLevel = "off" | "partial" | "full";

/**
 * One restriction, and whose it is.
 */
export type AiReason = { 
/**
 * Whose it is.
 */
by: RestrictedBy, 
/**
 * What it says.
 */
restriction: AiRestriction, 
/**
 * It stands for a file that can't be read, with this mistake.
 */
mistake?: string, };

/**
 * A level, and the time for which it holds.
 */
export type AiRestriction = { 
/**
 * The level.
 */
level: AiLevel, 
/**
 * The start; milliseconds since 1970. Absent: it has already started.
 */
from?: Timestamp, 
/**
 * The end, exclusive; milliseconds since 1970. Absent: no end.
 */
until?: Timestamp, };

/**
 * `POST notebooks/input`: the line that running code waits for.
 */
export type AnswerInput = { 
/**
 * The notebook.
 */
path: WorkspacePath, 
/**
 * The run that waits.
 */
execution: ExecutionId, 
/**
 * Which of its questions is answered.
 */
question: number, 
/**
 * The line, without its end.
 */
value: string, };

/**
 * What one argument has to be. A text in an argument that is missing or no text is not matched.
 */
export type ArgumentMatcher = { "equals": unknown } | { "prefix": string } | { "glob": string };

/**
 * `POST notebooks/completions` and `POST notebooks/inspection`: what a kernel knows about a place in code.
 */
export type AskKernel = { 
/**
 * The notebook.
 */
path: WorkspacePath, 
/**
 * The text of the cell.
 */
code: string, 
/**
 * The place in it, in UTF-16 units.
 */
place: number, };

/**
 * What a handler says about a request before anything runs.
 */
export type Assessment = { 
/**
 * Risks that arguments and target add to the declared ones.
 */
risks: Risks, 
/**
 * What it touches.
 */
targets: Array<ObjectRef>, 
/**
 * The versions it was assessed for.
 */
versions: Array<ObjectVersion>, 
/**
 * The line that a shell would run, whole; policy splits it and rules on every command in it.
 */
command?: string, 
/**
 * Where the content comes from that it reads or carries along.
 */
provenance: Provenance, 
/**
 * The hosts it would reach over a network, as far as they are known before.
 */
hosts?: Array<string>, 
/**
 * Where what it brings over a network comes from, if more is known of that than that it came so.
 */
brings?: LabelSource, };

/**
 * How far AI goes now.
 */
export type AssistantState = { 
/**
 * The narrowest of all that hold.
 */
level: AiLevel, 
/**
 * Those that say so; empty if nothing is restricted.
 */
because: Array<AiReason>, 
/**
 * When the level changes next by itself.
 */
until?: Timestamp, 
/**
 * All that there are, also those that do not hold now.
 */
restrictions: Array<AiReason>, };

/**
 * One thing that goes along.
 */
export type Attached = { "kind": "thread", 
/**
 * Which one.
 */
thread: ThreadId, } | { "kind": "data", 
/**
 * What it is, for the person: "Problem in paper.tex, line 12".
 */
label: string, 
/**
 * Who said it, as a part of a sentence: "what `latexmk` put out".
 */
from: string, 
/**
 * The data; the beginning of it is sent where it is long.
 */
text: string, } | { "kind": "command", 
/**
 * The word, without the slash.
 */
name: string, 
/**
 * What it says to the model.
 */
text: string, };

/**
 * A person's answer, as the audit keeps it.
 */
export type AuditAnswer = { 
/**
 * Who answered.
 */
by: string, 
/**
 * Yes or no.
 */
decision: Choice, 
/**
 * How far a yes reaches.
 */
scope: DecisionScope, 
/**
 * The rule that the answer left behind.
 */
rule?: string, 
/**
 * The parts it is about; the whole if absent.
 */
parts?: Array<number>, 
/**
 * Why.
 */
reason?: string, };

/**
 * Answer of `POST audit/verify`.
 */
export type AuditCheck = { 
/**
 * How many entries hold together.
 */
entries: number, 
/**
 * The hash of the last of them; noted elsewhere, it shows later that nothing before it was changed or cut off.
 */
head: Sha256 | null, 
/**
 * The first thing that is wrong, if anything is.
 */
problem: string | null, };

/**
 * The ways an action ends.
 */
export type AuditEnd = "done" | "refused" | "failed" | "interrupted";

/**
 * One record of `GET audit`.
 */
export type AuditEntry = { 
/**
 * Position in the chain, from 1.
 */
seq: number, 
/**
 * The entry as it is hashed: an `AuditRecord`, or a text if it is not readable as JSON.
 */
body: unknown, 
/**
 * SHA-256 over the previous hash and the body.
 */
hash: Sha256, };

/**
 * What a record of the audit is about.
 */
export type AuditKind = "submitted" | "dry_run" | "replayed" | "refused" | "failed" | "stale" | "decision" | "remembered" | "intent" | "outcome" | "interrupted";

/**
 * How an action ended, shortened for the audit.
 */
export type AuditOutcome = { 
/**
 * How.
 */
kind: AuditEnd, 
/**
 * Who refused.
 */
by?: RefusedBy, 
/**
 * The failure's code; `ran_badly` at an action that was done, and whose command or code failed.
 */
code?: string, 
/**
 * In words, at most 1,000 characters.
 */
text: string, };

/**
 * One record of the audit: append-only and hash-chained, with every secret masked before it is hashed.
 * Fields that don't apply are absent.
 */
export type AuditRecord = { 
/**
 * What it is about.
 */
kind: AuditKind, 
/**
 * When.
 */
at: Timestamp, 
/**
 * Which action.
 */
action: ActionId, 
/**
 * Its name.
 */
action_type: ActionName, 
/**
 * Where the action was in its life; absent in records of version 0.1.
 */
state?: ActionState, 
/**
 * Who asked.
 */
origin: Origin, 
/**
 * The grant that it ran under; its id if it is a stored one. Absent in records of version 0.1.
 */
grant?: GrantRef, 
/**
 * The idempotency key.
 */
key: string, 
/**
 * The envelope's hash.
 */
envelope_hash: Sha256, 
/**
 * Its risks.
 */
risks: Risks, 
/**
 * What it touches.
 */
targets: Array<ObjectRef>, 
/**
 * What policy said.
 */
ruling: Ruling, 
/**
 * The rule that decided; the word before `/` is its layer.
 */
rule: string, 
/**
 * The person who decided, if one did.
 */
decided_by?: string, 
/**
 * Where the content came from that led to it.
 */
label?: Label, 
/**
 * The places that gave it this label.
 */
sources?: Array<string>, 
/**
 * SHA-256 of the masked arguments' canonical JSON.
 */
args_hash: Sha256, 
/**
 * The arguments, unless they are long.
 */
args?: unknown, 
/**
 * The words that came with the request.
 */
audit_context?: unknown, 
/**
 * SHA-256 of the preview that was shown.
 */
preview_hash?: Sha256, 
/**
 * What an approval was bound to.
 */
approval_hash?: Sha256, 
/**
 * A person's answer.
 */
answer?: AuditAnswer, 
/**
 * How it ended.
 */
outcome?: AuditOutcome, 
/**
 * What it changed.
 */
changed?: Array<ObjectRef>, 
/**
 * The action of which this carries out one part.
 */
parent?: ActionId, 
/**
 * The action that this takes back.
 */
undoes?: ActionId, };

/**
 * Who said something.
 */
export type Author = { 
/**
 * The person.
 */
person: PersonId, 
/**
 * Their name when they said it.
 */
name: string, 
/**
 * Sent by a program of theirs, not from a page: it is shown as such, and is not the person's own word.
 */
program: boolean, };

/**
 * The part of a budget that is used up.
 */
export type BudgetLimit = "steps" | "time";

/**
 * One action of `GET catalog/search`.
 */
export type CatalogHit = { 
/**
 * Its name.
 */
name: ActionName, 
/**
 * What it does.
 */
summary: string, 
/**
 * The risks it always has.
 */
risks: Risks, };

/**
 * One run of one cell.
 */
export type CellExecution = { 
/**
 * Which.
 */
id: ExecutionId, 
/**
 * The key of the cell.
 */
cell: string, 
/**
 * How it is.
 */
state: ExecutionState, 
/**
 * The number that the kernel gave it.
 */
count: number | null, 
/**
 * When it was asked for.
 */
asked_at: Timestamp, 
/**
 * When the kernel began it.
 */
began_at: Timestamp | null, 
/**
 * When it ended.
 */
ended_at: Timestamp | null, 
/**
 * What the code wants to have written next.
 */
next_input?: NextInput, 
/**
 * Why its kernel did not run it, or not to its end.
 */
problem?: Failure, };

/**
 * One thing that a cell put out, bounded for being shown; the whole of it is kept.
 */
export type CellOutput = { "type": "stream", 
/**
 * `stdout` or `stderr`.
 */
name: string, 
/**
 * The text, or its beginning.
 */
text: string, 
/**
 * How many bytes between `text` and `tail` are left out here.
 */
omitted: number, 
/**
 * Its end, if something is left out.
 */
tail: string, } | { "type": "display", 
/**
 * By MIME type: a text, base64 of an image, or JSON.
 */
data: Record<string, unknown>, 
/**
 * What is to be known of it, by MIME type.
 */
metadata: unknown, 
/**
 * Tells whether it is the value of the cell's last expression.
 */
is_result: boolean, 
/**
 * Forms that are too large to be sent unasked, with their bytes.
 */
omitted: Record<string, number>, } | { "type": "error", 
/**
 * Such as `ZeroDivisionError`.
 */
name: string, 
/**
 * Such as `division by zero`.
 */
value: string, 
/**
 * Lines with the colours of a terminal; its end if it is very long.
 */
traceback: string, };

/**
 * One row of a table of changes.
 */
export type ChangeRow = { 
/**
 * What changes.
 */
object: string, 
/**
 * What it is now.
 */
before: string | null, 
/**
 * What it would be.
 */
after: string | null, };

/**
 * `PATCH threads/{id}`: what is absent stays.
 */
export type ChangeThread = { 
/**
 * The new title.
 */
title?: string, 
/**
 * The new mode.
 */
mode?: ReviewMode, 
/**
 * Whether what a model runs in the notebook is asked about from now on.
 */
runs?: RunMode, 
/**
 * The notebook whose cells are run also after the thread has read what runs of it put out; null takes that back, and so
 * does `ask`.
 */
runs_after_outputs?: WorkspacePath | null, 
/**
 * The new model.
 */
model?: ModelRef, 
/**
 * How much the model thinks.
 */
thinking?: ThinkingEffort, 
/**
 * Put away or taken back.
 */
archived?: boolean, 
/**
 * All standing instructions that don't go along from the next message on.
 */
without?: Array<InstructionsAt>, 
/**
 * All groups of actions that are off from the next message on. A message that mentions a group, as `@notes`, turns it on.
 */
off?: Array<ActionGroup>, };

/**
 * What people say to each other beside one document.
 */
export type Chat = { 
/**
 * The chat.
 */
id: ChatId, 
/**
 * The document, under the name that it has now.
 */
document: WorkspacePath, 
/**
 * The latest message.
 */
last: MessageId, 
/**
 * When somebody last said something.
 */
updated: Timestamp, };

/**
 * One line of `GET chats/search?q=WORDS[&document=PATH]`: a message that has all words.
 */
export type ChatFound = { 
/**
 * Where it was said.
 */
chat: Chat, 
/**
 * The message.
 */
message: ChatMessage, };

/**
 * What people say to each other beside one document.
 */
export type ChatId = string;

/**
 * One thing that was said.
 */
export type ChatMessage = { 
/**
 * The message; later ones sort after earlier ones.
 */
id: MessageId, 
/**
 * Where it was said.
 */
chat: ChatId, 
/**
 * By whom.
 */
author: Author, 
/**
 * When.
 */
at: Timestamp, 
/**
 * Markdown. Empty once it is deleted.
 */
text: string, 
/**
 * Who is named in it with `@`.
 */
mentions: Array<PersonId>, 
/**
 * When its author last changed it.
 */
edited?: Timestamp, 
/**
 * When its author took it back; nothing of its text is kept.
 */
deleted?: Timestamp, 
/**
 * Chosen by who sent it: the same key of the same author is the same message, sent again.
 */
key?: string, };

/**
 * `GET chats/messages?document=PATH[&before=ID][&limit=N]`: the messages before one, or the latest, the oldest first; or
 * with `since=SEQ` those that changed after a position.
 */
export type ChatPage = { 
/**
 * The chat and how far the reader is in it; absent if nobody has said anything.
 */
standing?: ChatStanding, 
/**
 * The messages.
 */
messages: Array<ChatMessage>, 
/**
 * There are older ones.
 */
more: boolean, 
/**
 * The last change that is in them, for `since`.
 */
seq: number, };

/**
 * How far one person has read in a chat.
 */
export type ChatStanding = { 
/**
 * The chat.
 */
chat: Chat, 
/**
 * The last message they have seen.
 */
read?: MessageId, 
/**
 * Messages of others after it.
 */
unread: number, 
/**
 * How many of these name them.
 */
mentions: number, };

/**
 * `GET chats`: all chats, the latest first, each with how far the reader is in it.
 */
export type Chats = { 
/**
 * The reader.
 */
me: PersonId, 
/**
 * The chats.
 */
chats: Array<ChatStanding>, };

/**
 * Body of `POST policy/check`: what would become of a request, and which rules say so. Nothing runs.
 */
export type CheckPolicy = { 
/**
 * Which action.
 */
action_type: ActionName, 
/**
 * The arguments.
 */
args: unknown, 
/**
 * As if this one asked; the one who does if absent.
 */
as?: OriginKind, 
/**
 * As if the thread reviewed edits in this way.
 */
review?: ReviewMode, 
/**
 * As if content of this label had led to it.
 */
label?: Label, };

/**
 * `POST scripts/check`: finds mistakes in a script before it runs.
 */
export type CheckScript = { 
/**
 * The script's text.
 */
source: string, 
/**
 * The script's file, for messages.
 */
path?: WorkspacePath, };

/**
 * A person's yes or no.
 */
export type Choice = "approve" | "reject";

/**
 * `PUT models/chosen`.
 */
export type ChooseModel = { 
/**
 * The model.
 */
model: ModelRef, };

/**
 * The ends of the actions of one class.
 */
export type ClassCounts = { 
/**
 * The gravest risk; absent for actions that change only the window.
 */
risk?: Risk, 
/**
 * Actions that did as asked.
 */
done: number, 
/**
 * Actions that failed, or whose command failed.
 */
failed: number, 
/**
 * Refused actions.
 */
refused: number, 
/**
 * Actions that a stop of the server cut off.
 */
interrupted: number, };

/**
 * What a client says.
 */
export type ClientFrame = { "type": "open_document", 
/**
 * Chosen by the client, echoed in the answer.
 */
request: number, 
/**
 * Which document.
 */
document: DocumentName, 
/**
 * The epoch of the copy the client still holds; with another epoch its copy must be dropped.
 */
epoch: EpochId | null, } | { "type": "close_document", 
/**
 * Its number.
 */
number: number, } | { "type": "subscribe", 
/**
 * Which thread.
 */
thread: ThreadId, 
/**
 * The last `seq` the client has; 0 for all.
 */
after: number, } | { "type": "unsubscribe", 
/**
 * Which thread.
 */
thread: ThreadId, } | { "type": "watch_action", 
/**
 * The action.
 */
action: ActionId, } | { "type": "unwatch_action", 
/**
 * The action.
 */
action: ActionId, } | { "type": "watch_notebook", 
/**
 * Which.
 */
path: WorkspacePath, } | { "type": "unwatch_notebook", 
/**
 * Which.
 */
path: WorkspacePath, } | { "type": "ui_result", 
/**
 * The action.
 */
action: ActionId, 
/**
 * What came of it; absent if it could not be done.
 */
result: unknown, 
/**
 * Why it could not be done.
 */
failure: Failure | null, } | { "type": "focused" } | { "type": "ping", 
/**
 * Chosen by the client, echoed in the answer.
 */
ping: number, };

/**
 * Facts about the values of a column.
 */
export type ColumnFacts = { 
/**
 * Rows.
 */
count: number, 
/**
 * Fields without a value.
 */
empty: number, 
/**
 * Different values, unless they are more than are counted.
 */
distinct?: number, 
/**
 * The most frequent values, the most frequent first.
 */
top: [string, number][], 
/**
 * The numbers of a column of numbers.
 */
numbers?: ColumnNumbers, };

/**
 * The filter of a column.
 */
export type ColumnFilter = { 
/**
 * The column, from 0.
 */
column: number, 
/**
 * The filter.
 */
text: string, };

/**
 * The numbers of a column.
 */
export type ColumnNumbers = { 
/**
 * The smallest.
 */
min: number, 
/**
 * The largest.
 */
max: number, 
/**
 * The mean.
 */
mean: number, 
/**
 * How many are in each of equal parts from the smallest to the largest.
 */
bins: number[], };

/**
 * Calls of one action that are still to come.
 */
export type ComingCalls = { 
/**
 * How many.
 */
calls: number, 
/**
 * The file or the summary of each, the first twenty.
 */
about: Array<string>, };

/**
 * One command of a line, as the words that the shell would pass on.
 */
export type CommandMatcher = Array<string> | ExactCommand;

/**
 * How much of the effect a preview shows.
 */
export type Completeness = "full" | "partial" | "opaque";

/**
 * The objects that `GET notes/complete` offers.
 */
export type CompletionKind = "note" | "heading" | "tag" | "file";

/**
 * How sure the place of an edit is.
 */
export type Confidence = "exact" | "moved" | "loose";

/**
 * Questions to the person, and the answers.
 */
export type ConfirmationCounts = { 
/**
 * Actions that asked.
 */
asked: number, 
/**
 * Requests that were approved, wholly or partly.
 */
approved: number, 
/**
 * Rejected requests.
 */
rejected: number, 
/**
 * The median time to the answer, in milliseconds.
 */
median_wait?: number, };

/**
 * Whether a person let content go to where a model runs.
 */
export type Consent = "not_needed" | "needed" | "given";

/**
 * One piece of context that went to the model.
 */
export type ContextChip = { 
/**
 * For the person: "Cursor at line 12 of model.py".
 */
label: string, 
/**
 * The file it is from.
 */
path: WorkspacePath | null, 
/**
 * The version it is from.
 */
version: Sha256 | null, 
/**
 * The lines it is.
 */
lines: LineRange | null, 
/**
 * Exactly what was sent.
 */
text: string, 
/**
 * The image that was sent with it, to a model that sees.
 */
image?: ShownImage, 
/**
 * Where it comes from.
 */
source?: LabelSource, 
/**
 * Which standing instructions it is. They hold until others of the same place are sent.
 */
instructions?: InstructionsAt, };

/**
 * What one or more model calls cost, in money as far as it is known, and in time.
 */
export type Cost = { 
/**
 * US dollars of the calls whose price is known, in units of 10⁻¹²: a cached token may cost a hundred-millionth.
 */
picodollars: number, 
/**
 * Calls whose price nobody knows. They are never counted as free.
 */
unknown: number, 
/**
 * The most that the calls of unknown price can have cost, in units of 10⁻¹² dollars, where that is known: a call that
 * was stopped before its provider had counted. It counts towards limits.
 */
at_most: number, 
/**
 * Calls that were answered on this machine.
 */
local: number, 
/**
 * How long the models took, in milliseconds.
 */
milliseconds: number, };

/**
 * Counts a sentence. Its words are not part of it.
 */
export type CountSentence = { 
/**
 * The way that it took.
 */
way: SentenceWay, 
/**
 * The actions that rules understood.
 */
actions?: Array<ActionName>, };

/**
 * One day.
 */
export type DaySpending = { 
/**
 * Such as `2026-11-21`, in UTC.
 */
day: string, 
/**
 * What it cost.
 */
cost: Cost, };

/**
 * A person's answer to a request that waits for confirmation.
 */
export type Decision = { 
/**
 * Yes or no.
 */
decision: Choice, 
/**
 * How far a yes reaches.
 */
scope?: DecisionScope, 
/**
 * Where a rule that is remembered for always holds; this workspace if absent.
 */
rule_scope?: RuleScope, 
/**
 * The offered rule as the person changed it; as it was offered if absent.
 */
rule?: RuleEdit, 
/**
 * Only these parts of the preview; all that are still open if absent.
 */
parts?: Array<number>, 
/**
 * The approval hash of what was shown. A yes needs it; a no may go without.
 */
hash?: Sha256, 
/**
 * Said to the model and kept in the audit.
 */
reason?: string, };

/**
 * One of them.
 */
export type DecisionOn = { 
/**
 * What it is about.
 */
id: ActionId, 
/**
 * The answer, with the hash of what was shown.
 */
decision: Decision, };

/**
 * How far an approval reaches.
 */
export type DecisionScope = "once" | "turn" | "class" | "always";

/**
 * What became of one of them: the action as it is then, or why the answer was not taken.
 */
export type DecisionTaken = { 
/**
 * What it is about.
 */
id: ActionId, 
/**
 * The action, if the answer was taken.
 */
submitted?: Submitted, 
/**
 * Why it was not; the same as one answer alone would get.
 */
failure?: Failure, };

/**
 * `POST actions/decisions`: answers to several requests, each to what was shown of that one. They are taken in order,
 * and one that can't be taken keeps no other from being taken.
 */
export type Decisions = { 
/**
 * The answers; at most 100.
 */
decisions: Array<DecisionOn>, };

/**
 * The description of an action.
 */
export type Descriptor = { 
/**
 * `noun.verb`.
 */
name: ActionName, 
/**
 * One line in the imperative.
 */
summary: string, 
/**
 * How to use it, for models and users.
 */
description: string, 
/**
 * JSON Schema of the arguments, generated from the Rust type.
 */
args_schema: unknown, 
/**
 * Conditions that must hold before it can run.
 */
preconditions: Array<string>, 
/**
 * The scope of its effect.
 */
effect: EffectScope, 
/**
 * The risks it always has. Arguments can add risks, but not remove any.
 */
risks: Risks, 
/**
 * The grant that a program needs for it; derived from name and risks.
 */
grant_needed: GrantNeeded, 
/**
 * Where it may run.
 */
places: Array<Place>, 
/**
 * Whether it can be undone.
 */
undo: UndoSupport, 
/**
 * At least one.
 */
examples: Array<ActionExample>, 
/**
 * Sentences that people say for it, in the notation of [`crate::Phrase`], for the fast path and the search.
 */
phrases: Array<string>, 
/**
 * Words for the search.
 */
tags: Array<string>, 
/**
 * Safety notes.
 */
safety: Array<string>, 
/**
 * The origin of this text: `external` for a tool of another program, which is untrusted.
 */
label: Label, };

/**
 * One line of `GET devices`: a signed-in browser of the owner. `DELETE devices/{id}` signs it out.
 */
export type Device = { 
/**
 * Which one.
 */
id: DeviceId, 
/**
 * The browser and the system, by what it says of itself.
 */
name: string, 
/**
 * The folder that it opens.
 */
workspace: string, 
/**
 * When it signed in.
 */
since: Timestamp, 
/**
 * When a window of it was last opened.
 */
used: Timestamp, };

/**
 * One signed-in browser.
 */
export type DeviceId = string;

/**
 * Answer of `GET devices`.
 */
export type Devices = { 
/**
 * The device of whoever asks; none for a program.
 */
mine?: DeviceId, 
/**
 * All devices, the last used first.
 */
devices: Array<Device>, };

/**
 * A cell of a notebook that changes.
 */
export type DiffCell = { 
/**
 * What it is called.
 */
key: string, 
/**
 * What it holds: `code`, `markdown`, `raw`, or what the notebook says.
 */
kind: string, 
/**
 * Its place in the notebook when this was shown, from 1.
 */
number: number, };

/**
 * What a document is called on the wire.
 */
export type DocumentName = { "kind": "file", 
/**
 * Which file.
 */
path: WorkspacePath, } | { "kind": "layout" };

/**
 * How a document stands with its file.
 */
export type DocumentState = { 
/**
 * The version of the text.
 */
version: Sha256, 
/**
 * Tells whether the file holds this text.
 */
saved: boolean, 
/**
 * The file is gone; the document is kept.
 */
gone: boolean, 
/**
 * Why the document can't be written now; it is kept and tried again.
 */
problem: Failure | null, 
/**
 * Tells whether a person has to say that the file may become empty or much shorter, or be upgraded.
 */
needs_word: boolean, 
/**
 * The older format of a notebook's file, which stays as it is until a person has it upgraded.
 */
older_format?: number, };

/**
 * One of `GET files/versions?path=`: a version of a document that is kept, the latest first. `doc.restore` brings one back.
 */
export type DocumentVersion = { 
/**
 * Names it.
 */
id: KeptVersionId, 
/**
 * Since when the document had this text.
 */
at: Timestamp, 
/**
 * How long it is.
 */
bytes: number, 
/**
 * What has led to it since the version before, in words: "typing, doc.edit by the assistant".
 */
made_by: string, };

/**
 * `PATCH chats/messages/{id}`: changes what one has said oneself. `DELETE` takes it back.
 */
export type EditMessage = { 
/**
 * The new text.
 */
text: string, };

/**
 * The scope of an action's effect.
 */
export type EffectScope = "ui" | "workspace" | "account" | "system";

/**
 * A request as the Gate took it in: what people, logs and the API see.
 */
export type Envelope = { 
/**
 * The action's id.
 */
id: ActionId, 
/**
 * SHA-256 of the canonical JSON of all other fields but the id.
 */
hash: Sha256, 
/**
 * Which action.
 */
action_type: ActionName, 
/**
 * Names of the objects it is about.
 */
target: { [key in string]: string }, 
/**
 * The arguments.
 */
args: unknown, 
/**
 * Computed by the Gate from the descriptor and the handler's assessment.
 */
risk_level: Risks, 
/**
 * Computed by the Gate from policy.
 */
requires_confirmation: boolean, 
/**
 * Given, or derived.
 */
idempotency_key: string, 
/**
 * Free words for the audit.
 */
audit_context: unknown, };

/**
 * One life of a live document: a CRDT history that shares nothing with another epoch's.
 */
export type EpochId = string;

/**
 * Any answer that is not a success: `{"error": {code, message, hint?, data}}`.
 */
export type ErrorBody = { 
/**
 * What went wrong.
 */
error: Failure, };

/**
 * The body of `POST models/estimate`: a message that is not sent. Nothing outside this machine is asked.
 */
export type EstimateTurn = { 
/**
 * The thread it would go to; a new one if absent.
 */
thread?: ThreadId, 
/**
 * The model that would answer; else that of the thread or the workspace.
 */
model?: ModelRef, 
/**
 * The message.
 */
text: string, 
/**
 * Where the person is looking.
 */
focus?: Focus, 
/**
 * What goes along beside that.
 */
attached?: Array<Attached>, };

/**
 * All words of a command.
 */
export type ExactCommand = { 
/**
 * The words.
 */
exact: Array<string>, };

/**
 * A request to try a rule on, spelled out.
 */
export type ExampleRequest = { 
/**
 * The action.
 */
action?: string, 
/**
 * Its risks.
 */
risks?: Risks, 
/**
 * The files it touches.
 */
paths?: Array<string>, 
/**
 * The line that a shell would run.
 */
command?: string, 
/**
 * Who asks.
 */
origin?: OriginKind, 
/**
 * How the thread reviews edits.
 */
review?: ReviewMode, 
/**
 * Its arguments.
 */
args?: unknown, };

/**
 * One run of one cell of a notebook.
 */
export type ExecutionId = string;

/**
 * How a run of a cell is.
 */
export type ExecutionState = "queued" | "running" | "ok" | "failed" | "aborted" | "lost";

/**
 * What would become of a request, and why, rule by rule.
 */
export type Explanation = { 
/**
 * The verdict.
 */
verdict: Verdict, 
/**
 * Every rule, in the order in which they are looked at; empty if policy was not asked.
 */
rules: Array<RuleCheck>, 
/**
 * The request as a dry run took it in.
 */
record: ActionRecord, };

/**
 * Why something could not be done, in a form that a program, a model and a person can use.
 */
export type Failure = { 
/**
 * A stable word: `not_found`, `no_match`, `ambiguous`, `stale`, `invalid_args`, `io` …
 */
code: string, 
/**
 * What was attempted, on what, and what came of it.
 */
message: string, 
/**
 * What to try.
 */
hint?: string, 
/**
 * Details, such as the report of an edit.
 */
data: unknown, };

/**
 * Which agent works on a file.
 */
export type FileAgent = "coding" | "notebook" | "none";

/**
 * What happens to a file as a whole.
 */
export type FileChange = { "kind": "created" } | { "kind": "edited" } | { "kind": "deleted" } | { "kind": "moved", 
/**
 * The path it had.
 */
from: WorkspacePath, } | { "kind": "copied", 
/**
 * What it is a copy of.
 */
from: WorkspacePath, };

/**
 * The change of one file.
 */
export type FileDiff = { 
/**
 * Which file.
 */
path: WorkspacePath, 
/**
 * What happens to it as a whole.
 */
change: FileChange, 
/**
 * The version the hunks' line numbers are in.
 */
base: Sha256 | null, 
/**
 * The changed lines, in order.
 */
hunks: Array<Hunk>, 
/**
 * Said in place of hunks: "binary, 12 kB", "the first 400 of 9,000 lines".
 */
note?: string, 
/**
 * The cell that changes, if the file is a notebook; lines are counted in its text, and `base` is its version.
 */
cell?: DiffCell, };

/**
 * What shows a file.
 */
export type FileEditor = "text" | "notebook" | "pdf" | "image" | "table" | "rows" | "tree" | "page" | "audio" | "video" | "bytes";

/**
 * One file or folder.
 */
export type FileEntry = { 
/**
 * Its path.
 */
path: WorkspacePath, 
/**
 * Tells whether it is a folder.
 */
folder: boolean, 
/**
 * Bytes; 0 for a folder.
 */
size: number, 
/**
 * Git ignores it.
 */
ignored: boolean, 
/**
 * It is a symbolic link.
 */
link: boolean, };

/**
 * The icon beside a file's name.
 */
export type FileIcon = "code" | "text" | "data" | "shell" | "settings" | "table" | "notebook" | "image" | "pdf" | "media" | "binary";

/**
 * A kind of file; for a text also the language it is in.
 */
export type FileKind = "plain" | "markdown" | "restructuredtext" | "org" | "tex" | "bibtex" | "typst" | "textile" | "troff" | "asciidoc" | "python" | "r" | "julia" | "octave" | "mathematica" | "sas" | "fortran" | "c" | "cpp" | "objectivec" | "java" | "csharp" | "kotlin" | "scala" | "groovy" | "dart" | "rust" | "go" | "zig" | "swift" | "javascript" | "typescript" | "tsx" | "vue" | "html" | "jinja" | "css" | "sass" | "scss" | "stylus" | "pug" | "php" | "ruby" | "perl" | "lua" | "tcl" | "haskell" | "ocaml" | "fsharp" | "elm" | "erlang" | "elixir" | "clojure" | "lisp" | "scheme" | "pascal" | "d" | "crystal" | "nim" | "vb" | "cobol" | "verilog" | "vhdl" | "assembly" | "webassembly" | "sql" | "sparql" | "stan" | "gherkin" | "proto" | "graphql" | "diff" | "shell" | "fish" | "powershell" | "batch" | "awk" | "vim" | "makefile" | "cmake" | "dockerfile" | "just" | "meson" | "starlark" | "nix" | "terraform" | "puppet" | "nginx" | "yaml" | "toml" | "properties" | "ignore" | "json" | "xml" | "turtle" | "table" | "parquet" | "notebook" | "pdf" | "image" | "audio" | "video" | "binary";

/**
 * `GET labels?path=`: whose content is in a file or folder.
 */
export type FileLabel = { 
/**
 * The writer: `workspace` (the user), `model` (the assistant) or `external`.
 */
label: Label, 
/**
 * Once a model has read it, riskier requests need approval each time.
 */
untrusted: boolean, 
/**
 * Why, as a part of a sentence: "a log, which programs write".
 */
why: string, 
/**
 * Something was said of this very place: by a person, or because of what was written into it.
 */
said: boolean, };

/**
 * `GET files/names`: every path that is not ignored, for the quick-open list.
 */
export type FileNames = { 
/**
 * The paths, sorted.
 */
paths: Array<WorkspacePath>, 
/**
 * Set when there were more than the limit.
 */
truncated: boolean, };

/**
 * The question of `GET audit`, in the address. What is absent is not asked for.
 */
export type FindAudit = { 
/**
 * The person who asked or decided.
 */
by?: string, 
/**
 * The kind of origin: `user`, `cli`, `turn` …
 */
origin?: string, 
/**
 * A path or id of what it touches or changed; `src/` stands for all below that folder.
 */
object?: string, 
/**
 * An action's id, with what undid it, or an action's name.
 */
action?: string, 
/**
 * One or several states with commas between; `done,failed,refused,interrupted` gives one entry for each action
 * that ended.
 */
state?: string, 
/**
 * Whole words that all occur.
 */
text?: string, 
/**
 * Not before this time: a date, RFC 3339, or milliseconds since 1970.
 */
from?: string, 
/**
 * Before this time.
 */
to?: string, 
/**
 * Before this position: the last `seq` of the page before.
 */
before?: number, 
/**
 * After this position. With it the oldest come first, else the newest.
 */
after?: number, 
/**
 * At most so many; 100 if absent, 1,000 at most.
 */
limit?: number, };

/**
 * The end of a search in files.
 */
export type FindDone = { 
/**
 * Files with matches.
 */
files: number, 
/**
 * Lines with matches that were sent.
 */
lines: number, 
/**
 * Files that were searched.
 */
looked_through: number, 
/**
 * There may be more matches.
 */
more: boolean, 
/**
 * Milliseconds that it took.
 */
took_ms: number, };

/**
 * The body of `POST find`. The answer is NDJSON, one [`FindLine`] a line; closing the connection ends the search.
 */
export type FindInFiles = { 
/**
 * The text within one line, or a regular expression.
 */
text: string, 
/**
 * The text is a regular expression.
 */
regex?: boolean, 
/**
 * Upper and lower case differ.
 */
match_case?: boolean, 
/**
 * A match begins and ends at the edge of a word.
 */
whole_words?: boolean, 
/**
 * Only in this folder or file.
 */
within?: WorkspacePath, 
/**
 * Globs of the files to search; empty for all. A glob without a slash holds at any depth.
 */
include?: Array<string>, 
/**
 * Globs of files and folders to leave out.
 */
exclude?: Array<string>, 
/**
 * Lines after which the search ends; 10,000 unless said.
 */
limit?: number, };

/**
 * One line of the answer of `POST find`: files as they are found, in no order, and last `done` or `failed`.
 */
export type FindLine = { "file": FoundFile } | { "done": FindDone } | { "failed": Failure };

/**
 * Where the person is looking when a message is sent.
 */
export type Focus = { 
/**
 * The file in the focused pane.
 */
path: WorkspacePath, 
/**
 * The cell of a notebook, by its key; lines are counted in its text then.
 */
cell?: string, 
/**
 * The line of the cursor, from 1.
 */
cursor?: number, 
/**
 * The selected lines, if something is selected.
 */
selection?: LineRange, 
/**
 * The lines that are visible.
 */
viewport?: LineRange, 
/**
 * What of it is sent; if absent, what the assistant needs: a small file whole, else what is around.
 */
scope?: FocusScope, };

/**
 * What of a file goes along with a message, because the person chose it. Never more than that.
 */
export type FocusScope = "cursor" | "selection" | "viewport" | "whole" | "nothing";

/**
 * A file with matches.
 */
export type FoundFile = { 
/**
 * The file.
 */
path: WorkspacePath, 
/**
 * Its lines with matches.
 */
lines: Array<FoundLine>, 
/**
 * It has more of them.
 */
more: boolean, };

/**
 * A kernel that can be started.
 */
export type FoundKernel = { 
/**
 * What it is asked for by; unique. `NAME@ENVIRONMENT` where Jupyter would find another kernel of this name first.
 */
name: string, 
/**
 * For people.
 */
display_name: string, 
/**
 * The language it runs, as the kernel spells it; empty if it doesn't say.
 */
language: string, 
/**
 * Whose it is.
 */
place: KernelPlace, 
/**
 * The folder that describes it, or the interpreter where no file does.
 */
path: string, };

/**
 * All that was found of kernels.
 */
export type FoundKernels = { 
/**
 * Those that can be started; of two with one name the one that is used comes first.
 */
kernels: Array<FoundKernel>, 
/**
 * Environments of Python that have no kernel.
 */
without_kernel: Array<WithoutKernel>, 
/**
 * What is wrong with kernels that are therefore left out, or with a part of one that is not.
 */
problems: Array<KernelProblem>, };

/**
 * A line with matches.
 */
export type FoundLine = { 
/**
 * Its number, from 1; in a notebook, the cell’s.
 */
line: number, 
/**
 * Its text, cut around the first match if it is long.
 */
text: string, 
/**
 * Beginnings and ends of the matches in the text, in UTF-16 units.
 */
marks: Array<[number, number]>, };

/**
 * `PUT models/consent/PROVIDER`: content may go there. `DELETE` takes it back.
 */
export type GiveConsent = { 
/**
 * Where to, as it was shown (`ProviderStatus::host`, `ModelStatus::host`): if that has changed since, the answer is
 * 409.
 */
host: string, };

/**
 * `POST notebooks/go-on`: a run that has put out much may put out as much again.
 */
export type GoOn = { 
/**
 * The notebook.
 */
path: WorkspacePath, 
/**
 * The run that waits.
 */
execution: ExecutionId, };

/**
 * A subset of actions, risks and paths, with an end.
 */
export type Grant = { 
/**
 * Its id, if it is a stored one; a person's own and an agent's profile have none.
 */
id: GrantId | null, 
/**
 * The stored grants that it was narrowed from; it ends with any of them.
 */
within: Array<GrantId>, 
/**
 * Who or what holds it, for messages: "Coding Agent", "hint mode".
 */
name: string, 
/**
 * The actions; all if absent.
 */
actions?: Array<ActionPattern>, 
/**
 * Groups of actions that are turned off.
 */
without?: Array<ActionGroup>, 
/**
 * The classes of risk.
 */
risks: Risks, 
/**
 * Where: every file that is touched has to be covered by some pattern of each list. No list: anywhere.
 */
paths: Array<Array<PathGlob>>, 
/**
 * When it ends.
 */
expires?: Timestamp, };

/**
 * One grant that is stored, from its creation to its end.
 */
export type GrantId = string;

/**
 * The limits of a grant. An absent field sets no limit.
 */
export type GrantLimits = { 
/**
 * Only these actions: `doc.edit`, or `doc.*` for all of a noun.
 */
actions?: Array<ActionPattern>, 
/**
 * Only these classes of risk.
 */
risks?: Risks, 
/**
 * Only files under these patterns: `src/**`, `notes/*.md`.
 */
paths?: Array<PathGlob>, 
/**
 * The expiry; milliseconds since 1970.
 */
expires?: Timestamp, };

/**
 * Answer of `POST grants`.
 */
export type GrantMade = { 
/**
 * What was made.
 */
record: GrantRecord, 
/**
 * The secret that names it. It is said this once: only its hash is kept.
 */
token: string, };

/**
 * The grant that a request for an action needs. Arguments can add risks, and the policy still applies.
 */
export type GrantNeeded = { 
/**
 * The grant's actions include one of these, if it names any.
 */
actions: Array<ActionPattern>, 
/**
 * The grant's risks include all of these.
 */
risks: Risks, };

/**
 * A stored grant and what became of it.
 */
export type GrantRecord = { 
/**
 * What it covers.
 */
grant: Grant, 
/**
 * Who made it.
 */
by: string, 
/**
 * When.
 */
created: Timestamp, 
/**
 * When it was revoked; nothing runs under it since.
 */
revoked: Timestamp | null, 
/**
 * The secret that names it, once it was handed out.
 */
token: TokenRecord | null, };

/**
 * Which grant something was done under, for records and the audit.
 */
export type GrantRef = { 
/**
 * Its id, if it is a stored one.
 */
id: GrantId | null, 
/**
 * Its name.
 */
name: string, 
/**
 * The stored grants that it was narrowed from.
 */
within?: Array<GrantId>, };

/**
 * A link between two files of a graph.
 */
export type GraphEdge = { 
/**
 * The place in `nodes` of the linking note.
 */
from: number, 
/**
 * The place in `nodes` of the linked file.
 */
to: number, };

/**
 * A note or another file in a graph.
 */
export type GraphNode = { 
/**
 * The file.
 */
path: WorkspacePath, 
/**
 * The title of a note, the name of another file.
 */
title: string, 
/**
 * Links between it and the first note.
 */
distance: number, 
/**
 * It is a note.
 */
is_note: boolean, };

/**
 * The guards that force a confirmation.
 */
export type Guard = "large_deletion" | "emptying" | "whole_file" | "elision" | "hidden_characters" | "unbalanced" | "loose_match" | "no_sandbox" | "unknown_tool" | "external_content";

/**
 * Answer of `POST people/{id}/link`, which makes the link of a guest whom `guest.invite` let in. `DELETE people/{id}` ends it.
 */
export type GuestLink = { 
/**
 * The guest who may come in now.
 */
person: Person, 
/**
 * The secret of their link, `…/#token=SECRET`. It is said this once: only its hash is kept.
 */
token: string, };

/**
 * The Navigator's offer to hand its work over to an agent that can do more: all that this agent needs to begin.
 */
export type HandOff = { 
/**
 * Why the Navigator does not do it, in a few words: "this needs edits in many files".
 */
reason: string, 
/**
 * The goal, what is done, and what is left, for the other agent.
 */
summary: string, 
/**
 * The objects that the work is about: those that the turn has touched, and those that the model names.
 */
objects: Array<ObjectRef>, 
/**
 * The actions of the turn that wait for a person.
 */
waiting: Array<ActionId>, 
/**
 * The grant of the turn: the other agent gets no more than this.
 */
grant: Grant, };

/**
 * A run that has put out so much that nothing more is taken from it before a person says so.
 */
export type HeldBack = { 
/**
 * The run.
 */
execution: ExecutionId, 
/**
 * About how many bytes it has put out.
 */
bytes: number, };

/**
 * What past sessions speak for.
 */
export type HistoryAdvice = { 
/**
 * Models that did such tasks as well for less.
 */
models: Array<HistoryCheaper>, 
/**
 * Habits that are worth writing down.
 */
skills: Array<HistorySkill>, };

/**
 * A model that did tasks of a kind as well, for less than the one that mostly did them.
 */
export type HistoryCheaper = { 
/**
 * The kind of task, in a word or two.
 */
task: string, 
/**
 * The model that mostly did them.
 */
current: string, 
/**
 * The other one.
 */
cheaper: string, 
/**
 * What a session took with the first, in dollars: the middle one of all.
 */
current_dollars: number, 
/**
 * With the other one.
 */
cheaper_dollars: number, 
/**
 * Sessions of this kind.
 */
sessions: number, 
/**
 * Those with the cheaper model that did not fail.
 */
evidence: Array<HistoryPlace>, };

/**
 * What a folder is a clone of.
 */
export type HistoryClone = { 
/**
 * `owner/name`.
 */
repo: string, 
/**
 * Where it came from, such as `github.com`.
 */
host: string, };

/**
 * How a month of a plan goes.
 */
export type HistoryCourse = { 
/**
 * Its first day.
 */
start: string, 
/**
 * Its last day.
 */
end: string, 
/**
 * Dollars of the plan.
 */
budget: number, 
/**
 * Dollars so far.
 */
used: number, 
/**
 * Dollars at the end, if it goes on like this.
 */
projected: number, 
/**
 * `ok`, `warn` or `over`.
 */
status: string, 
/**
 * What to tell the person.
 */
alert?: string, };

/**
 * Sums for charts.
 */
export type HistoryDashboard = { 
/**
 * All of it.
 */
totals: HistorySums, 
/**
 * Sessions in which a model answered.
 */
sessions: number, 
/**
 * The earliest first.
 */
days: Array<HistoryGroup>, 
/**
 * The dearest first.
 */
models: Array<HistoryGroup>, 
/**
 * The dearest first.
 */
workspaces: Array<HistoryGroup>, 
/**
 * The dearest first.
 */
programs: Array<HistoryGroup>, 
/**
 * Hours of the week that saw any answer.
 */
hours: Array<HistoryHour>, 
/**
 * Models of these that are served no more: they are priced as their makers last published it.
 */
retired: Array<string>, 
/**
 * How the month of the person's plan goes.
 */
course?: HistoryCourse, };

/**
 * Something that was said or done.
 */
export type HistoryEntry = { 
/**
 * When.
 */
at?: Timestamp, 
/**
 * The log that it stands in.
 */
file: string, 
/**
 * Bytes before it.
 */
offset: number, 
/**
 * By or to a model that another had started.
 */
side: boolean, 
/**
 * What it was.
 */
what: HistoryWhat, };

/**
 * A file at a moment.
 */
export type HistoryFile = { 
/**
 * Its path.
 */
path: string, 
/**
 * It was changed, and not only read.
 */
changed: boolean, 
/**
 * It is there no more.
 */
deleted: boolean, 
/**
 * All of its text is known.
 */
complete: boolean, 
/**
 * Its text, if this file was asked for and it is known.
 */
text?: string, 
/**
 * Its text before it was first changed, likewise; absent if not all of that is known, empty if it was not there.
 */
before?: string, };

/**
 * Sums of what has a name in common.
 */
export type HistoryGroup = { 
/**
 * A day, model, folder or program.
 */
name: string, 
/**
 * Its sessions.
 */
sessions: number, 
/**
 * What it took and cost.
 */
sums: HistorySums, };

/**
 * An hour of the week.
 */
export type HistoryHour = { 
/**
 * From 0, Monday.
 */
weekday: number, 
/**
 * From 0.
 */
hour: number, 
/**
 * Answers in it.
 */
responses: number, 
/**
 * Dollars.
 */
dollars: number, };

/**
 * A page of what happened in a session.
 */
export type HistoryPage = { 
/**
 * The session.
 */
session: HistorySession, 
/**
 * Where it was taken up, if it goes on from another one; what its log repeats of that one is told there.
 */
resumed_from?: HistoryResumed, 
/**
 * What happened, in order.
 */
entries: Array<HistoryEntry>, 
/**
 * There is more.
 */
more: boolean, };

/**
 * A piece of a file that was replaced.
 */
export type HistoryPiece = { 
/**
 * What was there.
 */
before: string, 
/**
 * What is there then.
 */
after: string, };

/**
 * Where something stands in the logs.
 */
export type HistoryPlace = { 
/**
 * The session.
 */
session: string, 
/**
 * The log.
 */
file: string, 
/**
 * Bytes before it, or its row in a database.
 */
offset: number, };

/**
 * What the person pays a month.
 */
export type HistoryPlan = { 
/**
 * `claude-pro`, `claude-max`, `cursor-pro`, `cursor-max`, or any other with an amount.
 */
name: string, 
/**
 * Dollars a month.
 */
monthly_usd?: number, 
/**
 * The day of the month on which it begins anew.
 */
reset_day: number, };

/**
 * What a session did to files.
 */
export type HistoryPlayback = { 
/**
 * Each single thing, in order.
 */
steps: Array<HistoryStep>, 
/**
 * The files after one of them.
 */
files: Array<HistoryFile>, 
/**
 * What the last change of the wanted file did until then; empty if all of its text is known.
 */
change: Array<HistoryPiece>, 
/**
 * What can't be known.
 */
warnings: Array<string>, };

/**
 * Something that could not be read.
 */
export type HistoryProblem = { 
/**
 * The log, or the folder.
 */
path: string, 
/**
 * Bytes before the line, in a database the number of the row; absent if it is all of it.
 */
offset?: number, 
/**
 * What is wrong with it.
 */
reason: string, };

/**
 * `GET history/problems?from=0`: what could not be read of logs. What stands beside it was.
 */
export type HistoryProblems = { 
/**
 * Files and folders first, then lines.
 */
problems: Array<HistoryProblem>, 
/**
 * There are more after these.
 */
more: boolean, };

/**
 * `POST history/pull`: pull requests, runs and commits of a repository are asked for at its host.
 */
export type HistoryPull = { 
/**
 * `owner/name`.
 */
repo: string, 
/**
 * `github.com` if absent, `gitlab.com`, or the address of another one's interface.
 */
host?: string, 
/**
 * The person lets this host be asked, from now on.
 */
allow: boolean, };

/**
 * A pull request, as its host told of it.
 */
export type HistoryPullRequest = { 
/**
 * `github` or `gitlab`.
 */
provider: string, 
/**
 * `owner/name`.
 */
repo: string, 
/**
 * Its number there.
 */
number: number, 
/**
 * Its title.
 */
title: string, 
/**
 * `open`, `merged` or `closed`.
 */
state: string, 
/**
 * It was taken back.
 */
reverted: boolean, 
/**
 * What its reviewers said: `approved`, `changes_requested` or `commented`.
 */
review?: string, 
/**
 * Whose it is.
 */
author?: string, 
/**
 * When it was merged, else when it last changed.
 */
at?: Timestamp, 
/**
 * The address of its page.
 */
page?: string, };

/**
 * `GET history/pulls?repo=…&state=…&since=…&from=0`: a page of pull requests, the one that changed last first.
 */
export type HistoryPullRequests = { 
/**
 * The pull requests.
 */
pulls: Array<HistoryPullRequest>, 
/**
 * There are more.
 */
more: boolean, };

/**
 * What came of it.
 */
export type HistoryPulled = { 
/**
 * Which repository.
 */
repo: string, 
/**
 * Where it was asked about.
 */
host: string, 
/**
 * Pull requests, runs and commits that were told.
 */
pull_requests: number, 
/**
 * Runs.
 */
runs: number, 
/**
 * Commits.
 */
commits: number, 
/**
 * Of all these, not known before.
 */
new: number, 
/**
 * Lists in which nothing had changed since the last time.
 */
unchanged: number, 
/**
 * Lists that the host refused; the others were asked for.
 */
refused: Array<HistoryRefused>, 
/**
 * Lists that go on after the latest rows, which were all that was asked for.
 */
longer: Array<string>, 
/**
 * Why not all was asked for; what came before that is kept.
 */
stopped?: string, };

/**
 * A list that a host refused.
 */
export type HistoryRefused = { 
/**
 * `pull requests`, `runs` or `commits`.
 */
list: string, 
/**
 * What the host said, and what to try.
 */
reason: string, };

/**
 * Where a session was taken up.
 */
export type HistoryResumed = { 
/**
 * The session before.
 */
session: HistorySession, 
/**
 * The log in which its last record stands that is repeated.
 */
file: string, 
/**
 * Bytes before that record.
 */
offset: number, };

/**
 * What went wrong with changes to a file before.
 */
export type HistoryRisk = { 
/**
 * Such as `reverted twice in June`; absent if nothing did.
 */
line?: string, };

/**
 * A run, as its host told of it.
 */
export type HistoryRun = { 
/**
 * `github`, `gitlab` or `generic-ci`.
 */
provider: string, 
/**
 * `owner/name`.
 */
repo: string, 
/**
 * The host's own id of it.
 */
id: string, 
/**
 * The commit that it is of.
 */
commit?: string, 
/**
 * `success`, `failure`, `cancelled`, `skipped`, `pending` or `in_progress`.
 */
status: string, 
/**
 * What it is called.
 */
workflow?: string, 
/**
 * When it began.
 */
started?: Timestamp, 
/**
 * When it ended.
 */
completed?: Timestamp, 
/**
 * The address of its page.
 */
page?: string, };

/**
 * `GET history/runs?repo=…&state=…&since=…&from=0`: a page of runs of continuous integration, the one that began last first.
 */
export type HistoryRuns = { 
/**
 * The runs.
 */
runs: Array<HistoryRun>, 
/**
 * There are more.
 */
more: boolean, };

/**
 * A session of another program, or of Aside.
 */
export type HistorySession = { 
/**
 * The program's own id.
 */
id: string, 
/**
 * The program.
 */
program: string, 
/**
 * The folder that it ran in.
 */
workspace?: string, 
/**
 * Its name.
 */
title?: string, 
/**
 * When it began.
 */
first?: string, 
/**
 * When it was last written to.
 */
last?: string, 
/**
 * What was said in it.
 */
messages: number, 
/**
 * Dollars; absent if no price is known.
 */
dollars?: number, 
/**
 * Some of that is a guess.
 */
estimated: boolean, 
/**
 * Answers without a known price, which are not in it.
 */
unpriced: number, 
/**
 * What was found in it, or what the person said first.
 */
snippet?: string, };

/**
 * A page of sessions, the newest first.
 */
export type HistorySessions = { 
/**
 * The sessions.
 */
sessions: Array<HistorySession>, 
/**
 * There are more.
 */
more: boolean, };

/**
 * What the person says of their history.
 */
export type HistorySettings = { 
/**
 * Logs are read while servers run.
 */
import: boolean, 
/**
 * What they pay a month; none if they don't say.
 */
plan?: HistoryPlan, };

/**
 * Something that comes again in the sessions of a folder.
 */
export type HistorySkill = { 
/**
 * What it is, in a sentence.
 */
description: string, 
/**
 * What the file of the skill would be called.
 */
name: string, 
/**
 * The command that writes it, to look at and to run.
 */
command: string, 
/**
 * In how many sessions it was seen.
 */
sessions: number, 
/**
 * Where it was seen last.
 */
evidence: Array<HistoryPlace>, };

/**
 * A kind of file or of record that is not read.
 */
export type HistorySkip = { 
/**
 * The program.
 */
program: string, 
/**
 * The kind of file or record, for people.
 */
kind: string, 
/**
 * How many there are.
 */
count: number, 
/**
 * Where one of them is.
 */
example: string, 
/**
 * Advice on how to get it read.
 */
hint: string, };

/**
 * How the history stands.
 */
export type HistoryStanding = { 
/**
 * Logs are read while servers run; the person can turn that off.
 */
import: boolean, 
/**
 * They are being read now.
 */
reading: boolean, 
/**
 * Logs that are known.
 */
files: number, 
/**
 * Messages that can't be searched yet.
 */
texts_left: number, 
/**
 * Lines, files and folders that could not be read: `GET history/problems` names them.
 */
problems: number, 
/**
 * Kinds of files that look like logs, and of records with tokens, that are not read.
 */
skipped: Array<HistorySkip>, 
/**
 * Why it can't be shown, or what is wrong with its settings.
 */
problem?: string, 
/**
 * What the person pays a month.
 */
plan?: HistoryPlan, 
/**
 * The repositories of which a host told.
 */
repos: Array<string>, 
/**
 * What the workspace is a clone of.
 */
clone?: HistoryClone, };

/**
 * One thing that was done to a file.
 */
export type HistoryStep = { 
/**
 * When.
 */
at?: Timestamp, 
/**
 * The file.
 */
path: string, 
/**
 * What the program calls it.
 */
name: string, };

/**
 * What answers took and cost.
 */
export type HistorySums = { 
/**
 * Answers of models.
 */
responses: number, 
/**
 * Tokens, by kind.
 */
input: number, 
/**
 * Answered.
 */
output: number, 
/**
 * Read from caches.
 */
cache_read: number, 
/**
 * Written to caches.
 */
cache_write: number, 
/**
 * Dollars, without what has no known price.
 */
dollars: number, 
/**
 * Answers whose cost was worked out without knowing all that counts.
 */
estimated: number, 
/**
 * Answers without a known price.
 */
unpriced: number, };

/**
 * What was said or done.
 */
export type HistoryWhat = { "kind": "message", 
/**
 * By the person; else by a model.
 */
user: boolean, 
/**
 * What; absent if the log is gone.
 */
text?: string, 
/**
 * There is more of it.
 */
cut: boolean, } | { "kind": "call", 
/**
 * What the program calls it.
 */
name: string, 
/**
 * The line of a shell.
 */
command?: string, 
/**
 * The files that it is about.
 */
paths: Array<string>, 
/**
 * Whether it went well, as far as is known.
 */
ok?: boolean, };

/**
 * Some lines that become other lines; the smallest part of an edit that can be decided on its own.
 */
export type Hunk = { 
/**
 * Number within the preview, from 0: the *part* of a decision.
 */
part: number, 
/**
 * First line that goes, in the version the preview was made for, from 1; with no line that goes,
 * the new ones come before this line.
 */
start: number, 
/**
 * The lines that go, without their terminators.
 */
old: Array<string>, 
/**
 * The lines that come.
 */
new: Array<string>, 
/**
 * Up to three lines above, for reading only.
 */
before: Array<string>, 
/**
 * Up to three lines below, for reading only.
 */
after: Array<string>, 
/**
 * How sure the place is.
 */
confidence: Confidence, 
/**
 * Where it is in the live document, if that is open.
 */
anchor?: HunkAnchor, };

/**
 * Two CRDT-relative positions, opaque to all but the document that made them and the editor.
 */
export type HunkAnchor = { 
/**
 * Before the first changed character: an encoded Yjs relative position, base 64.
 */
start: string, 
/**
 * After the last changed character.
 */
end: string, };

/**
 * A line of input that running code waits for.
 */
export type InputAsked = { 
/**
 * The run that waits.
 */
execution: ExecutionId, 
/**
 * Which of its questions: later ones have larger numbers.
 */
question: number, 
/**
 * What is shown before it.
 */
prompt: string, 
/**
 * What is typed is neither shown nor stored.
 */
password: boolean, };

/**
 * One file of standing instructions.
 */
export type InstructionFile = { 
/**
 * Which one.
 */
at: InstructionsAt, 
/**
 * What it is called.
 */
name: string, 
/**
 * How long it is.
 */
bytes: number, 
/**
 * How much of it goes along; less if it is longer than the limit.
 */
sent: number, 
/**
 * Whose word it is.
 */
label: Label, 
/**
 * Why, as a part of a sentence.
 */
why: string, 
/**
 * A person has left it out of the thread.
 */
left_out: boolean, 
/**
 * Why it can't be read.
 */
problem: string | null, };

/**
 * Where standing instructions are kept, in the order in which they are sent: what is nearer to the document comes later.
 */
export type InstructionsAt = { "kind": "person" } | { "kind": "workspace" } | { "kind": "file", 
/**
 * Which one; it is about the folder it is in.
 */
path: WorkspacePath, };

/**
 * One text of a document that is kept after something else took its place.
 */
export type KeptVersionId = string;

/**
 * What could stand there.
 */
export type KernelCompletions = { 
/**
 * Texts that would replace what is between `start` and `end`.
 */
matches: Array<string>, 
/**
 * In UTF-16 units.
 */
start: number, 
/**
 * In UTF-16 units.
 */
end: number, };

/**
 * What is there.
 */
export type KernelInspection = { 
/**
 * Text with the colours of a terminal; absent if the kernel knows nothing.
 */
text: string | null, };

/**
 * Whose a kernel is, in the order in which kernels are looked for.
 */
export type KernelPlace = "named" | "environment" | "workspace" | "person" | "system";

/**
 * What is wrong with a kernel's description.
 */
export type KernelProblem = { 
/**
 * The file.
 */
path: string, 
/**
 * What is wrong, and where in it.
 */
message: string, };

/**
 * How a kernel is.
 */
export type KernelState = "absent" | "starting" | "idle" | "busy" | "restarting" | "dead";

/**
 * Where the key of a service is from. The environment goes before what is kept.
 */
export type KeySource = "none" | "environment" | "keyring" | "file";

/**
 * Where the key of one service is from.
 */
export type KeyStatus = { 
/**
 * `ProviderStatus::id`.
 */
service: string, 
/**
 * For people.
 */
name: string, 
/**
 * Where the key that is used is from.
 */
key: KeySource, 
/**
 * The variable, the keyring or the file that has it; absent if there is none.
 */
place: string | null, 
/**
 * What the person should know, such as that a kept key is not used because a variable is set.
 */
note: string | null, };

/**
 * The origin of content. Joined by `max`: content that is mixed with external content is external.
 */
export type Label = "user" | "workspace" | "model" | "external";

/**
 * Some content, and why it has its label.
 */
export type LabelSource = { 
/**
 * Its label.
 */
label: Label, 
/**
 * What it is: a path, "the output of `make`". One line, for reading only.
 */
what: string, 
/**
 * Why it has the label, as a part of a sentence: "a log, which programs write".
 */
why: string, 
/**
 * The action that brought it.
 */
action?: ActionId, 
/**
 * It is only what runs of this notebook put out here, and nothing else from outside led to them.
 */
runs_of?: WorkspacePath, 
/**
 * The user's assistant has written it, led by content from outside. Nothing else from outside came into it.
 */
by_assistant?: boolean, };

/**
 * A language server, and how it stands.
 */
export type LanguageServer = { 
/**
 * What the person calls it.
 */
name: string, 
/**
 * The kinds of files it is asked about.
 */
languages: Array<FileKind>, 
/**
 * Its program and arguments, as they were written.
 */
command: Array<string>, 
/**
 * Where its program is; absent if it was not found.
 */
program: string | null, 
/**
 * How it stands.
 */
state: LanguageServerState, 
/**
 * What went wrong, with its last words.
 */
said: string | null, 
/**
 * What to do about it.
 */
todo: string | null, };

/**
 * How a language server stands.
 */
export type LanguageServerState = "resting" | "missing" | "starting" | "ready" | "failed";

/**
 * `GET language-servers`: those that the person set up, and how they stand.
 */
export type LanguageServers = { 
/**
 * The file in which they are named; absent where the person has no folder of their own.
 */
file: string | null, 
/**
 * What is wrong with it.
 */
problem: string | null, 
/**
 * Each of them.
 */
servers: Array<LanguageServer>, };

/**
 * `GET latex/areas?path=&line=`: where a line of the source is in the PDF.
 */
export type LatexAreas = { 
/**
 * The PDF.
 */
pdf: WorkspacePath, 
/**
 * The places, in the order of the pages; none if the line put nothing on a page.
 */
areas: Array<PageArea>, };

/**
 * The last build of a document.
 */
export type LatexBuild = { 
/**
 * The main file.
 */
main: WorkspacePath, 
/**
 * The action that built it.
 */
action: ActionId, 
/**
 * How it ended.
 */
end: LatexEnd, 
/**
 * When it ended.
 */
at: Timestamp, 
/**
 * Milliseconds that its programs took.
 */
duration_ms: number, 
/**
 * Problems that broke it.
 */
errors: number, 
/**
 * Problems that did not.
 */
warnings: number, 
/**
 * The PDF of the last build that succeeded.
 */
pdf: WorkspacePath | null, };

/**
 * How a build ended.
 */
export type LatexEnd = "done" | "failed" | "stopped";

/**
 * A program that a document needs and that is not there.
 */
export type LatexMissing = { 
/**
 * The program.
 */
program: string, 
/**
 * Without it nothing can be built; else something in the document stays as it was.
 */
required: boolean, 
/**
 * How to install it on Debian and its kin.
 */
debian: string, 
/**
 * How to install it on macOS.
 */
macos: string, 
/**
 * How to install it on Windows.
 */
windows: string, };

/**
 * `GET latex/output?path=`: what the stages of the last build put out that found something wrong in a file.
 */
export type LatexOutput = { 
/**
 * The end of each, in the order in which they ran; none if nothing is known to be wrong there.
 */
stages: Array<SeedLog>, 
/**
 * The error that its log tells first, wherever that is.
 */
first: Problem | null, };

/**
 * `GET latex/source?path=&page=&x=&y=`: what a point of a PDF was made from.
 */
export type LatexSource = { 
/**
 * The source file; none if it is no file of the workspace.
 */
path: WorkspacePath | null, 
/**
 * The line, from 1.
 */
line: number | null, };

/**
 * `GET latex?path=`: the LaTeX document that a file belongs to.
 */
export type LatexState = { 
/**
 * Its main file.
 */
main: WorkspacePath, 
/**
 * The program that sets it.
 */
engine: string, 
/**
 * Why this one, in words.
 */
because: string, 
/**
 * Programs that it needs and that are not there.
 */
missing: Array<LatexMissing>, 
/**
 * What a person should know before a build.
 */
notes: Array<string>, 
/**
 * The action that builds it now.
 */
running: ActionId | null, 
/**
 * Its last build.
 */
last: LatexBuild | null, };

/**
 * The rules of one layer.
 */
export type LayerView = { 
/**
 * Which one.
 */
layer: PolicyLayer, 
/**
 * Where its rules are written; absent for what is built in.
 */
file: string | null, 
/**
 * What is wrong with the file; then no `allow` rule holds and all that changes something asks.
 */
problem: string | null, 
/**
 * Its rules.
 */
rules: Array<RuleView>, };

/**
 * What a model was not given of a conversation, because it can't read so much at once. People still see all of it.
 */
export type LeftOut = { 
/**
 * Messages that are not there at all.
 */
messages: number, 
/**
 * Results and shown files of which only the beginning is there.
 */
shortened: number, 
/**
 * About how many tokens the whole request would have had.
 */
tokens_before: number, 
/**
 * About how many it has.
 */
tokens_after: number, 
/**
 * How many tokens the model was given to read, where the person can say how many.
 */
window?: number, };

/**
 * A file of which only the name is searched.
 */
export type LeftOutFile = { 
/**
 * The file.
 */
path: string, 
/**
 * The reason.
 */
reason: string, };

/**
 * Where a tool call is in its life.
 *
 * ```text
 *  booting -> init -> waitingForUserInput -> submitted -> completed
 *               |              |                 +------> error
 *               |              +-> canceled
 *               +-> completed | error      (reads never wait)
 * ```
 */
export type Lifecycle = "booting" | "init" | "waitingForUserInput" | "submitted" | "completed" | "error" | "canceled";

/**
 * Lines `start` to `end`, 1-based and inclusive; `end == start - 1` is the empty place before `start`.
 */
export type LineRange = { 
/**
 * First line, from 1.
 */
start: number, 
/**
 * Last line, inclusive.
 */
end: number, };

/**
 * A line of another note that links to a note or names it.
 */
export type LinkPlace = { 
/**
 * The other note.
 */
path: WorkspacePath, 
/**
 * Its title.
 */
title: string, 
/**
 * The line, from 1.
 */
line: number, 
/**
 * The line's text, cut around the place.
 */
text: string, 
/**
 * The place in `text`: first character and the one behind the last, in UTF-16 units.
 */
place: [number, number], };

/**
 * `GET tasks`.
 */
export type ListedTasks = { 
/**
 * The tasks, the newest first.
 */
tasks: Array<Task>, };

/**
 * `GET files?folder=`: one folder.
 */
export type Listing = { 
/**
 * The folder, `""` for the top.
 */
folder: string, 
/**
 * What is in it, folders first, then by name.
 */
entries: Array<FileEntry>, };

/**
 * What is heard of a running step before it is written down; lost on restart but for the text so far.
 */
export type LiveDelta = { "type": "text", 
/**
 * The turn.
 */
turn: TurnId, 
/**
 * The step.
 */
step: number, 
/**
 * Where the piece belongs, in UTF-16 units from the start of the step's text.
 */
offset: number, 
/**
 * The piece.
 */
text: string, } | { "type": "thinking", 
/**
 * The turn.
 */
turn: TurnId, 
/**
 * The step.
 */
step: number, 
/**
 * As for `Text`.
 */
offset: number, 
/**
 * The piece.
 */
text: string, } | { "type": "waiting", 
/**
 * The turn.
 */
turn: TurnId, 
/**
 * The step.
 */
step: number, 
/**
 * In how many seconds.
 */
seconds: number, } | { "type": "output", 
/**
 * The turn.
 */
turn: TurnId, 
/**
 * The action.
 */
action: ActionId, 
/**
 * What was put out from here on, in UTF-16 units, is replaced: a progress bar is drawn again and again.
 * An offset behind the known end means that something was left out.
 */
offset: number, 
/**
 * The piece.
 */
text: string, };

/**
 * `GET models/local-only`: whether Aside opens connections to this machine only.
 */
export type LocalOnly = { 
/**
 * It does.
 */
on: boolean, 
/**
 * The program was started so (`--local-only`, `ASIDE_LOCAL_ONLY`): it can't be turned off here.
 */
forced: boolean, };

/**
 * An argument that holds text which content from outside holds as well.
 */
export type MarkedArgument = { 
/**
 * Where it is among the arguments: a JSON pointer.
 */
path: string, 
/**
 * The text, or the beginning of it.
 */
text: string, 
/**
 * The content that holds it too, as in [`LabelSource::what`].
 */
source: string, };

/**
 * A rule that matches a request.
 */
export type MatchedRule = { 
/**
 * Where it comes from.
 */
layer: PolicyLayer, 
/**
 * Its name, with its layer's: `user/tests`.
 */
rule: string, 
/**
 * What it says.
 */
ruling: Ruling, };

/**
 * What a server says of a tool's risks. Shown to the person; nothing else follows from it.
 */
export type McpHints = { 
/**
 * It only looks.
 */
read_only?: boolean, 
/**
 * It may remove or overwrite something.
 */
destructive?: boolean, 
/**
 * Twice does what once does.
 */
idempotent?: boolean, 
/**
 * It reaches the world outside.
 */
open_world?: boolean, };

/**
 * How to reach an MCP server. Secrets are only named here; their values are read when the server starts.
 */
export type McpLaunch = { "kind": "program", 
/**
 * The program and its arguments, without a shell.
 */
argv: Array<string>, 
/**
 * The folder it runs in, absolute. Default: an empty folder.
 */
cwd?: string, 
/**
 * Environment variables whose values are not secret.
 */
environment?: { [key in string]: string }, 
/**
 * Names of variables whose values come from Aside's own environment or the user's file of secrets.
 */
inherit?: Array<string>, } | { "kind": "http", 
/**
 * Its address.
 */
url: string, 
/**
 * Headers, each with the name of the variable that holds its value.
 */
headers?: { [key in string]: string }, };

/**
 * A server that a file of the workspace names. Nobody has added it, and nothing of it is started.
 */
export type McpProposal = { 
/**
 * What it would be called here.
 */
name: McpServerName, 
/**
 * What the file calls it.
 */
given: string, 
/**
 * The file.
 */
file: WorkspacePath, 
/**
 * How it would be reached, as `mcp.add` takes it; none if that can't be said in these words.
 */
launch?: McpLaunch, 
/**
 * What of the file was not taken over, and why.
 */
problems: Array<string>, };

/**
 * What the files of a workspace propose.
 */
export type McpProposals = { 
/**
 * Those that nobody has added yet.
 */
proposals: Array<McpProposal>, 
/**
 * Files that could not be read, and why.
 */
problems: Array<string>, };

/**
 * A server of tools with all that is known of it.
 */
export type McpServer = { 
/**
 * What it is called here.
 */
name: McpServerName, 
/**
 * How it is reached.
 */
launch: McpLaunch, 
/**
 * Who added it.
 */
added_by: string, 
/**
 * When.
 */
added: Timestamp, 
/**
 * Where it stands.
 */
state: McpState, 
/**
 * Hash of how it is reached and the list as it was last seen: what `mcp.trust` is about.
 */
hash?: Sha256, 
/**
 * The tools as last seen.
 */
tools: Array<McpTool>, 
/**
 * What is different from the list that was looked at.
 */
changes: Array<McpToolChange>, 
/**
 * Tools that were left out, and other things that are wrong with its list.
 */
problems: Array<string>, 
/**
 * Who looked at a list last.
 */
trusted_by?: string, 
/**
 * When.
 */
trusted?: Timestamp, 
/**
 * It runs or is connected now.
 */
running: boolean, 
/**
 * Files of the workspace can change what it does, so that it is only started by `mcp.add` and `mcp.reconnect`,
 * which ask.
 */
started_by_hand: boolean, 
/**
 * Why it could not be reached last.
 */
failure?: string, 
/**
 * Starts in a row that led to nothing.
 */
tries: number, 
/**
 * Seconds until it is tried again by itself; none if it is not.
 */
retry_in?: number, 
/**
 * The last lines that it wrote for people, if it is a program of this start.
 */
said: Array<string>, };

/**
 * The name of an MCP server: letters and digits, the first a letter, all in lower case.
 * It has no `_`, so that `mcp_NAME_TOOL` names exactly one action.
 */
export type McpServerName = string;

/**
 * Where a server stands with the person.
 */
export type McpState = "unseen" | "untrusted" | "trusted" | "changed";

/**
 * A tool of a server.
 */
export type McpTool = { 
/**
 * The action it becomes.
 */
action: ActionName, 
/**
 * What the server calls it.
 */
tool: string, 
/**
 * In the server's words.
 */
title?: string, 
/**
 * In the server's words.
 */
description: string, 
/**
 * JSON Schema of the arguments.
 */
args_schema: unknown, 
/**
 * What the server says of its risks.
 */
hints: McpHints, 
/**
 * What holds for it: the person's choice if the list is trusted.
 */
choice: McpToolChoice, };

/**
 * What is different from the list that the person looked at.
 */
export type McpToolChange = { 
/**
 * What the server calls the tool.
 */
tool: string, 
/**
 * The tool as it was looked at, in lines; none if it is new.
 */
before?: string, 
/**
 * The tool as it is now; none if it is gone.
 */
after?: string, };

/**
 * The user's settings for a tool.
 */
export type McpToolChoice = { 
/**
 * Its risks; at least one.
 */
risks: Risks, 
/**
 * Whether to retry a call if the server ends during the call.
 */
idempotent: boolean, };

/**
 * One thing that a person said in a chat.
 */
export type MessageId = string;

/**
 * What is asked.
 */
export type MetaAgentAsked = { 
/**
 * What was said so far; the last is the person's.
 */
messages: Array<MetaAgentMessage>, 
/**
 * The model, as Ollama names it.
 */
model: string, 
/**
 * The model may look at the history.
 */
tools_enabled?: boolean, 
/**
 * The folder that is meant where none is named, or its name in one word; the workspace if absent.
 */
project_slug?: string, 
/**
 * What may be looked at.
 */
bounds?: MetaAgentBounds, };

/**
 * What a model may look at, as the arguments of the questions have it.
 */
export type MetaAgentBounds = { 
/**
 * From then on.
 */
since?: string, 
/**
 * Before then; of a date its whole day.
 */
until?: string, 
/**
 * Programs, such as `claude,codex`.
 */
source?: string, 
/**
 * A folder with all below it, or the name of one.
 */
workspace?: string, 
/**
 * Whose days count.
 */
timezone?: string, };

/**
 * A line of the answer. `error` and `done` are the last.
 */
export type MetaAgentLine = { "type": "token", 
/**
 * The piece.
 */
delta: string, 
/**
 * When.
 */
ts: string, } | { "type": "tool_call", 
/**
 * Told again with the result.
 */
id: string, 
/**
 * The question.
 */
name: string, 
/**
 * Its arguments.
 */
args: unknown, 
/**
 * When.
 */
ts: string, } | { "type": "tool_result", 
/**
 * That of the call.
 */
id: string, 
/**
 * The question.
 */
name: string, 
/**
 * It was answered.
 */
ok: boolean, 
/**
 * The answer; with `error` if there is none.
 */
data: unknown, 
/**
 * What it took, in milliseconds.
 */
duration_ms: number, 
/**
 * When.
 */
ts: string, } | { "type": "error", 
/**
 * Why, and what to do.
 */
message: string, 
/**
 * When.
 */
ts: string, } | { "type": "done", 
/**
 * How many times the model was asked.
 */
hops: number, 
/**
 * When.
 */
ts: string, };

/**
 * Something that was said.
 */
export type MetaAgentMessage = { 
/**
 * `user` or `assistant`; what else there is, is passed.
 */
role: string, 
/**
 * What.
 */
content: string, };

/**
 * What a model costs.
 */
export type ModelPrice = { 
/**
 * What a call costs as a rule.
 */
rates: TokenRates, 
/**
 * What longer calls cost, the shortest first.
 */
above: Array<RatesAbove>, 
/**
 * Which list says so, with its day.
 */
source: string, };

/**
 * `provider/name`: `ollama/qwen2.5-coder:7b`, `anthropic/claude-…`, `rehearsal/demo`.
 */
export type ModelRef = string;

/**
 * One model.
 */
export type ModelSpending = { 
/**
 * Which.
 */
model: ModelRef, 
/**
 * How often it was called.
 */
calls: number, 
/**
 * What it used.
 */
usage: Usage, 
/**
 * What it cost.
 */
cost: Cost, };

/**
 * One model as its provider describes it; absent means the provider does not say.
 */
export type ModelStatus = { 
/**
 * Its name.
 */
model: ModelRef, 
/**
 * Takes tools.
 */
tools: boolean | null, 
/**
 * Takes images.
 */
vision: boolean | null, 
/**
 * Thinks aloud.
 */
thinking: boolean | null, 
/**
 * Context length in tokens.
 */
context: number | null, 
/**
 * Its provider is on this machine, but passes what it gets on to a service.
 */
elsewhere: boolean, 
/**
 * Where what is sent to it goes, `HOST` or `HOST:PORT`; absent if that is this machine.
 */
host: string | null, 
/**
 * Whether the person let content go there.
 */
consent: Consent, 
/**
 * What it costs; absent if nobody knows, or if it is on this machine.
 */
price: ModelPrice | null, };

/**
 * What came of a test.
 */
export type ModelTested = { 
/**
 * What it answered.
 */
text: string, 
/**
 * It called the tool that it was asked to call; absent if it takes no tools.
 */
called_tool: boolean | null, 
/**
 * Milliseconds until something came.
 */
first_ms: number | null, 
/**
 * What it used.
 */
usage: Usage, 
/**
 * What it cost, in money and time.
 */
cost: Cost, };

/**
 * `GET models`.
 */
export type Models = { 
/**
 * What was found.
 */
providers: Array<ProviderStatus>, 
/**
 * The workspace's choice, or the first usable one.
 */
chosen: ModelRef | null, 
/**
 * What was found of Ollama on this machine.
 */
ollama: OllamaFound, 
/**
 * Whether anything elsewhere may be reached.
 */
local_only: LocalOnly, 
/**
 * Why what the person said of other machines can't be read; until it can, nothing goes out.
 */
outside_problem: string | null, };

/**
 * The budget of one turn of the Navigator. A message such as “continue” begins the next turn, with the whole budget.
 * Money is limited by the limits on spending, as for every agent.
 */
export type NavigatorBudget = { 
/**
 * The most calls of the model: 2 to 40. The last one is for saying what is left.
 */
steps?: number, 
/**
 * The most minutes of work, without the time that it waits for a person: 1 to 60.
 */
minutes?: number, };

/**
 * `POST grants`: a token for another program.
 */
export type NewGrant = { 
/**
 * For whom or what, as people will read it: "nightly script".
 */
name: string, 
/**
 * How far it reaches; never further than the grant of who makes it.
 */
limits?: GrantLimits, };

/**
 * `POST scripts`: starts a script and answers at once with its task.
 */
export type NewScript = { 
/**
 * The script's text; the file of `path` if absent.
 */
source?: string, 
/**
 * The script's file in the workspace.
 */
path?: WorkspacePath, 
/**
 * The input: an object.
 */
args?: unknown, 
/**
 * Only shows the changes.
 */
dry_run?: boolean, 
/**
 * Where the script runs; the workspace if absent.
 */
place?: Place, 
/**
 * Lower limits than the usual ones.
 */
limits?: ScriptBounds, 
/**
 * The task of the dry run that the person has seen: a change that it did not show pauses the run.
 */
shown?: TaskId, 
/**
 * The same key with the same script starts one run.
 */
idempotency_key?: string, };

/**
 * `POST tasks`: plans some requests, and waits for a person's yes.
 */
export type NewTask = { 
/**
 * What it is for.
 */
goal: string, 
/**
 * The requests, in order.
 */
steps: Array<ActionRequest>, 
/**
 * The same key with the same request makes one task.
 */
idempotency_key?: string, 
/**
 * Shows what would happen, and keeps nothing.
 */
dry_run?: boolean, };

/**
 * `POST threads`.
 */
export type NewThread = { 
/**
 * Started beside this document.
 */
document?: WorkspacePath, 
/**
 * A title; else the first words of the first message.
 */
title?: string, 
/**
 * How edits reach the document.
 */
mode?: ReviewMode, 
/**
 * Whether what a model runs in the notebook is asked about.
 */
runs?: RunMode, 
/**
 * The notebook whose cells are run also after the thread has read what runs of it put out; not with `ask`.
 */
runs_after_outputs?: WorkspacePath, 
/**
 * The model; else the workspace's choice.
 */
model?: ModelRef, 
/**
 * How much the model thinks.
 */
thinking?: ThinkingEffort, 
/**
 * What agents may do in it at most; it stays so. `{"risks": ["read"]}` only looks.
 */
grant?: GrantLimits, 
/**
 * Hints and no solutions; it stays so. Nothing is changed or run in such a thread.
 */
hint?: boolean, 
/**
 * The Navigator answers in it, within this budget: `{}` for the usual one. It finds its actions in the catalog.
 */
navigator?: NavigatorBudget, 
/**
 * Standing instructions that don't go along.
 */
without?: Array<InstructionsAt>, 
/**
 * Groups of actions that are off.
 */
off?: Array<ActionGroup>, 
/**
 * Chosen by who sends it: asked for again under its key it is the thread that was begun. At most 64 bytes.
 */
key?: string, };

/**
 * A text that code wants to have in a cell, such as what `%load` read. The window that ran it writes it, as its person's edit.
 */
export type NextInput = { 
/**
 * The text.
 */
text: string, 
/**
 * In place of what was run; else in a new cell below.
 */
replace: boolean, };

/**
 * One offer.
 */
export type NoteCompletion = { 
/**
 * The text to put in: the shortest name that means the note, a heading, a tag without `#`, a path percent-encoded.
 */
insert: string, 
/**
 * The words to show: a title, an alias, a heading, a tag.
 */
label: string, 
/**
 * A second line: the path, or how many notes have the tag.
 */
detail: string, 
/**
 * The file.
 */
path?: WorkspacePath, 
/**
 * The line of a heading.
 */
line?: number, };

/**
 * `GET notes/complete?kind=note&text=…&from=…&target=…&limit=…`: the best first.
 */
export type NoteCompletions = { 
/**
 * The offers.
 */
items: Array<NoteCompletion>, 
/**
 * There are more.
 */
more: boolean, };

/**
 * `GET notes/graph?path=…&depth=1`: the notes around one.
 */
export type NoteGraph = { 
/**
 * The note itself, then the others by their distance.
 */
nodes: Array<GraphNode>, 
/**
 * Links between them, each pair once a direction.
 */
edges: Array<GraphEdge>, 
/**
 * Some notes are left out.
 */
more: boolean, };

/**
 * A heading of a note.
 */
export type NoteHeading = { 
/**
 * Its words, without signs.
 */
text: string, 
/**
 * Its words as an anchor of a Markdown link.
 */
slug: string, 
/**
 * From 1 to 6.
 */
level: number, 
/**
 * Its line, from 1.
 */
line: number, };

/**
 * A lapse in a note.
 */
export type NoteLapse = { 
/**
 * The line, from 1.
 */
line: number, 
/**
 * `not UTF-8`, `broken front matter` or `duplicate key`.
 */
what: string, };

/**
 * A link of a note.
 */
export type NoteLink = { 
/**
 * Its line, from 1.
 */
line: number, 
/**
 * `wiki`, `embed`, `markdown`, `image` or `reference`.
 */
kind: string, 
/**
 * The link as it is written.
 */
raw: string, 
/**
 * The file that it leads to; none if there is no such file in the workspace.
 */
to: WorkspacePath | null, 
/**
 * The title of that note.
 */
title?: string, 
/**
 * The words behind its `|`.
 */
alias?: string, 
/**
 * Several files could be meant.
 */
ambiguous?: boolean, 
/**
 * The part behind its `#`.
 */
anchor?: string, 
/**
 * That heading or block is in the file.
 */
anchor_found?: boolean, 
/**
 * The line of that heading or block.
 */
anchor_line?: number, };

/**
 * One changed value of a note, in a table with checkboxes.
 */
export type NoteRow = { 
/**
 * The part that it belongs to, from 0. Rows of one part are decided together.
 */
part: number, 
/**
 * The note.
 */
path: WorkspacePath, 
/**
 * The line before the change, from 1, if the value is one line.
 */
line?: number, 
/**
 * The value: `note`, `path`, `title`, `tags`, `text`, `todo` or `link`.
 */
field: string, 
/**
 * The old value.
 */
before: string | null, 
/**
 * The new value; absent if it goes.
 */
after: string | null, 
/**
 * A remark for reading, such as a tag that stays in the text.
 */
note?: string, 
/**
 * The reason why this row can't be done any more as it was shown. It is left out of what is submitted.
 */
problem?: string, };

/**
 * `GET notes/of?path=…&mentions=true`: one note, and its place among the others.
 */
export type NoteView = { 
/**
 * The note.
 */
path: WorkspacePath, 
/**
 * From its front matter, its first heading or its name.
 */
title: string, 
/**
 * Other names.
 */
aliases: Array<string>, 
/**
 * Its tags, of the front matter first, as first spelled.
 */
tags: Array<string>, 
/**
 * The day that it is for: `2026-11-27`.
 */
daily?: string, 
/**
 * Its headings.
 */
headings: Array<NoteHeading>, 
/**
 * Its todos.
 */
todos: Array<TodoItem>, 
/**
 * Its links, in order.
 */
links: Array<NoteLink>, 
/**
 * Links of other notes to it, once a line.
 */
backlinks: Array<LinkPlace>, 
/**
 * Lines of other notes that name it without a link; empty unless they were asked for.
 */
mentions: Array<LinkPlace>, 
/**
 * Lapses in it.
 */
problems: Array<NoteLapse>, 
/**
 * Items that the lists above leave out.
 */
left_out: number, 
/**
 * All notes of the workspace are known; until then, links and backlinks may be missing.
 */
complete: boolean, };

/**
 * The kernel of a notebook, as it is now.
 */
export type NotebookKernel = { 
/**
 * What runs, or was last chosen; absent if nothing was ever started.
 */
kernel: FoundKernel | null, 
/**
 * How it is.
 */
state: KernelState, 
/**
 * It has run something since it was started: a restart would lose what that computed.
 */
has_run: boolean, 
/**
 * Why it is not as it should be: it ended, it can't be started.
 */
problem: Failure | null, 
/**
 * The runs that are under way or wait, in order.
 */
queue: Array<ExecutionId>, 
/**
 * A line of input that the code waits for.
 */
asks: InputAsked | null, 
/**
 * A run that waits because it has put out so much.
 */
holds: HeldBack | null, };

/**
 * `GET notebooks/trust?path=…`: what of a notebook the person trusts. They say it by `notebook.trust`.
 */
export type NotebookTrust = { 
/**
 * The notebook.
 */
path: WorkspacePath, 
/**
 * Scripts of its outputs may run.
 */
trusted: boolean, 
/**
 * The person said it, here or in Jupyter.
 */
said: boolean, 
/**
 * It asks something of models, or has answers of some, that came with its file and that the person has not trusted.
 */
waits: boolean, 
/**
 * Names what would be trusted now, for `seen` of the action.
 */
seen: Sha256, };

/**
 * One thing an action is about.
 */
export type ObjectRef = { 
/**
 * `file`, `thread`, `action` …
 */
kind: string, 
/**
 * Its path or id.
 */
id: string, };

/**
 * The version of an object that an assessment was made for; none if the object is absent.
 */
export type ObjectVersion = { 
/**
 * Which object.
 */
object: ObjectRef, 
/**
 * Its version then.
 */
version: Sha256 | null, };

/**
 * What came of a run.
 */
export type Observation = { 
/**
 * In words, for the model and the person.
 */
text: string, 
/**
 * The same as data, whole.
 */
data: unknown, 
/**
 * Where the content came from.
 */
label: Label, 
/**
 * What it is and why it has this label, if there is more to say than the action's name.
 */
source?: LabelSource, 
/**
 * It is known that nothing is other than before, so that there is nothing to take back.
 */
unchanged?: boolean, };

/**
 * What is odd about a cell of a notebook's file. The cell is kept as it is.
 */
export type OddCell = { 
/**
 * The key of the cell.
 */
cell: string, 
/**
 * What, for a person.
 */
message: string, };

/**
 * What was found of Ollama on this machine, so that a person without a model knows what to do next.
 */
export type OllamaFound = "ready" | "no_models" | "not_running" | "not_installed";

/**
 * `POST session`: exchanges the token (from the URL's fragment) for a cookie.
 */
export type OpenSession = { 
/**
 * The token.
 */
token: string, };

/**
 * One terminal: it runs, or it has ended and nobody has closed it.
 */
export type OpenTerminal = { 
/**
 * Its id.
 */
id: TerminalId, 
/**
 * The person's name for it, or that of its shell, with a number if there are several.
 */
name: string, 
/**
 * The title that its program set last; control characters and invisible ones are spelled out.
 */
title?: string, 
/**
 * The path of the shell.
 */
shell: string, 
/**
 * The folder that it began in, relative to the workspace; empty for the workspace's own.
 */
cwd: string, 
/**
 * The size that its program has.
 */
size: TerminalSize, 
/**
 * Bytes that its program has put out in all.
 */
seq: number, 
/**
 * When it was opened.
 */
opened_at: Timestamp, 
/**
 * The program in the foreground, unless that is the shell.
 */
running?: string, 
/**
 * How it ended; absent while it runs.
 */
exit?: TerminalExit, };

/**
 * Who asked.
 */
export type Origin = { "kind": "user", 
/**
 * Their name.
 */
user: string, } | { "kind": "cli", 
/**
 * Their name.
 */
user: string, } | { "kind": "client", 
/**
 * Who made the token.
 */
user: string, 
/**
 * The grant.
 */
grant: GrantId, } | { "kind": "turn", 
/**
 * Whose turn it is.
 */
user: string, 
/**
 * The conversation.
 */
thread: ThreadId, 
/**
 * The message being answered.
 */
turn: TurnId, 
/**
 * The model call, from 1.
 */
step: number, 
/**
 * The provider's id of the tool call, unique within the step.
 */
call: string, } | { "kind": "mcp", 
/**
 * Whose token it uses.
 */
user: string, 
/**
 * What the program calls itself.
 */
client: string, 
/**
 * Tells programs of one name apart: a short hash of what names the connection; absent if nothing does.
 */
session?: string, } | { "kind": "sidebar", 
/**
 * Who asks it.
 */
user: string, } | { "kind": "script", 
/**
 * The task of the run.
 */
task: TaskId, 
/**
 * The number of the call in the run, from 1.
 */
call: number, 
/**
 * The place where the script runs.
 */
place: Place, 
/**
 * The origin of the script's start.
 */
by: Origin, };

/**
 * Who asks, without the particulars.
 */
export type OriginKind = "user" | "cli" | "client" | "turn" | "mcp" | "sidebar" | "script";

/**
 * How an action ended.
 */
export type Outcome = { "kind": "done", 
/**
 * What came of it.
 */
observation: Observation, } | { "kind": "refused", 
/**
 * Who refused.
 */
by: RefusedBy, 
/**
 * Why.
 */
failure: Failure, } | { "kind": "failed", 
/**
 * Why.
 */
failure: Failure, } | { "kind": "interrupted", 
/**
 * What is known.
 */
reason: string, };

/**
 * A rectangle on a page of a PDF, in points (1/72 inch) from the page's upper left corner.
 */
export type PageArea = { 
/**
 * The page, from 1.
 */
page: number, 
/**
 * The left side.
 */
x: number, 
/**
 * The upper side.
 */
y: number, 
/**
 * To the right.
 */
width: number, 
/**
 * Downward.
 */
height: number, };

/**
 * Something that can be different each time.
 */
export type Parameter = { 
/**
 * Letters, digits and `_`.
 */
name: string, 
/**
 * Why it was taken for one: "path, in 3 places".
 */
about: string, 
/**
 * What it was then; used where nothing else is said.
 */
value: string, };

/**
 * What was decided about one part of a preview, by whom, when.
 */
export type PartDecision = { 
/**
 * Which part.
 */
part: number, 
/**
 * Yes or no.
 */
decision: Choice, 
/**
 * The action that carried out a yes; it has its own audit record and its own undo.
 */
action: ActionId | null, 
/**
 * Who decided.
 */
by: string, 
/**
 * When.
 */
at: Timestamp, };

/**
 * A count over the latest requests.
 */
export type PastMatches = { 
/**
 * Those that the rule matches.
 */
matched: number, 
/**
 * Those that were looked at.
 */
of: number, };

/**
 * A pattern for paths: `*` matches any characters within one name, `?` one character, `**` as a whole name
 * any number of folders. Case counts.
 *
 * A pattern that matches a folder covers everything in it, because what happens to a folder happens to
 * its content.
 */
export type PathGlob = string;

/**
 * Why a task does not go on by itself.
 */
export type Pause = "person" | "interrupted" | "step_limit";

/**
 * A call of a script that waits for a person.
 */
export type PendingCall = { 
/**
 * The action to decide.
 */
id: ActionId, 
/**
 * Its name.
 */
action_type: ActionName, 
/**
 * Its arguments.
 */
args: unknown, 
/**
 * Its effect; a warning names content from outside that the script has read.
 */
preview: Preview | null, 
/**
 * Its risks.
 */
risks: Risks, 
/**
 * Why a person is asked.
 */
reason: string, 
/**
 * The hash that an approval names.
 */
hash: Sha256 | null, 
/**
 * The content that the script has read so far.
 */
provenance: Provenance, 
/**
 * Calls that wait behind it.
 */
behind: number, 
/**
 * The calls of this action that the last dry run with the same input has shown and that are still to come, this one among them.
 */
coming?: ComingCalls, };

/**
 * One who comes to a workspace with a page of their own.
 */
export type Person = { 
/**
 * The person.
 */
id: PersonId, 
/**
 * As others read it; no two who may come in have the same.
 */
name: string, 
/**
 * The workspace is theirs. Everybody else is a guest: they read and edit documents, and talk beside them.
 */
owner: boolean, 
/**
 * They chose the name themselves. Until then a guest has the name that the owner gave.
 */
named: boolean, 
/**
 * Since when they may come in.
 */
since: Timestamp, 
/**
 * Since when they may not any more.
 */
removed?: Timestamp, };

/**
 * One line of `GET people`: all who may come in, the owner first.
 */
export type PersonHere = { 
/**
 * Who.
 */
person: Person, 
/**
 * They have a window open.
 */
here: boolean, };

/**
 * One person who comes to a workspace: who it belongs to, or a guest.
 */
export type PersonId = string;

/**
 * What part of the loop an entry of a timeline shows.
 */
export type Phase = "plan" | "execute" | "observe";

/**
 * Where an action runs.
 */
export type Place = "browser" | "workspace" | "host" | "hub";

/**
 * Requests in order, with what each would do.
 */
export type Plan = { 
/**
 * The steps.
 */
steps: Array<PlanStep>, 
/**
 * Full if all steps show all they do; opaque if no step that does something shows anything.
 */
completeness: Completeness, 
/**
 * SHA-256 over what is asked for, what was shown, and the versions it is from and leaves: what a
 * person's yes is bound to.
 */
hash: Sha256, 
/**
 * When it was made.
 */
shown: Timestamp, };

/**
 * One request of a plan.
 */
export type PlanStep = { 
/**
 * Its number, from 1; it keeps it when others are left out.
 */
number: number, 
/**
 * What is asked for.
 */
request: ActionRequest, 
/**
 * The action that it takes back, if it is an undo.
 */
undoes: ActionId | null, 
/**
 * What it risks.
 */
risks: Risks, 
/**
 * What policy says.
 */
verdict: Verdict, 
/**
 * What it touches, at which versions.
 */
assessment: Assessment, 
/**
 * What it would do.
 */
preview: Preview | null, 
/**
 * What it would leave, as far as that is known.
 */
leaves: Array<ObjectVersion>, 
/**
 * Set if nobody can know what that earlier step changes: this one is shown as if it had changed nothing.
 */
as_if_without: number | null, 
/**
 * What is otherwise than when it was shown before, if it is shown anew because of that.
 */
changed: string | null, 
/**
 * Why it can't or may not be done, if so: then it is left out.
 */
problem: Failure | null, 
/**
 * Where it is.
 */
state: StepState, 
/**
 * The parts of its preview to which a person said yes one by one; with the last of them they have said yes to it.
 */
accepted: Array<number>, 
/**
 * The changes that a person took out of it, as they were shown, with numbers of their own: it is asked for without
 * them.
 */
rejected: Array<FileDiff>, 
/**
 * Who said yes to it.
 */
approved_by: string | null, 
/**
 * The action that carried it out.
 */
action: ActionId | null, 
/**
 * How that ended.
 */
outcome: Outcome | null, };

/**
 * Where a rule comes from. The order is that of their denials: an earlier layer's can't be taken back by a later one.
 */
export type PolicyLayer = "builtin" | "organisation" | "user" | "workspace" | "turn";

/**
 * One rule. Every part that is there has to hold.
 *
 * An `allow` rule has to cover *all* of a request: each of its risks, paths and commands. A `deny` or `confirm` rule
 * matches what it touches anywhere: one risk, one path, one command is enough.
 */
export type PolicyRule = { 
/**
 * Its name, unique in its file: letters, digits, `-`, `_`, `.`.
 */
name: string, 
/**
 * What it says.
 */
ruling: Ruling, 
/**
 * The action: `doc.edit`, `doc.*` or `*`.
 */
action: RuleAction, 
/**
 * Classes of risk. An `allow` rule without them covers every class but `access`, which has to be named.
 */
risks?: Risks, 
/**
 * Globs over the paths it touches, from the workspace's folder: `notes/**`, `*.md`.
 */
paths?: Array<PathGlob>, 
/**
 * Commands that a shell would run; one is enough for each. No other `allow` rule covers a shell.
 */
commands?: Array<CommandMatcher>, 
/**
 * Who asks; anyone if empty.
 */
origins?: Array<OriginKind>, 
/**
 * How the thread reviews edits.
 */
review?: ReviewMode, 
/**
 * The folders of the workspaces it holds in, absolute; all if empty.
 */
workspaces?: Array<string>, 
/**
 * When it ends, in UTC: `2026-12-31` or `2026-12-31T18:00:00Z`.
 */
expires?: string, 
/**
 * One sentence for the person who is asked or refused.
 */
reason?: string, 
/**
 * Requests that it has to match, checked when the file is read.
 */
match?: Array<RuleExample>, 
/**
 * Requests that it must not match, checked when the file is read.
 */
not_match?: Array<RuleExample>, 
/**
 * What single arguments have to be.
 */
args?: { [key in string]: ArgumentMatcher }, };

/**
 * All rules that hold now, layer by layer, in the order in which they are looked at.
 */
export type PolicyView = { 
/**
 * The layers, the strongest first.
 */
layers: Array<LayerView>, };

/**
 * What a person sees before they decide.
 */
export type Preview = { 
/**
 * Verb and object: "Edit model.py, 2 changes".
 */
summary: string, 
/**
 * The change itself.
 */
body: PreviewBody, 
/**
 * How much of the effect this shows.
 */
completeness: Completeness, 
/**
 * Reasons to look twice; any of them asks for a confirmation.
 */
warnings: Array<Warning>, };

/**
 * The body of a preview.
 */
export type PreviewBody = { "kind": "nothing" } | { "kind": "diff", 
/**
 * One entry a file.
 */
files: Array<FileDiff>, } | { "kind": "command", 
/**
 * Program and arguments.
 */
argv: Array<string>, 
/**
 * Folder it would run in.
 */
cwd: string, 
/**
 * It may use the network.
 */
network: boolean, 
/**
 * What keeps it from the rest of the machine.
 */
sandbox: SandboxLevel, 
/**
 * What it gets in its environment: names, with `=` and the value where that is part of the request.
 */
environment: Array<string>, 
/**
 * What else to know before it runs: what can be undone and what can't.
 */
notes: Array<string>, } | { "kind": "changes", 
/**
 * One row a change.
 */
rows: Array<ChangeRow>, } | { "kind": "rows", 
/**
 * One row a value; rows with one part belong together.
 */
rows: Array<NoteRow>, };

/**
 * A list of prices. The first that knows a model counts.
 */
export type PriceList = { 
/**
 * Where it is from.
 */
source: string, 
/**
 * The day it is of, such as `2026-11-21`; empty for the person's own.
 */
date: string, 
/**
 * How many models it has.
 */
models: number, };

/**
 * The answer of `GET models/prices`, and of `POST`.
 */
export type PriceLists = { 
/**
 * The lists that have models; the first that knows a model counts.
 */
lists: Array<PriceList>, 
/**
 * What is wrong with the list that was fetched last.
 */
problem: string | null, };

/**
 * One thing that is wrong.
 */
export type Problem = { 
/**
 * The file. None where nobody knows.
 */
path: WorkspacePath | null, 
/**
 * The line, from 1, where it stands by now.
 */
line: number | null, 
/**
 * The last line, where a range is known.
 */
end_line: number | null, 
/**
 * The column, from 1, in characters.
 */
column: number | null, 
/**
 * The column after its last character, where a range is known.
 */
end_column: number | null, 
/**
 * How grave it is.
 */
severity: ProblemSeverity, 
/**
 * What it means, in plain words.
 */
message: string, 
/**
 * Who found it.
 */
source: ProblemSource, 
/**
 * What the program that found it calls itself.
 */
program: string | null, 
/**
 * The program's own words, bounded.
 */
detail: string | null, 
/**
 * The version of the file's text in which it was found, where that is known.
 */
version?: Sha256, 
/**
 * Its line in that version, where it stands in another one by now. With the version it tells a problem from others,
 * wherever its line goes.
 */
found_line?: number, };

/**
 * How grave a problem is, the gravest first.
 */
export type ProblemSeverity = "error" | "warning" | "info" | "badbox";

/**
 * Who found a problem.
 */
export type ProblemSource = "latex" | "kernel" | "shell" | "language_server" | "script";

/**
 * `GET problems`, or `GET problems?path=` for one file: the gravest first, then by file and line.
 */
export type Problems = { 
/**
 * What is known to be wrong.
 */
problems: Array<Problem>, 
/**
 * Which of them, from 0, the log of a LaTeX build that found several errors tells first.
 */
first: Array<number>, };

/**
 * "Step `step` of `of`".
 */
export type Progress = { 
/**
 * The step it is at, from 1; 0 before the first.
 */
step: number, 
/**
 * How many there are; absent if nobody knows, as in a turn.
 */
of: number | null, 
/**
 * How many are done.
 */
done: number, };

/**
 * The label of everything that something was made from, with what it was made from.
 */
export type Provenance = { 
/**
 * The join of all sources, also of those that are not named.
 */
label: Label, 
/**
 * The sources, those of the gravest label first; what the person typed is none.
 */
sources: Array<LabelSource>, 
/**
 * There are more than are named.
 */
more: boolean, };

/**
 * One provider as it was found.
 */
export type ProviderStatus = { 
/**
 * `ollama`, `openai`, `anthropic`, `rehearsal`, or what the person calls a service of their own.
 */
id: string, 
/**
 * For people.
 */
name: string, 
/**
 * On this machine: nothing leaves it.
 */
local: boolean, 
/**
 * Where it is, or where it was looked for.
 */
endpoint: string, 
/**
 * Where what is sent to it goes: `HOST` or `HOST:PORT`; absent if that is this machine.
 */
host: string | null, 
/**
 * Whether the person let content go there.
 */
consent: Consent, 
/**
 * Where its key is from.
 */
key: KeySource, 
/**
 * It is one of those that a key can be set for.
 */
takes_key: boolean, 
/**
 * It is elsewhere, and *Local only* is on; `problem` says so too.
 */
off: boolean, 
/**
 * Why it can't be used, with what to do; absent if it can.
 */
problem: string | null, 
/**
 * It gets models that it does not have yet (`POST models/pull`): it is an Ollama.
 */
pulls: boolean, 
/**
 * Something is set for it; else it is only named, as one that could be.
 */
set_up: boolean, 
/**
 * It was asked for its models since the server started or it was set up; `models` is empty before. One on this machine
 * is asked each time.
 */
asked: boolean, 
/**
 * Why a service elsewhere gave no list when it was asked last, with what to do. `models` are those it named before.
 */
list_problem: string | null, 
/**
 * Its models.
 */
models: Array<ModelStatus>, };

/**
 * One line of the answer of `models/pull`.
 */
export type PullLine = { "kind": "begun", 
/**
 * The action; it may still have to be asked for.
 */
action: ActionId, 
/**
 * What it gets.
 */
model: ModelRef, } | { "kind": "waiting", 
/**
 * The action.
 */
submitted: Submitted, } | { "kind": "progress" } & PullProgress | { "kind": "ended", 
/**
 * The action.
 */
record: ActionRecord, } | { "kind": "failed", 
/**
 * Why.
 */
failure: Failure, };

/**
 * The body of `POST models/pull`. It is the action `model.pull`; the answer is NDJSON, one [`PullLine`] a line. Closing
 * the connection takes a question back that nobody has answered yet; what runs goes on, until `actions/ID/stop`. Who asks
 * for a model that is on its way hears of that one, and who asks nothing (`GET models/pull`) of the one that goes on, if any.
 */
export type PullModel = { 
/**
 * Which, of which Ollama: `ollama/qwen3:4b`.
 */
model: ModelRef, };

/**
 * How far a pull is.
 */
export type PullProgress = { 
/**
 * What Ollama is doing, in its words: `pulling manifest`, `verifying sha256 digest`.
 */
status: string, 
/**
 * Bytes of all parts that are known so far; absent before any is.
 */
total: number | null, 
/**
 * Of these, how many are here.
 */
completed: number, };

/**
 * What a long call costs, all of it.
 */
export type RatesAbove = { 
/**
 * It has more input tokens than this.
 */
tokens: number, 
/**
 * What it costs.
 */
rates: TokenRates, };

/**
 * The body of `POST tables/cell`. The answer is [`TableCell`].
 */
export type ReadCell = { 
/**
 * The file.
 */
path: WorkspacePath, 
/**
 * The first row names the columns; guessed if nobody says.
 */
header?: boolean, 
/**
 * The row of the file, from 0 without the one that names the columns.
 */
row: number, 
/**
 * The column, from 0.
 */
column: number, };

/**
 * The body of `POST tables/rows`. The answer is [`TableRows`].
 */
export type ReadTable = { 
/**
 * The file.
 */
path: WorkspacePath, 
/**
 * The shown rows and their order.
 */
view?: TableView, 
/**
 * The first row, counted in the shown rows from 0.
 */
from?: number, 
/**
 * How many rows; 1,000 at most.
 */
rows: number, 
/**
 * The first column; from 0.
 */
first?: number, 
/**
 * The column behind the last; all without one.
 */
last?: number, 
/**
 * The version whose columns the asker has. The answer has them for another one only.
 */
known?: string, };

/**
 * `PUT chats/read`: remembers how far one has read; answered with the [`ChatStanding`].
 */
export type ReadUpTo = { 
/**
 * Which document.
 */
document: WorkspacePath, 
/**
 * The last message that was seen.
 */
message: MessageId, };

/**
 * Actions as data, with parameters.
 */
export type Recipe = { 
/**
 * Letters, digits, `-` and `_`.
 */
name: string, 
/**
 * What it is for.
 */
goal: string, 
/**
 * What can be different each time.
 */
parameters: Array<Parameter>, 
/**
 * The actions. In their texts `{{name}}` stands for the value of the parameter of that name; other
 * braces mean themselves.
 */
steps: Array<ActionRequest>, 
/**
 * The script that it runs in place of steps. The parameters are its arguments.
 */
script?: RecipeScript, 
/**
 * The most that its runs may do, whatever the values; no other actions than those of its steps either.
 */
risks: Risks, 
/**
 * The task it was made from.
 */
task?: TaskId, 
/**
 * When it was made.
 */
created: Timestamp, };

/**
 * The script of a recipe.
 */
export type RecipeScript = { 
/**
 * Its text.
 */
source: string, 
/**
 * The actions that the finished run has called. Its runs call no others.
 */
actions: Array<ActionName>, 
/**
 * Where it runs; in the workspace unless it is said.
 */
place: Place, };

/**
 * The body of `POST models/prices`: gets a newer list of prices. Only a person asks for it. With both or a list that is
 * not to be believed, it is a `400`, and nothing is changed.
 */
export type RefreshPrices = { 
/**
 * The address of a list in the form of LiteLLM's; LiteLLM's own if absent. Https, unless it is on this machine.
 */
from?: string, 
/**
 * The list itself, in the form of LiteLLM's, instead of fetching one.
 */
list?: unknown, };

/**
 * Refused actions, by the reason.
 */
export type RefusalCounts = { 
/**
 * A permission rule.
 */
policy: number, 
/**
 * The grant of the program.
 */
grant: number, 
/**
 * The person.
 */
person: number, 
/**
 * Wrong arguments, or an unknown action.
 */
request: number, };

/**
 * Who refused.
 */
export type RefusedBy = "policy" | "grant" | "person" | "request";

/**
 * A rule that a person's answer left behind.
 */
export type Remembered = { 
/**
 * How far it reaches.
 */
scope: DecisionScope, 
/**
 * Where it holds, if it holds beyond the turn.
 */
rule_scope?: RuleScope, 
/**
 * Its name as verdicts have it: `user/doc.edit-1`.
 */
rule: string, };

/**
 * `PUT people/me`: changes one's own name.
 */
export type RenamePerson = { 
/**
 * As everybody will read it.
 */
name: string, };

/**
 * `GET notes/resolve?from=…&target=…&kind=wiki`: where a link of a note leads. `target` is the part between the brackets,
 * anchor included; `kind` is `wiki` or `markdown`.
 */
export type ResolvedLink = { 
/**
 * The file; none if there is no such file in the workspace.
 */
to: WorkspacePath | null, 
/**
 * Its title, if it is a note.
 */
title?: string, 
/**
 * It is a note.
 */
is_note: boolean, 
/**
 * Several files could be meant.
 */
ambiguous: boolean, 
/**
 * The heading or block is in it; none without an anchor.
 */
anchor_found?: boolean, 
/**
 * The line to go to, from 1.
 */
line: number, 
/**
 * The first lines from there, as Markdown, for a preview; empty if it is no note.
 */
excerpt: string, };

/**
 * `PUT assistant`. The answer, as that to `GET assistant`, is an `AssistantState`: the narrowest of all that was said
 * counts, so that this can't widen what others have narrowed.
 */
export type RestrictAssistant = { 
/**
 * How far it goes; absent to take back what was said there.
 */
level?: AiLevel, 
/**
 * From then on; always if absent.
 */
from?: Timestamp, 
/**
 * Until then; for ever if absent.
 */
until?: Timestamp, 
/**
 * `everywhere` is the person's own word, `workspace` is written to the folder's `aside-policy.toml`.
 */
scope: RuleScope, };

/**
 * Who restricts AI.
 */
export type RestrictedBy = "server" | "organisation" | "user" | "workspace";

/**
 * How a thread's edits reach the document.
 */
export type ReviewMode = "review_each" | "review_at_end" | "auto_apply";

/**
 * One of seven classes of risk. Ordered from low to high.
 */
export type Risk = "read" | "write" | "destructive" | "access" | "billing" | "network" | "install";

/**
 * A set of risk classes; the strictest rule over its members decides.
 */
export type Risks = Array<Risk>;

/**
 * The kind of an answer.
 */
export type RouteKind = "action" | "actions" | "choose" | "model";

/**
 * Asks for the actions that a sentence means. Nothing is done.
 */
export type RouteSentence = { 
/**
 * The sentence.
 */
text: string, 
/**
 * The tabs, files and cells that its words can mean, as the window knows them. Default: as the server knows them.
 */
context?: unknown, 
/**
 * The window that asks. Default: the tabs of the window that was used last.
 */
window?: WindowSituation, };

/**
 * The actions that a sentence means.
 */
export type RoutedSentence = { 
/**
 * The list that counts.
 */
kind: RouteKind, 
/**
 * The action, or the actions in order.
 */
actions: Array<RoutedStep>, 
/**
 * The actions to choose among.
 */
candidates: Array<RoutedStep>, 
/**
 * The time it took, in microseconds.
 */
took_us: number, };

/**
 * An action as a sentence means it, with words for people.
 */
export type RoutedStep = { 
/**
 * The action.
 */
action_type: ActionName, 
/**
 * Its arguments.
 */
args: unknown, 
/**
 * The action with its objects, as a sentence: `Rename a.md to b.md`.
 */
title: string, 
/**
 * Its objects in a line where the title does not name them. Names are content.
 */
detail: string, 
/**
 * Its risks, without those that arguments add.
 */
risks: Risks, 
/**
 * Whether it can be undone.
 */
undo: UndoSupport, 
/**
 * Whether it only shows or reads, so that it needs no card.
 */
is_gentle: boolean, };

/**
 * Which actions a rule is about: `doc.edit`, `doc.*`, or `*` for every one.
 */
export type RuleAction = string;

/**
 * Whether a rule matches a request.
 */
export type RuleCheck = { 
/**
 * Where it comes from.
 */
layer: PolicyLayer, 
/**
 * Its name as verdicts have it.
 */
rule: string, 
/**
 * What it says.
 */
ruling: Ruling, 
/**
 * It is only looked at if no other rule matches.
 */
default: boolean, 
/**
 * It matches.
 */
matched: boolean, 
/**
 * It is the one that decided.
 */
decided: boolean, 
/**
 * The first part that does not hold, in words.
 */
unmet: string | null, };

/**
 * What a person changes in an offered rule before it is remembered. All else stays as it was offered: the action, the
 * risks, who asks.
 */
export type RuleEdit = { 
/**
 * Its paths; any if empty.
 */
paths?: Array<PathGlob>, 
/**
 * Its commands.
 */
commands?: Array<CommandMatcher>, 
/**
 * What single arguments have to be.
 */
args?: { [key in string]: ArgumentMatcher }, 
/**
 * When it ends, in UTC: `2026-12-31`; never if absent.
 */
expires?: string, };

/**
 * A request to try a rule on.
 */
export type RuleExample = string | ExampleRequest;

/**
 * A rule that could be remembered, for the person to look at before it is.
 */
export type RuleOffer = { 
/**
 * The rule.
 */
rule: PolicyRule, 
/**
 * What it allows, in a sentence.
 */
sentence: string, 
/**
 * What would be written for this workspace.
 */
workspace_text: string, 
/**
 * What would be written for every workspace.
 */
everywhere_text: string, 
/**
 * The file that it would be written to; absent if there is none, and then only the turn can remember it.
 */
file: string | null, 
/**
 * What it allows beyond the rule that was offered, a sentence each; empty unless the person made it wider.
 */
beyond: Array<string>, 
/**
 * How many of the latest requests it would have allowed.
 */
past: PastMatches, };

/**
 * Where a rule or another setting of the user applies.
 */
export type RuleScope = "workspace" | "everywhere";

/**
 * One rule.
 */
export type RuleView = { 
/**
 * Its name as verdicts have it.
 */
name: string, 
/**
 * What it says.
 */
ruling: Ruling, 
/**
 * It is only looked at if no other rule matches.
 */
default: boolean, 
/**
 * When it matches, in words.
 */
when: string, 
/**
 * Why, for the person.
 */
reason: string, 
/**
 * Why it does not hold here and now, if it does not.
 */
inactive: string | null, 
/**
 * As it is written, unless it is built in.
 */
written: PolicyRule | null, };

/**
 * What policy decides for one request.
 */
export type Ruling = "allow" | "confirm" | "deny";

/**
 * `POST tasks/{id}/run_again`: a new task from an earlier one.
 */
export type RunAgain = { 
/**
 * The requests with edits; those of the earlier task, as `GET tasks/{id}/run_again` says them, if absent.
 */
steps?: Array<ActionRequest>, 
/**
 * Another goal.
 */
goal?: string, 
/**
 * The same key with the same request makes one task.
 */
idempotency_key?: string, 
/**
 * Shows what would happen, and keeps nothing.
 */
dry_run?: boolean, };

/**
 * Whether what a model runs in a thread's notebook is asked about.
 */
export type RunMode = "ask" | "after_review" | "auto";

/**
 * `POST recipes/{name}/run`: a new task from a recipe.
 */
export type RunRecipe = { 
/**
 * Values of parameters; the others are what they were.
 */
set?: { [key in string]: string }, 
/**
 * The same key with the same request makes one task.
 */
idempotency_key?: string, 
/**
 * Shows what would happen, and keeps nothing.
 */
dry_run?: boolean, };

/**
 * A kernel that runs beside a notebook.
 */
export type RunningKernel = { 
/**
 * The notebook.
 */
path: WorkspacePath, 
/**
 * What runs.
 */
kernel: FoundKernel, 
/**
 * How it is.
 */
state: KernelState, 
/**
 * It has run something since it was started: its end would lose what that computed.
 */
has_run: boolean, 
/**
 * When it last began or ended something.
 */
used: Timestamp, };

/**
 * How a program is kept apart from the rest of the machine, strongest first.
 */
export type SandboxLevel = "bubblewrap" | "landlock" | "none";

/**
 * `POST recipes`: keeps the actions of a task as a recipe.
 */
export type SaveRecipe = { 
/**
 * The task.
 */
task: TaskId, 
/**
 * The recipe's name; one from the goal if absent.
 */
name?: string, 
/**
 * Other names for the parameters that are found.
 */
rename?: { [key in string]: string }, };

/**
 * Lower limits for a run than the usual ones. An absent field leaves the usual limit.
 */
export type ScriptBounds = { 
/**
 * Seconds of computing, at most 10.
 */
compute_s?: number, 
/**
 * Seconds on the clock without waits for people, at most 600.
 */
wall_s?: number, 
/**
 * MiB of memory, at most 64.
 */
memory_mb?: number, 
/**
 * Calls, at most 1,000.
 */
calls?: number, };

/**
 * A change that a dry run foresees.
 */
export type ScriptChange = { 
/**
 * The action of the call.
 */
action_type: ActionName, 
/**
 * Its arguments.
 */
args: unknown, 
/**
 * The change in a line.
 */
summary: string, 
/**
 * The first file that it touches.
 */
path?: string, 
/**
 * How much of the change is shown.
 */
completeness: Completeness, 
/**
 * A person would be asked about it.
 */
asks: boolean, 
/**
 * The change itself.
 */
preview?: Preview, };

/**
 * The printed lines of a script, within their limit.
 */
export type ScriptConsole = { 
/**
 * The lines; where some are missing, a line says how many.
 */
text: string, 
/**
 * Some lines are missing.
 */
truncated: boolean, };

/**
 * The reason why a script did not reach its end.
 */
export type ScriptFault = { 
/**
 * A stable word: `script_error`, `time_limit`, `not_granted` …
 */
code: string, 
/**
 * The attempt and the cause.
 */
message: string, 
/**
 * The next step.
 */
hint?: string, 
/**
 * The line in the script's own text, from 1.
 */
line?: number, 
/**
 * The action whose error nothing caught.
 */
action_type?: string, };

/**
 * A mistake at a place of a script.
 */
export type ScriptFinding = { 
/**
 * The line, from 1.
 */
line: number, 
/**
 * The column in UTF-16 units, from 1.
 */
column: number, 
/**
 * The column after its end, if it is known.
 */
end_column?: number, 
/**
 * The mistake.
 */
message: string, 
/**
 * The next step.
 */
hint?: string, };

/**
 * Answer of `POST scripts/check`.
 */
export type ScriptFindings = { 
/**
 * The mistakes, from the first line on.
 */
findings: Array<ScriptFinding>, };

/**
 * A run of a script, as far as it is.
 */
export type ScriptReport = { 
/**
 * The file of the script, if it came from one.
 */
path?: WorkspacePath, 
/**
 * The input, as the script finds it in `args`; absent if it is empty.
 */
args?: unknown, 
/**
 * Nothing was changed: its calls only say what they would do.
 */
dry_run: boolean, 
/**
 * The return value.
 */
result?: unknown, 
/**
 * The reason why there is no return value.
 */
error?: ScriptFault, 
/**
 * The printed lines, once the run is over.
 */
console: ScriptConsole, 
/**
 * The changes that a dry run foresees, in order.
 */
changes?: Array<ScriptChange>, 
/**
 * How much of its changes a dry run shows.
 */
completeness?: Completeness, 
/**
 * Calls that were answered from the record of the run before an interruption.
 */
replayed: number, 
/**
 * Calls that have ended.
 */
calls_done: number, };

/**
 * An answer of `search` and `search/related`: hits, the best place first, at most three of a document.
 */
export type SearchAnswer = { 
/**
 * The hits.
 */
hits: Array<SearchHit>, 
/**
 * The state of the index.
 */
index: SearchIndex, };

/**
 * A place that was found.
 */
export type SearchHit = { 
/**
 * The path of a file, `thread/ID` or `chat/ID`.
 */
path: string, 
/**
 * The document's kind.
 */
kind: SearchKind, 
/**
 * The line, from 1; in a notebook the cell, in a PDF the page, in a conversation the message.
 */
line: number, 
/**
 * The document's title; of a chat, the path of the document beside it.
 */
title: string, 
/**
 * The headings above the place, outermost first.
 */
headings: Array<string>, 
/**
 * An excerpt.
 */
text: string, 
/**
 * The found parts of the excerpt, in UTF-16 units.
 */
marks: Array<[number, number]>, 
/**
 * The reason.
 */
why: SearchWhy, 
/**
 * In a conversation what was said there: the turn of a thread, the message of a chat.
 */
said?: string, };

/**
 * The state of the index.
 */
export type SearchIndex = { 
/**
 * Ready, or still reading.
 */
state: SearchIndexState, 
/**
 * Documents that were read.
 */
done: number, 
/**
 * All documents.
 */
of: number, 
/**
 * The search by meaning.
 */
meaning: SearchMeaning, 
/**
 * A problem that keeps recent changes from being searched.
 */
problem?: string, 
/**
 * Files of which only the name is searched.
 */
left_out: number, 
/**
 * Some of these.
 */
left_out_files: Array<LeftOutFile>, };

/**
 * Tells whether all files are in the index.
 */
export type SearchIndexState = "ready" | "reading";

/**
 * The kind of a document.
 */
export type SearchKind = "note" | "notebook" | "code" | "text" | "pdf" | "thread" | "chat";

/**
 * The progress of the search by meaning.
 */
export type SearchMeaning = { 
/**
 * The model; none if there is no model, and only words count.
 */
model: string | null, 
/**
 * Pieces of texts that have a vector.
 */
done: number, 
/**
 * All pieces.
 */
of: number, 
/**
 * The reason why it does not go on, such as a folder without a model.
 */
problem?: string, };

/**
 * `POST search`: words, `"phrases"` and filters.
 */
export type SearchQuery = { 
/**
 * `path:x`, `tag:x`, `kind:x`, `has:todo`, `before:2026-12-01` and `after:2026-12-01` filter; a `-` in front leaves out.
 */
query: string, 
/**
 * Hits at most, up to 100. Default: 20.
 */
limit?: number, 
/**
 * Only documents of these kinds.
 */
kinds?: Array<SearchKind>, 
/**
 * The last word may go on: the user is typing.
 */
typing?: boolean, };

/**
 * The reason for a hit.
 */
export type SearchWhy = "words" | "meaning" | "both";

/**
 * What goes along with a message that asks for help. It is data: whatever stands in it, nobody has said it.
 */
export type Seed = { 
/**
 * What is wrong, as a program found it.
 */
problem?: Problem, 
/**
 * The first error of the same build, if that is another: what comes after it is often its consequence.
 */
first?: Problem, 
/**
 * What programs put out about it; the first few, cut to their beginning and end.
 */
logs?: Array<SeedLog>, };

/**
 * What one program put out.
 */
export type SeedLog = { 
/**
 * What it is, for the person: `pytest`, `main.log`.
 */
name: string, 
/**
 * What was put out.
 */
text: string, };

/**
 * `POST chats/messages`: says something beside a document. A program is named as one, whoever's it is.
 */
export type SendMessage = { 
/**
 * Which document; there has to be such a file, or a chat already.
 */
document: WorkspacePath, 
/**
 * Markdown, at most 16 KB. What can't be seen is spelled out.
 */
text: string, 
/**
 * With the same key it is said once, however often it is sent; at most 64 bytes.
 */
key?: string, };

/**
 * A cell of a notebook.
 */
export type SentenceCell = { 
/**
 * The notebook.
 */
path: WorkspacePath, 
/**
 * The key of the cell.
 */
key: string, };

/**
 * Sentences by the way that they took.
 */
export type SentenceCounts = { 
/**
 * Sentences that rules understood.
 */
rules: number, 
/**
 * Sentences that a model read.
 */
model: number, 
/**
 * Quick tasks that were handed on to a thread.
 */
handed_on: number, 
/**
 * The actions that rules understood, the most frequent first.
 */
actions: Array<ActionCount>, };

/**
 * The parts that a window shows, and its theme.
 */
export type SentenceLayout = { 
/**
 * Whether it shows the list of files.
 */
sidebar: boolean, 
/**
 * Whether it shows the side panel.
 */
side: boolean, 
/**
 * Whether its theme is dark now.
 */
dark: boolean, };

/**
 * A tab that a sentence can mean.
 */
export type SentenceTab = { 
/**
 * The path of its file; of a task or page, its address in the workspace.
 */
path: string, 
/**
 * Whether it shows a file.
 */
is_file: boolean, 
/**
 * Whether it has the person's attention.
 */
active: boolean, };

/**
 * The way that a sentence took.
 */
export type SentenceWay = "rules" | "model" | "thread";

/**
 * What the server says.
 */
export type ServerFrame = { "type": "hello", 
/**
 * The server's version.
 */
version: string, 
/**
 * Changes with every start of the server.
 */
server: string, } | { "type": "pong", 
/**
 * As asked.
 */
ping: number, } | { "type": "document_opened", 
/**
 * As asked.
 */
request: number, 
/**
 * Its number in binary frames.
 */
number: number, 
/**
 * The CRDT history's id.
 */
epoch: EpochId, 
/**
 * How it stands with the file.
 */
state: DocumentState, 
/**
 * What kind of file it is, by its name and its first bytes; absent for the layout.
 */
kind?: FileKind, 
/**
 * Tells whether it is live as a notebook: cells, not a text.
 */
notebook: boolean, } | { "type": "document_refused", 
/**
 * As asked.
 */
request: number, 
/**
 * `binary`, `not_utf8`, `too_large`, `not_found`, `is_folder` … and the sentence.
 */
failure: Failure, 
/**
 * What kind of file it is, as far as is known.
 */
kind?: FileKind, } | { "type": "document_state", 
/**
 * Its number.
 */
number: number, 
/**
 * How it stands now.
 */
state: DocumentState, } | { "type": "document_edited", 
/**
 * Its number.
 */
number: number, 
/**
 * The action.
 */
action: ActionId, 
/**
 * The action that this one took back, if it was an undo.
 */
undoes: ActionId | null, } | { "type": "thread_event", 
/**
 * Which thread.
 */
thread: ThreadId, 
/**
 * The entry.
 */
event: ThreadEvent, } | { "type": "thread_caught_up", 
/**
 * Which thread.
 */
thread: ThreadId, 
/**
 * The last `seq` there is.
 */
seq: number, } | { "type": "thread_refused", 
/**
 * Which thread.
 */
thread: ThreadId, 
/**
 * `not_found`, `too_many` … and the sentence.
 */
failure: Failure, } | { "type": "thread_delta", 
/**
 * Which thread.
 */
thread: ThreadId, 
/**
 * The piece.
 */
delta: LiveDelta, } | { "type": "action_output", 
/**
 * The action.
 */
action: ActionId, 
/**
 * What was put out from here on, in UTF-16 units, is replaced.
 */
offset: number, 
/**
 * The piece.
 */
text: string, } | { "type": "notebook_kernel", 
/**
 * Which notebook.
 */
path: WorkspacePath, 
/**
 * Its kernel.
 */
kernel: NotebookKernel, } | { "type": "cell_outputs", 
/**
 * Which notebook.
 */
path: WorkspacePath, 
/**
 * The key of the cell.
 */
cell: string, 
/**
 * Its latest run; absent if it was not run since the file was opened here.
 */
execution: CellExecution | null, 
/**
 * The count that the file has of it, if it was not run here.
 */
count?: number, 
/**
 * How many outputs stay as they are.
 */
from: number, 
/**
 * The others.
 */
outputs: Array<CellOutput>, } | { "type": "notebook_widgets", 
/**
 * Which notebook.
 */
path: WorkspacePath, 
/**
 * These are all that there are.
 */
whole: boolean, 
/**
 * Those that are new or changed.
 */
models: Array<WidgetModel>, 
/**
 * The ids of those that are gone.
 */
gone: Array<string>, } | { "type": "notebook_trust_changed", 
/**
 * Which notebook.
 */
path: WorkspacePath, } | { "type": "notebook_odd_cells", 
/**
 * Which notebook.
 */
path: WorkspacePath, 
/**
 * These, and no others.
 */
cells: Array<OddCell>, } | { "type": "notebook_caught_up", 
/**
 * Which notebook.
 */
path: WorkspacePath, } | { "type": "thread_changed", 
/**
 * As it is now.
 */
thread: Thread, } | { "type": "thread_deleted", 
/**
 * Which.
 */
thread: ThreadId, } | { "type": "running_threads", 
/**
 * All of them.
 */
threads: Array<ThreadId>, } | { "type": "task_changed", 
/**
 * As it is now.
 */
task: Task, } | { "type": "chat_changed", 
/**
 * The chat, and how far this person is in it.
 */
standing: ChatStanding, 
/**
 * The message as it is now, if it is about one.
 */
message?: ChatMessage, 
/**
 * Its position among the chat's changes; absent when only the reading went on.
 */
seq?: number, } | { "type": "chats_missed" } | { "type": "people_changed" } | { "type": "needs_you", 
/**
 * How many.
 */
count: number, } | { "type": "assistant", 
/**
 * As it is now.
 */
state: AssistantState, } | { "type": "settings", 
/**
 * Their values by key.
 */
values: Record<string, boolean | number | string>, } | { "type": "files_changed", 
/**
 * The folders.
 */
folders: Array<string>, } | { "type": "latex_changed", 
/**
 * Its main file.
 */
main: WorkspacePath, } | { "type": "problems_changed" } | { "type": "servers_changed" } | { "type": "terminals_changed" } | { "type": "history_changed" } | { "type": "ui_action", 
/**
 * The action.
 */
action: ActionId, 
/**
 * Its name.
 */
action_type: ActionName, 
/**
 * Its arguments.
 */
args: unknown, } | { "type": "problem", 
/**
 * What was wrong.
 */
failure: Failure, };

/**
 * First line of `aside --json`, and what the server's lock file holds.
 */
export type Serving = { 
/**
 * Where the server listens, with the base path, ending in `/`.
 */
url: string, 
/**
 * The secret that opens it.
 */
token: string, 
/**
 * The process.
 */
pid: number, 
/**
 * The workspace's folder.
 */
workspace: string, };

/**
 * Answer of `POST session` and `GET session`: what a page of ours needs to make changes.
 */
export type Session = { 
/**
 * Sent back in the header `X-Aside-CSRF` with every change.
 */
csrf: string, 
/**
 * The person's name.
 */
user: string, 
/**
 * Who looks at the page.
 */
person: Person, 
/**
 * The workspace's name.
 */
workspace: string, 
/**
 * Tells the workspace's folder from others that are served under the same address: a hash of its path.
 */
folder: Sha256, };

/**
 * `PUT models/keys/SERVICE`. The answer to this, to `DELETE` and to `GET models/keys` says where keys are from, and
 * never a key.
 */
export type SetKey = { 
/**
 * The key.
 */
key: string, };

/**
 * `PUT models/local-only`.
 */
export type SetLocalOnly = { 
/**
 * Whether it is to be on.
 */
on: boolean, };

/**
 * A setting, as the page and the file show it.
 */
export type Setting = { 
/**
 * Its name, `group.name`; in the file `name` in the table `group`.
 */
key: string, 
/**
 * Its title on the page.
 */
title: string, 
/**
 * One sentence that explains it.
 */
help: string, 
/**
 * The heading that it stands below.
 */
group: string, 
/**
 * The values that it takes, and its default.
 */
kind: SettingKind, 
/**
 * Where it can be set.
 */
scope: SettingScope, };

/**
 * The values of a setting, and its default.
 */
export type SettingKind = { "type": "switch", 
/**
 * Its default.
 */
default: boolean, } | { "type": "number", 
/**
 * Its default.
 */
default: number, 
/**
 * The smallest value.
 */
least: number, 
/**
 * The largest value.
 */
most: number, } | { "type": "choice", 
/**
 * Its default.
 */
default: string, 
/**
 * All values.
 */
options: Array<SettingOption>, } | { "type": "text", 
/**
 * An example.
 */
example: string, 
/**
 * Bytes at most.
 */
longest: number, } | { "type": "list", 
/**
 * Its default.
 */
default: string, 
/**
 * The known words.
 */
options: Array<SettingOption>, };

/**
 * A value of a setting with a choice.
 */
export type SettingOption = { 
/**
 * The value.
 */
value: string, 
/**
 * Its title on the page.
 */
title: string, };

/**
 * A line of a file of settings that sets nothing.
 */
export type SettingProblem = { 
/**
 * The line, from 1.
 */
line: number, 
/**
 * The mistake, in one sentence without a stop.
 */
message: string, };

/**
 * Where a setting can be set.
 */
export type SettingScope = "person" | "workspace" | "one_workspace";

/**
 * A setting with its value.
 */
export type SettingView = { 
/**
 * The setting.
 */
setting: Setting, 
/**
 * The value that counts.
 */
value: boolean | number | string, 
/**
 * Tells whether the person has set it.
 */
changed: boolean, 
/**
 * Tells whether this workspace has set it, so that the person's value does not count here.
 */
overridden: boolean, };

/**
 * A file of settings.
 */
export type SettingsFile = { 
/**
 * Its path.
 */
path: string, 
/**
 * Its mistakes. What stands on such a line sets nothing; the rest counts.
 */
problems: Array<SettingProblem>, };

/**
 * `GET settings`: all settings, and the files that they come from.
 */
export type SettingsView = { 
/**
 * All settings, in the order in which they are shown.
 */
settings: Array<SettingView>, 
/**
 * The person's file and, if it has one, the workspace's, which overrides it.
 */
files: Array<SettingsFile>, };

/**
 * A SHA-256 digest as 64 lower-case hexadecimal digits.
 */
export type Sha256 = string;

/**
 * An image that a model is shown. Its bytes are kept in the workspace under their hash.
 */
export type ShownImage = { 
/**
 * Its media type: `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
 */
kind: string, 
/**
 * The hash of its bytes.
 */
sha256: Sha256, 
/**
 * How many there are.
 */
bytes: number, };

/**
 * A word that stands for a longer request when a message begins with it.
 */
export type SlashWord = { 
/**
 * Without the slash.
 */
name: string, 
/**
 * What it is for.
 */
summary: string, };

/**
 * `GET slash[?thread=]`: the words with a slash that are of use in a thread.
 */
export type SlashWords = { 
/**
 * By name.
 */
words: Array<SlashWord>, };

/**
 * From what is likely to what is hardly ever passed.
 */
export type Span = { 
/**
 * Likely.
 */
low: number, 
/**
 * Hardly ever passed.
 */
high: number, };

/**
 * Limits in US dollars of 10⁻¹²; absent is without limit. `PUT spending/limits` writes all of them into the person's file,
 * whose comments and prices stay, and answers with the [`SpendingView`]; while the file has a mistake it is a `400`.
 */
export type SpendingLimits = { 
/**
 * Of one turn.
 */
turn: number | null, 
/**
 * Of one task: a turn, and those that went on with it.
 */
task: number | null, 
/**
 * Of one thread.
 */
thread: number | null, 
/**
 * Of one day.
 */
day: number | null, 
/**
 * Of the workspace, since it is there.
 */
workspace: number | null, };

/**
 * What some calls used and cost.
 */
export type SpendingSum = { 
/**
 * The id of the turn, thread or task, the day, the model's name; `all` for the workspace.
 */
of: string, 
/**
 * Its name for people: the title of the thread or the turn's thread, the task's goal.
 */
name: string, 
/**
 * How many.
 */
calls: number, 
/**
 * What they used.
 */
usage: Usage, 
/**
 * What they cost.
 */
cost: Cost, };

/**
 * The answer of `GET spending`: the account of this workspace.
 */
export type SpendingView = { 
/**
 * Today, in UTC.
 */
today: Cost, 
/**
 * Since the first call.
 */
total: Cost, 
/**
 * The days with calls, the latest first; at most 31.
 */
days: Array<DaySpending>, 
/**
 * The models that were called, the dearest first.
 */
models: Array<ModelSpending>, 
/**
 * What the person has limited.
 */
limits: SpendingLimits, 
/**
 * Why nothing that costs money is asked now: the file of limits has a mistake.
 */
problem: string | null, 
/**
 * What the person should know before it stops them: today is close to its limit.
 */
warning: string | null, 
/**
 * The file of limits and prices, if there can be one.
 */
file: string | null, 
/**
 * Where the prices are from; the first list that knows a model counts.
 */
prices: Array<PriceList>, };

/**
 * The words of a recording.
 */
export type SpokenWords = { 
/**
 * The words; empty if none were heard.
 */
text: string, 
/**
 * The model that wrote them down.
 */
model: ModelRef, 
/**
 * The cost.
 */
cost: Cost, };

/**
 * `GET instructions[?document=][&thread=]`: the standing instructions that there are for a document.
 */
export type StandingInstructions = { 
/**
 * In the order in which they are sent.
 */
files: Array<InstructionFile>, };

/**
 * `POST threads/{id}/turns`: sends a message. Answers at once with [`TurnStarted`], or with
 * `?stream=true` as NDJSON: the thread's events until the turn ends or waits.
 */
export type StartTurn = { 
/**
 * The message.
 */
text: string, 
/**
 * Where the person is looking.
 */
focus?: Focus, 
/**
 * A problem that the message is about, and what programs said of it.
 */
seed?: Seed, 
/**
 * What goes along beside that.
 */
attached?: Array<Attached>, 
/**
 * The situation of the window that it is sent from, for the Navigator.
 */
window?: WindowSituation, 
/**
 * Chosen by who sends it: one of a thread's latest messages, sent again under its key, is the turn that it began.
 * Another message under that key is refused (409). At most 64 bytes.
 */
key?: string, };

/**
 * How well Aside serves in this workspace. Nothing of it leaves this machine.
 */
export type Statistics = { 
/**
 * The number of days that are counted.
 */
days: number, 
/**
 * The beginning of these days.
 */
from: Timestamp, 
/**
 * From the first entry of the activity log to the first success that was asked for in words, in milliseconds; absent
 * while there is none. Not limited to the days.
 */
first_success?: number, 
/**
 * The sentences from the palette, the launcher and `aside ask`.
 */
sentences: SentenceCounts, 
/**
 * The actions that ended, by their gravest risk.
 */
classes: Array<ClassCounts>, 
/**
 * The tasks that ended.
 */
tasks: TaskCounts, 
/**
 * The questions to the person.
 */
confirmations: ConfirmationCounts, 
/**
 * The actions that were refused.
 */
refusals: RefusalCounts, 
/**
 * The actions that were undone.
 */
undos: UndoCounts, };

/**
 * `GET status`.
 */
export type Status = { 
/**
 * The server's version.
 */
version: string, 
/**
 * The workspace's folder.
 */
workspace: string, 
/**
 * The name shown for it.
 */
name: string, 
/**
 * The process.
 */
pid: number, 
/**
 * Tells whether this is the sample workspace with the rehearsal model.
 */
demo: boolean, 
/**
 * What keeps commands from the rest of the machine.
 */
sandbox: SandboxLevel, 
/**
 * Why nothing stronger does, one sentence each.
 */
sandbox_missing: Array<string>, };

/**
 * A step of a plan in a line.
 */
export type StepLine = { 
/**
 * Its number, from 1.
 */
number: number, 
/**
 * Its action.
 */
action_type: ActionName, 
/**
 * Where it is.
 */
state: StepState, 
/**
 * The kind of action that it takes back, if it is an undo.
 */
undoes?: ActionName, };

/**
 * Where a step of a plan is.
 */
export type StepState = "waiting" | "left_out" | "running" | "done" | "failed" | "interrupted";

/**
 * Why a model call ended.
 */
export type StepStop = { "kind": "end" } | { "kind": "tool_calls" } | { "kind": "length" } | { "kind": "refusal" } | { "kind": "stopped" } | { "kind": "interrupted" } | { "kind": "failed", 
/**
 * What happened.
 */
message: string, };

/**
 * One line of `threads/{id}/events` and of `POST threads/{id}/turns?stream=true`. Deltas come only with
 * `&deltas=true`.
 */
export type StreamLine = ThreadEvent | { 
/**
 * The piece.
 */
delta: LiveDelta, };

/**
 * `POST actions`.
 */
export type SubmitAction = { 
/**
 * Which action. A name of none is answered with `400`, and is in the audit like every request.
 */
action_type: ActionName, 
/**
 * Names of the objects it is about.
 */
target?: { [key in string]: string }, 
/**
 * The arguments.
 */
args: unknown, 
/**
 * The same key with the same request runs once.
 */
idempotency_key?: string, 
/**
 * Free words for the audit.
 */
audit_context?: unknown, 
/**
 * The thread for which it is asked: groups of actions that are off there are refused.
 */
thread?: ThreadId, 
/**
 * Shows what would happen, and does nothing.
 */
dry_run?: boolean, };

/**
 * Where a submitted action stands.
 */
export type SubmitState = "done" | "awaiting_confirmation" | "running" | "refused" | "failed";

/**
 * Answer of `POST actions`, `POST actions/{id}/decision` and `POST actions/{id}/undo`.
 */
export type Submitted = { 
/**
 * The action.
 */
id: ActionId, 
/**
 * Where it stands.
 */
state: SubmitState, 
/**
 * The request as taken in.
 */
envelope: Envelope, 
/**
 * What would change.
 */
preview?: Preview, 
/**
 * How it ended.
 */
outcome?: Outcome, 
/**
 * Set when a stored outcome was returned for a key that was used before.
 */
replayed: boolean, 
/**
 * The whole record.
 */
record: ActionRecord, };

/**
 * The body of `POST tables/summary`. The answer is [`TableSummary`].
 */
export type SummariseColumn = { 
/**
 * The file.
 */
path: WorkspacePath, 
/**
 * The rows that count.
 */
view?: TableView, 
/**
 * The column, from 0.
 */
column: number, };

/**
 * What calls are added up by, in `GET spending/sums?by=…`.
 */
export type SumsBy = "turn" | "thread" | "task" | "day" | "model" | "workspace";

/**
 * The text of a field.
 */
export type TableCell = { 
/**
 * The text, up to a megabyte.
 */
text: string, };

/**
 * A column of a table.
 */
export type TableColumn = { 
/**
 * Its name.
 */
name: string, 
/**
 * The kind of its values.
 */
kind: TableColumnKind, 
/**
 * Its width in letters.
 */
width: number, };

/**
 * The kind of a column's values.
 */
export type TableColumnKind = "number" | "text";

/**
 * The order of rows by a column.
 */
export type TableOrder = { 
/**
 * The column, from 0.
 */
column: number, 
/**
 * The largest first.
 */
descending: boolean, };

/**
 * A row of a table.
 */
export type TableRow = { 
/**
 * Its number in the file, from 0 without the row that names the columns.
 */
row: number, 
/**
 * The fields, each cut after 2,000 bytes.
 */
fields: Array<string>, };

/**
 * Rows of a table, and facts about it as far as it has been read.
 */
export type TableRows = { 
/**
 * Differs between versions of the file, and with and without a header.
 */
version: string, 
/**
 * Bytes of the file.
 */
size: number, 
/**
 * Rows that are known, without the one that names the columns.
 */
total: number, 
/**
 * The share of the file that has been read, from 0 to 1.
 */
progress: number, 
/**
 * The first row names the columns.
 */
header: boolean, 
/**
 * The columns, 2,000 at most, for an asker that does not know them.
 */
columns?: Array<TableColumn>, 
/**
 * There are more columns.
 */
more_columns: boolean, 
/**
 * `UTF-8` or `UTF-16`.
 */
encoding: string, 
/**
 * The first row with bytes that are not UTF-8, from 1. Its fields are read as Windows-1252.
 */
not_utf8?: number, 
/**
 * The first row with a quote that never ends, from 1. It is read as a letter.
 */
open_quote?: number, 
/**
 * The first row of which only the first megabyte is read, from 1.
 */
cut?: number, 
/**
 * The shown rows that are known.
 */
count: number, 
/**
 * The share of the work on order and filters that is done.
 */
work: number, 
/**
 * The rows.
 */
rows: Array<TableRow>, };

/**
 * A summary of a column, or how far it is.
 */
export type TableSummary = { 
/**
 * The share of the file that has been looked through.
 */
progress: number, 
/**
 * The summary, once it is there.
 */
facts?: ColumnFacts, };

/**
 * The shown rows of a table, and their order.
 */
export type TableView = { 
/**
 * The first row names the columns; guessed if nobody says.
 */
header?: boolean, 
/**
 * The order; as in the file without one.
 */
order?: TableOrder, 
/**
 * A filter that any field may pass.
 */
anywhere?: string, 
/**
 * Filters of columns: words, `=` for all of the field, `!` for fields without the words, `>`, `>=`, `<`, `<=`.
 */
filters?: Array<ColumnFilter>, };

/**
 * `GET notes/tags`: the tags of all notes, by name.
 */
export type TagCount = { 
/**
 * As first spelled.
 */
tag: string, 
/**
 * The notes that have it; those with a tag below it do not count.
 */
notes: number, };

/**
 * A goal with a state, without its plan and its timeline.
 */
export type Task = { 
/**
 * Its id.
 */
id: TaskId, 
/**
 * What it is for, in the words of whoever asked.
 */
goal: string, 
/**
 * Where it is.
 */
state: TaskState, 
/**
 * Set while it does not go on by itself.
 */
paused: Pause | null, 
/**
 * What it was made from.
 */
source: TaskSource, 
/**
 * For whom.
 */
by: string, 
/**
 * The conversation it belongs to, if any.
 */
thread: ThreadId | null, 
/**
 * Its turns, in order.
 */
turns: Array<TurnId>, 
/**
 * Its actions that change something, in the order in which they were asked for.
 */
actions: Array<ActionId>, 
/**
 * How far it is.
 */
progress: Progress, 
/**
 * What it is about: files and other objects, for the search.
 */
objects: Array<ObjectRef>, 
/**
 * The kinds of actions it has, for the search.
 */
action_types: Array<ActionName>, 
/**
 * What came of it, honestly: "Stopped after 2 of 5: …".
 */
summary: string | null, 
/**
 * Tells whether any of its actions can be taken back.
 */
can_undo: boolean, 
/**
 * The task that took this one back.
 */
undone_by: TaskId | null, 
/**
 * When it was made.
 */
created: Timestamp, 
/**
 * When something last happened.
 */
updated: Timestamp, };

/**
 * One action of a task.
 */
export type TaskAction = { 
/**
 * Its id.
 */
id: ActionId, 
/**
 * Its name.
 */
action_type: ActionName, 
/**
 * Its arguments.
 */
args: unknown, 
/**
 * Where it is.
 */
state: ActionState, 
/**
 * How it ended; without the data that it returned, which `GET actions/{id}` has.
 */
outcome: Outcome | null, };

/**
 * `GET tasks/{id}/actions`: what a task has asked the Gate for, as far as that has ended.
 */
export type TaskActions = { 
/**
 * The actions, in order.
 */
actions: Array<TaskAction>, };

/**
 * The ends of tasks.
 */
export type TaskCounts = { 
/**
 * Completed.
 */
completed: number, 
/**
 * Failed.
 */
failed: number, 
/**
 * Cancelled by the person.
 */
cancelled: number, };

/**
 * A person's answer to a plan that waits.
 */
export type TaskDecision = { 
/**
 * Yes; or no: with `action_type` or `steps` these steps, or these `parts` of one, are left out and the rest is shown
 * anew, else the task ends.
 */
decision: Choice, 
/**
 * The hash of the plan that was shown. A yes has to name it.
 */
hash?: Sha256, 
/**
 * Only the steps of this action. The task starts when every step that can run was said yes to.
 */
action_type?: ActionName, 
/**
 * Only these steps.
 */
steps?: Array<number>, 
/**
 * Only these parts of what the one step shows that `steps` names. A yes is kept for each; with the yes to the last of
 * them the step has it.
 */
parts?: Array<number>, 
/**
 * Kept in the timeline, and told to the model whose plan it is.
 */
reason?: string, };

/**
 * `GET tasks/{id}` and the answer of everything that changes a task.
 */
export type TaskDetail = { 
/**
 * The task's id.
 */
id: TaskId, 
/**
 * Where it is, as people read it.
 */
state: TaskStatus, 
/**
 * The hash of the plan that is shown, which an approval names.
 */
hash: Sha256 | null, 
/**
 * The steps of the plan, a line each.
 */
steps: Array<StepLine>, 
/**
 * The task. A dry run's task is not kept: its id names nothing.
 */
task: Task, 
/**
 * What it does or would do, if it was made from requests.
 */
plan: Plan | null, 
/**
 * What it was made from: for a model's plan, all that the model was shown.
 */
provenance: Provenance, 
/**
 * What happened, in order.
 */
timeline: Array<TimelineEntry>, 
/**
 * Its actions as they are now.
 */
actions: Array<ActionRecord>, 
/**
 * What the calls of models in its turns have cost.
 */
cost: Cost, 
/**
 * The run, if it is a script.
 */
script?: ScriptReport, 
/**
 * The call of the script that waits for a person.
 */
pending?: PendingCall, };

/**
 * One goal, across turns and hand-offs.
 */
export type TaskId = string;

/**
 * What a task was made from.
 */
export type TaskSource = { "kind": "turn" } | { "kind": "plan" } | { "kind": "again", 
/**
 * Which one.
 */
task: TaskId, } | { "kind": "recipe", 
/**
 * Its name.
 */
name: string, } | { "kind": "script", 
/**
 * Its file, if it came from one.
 */
path: WorkspacePath | null, 
/**
 * The action that started it.
 */
action?: ActionId, } | { "kind": "undo", 
/**
 * Which one.
 */
task: TaskId, };

/**
 * Where a task is in its life.
 *
 * ```text
 *                      ask                approve: start
 *  created --> planned ---> awaiting_confirmation ---> running --> completed
 *     |           |  ^---plan---+   ^                  |  |
 *     |           +------- start ---|------------------^  +------> failed
 *     +--> failed                   +-- ask (a difference, an action) --+
 *
 *  cancelled: from any state that is not final
 * ```
 *
 * That a task is paused is a mark beside the state ([`Task::paused`]): what it would go on with stays.
 */
export type TaskState = "created" | "planned" | "awaiting_confirmation" | "running" | "completed" | "failed" | "cancelled";

/**
 * Where a task is, as people read it: its state, or that the end of the server interrupted it.
 */
export type TaskStatus = TaskState | Pause;

/**
 * `POST notebooks/widgets`: what a person did to a control that code has made.
 */
export type TellWidget = { 
/**
 * The notebook.
 */
path: WorkspacePath, 
/**
 * The key of the cell that shows it: there stands what comes of it.
 */
cell: string, 
/**
 * Which control.
 */
widget: string, 
/**
 * Parts of its state that are these now; absent for something that is no state.
 */
state: Record<string, unknown> | null, 
/**
 * Parts of that state that are no JSON, such as the content of files.
 */
buffers: Array<WidgetBuffer>, 
/**
 * Something that is no state, such as that it was pressed.
 */
custom: unknown, };

/**
 * Frames of a window of a terminal.
 */
export type TerminalClientFrame = { "type": "ack", 
/**
 * The number of that byte.
 */
seq: number, } | { "type": "resize", 
/**
 * Columns.
 */
cols: number, 
/**
 * Rows.
 */
rows: number, };

/**
 * The end of a terminal's shell.
 */
export type TerminalExit = { 
/**
 * The exit status, unless a signal ended it.
 */
status?: number, 
/**
 * The name of the signal that ended it.
 */
signal?: string, 
/**
 * Its last lines, as plain text.
 */
said: string, };

/**
 * Says why a terminal is not there.
 */
export type TerminalGone = "closed" | "server_restarted" | "server_ends";

/**
 * One terminal, from its opening until it is closed.
 */
export type TerminalId = string;

/**
 * Frames of the server for a window of a terminal.
 */
export type TerminalServerFrame = { "type": "start", 
/**
 * The number of the first byte that comes.
 */
seq: number, 
/**
 * Output before this byte is old: a window gives no answers to queries in it.
 */
replay_to: number, 
/**
 * The window empties its terminal first, and writes `restore` into it.
 */
reset: boolean, 
/**
 * The sequences that set the modes which hold there.
 */
restore: string, 
/**
 * Bytes of output before `seq` that the window has not had and that are gone.
 */
omitted: number, 
/**
 * The size that the program has.
 */
size: TerminalSize, } | { "type": "size", 
/**
 * That size.
 */
size: TerminalSize, } | { "type": "title", 
/**
 * The title; empty for none.
 */
title: string, } | { "type": "exit", 
/**
 * How.
 */
exit: TerminalExit, } | { "type": "gone", 
/**
 * Why.
 */
why: TerminalGone, 
/**
 * The same in words.
 */
message: string, } | { "type": "problem", 
/**
 * Why.
 */
failure: Failure, };

/**
 * Characters of a terminal: columns and rows.
 */
export type TerminalSize = { 
/**
 * Columns.
 */
cols: number, 
/**
 * Rows.
 */
rows: number, };

/**
 * The body of `POST models/test`.
 */
export type TestModel = { 
/**
 * Which.
 */
model: ModelRef, };

/**
 * How much a model that thinks before it answers is to think. Others are not told.
 */
export type ThinkingEffort = "usual" | "off" | "low" | "medium" | "high";

/**
 * A conversation, without its messages.
 */
export type Thread = { 
/**
 * Its id.
 */
id: ThreadId, 
/**
 * What the list shows; the first words of the first message until somebody renames it.
 */
title: string, 
/**
 * The document it was started beside, if any.
 */
document: WorkspacePath | null, 
/**
 * How edits reach the document.
 */
mode: ReviewMode, 
/**
 * Whether what is run in the notebook is asked about.
 */
runs?: RunMode, 
/**
 * The notebook whose cells are run also after the thread has read what runs of it put out, as a person wished who knew
 * that anything a cell prints can then lead to the next one being run. Not while `runs` is `ask`.
 */
runs_after_outputs?: WorkspacePath, 
/**
 * The AI cell, by its key, whose answers are made here; the conversation stands in its notebook.
 */
cell?: string, 
/**
 * The model of the next turn; the workspace's choice if absent.
 */
model: ModelRef | null, 
/**
 * When it was started.
 */
created: Timestamp, 
/**
 * When something last happened.
 */
updated: Timestamp, 
/**
 * Put away, still kept.
 */
archived: boolean, 
/**
 * What agents may do here at most; as their profile says if absent. Set when the thread is started.
 */
grant: Grant | null, 
/**
 * Hints and no solutions: the grant only reads, and the model is told to give nudges. Set when the thread is started.
 */
hint: boolean, 
/**
 * The Navigator answers here, within this budget; else the agent for the document. Set when the thread is started.
 */
navigator?: NavigatorBudget, 
/**
 * Standing instructions that don't go along here, because a person left them out.
 */
without: Array<InstructionsAt>, 
/**
 * How much the model thinks, if it can.
 */
thinking: ThinkingEffort, 
/**
 * Groups of actions that are off here.
 */
off?: Array<ActionGroup>, };

/**
 * A tool call of a thread, as its card is shown: the same before and after a reload.
 */
export type ThreadCard = { 
/**
 * The turn.
 */
turn: TurnId, 
/**
 * The model call of the turn, from 1.
 */
step: number, 
/**
 * The id of the tool call.
 */
call: string, 
/**
 * The action's name as the model wrote it.
 */
name: string, 
/**
 * The action that it became.
 */
action?: ActionId, 
/**
 * Where it is in its life.
 */
state: Lifecycle, };

/**
 * An edit that was made in a thread.
 */
export type ThreadEdit = { 
/**
 * The thread.
 */
thread: ThreadId, 
/**
 * What it is called.
 */
title: string, 
/**
 * The message that led to it.
 */
turn: TurnId, 
/**
 * The action.
 */
action: ActionId, 
/**
 * The action of which it carried out a part or a step.
 */
parent: ActionId | null, 
/**
 * When it was made.
 */
at: Timestamp, 
/**
 * What it was shown as.
 */
summary: string, 
/**
 * The lines that are still as it made them, in order; where lines only went, the empty place. None if all were
 * written over since.
 */
lines: Array<LineRange>, };

/**
 * `GET threads/edits?path=`: what edits made in threads have left of a file's lines.
 */
export type ThreadEdits = { 
/**
 * The version of the text that the lines are counted in.
 */
version: Sha256, 
/**
 * The latest first; not those that were taken back.
 */
edits: Array<ThreadEdit>, };

/**
 * One entry of a thread's log.
 */
export type ThreadEvent = { 
/**
 * Position in the thread, from 1, without gaps; readers resume after it.
 */
seq: number, 
/**
 * When it was written.
 */
at: Timestamp, 
/**
 * What happened.
 */
body: ThreadEventBody, };

/**
 * What happened in a thread.
 */
export type ThreadEventBody = { "type": "turn_started", 
/**
 * The turn.
 */
turn: TurnId, 
/**
 * The message.
 */
text: string, 
/**
 * Where they were looking.
 */
focus: Focus | null, 
/**
 * Which model answers.
 */
model: ModelRef, 
/**
 * Who sent it.
 */
by: string, 
/**
 * The grant of the program that sent it for them, if one did.
 */
program?: GrantRef, 
/**
 * What they sent along.
 */
attached?: Array<Attached>, } | { "type": "context_sent", 
/**
 * The turn.
 */
turn: TurnId, 
/**
 * One entry a piece.
 */
chips: Array<ContextChip>, } | { "type": "step_started", 
/**
 * The turn.
 */
turn: TurnId, 
/**
 * The call, from 1.
 */
step: number, 
/**
 * Where all that comes from which the model has been shown in this thread, this call included.
 */
provenance: Provenance, } | { "type": "step_ended", 
/**
 * The turn.
 */
turn: TurnId, 
/**
 * The call.
 */
step: number, 
/**
 * The whole text.
 */
text: string, 
/**
 * The whole of what it thought aloud.
 */
thinking: string, 
/**
 * The tools it called, in order.
 */
calls: Array<ToolCall>, 
/**
 * What the call used.
 */
usage: Usage, 
/**
 * What the call cost.
 */
cost: Cost, 
/**
 * Why it ended.
 */
stop: StepStop, 
/**
 * What of the conversation the call was not given whole, if it did not all fit.
 */
left_out?: LeftOut, 
/**
 * What the provider wants to have back unchanged.
 */
echo?: unknown, } | { "type": "action_changed", 
/**
 * The whole record.
 */
record: ActionRecord, } | { "type": "notice", 
/**
 * The turn.
 */
turn: TurnId, 
/**
 * The step it answers.
 */
step: number, 
/**
 * The tool call it answers, if that never became an action; else it is about the step.
 */
call?: string, 
/**
 * What was said.
 */
text: string, } | { "type": "turn_ended", 
/**
 * The turn.
 */
turn: TurnId, 
/**
 * How.
 */
end: TurnEnd, 
/**
 * What all its steps used.
 */
usage: Usage, 
/**
 * What all its steps cost.
 */
cost: Cost, } | { "type": "thread_changed", 
/**
 * The thread as it is now.
 */
thread: Thread, };

/**
 * One answer of `GET threads/search?q=`: a thread in which something was said.
 */
export type ThreadFound = { 
/**
 * The thread.
 */
thread: Thread, 
/**
 * The turn in which it was said; absent if only the title has the words.
 */
turn: TurnId | null, 
/**
 * One line around the first word.
 */
excerpt: string, };

/**
 * One conversation.
 */
export type ThreadId = string;

/**
 * `GET threads/{id}`.
 */
export type ThreadWithEvents = { 
/**
 * The thread.
 */
thread: Thread, 
/**
 * Its log.
 */
events: Array<ThreadEvent>, };

/**
 * One entry of a task's timeline.
 */
export type TimelineEntry = { 
/**
 * When.
 */
at: Timestamp, 
/**
 * Which part of the loop.
 */
phase: Phase, 
/**
 * In a sentence.
 */
text: string, 
/**
 * The step it is about, from 1.
 */
step?: number, 
/**
 * The action it is about.
 */
action?: ActionId, 
/**
 * What became of that action.
 */
state?: ActionState, };

/**
 * Milliseconds since the Unix epoch, UTC.
 */
export type Timestamp = number;

/**
 * A todo of a note.
 */
export type TodoItem = { 
/**
 * The note.
 */
path: WorkspacePath, 
/**
 * The title of the note.
 */
note: string, 
/**
 * Its line, from 1.
 */
line: number, 
/**
 * `open`, `doing`, `done`, `cancelled` or `moved`.
 */
state: string, 
/**
 * The character in its brackets, or the word of Logseq.
 */
mark: string, 
/**
 * Its words, without dates and other signs.
 */
text: string, 
/**
 * The day by which it has to be done: `2026-12-01` or `2026-12-01T14:30`.
 */
due?: string, 
/**
 * The day on which it is planned.
 */
scheduled?: string, 
/**
 * The day from which it can be done.
 */
start?: string, 
/**
 * The day on which it was done.
 */
done?: string, 
/**
 * The day on which it was cancelled.
 */
cancelled?: string, 
/**
 * The day on which it was written.
 */
created?: string, 
/**
 * The rule by which it comes again.
 */
repeat?: string, 
/**
 * `highest`, `high`, `medium`, `low` or `lowest`.
 */
priority?: string, 
/**
 * Its id, for other todos.
 */
id?: string, 
/**
 * The id of its block.
 */
block?: string, 
/**
 * The line of the todo above that it belongs to.
 */
parent?: number, 
/**
 * The tags in its words.
 */
tags: Array<string>, };

/**
 * `GET todos?state=open&due_before=…&overdue=true&tag=…&path=…&limit=…`: the earliest due first.
 */
export type TodoList = { 
/**
 * The todos.
 */
todos: Array<TodoItem>, 
/**
 * All that fit, also those that are left out.
 */
total: number, 
/**
 * Today's date where the server runs, by which `overdue` goes.
 */
today: string, 
/**
 * All notes of the workspace are known.
 */
complete: boolean, };

/**
 * What tokens cost, each in US dollars of 10⁻¹²: a token of a dollar per million is 1,000,000. Absent is what costs as
 * much as its kind does otherwise.
 */
export type TokenRates = { 
/**
 * Of input.
 */
input: number, 
/**
 * Of output.
 */
output: number, 
/**
 * Of input read from the provider's cache.
 */
cache_read: number | null, 
/**
 * Of input written to the provider's cache for some minutes.
 */
cache_write: number | null, 
/**
 * Of input written to the provider's cache for an hour.
 */
cache_write_hour: number | null, 
/**
 * Of output that is reasoning.
 */
reasoning: number | null, };

/**
 * What is known of a token: never the secret itself, of which only a hash is kept.
 */
export type TokenRecord = { 
/**
 * How the secret begins, to recognise it by.
 */
start: string, 
/**
 * When it was handed out.
 */
issued: Timestamp, 
/**
 * When it was last used, to the minute.
 */
last_used: Timestamp | null, };

/**
 * A tool call as the model made it.
 */
export type ToolCall = { 
/**
 * The provider's id, or ours where it gave none; unique within the step.
 */
id: string, 
/**
 * The action's name as the model wrote it.
 */
name: string, 
/**
 * The arguments as the model wrote them.
 */
args: unknown, 
/**
 * Set when the arguments were not JSON.
 */
problem?: string, 
/**
 * Read out of the model's text, because it has no tools or did not use them.
 */
from_text: boolean, };

/**
 * How a turn ended.
 */
export type TurnEnd = { "kind": "done" } | { "kind": "stopped" } | { "kind": "step_limit", 
/**
 * How many steps were made.
 */
steps: number, } | { "kind": "out_of_budget", 
/**
 * Which part of it.
 */
limit: BudgetLimit, 
/**
 * How many steps were made.
 */
steps: number, 
/**
 * How many actions had an effect.
 */
done: number, 
/**
 * The rest of the work, as far as the model has said.
 */
left?: string, } | { "kind": "hand_off", 
/**
 * The offer.
 */
offer: HandOff, } | { "kind": "interrupted" } | { "kind": "failed", 
/**
 * Why.
 */
failure: Failure, };

/**
 * What a turn would use and cost, from what is likely to what is hardly ever passed. An estimate, no promise: that is what
 * limits are for.
 */
export type TurnEstimate = { 
/**
 * Who would answer.
 */
model: ModelRef, 
/**
 * It runs on this machine, so that it costs time rather than money.
 */
local: boolean, 
/**
 * Tokens of the first call's input, rather too many than too few.
 */
input_tokens: number, 
/**
 * Of these, how many its provider probably still has in its cache.
 */
cached_tokens: number, 
/**
 * How many calls it probably takes.
 */
steps: Span, 
/**
 * Input of all calls together, in tokens.
 */
input: Span, 
/**
 * Output of all calls together, in tokens.
 */
output: Span, 
/**
 * What it would cost, in 10⁻¹² US dollars; absent if the price is not known, and for a model on this machine.
 */
cost: Span | null, 
/**
 * How long it would take, in milliseconds; absent unless the model's latest calls tell how fast it is.
 */
milliseconds: Span | null, 
/**
 * The list that the price is from, with its day.
 */
price_source: string | null, 
/**
 * A limit that the turn could pass, or why it would not be asked at all, in words.
 */
warning: string | null, };

/**
 * One message to the end of its answer.
 */
export type TurnId = string;

/**
 * Answer of `POST threads/{id}/turns`.
 */
export type TurnStarted = { 
/**
 * The turn.
 */
turn: TurnId, };

/**
 * Undone actions.
 */
export type UndoCounts = { 
/**
 * Undone within a minute: probably a mistake.
 */
within_minute: number, 
/**
 * Undone later.
 */
later: number, };

/**
 * Whether an action can be undone.
 */
export type UndoSupport = "not_needed" | "inverse" | "none";

/**
 * `POST tasks/{id}/undo`.
 */
export type UndoTask = { 
/**
 * The same key with the same request makes one task.
 */
idempotency_key?: string, 
/**
 * Shows what would happen, and keeps nothing.
 */
dry_run?: boolean, 
/**
 * Takes back what can be, although not all can; the answer says exactly what.
 */
partly?: boolean, };

/**
 * `POST files/uploads`: the bytes of a file are kept. `file.upload` puts them in their place.
 */
export type Uploaded = { 
/**
 * The hash of the bytes, for `file.upload`.
 */
blob: Sha256, 
/**
 * How many bytes there are.
 */
size: bigint, };

/**
 * Tokens of one or more model calls, as the provider counted them; absent means it did not say.
 */
export type Usage = { 
/**
 * Input tokens, those read from or written to a cache included.
 */
input: number | null, 
/**
 * Output tokens, reasoning included.
 */
output: number | null, 
/**
 * Of the input: read from the provider's cache.
 */
cache_read: number | null, 
/**
 * Of the input: written to the provider's cache.
 */
cache_write: number | null, 
/**
 * Of what was written to the cache: to be kept for an hour rather than for some minutes.
 */
cache_write_hour: number | null, 
/**
 * Of the output: reasoning.
 */
reasoning: number | null, };

/**
 * A ruling with the rule that decided it.
 */
export type Verdict = { 
/**
 * The ruling.
 */
ruling: Ruling, 
/**
 * The rule's name: `builtin/agent-config`, `default/destructive`, `user/tests`.
 */
rule: string, 
/**
 * One sentence for the person: why it was asked or denied.
 */
reason: string, 
/**
 * Where the rule comes from; absent if no policy was asked, as for what a grant does not cover.
 */
layer?: PolicyLayer, 
/**
 * No rule named this request: the default of its risks decided.
 */
default_used: boolean, 
/**
 * The rules that match, the one that decided first; of very many, the first ones.
 */
matched: Array<MatchedRule>, 
/**
 * The narrowest rule that would allow requests like this one, if one can: what "always" stores.
 */
could_add?: PolicyRule, };

/**
 * `POST audit/verify`.
 */
export type VerifyAudit = { 
/**
 * A hash that was the last one at some time: it has to be in the chain still.
 */
head?: string, };

/**
 * A reason to ask although the policy would not.
 */
export type Warning = { 
/**
 * Which guard spoke.
 */
guard: Guard, 
/**
 * What it saw, in one sentence.
 */
text: string, };

/**
 * A binary part of the state of a widget.
 */
export type WidgetBuffer = { 
/**
 * Where in the state it belongs.
 */
path: Array<string>, 
/**
 * The bytes.
 */
base64: string, };

/**
 * A live widget of a kernel, as it is now: shown where an output names it.
 */
export type WidgetModel = { 
/**
 * What outputs and other widgets name it by.
 */
id: string, 
/**
 * By name, as Jupyter's widgets have it; `IPY_MODEL_` and an id names another one.
 */
state: Record<string, unknown>, 
/**
 * Parts of the state that are no JSON.
 */
buffers: Array<WidgetBuffer>, 
/**
 * What it caught of what code put out, bounded.
 */
outputs: Array<CellOutput>, };

/**
 * The window that asks, as far as a sentence can mean it and a message to the Navigator tells of it.
 */
export type WindowSituation = { 
/**
 * Its tabs, in reading order.
 */
tabs: Array<SentenceTab>, 
/**
 * The cell with the cursor, or the one that had it last, of the notebook in front.
 */
cell?: SentenceCell, 
/**
 * The thread in the side panel.
 */
thread?: ThreadId, 
/**
 * The parts that it shows, and its theme.
 */
layout?: SentenceLayout, 
/**
 * The person's clock with its offset, as RFC 3339. Default: the server's clock in UTC.
 */
time?: string, };

/**
 * An environment of Python that has no kernel.
 */
export type WithoutKernel = { 
/**
 * The path of its interpreter.
 */
interpreter: string, 
/**
 * Its folder, if it is in the workspace: `kernel.setup` adds a kernel to it.
 */
environment?: WorkspacePath, };

/**
 * A path inside the workspace: relative, `/` between the parts, no `.` or `..`, never empty.
 *
 * Lexical only. That no symbolic link leads out of the workspace is checked where the disk is.
 */
export type WorkspacePath = string;
