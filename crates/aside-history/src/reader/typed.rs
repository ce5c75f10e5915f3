//! What stands in a log as a person's message and was typed by none: what programs tell models in a person's place.

/// How it begins.
const STARTS: &[&str] = &[
    // Codex.
    "# AGENTS.md instructions for",
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<skill>",
    "<user_shell_command>",
    "<subagent_notification>",
    "<recommended_plugins>",
    "<goal_context>",
    "<codex_internal_context",
    "<hook_prompt",
    // Claude Code; the last of older versions, which don't mark it.
    "<system-reminder>",
    "<task-notification>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<bash-stdout>",
    "<bash-stderr>",
    "[Request interrupted by user",
    "This session is being continued from a previous conversation",
];

/// Tells whether a person said this, as far as can be told from its beginning.
pub fn is_typed(text: &str) -> bool {
    let text = text.trim_start();
    !STARTS.iter().any(|start| text.starts_with(start))
}
