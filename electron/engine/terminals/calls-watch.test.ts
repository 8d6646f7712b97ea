import { describe, expect, it } from 'vitest'
import { silentLog } from '../base/log.ts'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createCallsWatch } from './calls-watch.ts'
import type { TerminalReading, TypingTarget } from './types.ts'

const fresh: TerminalReading = { kind: 'ready', bracketedPaste: true, fresh: true, above: ['', '/tmp/work'] }
const bare: TerminalReading = { kind: 'ready', bracketedPaste: true, above: ['Tip: press ? for help'] }
const said: TerminalReading = { kind: 'ready', bracketedPaste: true, above: ['› Write it.', '• One part is written.'] }
const busy: TerminalReading = { kind: 'hold', reason: { code: 'agent-busy' } }
const dialog: TerminalReading = { kind: 'hold', reason: { code: 'dialog-open' } }

const launched = { terminalId: 't', client: 'codex', command: 'codex -c model="m"', origin: 'launched' } as const
const resumed = { ...launched, command: 'codex resume --last' }

function scene(terminal: Parameters<ReturnType<typeof createCallsWatch>['begin']>[0] = launched) {
  const clock = virtualClock()
  const told: boolean[] = []
  let read = (): Promise<TerminalReading> => Promise.resolve(fresh)
  const target = {
    terminalId: 't',
    read: () => read(),
    type: () => Promise.reject(new Error('must not type')),
    pressOwedEnter: () => Promise.reject(new Error('must not type')),
    takeOut: () => Promise.reject(new Error('must not type')),
    onChange: () => ({ dispose() {} }),
  } satisfies TypingTarget
  const watch = createCallsWatch({
    clock,
    log: silentLog,
    findTarget: () => target,
    onChange: (_id, elsewhere) => told.push(elsewhere),
  })
  const shows = async (ms: number, ...readings: TerminalReading[]) => {
    for (const reading of readings) {
      read = () => Promise.resolve(reading)
      await clock.advance(ms)
    }
  }
  watch.begin(terminal)
  return { clock, told, watch, shows, fails: () => (read = () => Promise.reject(new Error('no answer'))) }
}

describe('the watch for calls', () => {
  it.each([
    ['a first answer', launched, [fresh, busy, said]],
    ['a first answer too short to be seen at work', launched, [fresh, said]],
    ['the answer to a message that it was started with', launched, [busy, said]],
    ['an answer with a dialog in it', launched, [dialog, fresh, busy, dialog, busy, said]],
    ['the next answer of a conversation that is gone on with', resumed, [said, busy, said]],
    ['an answer that its host saw', resumed, [fresh, { ...fresh, answered: true }]],
    ['the next answer of one that was found running', { ...launched, origin: 'found' }, [said, busy, said]],
  ] as const)('tells of %s, 20 s after it, when no call came', async (_, terminal, readings) => {
    const { told, watch, shows } = scene(terminal)
    await shows(16_000, ...readings)
    await shows(3_000, said)
    expect(told).toEqual([])
    await shows(7_000, said)
    expect([told, watch.elsewhere('t')]).toEqual([[true], true])
    await shows(600_000, said)
    expect(told).toEqual([true])
    watch.end('t')
    expect([told, watch.elsewhere('t')]).toEqual([[true, false], false])
  })

  it.each([
    ['an agent that starts', launched, [busy, dialog, bare]],
    ['a conversation that is gone on with and waits', resumed, [busy, said, said]],
    ['one that goes on by -c', { ...launched, client: 'claude', command: 'claude -c' }, [busy, said, said]],
    ['a command that says nothing', launched, [fresh, busy, fresh, bare]],
    ['an answer that goes on', launched, [fresh, busy, busy]],
    ['a question in the middle', launched, [fresh, busy, dialog]],
  ] as const)('tells nothing of %s', async (_, terminal, readings) => {
    const { told, shows } = scene(terminal)
    await shows(60_000, ...readings)
    expect(told).toEqual([])
  })

  it('tells nothing when a call came', async () => {
    const { told, watch, shows } = scene()
    await shows(16_000, fresh, busy, said)
    watch.end('t')
    await shows(60_000, said)
    expect(told).toEqual([])
  })

  it('goes on after a terminal that could not be read', async () => {
    const { clock, told, shows, fails } = scene()
    await shows(5_000, fresh)
    fails()
    await clock.advance(60_000)
    await shows(60_000, said)
    expect(told).toEqual([true])
  })
})
