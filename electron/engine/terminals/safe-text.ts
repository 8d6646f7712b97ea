import type { ClientKind } from '../../../shared/words.ts'
import { agents } from './agents/index.ts'
import { plainMentions } from './typing/plain-mentions.ts'

/**
 * Every text that goes to a terminal passes through here. A text written by a model, a repository or a reviewer must
 * stay text: it can't end its own paste, press a key, arm a marker, or start a command of the client.
 */

/** C0 without LF, DEL, C1. TAB, CR and CRLF are turned into spaces and LF before. */
// oxlint-disable-next-line no-control-regex -- control characters are the subject here
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g
/**
 * Bidirectional embeddings, overrides and isolates make a terminal show another order than the agent reads
 * (“Trojan Source”, CVE-2021-42574), so they go. The plain marks LRM, RLM and ALM reorder nothing and stay.
 */
const bidiOverrides = /[\u202a-\u202e\u2066-\u2069]/g
/**
 * White space, format characters, and what Unicode calls letters and signs though nothing is drawn (U+3164, U+2800).
 */
const unseenStart = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*/u
/** Claude Code takes the full-width forms for the same commands; after `&` Copilot CLI hands work to its cloud. */
const commandStart = /^[!/#@&！／＃＠＆]/u
/** Drawn nowhere; Claude Code takes some of it out before it looks. */
const undrawn = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu
/** Files that exist: Gemini CLI and Qwen Code make `@path` of such a paste, Claude Code and Codex a picture. */
const looksLikePath = /[./\\~]\w/
/** Longer than any command, and than any path that is dragged into a terminal. */
const longestCommand = 4_096
/** Checks for commands of every agent: a text may move to another one, and a later release may learn another's. */
function isCommand(text: string): boolean {
  if (text.length > longestCommand) return false
  const line = text.replace(undrawn, '').normalize('NFKC').trim().toLowerCase()
  return (
    Object.values(agents).some(({ commands }) => commands.includes(line)) ||
    line.split(/\s+/).every((word) => looksLikePath.test(word))
  )
}
/**
 * Codex completes a word like `@file` or `$skill` at the cursor and Enter picks the completion instead of submitting; a
 * backslash before Enter is a line break in Claude Code. A space after the word ends both (seen with Codex 0.169 and
 * Claude Code 2.1.330).
 */
const catchesEnter = /[@$#/\\＠＄＃／]/u

/**
 * The text as it may be typed: idempotent, and of the same words for a reader. A command, or a command character that
 * would stand first, gets `- ` in front; a space would not do, Claude Code trims it and runs ` !ls` (seen
 * with 2.1.330).
 * `plainFor`: no person wrote it, and this agent opens nothing for what it names.
 */
export function makeSafe(text: string, plainFor: ClientKind | null = null): string {
  const clean = text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, '    ')
    .replace(controls, '')
    .replace(bidiOverrides, '')
    .replace(/<\*(?=\*)/g, '<* ')
    .trim()
  // nothing a composer would show: it would count as empty, and Enter on it as submitted
  if (/^[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(clean)) return ''
  const plain = plainFor === null ? clean : plainMentions(clean, plainFor)
  const visible = plain.replace(unseenStart, '')
  const led = commandStart.test(visible) || isCommand(plain) ? `- ${visible}` : plain
  return catchesEnter.test(lastWord(led)) ? `${led} ` : led
}

/** The text as this terminal takes it; giving it its own output changes nothing. */
export const safeFor = (text: string, { bracketedPaste, plainFor = null }: SafeFor): string =>
  bracketedPaste ? makeSafe(text, plainFor) : foldLines(makeSafe(text, plainFor))

/** Only these of the agents' own commands are ever typed, when Onward itself wants it: `writtenBy` says so. */
export const isOwnCommand = (text: string): boolean =>
  Object.values(agents).some(({ compact, endGoal, resumeGoal }) => [compact, endGoal, resumeGoal].includes(text))

export interface SafeFor {
  bracketedPaste: boolean
  /** a text that no person wrote, for this agent; absent for a person's */
  plainFor?: ClientKind | null
}

/** One line, for a program that has not switched bracketed paste on: there a LF would be the Enter key. */
export const foldLines = (text: string): string => text.replace(/\n+/g, ' ')

function lastWord(text: string): string {
  let start = text.length
  while (start > 0 && !/\s/.test(text.charAt(start - 1))) start--
  return text.slice(start)
}
