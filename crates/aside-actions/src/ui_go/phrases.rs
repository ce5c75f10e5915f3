//! The sentences that people say for `ui.go`.

/// All of them, in the notation of [`aside_core::Phrase`].
pub(super) const PHRASES: &[&str] = &[
    "(open|show|show me|go to|take me to|view|see|bring up|jump to|switch to) [the|my] (settings|preferences) [page] => page=settings",
    "(settings|preferences) [page] => page=settings",
    "[open|show|show me|go to|take me to|view|see|bring up|jump to|switch to] (activity log|audit|audit log|audit trail|log of actions|activity) [page|tab] => page=audit",
    "[open|show|show me|go to|take me to|view|bring up|see] (needs you|what needs me|what is waiting for me|what's waiting for me|what waits for me|waiting for you|pending decisions|pending approvals) [page] => page=needs_you",
    "(is there anything|anything) waiting for me => page=needs_you",
    "(open|show|show me|go to|take me to|view|see|bring up|jump to|switch to) [all] (tasks|task list|list of tasks|task page) [page] => page=tasks",
    "tasks [page] => page=tasks",
    "(open|show|show me|go to|take me to|view|see|bring up|jump to|switch to) [the|my] todos page => page=todos",
    "todos page => page=todos",
    "(open|show|show me|go to|take me to|view|see|bring up|jump to|switch to) (models|model settings|list of models|model page|api keys) [page] => page=models",
    "models [page] => page=models",
    "(open|show|show me|go to|take me to|view|see|bring up|jump to|switch to) (policy|permissions|permission rules|policy rules|approval rules|rules) [page] => page=policy",
    "(policy|permissions) [page] => page=policy",
    "(open|show|show me|go to|take me to|view|see|bring up|jump to|switch to) (grants|access tokens|tokens|list of grants) [page] => page=grants",
    "(grants|access tokens) [page] => page=grants",
    "(open|show|show me|go to|take me to|view|see|bring up|jump to|switch to) (programs|connected programs|mcp page|mcp) [page] => page=programs",
    "programs page => page=programs",
    "(open|show|show me|go to|take me to|view|see|bring up|jump to|switch to|list) [all] (problems|problem list|list of problems|errors and warnings|problems panel) [page] => page=problems",
    "(problems|what problems are there|are there any problems|are there problems|which problems are there) [page] => page=problems",
    "(open|show|show me|go to|take me to|view|see|bring up|jump to|switch to) [my] (history|ai history|ai coding history|history of ai) [page] => page=history",
    "(ai history|history) [page] => page=history",
    "(open|show|show me|go to|take me to|view|see) [the|my] (statistics|stats) [page] => page=statistics",
    "(statistics|stats|how well does it go) [page] => page=statistics",
    "(open|show|show me|go to|take me to|view|see) [the] coverage [of actions] [page] => page=coverage",
];
