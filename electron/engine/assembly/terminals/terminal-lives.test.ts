import { describe, expect, it } from 'vitest'
import { emitter } from '../../base/disposable.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import type { Terminal } from '../../sessions/binding/terminal.ts'
import { createTerminalLives } from './terminal-lives.ts'

const fault = (error: unknown) => {
  throw error
}

/** An engine that has run for an hour, and a terminal that is opened now. */
async function scene(agentPid: number | null = null) {
  const clock = virtualClock()
  const came = emitter<{ hostId: string; pid: number }>(fault)
  const went = emitter<string>(fault)
  const connected = new Set<string>()
  const lives = createTerminalLives({
    clock,
    tmux: { lastKnown: () => 'gone', whyGone: async () => 'its pane is gone' },
    hub: { connected: (hostId) => connected.has(hostId) },
    onHostCame: came.on,
    onHostWent: went.on,
  })
  await clock.advance(3_600_000)
  // what is asked of it
  const terminal = { pane: null, hostId: 'h', agentPid, openedAt: clock.now() } as unknown as Terminal
  return {
    clock,
    why: () => lives.whyGone(terminal),
    comes(pid: number) {
      connected.add('h')
      came.emit({ hostId: 'h', pid })
    },
    goes() {
      connected.delete('h')
      went.emit('h')
    },
  }
}
const dead = 2 ** 22 + 1

describe('a terminal in a host', () => {
  it('lives while its host is started, and is gone where that never came', async () => {
    const { clock, why } = await scene()
    expect(await why()).toBe(null)
    await clock.advance(14_000)
    expect(await why()).toBe(null)
    await clock.advance(1_000)
    expect(await why()).toBe('its terminal was closed')
  })

  it.each([
    ['lives on while its host’s process does', process.pid, null],
    ['is gone a while after its host', dead, 'its terminal was closed'],
  ])('%s', async (_, pid, gone) => {
    const { clock, why, comes, goes } = await scene()
    comes(pid)
    await clock.advance(60_000)
    expect(await why()).toBe(null)
    goes()
    await clock.advance(14_000)
    expect(await why()).toBe(null)
    await clock.advance(1_000)
    expect(await why()).toBe(gone)
  })
})
