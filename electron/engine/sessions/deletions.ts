import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { messageOf, OnwardError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { DocumentSpec, Store } from '../store/types.ts'

/** A session to delete, and the scopes that only it lives in. */
const shape = z.object({ id: z.string().min(1), scopes: z.array(z.string()) })
export type Deleted = Readonly<z.infer<typeof shape>>

const fileShape = z.object({ sessions: z.array(shape) })
const spec: DocumentSpec<z.infer<typeof fileShape>> = {
  path: 'deletions.json',
  version: 1,
  parse: (value) => fileShape.parse(value),
}

/** One kind of thing that is kept of sessions. Removing it twice does no harm. */
export interface DeletedPart {
  name: string
  remove(session: Deleted): Promise<void>
}

/** Removes everything that is kept of a session. The order is written down first, so that a crash only delays it. */
export interface Deletions extends Disposable {
  /** an earlier run began one */
  pending(): boolean
  /** finishes what an earlier run began */
  finish(): Promise<void>
  /** resolves when all of it is gone. @throws OnwardError `store-failed`; the rest is tried again by itself */
  delete(session: Deleted): Promise<void>
}

const againMs = 5_000

export async function createDeletions({
  store,
  clock,
  log,
  parts,
}: {
  store: Pick<Store, 'document'>
  clock: Clock
  log: Log
  parts: readonly DeletedPart[]
}): Promise<Deletions> {
  const document = await store.document(spec)
  const running = new Map<string, Promise<void>>()
  let again: Disposable | null = null
  let over = false
  const listed = () => document.get()?.sessions ?? []
  const change = (next: (sessions: readonly Deleted[]) => readonly Deleted[]) =>
    document.update((kept) => {
      const sessions = next(kept?.sessions ?? [])
      return sessions.length === 0 ? null : { sessions: [...sessions] as z.infer<typeof fileShape>['sessions'] }
    })

  const removeAll = async (session: Deleted): Promise<void> => {
    const failed: string[] = []
    for (const { name, remove } of parts)
      await remove(session).catch((error: unknown) => failed.push(`${name}: ${messageOf(error)}`))
    if (failed.length > 0) {
      if (!over)
        again ??= clock.after(againMs, () => {
          again = null
          void finish()
        })
      throw new OnwardError(
        'store-failed',
        `Not all of the session could be deleted; the rest is tried again by itself. ${failed.join('; ')}`,
      )
    }
    await change((sessions) => sessions.filter(({ id }) => id !== session.id))
  }
  const work = (session: Deleted): Promise<void> => {
    const done = running.get(session.id) ?? removeAll(session).finally(() => running.delete(session.id))
    running.set(session.id, done)
    return done
  }
  const finish = async (): Promise<void> => {
    for (const session of listed())
      await work(session).catch((error: unknown) =>
        log.error({ session: session.id, why: messageOf(error) }, 'a deletion could not be finished'),
      )
  }
  return {
    pending: () => listed().length > 0,
    finish,
    async delete(session) {
      await change((sessions) => [...sessions.filter(({ id }) => id !== session.id), session])
      await work(session)
    },
    dispose() {
      over = true
      again?.dispose()
    },
  }
}
