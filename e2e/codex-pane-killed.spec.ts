import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codexWorld } from './support/codex-world.ts'
import { heldFor, noticesTold, queuedRound } from './support/followups.ts'
import { gate, say } from './support/mock-upstream/index.ts'
import { nothingMore } from './support/nothing-more.ts'
import { tmuxMissing } from './support/tmux.ts'
import { unless } from '../shared/testing/unless.ts'
import { waitFor } from '../shared/testing/wait-for.ts'

const followup = 'continue with the next item'
const gone = { kind: 'failed', reason: { code: 'terminal-gone', why: expect.any(String) } }

describe('the pane is killed while stopMessage is armed', unless(tmuxMissing), () => {
  const world = codexWorld()

  it('in the middle of a round: cleared with the reason, told once', async () => {
    const { mock, engine, tmux } = world
    const { control } = engine
    mock.queue(say('Part one.'), say('Part two.', { hold: { at: 3, until: gate() } }))
    const codex = await world.start({ how: 'pane' })
    await codex.say(`Write the parts. <**stopMessage:"${followup}",5**>`)
    const running = await mock.turn(2)
    tmux.killPane(codex.pane)

    const session = await control.session((s) => s.stopMessage?.status.kind === 'failed')
    expect(session).toMatchObject({
      shape: 'failed',
      queue: [],
      stopMessage: { used: 1, max: 5, status: gone },
      lastStopMessage: { text: followup, clearedBy: 'terminal-gone' },
    })
    expect(await noticesTold(control, 1)).toEqual(['injection-failed'])
    // Codex died with its pane; nobody reads that answer any more.
    expect(await running.over).toBe('left')
    await nothingMore(mock, engine)
    expect(control.notices).toHaveLength(1)
    expect(mock.problems).toEqual([])
  })

  it('while a followup waits: it has failed, told once', async () => {
    const { mock, engine, tmux } = world
    const { control } = engine
    const writing = gate()
    mock.queue(say('Part one.', { hold: { at: 3, until: writing } }))
    const codex = await world.start({ how: 'pane' })
    await codex.say(`Write the parts. <**stopMessage:"${followup}",5**>`)
    await mock.turn(1)
    await codex.draft('let me think')
    writing.open()
    const entryId = await queuedRound(control, 1)
    await heldFor(control, entryId, 'draft')
    tmux.killPane(codex.pane)

    const session = await control.session((s) => s.stopMessage?.status.kind === 'failed')
    expect(session).toMatchObject({ queue: [], stopMessage: { used: 0, status: gone } })
    await control.event('failed', (body) => body.entryId === entryId && body.reason.code === 'terminal-gone')
    await nothingMore(mock, engine)
    expect(control.notices.map((n) => n.class)).toEqual(['injection-failed'])
  })

  it('a program whose request outlives the pane gets its whole answer', async () => {
    const { mock, engine, tmux } = world
    const { control } = engine
    const writing = gate()
    mock.queue(say('The whole answer.', { hold: { at: 3, until: writing } }))
    const pane = tmux.session('work', 'bash --norc --noprofile')
    const { env } = await control.api.registerTerminal.mutate({
      client: 'other',
      args: ['node'],
      cwd: '/',
      place: { kind: 'tmux', socket: tmux.socket, paneId: pane },
    })
    // The pane's own process asks, and listens to no hang-up.
    const script = join(engine.home, 'outlives.mjs')
    const told = join(engine.home, 'told')
    const headers = { 'content-type': 'application/json', session_id: 'one-program' }
    const body = { model: 'mock-model', stream: true, input: `Write it. <**stopMessage:"${followup}",5**>` }
    writeFileSync(
      script,
      `import { writeFileSync } from 'node:fs'
      process.on('SIGHUP', () => {})
      const headers = { ...${JSON.stringify(headers)}, authorization: 'Bearer ${env.OPENAI_API_KEY}' }
      const body = ${JSON.stringify(JSON.stringify(body))}
      const answer = await fetch('${engine.baseUrl}/v1/responses', { method: 'POST', headers, body })
      writeFileSync('${told}', await answer.text())`,
    )
    tmux.run('send-keys', '-t', 'work', `exec ${process.execPath} ${script}`, 'Enter')
    await mock.turn(1)
    tmux.killPane(pane)
    writing.open()

    await waitFor(
      'its whole answer',
      () => existsSync(told) && readFileSync(told, 'utf8').includes('response.completed'),
    )
    const session = await control.session((s) => s.stopMessage?.status.kind === 'failed')
    expect(session).toMatchObject({ id: 'one-program', stopMessage: { used: 0, status: gone } })
    expect(await noticesTold(control, 1)).toEqual(['injection-failed'])
    await nothingMore(mock, engine)
    expect(control.notices).toHaveLength(1)
    expect(mock.problems).toEqual([])
  })
})
