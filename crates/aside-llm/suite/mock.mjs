// An independent mock of every provider, for our adapters to talk to. Prints its address, then serves until it is ended.

import { LLMock } from "@copilotkit/aimock";

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent", chunkSize: 7 });
mock.addFixtures([
  { match: { userMessage: "say hello" }, response: { content: "Hello, 🦀 é! How are you?", usage } },
  { match: { userMessage: "think first" }, response: { content: "Done.", reasoning: "Let me see." } },
  { match: { toolResultContains: "nothing here" }, response: { content: "I have read both." } },
  {
    match: { userMessage: "call two tools" },
    response: {
      toolCalls: [
        { name: "doc_read", arguments: '{"path":"naïve.py","lines":[1,2]}', id: "call_a" },
        { name: "file_list", arguments: "{}", id: "call_b" },
      ],
    },
  },
  { match: { userMessage: "break off" }, response: { content: "Hello, how are you?" }, latency: 5, truncateAfterChunks: 2 },
  { match: { userMessage: "hang up" }, response: { content: "Hello" }, chaos: { disconnectRate: 1 } },
  { match: { userMessage: "talk nonsense" }, response: { content: "Hello" }, chaos: { malformedRate: 1 } },
  {
    match: { userMessage: "be busy" },
    response: { error: { message: "Too much to do", type: "rate_limit_error" }, status: 429 },
  },
]);
console.log(await mock.start());
