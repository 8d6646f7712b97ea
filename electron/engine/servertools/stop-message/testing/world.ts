import type { Language, Scope } from '../../../../../shared/words.ts'
import { createBench, T, type Bench, type BenchOptions } from '../../../terminals/outbox/testing/bench.ts'
import type { Budgets } from '../reducer/budget.ts'
import type { EndedTurn } from '../ended-turn.ts'
import type { TurnExcerpt } from '../turn-excerpt.ts'
import { goalDeps, newGoalWorld, type GoalWorld } from './goal-world.ts'
import { createStopMessage, type StopMessage, type StopMessageNotice } from '../index.ts'

/** An engine's stopMessage over one disk, with terminals by scope: what a test drives as the pipeline would. */
export interface World extends Omit<Bench, 'kill'> {
  stop: StopMessage
  notices: StopMessageNotice[]
  budgets: Budgets
  backgroundWaitMs: number
  /** what the screen shows of work in the background; undefined: it is not known of this agent */
  shown: string | null | undefined
  /** why a scope's terminal is gone for good */
  gone: Map<Scope, string>
  language: Language
  goal: GoalWorld
  end(requestId: string, where?: Partial<TurnOptions>): Promise<void>
  /** a main turn from its request to its end, a plain stop unless said otherwise */
  turn(text: string, where?: Partial<TurnOptions>): Promise<void>
  /** lets the settle time pass, so that what may be typed is typed */
  settled(): Promise<void>
  kill(): Promise<World>
}

export interface TurnOptions extends EndedTurn {
  scope: Scope
  hasNewMainTurn: boolean
  excerpt: TurnExcerpt | null
}

export const stopped: EndedTurn = {
  requestId: 'r',
  sessionId: 's1',
  kind: 'turn',
  reentered: false,
  finish: 'stop',
  clientLeft: false,
  registeredClientOnly: false,
  notFinished: null,
}

export async function openWorld(
  options: BenchOptions & { gone?: Map<Scope, string>; goal?: GoalWorld } = {},
  { openMain = true } = {},
): Promise<World> {
  const bench = createBench(options)
  const notices: StopMessageNotice[] = []
  const gone = options.gone ?? new Map<Scope, string>()
  const world = {
    ...bench,
    notices,
    gone,
    language: 'en' as Language,
    backgroundWaitMs: 600_000,
    shown: undefined as string | null | undefined,
    goal: options.goal ?? newGoalWorld(),
    budgets: { rounds: 100, hours: 8, noProgressRounds: 5, tokens: null, costUsd: null } satisfies Budgets as Budgets,
  }
  const stop = createStopMessage({
    store: bench.store,
    outboxes: bench.outboxes,
    clock: bench.clock,
    random: bench.deps.random,
    record: bench.deps.record,
    notify: (_, notice) => {
      notices.push(notice)
    },
    config: () => ({ budgets: world.budgets, backgroundWaitMs: world.backgroundWaitMs, language: world.language }),
    shownWork: { known: () => world.shown !== undefined, look: async () => world.shown },
    terminalGone: (scope) => gone.get(scope) ?? null,
    onChange: () => {},
    goal: goalDeps(world.goal, bench.clock),
  })
  bench.outboxes.use(stop.listenerOf)
  await bench.outboxes.load()
  await stop.start()
  await bench.outboxes.start()
  await stop.decideAfterCrash()
  if (openMain) await bench.outboxes.of(T)

  const end: World['end'] = async (requestId, where = {}) => {
    const { scope = T, hasNewMainTurn: _, excerpt = null, ...turn } = where
    const outbox = await bench.outboxes.of(scope)
    outbox.requestEnded(requestId)
    if (where.sessionId === null) await stop.requestEnded(scope)
    else await stop.turnEnded(scope, { ...stopped, ...turn, requestId }, excerpt)
  }
  return Object.assign(world, {
    stop,
    end,
    async turn(text: string, where: Partial<TurnOptions> = {}) {
      await end(await bench.begin(text, where), where)
    },
    settled: () => bench.clock.advance(bench.settings.settleMs),
    async kill() {
      const left = bench.kill()
      stop.dispose()
      return openWorld({ ...options, ...left, gone, goal: world.goal })
    },
  })
}
