/** A text of ours that stands in a real agent's composer is taken out again by keys, and nothing else is pressed. */
import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../electron/engine/base/clock.ts'
import { silentLog } from '../../electron/engine/base/log.ts'
import { createTmux, type TmuxPanes } from '../../electron/engine/terminals/tmux/index.ts'
import type { TypingTarget } from '../../electron/engine/terminals/types.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'
import { cleanEnv } from '../support/engine-process.ts'
import { agentMissing, realAgents } from '../support/real/index.ts'
import { agentWorld } from '../support/real/world.ts'
import { tmuxMissing } from '../support/tmux.ts'

const texts = {
  'one line': 'carry on with the next part of the work',
  'three lines': 'carry on with the next part\nand write down what was left out\nthen look at the tests again',
  'a line that wraps': 'carry on with the next part of the work and '.repeat(9).trim(),
  '3 000 characters': 'carry on with the next part of the work and '.repeat(70).trim(),
}

for (const agent of Object.values(realAgents)) {
  describe(`a text in the composer of a real ${agent.name}`, unless(firstOf(tmuxMissing, agentMissing(agent))), () => {
    const world = agentWorld(agent)
    let panes: TmuxPanes
    beforeEach(() => {
      panes = createTmux({
        clock: systemClock(),
        log: silentLog,
        random: { uuid: randomUUID, token: (n) => randomBytes(n).toString('base64url'), fraction: Math.random },
        env: { PATH: cleanEnv().PATH, TMUX: `${world.tmux.socket},1,0` },
      })
    })
    afterEach(() => panes.dispose())

    it('is taken out again, whatever its length', async () => {
      const person = await world.start(agent, { how: 'pane' })
      await person.ready()
      const [terminal] = await world.engine.control.api.terminals.query()
      if (!terminal?.pane) throw new Error('the pane is not registered')
      const target: TypingTarget = panes.target({
        terminalId: terminal.id,
        client: agent.client,
        command: agent.client,
        pane: await panes.describe(terminal.pane),
        // Enter is a minute away: it is stopped before
        typing: { gapMs: { short: 60_000, long: 60_000 } },
      })
      await waitFor('an idle agent', async () => (await target.read()).kind === 'ready', 120_000)
      for (const [what, text] of Object.entries(texts)) {
        const stop = new AbortController()
        const control = { requestArrived: new AbortController().signal, stop: stop.signal }
        const order = { entryId: what, text, client: agent.client }
        const typed = target.type(order, control)
        await waitFor(`${what} in the composer`, async () => (await target.read()).kind === 'composer-holds')
        stop.abort()
        expect(await typed, what).toEqual({
          kind: 'enter-owed',
          reason: { code: 'paused', by: 'session' },
          shown: true,
        })
        expect(await target.takeOut(order, control), `${what}\n${person.screen()}`).toEqual({ kind: 'removed' })
        expect((await target.read()).kind, what).toBe('ready')
      }
      // one that never came: a blank behind it stands alone, and goes
      const control = { requestArrived: new AbortController().signal, stop: new AbortController().signal }
      const order = { text: 'look at the tests', client: agent.client, unseen: true }
      for (const work of ['pressOwedEnter', 'takeOut'] as const)
        expect(await target[work]({ entryId: work, ...order }, control), person.screen()).toEqual({ kind: 'removed' })
      await waitFor('an empty line', async () => (await target.read()).kind === 'ready')
      expect(world.mock.turns()).toEqual([])
    })
  })
}
