import type { ClientKind } from '../../../../../shared/words.ts'

/**
 * References in a message as each agent's own source reads them, written down apart from Onward's replacements: these
 * find what would be opened. Each drops the characters first that the real agent drops.
 */
export const opensOf: Readonly<Record<ClientKind, (message: string) => readonly string[]>> = {
  claude: (message) => claudePaths(message.replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')).concat(claudePaths(message)),
  codex: codexMentions,
  opencode: () => [],
  gemini: (message) => geminiPaths(message.replace(/\p{Cf}/gu, '')).concat(geminiPaths(message)),
  qwen: (message) => qwenPaths(message.trim()),
  // not measured: taken for such an agent
  copilot: (message) => qwenPaths(message.trim()),
  kimi: (message) => qwenPaths(message.trim()),
  kilo: () => [],
  other: () => [],
}

/** Claude Code 2.1.330: per word, an `@` at its start or after 。、？！, and `@"…"` likewise. */
function claudePaths(message: string): string[] {
  const quoted = [...message.matchAll(/(?:^|[\s。、？！])@"([^"]+)"/g)].map(([, path = '']) => path)
  const words = [...message.matchAll(/\S+/g)].flatMap(([word]) => {
    let at = word.indexOf('@')
    while (at > 0 && !'。、？！'.includes(word.charAt(at - 1))) at = word.indexOf('@', at + 1)
    return at === -1 || at + 1 === word.length ? [] : [word.slice(at + 1)]
  })
  return [...quoted, ...words]
}

/** Gemini CLI 0.61.0, `parseAllAtCommands`. */
const geminiPaths = (message: string): string[] =>
  [
    ...message.matchAll(
      /(?<!\\)@((?:(?:"(?:[^"]*)")|(?:\\.|[^ \t\n\r,;!?()[\]{}.]|\.(?!$|[ \t\n\r])))+)/g, // its own, to the letter
    ),
  ].map(([, path = '']) => path)

/** Qwen Code 0.24.4: `isAtCommand`, then `parseAllAtCommands`. */
function qwenPaths(message: string): string[] {
  if (!message.startsWith('@') && !/\s@/.test(message)) return []
  return [...message.matchAll(/(?<!\\)@((?:\\[^]|[^\\,\s;!?()[\]{}.]|\.(?!\s|$))+)/g)].map(([, path = '']) => path)
}

const variables = 'PATH HOME USER SHELL PWD TMPDIR TEMP TMP LANG TERM XDG_CONFIG_HOME'.split(' ')

/** Codex 0.169.0, `extract_tool_mentions` for `$` and, for links to plugins, `@`. */
function codexMentions(message: string): string[] {
  const skills = [...message.matchAll(/\$([A-Za-z0-9_:-]+)/g)].map(([, name = '']) => name)
  const links = [...message.matchAll(/\[@([A-Za-z0-9_:-]+)\]\s*\([^)]+\)/g)].map(([, name = '']) => name)
  return [...skills.filter((name) => !variables.includes(name.toUpperCase())), ...links]
}
