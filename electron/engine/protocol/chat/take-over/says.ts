/**
 * Members in which something of the model's comes, with something in them. A key in its quotes and with its colon can't
 * stand in a text without a backslash. `images` and `reasoning_details`: OpenRouter. `citations`, `search_results`:
 * Perplexity and xAI. `executed_tools`: Groq. `annotations`, `audio`: `ChatCompletionMessage` of the `openai` package.
 */
const said = new RegExp(
  [
    '"(?:content|refusal|reasoning_content|reasoning|reasoning_text)"\\s*:\\s*"(?!")',
    '"content"\\s*:\\s*\\[\\s*\\{(?!\\s*"type"\\s*:\\s*"text"\\s*,\\s*"text"\\s*:\\s*""\\s*\\}\\s*\\])',
    '"(?:tool_calls|reasoning_details|images|annotations|citations|search_results|executed_tools)"\\s*:\\s*\\[\\s*[{"]',
    '"(?:tool_calls|function_call|audio)"\\s*:\\s*\\{',
  ].join('|'),
)

export const chatSays = (chunk: Buffer): boolean => said.test(chunk.toString('latin1'))
