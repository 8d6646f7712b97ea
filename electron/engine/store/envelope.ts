import { isAscii } from 'node:buffer'
import { OnwardError, messageOf } from '../base/errors.ts'
import type { DocumentSpec } from './types.ts'

/** The content of every document file: its state as a member, or flat, with the state's members beside these. */
export interface Envelope<T> {
  version: number
  /** the file contains the lines of its own in the journal up to this number (journal.ts) */
  journal?: number
  state: T
}

/** The error for bytes that are not the document they should be: the file is moved aside. */
export const corrupt = (why: string, cause?: unknown) => new OnwardError('store-corrupt', why, { cause })

/**
 * Calls `found` with the document as the file has it, if it is one.
 * @throws OnwardError `store-corrupt` when the bytes are no such document, `store-newer` when a newer Onward wrote them
 */
export function decodeEnvelope<T>(
  raw: Buffer | string,
  spec: DocumentSpec<T>,
  found?: (envelope: Envelope<unknown>) => void,
): Envelope<T> {
  const json = parseJson(raw)
  const outer = spec.encode || hasState(json) ? envelopeOf(json) : null
  if (!outer) throw corrupt(`${spec.path} holds no version and state.`)
  const { version, state } = outer
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
    const parsed = spec.parse(state)
    found?.(outer)
    return { version: spec.version, state: parsed }
  } catch (error) {
    throw corrupt(`${spec.path} is not as expected: ${messageOf(error)}`, error)
  }
}

/** Reads both forms. Returns null for neither. */
export function envelopeOf(json: unknown): Envelope<unknown> | null {
  if (!isNumbered(json)) return null
  if (hasState(json)) return json
  const { version, journal, ...state } = json
  return { version, ...(journal === undefined ? {} : { journal }), state }
}

export const envelopeText = ({ state, ...numbers }: Envelope<unknown>, flat: boolean): string =>
  JSON.stringify(flat && typeof state === 'object' ? { ...numbers, ...state } : { ...numbers, state })

export const hasState = (json: unknown): json is { state: unknown } =>
  typeof json === 'object' && json !== null && 'state' in json

// Checked by hand: a start does it for tens of thousands of files.
const isNumbered = (json: unknown): json is Omit<Envelope<unknown>, 'state'> =>
  typeof json === 'object' &&
  json !== null &&
  'version' in json &&
  Number.isSafeInteger(json.version) &&
  Number(json.version) >= 1 &&
  (!('journal' in json) || Number.isSafeInteger(json.journal))

function parseJson(raw: Buffer | string): unknown {
  try {
    if (typeof raw === 'string') return JSON.parse(raw)
    if (isAscii(raw)) return JSON.parse(raw.toString('latin1'))
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch (error) {
    throw corrupt(`It is not JSON: ${messageOf(error)}`, error)
  }
}
