import { connect } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { OnwardError, messageOf } from '../engine/base/errors.ts'

/** an engine that hangs keeps nobody here whose other machine has left */
const lastWordsMs = 2_000

/**
 * Passes the bytes of an engine's socket on, both ways, until either side ends.
 * @throws OnwardError `link-broken` when the engine can't be reached
 */
export function relay(socket: string, from: Readable, to: Writable, lastMs = lastWordsMs): Promise<void> {
  return new Promise((resolve, reject) => {
    const engine = connect(socket)
    const broken = (error: Error) =>
      reject(new OnwardError('link-broken', `The engine’s socket broke: ${messageOf(error)}.`, { cause: error }))
    engine.once('error', broken).once('close', () => resolve())
    from
      .once('error', () => engine.destroy())
      .once('close', () => {
        engine.end()
        const late = setTimeout(() => engine.destroy(), lastMs)
        engine.once('close', () => clearTimeout(late))
      })
    from.pipe(engine)
    engine.pipe(to, { end: false })
  })
}
