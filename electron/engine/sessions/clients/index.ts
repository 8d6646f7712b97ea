import type { ClientKind } from '../../../../shared/words.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { gemini } from './gemini.ts'
import { kilo } from './kilo.ts'
import { kimi } from './kimi.ts'
import { opencode } from './opencode.ts'
import { other } from './other.ts'
import type { ClientProfile, Recognise } from './profile.ts'
import { qwen } from './qwen.ts'

type Headers = Readonly<Record<string, string>>

/** More specific signs first: every client that uses a vendor's SDK has the SDK's headers too. */
const known: readonly ClientProfile[] = [claude, codex, opencode, gemini, qwen, kimi, kilo, copilot]
const byKind: Readonly<Record<ClientKind, ClientProfile>> = {
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

export const profileOf = (client: ClientKind): ClientProfile => byKind[client]

/** Recognises the client by its own signs; null if it has none. */
export const recogniseClient = (headers: Headers): ClientKind | null =>
  known.find((profile) => profile.recognise.some((sign) => hasSign(headers, sign)))?.client ?? null

/** True if the run draws no screen (`claude -p`, `codex exec`): nothing can be typed into it. */
export const isHeadless = (client: ClientKind, headers: Headers): boolean =>
  profileOf(client).headless.some((sign) => hasSign(headers, sign))

/** An empty header counts as absent: opencode sends one for a variable that is not set. */
export function hasSign(headers: Headers, sign: Recognise): boolean {
  const value = headers[sign.header]
  if (!value) return false
  return (
    (sign.starts === undefined || value.startsWith(sign.starts)) &&
    (sign.has === undefined || value.includes(sign.has)) &&
    (sign.is === undefined || value === sign.is) &&
    value !== sign.not
  )
}
