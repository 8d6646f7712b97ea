import { expect, it } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { createStore } from '../../store/create-store.ts'
import { memoryFiles } from '../../store/testing/memory-files.ts'
import { openSilences } from './kept-silences.ts'

it('keeps what was measured over a crash but for a minute of it, and bears a file it can’t read', async () => {
  const files = memoryFiles()
  const clock = virtualClock()
  const open = () => {
    const store = createStore({ root: '/r', files, clock, log: silentLog, onProblem: () => undefined })
    return openSilences({ store, clock, log: silentLog })
  }
  const first = await open()
  for (let i = 0; i < 500; i++) first.note('one.m', { silentMs: 800, idleMs: i % 2 ? 200 : null })
  const known = first.of('one.m')
  await clock.advance(60_000)
  first.note('one.m', { silentMs: 600_000, idleMs: 600_000 })
  expect((files.content.get('/r/silences.json') ?? '').length).toBeLessThan(300)
  first.dispose()
  const second = await open()
  expect([second.of('one.m'), second.names()]).toEqual([known, ['one.m']])
  second.note('two.m', { silentMs: 1, idleMs: 1 })
  await second.flush()
  expect((await open()).names()).toEqual(['one.m', 'two.m'])
  files.content.set('/r/silences.json', '{"version":7,"state":{}}')
  const third = await open()
  third.note('two.m', { silentMs: 1, idleMs: 1 })
  await third.flush()
  expect([third.names(), files.content.get('/r/silences.json')]).toEqual([['two.m'], '{"version":7,"state":{}}'])
})
