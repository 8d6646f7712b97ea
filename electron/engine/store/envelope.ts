import { z } from 'zod'
import { OnwardError, messageOf } from '../base/errors.ts'
import type { DocumentSpec } from './types.ts'

/** What stands in every document file. */
export interface Envelope<T> {
  version: number
  state: T
}

const shape = z.object({ version: z.number().int().min(1), state: z.unknown() })

/** Marks bytes that are not the document they should be: the file is moved aside. */
export const corrupt = (why: string, cause?: unknown) => new OnwardError('store-corrupt', why, { cause })

/**
 * @throws OnwardError `store-corrupt` when the bytes are no such document, `store-newer` when a newer Onward wrote them
 */
export function decodeEnvelope<T>(raw: Buffer, spec: DocumentSpec<T>): Envelope<T> {
  const json = parseJson(raw)
  const outer = shape.safeParse(json)
  if (!outer.success) throw corrupt(`${spec.path} holds no version and state.`)
  const { version, state } = outer.data
  if (version > spec.version) {
    throw new OnwardError(
      'store-newer',
      `${spec.path} was written by a newer Onward (format ${version}, this one knows ` +
        `${spec.version}). Update Onward, or move the file away to start anew.`,
      {
        details: { file: spec.path, version, known: spec.version },
      },
    )
  }
  try {
    return { version: spec.version, state: spec.parse(state) }
  } catch (error) {
    throw corrupt(`${spec.path} is not as expected: ${messageOf(error)}`, error)
  }
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch (error) {
    throw corrupt(`It is not JSON: ${messageOf(error)}`, error)
  }
}
