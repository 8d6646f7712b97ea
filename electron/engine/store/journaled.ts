import { changeBetween, type Journal, type JournalOwner } from './journal.ts'
import { envelopeText, type Envelope } from './envelope.ts'
import { serial } from '../base/work.ts'

export interface JournaledFile<T> {
  /** takes the document as the file has it on opening: the first change is based on just that */
  found(envelope: Envelope<unknown>): void
  write(value: T): Promise<void>
  remove(): Promise<void>
}

export interface JournaledDeps {
  journal: Journal
  path: string
  version: number
  /** the file is flat (envelope.ts) */
  flat: boolean
  /** characters; a file that has no more is written whole */
  beyond: number
  /** replaces the whole file */
  writeWhole(text: string): Promise<void>
  remove(): Promise<void>
  /** returns the document, which is held while its file lacks something */
  document(): unknown
}

/** Writes changes of one document as lines of the journal, and its file whole now and then. */
export function journaledFile<T>(deps: JournaledDeps): JournaledFile<T> {
  const { journal, path, version, flat, beyond } = deps
  /** characters of the file when it was last written whole */
  let size = 0
  // The journal may bring the file up to date at any time.
  const alone = serial()
  /** the state last known to be on the disk */
  let base: { n: number; state: unknown } | null = null
  /** a write failed, but may have reached the disk: no line may follow it */
  let inDoubt = false

  const whole = async (state: unknown) => {
    const n = journal.next()
    inDoubt = true
    const text = envelopeText({ version, journal: n, state }, flat)
    await deps.writeWhole(text)
    size = text.length
    base = { n, state }
    inDoubt = false
    journal.written(path)
  }
  /** @returns true if the change is on the disk; else the file is to be written whole */
  const asLine = async (value: T): Promise<boolean> => {
    if (!base || inDoubt || size <= beyond) return false
    const change = changeBetween(base.state, value)
    if (!change) return true
    inDoubt = true
    const n = await journal.append({ on: base.n, at: path, version, change }, owner)
    inDoubt = false
    if (n !== null) base = { n, state: value }
    return n !== null
  }
  const owner: JournalOwner = {
    document: () => deps.document(),
    fold: () =>
      alone(async () => {
        if (base) await whole(base.state)
      }),
  }
  return {
    found({ journal: n = 0, state }) {
      base = { n, state }
      size = beyond === 0 ? Infinity : JSON.stringify(state).length
      journal.seen(n)
    },
    write: (value) =>
      alone(async () => {
        if (!(await asLine(value))) await whole(value)
      }),
    remove: () =>
      alone(async () => {
        inDoubt = true
        await deps.remove()
        base = null
        inDoubt = false
        journal.written(path)
      }),
  }
}
