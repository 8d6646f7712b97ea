import { describe, expect, it } from 'vitest'
import type { RequestKind } from '../../../shared/words.ts'
import { codecOf } from '../protocol/index.ts'
import { personTexts } from '../sessions/identify/person-text.ts'
import { createRunBeginnings } from './record-turn.ts'
import { draftOf, noOverrides, type ReceiptMatch, type Turn } from './turn.ts'

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
