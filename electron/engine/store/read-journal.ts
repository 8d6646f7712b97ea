import { posix } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import { type Change, withChange, createJournal, JOURNAL, type Journal, type JournalLine } from './journal.ts'
import type { StoreProblem } from './create-store.ts'
import { envelopeOf, envelopeText, hasState } from './envelope.ts'
import { setAside } from './set-aside.ts'
import { storeFailed } from './store-failed.ts'
import type { Files } from './types.ts'

export interface OpenJournal {
  root: string
  files: Files
  clock: Clock
  onProblem(problem: StoreProblem): void
}

/**
 * Brings the journal of an engine that was killed into the files, before any of them is opened.
 * @throws OnwardError `store-failed`: the disk can't take it. Nothing is lost then
 */
export async function openJournal({ root, files, clock, onProblem }: OpenJournal): Promise<Journal> {
  const path = posix.join(root, JOURNAL)
  const raw = await files.read(path).catch((cause: unknown) => {
    throw storeFailed('read', JOURNAL, cause)
  })
  const { lines, unread } = raw === null ? { lines: [], unread: false } : linesIn(raw.toString())
  const left: string[] = []
  for (const [at, ofFile] of byPlace(lines)) {
    try {
      await bringInto(files, posix.join(root, at), ofFile)
    } catch (error) {
      if (!(error instanceof DoesNotFit)) throw storeFailed('save', at, error)
      left.push(at)
    }
  }
  if (left.length > 0 || unread) {
    const aside = await setAside(files, path, 'corrupt', clock.now()).catch((cause: unknown) => {
      throw storeFailed('save', JOURNAL, cause)
    })
    const message =
      `Changes in ${JOURNAL} could not be read, or fit no file${left.length > 0 ? ` (${left.join(', ')})` : ''}: ` +
      `what an engine that did not end by itself wrote last may be missing. They were kept as ${aside}.`
    onProblem({ file: JOURNAL, code: 'store-corrupt', message })
  } else if (raw !== null)
    await files.remove(path).catch((cause: unknown) => {
      throw storeFailed('remove', JOURNAL, cause)
    })
  return createJournal({ root, files, clock, last: lines.reduce((most, { n }) => Math.max(most, n), 0) })
}

class DoesNotFit extends Error {}

const line = z.object({
  n: z.number().int().min(1),
  on: z.number().int().min(0),
  at: z.string().regex(/^(?:[^/\\.][^/\\]*\/)*[^/\\.][^/\\]*\.json$/),
  version: z.number().int().min(1),
  change: z.custom<Change>((value) => typeof value === 'object' && value !== null),
})

/** The last line may be cut: then no caller got an answer that it is on the disk. */
function linesIn(text: string): { lines: readonly JournalLine[]; unread: boolean } {
  const lines: JournalLine[] = []
  const texts = text.split('\n')
  texts.pop()
  let unread = false
  for (const one of texts) {
    try {
      lines.push(line.parse(JSON.parse(one)))
    } catch {
      unread = true
    }
  }
  return { lines, unread }
}

function byPlace(lines: readonly JournalLine[]): Map<string, JournalLine[]> {
  const places = new Map<string, JournalLine[]>()
  for (const one of lines) {
    const there = places.get(one.at)
    if (there) there.push(one)
    else places.set(one.at, [one])
  }
  return places
}

/** A file that is gone was removed after its lines were written. A file contains its lines up to its own number. */
async function bringInto(files: Files, path: string, lines: readonly JournalLine[]): Promise<void> {
  const raw = await files.read(path)
  if (raw === null) return
  const { envelope, flat } = envelopeIn(raw)
  let { state, version, journal: on = 0 } = envelope
  for (const { n, on: wanted, version: written, change } of lines) {
    if (n <= on) continue
    if (wanted !== on) throw new DoesNotFit()
    state = changed(state, change)
    version = written
    on = n
  }
  if (on !== (envelope.journal ?? 0)) await files.writeAtomic(path, envelopeText({ version, journal: on, state }, flat))
}

function envelopeIn(raw: Buffer) {
  try {
    const json: unknown = JSON.parse(raw.toString())
    const envelope = envelopeOf(json)
    if (envelope) return { envelope, flat: !hasState(json) }
  } catch (error) {
    throw new DoesNotFit(messageOf(error))
  }
  throw new DoesNotFit()
}

function changed(state: unknown, change: Change): unknown {
  try {
    return withChange(state, change)
  } catch (error) {
    throw new DoesNotFit(messageOf(error))
  }
}
