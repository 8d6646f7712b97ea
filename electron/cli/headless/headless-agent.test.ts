import { describe, expect, it } from 'vitest'
import { silentLog } from '../../engine/base/log.ts'
import type { TypeControl, TypeOrder } from '../../engine/terminals/types.ts'
import { CliError } from '../exit.ts'
import type { Ending } from '../launch/types.ts'
import { headlessAgent, type HeadlessOrder } from './headless-agent.ts'

interface Run {
  argv: readonly string[]
  stdin: string | undefined
  end(ending?: Partial<Ending>): void
}

/** @param conversation undefined: it can’t be asked for */
function world(conversation: string | null | undefined) {
  const runs: Run[] = []
  const state = { missing: false, heard: 0 }
  const run: HeadlessOrder['run'] = ({ argv, stdin, onStart }) => {
    if (state.missing) return Promise.reject(new CliError('noProgram', 'claude can’t be started: no such file.'))
    return new Promise((resolve) => {
      runs.push({ argv, stdin, end: (ending = {}) => resolve({ exitCode: 0, signal: null, ...ending }) })
      onStart?.(() => resolve({ exitCode: null, signal: 'SIGTERM' }))
    })
  }
  const agent = headlessAgent({
    terminalId: 't',
    client: 'claude',
    argv: ['/bin/claude', '--settings', '/s', '-p', 'fix'],
    env: {},
    cwd: '/',
    log: silentLog,
    run,
    conversation: () =>
      conversation === undefined ? Promise.reject(new Error('offline')) : Promise.resolve(conversation),
    onEngine: () => (state.heard += 1),
  })
  return { agent, runs, state }
}
const order = (entryId: string, text = 'go on'): TypeOrder => ({ entryId, text, client: 'claude' })
const control = (stop = new AbortController().signal): TypeControl => ({
  requestArrived: new AbortController().signal,
  stop,
})
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('an agent without a screen', () => {
  it('is busy as long as a run lasts, and then takes one text, which it hears on stdin', async () => {
    const { agent, runs } = world('conv-1')
    let changes = 0
    agent.onChange(() => (changes += 1))
    agent.begin()
    expect(await agent.read()).toMatchObject({ kind: 'hold', reason: { code: 'agent-busy' } })
    expect(await agent.type(order('a'), control())).toMatchObject({ kind: 'held', reason: { code: 'agent-busy' } })
    runs[0]?.end()
    await settled()
    expect([await agent.read(), changes]).toMatchObject([{ kind: 'ready', background: null }, 1])
    expect(await agent.type(order('a', 'go\non'), control())).toEqual({ kind: 'submitted', extraEnter: false })
    expect(runs.map(({ argv, stdin }) => [argv.join(' '), stdin])).toEqual([
      ['/bin/claude --settings /s -p fix', undefined],
      ['/bin/claude --settings /s -p --resume conv-1', 'go\non'],
    ])
    runs[1]?.end({ exitCode: 3 })
    await settled()
    expect([agent.running, agent.last]).toMatchObject([false, { exitCode: 3 }])
  })

  it('runs for a text once, however often and by whatever way an engine asks again', async () => {
    const { agent, runs } = world('conv-1')
    await agent.type(order('a'), control())
    expect(await agent.type(order('a'), control())).toMatchObject({ kind: 'submitted' })
    expect(await agent.pressOwedEnter(order('a'), control())).toMatchObject({ kind: 'submitted' })
    runs[0]?.end()
    await settled()
    expect(await agent.type(order('a'), control())).toEqual({ kind: 'unknown' })
    expect(await agent.pressOwedEnter(order('a'), control())).toEqual({ kind: 'unknown' })
    expect(runs).toHaveLength(1)
    // it never had this one: it may be typed
    expect(await agent.pressOwedEnter(order('b'), control())).toEqual({ kind: 'removed' })
  })

  it('of two texts at once takes one', async () => {
    const { agent, runs } = world('conv-1')
    const both = await Promise.all([agent.type(order('a'), control()), agent.type(order('b'), control())])
    expect(both).toMatchObject([{ kind: 'submitted' }, { kind: 'held', reason: { code: 'agent-busy' } }])
    expect(runs).toHaveLength(1)
  })

  it('runs for none after a pause, its end, or where its conversation has no name', async () => {
    const { agent, runs } = world('conv-1')
    expect(await agent.type(order('a'), control(AbortSignal.abort()))).toMatchObject({ reason: { code: 'paused' } })
    agent.finish()
    expect(await agent.type(order('a'), control())).toMatchObject({ kind: 'held' })
    agent.close()
    expect(await agent.type(order('a'), control())).toMatchObject({ kind: 'failed', reason: { code: 'agent-gone' } })
    expect(agent.asked).toBe('told')
    const nameless = world(null)
    expect(await nameless.agent.type(order('a'), control())).toMatchObject({ kind: 'failed' })
    expect([...runs, ...nameless.runs]).toEqual([])
  })

  it('keeps a text for later where its conversation can’t be asked for now', async () => {
    const { agent, runs } = world(undefined)
    expect(await agent.type(order('a'), control())).toEqual({ kind: 'held', reason: { code: 'screen-unread' } })
    expect(await agent.pressOwedEnter(order('a'), control())).toEqual({ kind: 'removed' })
    expect(runs).toEqual([])
  })

  it('says why it did not start, and has the code that a shell has for it', async () => {
    const { agent, state } = world('conv-1')
    state.missing = true
    expect(await agent.type(order('a'), control())).toMatchObject({
      kind: 'failed',
      reason: { code: 'terminal-refused', message: 'claude can’t be started: no such file.' },
    })
    expect([agent.running, agent.last]).toMatchObject([false, { exitCode: 127 }])
  })

  it('lives as long as this process, whichever run is under way, and ends once', async () => {
    const { agent, runs } = world('conv-1')
    let ends = 0
    agent.onExit(() => (ends += 1))
    agent.begin()
    expect([agent.pid, agent.ended]).toEqual([process.pid, null])
    agent.stop()
    await settled()
    agent.close()
    agent.close()
    expect([ends, agent.ended, agent.asked]).toEqual([1, { exitCode: null, signal: 'SIGTERM' }, 'told'])
    expect(runs).toHaveLength(1)
  })
})
