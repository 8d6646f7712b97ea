import { join } from 'node:path'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { unless, firstOf } from '../shared/testing/unless.ts'
import { onward } from './support/onward-cli.ts'
import { byTheirs, forGoodWorld, throughOnward } from './support/for-good/world.ts'
import { agentMissing, realAgents } from './support/real/index.ts'
import { tmuxMissing } from './support/tmux.ts'

describe('onward uninstall', unless(firstOf(tmuxMissing, agentMissing(realAgents.codex))), () => {
  const world = forGoodWorld('codex')

  it('gives a real Codex that was set up for good its own settings back, and it works without Onward', async () => {
    world.own()
    const before = world.settings()
    await world.setUp()
    const { home, pid } = world.engine
    const uninstall = () => onward(['uninstall', '--yes'], { HOME: join(home, 'person'), ONWARD_HOME: home })
    expect(await uninstall()).toMatchObject({ code: 0, err: '', out: expect.stringContaining('~/.codex/config.toml') })
    expect(world.settings()).toEqual(before)
    expect(() => process.kill(pid, 0), 'the engine').toThrow(/ESRCH/)
    expect(existsSync(join(home, 'format.json'))).toBe(true)
    expect((await uninstall()).out).toContain('Nothing of Onward is set up outside its home.')
    const person = world.start()
    await person.say('Say something short')
    await person.shows(byTheirs)
    person.dispose()
    expect(world.mock.turns()).toEqual([])
  })

  it('takes out what Onward wrote, and leaves what that Codex wrote since', async () => {
    world.own()
    await world.setUp()
    const { home } = world.engine
    const first = world.start()
    await first.say('Say something short')
    await first.shows(throughOnward)
    first.dispose()
    const ran = await onward(['uninstall', '--yes'], { HOME: join(home, 'person'), ONWARD_HOME: home })
    expect(ran).toMatchObject({ code: 0, err: '' })
    for (const text of world.settings().values()) expect(text.toString()).not.toMatch(/onward\b(?!-)/i)
    const asked = world.mock.turns().length
    const again = world.start()
    await again.say('Say something else')
    await again.shows(byTheirs)
    again.dispose()
    expect(world.mock.turns()).toHaveLength(asked)
  })
})
