/**
 * Orders on goals, checks and budgets in the fake engine, obeyed as the engine obeys them. For development and tests
 * only.
 */
import { setTimeout as after } from 'node:timers/promises'
import type { ControlApi } from '../../../shared/operations/index.ts'
import type { EventBody, TimelineEvent } from '../../../shared/events.ts'
import type { CheckView, FolderChecks } from '../../../shared/review.ts'
import { joinCommand } from '../../../shared/commands/join-command.ts'
import { splitCommand } from '../../../shared/commands/split-command.ts'
import type { EngineStatus, SessionView } from '../../../shared/state.ts'
import { sceneBudgets, sceneCheck, sceneFacts } from './scene-goals.ts'
import { sceneRounds } from './scene-rounds.ts'
import type { Scene } from './scene.ts'

interface Parts {
  scene: Scene
  refuse(code: string, message: string): never
  find(ref: string): SessionView
  put(id: string, change: Partial<SessionView>): SessionView
  putStatus(change: Partial<EngineStatus>): void
  record(session: string, body: EventBody): TimelineEvent
}

export function fakeGoals({ scene, refuse, find, put, putStatus, record }: Parts, now: () => number) {
  const checksOf = (session: SessionView): FolderChecks =>
    session.stopMessage?.goal?.checks ?? { folder: session.cwd, checks: [], problem: null }
  const putChecks = (id: string, checks: readonly CheckView[]): FolderChecks => {
    const session = find(id)
    const next = { ...checksOf(session), checks }
    const { stopMessage } = session
    if (stopMessage)
      put(id, { stopMessage: { ...stopMessage, goal: { ...(stopMessage.goal ?? sceneFacts(now())), checks: next } } })
    return next
  }
  const change = (id: string, name: string, over: Partial<CheckView>): FolderChecks =>
    putChecks(
      id,
      checksOf(find(id)).checks.map((check) => (check.name === name ? { ...check, ...over } : check)),
    )
  const named = (session: SessionView, name: string): CheckView =>
    checksOf(session).checks.find((check) => check.name === name) ??
    refuse('check-unknown', `No check is called ${name} there.`)
  const folderOf = (session: SessionView): string =>
    checksOf(session).folder ?? refuse('no-folder', `Nobody knows where ${session.name} works.`)
  /** A goal that waited for a person is decided about again. */
  const checkAgain = (id: string): void => {
    const { stopMessage } = find(id)
    if (stopMessage?.status.kind !== 'paused' || stopMessage.status.reason.code !== 'checks-unapproved') return
    const { names } = stopMessage.status.reason
    if (checksOf(find(id)).checks.some(({ name, approval }) => names.includes(name) && approval !== 'approved')) return
    const round = stopMessage.used + 1
    record(id, { type: 'review-started', round, backend: 'model' })
    put(id, {
      shape: 'working',
      say: { code: 'reviewing', round, since: now() },
      stopMessage: { ...stopMessage, status: { kind: 'reviewing', since: now(), round } },
    })
  }

  return {
    async editStopMessage(input) {
      const session = find(input.session)
      const goal = session.stopMessage ?? refuse('nothing-armed', 'Nothing is armed there.')
      const { text = goal.text, review = goal.review } = input
      const max = input.rounds === undefined ? goal.max : input.rounds
      record(session.id, { type: 'stop-message-edited', text, max, review })
      return put(session.id, {
        stopMessage: {
          ...goal,
          text,
          max,
          review,
          ...(goal.status.kind === 'reviewing' ? { status: { kind: 'armed' } } : {}),
        },
      })
    },
    async rounds(ref) {
      return find(ref).name === 'billing-service' ? sceneRounds(now()) : []
    },
    async checks(ref) {
      return checksOf(find(ref))
    },
    async approveCheck(input) {
      const session = find(input.session)
      const check = named(session, input.name)
      if (joinCommand(check.argv) !== joinCommand(input.argv))
        return refuse(
          'check-changed',
          `The check ${input.name} reads otherwise by now. Look at it again before you allow it.`,
        )
      record(session.id, { type: 'check-approved', name: check.name, argv: check.argv, folder: folderOf(session) })
      const checks = change(session.id, check.name, {
        approval: 'approved',
        approvedAt: now(),
        approvedArgv: null,
        changedFiles: [],
      })
      checkAgain(session.id)
      return checks
    },
    async forgetCheck({ session: ref, name }) {
      const session = find(ref)
      const { from, approval } = named(session, name)
      record(session.id, { type: 'check-forgotten', name, folder: folderOf(session) })
      if (from === 'file' && approval !== 'removed')
        return change(session.id, name, { approval: 'not-approved', approvedAt: null, approvedArgv: null, last: null })
      return putChecks(
        session.id,
        checksOf(session).checks.filter((check) => check.name !== name),
      )
    },
    async declareCheck(input) {
      const session = find(input.session)
      const argv = splitCommand(input.command) ?? []
      if (argv.includes('|'))
        return refuse(
          'bad-command',
          'The command has a pipe or an “or” in it. No shell runs ' +
            'checks. Put it in a script of the repository and name that.',
        )
      const name = input.name ?? joinCommand(argv)
      if (checksOf(session).checks.some((check) => check.name === name))
        return refuse('check-exists', `A check ${name} is there already.`)
      record(session.id, { type: 'check-approved', name, argv, folder: folderOf(session) })
      return putChecks(session.id, [
        ...checksOf(session).checks,
        sceneCheck(name, argv, { from: 'dashboard', approvedAt: now(), timeoutSeconds: input.timeoutSeconds ?? 600 }),
      ])
    },
    async runCheck({ session: ref, name }) {
      const session = find(ref)
      const { argv, approval, running } = named(session, name)
      if (approval !== 'approved') return refuse('check-not-approved', `Nobody has allowed ${name} to run.`)
      if (running) return refuse('check-running', `${name} is running already.`)
      change(session.id, name, { running: true })
      await after(50)
      const run = { name, argv, outcome: 'passed' as const, exitCode: 0, at: now(), ms: 4_200, say: '' }
      record(session.id, { type: 'check-ran', run })
      return change(session.id, name, { running: false, last: run })
    },
    async setBudgets(input) {
      const budgets = { ...sceneBudgets, ...scene.status.budgets, ...input }
      putStatus({ budgets })
      return budgets
    },
  } satisfies Partial<ControlApi>
}
