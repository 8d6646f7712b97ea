import { describe, expect, it } from 'vitest'
import type { ClientKind } from '../../../../shared/words.ts'
import { silentLog } from '../../base/log.ts'
import type { Terminal } from '../binding/terminal.ts'
import { createIdentifier, type IdentifierOptions } from './identify.ts'
import type { FoundPane } from '../binding/pane-lookup.ts'
import { ask, assistant, toolResult, user, type AskInput } from '../testing/facts.ts'
import { machine, pty, registryOn, tmuxPane } from '../testing/machine.ts'
import { from, identifying } from '../testing/identifying.ts'
import type { Caller, CallingProgram } from '../types.ts'

const claudeUa = { 'user-agent': 'claude-cli/2.1.330 (external, cli)', 'x-claude-code-session-id': 's1' }
const qwenUa = { 'user-agent': 'QwenCode/0.24.4 (linux; x64)' }
const local = (suffix: { tmuxSessionId?: string; daemonId?: string } | null = null): Caller => ({
  kind: 'local',
  suffix: suffix && { tmuxSessionId: null, daemonId: null, ...suffix },
})

const pane = (id: string, session = 'main'): FoundPane => ({
  kind: 'tmux',
  home: 'pane',
  client: 'claude',
  name: session,
  cwd: '/p',
  command: 'claude',
  agentPid: 7,
  pane: { socket: '/tmp/tmux', paneId: id, panePid: 6, tmuxSession: session },
  tmuxSessionId: '$3',
})
/** A machine on which the device `/dev/pts/1` is the pane `%1` of the session main. */
const withPane = (client: ClientKind = 'claude') =>
  identifying({ paneOfTty: async (tty) => (tty === '/dev/pts/1' ? { ...pane('%1'), client } : null) })
const there = { callingProcess: from('/dev/pts/1') }

describe('the terminal of a request', () => {
  it('is the one whose key it used, and remembers the conversation of main turns', async () => {
    const { terminals, identifier } = await identifying()
    const { terminal } = await terminals.register(pty())
    const caller: Caller = { kind: 'terminal', terminalId: terminal.terminalId }
    expect(identifier.identify(ask({ caller, headers: claudeUa }))).toEqual({
      sessionId: 's1',
      sessionSource: 'header x-claude-code-session-id',
      client: 'claude',
      kind: 'turn',
      terminalId: terminal.terminalId,
      scope: terminal.scope,
      scopeProblem: null,
      registeredClientOnly: false,
      markers: 'typed',
      retry: false,
      turn: expect.any(String),
    })
    expect(terminals.get(terminal.terminalId)?.sessionId).toBe('s1')
    // sub-agents and titles carry the key too; they do not change the conversation
    identifier.identify(
      ask({ caller, headers: { ...claudeUa, 'x-claude-code-session-id': 's2', 'x-claude-code-agent-id': 'a' } }),
    )
    expect(terminals.get(terminal.terminalId)?.sessionId).toBe('s1')
  })

  it.each<[string, AskInput]>([
    ['x-tmux-session-id', { headers: { 'x-tmux-session-id': 'main' } }],
    ['x-routecodex-tmux-session-id', { headers: { 'x-routecodex-tmux-session-id': 'main' } }],
    ['x-rcc-tmux-session-id', { headers: { 'x-rcc-tmux-session-id': 'main' } }],
    ['x-routecodex-client-tmux-session-id', { headers: { 'x-routecodex-client-tmux-session-id': 'main' } }],
    ['x-rcc-client-tmux-session-id', { headers: { 'x-rcc-client-tmux-session-id': 'main' } }],
    ['a header with the pane id', { headers: { 'x-tmux-session-id': 'main:%1' } }],
    ['the pane id alone', { headers: { 'x-tmux-session-id': '%1' } }],
    ['a key suffix', { caller: local({ tmuxSessionId: 'main' }) }],
    ['turn metadata', { headers: { 'x-codex-turn-metadata': JSON.stringify({ tmuxSessionId: 'main' }) } }],
    [
      'turn metadata, base64',
      { headers: { 'x-codex-turn-metadata': Buffer.from('{"tmux_session_id":"main"}').toString('base64') } },
    ],
    ['the body', { body: { clientTmuxSessionId: 'main' } }],
    ['the body, short', { body: { tmuxSessionId: 'main' } }],
    ['the body, with underscores', { body: { tmux_session_id: 'main' } }],
    ['the metadata', { body: { metadata: { tmux_session_id: 'main' } } }],
  ])('is named by %s', async (_, named) => {
    const input = { ...named, headers: { originator: 'codex-tui', ...named.headers } }
    const { terminals, identifier } = await withPane('codex')
    await terminals.register(tmuxPane('main', '%1'))
    await terminals.register(tmuxPane('other', '%2'))
    const unproven = { scope: null, terminalId: null, scopeProblem: { code: 'terminal-unproven' } }
    expect(await identifier.resolve(ask({ ...input, ...there }))).toMatchObject({
      scope: 'tmux:main',
      scopeProblem: null,
      registeredClientOnly: false,
    })
    // any program that can reach the port can write a name: it counts only from the terminal itself
    expect(await identifier.resolve(ask({ ...input, callingProcess: from('/dev/pts/9') }))).toMatchObject(unproven)
    expect(await identifier.resolve(ask({ ...input, callingProcess: from(null) }))).toMatchObject(unproven)
    expect(await identifier.resolve(ask(input))).toMatchObject(unproven)
  })

  it('is not another one that a program in a terminal names', async () => {
    const { terminals, identifier } = await withPane()
    await terminals.register(tmuxPane('main', '%1'))
    await terminals.register(tmuxPane('other', '%2'))
    for (const name of ['other', '%2', 'main:%2', 'nowhere'])
      expect(
        await identifier.resolve(ask({ ...there, headers: { ...claudeUa, 'x-tmux-session-id': name } })),
      ).toMatchObject({ scope: null, terminalId: null, scopeProblem: { code: 'terminal-unproven' } })
  })

  it('is refused, not guessed, when the name leads to none, two or a dead one', async () => {
    const { terminals, dead, identifier } = await identifying()
    const code = (name: string) =>
      identifier.identify(ask({ headers: { 'x-tmux-session-id': name } })).scopeProblem?.code
    const { terminal } = await terminals.register(tmuxPane('main', '%1'))
    expect(code('mai')).toBe('terminal-unknown')
    await terminals.register(tmuxPane('main', '%2'))
    expect(code('main')).toBe('terminal-ambiguous')
    dead.add(terminal.terminalId)
    expect(code('main:%1')).toBe('terminal-gone')
    expect(identifier.identify(ask({ headers: { 'x-tmux-session-id': 'main:%1' } }))).toMatchObject({
      scope: null,
      terminalId: null,
    })
  })

  it("shows a dead terminal's session there, without a scope", async () => {
    const { terminals, dead, identifier } = await identifying()
    const { terminal } = await terminals.register(pty())
    dead.add(terminal.terminalId)
    expect(
      identifier.identify(ask({ caller: { kind: 'terminal', terminalId: terminal.terminalId }, headers: claudeUa })),
    ).toMatchObject({
      sessionId: 's1',
      terminalId: terminal.terminalId,
      scope: null,
      scopeProblem: { code: 'terminal-gone' },
    })
  })

  it('of a registered client serves alarms only, also as a stand-in for a missing pane', async () => {
    const { terminals, identifier } = await withPane()
    const { terminal } = await terminals.register(tmuxPane('main', '%1', { daemonId: 'd1', client: 'claude' }))
    const expected = {
      terminalId: terminal.terminalId,
      scope: terminal.scope,
      registeredClientOnly: true,
      scopeProblem: null,
    }
    const daemon = (suffix: { daemonId: string; tmuxSessionId?: string }, more: AskInput = there) =>
      identifier.resolve(ask({ ...more, caller: local(suffix), headers: claudeUa }))
    expect(await daemon({ daemonId: 'd1' })).toMatchObject(expected)
    expect(await daemon({ daemonId: 'd1', tmuxSessionId: 'gone' })).toMatchObject(expected)
    expect(terminals.get(terminal.terminalId)?.sessionId).toBeNull()
    expect((await daemon({ daemonId: 'd2' })).scopeProblem?.code).toBe('terminal-unknown')
    // its name alone proves nothing
    expect((await daemon({ daemonId: 'd1' }, {})).scopeProblem?.code).toBe('terminal-unproven')
  })

  it('is none where nothing names one, even if only one is there', async () => {
    const { terminals, identifier } = await identifying()
    await terminals.register(tmuxPane('main', '%1'))
    expect(identifier.identify(ask({ headers: claudeUa }))).toMatchObject({
      sessionId: 's1',
      terminalId: null,
      scope: null,
      scopeProblem: null,
    })
  })

  it('takes a run without a screen for its agent where it has none itself', async () => {
    const { terminals, identifier } = await identifying()
    const { terminal } = await terminals.register(pty({ headless: true }))
    const caller: Caller = { kind: 'terminal', terminalId: terminal.terminalId }
    const headers = { 'user-agent': 'claude-cli/2.1.330 (external, sdk-cli)' }
    expect(identifier.identify(ask({ caller, headers }))).toMatchObject({ scope: terminal.scope, scopeProblem: null })
  })

  it.each<[string, Record<string, string>, string]>([
    ['another agent that it started', { 'user-agent': 'codex-tui/0.169.0' }, 'other-program'],
    ['a script that it started', { 'user-agent': 'Anthropic/Python 0.75.0' }, 'other-program'],
    ['a bare call that has none of its signs', {}, 'other-program'],
    [
      'a run of the same agent without a screen',
      { 'user-agent': 'claude-cli/2.1.330 (external, sdk-cli)' },
      'not-interactive',
    ],
  ])('is refused to %s', async (_, headers, code) => {
    const { terminals, identifier } = await identifying()
    const { terminal } = await terminals.register(pty())
    const caller: Caller = { kind: 'terminal', terminalId: terminal.terminalId }
    expect(identifier.identify(ask({ caller, headers: { session_id: 'nested', ...headers } }))).toMatchObject({
      scope: null,
      scopeProblem: { code },
    })
    expect(terminals.get(terminal.terminalId)?.sessionId).toBeNull()
  })

  it('that is none, only a registration, has no scope', async () => {
    const { terminals, identifier } = await identifying()
    const { terminal } = await terminals.register(pty({ hostId: null, daemonId: 'd1' }))
    expect(
      identifier.identify(ask({ caller: { kind: 'terminal', terminalId: terminal.terminalId }, headers: claudeUa })),
    ).toMatchObject({ terminalId: terminal.terminalId, scope: null, scopeProblem: { code: 'no-place' } })
  })

  it('of a shell serves whatever runs in it', async () => {
    const { terminals, identifier } = await identifying()
    const { terminal } = await terminals.register(pty({ client: 'other', command: 'bash' }))
    const caller: Caller = { kind: 'terminal', terminalId: terminal.terminalId }
    expect(identifier.identify(ask({ caller, headers: claudeUa }))).toMatchObject({
      client: 'claude',
      scope: terminal.scope,
    })
    expect(identifier.identify(ask({ caller, headers: { 'user-agent': 'OpenAI/JS 6.49.0' } }))).toMatchObject({
      client: 'other',
      scope: terminal.scope,
    })
  })
})

describe('what calls for a terminal', () => {
  const calling = async (program: CallingProgram, more: Partial<IdentifierOptions> = {}) => {
    const on = await identifying(undefined, { programOf: async () => program, ...more })
    const { terminal } = await on.terminals.register(pty())
    const caller: Caller = { kind: 'terminal', terminalId: terminal.terminalId }
    const identity = await on.identifier.resolve(ask({ caller, headers: claudeUa, callingProcess: from('/dev/pts/1') }))
    return { ...on, terminal, identity }
  }
  it('is believed as its agent', async () => {
    const { identity, terminal, terminals } = await calling('agent')
    expect(identity).toMatchObject({ sessionId: 's1', scope: terminal.scope })
    expect(identity.markers).toBeUndefined()
    expect(terminals.get(terminal.terminalId)?.sessionId).toBe('s1')
  })
  it('acts for nobody as another program, whatever signs of the agent it copies', async () => {
    const { identity, terminal, terminals } = await calling('other')
    expect(identity).toMatchObject({ terminalId: null, scope: null, scopeProblem: { code: 'other-program' } })
    expect(identity.markers).toBe('none')
    expect(terminals.get(terminal.terminalId)?.sessionId).toBeNull()
  })
  it('must have been seen typing where the system tells nothing', async () => {
    const { identity, terminal } = await calling('untold')
    expect(identity).toMatchObject({ sessionId: 's1', scope: terminal.scope, markers: 'typed' })
  })
  it('does not speak for a conversation that lives in a terminal, with its key or without one', async () => {
    let home: Terminal | null = null
    const { identifier, terminal, terminals, dead } = await calling('other', {
      homeOf: (id) => (id === 's1' ? home : null),
    })
    home = terminal
    const caller: Caller = { kind: 'terminal', terminalId: terminal.terminalId }
    const by = (more: AskInput) => identifier.resolve(ask({ headers: claudeUa, ...more }))
    expect((await by({ caller, callingProcess: from(null) })).sessionId).toBeNull()
    expect(await by({})).toMatchObject({ sessionId: null, markers: 'typed' })
    // its conversation may go on elsewhere once the terminal has ended, but anybody can say so
    dead.add(terminal.terminalId)
    expect(await by({})).toMatchObject({ sessionId: 's1', markers: 'typed' })
    expect(terminals.get(terminal.terminalId)?.sessionId).toBeNull()
    const own = { ...claudeUa, 'x-claude-code-session-id': 'own' }
    expect((await identifier.resolve(ask({ headers: own }))).sessionId).toBe('own')
  })
  it('is believed as the agent’s daemon, but for the words that began a conversation there', async () => {
    const { identifier, terminal, identity } = await calling('daemon')
    expect(identity).toMatchObject({ scope: terminal.scope, markers: 'typed' })
    const later = await identifier.resolve(
      ask({
        caller: { kind: 'terminal', terminalId: terminal.terminalId },
        callingProcess: from('/dev/pts/1'),
        headers: claudeUa,
        says: ['hello', 'hi', 'go on'],
      }),
    )
    expect(later.scope).toBe(terminal.scope)
    expect(later.markers).toBeUndefined()
  })
  it('types nothing when its turn came by the inbox', async () => {
    const { identifier, terminals } = await identifying(undefined, { programOf: async () => 'agent' })
    const { terminal } = await terminals.register(pty({ client: 'codex' }))
    const by = (turn_trigger?: string) =>
      identifier.resolve(
        ask({
          caller: { kind: 'terminal', terminalId: terminal.terminalId },
          callingProcess: from('/dev/pts/1'),
          headers: { 'x-codex-turn-metadata': JSON.stringify({ request_kind: 'turn', turn_trigger }) },
        }),
      )
    expect((await by('queue')).markers).toBe('typed')
    expect((await by('user')).markers).toBeUndefined()
    expect((await by('exec')).markers).toBeUndefined()
    // releases before 0.171
    expect((await by()).markers).toBeUndefined()
  })
})

describe('a hand-started client', () => {
  it('is found by its terminal, and registered once', async () => {
    let asked = 0
    const { on, terminals, identifier } = await identifying({
      paneOfTty: async (tty) => {
        asked += 1
        return tty === '/dev/pts/1' ? pane('%1') : null
      },
    })
    for (const name of ['main', 'main:%1', '%1', '$3'])
      expect(
        await identifier.resolve(ask({ ...there, headers: { ...claudeUa, 'x-tmux-session-id': name } })),
      ).toMatchObject({ scope: 'tmux:main', sessionId: 's1' })
    expect(await identifier.resolve(ask({ ...there, headers: claudeUa }))).toMatchObject({ scope: 'tmux:main' })
    expect(asked).toBe(1)
    expect(terminals.list()).toMatchObject([{ origin: 'found', agentPid: 7 }])
    await on.clock.advance(5000)
    await identifier.resolve(ask({ ...there, headers: claudeUa }))
    expect(asked).toBe(2)
  })

  it('is looked for again soon where no agent was in front', async () => {
    let isThere = false
    const { on, identifier } = await identifying({ paneOfTty: async () => (isThere ? pane('%1') : null) })
    const asked = async () => (await identifier.resolve(ask({ ...there, headers: claudeUa }))).scope
    expect(await asked()).toBeNull()
    isThere = true
    expect(await asked()).toBeNull()
    await on.clock.advance(500)
    expect(await asked()).toBe('tmux:main')
  })

  it('is looked for on the tmux servers of registered panes, too', async () => {
    const looked: (readonly string[])[] = []
    const { terminals, identifier } = await identifying({
      paneOfTty: async (_, sockets) => {
        looked.push(sockets)
        return null
      },
    })
    const { socket = '' } = (await terminals.register(tmuxPane('main', '%1'))).terminal.pane ?? {}
    await terminals.register(tmuxPane('main', '%2'))
    await identifier.resolve(ask({ ...there, headers: claudeUa }))
    expect(looked).toEqual([[socket]])
  })

  it('elsewhere has no scope', async () => {
    const { identifier } = await withPane()
    expect(await identifier.resolve(ask({ headers: claudeUa, callingProcess: from('/dev/pts/2') }))).toMatchObject({
      scope: null,
      scopeProblem: null,
    })
  })

  it('is not looked for when it is a program or only counts tokens', async () => {
    const { identifier } = await withPane()
    for (const input of [
      there,
      { ...there, headers: claudeUa, endpoint: 'count' as const },
      { headers: claudeUa },
      { headers: { ...claudeUa, 'x-tmux-session-id': 'main' } },
    ])
      expect(identifier.prepare(ask(input))).toBeNull()
  })

  it('is served without a scope when looking fails', async () => {
    const { identifier } = await withPane()
    const callingProcess = async () => {
      throw new Error('no /proc')
    }
    expect(await identifier.resolve(ask({ headers: claudeUa, callingProcess }))).toMatchObject({
      sessionId: 's1',
      scope: null,
    })
    const full = await withPane()
    full.on.files.fail('ENOSPC', 'writeAtomic')
    expect(
      await full.identifier.resolve(ask({ ...there, headers: { ...claudeUa, 'x-tmux-session-id': 'main' } })),
    ).toMatchObject({ sessionId: 's1', scope: null, scopeProblem: { code: 'terminal-unknown' } })
  })
})

describe('a client that names no conversation', () => {
  const setUp = 'This is the Qwen Code. We are setting up the context for our chat.'
  const opening = [user(setUp), assistant('Got it.')]

  async function qwen() {
    const { terminals, identifier } = await identifying()
    const { terminal } = await terminals.register(pty({ client: 'qwen' }))
    const idOf = (input: AskInput) =>
      identifier.identify(
        ask({
          entry: 'chat',
          headers: qwenUa,
          caller: { kind: 'terminal', terminalId: terminal.terminalId },
          ...input,
        }),
      ).sessionId
    return { terminals, identifier, idOf, scope: terminal.scope }
  }

  it("has its terminal's: #1, and #2 after an explicit new beginning", async () => {
    const { idOf, scope } = await qwen()
    expect(idOf({ says: [...opening, user('one')] })).toBe(`${scope}#1`)
    expect(idOf({ says: [...opening, user('one'), assistant('a'), user('two')] })).toBe(`${scope}#1`)
    expect(idOf({ says: [...opening, user('one'), assistant('a'), toolResult('ok')] })).toBe(`${scope}#1`)
    expect(idOf({ says: [...opening, user('something else')] })).toBe(`${scope}#2`)
    expect(idOf({ says: [...opening, user('something else')] })).toBe(`${scope}#2`)
  })

  it('keeps it over a compression', async () => {
    const { idOf, scope } = await qwen()
    idOf({ says: [...opening, user('one'), assistant('a'), user('two')] })
    expect(
      idOf({
        says: [...opening, user('one'), assistant('a'), user('You are the component that summarizes a conversation')],
      }),
    ).toBe(`${scope}#1`)
    expect(
      idOf({ says: [user('<state_snapshot>all of it</state_snapshot>'), assistant('Got it.'), user('three')] }),
    ).toBe(`${scope}#1`)
    expect(idOf({ says: [...opening, user('new')] })).toBe(`${scope}#2`)
  })

  it('keeps it when only the front of the history was cut off', async () => {
    const { idOf, scope } = await qwen()
    idOf({ says: [user('one'), assistant('a'), user('two')] })
    expect(idOf({ says: [user('two'), assistant('b'), user('three')] })).toBe(`${scope}#1`)
  })

  it('goes on counting after the engine was restarted', async () => {
    const on = machine()
    const { terminals } = await registryOn(on)
    const { terminal } = await terminals.register(pty({ client: 'qwen' }))
    const facts = (text: string) =>
      ask({
        entry: 'chat',
        headers: qwenUa,
        caller: { kind: 'terminal', terminalId: terminal.terminalId },
        says: [text],
      })
    const first = createIdentifier({ terminals, log: silentLog })
    first.identify(facts('one'))
    expect(first.identify(facts('two')).sessionId).toBe(`${terminal.scope}#2`)
    await terminals.flush()
    const later = (await registryOn({ ...on, store: on.newStore() })).terminals
    expect(createIdentifier({ terminals: later, log: silentLog }).identify(facts('three')).sessionId).toBe(
      `${terminal.scope}#3`,
    )
  })

  it('has none without a terminal', async () => {
    const { identifier } = await identifying()
    expect(identifier.identify(ask({ entry: 'chat', headers: qwenUa }))).toMatchObject({
      sessionId: null,
      sessionSource: null,
      retry: false,
    })
  })
})

describe('a retry', () => {
  async function turns() {
    const { identifier } = await identifying()
    const retry = (input: AskInput) => identifier.identify(ask({ headers: claudeUa, ...input })).retry
    return { identifier, retry }
  }

  it('is the same session, the same last words, the same history', async () => {
    const { retry } = await turns()
    expect(retry({ says: ['a'] })).toBe(false)
    expect(retry({ says: ['a'] })).toBe(true)
    expect(retry({ says: ['a'] })).toBe(true)
    expect(retry({ says: ['a'], headers: { ...claudeUa, 'x-claude-code-session-id': 's2' } })).toBe(false)
    expect(retry({ says: ['a', 'answer', 'a'] })).toBe(false)
    expect(retry({ says: ['a', 'answer', 'b'] })).toBe(false)
    expect(retry({ says: ['a', 'answer', 'b'] })).toBe(true)
  })

  it('is recognised although a title was asked for in between', async () => {
    const { retry } = await turns()
    retry({ says: ['a'] })
    expect(retry({ says: ['<session>\na'], system: ['You are naming a coding session'] })).toBe(false)
    expect(retry({ says: ['a'] })).toBe(true)
  })

  it('is no tool round', async () => {
    const { retry } = await turns()
    retry({ says: ['a'] })
    for (let i = 0; i < 2; i++) expect(retry({ says: ['a', 'call', toolResult('ok')] })).toBe(false)
  })

  it('is not what a person says again after a whole answer', async () => {
    const { identifier, retry } = await turns()
    retry({ says: ['a'] })
    identifier.answered({ sessionId: 's1', responseId: 'r1', visible: false })
    expect(retry({ says: ['a'] })).toBe(true)
    identifier.answered({ sessionId: 's1', responseId: 'r2', visible: true })
    expect(retry({ says: ['a'] })).toBe(false)
  })

  it('keeps texts apart that only join to the same', async () => {
    const { retry } = await turns()
    retry({ says: [user('ab', 'c')] })
    expect(retry({ says: [user('a', 'bc')] })).toBe(false)
  })
})

it("a Responses client that names only the answer before is in that answer's session", async () => {
  const { identifier } = await identifying()
  identifier.answered({ sessionId: 's1', responseId: 'resp_1', visible: true })
  expect(identifier.identify(ask({ entry: 'responses', body: { previous_response_id: 'resp_1' } })).sessionId).toBe(
    's1',
  )
})
