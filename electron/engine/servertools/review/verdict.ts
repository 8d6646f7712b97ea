import { z } from 'zod'
import { blockerKinds, type Verdict } from '../../../../shared/review.ts'
import type { JsonObject } from '../../protocol/values.ts'

const evidence = z.object({ claim: z.string(), source: z.string(), result: z.string() }).strict()
const blocker = z.object({ kind: z.enum(blockerKinds), text: z.string() }).strict()
const verdictShape = z
  .object({
    goalReached: z.boolean(),
    evidence: z.array(evidence).max(100),
    blockers: z.array(blocker).max(100),
    followup: z.string(),
  })
  .strict()

export type ReadVerdict = { ok: true; verdict: Verdict } | { ok: false; why: string }

/** The schema of a verdict for the model. */
export const verdictParameters: JsonObject = {
  type: 'object',
  properties: {
    goalReached: {
      type: 'boolean',
      description: 'true only if the whole goal is reached, as far as you saw it yourself',
    },
    evidence: {
      type: 'array',
      description: 'what you saw yourself; at least one if the goal is reached',
      items: {
        type: 'object',
        properties: {
          claim: { type: 'string', description: 'what it shows, in a short sentence' },
          source: {
            type: 'string',
            description:
              'where it stands: file:<path>[:<lines>], check:<name>, git:status, git:diff, git:log or search:<text>',
          },
          result: { type: 'string', description: 'what stands there, in a few words' },
        },
        required: ['claim', 'source', 'result'],
        additionalProperties: false,
      },
    },
    blockers: {
      type: 'array',
      description:
        'what keeps the goal from being reached; needs_user only ' +
        'where nobody but the user can decide or provide something',
      items: {
        type: 'object',
        properties: { kind: { type: 'string', enum: [...blockerKinds] }, text: { type: 'string' } },
        required: ['kind', 'text'],
        additionalProperties: false,
      },
    },
    followup: {
      type: 'string',
      description: 'the order to the agent, at most 3 lines and 700 characters; empty if the goal is reached',
    },
  },
  required: ['goalReached', 'evidence', 'blockers', 'followup'],
  additionalProperties: false,
}

export function readVerdict(value: unknown): ReadVerdict {
  const read = verdictShape.safeParse(value)
  if (read.success) return { ok: true, verdict: read.data }
  const [issue] = read.error.issues
  const at = issue?.path.join('.') ?? ''
  return {
    ok: false,
    why: `${at === '' ? 'The verdict' : `“${at}”`} is not as declared: ${issue?.message ?? 'unknown'}.`,
  }
}

/** Appears in verdicts only. */
export const verdictMark = '"goalReached"'
/** A program's output is read backwards from its end, and not without limit. */
const mostMarks = 10
const mostBraces = 120

/** The last verdict in a text, whatever stands around it: prose, a fence, another object. */
export function findVerdict(text: string): ReadVerdict {
  let why = 'There is no JSON object with a verdict in it.'
  let mark = text.length
  for (let marks = 0; marks < mostMarks && mark > 0; marks++) {
    mark = text.lastIndexOf(verdictMark, mark - 1)
    if (mark < 0) break
    let start = mark
    for (let braces = 0; braces < mostBraces && start > 0; braces++) {
      start = text.lastIndexOf('{', start - 1)
      if (start < 0) break
      const object = objectAt(text, start)
      if (object === null || start + object.length < mark) continue
      const value = parsed(object)
      if (value === undefined) continue
      const read = readVerdict(value)
      if (read.ok) return read
      if (marks === 0) why = read.why
      break
    }
  }
  return { ok: false, why }
}

/** The object that begins here, its strings heeded; null: it never ends. */
function objectAt(text: string, start: number): string | null {
  let depth = 0
  let inString = false
  for (let i = start; i < text.length; i++) {
    const c = text[i]
    if (inString) {
      if (c === '\\') i++
      else if (c === '"') inString = false
    } else if (c === '"') inString = true
    else if (c === '{') depth++
    else if (c === '}' && --depth === 0) return text.slice(start, i + 1)
  }
  return null
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // a brace of something else
    return undefined
  }
}
