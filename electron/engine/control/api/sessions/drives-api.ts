import type { DriveLimits, OwnDrive } from '../../../../../shared/drives.ts'
import type { ControlApi, Input } from '../../../../../shared/operations/index.ts'
import type { SessionView } from '../../../../../shared/state.ts'
import { OnwardError } from '../../../base/errors.ts'
import type { DriveOrders } from '../../../pipeline/drives/drive-orders.ts'
import { stopText } from '../../../sessions/drives/stop.ts'
import type { SessionStore } from '../../../sessions/session-store.ts'
import type { SessionState } from '../../../sessions/session-state.ts'
import { agents } from '../../../terminals/agents/index.ts'
import type { Outbox } from '../../../terminals/outbox/outbox.ts'
import type { Outboxes } from '../../../terminals/outbox/outboxes.ts'
import type { Target } from './target.ts'

export interface DrivesApiDeps {
  find(wanted: string): Promise<Pick<SessionState, 'id'>>
  /** where texts for it wait */
  targetOf(wanted: string): Promise<Pick<Target, 'scope'>>
  view(sessionId: string): SessionView
  sessions: Pick<SessionStore, 'flush'>
  outboxes: Pick<Outboxes, 'of' | 'holding'>
  drives: Omit<DriveOrders, 'refuse'>
  /** pauses its agent's own goal, without its screen; false: nobody knows that it is paused */
  pauseGoal(sessionId: string): Promise<boolean>
}

/** A person's orders about what an agent set itself. Answered once they are on the disk. */
export function drivesApi(deps: DrivesApiDeps) {
  const { find, targetOf, view, sessions, outboxes, drives } = deps
  const on = async (wanted: string, work: (sessionId: string) => Promise<unknown>) => {
    const { id } = await find(wanted)
    await work(id)
    await sessions.flush()
    return view(id)
  }
  return {
    stopDrive: ({ session, drive }) =>
      on(session, async (id) => {
        // Before anything is marked as stopped it is known that the agent can be told.
        const outbox = await outboxes.of((await targetOf(id)).scope())
        await tell(deps, outbox, id, drives.stop(id, drive))
      }),
    letDrives: ({ session, drive }) =>
      on(session, (id) => (drive === null ? Promise.resolve(drives.letGoOn(id, null)) : letGoOn(deps, id, drive))),
    boundDrive: ({ session, drive, ...limits }) =>
      on(session, async (id) =>
        drives.bound(
          id,
          drive,
          changed(
            view(id).drives?.find((one) => one.id === drive),
            limits,
          ),
        ),
      ),
  } satisfies Partial<ControlApi>
}

/** The agent hears in its own way what was stopped: its goal is paused where it keeps it, or by a command. */
async function tell(
  { drives, view, pauseGoal }: DrivesApiDeps,
  outbox: Outbox,
  sessionId: string,
  stopped: readonly OwnDrive[],
): Promise<void> {
  const { client } = view(sessionId)
  const ids = (of: readonly OwnDrive[]) => of.map(({ id }) => id)
  const goals = stopped.filter(({ kind }) => kind === 'goal')
  const work = stopped.filter(({ kind }) => kind !== 'goal')
  if (goals.length > 0) {
    const command = agents[client].endGoal
    if (await pauseGoal(sessionId)) drives.told(sessionId, ids(goals), null)
    else if (command !== undefined) {
      const { id } = await outbox.add({ sessionId, text: command, source: 'user', writtenBy: 'onward' })
      drives.told(sessionId, ids(goals), id)
    }
  }
  const text = stopText(client, work)
  if (text === null) return
  const { id } = await outbox.add({ sessionId, text, source: 'user', writtenBy: 'person' })
  drives.told(sessionId, ids(work), id)
}

/** What still waits to tell the agent of its stop is taken back. */
async function letGoOn(deps: DrivesApiDeps, sessionId: string, wanted: string): Promise<void> {
  const { drives, view, outboxes, targetOf } = deps
  const all = () => view(sessionId).drives ?? []
  const drive = all().find(({ id }) => id === wanted)
  const entry = drive?.state.is === 'stopping' ? drive.state.entry : undefined
  const outbox = entry === undefined ? null : outboxes.holding(entry)
  const untold = entry !== undefined && outbox !== null && (await takenBack(outbox, entry))
  const paused = drive?.state.is === 'stopped' && drive.state.how === 'paused'
  const command = paused ? agents[view(sessionId).client].resumeGoal : undefined
  if (command !== undefined) {
    const queue = await outboxes.of((await targetOf(sessionId)).scope())
    await queue.add({ sessionId, text: command, source: 'user', writtenBy: 'onward' })
  }
  drives.letGoOn(sessionId, wanted, untold || paused)
  const others = all().filter(({ state }) => state.is === 'stopping' && state.entry === entry)
  if (untold && others.length > 0) await tell(deps, outbox, sessionId, others)
}

/** False: it was on its way already. */
async function takenBack(outbox: Outbox, entry: string): Promise<boolean> {
  try {
    await outbox.cancel(entry)
    return true
  } catch (error) {
    if (error instanceof OnwardError && error.code !== 'store-failed') return false
    throw error
  }
}

/** Its bounds with these changes; null: none any more */
function changed(
  drive: OwnDrive | undefined,
  { rounds, hours, tokens, costUsd }: Omit<Input<'boundDrive'>, 'session' | 'drive'>,
): DriveLimits | null {
  const now = drive?.bound ?? { rounds: null, hours: null, tokens: null, costUsd: null }
  const limits = {
    rounds: rounds === undefined ? now.rounds : rounds,
    hours: hours === undefined ? now.hours : hours,
    tokens: tokens === undefined ? now.tokens : tokens,
    costUsd: costUsd === undefined ? now.costUsd : costUsd,
  }
  return Object.values(limits).every((limit) => limit === null) ? null : limits
}
