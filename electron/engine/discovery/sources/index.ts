import type { Source } from '../types.ts'
import { fromCcSwitch } from './cc-switch.ts'
import { fromClaude } from './claude.ts'
import { fromClaudeCodeRouter } from './claude-code-router.ts'
import { fromCodex } from './codex.ts'
import { fromEnv } from './env.ts'
import { fromGemini } from './gemini.ts'
import { fromOpencode } from './opencode.ts'
import { fromQwen } from './qwen.ts'

/**
 * If a key is found in two places, the first counts: a variable is named, where a key in a file would have to be
 * copied.
 */
export const sourcesInOrder: readonly Source[] = [
  fromEnv,
  fromClaude,
  fromCodex,
  fromOpencode,
  fromGemini,
  fromQwen,
  fromClaudeCodeRouter,
  fromCcSwitch,
]
