import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { heldBehindLine, heldFor, noticesTold, queuedRound } from './support/followups.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { lastRow } from './support/agent-driver.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'

/** A sentence that a shell would carry out. */
const followup = 'touch typed-into-the-shell'
const prompt = /^bash-[\d.]+[#$]$/

describe('the agent is quit to the shell while a followup waits', unless(tmuxMissing), () => {
  const world = codexWorld()

  it.each(['pane', 'wrapped'] as const)(
    'nothing is typed into the shell, and the followup has failed (%s)',
    async (how) => {
      const { mock, engine } = world
      const { control } = engine
      const writing = gate()
      mock.queue(say('Part one.', { hold: { at: 3, until: writing } }))
      const codex = await world.start({ how })
      await codex.say(`Write the parts. <**stopMessage:"${followup}",5**>`)
      await mock.turn(1)
      await codex.draft('/quit')
      writing.open()
      const entryId = await heldBehindLine(control, 1)
      codex.press('Enter')

      const session = await control.session((s) => s.stopMessage?.status.kind === 'failed')
      expect(session).toMatchObject({
        shape: 'failed',
        queue: [],
        stopMessage: { used: 0, max: 5, status: { reason: { code: 'agent-gone' } } },
        lastStopMessage: { text: followup, clearedBy: 'failure' },
      })
      await control.event('failed', (body) => body.entryId === entryId)
      await nothingMore(mock, engine)
      await codex.until('the prompt of its shell', () => prompt.test(lastRow(codex.screen())))
      expect(readdirSync(codex.cwd)).toEqual([])
      expect(await noticesTold(control, 1)).toEqual(['injection-failed'])
      // The shell is the person's own again.
      codex.type('touch by-hand')
      codex.press('Enter')
      await codex.until('the file made by hand', () => existsSync(join(codex.cwd, 'by-hand')))
      expect(readdirSync(codex.cwd)).toEqual(['by-hand'])
      expect(mock.turns()).toHaveLength(1)
      expect(mock.problems).toEqual([])
    },
  )
  it('in a terminal of the dashboard it has failed as well', async () => {
    const { mock, engine } = world
    const { control } = engine
    const writing = gate()
    mock.queue(say('Part one.', { hold: { at: 3, until: writing } }))
    const codex = await world.start({ how: 'hosted' })
    await codex.say(`Write the parts. <**stopMessage:"${followup}",5**>`)
    await mock.turn(1)
    await codex.draft('/quit')
    writing.open()
    await heldBehindLine(control, 1)
    codex.press('Enter')
    const session = await control.session((s) => s.stopMessage?.status.kind === 'failed')
    expect(session).toMatchObject({
      shape: 'failed',
      queue: [],
      stopMessage: { status: { reason: { code: 'agent-gone' } } },
    })
    expect(await control.api.terminals.query()).toMatchObject([{ alive: false, exitCode: 0 }])
    await nothingMore(mock, engine)
    expect(await noticesTold(control, 1)).toEqual(['injection-failed'])
  })

  it('in the very moment of typing: what stood in its composer goes with it', async () => {
    const { mock, engine } = world
    const { control } = engine
    const codex = await world.start({ how: 'pane' })
    mock.queue(say('Part one.'), say('Part two.', { hold: { at: 3, until: gate() } }))
    await codex.say(`Write the parts. <**stopMessage:"${followup}",5**>`)
    await codex.shows(`› ${followup}`)
    await codex.quit()
    await control.session((s) => s.queue.length === 0 && (s.shape === 'failed' || s.shape === 'gone'))
    await nothingMore(mock, engine)
    await codex.until('the prompt of its shell', () => prompt.test(lastRow(codex.screen())))
    expect(readdirSync(codex.cwd)).toEqual([])
    expect(mock.problems).toEqual([])
  })

  it('an agent started by hand may come back in its pane: the followup waits for it', async () => {
    const { mock, engine } = world
    const { control } = engine
    const writing = gate()
    mock.queue(say('Part one.', { hold: { at: 3, until: writing } }))
    const codex = await world.start({ how: 'by-hand' })
    await codex.say(`Write the parts. <**stopMessage:"${followup}",1**>`)
    await mock.turn(1)
    await codex.draft('/quit')
    writing.open()
    const entryId = await queuedRound(control, 1)
    await heldFor(control, entryId, 'draft')
    codex.press('Enter')
    expect(await heldFor(control, entryId, 'shell-in-front')).toEqual({ code: 'shell-in-front', program: 'bash' })
    await nothingMore(mock, engine)
    await codex.until('the prompt of its shell', () => prompt.test(lastRow(codex.screen())))
    expect(readdirSync(codex.cwd)).toEqual([])

    await world.start({ how: 'by-hand', pane: codex.pane, args: ['resume', '--last'] })
    await control.session((s) => s.shape === 'done', 60_000)
    expect(mock.turns().map((r) => r.lastUserText?.trim())).toEqual(['Write the parts.', followup])
    expect(new Set(mock.turns().map((r) => r.headers['session-id'])).size).toBe(1)
    expect(readdirSync(codex.cwd)).toEqual([])
    expect(mock.problems).toEqual([])
  })
})
