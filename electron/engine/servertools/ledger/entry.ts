import { createHash } from 'node:crypto'
import { z } from 'zod'
import { entryProtocols } from '../../../../shared/words.ts'
import type { AssistantTurn } from '../../protocol/server-tools.ts'
import { fileNameOf } from '../../store/file-name.ts'
import type { DocumentSpec } from '../../store/types.ts'

const entryShape = z.object({
  at: z.number(),
  protocol: z.enum(entryProtocols),
  /**
   * the answer it belongs to, as the client has it: how many answers stood before it, its text without blanks, its own
   * calls
   */
  anchor: z.object({
    ordinal: z.number(),
    textLength: z.number(),
    textDigest: z.string(),
    calls: z.array(z.string()).readonly(),
  }),
  /** Responses: the id the client has of the answer, and that of its last round */
  responseId: z.string().nullable(),
  continuesAs: z.string().nullable().default(null),
  hidden: z.object({
    before: z.array(z.string()).readonly(),
    filler: z.boolean(),
    calls: z.array(z.object({ json: z.string(), callsBefore: z.number() })).readonly(),
    results: z.array(z.string()).readonly(),
  }),
})

/** The messages hidden around one answer of a session, and how to find that answer again. */
export type LedgerEntry = Readonly<z.infer<typeof entryShape>>

export interface LedgerFile {
  sessionId: string
  entries: readonly LedgerEntry[]
}
const fileShape = z.object({ sessionId: z.string(), entries: z.array(entryShape) })

export const ledgerFolder = 'servertool-pending'
export const ledgerFile = (sessionId: string): string => `${fileNameOf(sessionId)}.json`
export const ledgerSpec = (sessionId: string): DocumentSpec<LedgerFile> => ({
  path: `${ledgerFolder}/${ledgerFile(sessionId)}`,
  version: 1,
  parse: (value) => fileShape.parse(value),
})

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** `text` without blanks. */
export const anchorOf = (ordinal: number, text: string, calls: readonly string[]): LedgerEntry['anchor'] => ({
  ordinal,
  textLength: text.length,
  textDigest: digest(text),
  calls,
})

/** The length is looked at first: hardly ever do two answers of a conversation share it. */
export function isAnchor({ anchor }: LedgerEntry, turn: AssistantTurn): boolean {
  return (
    turn.text.length === anchor.textLength &&
    turn.calls.length === anchor.calls.length &&
    turn.calls.every((call, i) => call === anchor.calls[i]) &&
    digest(turn.text) === anchor.textDigest
  )
}

/** The size that counts against a session's limit. */
export const sizeOf = ({ hidden }: LedgerEntry): number =>
  [...hidden.before, ...hidden.results, ...hidden.calls.map(({ json }) => json)].reduce(
    (sum, text) => sum + text.length,
    200,
  )
