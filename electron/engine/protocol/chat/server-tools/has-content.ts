import { blankText, solidText } from '../../server-tools/solid-text.ts'
import { thinkingLists, wordMembers } from '../facts.ts'

/**
 * Members in which something of the model's comes, with something in them. A key in its quotes and with its colon can't
 * stand in a text without a backslash. `images`: OpenRouter. `reasoning_opaque`: GitHub Copilot. `citations`,
 * `search_results`: Perplexity and xAI. `web_search`: GLM. `executed_tools`: Groq. `annotations`, `audio`:
 * `ChatCompletionMessage` of the `openai` package.
 */
const said = new RegExp(
  [
    `"(?:${[...wordMembers, 'reasoning_opaque'].join('|')})"\\s*:\\s*${solidText}`,
    `"content"\\s*:\\s*\\[\\s*\\{(?!\\s*"type"\\s*:\\s*"text"\\s*,\\s*"text"\\s*:\\s*${blankText}\\s*\\}\\s*\\])`,
    `"(?:tool_calls|images|annotations|${thinkingLists.join('|')})"\\s*:\\s*\\[\\s*[{"]`,
    '"(?:citations|search_results|web_search|executed_tools)"\\s*:\\s*\\[\\s*[{"]',
    '"(?:tool_calls|function_call|audio)"\\s*:\\s*\\{',
  ].join('|'),
)

export const chatSays = (chunk: Buffer): boolean => said.test(chunk.toString('latin1'))
