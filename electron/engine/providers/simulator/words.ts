/**
 * Directions to the simulator that a person or a test writes as `simulate: …` in the last user message. This table is
 * the documentation: the simulator's own answer, the README and the tests read it.
 */
export const simulatorWords = [
  { write: 'simulate: say TEXT', does: 'answers exactly TEXT' },
  { write: 'simulate: echo', does: 'answers with the message itself' },
  { write: 'simulate: empty', does: 'answers with nothing and stops' },
  { write: 'simulate: long [N]', does: 'answers N words (200)' },
  { write: 'simulate: think [TEXT]', does: 'thinks before it answers' },
  {
    write: 'simulate: tool NAME [{ARGUMENTS}]',
    does: 'calls a tool, one per round in the order written; then answers',
  },
  { write: 'simulate: slow [MS]', does: 'waits MS between pieces (150)' },
  { write: 'simulate: wait [MS]', does: 'waits MS before the first byte (2000)' },
  { write: 'simulate: hang', does: 'never answers' },
  { write: 'simulate: length', does: 'stops because the length is reached' },
  { write: 'simulate: refuse', does: 'refuses: content_filter, incomplete or refusal, as the protocol says it' },
  { write: 'simulate: break off', does: 'cuts the connection in the middle of the answer' },
  { write: 'simulate: no end', does: 'ends the connection without the final event' },
  { write: 'simulate: error event', does: 'sends an error event in the middle of the stream' },
  {
    write: 'simulate: error STATUS [after S] [xN]',
    does: 'answers with STATUS, retry-after S seconds, only the first N times',
  },
] as const

export type Cut = 'break off' | 'no end' | 'error event'

export interface Directions {
  say: string | null
  echo: boolean
  empty: boolean
  long: number | null
  think: string | null
  tools: readonly { name: string; rest: string }[]
  gapMs: number
  waitMs: number
  hang: boolean
  finish: 'stop' | 'length' | 'refusal'
  cut: Cut | null
  error: { status: number; retryAfter: number | null; times: number | null } | null
  /** `simulate:` with unknown words, which the answer repeats */
  unknown: readonly string[]
}

/** No wait longer than this: a mistyped number must not hang an agent for days. */
const MOST_MS = 10 * 60_000
const MOST_WORDS = 100_000

/** Reads every `simulate:` in a text; each goes to the end of its line or to the next `simulate:`. */
export function readDirections(text: string): Directions {
  const tools: { name: string; rest: string }[] = []
  const unknown: string[] = []
  const found: Directions = {
    say: null,
    echo: false,
    empty: false,
    long: null,
    think: null,
    tools,
    gapMs: 0,
    waitMs: 0,
    hang: false,
    finish: 'stop',
    cut: null,
    error: null,
    unknown,
  }
  for (const part of text.split(/\bsimulate:/i).slice(1)) {
    const line = (part.split('\n', 1)[0] ?? '').trim()
    const [, verb = '', rest = ''] = /^(\S*)\s*([^]*)$/.exec(line) ?? []
    if (!apply(found, tools, verb.toLowerCase(), rest.trim())) unknown.push(line.slice(0, 80))
  }
  return found
}

function apply(found: Directions, tools: { name: string; rest: string }[], verb: string, rest: string): boolean {
  switch (verb) {
    case 'say':
      found.say = rest
      return true
    case 'echo':
      found.echo = true
      return true
    case 'empty':
      found.empty = true
      return true
    case 'long':
      found.long = number(rest, 200, MOST_WORDS)
      return true
    case 'think':
      found.think = rest === '' ? 'The simulator thinks before it answers.' : rest
      return true
    case 'slow':
      found.gapMs = number(rest, 150, MOST_MS)
      return true
    case 'wait':
      found.waitMs = number(rest, 2000, MOST_MS)
      return true
    case 'hang':
      found.hang = true
      return true
    case 'length':
      found.finish = 'length'
      return true
    case 'refuse':
      found.finish = 'refusal'
      return true
    case 'tool': {
      const [, name, args = ''] = /^(\S+)\s*([^]*)$/.exec(rest) ?? []
      if (name === undefined) return false
      tools.push({ name, rest: args })
      return true
    }
    case 'break':
      found.cut = 'break off'
      return rest.startsWith('off')
    case 'no':
      found.cut = 'no end'
      return rest.startsWith('end')
    case 'error': {
      if (/^event\b/i.test(rest)) {
        found.cut = 'error event'
        return true
      }
      const [, status, after, times] = /^([45]\d\d)(?:\s+after\s+(\d+))?(?:\s+x(\d+))?/i.exec(rest) ?? []
      if (status === undefined) return false
      found.error = {
        status: Number(status),
        retryAfter: after === undefined ? null : Number(after),
        times: times === undefined ? null : Number(times),
      }
      return true
    }
    default:
      return false
  }
}

function number(text: string, usual: number, most: number): number {
  const [digits] = /^\d+/.exec(text) ?? []
  return digits === undefined ? usual : Math.min(Number(digits), most)
}
