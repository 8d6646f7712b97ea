import type { SessionView } from '../shared/state.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { heldFor, noticesTold } from './support/followups.ts'
import { callTool } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { tmuxMissing } from './support/tmux.ts'
import { sample } from '../shared/testing/runs.ts'
import { unless } from '../shared/testing/unless.ts'

const followup = 'continue with the next item'
const config = 'approval_policy = "on-request"\nsandbox_mode = "workspace-write"'
/** Codex asks before it runs a command that wants out of the sandbox. */
const touch = (file: string) =>
  callTool('exec_command', {
    cmd: `touch ${file}`,
    sandbox_permissions: 'require_escalated',
    justification: 'make a file',
  })

describe('a permission dialog is open', unless(tmuxMissing), () => {
  const world = codexWorld()

  it.each(
    sample([
      ['wrapped', 'no'],
      ['pane', 'yes'],
      ['hosted', 'yes'],
    ] as const),
  )('nothing is typed and Enter is never pressed until the person has answered (%s, %s)', async (how, answer) => {
    const { mock, engine } = world
    const { control } = engine
    mock.queue(touch('made-by-tool'))
    const codex = await world.start({ how, config })
    const file = join(codex.cwd, 'made-by-tool')
    await codex.say(`Make the file. <**stopMessage:"${followup}",1**>`)
    await codex.shows('Would you like to run the following command?')

    const asking = await control.session((s) => s.shape === 'needs')
    if (asking.say.code !== 'needs-you') throw new Error(`It says ${asking.say.code}.`)
    expect(asking.say).toEqual({
      code: 'needs-you',
      what: expect.stringMatching(/^permission: .*made-by-tool/),
      since: expect.any(Number) as number,
      asked: {
        question: 'Would you like to run the following command?',
        about: expect.stringMatching(/^\$ .*made-by-tool/m),
        choices: expect.arrayContaining([{ label: expect.stringMatching(/^Yes, proceed/), key: '1' }]),
        wants: { act: 'run', what: expect.stringMatching(/made-by-tool/) },
      },
    })
    // A followup that has nothing to do with the dialog waits, too.
    const { id } = await control.api.say.mutate({ session: asking.id, text: 'and tell me when it is there' })
    expect(await heldFor(control, id, 'dialog-open')).toEqual({ code: 'dialog-open', what: 'permission' })
    await nothingMore(mock, engine)
    expect(mock.turns()).toHaveLength(1)
    expect(codex.screen()).toContain('Would you like to run the following command?')
    expect(codex.screen()).not.toContain('tell me when')
    expect(existsSync(file)).toBe(false)

    /** What the dashboard does when a person clicks the first choice. */
    async function answerAsShown({ say, terminalId }: SessionView): Promise<void> {
      const asked = say.code === 'needs-you' ? say.asked : undefined
      if (!asked || terminalId === null) throw new Error('Nothing is asked.')
      const { question, about } = asked
      const order = { terminalId, question, about }
      await expect(control.api.answerDialog.mutate({ ...order, choice: 'Yes to all' })).rejects.toThrow(/not ask that/)
      await control.api.answerDialog.mutate({ ...order, choice: asked.choices[0]?.label ?? '' })
    }

    if (how === 'hosted') await answerAsShown(asking)
    else if (answer === 'yes') codex.type('y')
    else codex.press('Escape')
    await control.session((s) => s.shape === 'done', 60_000)
    expect(existsSync(file)).toBe(answer === 'yes')
    // Asked for first, sent first; the followup answers the stop after it. A “no” interrupts the turn without a
    // request.
    const afterTool = answer === 'yes' ? [undefined] : []
    expect(mock.turns().map((r) => r.lastUserText?.trim())).toEqual([
      'Make the file.',
      ...afterTool,
      'and tell me when it is there',
      followup,
    ])
    expect(await noticesTold(control, 2)).toEqual(['needs-you', 'goal-reached'])
    expect(control.notices[0]).toMatchObject({ sessionId: asking.id, title: 'work needs you' })
    expect(mock.problems).toEqual([])
  })

  it.each(sample(['pane', 'hosted'] as const))(
    'and Esc ends the turn, though no request tells of it (%s)',
    async (how) => {
      const { mock, engine } = world
      mock.queue(touch('made-by-tool'))
      const codex = await world.start({ how, config })
      await codex.say('Make the file.')
      const { id } = await engine.control.session((s) => s.shape === 'needs')
      codex.press('Escape')
      await engine.control.session((s) => s.id === id && s.say.code === 'idle', 60_000)
      expect(mock.turns()).toHaveLength(1)
    },
  )
})
