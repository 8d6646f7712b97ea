import type { EventBody, RecordEvent } from '../../../../../shared/events.ts'
import type { Language, Scope } from '../../../../../shared/words.ts'
import { createBench, T, type Bench, type BenchOptions } from '../../../terminals/outbox/testing/bench.ts'
import { createResumeAtReset, type ResumeAtReset, type ResumeNotice } from '../index.ts'

type Place = Scope | 'no-terminal' | 'terminal-gone'

/** An engine's resume at reset over one disk, with sessions in terminals: what a test drives as the pipeline would. */
export interface World extends Omit<Bench, 'begin' | 'kill'> {
  resume: ResumeAtReset
  notices: ResumeNotice[]
  /** where each session is; a session that is not here lives in `tmux:<its name>` */
  places: Map<string, Place>
  language: Language
  /** events of the session, as they were recorded; outbox and notices apart */
  told(session?: string): EventBody[]
  /** texts typed into the session's terminal */
  typed(session?: string): string[]
  /** a request of the session begins, so that its terminal shows it */
  begin(session?: string, text?: string): Promise<string>
  end(requestId: string, session?: string): Promise<void>
  /** a turn that ends at a limit, the outbox included */
  limitedTurn(
    session: string,
    lifts: number | null,
    more?: { provider?: string; since?: number; text?: string },
  ): Promise<void>
  /** a turn that is answered */
  goodTurn(session: string, text?: string): Promise<void>
  /** the process dies; what was on disk stays */
  kill(): Promise<World>
}

export interface WorldOptions extends BenchOptions {
  places?: Map<string, Place>
}

const ours = new Set<EventBody['type']>([
  'limit-reached',
  'resume-set',
  'resume-cancelled',
  'resume-failed',
  'engine-problem',
  'store-problem',
])

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const bench = createBench({ targets: new Map(), ...options })
  const places = options.places ?? new Map<string, Place>()
  const notices: ResumeNotice[] = []
  const all: { session: string | null; body: EventBody }[] = []
  const record: RecordEvent = (where, body) => {
    all.push({ session: where.sessionId ?? null, body })
  }
  const placeOf = (session: string): Place => places.get(session) ?? `tmux:${session}`
  const scopeOf = (session: string): Scope => {
    const place = placeOf(session)
    return place === 'no-terminal' || place === 'terminal-gone' ? T : place
  }
  const settings = { language: 'en' as Language }
  const resume = createResumeAtReset({
    store: bench.store,
    outboxes: bench.outboxes,
    clock: bench.clock,
    random: bench.deps.random,
    record,
    notify: (_, notice) => {
      notices.push(notice)
    },
    language: () => settings.language,
    scopeOf: placeOf,
    onChange: () => {},
  })
  await bench.start()
  await resume.start()

  const begin: World['begin'] = async (session = 's1', text = 'do it') => {
    const scope = scopeOf(session)
    bench.target(scope)
    return bench.begin(text, { scope, sessionId: session })
  }
  const end: World['end'] = async (requestId, session = 's1') => {
    ;(await bench.outboxes.of(scopeOf(session))).requestEnded(requestId)
  }
  const world = Object.assign(settings, {
    ...bench,
    resume,
    notices,
    places,
    begin,
    end,
    told: (session?: string) =>
      all.flatMap(({ session: s, body }) =>
        ours.has(body.type) && (session === undefined || s === session) ? [body] : [],
      ),
    typed: (session = 's1') => bench.target(scopeOf(session)).typed.map((order) => order.text),
    async limitedTurn(
      session: string,
      lifts: number | null,
      { provider = 'zai', since = bench.clock.now(), text }: { provider?: string; since?: number; text?: string } = {},
    ) {
      await end(await begin(session, text), session)
      resume.limited(session, { provider, since, lifts })
      await bench.clock.advance(0)
    },
    async goodTurn(session: string, text?: string) {
      await end(await begin(session, text), session)
      resume.wentOn(session)
      await bench.clock.advance(0)
    },
    async kill() {
      const left = bench.kill()
      resume.dispose()
      return openWorld({ ...options, ...left, places })
    },
  })
  return world
}
