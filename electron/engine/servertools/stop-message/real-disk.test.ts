import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { virtualClock, type VirtualClock } from '../../base/testing/virtual-clock.ts'
import { createStore } from '../../store/create-store.ts'
import { diskFiles } from '../../store/disk-files.ts'
import { createOutboxes } from '../../terminals/outbox/outboxes.ts'
import { defaultOutboxSettings } from '../../terminals/outbox/settings.ts'
import { countingRandom, T } from '../../terminals/outbox/testing/bench.ts'
import { fakeTarget } from '../../terminals/outbox/testing/fake-target.ts'
import { makeSafe, safeFor } from '../../terminals/safe-text.ts'
import { createStopMessage } from './index.ts'
import { goalDeps, newGoalWorld } from './testing/goal-world.ts'
import { stopped } from './testing/world.ts'

/** The same parts over the real store and the real safe text, as the engine puts them together. */
let root: string
let clock: VirtualClock
const target = fakeTarget(T)
const random = countingRandom()

async function engine() {
  const problems: string[] = []
  const store = createStore({
    root,
    files: diskFiles(),
    clock,
    log: silentLog,
    onProblem: (p) => {
      problems.push(`${p.code} ${p.file}`)
    },
  })
  const outboxes = createOutboxes({
    store,
    clock,
    random,
    record: () => {},
    settings: () => defaultOutboxSettings,
    safeText: safeFor,
    terminalOf: () => 't1',
    clientOf: () => 'codex',
    findTarget: () => target,
  })
  const stop = createStopMessage({
    store,
    outboxes,
    clock,
    random,
    record: () => {},
    notify: () => {},
    terminalGone: () => null,
    onChange: () => {},
    goal: goalDeps(newGoalWorld()),
    config: () => ({
      language: 'en',
      backgroundWaitMs: 0,
      budgets: { rounds: 100, hours: 8, noProgressRounds: 5, tokens: null, costUsd: null },
    }),
  })
  outboxes.use(stop.listenerOf)
  await outboxes.load()
  await stop.start()
  await outboxes.start()
  const outbox = await outboxes.of(T)
  const turn = async (requestId: string, text: string) => {
    await outbox.requestStarted({
      requestId,
      sessionId: 's1',
      kind: 'turn',
      lastUserTexts: [text],
      hasNewMainTurn: true,
    })
    outbox.requestEnded(requestId)
    await stop.turnEnded(T, { ...stopped, requestId }, null)
  }
  const end = async () => {
    await outboxes.close()
    stop.dispose()
  }
  return { stop, outboxes, outbox, turn, end, problems }
}
/** Virtual time moves on while real writes take theirs. */
const until = async (what: () => boolean) => {
  // The clock is the test's, the disk is a real one and may be busy.
  for (const end = Date.now() + 20_000; !what() && Date.now() < end;) await clock.advance(100)
  expect(what()).toBe(true)
}
const stateOf = async (file: string) => JSON.parse(await readFile(join(root, file), 'utf8'))

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'onward-stop-message-'))
  clock = virtualClock()
})
afterEach(() => rm(root, { recursive: true, force: true }))

describe('on a real disk', () => {
  it('rounds, their state and their queue survive a restart', async () => {
    const first = await engine()
    await first.stop.arm(T, {
      sessionId: 's1',
      text: '!rm -rf build\n<**sm:on**>',
      max: 3,
      review: false,
      by: 'marker',
    })
    await first.turn('r1', 'do it')
    await until(() => first.stop.view(T).stopMessage?.used === 1)
    const text = makeSafe('!rm -rf build\n<**sm:on**>')
    expect(target.typed.map((o) => o.text)).toEqual([text])
    await first.end()
    expect((await readdir(root, { recursive: true })).toSorted()).toEqual([
      'outbox',
      'outbox/tmux-main.json',
      'tmux-main.json',
    ])
    expect(await stateOf('tmux-main.json')).toMatchObject({
      version: 1,
      state: { stopMessageText: '!rm -rf build\n<**sm:on**>', stopMessageUsed: 1, stopMessageMaxRepeats: 3 },
    })

    const second = await engine()
    expect(second.outbox.list()).toMatchObject([{ state: 'submitted', text }])
    await second.turn('r2', text)
    await until(() => second.stop.view(T).stopMessage?.used === 2)
    expect(second.outbox.list().map((e) => e.state)).toEqual(['confirmed', 'submitted'])
    await second.end()
    expect(second.problems).toEqual([])
  })

  it('a corrupt file is moved aside and reported, and stops nothing', async () => {
    const first = await engine()
    await first.stop.arm(T, { sessionId: 's1', text: 'go on', max: 3, review: false, by: 'marker' })
    await first.end()
    await writeFile(join(root, 'tmux-main.json'), '{"version": 1, "state": {"scope": 7}}')
    const second = await engine()
    expect(second.problems).toEqual(['store-corrupt tmux-main.json'])
    expect(second.stop.view(T).stopMessage).toBeNull()
    await second.stop.arm(T, { sessionId: 's1', text: 'anew', max: 3, review: false, by: 'user' })
    await second.end()
    expect(await stateOf('tmux-main.json')).toMatchObject({ state: { stopMessageText: 'anew' } })
  })
})
