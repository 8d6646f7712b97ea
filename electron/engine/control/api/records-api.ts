import type { ControlApi } from '../../../../shared/operations/index.ts'
import { OnwardError } from '../../base/errors.ts'
import type { Captures } from '../../records/captures.ts'
import type { TurnRecords } from '../../records/turn-records.ts'
import { sessionName, type SessionState } from '../../sessions/session-state.ts'
import type { SessionStore } from '../../sessions/session-store.ts'
import type { Viewing } from '../views/viewing.ts'

export interface RecordsApiDeps {
  records: Pick<TurnRecords, 'loaded' | 'list' | 'find' | 'activity' | 'costs'>
  captures: Pick<Captures, 'folderOf'>
  sessions: Pick<SessionStore, 'choose' | 'get'>
  viewing: Pick<Viewing, 'session'>
  find(wanted: string): Promise<SessionState>
}

/** Past events, turns and captures. */
export function recordsApi({ records, captures, sessions, viewing, find }: RecordsApiDeps) {
  return {
    async turns(limit) {
      await records.loaded
      return records.list(limit)
    },
    async turn(requestId) {
      const record = await records.find(requestId)
      if (!record)
        throw new OnwardError(
          'turn-unknown',
          `No turn ${requestId.slice(0, 100)} is recorded here. \`onward turns\` lists the newest.`,
          { status: 404 },
        )
      return record.captured && record.sessionId !== null
        ? { ...record, capturedIn: captures.folderOf(record.sessionId, record.requestId) }
        : record
    },
    activity: async (hours) => records.activity(hours),
    async costs(days) {
      const view = await records.costs(days)
      const ids = new Set(view.cells.flatMap(({ session }) => session ?? []))
      const known = [...ids].flatMap((id) => sessions.get(id) ?? [])
      return { ...view, names: Object.fromEntries(known.map((session) => [session.id, sessionName(session)])) }
    },
    async setCapture({ session, on }) {
      const { id } = await sessions.choose((await find(session)).id, () => ({ capture: on }))
      return viewing.session(id)
    },
  } satisfies Partial<ControlApi>
}
