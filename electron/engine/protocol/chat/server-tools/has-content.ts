import { blankText, mostEmptyBytes, solidText } from '../../server-tools/solid-text.ts'
import { thinkingLists, wordMembers } from '../facts.ts'

/** A value that is not zero: a call with no other value is none. */
const value = '(?:"[^"]|[\\d[]|true)'
/** Members that alone say nothing of a call. */
const plain = 'index"|type"\\s*:\\s*"(?:function|custom)?"'
/**
 * Members that hold output of the model, where they are not empty. A key in its quotes and with its colon can't stand
 * in a text without a backslash. `images`: OpenRouter. `reasoning_opaque`: GitHub Copilot. `citations`,
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
    `"audio"\\s*:\\s*\\{[^}]*?:\\s*${value}`,
  ].join('|'),
)

export const chatSays = (chunk: Buffer): boolean => chunk.length > mostEmptyBytes || said.test(chunk.toString('latin1'))
