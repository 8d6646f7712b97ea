import { describe, expect, it } from 'vitest'
import { ask, type AskInput } from './testing/facts.ts'
import { pty } from './testing/machine.ts'
import { identifying } from './testing/identifying.ts'
import type { Caller } from './types.ts'

describe('a title that Codex asks for in a thread of its own', () => {
  const codex = (thread: string, source: string): AskInput => ({
    entry: 'responses',
    headers: {
      'user-agent': 'codex-tui/0.169.0',
      'session-id': thread,
      'x-codex-turn-metadata': JSON.stringify({ request_kind: 'turn', thread_source: source, session_id: thread }),
    },
  })

  it('makes no session: it is part of what its terminal shows', async () => {
    const { terminals, identifier } = await identifying()
    const { terminal } = await terminals.register(pty({ client: 'codex' }))
    const caller: Caller = { kind: 'terminal', terminalId: terminal.terminalId }
    const sessionOf = (thread: string, source: string) =>
      identifier.identify(ask({ caller, ...codex(thread, source) })).sessionId
    // It may come first.
    expect(sessionOf('01a206f9-514a-70d3-b8b1-ac2808c2824c', 'thread_title')).toBeNull()
    expect(sessionOf('01a206f9-4dc6-7220-9ff4-9ba561afd5d8', 'user')).toBe('01a206f9-4dc6-7220-9ff4-9ba561afd5d8')
    expect(sessionOf('01a206f9-514a-70d3-b8b1-ac2808c2824c', 'thread_title')).toBe(
      '01a206f9-4dc6-7220-9ff4-9ba561afd5d8',
    )
    expect(terminals.get(terminal.terminalId)?.sessionId).toBe('01a206f9-4dc6-7220-9ff4-9ba561afd5d8')
  })

  it('belongs to none where no terminal is known', async () => {
    const { identifier } = await identifying()
    expect(identifier.identify(ask(codex('01a206f9-514a-70d3-b8b1-ac2808c2824c', 'thread_title')))).toMatchObject({
      kind: 'title',
      sessionId: null,
      sessionSource: null,
    })
  })
})
