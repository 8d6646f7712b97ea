import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { fakeTarget, type FakeTarget } from '../../terminals/outbox/testing/fake-target.ts'
import type { Fate } from '../../terminals/outbox/testing/memory-store.ts'
import { openWorld, type World } from './testing/world.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const sessions = ['s0', 's1', 's2'] as const
type Session = (typeof sessions)[number]
const second = 1000
const minute = 60 * second

type Command =
  | { type: 'limited'; session: Session; lifts: number | null }
  | { type: 'good-turn' | 'on' | 'off' | 'cancel'; session: Session }
  | { type: 'lifted' | 'answered' | 'kill' }
  | { type: 'wait'; ms: number }
  | { type: 'disk'; after: number; fate: Fate }

const session = fc.constantFrom(...sessions)
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      type: fc.constant('limited' as const),
      session,
      lifts: fc.constantFrom(null, 10 * second, 5 * minute, 90 * minute),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('good-turn' as const, 'on' as const, 'on' as const, 'off' as const, 'cancel' as const),
      session,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom('lifted' as const, 'answered' as const, 'kill' as const, 'kill' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('wait' as const),
      ms: fc.constantFrom(second, 7 * second, minute, 6 * minute, 100 * minute),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('disk' as const),
      after: fc.integer({ min: 1, max: 4 }),
      fate: fc.constantFrom<Fate>('crash', 'crash-after', 'fail', 'fail-after'),
    }),
  },
)

describe('whatever happens in whatever order', () => {
  it('nobody is continued who did not ask, none twice for one limit, and no two of a provider at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([...sessions]),
        fc.array(command, { minLength: 5, maxLength: 40 }),
        async (fromTheBeginning, commands) => {
          const clock = virtualClock()
          const targets = new Map<string, FakeTarget | null>()
          let world: World = await openWorld({ clock, targets })
          /** a person's last acknowledged choice; null: unknown */
          const wanted = new Map<Session, boolean | null>(sessions.map((s) => [s, false]))
          /** limits that ended a turn of the session: each is worth one followup at most */
          const ends = new Map<Session, number>(sessions.map((s) => [s, 0]))
          const typed = new Map<Session, number>(sessions.map((s) => [s, 0]))
          const typedAt: number[] = []
          const problems: string[] = []

          for (const s of sessions) {
            const target = fakeTarget(`tmux:${s}`)
            targets.set(`tmux:${s}`, target)
            target.answer = () => {
              typed.set(s, (typed.get(s) ?? 0) + 1)
              typedAt.push(clock.now())
              if (wanted.get(s) === false) problems.push(`${s} was continued though nobody asked`)
              if ((typed.get(s) ?? 0) > (ends.get(s) ?? 0))
                problems.push(`${s} was continued ${typed.get(s)} times for ${ends.get(s)} limits`)
              return { kind: 'submitted', extraEnter: false }
            }
          }
          const revive = async () => {
            world = await world.kill()
          }
          /** Resolves with false when the process died over it. */
          const acknowledged = async (work: Promise<unknown>): Promise<boolean> => {
            let state: 'open' | 'done' | 'refused' = 'open'
            work.then(
              () => {
                state = 'done'
              },
              () => {
                state = 'refused'
              },
            )
            await clock.advance(0)
            return (state as string) === 'done'
          }

          for (const s of fromTheBeginning) {
            await world.resume.set(s, true)
            wanted.set(s, true)
          }
          for (const step of commands) {
            switch (step.type) {
              case 'limited':
                ends.set(step.session, (ends.get(step.session) ?? 0) + 1)
                await acknowledged(
                  world.limitedTurn(step.session, step.lifts === null ? null : clock.now() + step.lifts),
                )
                break
              case 'good-turn':
                await acknowledged(world.goodTurn(step.session, 'go on'))
                break
              case 'on':
              case 'off': {
                // Until it is answered both may hold; and what the disk refused may be on it all the same when the
                // process dies.
                wanted.set(step.session, null)
                if (await acknowledged(world.resume.set(step.session, step.type === 'on')))
                  wanted.set(step.session, step.type === 'on')
                break
              }
              case 'cancel':
                await acknowledged(world.resume.cancel(step.session))
                break
              case 'lifted':
                world.resume.lifted('zai')
                break
              case 'answered':
                world.resume.answered('zai')
                break
              case 'wait':
                await clock.advance(step.ms)
                break
              case 'kill':
                await revive()
                break
              case 'disk': {
                let left = step.after
                world.disk.fate = () => (--left === 0 ? step.fate : 'ok')
                break
              }
            }
            if (world.store.crashed) await revive()
          }
          world.disk.fate = () => 'ok'
          await clock.advance(100 * minute)
          for (const s of sessions) {
            if (typeof world.resume.limitOf(s)?.resumeAt === 'number')
              problems.push(`${s} still waits: ${JSON.stringify(world.resume.limitOf(s))}`)
            if (wanted.get(s) === true && !world.resume.isOn(s)) problems.push(`${s} lost its switch`)
          }
          // Followups that a dead engine had put into the queue are typed by the next one when it may.
          if (!commands.some(({ type }) => type === 'kill' || type === 'disk'))
            typedAt
              .sort((a, b) => a - b)
              .forEach((at, i) => {
                if (i > 0 && at - (typedAt[i - 1] ?? 0) < 2 * second) problems.push(`two at once at ${at}`)
              })
          world.resume.dispose()
          world.outboxes.dispose()
          expect(problems).toEqual([])
        },
      ),
      runs(60),
    )
  }, 120_000)
})
