import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { Scope } from '../../../shared/words.ts'
import { openWorld } from './testing/world.ts'

const minute = 60_000

async function loggedWorld(places = new Map<string, Scope>()) {
  const written: string[] = []
  const world = await openWorld({ places, log: pino({ base: null }, { write: (line) => void written.push(line) }) })
  const lines = (): Record<string, unknown>[] =>
    written.map((line): Record<string, unknown> => JSON.parse(line)).filter(({ msg }) => msg === 'alarms')
  const due = (inMs: number) => new Date(world.clock.now() + inMs).toISOString()
  const schedule = (inMs: readonly number[], requestId: string) =>
    world.alarms.schedule(
      's1',
      inMs.map((ms) => ({
        dueAtMs: world.clock.now() + ms,
        task: 'the secret plan',
        tool: 'hidden',
        arguments: '{"a":1}',
      })),
      { by: 'model', requestId },
    )
  return { world, lines, due, schedule, text: () => written.join('') }
}

it('says of everything that is done to alarms who asked, how many, for when, and what the disk said', async () => {
  const { world, lines, due, schedule, text } = await loggedWorld()
  const [first, second] = [due(10 * minute), due(20 * minute)]
  const [late, early] = await schedule([20 * minute, 10 * minute], 'r1')
  world.alarms.listFor('s1', 'r2')
  await world.alarms.edit(late?.taskId ?? '', { task: 'another secret' }, 'user')
  await world.alarms.cancel(early?.taskId ?? '', 'model', { sessionId: 's1', requestId: 'r3' })
  await world.alarms.clear('s1', 'model', 'r4')
  await world.alarms.clear('s1', 'user')
  const line = (did: string, requestId: string | null, tasks: number, earliest: string | null, write: string) => ({
    did,
    session: 's1',
    requestId,
    tasks,
    earliest,
    write,
  })
  expect(lines()).toMatchObject([
    line('set', 'r1', 2, first, 'written'),
    line('list', 'r2', 2, first, 'none'),
    line('changed', null, 1, second, 'written'),
    line('cancel', 'r3', 1, first, 'written'),
    line('clear', 'r4', 1, second, 'written'),
    line('clear', null, 0, null, 'none'),
  ])
  expect(text()).not.toMatch(/secret|hidden/)
})

it('says what the disk refused', async () => {
  const { world, lines, due, schedule } = await loggedWorld()
  const at = due(10 * minute)
  await schedule([10 * minute], 'r1')
  world.disk.fate = (path) => (path.startsWith('clock/') ? 'fail' : 'ok')
  await expect(schedule([30 * minute], 'r2')).rejects.toMatchObject({ code: 'store-failed' })
  await expect(world.alarms.clear('s1', 'model', 'r3')).rejects.toMatchObject({ code: 'store-failed' })
  expect(lines().slice(1)).toMatchObject([
    { did: 'set', requestId: 'r2', tasks: 1, write: 'store-failed', level: 40 },
    { did: 'clear', requestId: 'r3', tasks: 1, earliest: at, write: 'store-failed', level: 40 },
  ])
})

it.each(['written', 'not-yet'] as const)('says that one was delivered by a request: %s', async (write) => {
  const { world, lines, due, schedule } = await loggedWorld()
  const at = due(minute)
  await schedule([minute], 'r1')
  await world.clock.advance(minute)
  const taken = await world.alarms.reserve('s1', 'r2')
  if (write === 'not-yet') world.disk.fate = (path) => (path.startsWith('clock/') ? 'fail' : 'ok')
  await taken?.commit()
  expect(lines().at(-1)).toMatchObject({
    did: 'delivered',
    session: 's1',
    requestId: 'r2',
    tasks: 1,
    earliest: at,
    write,
  })
})

it('says which request showed that one was typed', async () => {
  const scope: Scope = 'tmux:s1'
  const { world, lines, schedule } = await loggedWorld(new Map([['s1', scope]]))
  await world.end(await world.begin('s1'), 's1')
  await schedule([2 * minute], 'r1')
  await world.clock.advance(2 * minute + 2_000)
  const receipt = await world.begin('s1', world.typed('s1')[0])
  await world.clock.advance(0)
  expect(lines().at(-1)).toMatchObject({ did: 'delivered', requestId: receipt, tasks: 1, write: 'written' })
})
