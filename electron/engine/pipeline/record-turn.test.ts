import { describe, expect, it } from 'vitest'
import type { RequestKind } from '../../../shared/words.ts'
import { codecOf } from '../protocol/index.ts'
import { personTexts } from '../sessions/identify/person-text.ts'
import type { Usage } from '../../../shared/cost/usage.ts'
import { createLastPrompts, createRunBeginnings } from './record-turn.ts'
import { draftOf, emptySummary, noOverrides, type ReceiptMatch, type Turn, type TurnEnd } from './turn.ts'

interface Ask {
  session?: string | null
  kind?: RequestKind
  retry?: boolean
  receipt?: ReceiptMatch
  content: unknown
}

function turnOf({
  session = 's',
  kind = 'turn',
  retry = false,
  receipt = { ours: [], proves: [] },
  content,
}: Ask): Turn {
  const body = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }))
  const codec = codecOf('messages')
  const none = () => {
    throw new Error('no answer is given here')
  }
  return {
    codec,
    draft: draftOf(codec, body, '/v1/messages'),
    bytesIn: body.length,
    ordinal: null,
    receipt,
    overrides: noOverrides,
    ownAnswer: null,
    reentered: false,
    tried: [],
    dropped: [],
    identity: {
      sessionId: session,
      sessionSource: null,
      client: 'claude',
      kind,
      terminalId: null,
      scope: null,
      scopeProblem: null,
      registeredClientOnly: false,
      retry,
    },
    call: {
      requestId: 'r',
      entry: 'messages',
      endpoint: 'generate',
      method: 'POST',
      path: '/v1/messages',
      headers: {},
      caller: { kind: 'local', suffix: null },
      callingProcess: null,
      body,
      receivedAt: 0,
      reply: {
        head: none,
        write: none,
        end: none,
        abort: none,
        headSent: false,
        finished: false,
        left: false,
        onDrain: none,
        onClose: none,
      },
    },
  }
}

const toolResult = [
  { type: 'tool_result', tool_use_id: 't', content: 'done' },
  { type: 'text', text: '<system-reminder>be tidy</system-reminder>' },
]
const followup: Pick<Ask, 'content' | 'receipt'> = { content: 'go on', receipt: { ours: [true], proves: ['entry'] } }

/** Returns what began the run of each request, one after the other. */
function row(asks: readonly Ask[], limit?: number): string[] {
  const beginnings = createRunBeginnings(personTexts, limit)
  return asks.map(turnOf).map((turn) => {
    beginnings.note(turn)
    return beginnings.of(turn)
  })
}

describe('who began a run', () => {
  it.each<[string, Ask[], string[]]>([
    ['a person’s message', [{ content: 'fix it' }], ['person']],
    [
      'a followup and its tool rounds',
      [followup, { content: toolResult }, { content: toolResult }],
      ['onward', 'onward', 'onward'],
    ],
    [
      'a person’s message after a followup',
      [followup, { content: 'no, stop' }, { content: toolResult }],
      ['onward', 'person', 'person'],
    ],
    [
      'what else belongs to the run',
      [
        followup,
        { kind: 'subagent', content: 'look for it' },
        { kind: 'title', content: 'name it' },
        { ...followup, receipt: { ours: [], proves: [] }, retry: true },
      ],
      ['onward', 'onward', 'onward', 'onward'],
    ],
    [
      'a sub-agent begins nothing',
      [{ content: 'fix it' }, { ...followup, kind: 'subagent' }, { content: toolResult }],
      ['person', 'person', 'person'],
    ],
    ['a followup that was proved before', [{ content: 'go on', receipt: { ours: [true], proves: [] } }], ['onward']],
    [
      'a person’s words behind a followup, in one message',
      [
        {
          content: [
            { type: 'text', text: 'go on' },
            { type: 'text', text: 'and be quick' },
          ],
          receipt: { ours: [true, false], proves: [] },
        },
      ],
      ['person'],
    ],
    [
      'sessions apart',
      [followup, { session: 'other', content: toolResult }, { content: toolResult }],
      ['onward', 'person', 'onward'],
    ],
    [
      'no session',
      [
        { ...followup, session: null },
        { session: null, content: toolResult },
      ],
      ['onward', 'person'],
    ],
  ])('%s', (_, asks, expected) => expect(row(asks)).toEqual(expected))

  it('forgets the session that was longest without a message', () => {
    const tool = { content: toolResult }
    expect(
      row(
        [
          followup,
          { ...followup, session: 'b' },
          followup,
          { ...followup, session: 'c' },
          { ...tool, session: 'b' },
          tool,
        ],
        2,
      ),
    ).toEqual(['onward', 'onward', 'onward', 'onward', 'person', 'onward'])
  })

  it('says person of a turn it never saw', () => {
    expect(createRunBeginnings(personTexts).of(turnOf({ content: 'x' }))).toBe('person')
  })
})

describe('the last prompt of a session', () => {
  const minute = 60_000
  const provider = { type: 'anthropic' as const, keys: [], auth: 'key' as const, headers: {}, models: {}, quirks: {} }
  const marked = [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }]
  const used = (cachedInput: number, cacheWrite = 0, more: Partial<Usage> = {}): Usage => ({
    input: cachedInput + cacheWrite + 100,
    cachedInput,
    cacheWrite,
    output: 10,
    reasoning: 0,
    ...more,
  })
  interface Request extends Partial<Ask> {
    at: number
    usage: Usage | null
    summed?: true
    took?: number
    model?: string
  }
  function prompts(requests: readonly Request[]) {
    const last = createLastPrompts()
    const found = requests.map(({ at, usage, summed, took = 0, model = 'claude-opus-5', ...ask }) => {
      const turn = turnOf({ content: marked, ...ask })
      last.note(turn, at)
      const end: TurnEnd = {
        summary: emptySummary('stop', null, usage),
        status: 200,
        route: null,
        choice: {
          providerId: 'anthropic',
          provider,
          type: 'anthropic',
          upstreamModel: model,
          key: null,
          credential: null,
          fact: { provider: 'anthropic', model, keyAlias: null, category: null, why: [], skipped: [] },
        },
        ttfbMs: 1,
        durationMs: took,
        bytesOut: 1,
        clientLeft: false,
        ...(summed ? { summed } : {}),
      }
      return last.ended(turn, end, at)
    })
    return { found, coldAt: last.coldAt('s') }
  }
  const begun: Request = { at: 0, usage: used(0, 20_000) }

  it.each<[string, Request[], unknown]>([
    ['nothing, of the first', [begun], null],
    ['nothing, where all of it was read', [begun, { at: 9 * minute, usage: used(20_000, 400) }], null],
    [
      'tokens that were written and not read, and the time since',
      [begun, { at: 6 * minute, usage: used(0, 20_400) }],
      { why: 'idle', idle: { ms: 6 * minute, keptMs: 5 * minute }, tokens: 20_000 },
    ],
    [
      'part of them',
      [begun, { at: minute, usage: used(8_000, 12_400), model: 'claude-opus-5-5' }],
      { why: 'model-switched', tokens: 12_000 },
    ],
    ['nothing, where so few are missing that blocks may end there', [begun, { at: minute, usage: used(19_000) }], null],
    [
      'nothing, of a provider that reported no cache',
      [
        { at: 0, usage: used(0, 0, { input: 20_000 }) },
        { at: 6 * minute, usage: used(0, 0, { input: 20_100 }) },
      ],
      null,
    ],
    [
      'no idle time, where a side request came in between',
      [begun, { at: 4 * minute, usage: used(20_000), kind: 'probe' }, { at: 6 * minute, usage: used(0, 20_400) }],
      { why: 'not-known', tokens: 20_000 },
    ],
    [
      'nothing, of the sum of several requests; what was there before them is asked for after them',
      [begun, { at: minute, usage: used(0, 90_000), summed: true }, { at: 2 * minute, usage: used(20_000, 70_000) }],
      null,
    ],
    [
      'only what one request put there',
      [begun, { at: minute, usage: used(40_000, 10_000), summed: true }, { at: 9 * minute, usage: used(0, 60_000) }],
      { why: 'idle', idle: { ms: 8 * minute, keptMs: 5 * minute }, tokens: 20_000 },
    ],
    ['nothing, of another session', [begun, { at: 6 * minute, usage: used(0, 20_400), session: 'other' }], null],
    ['nothing, of a sub-agent', [begun, { at: 6 * minute, usage: used(0, 20_400), kind: 'subagent' }], null],
  ])('shows %s', (_, requests, expected) => expect(prompts(requests).found.at(-1)).toEqual(expected))

  it('tells when the cache is cold, from the beginning of the last request on', () => {
    expect(prompts([begun, { at: 2 * minute, took: minute, usage: used(20_000) }]).coldAt).toBe(6 * minute)
    expect(prompts([{ at: 0, usage: used(0) }]).coldAt).toBe(null)
    expect(prompts([{ ...begun, content: 'no mark' }]).coldAt).toBe(null)
  })
})
