import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../../shared/testing/runs.ts'
import { requestOf, withoutThinking } from '../../testing/hand-back.ts'
import { validateMessagesRequest } from '../../testing/validate-messages-request.ts'
import { asList, asObject, type JsonObject } from '../../values.ts'
import { wireProtocols, type WireProtocol } from '../request.ts'
import { saidIn, sent, talked, type Keep, type Said } from './testing/conversation.ts'

const pairs = wireProtocols.flatMap((client) =>
  wireProtocols.filter((provider) => provider !== client).map((provider) => ({ client, provider })),
)

/** Words that no writer leaves out, with blanks that a client might trim. */
const words = fc
  .tuple(fc.constantFrom('', ' ', '\n'), fc.constantFrom('Look', 'Done.', '世界 👋', 'a b'))
  .map((t) => t.join(''))
const block = (provider: WireProtocol) =>
  fc.record({
    kind: fc.constantFrom<Said['kind'][]>(
      ...(provider === 'messages'
        ? (['thinking', 'redacted', 'text', 'call'] as const)
        : (['thinking', 'text', 'call'] as const)),
    ),
    text: words,
  })
const phases = ['commentary', 'final_answer'] as const
/** Answers as the provider makes them: never thinking at the end, and something sealed in each. */
const answersOf = (provider: WireProtocol) =>
  fc
    .array(fc.tuple(fc.array(block(provider), { maxLength: 5 }), fc.nat(5), words, fc.boolean()), {
      minLength: 1,
      maxLength: 4,
    })
    .map((list) => {
      let n = 0
      return list.map(([blocks, at, text, calls]) => {
        const thinking = { kind: 'thinking', text } as const
        const end = { kind: calls ? 'call' : 'text', text } as const
        const all = inOrder(provider, [...blocks.toSpliced(at, 0, thinking), end])
        return all.map((said): Said => ({
          ...said,
          n: n++,
          ...(provider === 'responses' && said.kind === 'text' ? { phase: phases[said.text.length % 2] ?? '' } : {}),
        }))
      })
    })

/** Puts blocks in an order that a provider can say: Chat and Gemini think once and in front, their calls come last. */
function inOrder(provider: WireProtocol, blocks: readonly Omit<Said, 'n'>[]): Omit<Said, 'n'>[] {
  const of = (...kinds: Said['kind'][]) => blocks.filter(({ kind }) => kinds.includes(kind))
  if (provider === 'messages' || provider === 'responses') return [...blocks]
  const text = of('text').slice(0, 1)
  const signed = provider === 'gemini' && text.length > 0 ? [{ kind: 'redacted', text: '' } as const] : []
  return [...of('thinking').slice(0, 1), ...text, ...signed, ...of('call')]
}

const drops =
  (client: WireProtocol): Keep =>
  (items) =>
    withoutThinking(client, items)
const only = (answer: readonly Said[], of: Said['kind']): Said[] => answer.filter(({ kind }) => kind === of)
const without = (answer: readonly Said[], of: Said['kind']): Said[] => answer.filter(({ kind }) => kind !== of)
const keeps: Keep = (items) => [...items]

describe.each(pairs)('$client over $provider', ({ client, provider }) => {
  it('a client that drops everything: the provider gets its answers as it made them', () => {
    fc.assert(
      fc.property(answersOf(provider), (answers) => {
        const talk = talked(client, provider, answers, drops(client))
        const { body, lost } = sent(client, provider, talk)
        expect(saidIn(provider, body)).toEqual(saidIn(provider, requestOf(provider, talk.truth)))
        expect(lost).toBe(false)
        if (provider === 'messages') expect(validateMessagesRequest(body)).toEqual([])
      }),
      runs(60),
    )
  })

  it('a client that keeps everything: nothing changes, and nothing is kept for it', () => {
    fc.assert(
      fc.property(answersOf(provider), (made) => {
        // A Chat client can't say that its model called something before it spoke.
        const answers =
          client === 'chat' ? made.map((answer) => [...without(answer, 'call'), ...only(answer, 'call')]) : made
        const talk = talked(client, provider, answers, keeps)
        const { request, read, handedBack } = sent(client, provider, talk)
        expect(request).toBe(read)
        expect(handedBack).toHaveLength(talk.answers.length)
      }),
      runs(40),
    )
  })

  it('a client that drops some: each seal is there once', () => {
    fc.assert(
      fc.property(answersOf(provider), fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (answers, dropped) => {
        const talk = talked(client, provider, answers, (items, n) =>
          dropped[n] ? withoutThinking(client, items) : [...items],
        )
        const said = JSON.stringify(sent(client, provider, talk).body)
        if (provider === 'chat') return
        const seals = talk.answers.flatMap(({ pieces }) =>
          pieces.flatMap((piece) =>
            piece.type !== 'text' && piece.seal && !piece.seal.phase ? [JSON.stringify(piece.seal.data)] : [],
          ),
        )
        expect(seals.map((seal) => said.split(seal).length - 1)).toEqual(seals.map(() => 1))
      }),
      runs(40),
    )
  })

  it('a client that changes the words: thinking comes back with its calls, in front', () => {
    fc.assert(
      fc.property(answersOf(provider), (answers) => {
        const talk = talked(client, provider, answers, (items) => edited(client, withoutThinking(client, items)))
        const { body, lost } = sent(client, provider, talk)
        if (provider === 'messages') {
          expect(validateMessagesRequest(body)).toEqual([])
          for (const message of asList(body['messages'])) expectThinkingInFront(asObject(message) ?? {}, talk.answers)
        }
        // Words alone are not found again once they are others.
        const gone = talk.answers.some(({ calls }) => calls === null)
        if (gone) expect(lost).toBe(true)
      }),
      runs(40),
    )
  })
})

/** Adds a character to every text of the client's copy. */
function edited(client: WireProtocol, items: readonly JsonObject[]): JsonObject[] {
  const louder = (value: unknown): unknown =>
    typeof value === 'string' && value !== ''
      ? `${value}!`
      : Array.isArray(value)
        ? value.map((part: unknown) => {
            const text = asObject(part)?.['text']
            return typeof text === 'string' ? { ...asObject(part), text: `${text}!` } : part
          })
        : value
  const name = client === 'gemini' ? 'parts' : 'content'
  return items.map((item) => (item[name] === undefined ? item : { ...item, [name]: louder(item[name]) }))
}

function expectThinkingInFront(message: JsonObject, answers: ReturnType<typeof talked>['answers']): void {
  const blocks = asList(message['content']).map((entry) => asObject(entry) ?? {})
  const id = blocks.find((entry) => entry['type'] === 'tool_use')?.['id']
  const answer = answers.find(({ pieces }) => pieces.some((piece) => piece.type === 'call' && piece.id === id))
  if (message['role'] === 'assistant' && answer?.pieces[0]?.type === 'thinking')
    expect(blocks[0]?.['type']).toMatch(/thinking/)
}
