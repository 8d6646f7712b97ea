import type { ClientKind } from '../../../../shared/words.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { gemini } from './gemini.ts'
import { kilo } from './kilo.ts'
import { kimi } from './kimi.ts'
import { opencode } from './opencode.ts'
import { other } from './other.ts'
import { qwen } from './qwen.ts'
import type { AgentFacts } from './types.ts'

/** Every client Onward knows: a new one is a file here and a line. */
export const agents: Readonly<Record<ClientKind, AgentFacts>> = {
  claude,
  codex,
  opencode,
  gemini,
  qwen,
  copilot,
  kimi,
  kilo,
  other,
}
