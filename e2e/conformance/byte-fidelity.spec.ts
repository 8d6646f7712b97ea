/** Every byte both ways, through the real engine, by property. */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allEntries, bodyOf, pathOf, providersFor, type TestEntry } from '../support/entries.ts'
import { removeHomes } from '../support/engine-process.ts'
import { startEngineForTest, type EngineForTest } from '../support/engine.ts'
import { gate, raw, startMockUpstream, type MockUpstream } from '../support/mock-upstream/index.ts'
import { call, post } from '../support/post.ts'
import { anyValue, cutsOf, inPieces, objectOf, oddMembers, space, stringToken } from '../support/raw-json.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { runs } from '../../shared/testing/runs.ts'

let mock: MockUpstream
let engine: EngineForTest
beforeAll(async () => {
  mock = await startMockUpstream()
  engine = await startEngineForTest({
    clock: { timeTag: false },
    servertools: { enabled: false },
    ...providersFor(mock, 'sk-upstream', allEntries),
    routing: { failures: 1_000 },
  })
})
afterAll(async () => {
  await engine.dispose()
  await mock.dispose()
  removeHomes()
})
const lastBody = (): Buffer => mock.requests.at(-1)?.body ?? Buffer.alloc(0)
const answers = (parts: readonly (string | Buffer)[], contentType: string, status = 200): void => {
  mock.script(() => raw(parts, { status, headers: { 'content-type': contentType, 'x-odd': 'kept' } }))
}

describe.each(allEntries)('$entry', (door) => {
  it('a request goes up as it came, whatever its JSON looks like and however it is cut', async () => {
    answers(['{}'], 'application/json')
    const request = fc
      .tuple(requestText(door), space, space)
      .map(([text, before, after]) => Buffer.from(before + text + after))
      .chain((bytes) => fc.tuple(fc.constant(bytes), cutsOf(bytes.length)))
    await fc.assert(
      fc.asyncProperty(request, fc.boolean(), async ([bytes, cuts], chunked) => {
        const answer = await post(engine, door.path, bytes, { cuts, chunked, headers: door.headers })
        expect(answer.body.toString()).toBe('{}')
        expect(lastBody().toString()).toBe(bytes.toString())
        expect(lastBody().equals(bytes)).toBe(true)
      }),
      runs(40),
    )
  })

  it('a whole answer comes down as it was, JSON or not, good or bad', async () => {
    const contentType = fc.constantFrom(
      'application/json',
      'application/json; charset=utf-8',
      'text/html',
      'application/octet-stream',
      'application/problem+json',
    )
    const body = fc.oneof(
      fc.tuple(space, anyValue, space).map((parts) => Buffer.from(parts.join(''))),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom('', '<html>', '{"half":', '\u{feff}{}').map((text) => Buffer.from(text)),
    )
    const answer = fc.tuple(
      body.chain((bytes) => fc.tuple(fc.constant(bytes), cutsOf(bytes.length))),
      contentType,
      fc.constantFrom(200, 200, 201, 400, 404, 418, 422),
      fc.boolean(),
    )
    await fc.assert(
      fc.asyncProperty(answer, async ([[bytes, cuts], type, status, stream]) => {
        answers(inPieces(bytes, cuts), type, status)
        const got = await post(
          engine,
          pathOf(door, stream && status >= 400),
          bodyOf(door, ['Hi'], stream && status >= 400 ? { stream } : {}),
          { headers: door.headers },
        )
        expect([got.status, got.headers['content-type'], got.headers['x-odd'], got.whole]).toEqual([
          status,
          type,
          'kept',
          true,
        ])
        expect(got.body.toString('latin1')).toBe(bytes.toString('latin1'))
      }),
      runs(40),
    )
  })

  it('a stream comes down as it was: unknown events, comments, any line ends, cut anywhere', async () => {
    const contentType = fc.constantFrom(
      'text/event-stream',
      'text/event-stream; charset=utf-8',
      'Text/Event-Stream',
      'text/plain',
      'application/json',
    )
    const stream = fc
      .tuple(
        fc.array(oddEvent, { maxLength: 8 }),
        fc.constantFrom('', ': the end\n\n', 'data: more\r\n\r\n', 'data: unfinished', ':'),
      )
      .map(([events, after]) => ({ answer: Buffer.from(events.join('') + door.lastEvent), after: Buffer.from(after) }))
      .chain((sent) => fc.tuple(fc.constant(sent), cutsOf(sent.answer.length + sent.after.length)))
    await fc.assert(
      fc.asyncProperty(stream, contentType, async ([{ answer, after }, cuts], type) => {
        const bytes = Buffer.concat([answer, after])
        answers(inPieces(bytes, cuts), type)
        const got = await post(engine, pathOf(door, true), bodyOf(door, ['Hi'], { stream: true }), {
          headers: door.headers,
        })
        expect([got.status, got.headers['content-type'], got.whole]).toEqual([200, type, true])
        // Nobody waits for what stands behind the last word.
        expect(got.body.length).toBeGreaterThanOrEqual(answer.length)
        expect(got.body.toString('latin1')).toBe(bytes.toString('latin1', 0, got.body.length))
      }),
      runs(40),
    )
  })

  it('large bodies too, also single events and JSON larger than is ever held', async () => {
    const body = bodyOf(door, ['世界 '.repeat(600_000)], { stream: true })
    const events = `data: {"long":"${'é'.repeat(1_500_000)}"}\n\n${door.lastEvent}`
    answers([events], 'text/event-stream')
    const streamed = await post(engine, pathOf(door, true), body, { headers: door.headers })
    expect(lastBody().equals(Buffer.from(body))).toBe(true)
    expect(streamed.body.equals(Buffer.from(events))).toBe(true)
    const json = `{"long":"${'é'.repeat(5_000_000)}"}\n`
    answers([json], 'application/json')
    expect(
      (await post(engine, door.path, bodyOf(door, ['Hi']), { headers: door.headers })).body.equals(Buffer.from(json)),
    ).toBe(true)
  })

  it('a compressed answer that nobody asked for comes down as its plain bytes', async () => {
    for (const [type, text] of [
      ['text/event-stream', `data: {"a":1}\n\n${door.lastEvent}`],
      ['application/json', '{"a":1}'],
    ] as const) {
      const zipped = gzipSync(text)
      mock.script(() =>
        raw(inPieces(zipped, [7, 20]), { headers: { 'content-type': type, 'content-encoding': 'gzip' } }),
      )
      const got = await post(engine, pathOf(door, type === 'text/event-stream'), bodyOf(door, ['Hi']), {
        headers: door.headers,
      })
      expect([got.headers['content-encoding'], got.body.toString()]).toEqual([undefined, text])
    }
  })

  it('a compressed request goes up as its plain bytes', async () => {
    answers(['{}'], 'application/json')
    const body = bodyOf(door, ['Hi, 世界'])
    await post(engine, door.path, gzipSync(body), { headers: { ...door.headers, 'content-encoding': 'gzip' } })
    expect(lastBody().toString()).toBe(body)
    expect(mock.requests.at(-1)?.headers['content-encoding']).toBeUndefined()
  })

  it.each(['text/event-stream', 'Text/Event-Stream', 'text/plain', ''])(
    'a stream labelled “%s” is passed on as it comes',
    async (type) => {
      const until = gate()
      const first = 'data: {"a":1}\n\n: still there\n'
      mock.script(() =>
        raw([first, { until }, door.lastEvent], { headers: type === '' ? {} : { 'content-type': type } }),
      )
      const asked = call(engine, pathOf(door, true), bodyOf(door, ['Hi'], { stream: true }), { headers: door.headers })
      await waitFor('the first event', () => asked.received().toString() === first)
      until.open()
      expect((await asked.answer).body.toString()).toBe(first + door.lastEvent)
    },
  )

  it('a marker anywhere in the history changes its own text and no other byte', async () => {
    answers(['{}'], 'application/json')
    const message = fc.oneof(
      fc.tuple(markedToken, fc.boolean()).map(([token, inParts]) => asMessage(door, '"user"', token, inParts)),
      // Markers of others stay: a model can't order anything, and its words are not ours to change.
      fc
        .tuple(markedToken, fc.constantFrom('"assistant"', '"system"'))
        .map(([{ sent }, role]) => asMessage(door, role, { sent, seen: sent }, false)),
    )
    const request = fc.tuple(fc.array(message, { minLength: 1, maxLength: 5 }), oddMembers).chain(([messages, odd]) =>
      objectOf([['"model"', '"m-1"'], ['"max_tokens"', '9'], [`"${door.list}"`, '@'], ...odd]).map((text) => ({
        sent: text.replace('@', () => `[${messages.map((m) => m.sent).join(' , ')}]`),
        seen: text.replace('@', () => `[${messages.map((m) => m.seen).join(' , ')}]`),
      })),
    )
    await fc.assert(
      fc.asyncProperty(
        request,
        fc.constantFrom<Record<string, string>>({}, { 'session-id': 'one' }, { 'session-id': 'two' }),
        async ({ sent, seen }, session) => {
          const answer = await post(engine, door.path, sent, { headers: { ...door.headers, ...session } })
          expect(answer.body.toString()).toBe('{}')
          expect(lastBody().toString()).toBe(seen)
        },
      ),
      runs(40),
    )
  })

  it('the same history gives the same bytes again, so that prompt caches hold', async () => {
    answers(['{}'], 'application/json')
    const said = fc.constantFrom(
      'Write it. ',
      '<**stopMessage:"go on",3**>',
      '<**stopMessage:clear**>',
      'Do this\n\n\n<**sm:on**>\n\n\nand that',
      '<**hello**>',
      'x <**clock:clear**> y <**clear**>',
      '`<**sm:off**>`',
      '世界 <**sm:"目标"**>',
      '<**sm:off**> <**!nobody**>',
    )
    let n = 0
    await fc.assert(
      fc.asyncProperty(fc.array(said, { minLength: 2, maxLength: 5 }), async (texts) => {
        const session = `${door.entry}-${++n}`
        const history: string[] = []
        let before: string | null = null
        for (const text of texts) {
          history.push(text)
          const seen = mock.requests.length
          const { status, body } = await post(engine, door.path, bodyOf(door, history), {
            headers: { ...door.headers, 'session-id': session },
          })
          expect([status, body.length > 0]).toEqual([200, true])
          if (mock.requests.length > seen) {
            const now = lastBody().toString()
            expect(now).not.toMatch(/<\*\*(?!sm:off\*\*>`)/)
            if (before !== null) expect(now.startsWith(before)).toBe(true)
            before = now.slice(0, -2)
          }
          history.push('Done.')
        }
      }),
      runs(15),
    )
  })
})

describe.each(allEntries)('headers: $entry', (door) => {
  it('of any vendor pass both ways, those of a connection, of Onward and of other origins do not', async () => {
    mock.script(() =>
      raw('{}', {
        headers: {
          'content-type': 'application/json',
          'X-Latin': 'caf\u00e9',
          'x-empty': '',
          'x-ratelimit-reset': '6m0s',
          'set-cookie': 'a=b',
          'strict-transport-security': 'max-age=1',
          connection: 'close, x-hop',
          'x-hop': '1',
        },
      }),
    )
    const sent = {
      'X-Latin': 'caf\u00e9',
      'x-empty': '',
      'x-many': 'a, b',
      'x-stainless-os': 'Linux',
      'user-agent': 'odd/1.0 (\u00fc)',
      'anthropic-beta': 'x-1',
      'openai-beta': 'responses=v1',
      'x-long': 'x'.repeat(6000),
    }
    const own = {
      cookie: 'a=b',
      'x-onward-key': engine.key,
      'x-tmux-session-id': 'none',
      te: 'trailers',
      'proxy-authorization': 'Basic x',
      'x-forwarded-for': '10.0.0.1',
    }
    const got = await post(engine, door.path, bodyOf(door, ['Hi']), { headers: { ...door.headers, ...sent, ...own } })
    const { headers: seen } = mock.requests.at(-1) ?? { headers: {} as Record<string, string> }
    const foreign = {
      messages: ['openai-beta'],
      chat: ['anthropic-beta'],
      responses: ['anthropic-beta'],
      gemini: ['openai-beta', 'anthropic-beta'],
    }[door.entry]
    for (const [name, value] of Object.entries(sent))
      expect([name, seen[name.toLowerCase()]]).toEqual([name, foreign.includes(name) ? undefined : value])
    for (const name of Object.keys(own)) expect([name, seen[name]]).toEqual([name, undefined])
    expect(got.headers).toMatchObject({ 'x-latin': 'caf\u00e9', 'x-empty': '', 'x-ratelimit-reset': '6m0s' })
    for (const name of ['set-cookie', 'strict-transport-security', 'x-hop'])
      expect([name, got.headers[name]]).toEqual([name, undefined])
    const until = gate()
    // The head comes with the first bytes: before them another provider might still answer.
    mock.script(() =>
      raw([': begins\n\n', { until }, door.lastEvent], {
        headers: { 'content-type': 'text/event-stream', 'x-latin': 'caf\u00e9' },
      }),
    )
    const streamed = call(engine, pathOf(door, true), bodyOf(door, ['Hi'], { stream: true }), { headers: door.headers })
    expect((await streamed.head).headers['x-latin']).toBe('caf\u00e9')
    until.open()
    await streamed.answer
  })
})

describe('many at once', () => {
  it('streams never mix', async () => {
    mock.script((request) => {
      const own = String(request.headers['x-own'])
      const last = allEntries.find((door) => own.startsWith(door.entry))?.lastEvent ?? ''
      return raw([...Array.from({ length: 20 }, (_, i) => `data: {"own":"${own}","i":${i}}\n\n`), last], {
        headers: { 'content-type': 'text/event-stream' },
      })
    })
    await Promise.all(
      allEntries.flatMap((door) =>
        Array.from({ length: 20 }, async (_, n) => {
          const own = `${door.entry}-${n}`
          const { body } = await post(engine, pathOf(door, true), bodyOf(door, ['Hi'], { stream: true }), {
            headers: { ...door.headers, 'x-own': own },
          })
          expect(body.toString()).toBe(
            `${Array.from({ length: 20 }, (_unused, i) => `data: {"own":"${own}","i":${i}}\n\n`).join('')}` +
              `${door.lastEvent}`,
          )
        }),
      ),
    )
  })
})

/** A text as a client writes it, and as its provider should see it. */
interface Token {
  sent: string
  seen: string
}

const plainPieces: readonly (readonly [written: string, text: string])[] = [
  ['a', 'a'],
  ['words and ', 'words and '],
  ['世界', '世界'],
  ['\\u00e4', 'ä'],
  ['\\ud83d', '\ud83d'],
  ['\\/', '/'],
  ['\\"', '"'],
  ['\\n', '\n'],
  ['\\\\', '\\'],
  ['👋', '👋'],
  ['\\u0007', '\u0007'],
]
const markers = [
  '<**hello**>',
  '\\u003c**no-such.model**>',
  '<**stopMessage:\\"go \\\\\\" on\\",2**>',
  '<\\u002a*sm:30x**>',
  '<**@nobody**\\u003e',
  '<**!\\nx**>',
  '<**clock:clear**>',
]
/** Never markers alone: what becomes of those is in the markers' own spec. */
const markedToken: fc.Arbitrary<Token> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...plainPieces).map(([written, text]) => ({ written, text, marker: false })),
      fc.constantFrom(...markers).map((written) => ({ written, text: '', marker: true })),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => {
    const sent = `"x${pieces.map((p) => `${p.written} .`).join('')}"`
    return {
      sent,
      seen: pieces.some((p) => p.marker) ? JSON.stringify(`x${pieces.map((p) => `${p.text} .`).join('')}`) : sent,
    }
  })

function asMessage(door: TestEntry, role: string, { sent, seen }: Token, inParts: boolean): Token {
  const write = (token: string): string =>
    door.entry === 'gemini'
      ? `{ "role":${role === '"assistant"' ? '"model"' : role},"parts" :[{"text": ${token} ,"zz":1.0}]}`
      : inParts
        ? `{ "role":${role},"content" :[{"type":"${door.textPart}", "text": ${token} ,"zz":1.0}]}`
        : `{"role":${role} , "content": ${token}}`
  return { sent: write(sent), seen: write(seen) }
}

/** Events of any vendor and any writer; each ends with a blank line of its own kind. */
const oddEvent = fc.oneof(
  fc.constantFrom(
    ': a comment\n\n',
    ':\n\n',
    ':no space\r\n\r\n',
    'event: made_up\nid: 7\nretry: 10\ndata: {"a":  1}\ndata: more\n\n',
    'data\n\n',
    'data:\n\n',
    'id\n\n',
    'event: ping\ndata: {"type": "ping"}\n\n',
    'data: {"x":1}\r\n\r\n',
    'data: {"x":1}\r\r',
    'data: a\rdata: b\r\n\r\n',
    '\n\n\n',
    '\r\n',
    '\u{feff}data: {}\n\n',
    'nonsense\n\n',
    'data: 世界👋\u2028\n\n',
    `data: {"long":"${'é'.repeat(3000)}"}\n\n`,
  ),
  anyValue.map((value) => `data: ${value.replaceAll(/[\r\n]/g, ' ')}\n\n`),
)

/** A request its provider would take, with members in any order and many that nobody knows. */
function requestText(door: TestEntry): fc.Arbitrary<string> {
  const text = stringToken.map((token) => `"x${token.slice(1)}`)
  const part = fc
    .tuple(text, oddMembers)
    .chain(([token, odd]) => objectOf([['"type"', `"${door.textPart}"`], ['"text"', token], ...odd]))
  const content = fc.oneof(
    text,
    fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `[ ${parts.join(' ,')}]`),
  )
  const gemini = door.entry === 'gemini'
  const parts = fc
    .array(
      fc.tuple(text, oddMembers).chain(([token, odd]) => objectOf([['"text"', token], ...odd])),
      { maxLength: 3 },
    )
    .map((list) => `[ ${list.join(' ,')}]`)
  const message = fc
    .tuple(
      fc.constantFrom('"user"', '"\\u0075ser"', gemini ? '"model"' : '"assistant"', '"system"'),
      gemini ? parts : content,
      oddMembers,
    )
    .chain(([role, text, odd]) => objectOf([['"role"', role], [gemini ? '"parts"' : '"content"', text], ...odd]))
  const conversation = fc
    .tuple(fc.array(message, { maxLength: 4 }), space)
    .map(([messages, between]) => `[${between}${messages.join(`,${between}`)}]`)
  return fc
    .tuple(conversation, oddMembers)
    .chain(([list, odd]) =>
      objectOf([
        ['"model"', '"m\\u002d1"'],
        [`"${door.list}"`, list],
        ['"max_tokens"', '1e2'],
        ['"stream"', 'false'],
        ['"temperature"', '0.10'],
        ...odd,
      ]),
    )
}
