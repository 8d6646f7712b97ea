import { overflowIn } from '../../protocol/overflow.ts'

/**
 * A stream may begin with a status of 200 and an error as its first event: so Anthropic says that it is overloaded, and
 * gateways that the model behind them failed. Nothing has reached the client yet, so another candidate may be tried.
 * @returns the status it stands for; null: no error, or one of the request itself, which nobody answers better;
 *   400: a larger context window may
 */
export function earlyError(firstChunk: Buffer): number | null {
  const text = firstChunk.toString('latin1', 0, 4096)
  if (!begins.test(text)) return null
  if (overflowIn(firstChunk)) return 400
  if (/overloaded/i.test(text)) return 529
  const code = /"(?:code|status)"\s*:\s*"?(\d{3})\b/.exec(text)?.[1]
  if (code !== undefined) return Number(code) === 429 || Number(code) >= 500 ? Number(code) : null
  if (/rate_limit|resource_exhausted/i.test(text)) return 429
  return /server_error|api_error|internal|unavailable|timeout/i.test(text) ? 500 : null
}

/** `event: error`, `data: {"error": …`, `data: {"type": "error", …` */
const begins = /^\s*(?:event:[ \t]*error[ \t]*\r?\n|data:\s*\{\s*"(?:error"|(?:type|object)"\s*:\s*"error"))/
