import type { EventBody } from '../../../../../shared/events.ts'
import type { ClientKind, Scope } from '../../../../../shared/words.ts'
import type { Random } from '../../../base/ids.ts'
import { virtualClock, type VirtualClock } from '../../../base/testing/virtual-clock.ts'
import type { OutboxListener } from '../listener.ts'
import type { RequestStart } from '../receipts/request-observer.ts'
import { createOutboxes, type Outboxes, type OutboxesDeps } from '../outboxes.ts'
import { defaultOutboxSettings, type OutboxSettings } from '../settings.ts'
import { fakeTarget, type FakeTarget } from './fake-target.ts'
import { createDisk, memoryStore, type Disk, type MemoryStore } from './memory-store.ts'

/** Everything around outboxes for tests: one disk, terminals by scope, a virtual clock, and what was recorded. */
export interface Bench {
  clock: VirtualClock
  disk: Disk
  store: MemoryStore
  outboxes: Outboxes
  deps: OutboxesDeps
  events: (EventBody & { scope?: Scope | null })[]
  settings: OutboxSettings
  target(scope?: Scope): FakeTarget
  targets: Map<string, FakeTarget | null>
  /** event types in order, without those that only say that something waits */
  story(): string[]
  /** loads the outboxes, and lets them type */
  start(listenerOf?: (scope: Scope) => OutboxListener): Promise<void>
  /** a main turn of `s1` begins, or what `more` says of it. @returns its id */
  begin(text: string, more?: Partial<RequestStart> & { scope?: Scope }): Promise<string>
  /** the process dies. @returns what the next one begins with: what was on disk stays */
  kill(): BenchOptions
}

export const T: Scope = 'tmux:main'

export function countingRandom(prefix = 'e'): Random {
  let n = 0
  return { uuid: () => `${prefix}${++n}`, token: () => `${prefix}${++n}`, fraction: () => 0.5 }
}

export const silentListener: OutboxListener = {
  async submitted() {},
  async confirmed() {},
  async failed() {},
  async ended() {},
  async unconfirmed() {},
  heldLong() {},
  async mainTurn() {},
  changed() {},
}

export interface BenchOptions {
  clock?: VirtualClock
  disk?: Disk
  targets?: Map<string, FakeTarget | null>
  random?: Random
  settings?: Partial<OutboxSettings>
  safeText?: OutboxesDeps['safeText']
  client?: ClientKind
  nearLimit?: OutboxesDeps['nearLimit']
  inbox?: OutboxesDeps['inbox']
}

let requests = 0

export function createBench(options: BenchOptions = {}): Bench {
  const clock = options.clock ?? virtualClock()
  const disk = options.disk ?? createDisk()
  const targets = options.targets ?? new Map<string, FakeTarget | null>([[T, fakeTarget(T)]])
  const events: Bench['events'] = []
  const store = memoryStore(disk, (file) => {
    events.push({ type: 'store-problem', file, code: 'store-failed', message: 'refused' })
  })
  const settings = { ...defaultOutboxSettings, ...options.settings }
  const deps: OutboxesDeps = {
    store,
    clock,
    random: options.random ?? countingRandom(),
    settings: () => settings,
    record: (where, body) => {
      events.push({ ...body, scope: where.scope ?? null })
    },
    safeText: options.safeText ?? ((text) => text),
    nearLimit: options.nearLimit ?? (() => null),
    ...(options.inbox && { inbox: options.inbox }),
    terminalOf: (scope) => scope,
    clientOf: () => options.client ?? 'codex',
    findTarget: (terminalId) => targets.get(terminalId) ?? null,
  }
  const outboxes = createOutboxes(deps)
  return {
    clock,
    disk,
    store,
    deps,
    events,
    settings,
    targets,
    outboxes,
    target(scope = T) {
      const target = targets.get(scope) ?? fakeTarget(scope)
      targets.set(scope, target)
      return target
    },
    story: () => events.filter((e) => e.type !== 'held').map((e) => e.type),
    async start(listenerOf = () => silentListener) {
      outboxes.use(listenerOf)
      await outboxes.load()
      await outboxes.start()
    },
    async begin(text, { scope = T, ...more } = {}) {
      const turn = {
        requestId: `r${++requests}`,
        sessionId: 's1',
        kind: 'turn',
        hasNewMainTurn: true,
        ...more,
      } as const
      const outbox = outboxes.peek(scope) ?? (await outboxes.of(scope))
      await outbox.requestStarted({ lastUserTexts: [text], ...turn })
      return turn.requestId
    },
    kill() {
      store.crash()
      outboxes.dispose()
      disk.fate = () => 'ok'
      return { disk, clock, targets, random: deps.random }
    },
  }
}

/** Lets everything that is under way come to rest without time passing. */
export const settle = (clock: VirtualClock): Promise<void> => clock.advance(0)
