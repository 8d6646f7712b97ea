/** This engine's membership in one fleet: connected, lost, and connected again. */
import { deviceRights } from '../../../shared/devices.ts'
import type { FleetState } from '../../../shared/fleet.ts'
import { pause, type Clock } from '../base/clock.ts'
import { messageOf, OnwardError, problemOf } from '../base/errors.ts'
import type { Random } from '../base/ids.ts'
import type { CommandDeps } from './answer-command.ts'
import { readCredentials } from './credentials.ts'
import type { OrdersDeps } from './orders.ts'
import type { Lines } from './lines.ts'
import type { Roster } from './roster.ts'
import type { Line } from '../providers/via/line.ts'
import type { FleetPolicy } from '../config/policy/fleet-policy.ts'
import { commandSubject, policyKey } from './subjects.ts'
import type { Hub, HubOptions } from './types.ts'

/** As the config has it, with absolute paths. */
export interface MemberOptions extends Omit<HubOptions, 'credentials'> {
  creds?: string | undefined
}

export interface MemberDeps extends CommandDeps {
  clock: Clock
  random: Random
  version: string
  platform: NodeJS.Platform
  /** what orders that waited need */
  orders(): Promise<Pick<OrdersDeps, 'document' | 'isDone'>>
  /** loads NATS, which nothing else does */
  load(): Promise<typeof import('./hub.ts')>
  policy: FleetPolicy
  /** its state, or what it knows of the others */
  changed(): void
  /** lends providers over this line */
  lend(line: Line): Promise<void>
  /** tells a person */
  problem(problem: { code: string; message: string }): void
}

interface Connected {
  hub: Hub
  roster: Roster
  lines: Lines
}

export interface Member {
  options: MemberOptions
  state(): FleetState
  /** resolves when it was there once, or is known not to be */
  settled: Promise<void>
  /** @throws OnwardError why the hub is away */
  there(): Connected
  /** `left`: for good, so that the hub forgets this engine */
  end(left: boolean): Promise<void>
}

const firstWaitMs = 1_000
const mostWaitMs = 60_000
/** a person has to do something before it can work */
const needsPerson: ReadonlySet<string> = new Set([
  'fleet-creds',
  'fleet-no-jetstream',
  'fleet-not-allowed',
  'fleet-policy-held',
  'fleet-refused',
])
const forPersonMs = 5 * 60_000
/** a hub that does not answer keeps an engine from ending for so long */
const endMs = 3_000

const idOf = ({ name, url }: MemberOptions): string => `${name} at ${url}`

/** @throws OnwardError `fleet-…` */
export async function openFor(
  options: MemberOptions,
  { load, platform, policy }: Pick<MemberDeps, 'load' | 'platform' | 'policy'>,
): Promise<Hub> {
  const held = await policy.of()
  if (held !== null && held !== idOf(options))
    throw new OnwardError(
      'fleet-policy-held',
      `The policy of the fleet ${held} holds here, and only that fleet can take it away. Ask whoever runs it.`,
      { status: 403, details: { fleet: held } },
    )
  const { openHub } = await load()
  const { creds, ...rest } = options
  return openHub({ ...rest, credentials: creds === undefined ? null : await readCredentials(creds, platform) })
}

/** Begins after `before`, and goes on until `end`. */
export function startMember(options: MemberOptions, deps: MemberDeps, before: Promise<unknown>): Member {
  const { clock, random, log } = deps
  const over = new AbortController()
  let state: FleetState = { kind: 'connecting' }
  let connected: Connected | null = null
  let settle: () => void = () => undefined
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })
  const set = (next: FleetState) => {
    state = next
    settle()
    deps.changed()
  }
  const onConnected = (now: Connected) => {
    connected = now
    set({ kind: 'there', since: clock.now() })
    log.info({ url: options.url, fleet: options.name, engine: options.engine }, 'joined the fleet')
  }
  const run = async () => {
    for (let tries = 0; !over.signal.aborted; tries++) {
      const why = problemOf(
        await connectOnce(options, deps, over.signal, onConnected).catch((error: unknown) => error),
        'fleet-hub-away',
      )
      connected = null
      if (over.signal.aborted) return
      const now = clock.now()
      if (state.kind === 'there' && now - state.since >= mostWaitMs) tries = 0
      const most = needsPerson.has(why.code)
        ? forPersonMs
        : Math.min(mostWaitMs, firstWaitMs * 2 ** Math.min(tries, 10))
      const waitMs = Math.round(most * (0.8 + 0.4 * random.fraction()))
      if (state.kind !== 'away') log.warn({ ...why }, 'the hub of the fleet is away')
      set({ kind: 'away', since: state.kind === 'away' ? state.since : now, why, nextTryAt: now + waitMs })
      await pause(clock, waitMs, over.signal)
    }
  }
  const ended = before.then(run)
  return {
    options,
    settled,
    state: () => state,
    there() {
      if (connected) return connected
      const { code, message } =
        state.kind === 'away'
          ? state.why
          : { code: 'fleet-hub-away', message: `${options.url} has not answered yet. Try again in a moment.` }
      throw new OnwardError(code, message, { status: 409 })
    },
    async end(left) {
      over.abort(left)
      const patience = new AbortController()
      await Promise.race([ended, pause(clock, endMs, patience.signal)])
      patience.abort()
    },
  }
}

/** One connection, from its beginning to its end. @returns why it ended. @throws why there was none */
async function connectOnce(
  options: MemberOptions,
  deps: MemberDeps,
  over: AbortSignal,
  onConnected: (connected: Connected) => void,
): Promise<Error> {
  const { name, engine, url } = options
  const { clock, policy, problem, log } = deps
  const [{ answerCommand }, { createLines }, { createOrders }, { publish }, { createRoster }, { ordersKeptMs }, own] =
    await Promise.all([
      import('./answer-command.ts'),
      import('./lines.ts'),
      import('./orders.ts'),
      import('./publish.ts'),
      import('./roster.ts'),
      deps.load(),
      deps.orders(),
    ])
  const orders = createOrders({ ...deps, ...own, refused: problem, keptMs: 2 * ordersKeptMs })
  await orders.settle()
  const hub = await openFor(options, deps)
  const ended = new Promise<Error>((resolve) => {
    over.addEventListener('abort', () => resolve(new Error('it was left')), { once: true })
  })
  const gone = new AbortController()
  const target = `${url} (${name})`
  const roster = createRoster({ hub, fleet: name, engine, target, clock, onChange: deps.changed })
  try {
    const signal = AbortSignal.any([over, gone.signal])
    const texts = deps.granted().texts
    const goodbye = await publish({ ...deps, hub, fleet: name, engine, texts, follow: deps.api.follow }, signal)
    await hub.watch(policyKey, ({ text }) => {
      policy.take(idOf(options), text).catch((error: unknown) => problem(problemOf(error, 'fleet-policy-wrong')))
    })
    for (const right of deviceRights)
      hub.serve(commandSubject(name, engine, right, '*'), (subject, text) => answerCommand(deps, subject, text))
    await hub.orders(orders.take)
    const lines = createLines({ ...deps, hub, fleet: name, engine })
    onConnected({ hub, roster, lines })
    const why = await Promise.race([hub.lost, ended])
    if (over.aborted)
      await goodbye(over.reason === true).catch((error: unknown) =>
        log.debug({ why: messageOf(error) }, 'the hub did not hear that this engine ends'),
      )
    return why
  } finally {
    gone.abort()
    roster.dispose()
    await hub.close().catch(() => undefined)
  }
}
