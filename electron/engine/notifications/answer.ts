import type { OutsideFailure } from '../../../shared/notifications.ts'

/** The meaning of an answer: taken, or why not and whether to try again. `afterMs`: the service itself said when. */
export type Verdict =
  | { kind: 'taken' }
  | { kind: 'refused'; why: OutsideFailure; again: boolean; afterMs: number | null }

export interface Answer {
  status: number
  headers: Readonly<Record<string, string | string[]>>
  body: string
}

const LONGEST_WAIT_MS = 10 * 60_000
const MOST_SAID = 160

/** @param hide removes texts that must not be repeated: the address, a token */
export function readAnswer({ status, headers, body }: Answer, now: number, hide: (text: string) => string): Verdict {
  if (status >= 200 && status < 300) return { kind: 'taken' }
  const again = status === 408 || status === 425 || status === 429 || status >= 500
  return {
    kind: 'refused',
    why: { code: 'answered', status, said: saidIn(hide(body)) },
    again,
    afterMs: again ? waitOf(headers['retry-after'], body, now) : null,
  }
}

/** Seconds or a date in the header; Discord also has it in its body, with fractions. */
function waitOf(header: string | string[] | undefined, body: string, now: number): number | null {
  const text = Array.isArray(header) ? header[0] : header
  const fromBody = parsed(body)?.['retry_after']
  const seconds = text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null
  const until = text === undefined || seconds !== null ? Number.NaN : Date.parse(text)
  const ms = [
    seconds === null ? null : seconds * 1000,
    Number.isNaN(until) ? null : until - now,
    typeof fromBody === 'number' && Number.isFinite(fromBody) ? fromBody * 1000 : null,
  ].filter((wait) => wait !== null)
  return ms.length === 0 ? null : Math.min(LONGEST_WAIT_MS, Math.max(0, ...ms))
}

/** The service's own reason: Slack sends it as plain text, ntfy and Discord in JSON. A page has none. */
function saidIn(body: string): string | null {
  const value = parsed(body)
  const message = value === null ? body : (value['error'] ?? value['message'])
  if (typeof message !== 'string' || message.trim() === '' || /^\s*</.test(message)) return null
  const line = message.trim().split('\n')[0] ?? ''
  return line.length > MOST_SAID ? `${line.slice(0, MOST_SAID)}…` : line
}

function parsed(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
