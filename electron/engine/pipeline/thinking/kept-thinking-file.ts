import { z } from 'zod'
import { wireProtocols } from '../../protocol/canonical/request.ts'
import type { KeptAnswer } from '../../protocol/canonical/index.ts'
import { fileNameOf } from '../../store/file-name.ts'
import type { DocumentSpec } from '../../store/types.ts'

/**
 * The kept thinking of one conversation: `session-<id>`, or for a program that names none `first-<digest of its
 * beginning>`.
 */
export interface KeptThinkingFile {
  conversation: string
  /** some answers that were kept here have been dropped */
  forgotten: boolean
  /** oldest first */
  answers: readonly KeptAnswer[]
}

const seal = z.object({
  of: z.enum(wireProtocols),
  data: z.string(),
  id: z.string().optional(),
  redacted: z.boolean().optional(),
  text: z.string().optional(),
  phase: z.object({ at: z.number(), before: z.string(), mark: z.string() }).optional(),
})

const fileShape: z.ZodType<KeptThinkingFile> = z.object({
  conversation: z.string(),
  forgotten: z.boolean(),
  answers: z.array(
    z.object({
      at: z.number(),
      of: z.enum(wireProtocols),
      by: z.string(),
      ordinal: z.number(),
      text: z.string(),
      calls: z.string().nullable(),
      pieces: z.array(
        z.discriminatedUnion('type', [
          z.object({ type: z.literal('thinking'), text: z.string(), seal }),
          z.object({ type: z.literal('text'), length: z.number(), solid: z.number() }),
          z.object({ type: z.literal('call'), id: z.string(), seal: seal.nullable() }),
        ]),
      ),
    }),
  ),
})

export const keptThinkingFolder = 'thinking'
export const keptThinkingFile = (conversation: string): string => `${fileNameOf(conversation)}.json`
export const keptThinkingSpec = (conversation: string): DocumentSpec<KeptThinkingFile> => ({
  path: `${keptThinkingFolder}/${keptThinkingFile(conversation)}`,
  version: 1,
  parse: (value) => fileShape.parse(value),
  asideWhenNewer: true,
})
