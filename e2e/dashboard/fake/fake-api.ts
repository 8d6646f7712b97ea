/**
 * A ControlApi over a scene in memory: every act changes it as the engine would, every change is followed. For
 * development and tests only.
 */
import { foldReport } from '../../../electron/engine/report/fold-report.ts'
import type { CrashView } from '../../../shared/crash.ts'
import { operations, type ControlApi } from '../../../shared/operations/index.ts'
import type { DoctorFinding } from '../../../shared/doctor.ts'
import type { EventBody, TimelineEvent } from '../../../shared/events.ts'
import type { EngineUpdate, OutboxEntryView, SessionView, TerminalChunk, TerminalView } from '../../../shared/state.ts'
import { fakeAdopting } from './fake-adopting.ts'
import { fakeRouting } from './fake-routing.ts'
import { fakeAlarms, type FakeAlarms } from './fake-alarms.ts'
import { fakeFirstRun } from './fake-first-run.ts'
import { fakeFolders } from './fake-folders.ts'
import { fakeGoals } from './fake-goals.ts'
import { fakeConfigText, type FakeConfigText } from './fake-config-text.ts'
import { fakeOutside } from './fake-outside.ts'
import { fakeSettings } from './fake-settings.ts'
import { fakeServertools } from './fake-servertools.ts'
import { fan } from './fan.ts'
import { sceneLog } from './scene-log.ts'
import { excerptOf } from '../../../shared/said.ts'
import { sceneFacts } from './scene-goals.ts'
import { sceneScreen } from './scene-screen.ts'
import { sceneTimeline } from './scene-timeline.ts'
import { sceneTurns } from './scene-turns.ts'
import type { Scene } from './scene.ts'

export interface FakeApi extends ControlApi, FakeAlarms, FakeConfigText {
  readonly scene: Scene
  /** replaces a session and sends it to all viewers */
  put(id: string, change: Partial<SessionView>): SessionView
  putStatus(change: Partial<Scene['status']>): void
  putTerminal(terminal: TerminalView): void
  record(session: string, body: EventBody, requestId?: string | null): TimelineEvent
  push(update: EngineUpdate): void
  screen(terminalId: string, chunk: TerminalChunk): void
  /** Onward ended by itself; later callers get this view */
  crashed(view: CrashView): void
  /** how often a viewer began to follow: updates that are pushed before are lost */
  readonly followed: number
  /** what was asked of the engine, in order */
  readonly calls: readonly { name: string; input: unknown }[]
  /** makes the next call of that name fail with this sentence */
  failNext(name: string, message: string): void
}

class FakeError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Links and access of pages, which the server in front of the api looks after. */
export interface FakePages {
  newLink(): string
  signOut(): void
}

export function fakeApi(scene: Scene, now: () => number, pages?: FakePages): FakeApi {
  const updates = fan<EngineUpdate>()
  const chunks = fan<{ terminalId: string; chunk: TerminalChunk }>()
  const timelines = new Map<string, TimelineEvent[]>([['billing-service-01jd', sceneTimeline(now())]])
  const calls: { name: string; input: unknown }[] = []
  const failures = new Map<string, string>()
  let crash: CrashView | null = null
  let serial = 10_000
  let followed = 0

  const called = (name: string, input: unknown): void => {
    calls.push({ name, input })
    const message = failures.get(name)
    if (message === undefined) return
    failures.delete(name)
    throw new FakeError('made-to-fail', message)
  }
  const refuse = (code: string, message: string): never => {
    throw new FakeError(code, message)
  }
  const find = (ref: string): SessionView => {
    const found =
      scene.sessions.find((s) => s.id === ref || s.name === ref || s.terminalId === ref) ??
      scene.terminals.find((t) => t.id === ref)?.fresh
    if (!found) throw new FakeError('no-session', `No session is called ${ref}.`)
    return found
  }
  const count = () => {
    const working = scene.sessions.filter((s) => s.shape === 'working' || s.shape === 'held').length
    const needsYou = scene.sessions.filter((s) => s.shape === 'needs').length
    putStatus({
      counts: { sessions: scene.sessions.length, activity: working, needsYou, terminals: scene.terminals.length },
    })
  }
  const putStatus = (change: Partial<Scene['status']>) => {
    scene.status = { ...scene.status, ...change }
    updates.send({ type: 'status', status: scene.status })
  }
  const put = (id: string, change: Partial<SessionView>): SessionView => {
    const session = { ...find(id), ...change }
    const terminal = scene.terminals.find((t) => t.id === id)
    if (terminal?.fresh) {
      putTerminal({ ...terminal, fresh: session })
      return session
    }
    scene.sessions = scene.sessions.map((s) => (s.id === session.id ? session : s))
    updates.send({ type: 'session', session })
    count()
    return session
  }
  const putTerminal = (terminal: TerminalView) => {
    scene.terminals = [...scene.terminals.filter((t) => t.id !== terminal.id), terminal]
    updates.send({ type: 'terminal', terminal })
  }
  const record = (session: string, body: EventBody, requestId: string | null = null): TimelineEvent => {
    const event: TimelineEvent = {
      id: `ev-${++serial}`,
      seq: serial,
      at: now(),
      sessionId: session,
      scope: null,
      requestId,
      body,
    }
    timelines.set(session, [...(timelines.get(session) ?? []), event])
    updates.send({ type: 'event', event })
    return event
  }
  const entryOf = (entryId: string): { session: SessionView; entry: OutboxEntryView } => {
    for (const session of [...scene.sessions, ...scene.terminals.flatMap(({ fresh }) => fresh ?? [])]) {
      const entry = session.queue.find((e) => e.id === entryId)
      if (entry) return { session, entry }
    }
    throw new FakeError('no-entry', 'That followup is no longer in the queue.')
  }
  const putEntry = (session: SessionView, entry: OutboxEntryView) =>
    put(session.id, { queue: session.queue.map((e) => (e.id === entry.id ? entry : e)) })

  const withoutMarker = (ref: string, marker: string): SessionView => {
    const session = find(ref)
    if (!session.heldMarkers?.some(({ id }) => id === marker))
      throw new FakeError('marker-unknown', 'This marker does not wait for a word any more.')
    return put(session.id, { heldMarkers: session.heldMarkers.filter(({ id }) => id !== marker) })
  }

  const { shown, ...routing } = fakeRouting({ scene, put, find, push: (update) => updates.send(update) }, now)
  const api = {
    scene,
    put,
    putStatus,
    putTerminal,
    record,
    calls,
    push: (update) => updates.send(update),
    get followed() {
      return followed
    },
    screen: (terminalId, chunk) => chunks.send({ terminalId, chunk }),
    failNext: (name, message) => {
      failures.set(name, message)
    },

    async status() {
      return scene.status
    },
    async sessions() {
      return scene.sessions
    },
    async session(ref) {
      return find(ref)
    },
    async terminals() {
      return scene.terminals
    },
    async report(wanted) {
      const since = wanted ?? now() - 12 * 3_600_000
      const events = [...timelines.values()].flat().toSorted((a, b) => a.at - b.at)
      return foldReport({ events, recordsFrom: since, since, until: now(), sessions: scene.sessions })
    },
    async findSaid({ words, session, limit }) {
      const all = [...timelines].flatMap(([id, events]) => (session === null || session === id ? events : []))
      const found = all
        .toSorted((a, b) => b.seq - a.seq)
        .flatMap((event) => {
          const excerpt = excerptOf(event.body, words.toLowerCase())
          const known = scene.sessions.find(({ id }) => id === event.sessionId)
          const of = known ? { id: known.id, name: known.name } : null
          return excerpt === null ? [] : [{ seq: event.seq, at: event.at, session: of, type: event.body.type, excerpt }]
        })
      return found.slice(0, limit)
    },
    async timeline({ session, beforeSeq, limit }) {
      const all = session === null ? [...timelines.values()].flat() : (timelines.get(session) ?? [])
      return all.filter((e) => beforeSeq === undefined || e.seq < beforeSeq).slice(-limit)
    },
    ...routing,
    ...fakeAlarms({ scene, find, put, putStatus, push: (update) => updates.send(update), refuse }, now),
    ...fakeGoals({ scene, find, put, putStatus, record, refuse }, now),
    ...fakeConfigText({ scene, putStatus, refuse }),
    ...fakeOutside({ scene, putStatus, refuse }),
    ...fakeSettings({ scene, putStatus }),
    ...fakeServertools({ scene, putStatus, refuse }),
    ...fakeFirstRun(),
    ...fakeFolders(),
    async turns(limit) {
      return sceneTurns(now(), Math.min(limit, 487))
    },
    async agents() {
      return scene.agents
    },
    async doctor(): Promise<readonly DoctorFinding[]> {
      return [
        { check: 'port', ok: true, say: 'Port 5520 is ours.', mend: null },
        { check: 'tmux', ok: false, say: 'tmux is not installed.', mend: 'Install it with your package manager.' },
      ]
    },
    async logs() {
      return []
    },
    logPage: async ({ cursor }) => sceneLog(now(), cursor),

    async setStopMessage(input) {
      const session = find(input.session)
      const text = input.text ?? 'Continue with the next step and finish it.'
      const max = input.rounds === undefined ? 10 : input.rounds
      const review = input.review ?? false
      record(session.id, { type: 'armed', text, max, review, by: 'user' })
      return put(session.id, {
        stopMessage: {
          text,
          used: 0,
          max,
          review,
          status: { kind: 'armed' },
          armedAt: now(),
          lastUsedAt: null,
          goal: sceneFacts(now(), { from: { at: now(), used: 0 } }),
        },
        lastStopMessage: null,
        shape: session.shape === 'done' || session.shape === 'failed' ? 'idle' : session.shape,
        say:
          session.say.code === 'idle' || session.say.code === 'done' || session.say.code === 'failed'
            ? { code: 'armed' }
            : session.say,
      })
    },
    async clearStopMessage(ref) {
      const session = find(ref)
      const goal = session.stopMessage ?? (session.leftGoal ? { ...session.leftGoal, review: false } : null)
      record(session.id, { type: 'cleared', by: 'user' })
      return put(session.id, {
        stopMessage: null,
        lastStopMessage: goal && {
          text: goal.text,
          used: goal.used,
          max: goal.max,
          review: goal.review,
          clearedAt: now(),
          clearedBy: 'user',
        },
        ...(session.say.code === 'armed' ? { say: { code: 'idle' } } : {}),
        ...(session.leftGoal ? { leftGoal: undefined, shape: 'idle', say: { code: 'idle' } } : {}),
      })
    },
    async applyMarker({ session: ref, marker }) {
      return withoutMarker(ref, marker)
    },
    async forgetMarker({ session: ref, marker }) {
      return withoutMarker(ref, marker)
    },
    async rearmStopMessage(ref) {
      const session = find(ref)
      const goal = session.stopMessage ?? session.lastStopMessage
      if (!goal) throw new FakeError('nothing-to-re-arm', 'Nothing was armed here before.')
      return put(session.id, {
        stopMessage: {
          text: goal.text,
          used: goal.used,
          max: goal.max,
          review: goal.review,
          status: { kind: 'armed' },
          armedAt: now(),
          lastUsedAt: null,
          ...(session.stopMessage?.goal ? { goal: session.stopMessage.goal } : {}),
        },
        lastStopMessage: null,
        ...(session.shape === 'failed' ? { shape: 'idle', say: { code: 'armed' } } : {}),
      })
    },
    async carryOnStopMessage(ref) {
      const session = find(ref)
      const { leftGoal } = session
      if (!leftGoal) throw new FakeError('no-left-goal', 'No goal of another conversation waits here.')
      const { sessionId: from, text, used, max } = leftGoal
      record(session.id, { type: 'goal-carried-on', from, text, used, max })
      return put(session.id, {
        leftGoal: undefined,
        stopMessage: {
          text,
          used,
          max,
          review: false,
          status: { kind: 'armed' },
          armedAt: now(),
          lastUsedAt: null,
          goal: sceneFacts(now(), { from: { at: now(), used } }),
        },
        shape: 'held',
        say: { code: 'queued' },
      })
    },
    async startStopMessage(ref) {
      const session = find(ref)
      if (!session.stopMessage) throw new FakeError('nothing-armed', 'Nothing is armed here that could start.')
      return put(session.id, { shape: 'held', say: { code: 'queued' } })
    },
    async addRounds({ session: ref, rounds }) {
      const session = find(ref)
      if (!session.stopMessage || session.stopMessage.max === null)
        throw new FakeError('nothing-armed', 'Nothing with a number of rounds is armed.')
      return put(session.id, { stopMessage: { ...session.stopMessage, max: session.stopMessage.max + rounds } })
    },
    async pause(ref) {
      if (ref === null) return putStatus({ paused: true })
      const session = find(ref)
      record(session.id, { type: 'paused', reason: { code: 'by-user' }, what: 'session' })
      put(session.id, {
        paused: true,
        shape: 'paused',
        say: { code: 'paused', reason: { code: 'by-user' }, waiting: session.queue.length },
      })
    },
    async resume(ref) {
      if (ref === null) return putStatus({ paused: false })
      const session = find(ref)
      record(session.id, { type: 'resumed', what: 'session' })
      put(session.id, {
        paused: false,
        shape: 'idle',
        say: session.stopMessage ? { code: 'armed' } : { code: 'idle' },
        stopMessage: session.stopMessage && { ...session.stopMessage, status: { kind: 'armed' } },
      })
    },
    async say({ session: ref, text }) {
      const session = find(ref)
      const entry: OutboxEntryView = {
        id: `q-${++serial}`,
        scope: session.scope ?? 'pty:x',
        sessionId: session.id,
        round: null,
        text,
        source: 'user',
        createdAt: now(),
        revision: 1,
        state: 'queued',
        hold: { code: 'agent-busy' },
        fail: null,
        typedAt: null,
        submittedAt: null,
        confirmedAt: null,
      }
      put(session.id, { queue: [...session.queue, entry] })
      record(session.id, { type: 'queued', entryId: entry.id, source: 'user', text, round: null })
      return entry
    },
    async editEntry({ entryId, revision, text }) {
      const { session, entry } = entryOf(entryId)
      if (entry.revision !== revision) throw new FakeError('changed-meanwhile', 'It was changed elsewhere meanwhile.')
      const edited = { ...entry, text, revision: revision + 1 }
      putEntry(session, edited)
      record(session.id, { type: 'edited', entryId, text, revision: edited.revision })
      return edited
    },
    async cancelEntry(entryId) {
      const { session } = entryOf(entryId)
      put(session.id, { queue: session.queue.filter((e) => e.id !== entryId) })
      record(session.id, { type: 'cancelled', entryId, by: 'user' })
    },
    async sendEntryNow(entryId) {
      const { session, entry } = entryOf(entryId)
      putEntry(session, { ...entry, state: 'submitted', hold: null, typedAt: now(), submittedAt: now() })
    },
    async moveEntry({ entryId, beforeEntryId }) {
      const { session, entry } = entryOf(entryId)
      const rest = session.queue.filter((e) => e.id !== entryId)
      const at = beforeEntryId === null ? rest.length : rest.findIndex((e) => e.id === beforeEntryId)
      put(session.id, { queue: [...rest.slice(0, at), entry, ...rest.slice(at)] })
    },
    async renameSession({ session: ref, name }) {
      return put(find(ref).id, { name })
    },
    async archiveSession({ session: ref, archived }) {
      return put(find(ref).id, { archived })
    },
    async deleteSession(ref) {
      const { id, name, shape, queue } = find(ref)
      if (queue.length > 0) throw new FakeError('session-queued', `Something is queued for ${name}.`)
      if (shape === 'working') throw new FakeError('session-working', `${name} works right now.`)
      scene.sessions.splice(
        scene.sessions.findIndex((one) => one.id === id),
        1,
      )
      updates.send({ type: 'session-removed', id })
    },
    async pinSession({ session: ref, pinned }) {
      return put(find(ref).id, { pinned })
    },

    async openTerminal(input) {
      const id = `pty-${++serial}`
      const terminal: TerminalView = {
        id,
        scope: `pty:${id}`,
        kind: 'pty',
        home: 'hosted',
        client: input.client,
        name: input.name ?? input.client,
        cwd: input.cwd ?? '/home/me',
        command: input.args.join(' ') || input.client,
        alive: true,
        openedAt: now(),
        sessionId: null,
        hold: null,
        exitCode: null,
        pane: null,
        cols: input.cols ?? 120,
        rows: input.rows ?? 40,
      }
      const opened = { ...terminal, fresh: freshOf(terminal) }
      putTerminal(opened)
      return opened
    },
    ...fakeAdopting({ scene, refuse, putTerminal, freshOf }, now),
    async closeTerminal(terminalId) {
      scene.terminals = scene.terminals.filter((t) => t.id !== terminalId)
      chunks.send({ terminalId, chunk: { type: 'exit', exitCode: 0 } })
      updates.send({ type: 'terminal-removed', id: terminalId })
    },
    async renameTerminal({ terminalId, name }) {
      const terminal = scene.terminals.find((t) => t.id === terminalId)
      if (terminal) putTerminal({ ...terminal, name })
    },
    async reportScreen() {
      return (
        '{"from":"pty","client":"gemini","version":"0.61.0","cols":80,' +
        '"rows":24,"read":"unknown sign *"}\n ␛[0;38;5;183m*␛[0m xxxx\n'
      )
    },
    async writeTerminal({ terminalId, data }) {
      chunks.send({ terminalId, chunk: { type: 'data', data } })
    },
    async answerDialog(input) {
      const session = scene.sessions.find(({ terminalId }) => terminalId === input.terminalId)
      if (session?.say.code !== 'needs-you' || session.say.asked?.question !== input.question)
        return refuse('dialog-changed', 'The agent does not ask that any more. Look at its terminal.')
      put(session.id, { shape: 'working', say: { code: 'working', turn: session.turns + 1, since: now() } })
    },
    async resizeTerminal() {},
    crashed(view) {
      crash = view
    },
    machines: async () => [],
    lastCrash: async () => crash,
    async forgetCrashes() {
      crash = null
    },
    dashboardLink: async () => pages?.newLink() ?? refuse('not-here', 'The fake engine has no page.'),
    async signOutWindows() {
      pages?.signOut()
    },
    devices: async () => scene.devices ?? [],
    phoneWays: async () => ({ listening: null, problem: null, addresses: [], tailscale: null, ssh: 'ssh' }),
    underWay: async () => [],

    async *follow(signal) {
      const stream = updates.listen(signal)
      followed++
      yield {
        type: 'snapshot',
        status: scene.status,
        sessions: scene.sessions,
        terminals: scene.terminals,
        alarms: scene.alarms,
        devices: scene.devices,
        rights: scene.rights,
        ...shown(),
      }
      yield* stream
    },
    async *watchTerminal(terminalId, signal) {
      const stream = chunks.listen(signal)
      yield { type: 'screen', data: sceneScreen, cols: 120, rows: 40 }
      for await (const item of stream) if (item.terminalId === terminalId) yield item.chunk
    },
  } satisfies Partial<FakeApi>
  // Whatever is asked is noted; what the scene has nothing for is refused.
  const handlers = Object.entries(operations).flatMap(([name, { kind, input }]) => {
    const handler: unknown = Reflect.get(api, name)
    const answer = typeof handler === 'function' ? handler : () => refuse('not-here', `The fake engine has no ${name}.`)
    const noted = async (given: unknown) => {
      called(name, input === null ? null : given)
      return answer(given)
    }
    return kind === 'subscription' ? [] : [[name, noted]]
  })
  return Object.assign(api, Object.fromEntries(handlers)) as FakeApi
}

/** as the engine shows a terminal that has had no turn yet */
const freshOf = ({ id, scope, name, client, cwd, openedAt }: TerminalView): SessionView => ({
  id,
  name,
  client,
  entry: null,
  cwd,
  model: null,
  route: null,
  scope,
  terminalId: id,
  shape: 'idle',
  say: { code: 'idle' },
  stopMessage: null,
  lastStopMessage: null,
  queue: [],
  turns: 0,
  usage: { input: 0, cachedInput: 0, output: 0, reasoning: 0 },
  costUsd: null,
  startedAt: openedAt,
  lastActivityAt: openedAt,
  pinned: false,
  paused: false,
})
