//! What a server means by a refusal, by its words: no wire has a code for it.

use super::ProviderError;

/// Words of servers to which tools were sent that they don't take.
const NO_TOOLS: &[&str] = &[
    // OpenRouter, vLLM and llama.cpp, in this order.
    "support tool use",
    "--enable-auto-tool-choice",
    "tools param requires",
    "does not support tool",
];
/// How servers name tools as a whole.
const TOOLS: &[&str] = &[
    "tools",
    "tool calling",
    "tool calls",
    "tool use",
    "tool_choice",
    "function calling",
    "function calls",
    "functions",
];
/// How servers say that they don't know something.
const NOT_KNOWN: &[&str] = &[
    "not support",
    "n't support",
    "unsupported",
    "not permitted",
    "not allowed",
    "not implemented",
    "not available",
    "not enabled",
    "unknown parameter",
    "unknown field",
    "unrecognized",
    "unexpected keyword",
    "unexpected parameter",
    "unexpected field",
    "extra_forbidden",
    "no support for",
    "disabled",
];
/// Words about one of the tools or its calls: those are taken in general.
const OF_ONE_TOOL: &[&str] =
    &["tools.", "tools[", "tools/", "tool_result", "tool_call_id", "tool_use_id", "tools\",0", "schema"];
/// Words of servers to which more was sent than they read.
const TOO_LONG: &[&str] = &[
    // OpenAI and what speaks like it (vLLM, Groq, DeepSeek), as a code and in words.
    "context_length_exceeded",
    "maximum context length",
    "exceeds the context window",
    "reduce the length of the messages",
    "longer than the maximum model length",
    // Anthropic, Gemini, Ollama, llama.cpp, Mistral, xAI, in this order.
    "prompt is too long",
    "exceed context limit",
    "exceeds the maximum number of tokens",
    "input length exceeds",
    "exceeds the available context size",
    "too large for model with",
    "maximum prompt length",
    // LM Studio.
    "with context length of only",
    "greater than the context length",
];

impl ProviderError {
    /// Tells whether the server refused because the model, or the server as it was started, takes no tools: the same
    /// request may succeed without them.
    pub fn refuses_tools(&self) -> bool {
        let in_other_words = |detail: &str| {
            let has = |words: &[&str]| words.iter().any(|words| detail.contains(words));
            has(TOOLS) && has(NOT_KNOWN) && !has(OF_ONE_TOOL)
        };
        self.refuses_with(NO_TOOLS) || self.said().is_some_and(|detail| in_other_words(&detail))
    }

    /// Tells whether the server refused because the request has more tokens than it takes: a shorter one may succeed.
    pub fn refuses_length(&self) -> bool {
        matches!(self, Self::Refused { status: 413, .. }) || self.refuses_with(TOO_LONG)
    }

    /// Some servers refuse under a status, others under HTTP 200.
    fn refuses_with(&self, words: &[&str]) -> bool {
        self.said().is_some_and(|detail| words.iter().any(|words| detail.contains(words)))
    }

    fn said(&self) -> Option<String> {
        match self {
            // The key has no right, whatever the request holds.
            Self::Refused { status: 401 | 403, .. } => None,
            Self::Refused { detail, .. } | Self::Failed { detail, .. } => Some(detail.to_lowercase()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(status: u16, detail: &str) -> ProviderError {
        let [endpoint, detail] = ["https://api.example", detail].map(str::to_owned);
        ProviderError::Refused { endpoint, status, detail, hint: None }
    }

    #[test]
    fn what_is_refused_because_of_tools_is_told_by_the_words_of_many_servers() {
        for detail in [
            "registry.ollama.ai/library/gemma:2b does not support tools",
            "No endpoints found that support tool use. To learn more about provider routing, visit: …",
            "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
            "tools param requires --jinja flag",
            "Function calling is not enabled for models/gemma-3-27b-it",
            "Unsupported parameter: 'tools' is not supported with this model.",
            "`tool calling` is not supported with this model",
            "This endpoint does not support the parameter tools",
            "Unrecognized request argument supplied: tools",
            r#"{"detail":[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}"#,
            "unknown field: `tools`",
            "Tool use is disabled for this deployment",
            "Function calling isn't supported by this model",
        ] {
            assert!(refused(400, detail).refuses_tools() && !refused(400, detail).refuses_length(), "{detail}");
        }
        for detail in [
            "tools.0.name: String should match pattern",
            "tools[3].function.parameters: unknown field `$defs`, not supported",
            "messages.2: `tool_use` ids were found without `tool_result` blocks",
            "Invalid schema for function 'doc_edit': 'oneOf' is not permitted",
            "image input is not supported",
        ] {
            assert!(!refused(400, detail).refuses_tools(), "{detail}");
        }
        assert!(!refused(403, "You have no permission: tools are not enabled for your key").refuses_tools());
    }

    #[test]
    fn what_is_refused_because_of_its_length_is_told_by_the_words_of_many_servers() {
        for detail in [
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
            "prompt is too long: 210000 tokens > 200000 maximum",
            "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            "the input length exceeds the context length",
            "the request exceeds the available context size. try increasing the context size",
            "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
            "Trying to keep the first 9001 tokens when context overflows. However, the model is loaded with context length of only 4096 tokens",
            "The number of tokens to keep from the initial prompt is greater than the context length",
            "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
        ] {
            assert!(refused(400, detail).refuses_length() && !refused(400, detail).refuses_tools(), "{detail}");
        }
        assert!(refused(413, "no reason given").refuses_length());
        assert!(!refused(400, "max_tokens: 40000 > 32000, which is the maximum allowed").refuses_length());
    }
}
