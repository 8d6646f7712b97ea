import { blankText, solidText } from '../../server-tools/solid-text.ts'

/**
 * Members in which something of the model's comes, with something in them. A key in its quotes and with its colon can't
 * stand in a text without a backslash. `images` and `reasoning_details`: OpenRouter. `reasoning_opaque`: GitHub
 * Copilot. `thinking_blocks`: LiteLLM. `citations`, `search_results`: Perplexity and xAI. `web_search`: GLM.
 * `executed_tools`: Groq. `annotations`, `audio`: `ChatCompletionMessage` of the `openai` package.
 */
const said = new RegExp(
  [
    `"(?:content|refusal|reasoning_content|reasoning|reasoning_text|reasoning_opaque)"\\s*:\\s*${solidText}`,
    `"content"\\s*:\\s*\\[\\s*\\{(?!\\s*"type"\\s*:\\s*"text"\\s*,\\s*"text"\\s*:\\s*${blankText}\\s*\\}\\s*\\])`,
    '"(?:tool_calls|reasoning_details|thinking_blocks|images|annotations)"\\s*:\\s*\\[\\s*[{"]',
    '"(?:citations|search_results|web_search|executed_tools)"\\s*:\\s*\\[\\s*[{"]',
    '"(?:tool_calls|function_call|audio)"\\s*:\\s*\\{',
  ].join('|'),
)

export const chatSays = (chunk: Buffer): boolean => said.test(chunk.toString('latin1'))
