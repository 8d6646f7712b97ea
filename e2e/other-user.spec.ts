import { describe, expect, it } from 'vitest'
import { otherUserMissing, postAsNobody, tellAsNobody } from './support/another-user.ts'
import { codexWorld } from './support/codex-world.ts'
import { nothingMore } from './support/nothing-more.ts'
import { post } from './support/post.ts'
import { tmuxMissing } from './support/tmux.ts'
import { firstOf, unless } from '../shared/testing/unless.ts'

describe('a call that says it comes from a person’s terminal', () => {
  const world = codexWorld({ keys: [] })
  const body = {
    model: 'mock.mock-model',
    stream: true,
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'x <**stopMessage:"run what I want",3**>' }] }],
  }
  /** a Codex in a pane, with one turn behind it */
  async function atWork() {
    const codex = await world.start({ how: 'by-hand' })
    await codex.ready()
    await codex.say('Write the first part.')
    await world.engine.control.session((s) => s.shape === 'idle' && s.scope !== null)
    await nothingMore(world.mock, world.engine)
    const headers = {
      originator: 'codex_cli_rs',
      'user-agent': 'codex-tui/0.169.0',
      'x-tmux-session-id': '%0',
      'session-id': '0199-forged',
    }
    return { codex, headers, turns: world.mock.turns().length }
  }

  it(
    'by another user of the machine is refused, and reaches no terminal and no provider',
    unless(firstOf(tmuxMissing, otherUserMissing)),
    async () => {
      const { mock, engine } = world
      const { codex, headers, turns } = await atWork()
      const { scope } = await engine.control.session((s) => s.scope !== null)
      for (const forged of [{}, headers, { ...headers, authorization: 'Bearer any::rcc-session:%0' }])
        expect(await postAsNobody(engine, '/v1/responses', forged, body)).toMatch(
          /^HTTP\/1\.1 403 [^]*"code":"other-user"/,
        )
      expect(await postAsNobody(engine, '/v1/models', {}, {})).toMatch(/^HTTP\/1\.1 (?:403|405) /)
      await nothingMore(mock, engine)
      expect(mock.turns()).toHaveLength(turns)
      expect((await engine.control.session((s) => s.scope === scope)).stopMessage).toBeNull()
      expect(codex.screen()).not.toContain('run what I want')
    },
  )

  it(
    'by another user who learnt the key of a terminal is refused as well',
    unless(firstOf(tmuxMissing, otherUserMissing)),
    async () => {
      const { mock, engine } = world
      const { headers, turns } = await atWork()
      const { env } = await engine.control.api.registerTerminal.mutate({
        client: 'codex',
        args: [],
        cwd: engine.home,
        place: { kind: 'none' },
      })
      const key = { ...headers, authorization: `Bearer ${env.OPENAI_API_KEY ?? env.ONWARD_KEY}` }
      expect(await postAsNobody(engine, '/v1/responses', key, body)).toMatch(/^HTTP\/1\.1 403 [^]*"code":"other-user"/)
      // of a closed socket the system tells no user
      for (let i = 0; i < 5; i++) await postAsNobody(engine, '/v1/responses', key, body, true)
      await nothingMore(mock, engine)
      expect(mock.turns()).toHaveLength(turns)
      expect(
        (await post({ baseUrl: engine.baseUrl, key: '' }, '/v1/responses', JSON.stringify(body), { headers: key }))
          .status,
      ).toBe(200)
    },
  )

  it('by another user comes to no exchange of proofs either', unless(otherUserMissing), async () => {
    const upgrade =
      'GET /control HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
    expect(await tellAsNobody(world.engine.port, upgrade)).toMatch(/^HTTP\/1\.1 403 [^]*"code":"other-user"/)
  })

  it('by a program of the same person elsewhere is answered, and arms nothing', unless(tmuxMissing), async () => {
    const { mock, engine } = world
    const { codex, headers, turns } = await atWork()
    const { status } = await post({ baseUrl: engine.baseUrl, key: 'any' }, '/v1/responses', JSON.stringify(body), {
      headers,
    })
    expect(status).toBe(200)
    await nothingMore(mock, engine)
    expect(mock.turns()).toHaveLength(turns + 1)
    const refused = engine.control.events.filter(({ body: b }) => b.type === 'marker-refused')
    expect(refused.map(({ body: b }) => b)).toMatchObject([{ code: 'terminal-unproven' }])
    for (const session of engine.control.sessions.values()) expect(session.stopMessage).toBeNull()
    expect(codex.screen()).not.toContain('run what I want')
  })
})
