import { existsSync } from 'node:fs'
import { installAgents } from '../agents.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import { qwen } from './qwen.ts'
import type { RealAgent } from './types.ts'

/** Every real agent that is installed from the registry. */
export const realAgents = { claude, codex, gemini, opencode, qwen }
export type { RealAgent }

/** @returns why it can't run on this machine */
export function agentMissing({ client, name }: RealAgent): string | null {
  const { [client]: program } = installAgents()
  if (program !== null && existsSync(program)) return null
  return client === 'claude' || client === 'opencode'
    ? `the package with ${name} is for Linux on x64 only`
    : `${name} is not installed`
}
