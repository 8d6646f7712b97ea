import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientKinds, entryProtocols, type ClientKind, type EntryProtocol } from '../../../../shared/words.ts'
import type { TurnExcerpt } from '../../servertools/stop-message/turn-excerpt.ts'
import { excerptOf } from './turn-excerpt.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const paths: Record<EntryProtocol, string> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages?beta=true',
  gemini: '/v1beta/models/m:streamGenerateContent?alt=sse',
}
const read = (entry: EntryProtocol, client: ClientKind, body: unknown, text = 'Done.'): TurnExcerpt | null =>
  excerptOf({ entry, client, path: paths[entry], body: Buffer.from(JSON.stringify(body)), text })
const short = (excerpt: TurnExcerpt | null) =>
  excerpt?.calls.map(({ name, arguments: args, result, isError }) => [
    name,
    args,
    result,
    ...(isError ? ['error'] : []),
  ])

// As unmodified clients send them (recorded; texts shortened).
const tool = (id: string, content: unknown, more: object = {}) => ({
  tool_use_id: id,
  type: 'tool_result',
  content,
  ...more,
})
const use = (id: string, name: string, input: object) => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input }],
})
const claude = {
  model: 'claude-opus-5-5',
  max_tokens: 32000,
  stream: true,
  system: [{ type: 'text', text: 'You are Claude Code' }],
  tools: [{ name: 'Bash', input_schema: { type: 'object' } }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: '<system-reminder>\nx\n</system-reminder>' },
        { type: 'text', text: 'fix the build' },
      ],
    },
    { role: 'system', content: 'Today’s date is 2026-11-22.' },
    use('toolu_0', 'Bash', { command: 'earlier' }),
    { role: 'user', content: [tool('toolu_0', 'seen')] },
    { role: 'assistant', content: [{ type: 'text', text: 'It builds.' }] },
    { role: 'user', content: [{ type: 'text', text: 'and run the tests' }] },
    use('toolu_1', 'ToolSearch', { query: 'select:CronList' }),
    {
      role: 'user',
      content: [
        tool('toolu_1', [{ type: 'tool_reference', tool_name: 'CronList' }]),
        { type: 'text', text: 'Tool loaded.' },
      ],
    },
    use('toolu_2', 'Bash', { command: 'npm test' }),
    {
      role: 'user',
      content: [
        tool(
          'toolu_2',
          [
            { type: 'text', text: '2 of 214 fail' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          ],
          { is_error: true },
        ),
        { type: 'text', text: '<system-reminder>\nkeep going\n</system-reminder>' },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Waiting for the agent.' }] },
    { role: 'user', content: [{ type: 'text', text: '[SYSTEM NOTIFICATION - NOT USER INPUT]\nAgent finished' }] },
    use('toolu_3', 'clock', { action: 'alarm' }),
    { role: 'user', content: [tool('toolu_3', 'set')] },
    use('toolu_4', 'Edit', {}),
  ],
}
const codex = {
  model: 'gpt-5',
  stream: true,
  store: false,
  prompt_cache_key: 'k',
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { effort: 'medium' },
  include: ['reasoning.encrypted_content'],
  tools: [{ type: 'function', name: 'exec_command', parameters: {} }, { type: 'web_search' }],
  input: [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'You are a coding agent' }] },
    {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: '<environment_context>\n  <cwd>/p</cwd>\n</environment_context>' }],
    },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'make a goal' }] },
    { type: 'function_call', name: 'create_goal', arguments: '{"objective":"x"}', call_id: 'call_3' },
    { type: 'function_call_output', call_id: 'call_3', output: '{"goal":{"objective":"x","status":"active"}}' },
    { type: 'function_call_output', id: 'fco_9', name: 'goal_objective', namespace: 'agent', output: 'x' },
    {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Began.', annotations: [] }],
    },
    {
      type: 'message',
      role: 'user',
      content: [
        {
          type: 'input_text',
          text:
            '<codex_internal_context source="goal">\nContinue working ' +
            'toward the active thread goal.\n</codex_internal_context>',
        },
      ],
    },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'zz' },
    { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin', call_id: 'call_4', status: 'completed' },
    { type: 'custom_tool_call_output', call_id: 'call_4', output: 'Done!' },
    { type: 'function_call', name: 'read', namespace: 'mcp__files', arguments: '{"p":1}', call_id: 'call_5' },
    { type: 'function_call_output', call_id: 'call_5', output: [{ type: 'input_text', text: 'seen' }] },
  ],
}
const qwen = {
  model: 'm',
  stream: true,
  stream_options: { include_usage: true },
  tools: [{ type: 'function', function: { name: 'web_fetch', parameters: {} } }],
  messages: [
    { role: 'system', content: 'You are Qwen Code' },
    { role: 'user', content: [{ type: 'text', text: 'check the docs' }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'web_fetch', arguments: '{"url":"u"}' } },
        { id: 'call_2', type: 'function', function: { name: 'web_search', arguments: '{"query":"q"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'page' }] },
    { role: 'tool', tool_call_id: 'call_2', content: 'found' },
  ],
}
const gemini = {
  systemInstruction: { role: 'user', parts: [{ text: 'You are Gemini CLI' }] },
  tools: [{ functionDeclarations: [{ name: 'read_file', parametersJsonSchema: {} }] }],
  contents: [
    { role: 'user', parts: [{ text: '<session_context>\nx' }] },
    { role: 'user', parts: [{ text: 'read both' }] },
    {
      role: 'model',
      parts: [
        { functionCall: { name: 'read_file', args: { path: 'a' } }, thoughtSignature: 'AA==' },
        { functionCall: { name: 'read_file', args: { path: 'b' } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'read_file', response: { output: 'A' } } },
        { functionResponse: { name: 'read_file', response: { error: 'no such file' } } },
      ],
    },
  ],
}

describe('excerptOf', () => {
  it('Claude Code: the turn since the person’s words, without notifications, reminders and Onward’s tools', () => {
    const excerpt = read('messages', 'claude', claude, 'Two tests fail.')
    expect(short(excerpt)).toEqual([
      ['ToolSearch', '{"query":"select:CronList"}', expect.any(String)],
      ['Bash', '{"command":"npm test"}', '2 of 214 fail\n[image]', 'error'],
      ['Edit', '{}', null],
    ])
    expect(excerpt).toMatchObject({ callsTotal: 3, text: 'Two tests fail.', drivenBy: null })
  })
  it('Codex: custom tools, namespaces, and the goal it goes after', () => {
    const excerpt = read('responses', 'codex', codex)
    expect(short(excerpt)).toEqual([
      ['create_goal', '{"objective":"x"}', '{"goal":{"objective":"x","status":"active"}}'],
      ['apply_patch', '*** Begin', 'Done!'],
      ['mcp__files.read', '{"p":1}', 'seen'],
    ])
    expect(excerpt?.drivenBy).toBe('own-goal')
  })
  it('Codex: what one of its agents tells it in the middle of a turn begins none', () => {
    const call = {
      type: 'function_call',
      namespace: 'collaboration',
      name: 'spawn_agent',
      call_id: 'c',
      arguments: '{}',
    }
    const input = [
      { role: 'user', content: 'Count the parts.' },
      call,
      { type: 'function_call_output', call_id: 'c', output: '{"task_name":"/lead/a"}' },
      { type: 'agent_message', author: '/lead/a', recipient: '/lead', content: 'There are three.' },
    ]
    expect(read('responses', 'codex', { model: 'm', input })).toMatchObject({
      callsTotal: 1,
      background: { delegated: true },
    })
  })
  it('Codex with a stored history: what is there', () => {
    expect(
      short(read('responses', 'codex', { ...codex, previous_response_id: 'r', input: codex.input.slice(-2) })),
    ).toEqual([['mcp__files.read', '{"p":1}', 'seen']])
    expect(read('responses', 'codex', { model: 'm', input: 'go on' })).toMatchObject({ calls: [], callsTotal: 0 })
  })
  it('Qwen Code: a tool of its own that has the name of one of Onward’s counts', () => {
    expect(short(read('chat', 'qwen', qwen))).toEqual([['web_fetch', '{"url":"u"}', 'page']])
  })
  it('Gemini CLI: results by their order, for it gives calls no ids', () => {
    expect(short(read('gemini', 'gemini', gemini))?.map(([name, args]) => [name, args])).toEqual([
      ['read_file', '{"path":"a"}'],
      ['read_file', '{"path":"b"}'],
    ])
    expect(short(read('gemini', 'gemini', gemini))?.map((call) => call[2])).toEqual([
      expect.stringContaining('A'),
      expect.stringContaining('no such file'),
    ])
  })
  it('several outputs of one call, and ids that begin anew each turn', () => {
    const output = (text: string) => ({ type: 'custom_tool_call_output', call_id: 'c', output: text })
    const exec = { type: 'custom_tool_call', call_id: 'c', name: 'exec', input: 'x' }
    expect(
      short(
        read('responses', 'codex', {
          model: 'm',
          input: [
            'go',
            exec,
            output('one'),
            output('two'),
            { role: 'assistant', content: 'ok' },
            exec,
            output('three'),
          ],
        }),
      ),
    ).toEqual([
      ['exec', 'x', 'one\ntwo'],
      ['exec', 'x', 'three'],
    ])
  })
  it('cuts long texts at their middle and keeps the last 200 calls; the key is of the whole', () => {
    const long = (end: string) => ({ command: `${'x'.repeat(9_000)}middle${end}${'x'.repeat(9_000)}` })
    const calls = Array.from({ length: 230 }, (_, i) => [
      use(`t${i}`, 'Bash', long(i % 2 === 0 ? 'a' : 'b')),
      { role: 'user', content: [tool(`t${i}`, 'y'.repeat(30_000))] },
    ]).flat()
    const excerpt = read('messages', 'claude', { ...claude, messages: [{ role: 'user', content: 'go' }, ...calls] })
    expect(excerpt).toMatchObject({ callsTotal: 230 })
    expect(excerpt?.calls).toHaveLength(200)
    for (const call of excerpt?.calls ?? []) {
      expect(call.arguments.length).toBeLessThanOrEqual(4_000)
      expect(call.result?.length).toBeLessThanOrEqual(8_000)
    }
    const [one, other, third] = excerpt?.calls ?? []
    expect(one?.arguments).toBe(other?.arguments)
    expect(one?.key).not.toBe(other?.key)
    expect(one?.key).toBe(third?.key)
  })
  it.each([
    ['', 'no body'],
    ['{', 'no JSON'],
    ['[]', 'no object'],
    ['{"messages":{}}', 'no list'],
    ['{"messages":[5]}', 'no message'],
  ])('%j is null: %s', (body) => {
    expect(
      excerptOf({ entry: 'chat', client: 'other', path: paths.chat, body: Buffer.from(body), text: '' }),
    ).toBeNull()
  })
  it('is null for bytes that are no text', () => {
    expect(
      excerptOf({
        entry: 'messages',
        client: 'claude',
        path: paths.messages,
        body: Buffer.from([0x7b, 0xff, 0xfe]),
        text: '',
      }),
    ).toBeNull()
  })

  describe('reads no more of a long conversation than tells, and sees the same', () => {
    const seen = (entry: EntryProtocol, items: readonly unknown[]) =>
      read(entry, clients[entry], { model: 'm', [lists[entry]]: [userOf[entry]('A'), ...items] })
    const userOf: Record<EntryProtocol, (text: string) => unknown> = {
      chat: (content) => ({ role: 'user', content }),
      responses: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
      messages: (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
      gemini: (text) => ({ role: 'user', parts: [{ text }] }),
    }
    const callOf: Record<
      EntryProtocol,
      (id: string, name: string, args: object, result: string) => readonly unknown[]
    > = {
      chat: (id, name, args, content) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
        },
        { role: 'tool', tool_call_id: id, content },
      ],
      responses: (id, name, args, output) => [
        { type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) },
        { type: 'function_call_output', call_id: id, output },
      ],
      messages: (id, name, args, result) => [use(id, name, args), { role: 'user', content: [tool(id, result)] }],
      gemini: (_id, name, args, output) => [
        { role: 'model', parts: [{ functionCall: { name, args } }] },
        { role: 'user', parts: [{ functionResponse: { name, response: { output } } }] },
      ],
    }
    const lists: Record<EntryProtocol, string> = {
      chat: 'messages',
      responses: 'input',
      messages: 'messages',
      gemini: 'contents',
    }
    const clients: Record<EntryProtocol, ClientKind> = {
      chat: 'qwen',
      responses: 'codex',
      messages: 'claude',
      gemini: 'gemini',
    }
    type Step = string | readonly [name: string, args: object, result: string] | null
    const goalSet = 'A session-scoped Stop hook is now active with condition: "x"'
    const feedback = 'Stop hook feedback:\n[x]: y'
    const cron = (name: string): Step => [
      name,
      { cron: '*/5 * * * *', prompt: 'check the deploy' },
      'Scheduled recurring job j1 (x)',
    ]
    const bash: Step = ['Bash', { command: 'ls' }, 'CronCreate "create_goal" <goal_context>']
    const said: Record<EntryProtocol, readonly Step[]> = {
      messages: [
        goalSet,
        feedback,
        cron('CronCreate'),
        ['CronDelete', { id: 'j1' }, 'Cancelled job j1.'],
        ['ScheduleWakeup', {}, 'Next wakeup scheduled for 15:00'],
        '<local-command-stdout>Goal cleared',
        '[SYSTEM NOTIFICATION - NOT USER INPUT]\nx',
      ],
      chat: [
        'Continue working on the active Goal.',
        cron('cron_create'),
        ['cron_delete', { id: 'j1' }, 'Cancelled job j1.'],
        ['loop_wakeup', {}, 'Scheduled loop wakeup'],
        '/loop',
      ],
      responses: [
        '<codex_internal_context source="goal">\nx',
        '<heartbeat>\n<automation_id>n</automation_id>',
        ['create_goal', {}, '{"goal":{"status":"active"}}'],
        ['update_goal', {}, '{"goal":{"status":"complete"}}'],
      ],
      gemini: ['<session_context>\nx'],
    }
    /** null: a call with a result of `length` characters */
    const from = (entry: EntryProtocol, steps: readonly Step[], length: number) => {
      const excerpt = seen(
        entry,
        steps.flatMap((one, i) =>
          typeof one === 'string'
            ? [userOf[entry](one)]
            : one === null
              ? callOf[entry](`long${i}`, 'Read', {}, 'x'.repeat(length))
              : callOf[entry](`c${i}`, ...one),
        ),
      )
      return {
        ...excerpt,
        calls: excerpt?.calls.map((call) => ({
          ...call,
          result: call.name === 'Read' ? call.result !== null : call.result,
        })),
      }
    }
    // The same conversation, once so short that all of it is read, and once too long for that.
    const [long, shorter] = [90_000, 1]

    it.each<[EntryProtocol, string, readonly Step[]]>([
      ['messages', 'own-goal', [goalSet, null, null, 'use pnpm', feedback]],
      ['messages', 'own-schedule', [cron('CronCreate'), null, null, 'check the deploy', bash]],
      ['chat', 'own-schedule', [cron('cron_create'), null, null, 'check the deploy', bash]],
    ])('%s: %s that began long before', (entry, drive, steps) => {
      expect(from(entry, steps, long)).toEqual(from(entry, steps, shorter))
      expect(from(entry, steps, long).drivenBy).toBe(drive)
    })
    it('whatever stands in it', () => {
      const conversation = fc.constantFrom<EntryProtocol>(...entryProtocols).chain((entry) => {
        const step = fc.constantFrom<Step>(
          ...said[entry],
          'go on',
          'check the deploy',
          bash,
          ['web_search', {}, 'found'],
          null,
        )
        return fc.tuple(
          fc.constant(entry),
          fc
            .tuple(fc.array(step, { maxLength: 5 }), fc.array(step, { maxLength: 4 }))
            .map(([before, after]) => [...before, null, null, ...after]),
        )
      })
      fc.assert(
        fc.property(conversation, ([entry, steps]) => {
          expect(from(entry, steps, long)).toEqual(from(entry, steps, shorter))
        }),
        runs(400),
      )
    })
    it.each(entryProtocols)('%s: what stands before the person’s words is not looked at', (entry) => {
      const broken = { role: 'nobody', type: 5 }
      const items = [
        broken,
        ...callOf[entry]('c0', 'Read', {}, 'x'.repeat(300_000)),
        userOf[entry]('go on'),
        ...callOf[entry]('c1', 'Bash', { command: 'ls' }, 'seen'),
      ]
      expect(seen(entry, items)).toMatchObject({ callsTotal: 1, calls: [{ name: 'Bash' }] })
    })
  })

  const bounded = (excerpt: TurnExcerpt | null): void => {
    if (!excerpt) return
    expect(excerpt.calls.length).toBe(Math.min(excerpt.callsTotal, 200))
    expect(excerpt.text.length).toBeLessThanOrEqual(16_000)
    for (const { name, arguments: args, result, key } of excerpt.calls) {
      expect([name.length <= 200, args.length <= 4_000, (result?.length ?? 0) <= 8_000, key.length]).toEqual([
        true,
        true,
        true,
        22,
      ])
    }
  }
  const anyClient = fc.constantFrom<ClientKind>(...clientKinds)
  const words = fc.constantFrom(
    'user',
    'assistant',
    'tool',
    'model',
    'text',
    'tool_use',
    'tool_result',
    'function_call',
    'function_call_output',
    'Bash',
    'c1',
    '{}',
    'CronCreate',
    'x'.repeat(20_000),
  )
  const keys = fc.constantFrom(
    'role',
    'content',
    'type',
    'text',
    'id',
    'name',
    'input',
    'arguments',
    'output',
    'call_id',
    'tool_calls',
    'function',
    'tool_call_id',
    'tool_use_id',
    'parts',
    'functionCall',
    'functionResponse',
    'args',
    'response',
    'messages',
    'contents',
    'tools',
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6, depthSize: 'small' },
      words,
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 5 }),
      fc.dictionary(keys, tie('tree'), { maxKeys: 6 }),
    ),
  }))

  it('never throws and stays bounded, whatever the body is', () => {
    const list = fc.array(tree, { maxLength: 8 })
    const body = fc.oneof(
      tree,
      fc.record({ messages: list, input: list, contents: list, tools: list }, { requiredKeys: [] }),
    )
    fc.assert(
      fc.property(fc.constantFrom<EntryProtocol>(...entryProtocols), anyClient, body, (entry, client, value) => {
        bounded(read(entry, client, value, 'z'.repeat(100_000)))
      }),
      runs(500),
    )
  })
  it('... or what any one place of a real body holds instead', () => {
    const real = fc.constantFrom<[EntryProtocol, unknown]>(
      ['messages', claude],
      ['responses', codex],
      ['chat', qwen],
      ['gemini', gemini],
    )
    fc.assert(
      fc.property(real, anyClient, fc.nat(), tree, ([entry, body], client, place, value) => {
        bounded(read(entry, client, withPlace(body, place, value)))
      }),
      runs(500),
    )
  })
})

/** Replaces the nth value within it, in the order of JSON. */
function withPlace(body: unknown, nth: number, value: unknown): unknown {
  let count = 0
  JSON.stringify(body, (_, inner: unknown) => {
    count += 1
    return inner
  })
  let at = 0
  const place = 1 + (nth % (count - 1))
  return JSON.parse(JSON.stringify(body, (_, inner: unknown) => (at++ === place ? (value ?? null) : inner)))
}
