import { describe, expect, it } from 'vitest'
import { clientKinds, type ClientKind, type RequestKind } from '../../../../shared/words.ts'
import { ask, assistant, toolResult, user, type AskInput } from '../testing/facts.ts'
import { identifying } from '../testing/identifying.ts'
import { pty } from '../testing/machine.ts'
import type { Caller } from '../types.ts'
import { requestKind } from './request-kind.ts'

const history = ['do it', 'done']
const meta = (fields: object) => ({ 'x-codex-turn-metadata': JSON.stringify(fields) })
const codexTurn = { request_kind: 'turn', thread_source: 'user', turn_trigger: 'user' }
const claudeSystem = [
  'x-anthropic-billing-header: cc_version=2.1.330.a1b; cc_entrypoint=cli;',
  'You are Claude Code',
  'You are an interactive agent',
]
const compactionPrompt =
  'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\n- Tool calls will be ' +
  'REJECTED.\n\nYour task is to create a detailed summary of the conversation so far'

describe('requestKind', () => {
  it.each<[ClientKind, string, RequestKind, AskInput]>([
    [
      'claude',
      'a main turn',
      'turn',
      { system: claudeSystem, tools: 13, says: [...history, user('<system-reminder>\nx\n</system-reminder>', 'next')] },
    ],
    ['claude', 'a tool round', 'turn', { system: claudeSystem, tools: 13, says: [...history, toolResult('ok')] }],
    [
      'claude',
      'a title',
      'title',
      {
        system: [
          claudeSystem[0] ?? '',
          'You are Claude Code',
          'You are naming a coding session from its first message',
        ],
        tools: 0,
        says: ['<session>\ndo it'],
      },
    ],
    [
      'claude',
      'an old topic check',
      'title',
      { system: ['Analyze if this message indicates a new conversation topic.'], says: ['do it'] },
    ],
    ['claude', 'a token count', 'count', { endpoint: 'count' }],
    [
      'claude',
      'a sub-agent by header',
      'subagent',
      { headers: { 'x-claude-code-agent-id': 'a1' }, system: claudeSystem, tools: 12 },
    ],
    [
      'claude',
      'a sub-agent by system text',
      'subagent',
      {
        system: ['x-anthropic-billing-header: cc_version=2.1.330; cc_entrypoint=cli; cc_is_subagent=true;'],
        tools: 12,
      },
    ],
    ['claude', 'a compaction', 'compaction', { system: claudeSystem, tools: 13, says: [...history, compactionPrompt] }],
    [
      'claude',
      'a compaction behind a reminder',
      'compaction',
      {
        system: claudeSystem,
        tools: 13,
        says: [...history, user(compactionPrompt, '<system-reminder>\nx\n</system-reminder>')],
      },
    ],
    [
      'claude',
      'an old compaction',
      'compaction',
      {
        system: ['You are a helpful AI assistant tasked with summarizing conversations.'],
        says: [...history, 'Your task is to create a detailed summary'],
      },
    ],
    [
      'claude',
      'ghost text',
      'probe',
      {
        system: claudeSystem,
        tools: 13,
        says: [...history, '[SUGGESTION MODE: Suggest what the user might naturally type next into Claude Code.]'],
      },
    ],
    [
      'claude',
      'a recap',
      'probe',
      {
        system: claudeSystem,
        tools: 13,
        says: [...history, 'The user stepped away and is coming back. Recap in under 40 words'],
      },
    ],
    ['claude', 'a warm-up', 'probe', { says: ['Warmup'] }],
    ['claude', 'files modified', 'probe', { tools: 0, says: ['Files modified by user:\na.ts'] }],
    [
      'claude',
      'the check of a goal',
      'probe',
      {
        system: [
          claudeSystem[0] ?? '',
          'You are a Claude agent',
          'You are evaluating a stop-condition hook in Claude Code. Read',
        ],
        tools: 0,
        says: [...history, 'Based on …'],
      },
    ],
    [
      'claude',
      'the check of a goal, by its question',
      'probe',
      {
        tools: 0,
        says: [
          ...history,
          'Based on the conversation transcript above, has the following stopping condition been satisfied? Answer',
        ],
      },
    ],
    [
      'claude',
      'that question in a talk',
      'turn',
      {
        system: claudeSystem,
        tools: 13,
        says: [
          ...history,
          'Based on the conversation transcript above, has the following stopping condition been satisfied?',
        ],
      },
    ],
    [
      'claude',
      'a turn its goal begins',
      'turn',
      {
        system: claudeSystem,
        tools: 13,
        says: [...history, 'Stop hook feedback:\n[the tests pass]: two tests still fail'],
      },
    ],
    ['claude', 'a quota check', 'probe', { says: ['quota'], body: { max_tokens: 1 } }],
    [
      'claude',
      'a background agent reporting',
      'turn',
      {
        system: claudeSystem,
        tools: 13,
        says: [...history, user('<system-reminder>\n[SYSTEM NOTIFICATION - NOT USER INPUT]\ndone</system-reminder>')],
      },
    ],
    [
      'claude',
      'a re-ask after an empty answer',
      'turn',
      {
        system: claudeSystem,
        tools: 13,
        says: [...history, '[Your previous response had no visible output. Please continue.]'],
      },
    ],
    [
      'claude',
      'a non-streaming retry',
      'turn',
      { system: claudeSystem, tools: 13, body: { max_tokens: 64000, stream: false } },
    ],

    ['codex', 'a main turn', 'turn', { entry: 'responses', headers: meta(codexTurn), tools: 13 }],
    [
      'codex',
      'a main turn of codex exec',
      'turn',
      { entry: 'responses', headers: meta({ ...codexTurn, turn_trigger: 'exec' }), tools: 13 },
    ],
    [
      'codex',
      'a main turn, metadata in the body',
      'turn',
      { entry: 'responses', body: { client_metadata: meta(codexTurn) } },
    ],
    ['codex', 'a turn of 0.77, no metadata', 'turn', { entry: 'responses', headers: { conversation_id: 'c' } }],
    [
      'codex',
      'a turn of releases whose metadata says little',
      'turn',
      { entry: 'responses', headers: meta({ turn_id: 't', sandbox: 'none' }) },
    ],
    [
      'codex',
      'a title',
      'title',
      { entry: 'responses', headers: meta({ request_kind: 'turn', thread_source: 'thread_title' }), tools: 0 },
    ],
    [
      'codex',
      'a title, metadata in the body',
      'title',
      { entry: 'responses', body: { client_metadata: meta({ request_kind: 'turn', thread_source: 'thread_title' }) } },
    ],
    [
      'codex',
      'a sub-agent by header',
      'subagent',
      {
        entry: 'responses',
        headers: { 'x-openai-subagent': 'collab_spawn', ...meta({ ...codexTurn, thread_source: 'subagent' }) },
      },
    ],
    [
      'codex',
      'a sub-agent by its parent',
      'subagent',
      { entry: 'responses', headers: { 'x-codex-parent-thread-id': 'p' } },
    ],
    [
      'codex',
      'a sub-agent by metadata',
      'subagent',
      { entry: 'responses', headers: meta({ request_kind: 'turn', thread_source: 'subagent' }) },
    ],
    [
      'codex',
      'a compaction by metadata',
      'compaction',
      {
        entry: 'responses',
        headers: meta({ request_kind: 'compaction', thread_source: 'user', compaction: { trigger: 'auto' } }),
        tools: 0,
      },
    ],
    [
      'codex',
      'a compaction by its words',
      'compaction',
      {
        entry: 'responses',
        says: [...history, 'You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary'],
      },
    ],
    [
      'codex',
      'a compaction by endpoint',
      'compaction',
      { entry: 'responses', endpoint: 'compact', headers: meta(codexTurn) },
    ],
    ['codex', 'a prewarm', 'probe', { entry: 'responses', headers: meta({ request_kind: 'prewarm' }) }],
    ['codex', 'a prewarm by its body', 'probe', { entry: 'responses', body: { generate: false } }],
    [
      'codex',
      'something a later release adds',
      'aside',
      { entry: 'responses', headers: meta({ request_kind: 'turn', thread_source: 'memory' }) },
    ],
    [
      'codex',
      'ghost text',
      'probe',
      { entry: 'responses', says: [...history, '<next_prompt_suggestion>\n[SUGGESTION MODE'] },
    ],

    ['opencode', 'a main turn', 'turn', { entry: 'chat', system: ['You are opencode'], tools: 11 }],
    [
      'opencode',
      'a title',
      'title',
      { entry: 'chat', system: ['You are a title generator. You output ONLY a thread title.'] },
    ],
    ['opencode', 'a sub-agent', 'subagent', { entry: 'chat', headers: { 'x-parent-session-id': 'ses_1' }, tools: 9 }],
    [
      'opencode',
      'a compaction',
      'compaction',
      { entry: 'chat', system: ['You are a context summarization agent'], says: ['Here is the conversation so far:'] },
    ],

    [
      'gemini',
      'a main turn',
      'turn',
      { system: ['You are an interactive CLI agent'], headers: { 'user-agent': 'GeminiCLI-tui/0.61.0/x' } },
    ],
    ['gemini', 'the router', 'probe', { system: ['You are a specialized Task Routing AI. '] }],
    ['gemini', 'the router in its other words', 'probe', { system: ['You are a Task Routing AI. Your sole task'] }],
    [
      'gemini',
      'the check for loops',
      'probe',
      {
        system: [
          'You are a diagnostic agent that determines whether a ' +
            'conversational AI assistant is stuck in an unproductive loop.',
        ],
      },
    ],
    [
      'gemini',
      'a correction of an edit',
      'subagent',
      { system: ['You are an expert code-editing assistant. Your task is'] },
    ],
    [
      'gemini',
      'a policy',
      'probe',
      { system: ['You are a security expert responsible for generating fine-grained security policies for'] },
    ],
    ['gemini', 'a check of a policy', 'probe', { system: ['You are a security enforcement engine. '] }],
    [
      'gemini',
      'the completion of a prompt',
      'probe',
      { says: ['You are a professional prompt engineering assistant. Complete'] },
    ],
    ['gemini', 'a shortened context', 'probe', { says: ['You are an expert context compressor. Your job'] }],
    [
      'gemini',
      'a compaction',
      'compaction',
      { system: ['You are a specialized system component responsible for distilling chat history'] },
    ],
    [
      'gemini',
      'the look at a compaction',
      'compaction',
      { says: [...history, 'Critically evaluate the <state_snapshot>'] },
    ],
    [
      'gemini',
      'a sub-agent',
      'subagent',
      { headers: { 'user-agent': 'GeminiCLI-tui/0.61.0/x' }, system: ['You are Gemini CLI, an autonomous CLI agent'] },
    ],
    [
      'gemini',
      'a headless main turn',
      'turn',
      { headers: { 'user-agent': 'GeminiCLI/0.61.0/x' }, system: ['You are Gemini CLI, an autonomous CLI agent'] },
    ],
    ['gemini', 'the loop detector', 'turn', { says: [...history, 'System: Potential loop detected.'] }],

    ['copilot', 'a main turn', 'turn', { entry: 'chat', headers: { 'x-interaction-type': 'conversation-user' } }],
    ['copilot', 'a tool round', 'turn', { entry: 'chat', headers: { 'x-initiator': 'agent' } }],
    ['copilot', 'a sub-agent', 'subagent', { headers: { 'x-interaction-type': 'conversation-subagent' } }],
    ['copilot', 'a compaction', 'compaction', { headers: { 'x-interaction-type': 'conversation-compaction' } }],
    ['kimi', 'a main turn', 'turn', { entry: 'chat', system: ['You are Kimi Code CLI, an interactive general'] }],
    [
      'kimi',
      'a sub-agent',
      'subagent',
      { system: ['You are Kimi Code CLI, an interactive …\n\nYou are now running as a subagent. All the'] },
    ],
    [
      'kimi',
      'a compaction',
      'compaction',
      { says: [...history, 'You are about to run out of context. Create a handoff summary for the\nmodel'] },
    ],
    ['kilo', 'a title', 'title', { system: ['You are a title generator. You output ONLY a thread title.'] }],
    [
      'kilo',
      'a compaction in parts',
      'compaction',
      { says: [...history, 'Summarize conversation chunk 1 of 1.\nOnly'] },
    ],
    ['qwen', 'a main turn', 'turn', { entry: 'chat', tools: 20 }],
    [
      'qwen',
      'memory extraction',
      'subagent',
      { entry: 'chat', tools: 6, system: ['You are now acting as the managed memory extraction subagent'] },
    ],
    [
      'qwen',
      'ghost text',
      'probe',
      { entry: 'chat', tools: 20, says: [...history, '[SUGGESTION MODE: Suggest what]'] },
    ],
    [
      'qwen',
      'the verifier of a goal',
      'probe',
      { entry: 'chat', tools: 0, system: ['You are an independent Goal Verifier. Judge'] },
    ],
    [
      'qwen',
      'a turn its goal begins',
      'turn',
      { entry: 'chat', tools: 20, says: [...history, 'Continue working on the active Goal.\nUse get_goal'] },
    ],
    [
      'qwen',
      'the classifier',
      'probe',
      { entry: 'chat', tools: 1, system: ['You are a security classifier for an AI coding agent'] },
    ],
    [
      'qwen',
      'a compaction',
      'compaction',
      { entry: 'chat', says: [...history, 'You are the component that summarizes a conversation'] },
    ],
    [
      'qwen',
      'a compaction by system text',
      'compaction',
      { entry: 'chat', system: ['You are the component that summarizes internal chat history'] },
    ],
    ['qwen', 'a sub-agent', 'subagent', { entry: 'chat', system: ['You are a general-purpose subagent'] }],
    [
      'qwen',
      'a task notification',
      'turn',
      { entry: 'chat', tools: 20, says: [...history, '<task-notification>done</task-notification>'] },
    ],

    [
      'other',
      'a program that wants JSON',
      'turn',
      { entry: 'chat', body: { response_format: { type: 'json_object' } } },
    ],
    ['other', 'an SDK program that compacts', 'compaction', { entry: 'chat', says: [compactionPrompt] }],
    ['other', 'a reachability check', 'probe', { entry: 'chat', body: { max_completion_tokens: 1 } }],
    ['other', 'one of Responses', 'probe', { entry: 'responses', body: { max_output_tokens: 1 } }],
  ])('%s: %s is %s', (client, _, kind, input) => {
    expect(requestKind(ask(input), client).kind).toBe(kind)
  })

  const sentinels = [
    'Handoff Summary of the session',
    'Handoff summary: what was done',
    'You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for another LLM',
    'You are about to run out of context. Create a handoff summary for yourself',
    'Your task is to create a detailed summary of the conversation so far, paying attention',
    'Generate a new <state_snapshot> of it',
    compactionPrompt,
  ]
  describe.each(clientKinds)('a compaction of %s', (client) => {
    const kindOf = (input: AskInput) => requestKind(ask({ entry: 'chat', tools: 8, ...input }), client).kind
    const begun = client === 'kimi' ? '<system-reminder>\nx\n</system-reminder>\n' : ''
    it.each(sentinels)('is known by how it begins: %s', (sentinel) => {
      expect(kindOf({ says: [...history, sentinel] })).toBe('compaction')
      expect(kindOf({ says: [sentinel] })).toBe('compaction')
      expect(kindOf({ says: [...history, `\n  ${begun}${sentinel}`] })).toBe('compaction')
    })
    it.each(sentinels)('is none where such words stand further in, or further back: %s', (sentinel) => {
      for (const says of [
        [...history, `Read this:\n${sentinel}`],
        [...history, `Why does it begin with “${sentinel}”?`],
        [...history, user('Look at this file.', `> ${sentinel}`)],
        [...history, `> ${sentinel}`],
        [...history, `\`\`\`\n${sentinel}\n\`\`\``],
        [sentinel, 'a summary', 'go on'],
        [...history, sentinel, 'a summary', 'go on'],
      ])
        expect([says, kindOf({ says, cached: 'to-the-end' })]).toEqual([says, 'turn'])
      expect(kindOf({ system: [`Do your work.\n${sentinel}`], says: history.slice(0, 1) })).toBe('turn')
    })
  })
  it.each(clientKinds)('text of %s that follows another text of the message begins no compaction', (client) => {
    const says = [...history, user('Go on from this:', 'Handoff Summary\n- all is done')]
    expect(requestKind(ask({ entry: 'chat', tools: 8, says, cached: 'to-the-end' }), client).kind).toBe('turn')
  })

  it.each<[ClientKind, AskInput]>([
    ['claude', { says: [...history, `What does this prompt do?\n${compactionPrompt}`] }],
    ['claude', { says: [...history, 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools. Which files changed?'] }],
    ['claude', { says: [compactionPrompt, assistant('a summary'), user('go on')] }],
    ['claude', { says: [...history, 'Explain "[SUGGESTION MODE: x]"'] }],
    [
      'codex',
      {
        entry: 'responses',
        headers: meta(codexTurn),
        says: [...history, 'explain: You are performing a CONTEXT CHECKPOINT COMPACTION.'],
      },
    ],
    ['opencode', { entry: 'chat', says: [...history, 'You are a title generator'] }],
    ['qwen', { entry: 'chat', says: [...history, 'why does it say "You are the component that summarizes"?'] }],
  ])('words pasted into a talk with %s change nothing (%#)', (client, input) => {
    expect(requestKind(ask({ tools: 13, ...input }), client).kind).toBe('turn')
  })

  const agents = clientKinds.filter((client) => client !== 'other')
  const schemas: [string, AskInput][] = [
    ['Messages', { body: { output_config: { format: { type: 'json_schema', schema: {} } } } }],
    ['Chat', { entry: 'chat', body: { response_format: { type: 'json_schema' } } }],
    ['Responses', { entry: 'responses', body: { text: { format: { type: 'json_schema' } } } }],
    ['Gemini', { entry: 'gemini', body: { generationConfig: { responseJsonSchema: {} } } }],
  ]
  const forbidden: [string, AskInput][] = [
    ['Messages', { body: { tool_choice: { type: 'none' } } }],
    ['Chat', { entry: 'chat', body: { tool_choice: 'none' } }],
    ['Gemini', { entry: 'gemini', body: { toolConfig: { functionCallingConfig: { mode: 'NONE' } } } }],
  ]
  it.each(agents.flatMap((client) => schemas.map(([protocol, input]) => [client, protocol, input] as const)))(
    '%s: JSON asked for without tools is an aside (%s), with tools a turn',
    (client, _, input) => {
      expect(requestKind(ask(input), client).kind).toBe('aside')
      expect(requestKind(ask({ ...input, tools: 3 }), client).kind).toBe('turn')
    },
  )
  it.each(agents.flatMap((client) => forbidden.map(([protocol, input]) => [client, protocol, input] as const)))(
    '%s: tools that may not be called are an aside’s (%s)',
    (client, _, input) => {
      expect(requestKind(ask({ ...input, tools: 3 }), client).kind).toBe('aside')
    },
  )
  it('Claude Code’s own word goes before everything else', () => {
    const says = (word: string): AskInput => ({
      headers: { 'x-claude-code-request-class': word },
      tools: 13,
      says: [...history, '[SUGGESTION MODE: as I read it'],
    })
    expect(requestKind(ask(says('main')), 'claude').kind).toBe('turn')
    for (const word of ['auxiliary', 'side_reply', 'what comes next'])
      expect(requestKind(ask({ ...says(word), says: [...history, 'hello'] }), 'claude').kind).toBe('aside')
    expect(requestKind(ask({ ...says('workflow'), says: ['hello'] }), 'claude').kind).toBe('subagent')
  })
  it('a fork of Claude Code reads the cache of the turns and writes none', () => {
    const at = (cached: AskInput['cached']) =>
      requestKind(ask({ cached, tools: 13, says: [...history, 'x'] }), 'claude')
    expect(at('before-the-end').kind).toBe('aside')
    expect(at('to-the-end').kind).toBe('turn')
    expect(at(null).kind).toBe('turn')
  })
})

describe('a session whose turns have tools', () => {
  const kindsOf = async (client: ClientKind, userAgent: string, requests: readonly AskInput[]) => {
    const { terminals, identifier } = await identifying()
    const { terminal } = await terminals.register(pty({ client }))
    const caller: Caller = { kind: 'terminal', terminalId: terminal.terminalId }
    return requests.map(
      (input) =>
        identifier.identify(ask({ entry: 'chat', caller, headers: { 'user-agent': userAgent }, ...input })).kind,
    )
  }
  const tools = ['read', 'edit', 'shell']

  it.each<[ClientKind, string]>([
    ['qwen', 'QwenCode/0.24.4'],
    ['gemini', 'GeminiCLI-tui/0.61.0'],
    ['kimi', 'kimi-code-cli/2.1.0'],
    ['claude', 'claude-cli/2.1.332 (external, cli)'],
  ])('%s: a request with none of them is an aside', async (client, agent) => {
    const kinds = await kindsOf(client, agent, [
      { says: ['do it'] },
      { tools, says: ['do it'] },
      { says: ['judge this'] },
      { tools: ['classify'], says: ['judge this'] },
      { tools: ['read'], says: [...history, 'go on'] },
      { tools: ['other', 'shell', 'read', 'mcp'], says: [...history, 'go on'] },
      { says: [...history, 'go on'] },
    ])
    expect(kinds).toEqual(['turn', 'turn', 'aside', 'aside', 'turn', 'turn', 'aside'])
  })

  it('a side request that came first keeps no turn from being one', async () => {
    const kinds = await kindsOf('qwen', 'QwenCode/0.24.4', [
      { tools: ['classify'] },
      { tools, says: ['do it'] },
      { tools: ['classify'] },
    ])
    expect(kinds).toEqual(['turn', 'turn', 'aside'])
  })

  it('opencode: a person may go on with an agent of their own that has none', async () => {
    const kinds = await kindsOf('opencode', 'opencode/1.18.33', [
      { tools, headers: { 'user-agent': 'opencode/1.18.33', 'x-session-id': 's' } },
      { says: [...history, 'go on'], headers: { 'user-agent': 'opencode/1.18.33', 'x-session-id': 's' } },
      { says: ['name this'], headers: { 'user-agent': 'opencode/1.18.33', 'x-session-id': 's' } },
    ])
    expect(kinds).toEqual(['turn', 'turn', 'aside'])
  })

  it('a program’s requests are its turns, whatever they carry', async () => {
    expect(await kindsOf('other', 'OpenAI/JS 5', [{ tools }, {}, { tools: ['x'] }])).toEqual(['turn', 'turn', 'turn'])
  })
})
