import { blankText, solidText } from '../../server-tools/solid-text.ts'
import { thinkingLists, wordMembers } from '../facts.ts'

/** One that is not zero: a call of nothing else is none. */
const value = '(?:"[^"]|[\\d[]|true)'
/** What says nothing of a call by itself. */
const plain = 'index"|type"\\s*:\\s*"(?:function|custom)?"'
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
    `"(?:images|annotations|${thinkingLists.join('|')})"\\s*:\\s*\\[\\s*[{"]`,
    '"(?:citations|search_results|web_search|executed_tools)"\\s*:\\s*\\[\\s*[{"]',
    `"tool_calls"\\s*:\\s*(?:\\[\\s*"|(?:\\[\\s*)?\\{[^\\]]*?"(?!${plain})\\w+"\\s*:\\s*${value})`,
    `"function_call"\\s*:\\s*\\{[^}]*?:\\s*${value}`,
    '"audio"\\s*:\\s*\\{',
  ].join('|'),
)

export const chatSays = (chunk: Buffer): boolean => said.test(chunk.toString('latin1'))
