import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entryProtocols, type EntryProtocol } from '../../../shared/words.ts'
import { runs } from '../../../shared/testing/runs.ts'
import { heardOf, problemsOf, requestOf, userItem } from '../pipeline/testing/client-view.ts'
import { roundsScene } from '../pipeline/testing/rounds-scene.ts'
import { jsonType, streamType, type Says, type UpstreamRound } from '../pipeline/testing/scripted-upstream.ts'
import { lookTool } from '../pipeline/testing/slow-tool.ts'
import { emptyReplyContinue } from '../servertools/empty-reply.ts'
import { answerTo, type HttpAnswer } from './testing/http-answer.ts'
import { openGateway } from './testing/open-gateway.ts'
import { post } from './testing/raw-client.ts'

const inners = ['none', 'hidden tool', 'empty reply', 'reenter'] as const
type Inner = (typeof inners)[number]

/** How a provider sends one round. `cuts`: where the bytes are cut; `told`: with headers that describe its bytes. */
interface Form {
  as: 'stream' | 'json'
  told: boolean
  labelled: boolean
  /** with empty lines in front of it, as DeepSeek keeps a connection alive */
  blanks: boolean
  cuts: readonly number[]
}
interface Case {
  client: EntryProtocol
  provider: EntryProtocol
  stream: boolean
  inner: Inner
  forms: readonly Form[]
}

const firstSays: Readonly<Record<Inner, Says>> = {
  none: { text: 'The last words.' },
  'hidden tool': { text: 'First.', toolCalls: [{ name: 'look', id: 'call_a', input: {} }] },
  'empty reply': {},
  reenter: { text: 'First.' },
}

const paths = (entry: EntryProtocol, stream: boolean): string =>
  entry === 'gemini'
    ? `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
    : { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' }[entry]

function send(round: UpstreamRound, says: Says, { as, told, labelled, blanks, cuts }: Form): void {
  const bytes = Buffer.from(
    (blanks ? '\n\n' : '') + (as === 'stream' ? round.events(says).join('') : round.whole(says)),
  )
  round.head(200, labelled ? (as === 'stream' ? streamType : jsonType) : 'application/octet-stream', {
    ...(told ? { 'content-length': String(bytes.length), ...aboutBytes } : {}),
    'x-vendor': 'theirs',
  })
  let from = 0
  for (const at of [...cuts].map((cut) => cut % bytes.length).sort((a, b) => a - b)) {
    round.data(bytes.subarray(from, at))
    from = at
  }
  round.data(bytes.subarray(from))
  round.end()
}

/** Facts of the very bytes the provider sent (RFC 9530; RFC 9110, 8.8.3). */
const aboutBytes = {
  etag: '"abc"',
  'content-md5': 'Q2hlY2sgSW50ZWdyaXR5IQ==',
  'content-digest': 'sha-256=:YWJj:',
  'repr-digest': 'sha-256=:YWJj:',
  digest: 'SHA-256=YWJj',
  'accept-ranges': 'bytes',
}

async function play({ client, provider, stream, inner, forms }: Case): Promise<{ answer: HttpAnswer; rounds: number }> {
  let followups = inner === 'reenter' ? 1 : 0
  const scene = await roundsScene(client, {
    provider,
    tools: [lookTool(), emptyReplyContinue],
    ...(inner === 'reenter' ? { next: async () => (followups-- > 0 ? { text: 'Continue.' } : null) } : {}),
  })
  const gateway = await openGateway({ runTurn: scene.run })
  try {
    const request = requestOf(client, [userItem(client, 'Hi')], client === 'gemini' ? {} : { stream })
    const answer = answerTo(gateway.port, post(paths(client, stream), JSON.stringify(request), ['Connection: close']))
    for (const [i, form] of (inner === 'none' ? forms.slice(0, 1) : forms).entries())
      send(await scene.upstream.round(i + 1), i === 0 ? firstSays[inner] : { text: 'The last words.' }, form)
    return { answer: await answer, rounds: scene.upstream.rounds.length }
  } finally {
    await gateway.dispose()
  }
}

/** What a client can't live with in the answer; empty: nothing. */
function faultsOf(entry: EntryProtocol, { status, headers, body, whole }: HttpAnswer): string[] {
  const text = body.toString().trimStart()
  const isStream = !text.startsWith('{')
  const length = headers['content-length']
  return [
    ...(status === 200 ? [] : [`status ${status}`]),
    ...(length === undefined || length === String(body.length) ? [] : [`says ${length}, sends ${body.length}`]),
    ...(whole ? [] : ['has no last chunk']),
    ...problemsOf(entry, text, isStream),
    ...(heardOf(entry, text, isStream).text.includes('The last words.') ? [] : ['lacks its last words']),
  ]
}

describe('the length of an answer', () => {
  it.each(inners)('is that of its bytes where the client streams, the provider does not: %s', async (inner) => {
    const forms = [
      { as: 'json', told: true, labelled: true, blanks: false, cuts: [] },
      { as: 'json', told: true, labelled: true, blanks: false, cuts: [] },
    ] as const
    const { answer, rounds } = await play({ client: 'messages', provider: 'chat', stream: true, inner, forms })
    expect(rounds).toBe(inner === 'none' ? 1 : 2)
    expect(faultsOf('messages', answer)).toEqual([])
  })

  const form = (as: fc.Arbitrary<Form['as']>): fc.Arbitrary<Form> =>
    fc.record({
      as,
      told: fc.boolean(),
      labelled: fc.boolean(),
      blanks: fc.boolean(),
      cuts: fc.array(fc.nat(2_000), { maxLength: 4 }),
    })
  const either = fc.constantFrom('stream', 'json') satisfies fc.Arbitrary<Form['as']>

  it.each(entryProtocols.flatMap((client) => entryProtocols.map((provider) => [client, provider] as const)))(
    'is that of its bytes in every form, whatever is sent within: a %s client, a %s provider',
    async (client, provider) => {
      await fc.assert(
        fc.asyncProperty(
          fc.boolean(),
          fc.constantFrom(...inners),
          form(either),
          form(either),
          async (stream, inner, first, other) => {
            // What is not converted goes on in the form that the client has of it.
            const second = client === provider ? { ...other, as: first.as } : other
            // An unlabelled stream for a client that wants one body goes by unread where nothing is converted.
            const label = client === provider && !stream && first.as === 'stream'
            const forms = [first, second].map((one) => (label ? { ...one, labelled: true } : one))
            const { answer, rounds } = await play({ client, provider, stream, inner, forms })
            expect(faultsOf(client, answer)).toEqual([])
            expect(rounds).toBe(inner === 'none' ? 1 : 2)
            if (inner !== 'none')
              for (const name of Object.keys(aboutBytes)) expect(answer.headers).not.toHaveProperty(name)
          },
        ),
        runs(100),
      )
    },
  )

  it.each(entryProtocols)(
    'is true where a %s provider changes its form between rounds, and the answer ends',
    async (client) => {
      await fc.assert(
        fc.asyncProperty(
          fc.boolean(),
          fc.constantFrom(...inners.filter((inner) => inner !== 'none')),
          form(either),
          form(either),
          async (stream, inner, first, other) => {
            const second = { ...other, as: first.as === 'json' ? ('stream' as const) : ('json' as const) }
            const forms = [first, second].map((one) => ({ ...one, labelled: true }))
            const { answer, rounds } = await play({ client, provider: client, stream, inner, forms })
            const { headers, body, whole } = answer
            expect(rounds).toBe(2)
            expect([whole, headers['content-length'] ?? `${body.length}`]).toEqual([true, `${body.length}`])
          },
        ),
        runs(40),
      )
    },
  )
})
