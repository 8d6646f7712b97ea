/** Short and long texts are typed and entered whole in panes of every size that people use. */
import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../electron/engine/base/clock.ts'
import { silentLog } from '../../electron/engine/base/log.ts'
import { createTmux, type TmuxPanes } from '../../electron/engine/terminals/tmux/index.ts'
import { everything } from '../../shared/testing/runs.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { firstOf, unless } from '../../shared/testing/unless.ts'
import { cleanEnv } from '../support/engine-process.ts'
import { agentMissing, realAgents } from '../support/real/index.ts'
import { agentWorld } from '../support/real/world.ts'
import { tmuxMissing } from '../support/tmux.ts'

const sizes = everything ? ['40x10', '60x14', '60x20', '80x16'] : ['40x10', '60x20']
const words = 'go on with the next part of the plan then look at each test again and say what is left to do'.split(' ')
/** No two places in it read alike. */
function textOf(characters: number): string {
  let text = `Text of ${characters}:`
  for (let n = 1; text.length < characters; n++) text += ` ${n} ${words[(n * 7) % words.length]}`
  return `${text.slice(0, characters - 1)}.`
}
const texts = [
  ...(everything ? [120, 300, 700, 2_000, 8_000] : [120, 700, 8_000]).map(textOf),
  Array.from({ length: 12 }, (_, n) => `line ${n + 1} of twelve`).join('\n'),
]

for (const agent of Object.values(realAgents)) {
  describe(`a real ${agent.name} in a small pane`, unless(firstOf(tmuxMissing, agentMissing(agent))), () => {
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

    it('is given texts of every length', async () => {
      const person = await world.start(agent, { how: 'pane' })
      // what opencode shows before does not fit into ten rows
      await person.say('Write the parts.')
      await person.shows('One part is written.')
      const [terminal] = await world.engine.control.api.terminals.query()
      if (!terminal?.pane) throw new Error('the pane is not registered')
      const { client } = agent
      const pane = await panes.describe(terminal.pane)
      const target = panes.target({ terminalId: terminal.id, client, command: client, pane })
      const never = new AbortController().signal
      for (const size of sizes) {
        const [cols = '', rows = ''] = size.split('x')
        world.tmux.run('resize-window', '-t', 'work', '-x', cols, '-y', rows)
        for (const text of texts) {
          const what = `${text.length} characters at ${size}`
          const before = world.mock.turns().length
          // held: it is not idle yet, and nothing was typed
          const result = await waitFor(`${what} typed`, async () => {
            const typed = await target.type({ entryId: what, text, client }, { requestArrived: never, stop: never })
            return typed.kind === 'held' ? null : typed
          })
          expect(result, `${what}\n${person.screen()}`).toEqual({ kind: 'submitted', extraEnter: false })
          await waitFor(what, () => world.mock.turns().length > before)
          expect(JSON.stringify(world.mock.turns().slice(before)), what).toContain(JSON.stringify(text).slice(1, -1))
        }
      }
    })
  })
}
