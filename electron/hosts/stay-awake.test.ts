import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { virtualClock } from '../engine/base/testing/virtual-clock.ts'
import { createKeepAwake } from '../engine/assembly/goals/keep-awake.ts'
import { awakeProgram, stayAwake } from './node-host.ts'
import { silentLog } from '../engine/base/log.ts'

type Ask = Parameters<NonNullable<Parameters<typeof stayAwake>[2]>>

function programs() {
  const started: {
    ask: Ask
    ended: boolean
    emit(event: string, value: unknown): void
    errors: (text: string) => void
  }[] = []
  const spawn: NonNullable<Parameters<typeof stayAwake>[2]> = (...ask) => {
    const listeners = new Map<string, (value: never) => void>()
    let onData: (data: Buffer) => void = () => undefined
    const one = {
      ask,
      ended: false,
      emit: (event: string, value: unknown) => listeners.get(event)?.(value as never),
      errors: (text: string) => onData(Buffer.from(text)),
    }
    started.push(one)
    return {
      stdin: { end: () => undefined },
      stderr: { on: (_: 'data', listener: (data: Buffer) => void) => (onData = listener) },
      on: (event: string, listener: (value: never) => void) => listeners.set(event, listener),
      kill: () => (one.ended = true),
    }
  }
  return { started, spawn }
}

describe('the machine', () => {
  it.each([
    ['linux', 'systemd-inhibit'],
    ['darwin', 'caffeinate'],
    ['win32', 'powershell.exe'],
    ['aix', undefined],
  ] as const)('of %s is kept awake by %s', (platform, program) => {
    expect(awakeProgram(platform, 7)?.[0]).toBe(program)
  })

  it('stays awake from the first goal to the last, where a person wants it', () => {
    const { started, spawn } = programs()
    let [wanted, goals, told] = [false, 0, 0]
    const awake = createKeepAwake({
      host: { clock: virtualClock(), log: silentLog, stayAwake: stayAwake('linux', 7, spawn) },
      wanted: () => wanted,
      goals: () => goals,
      onChange: () => void told++,
    })
    const look = (now: [boolean, number]) => {
      ;[wanted, goals] = now
      awake.look()
      return awake.state()?.goals ?? 0
    }
    expect([look([false, 2]), look([true, 0]), started.length, told]).toEqual([0, 0, 0, 0])
    expect([look([true, 1]), look([true, 2]), look([true, 2]), started.length, told]).toEqual([1, 2, 2, 1, 2])
    expect([look([true, 0]), started[0]?.ended]).toEqual([0, true])
    expect([look([true, 1]), started.length]).toEqual([1, 2])
    expect([look([false, 1]), started[1]?.ended]).toEqual([0, true])
    look([true, 1])
    awake.dispose()
    expect(started[2]?.ended).toBe(true)
  })

  it('that can’t be kept awake is told once, in the system’s words, and not asked again for the same goal', () => {
    const { started, spawn } = programs()
    let goals = 1
    const awake = createKeepAwake({
      host: { clock: virtualClock(), log: silentLog, stayAwake: stayAwake('linux', 7, spawn) },
      wanted: () => true,
      goals: () => goals,
      onChange: () => undefined,
    })
    awake.look()
    started[0]?.errors('Access denied\n')
    started[0]?.emit('exit', 1)
    expect(awake.state()?.problem).toBe('Access denied')
    awake.look()
    expect(started).toHaveLength(1)
    goals = 0
    awake.look()
    goals = 1
    awake.look()
    expect([started.length, awake.state()?.problem]).toEqual([2, undefined])
    started[1]?.emit('error', new Error('spawn systemd-inhibit ENOENT'))
    expect(awake.state()?.problem).toBe('spawn systemd-inhibit ENOENT')
  })

  it('may sleep as soon as the engine is gone, however it ended', () => {
    // The program waits for the end of its stdin, which comes with the engine's.
    const [, ...args] = awakeProgram('linux', 7) ?? []
    const waits = args.at(-1) ?? ''
    expect(spawnSync(waits, { input: '', timeout: 10_000 }).status).toBe(0)
  })
})
