import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../../shared/testing/runs.ts'
import { framesIn } from '../../answer/sse-frames.ts'
import type { AnswerEvent } from '../../canonical/answer.ts'
import { plainChunks } from './plain-chunks.ts'
import { readStream } from './read-stream.ts'

/** Returns the canonical events of a stream, and what was recorded as lost. */
function read(chunks: readonly string[]): { events: AnswerEvent[]; dropped: string[] } {
  const events: AnswerEvent[] = []
  const dropped = new Set<string>()
  const reader = readStream({
    emit: (event) => events.push(event),
    dropped: (name) => dropped.add(name),
    unshown: (name) => dropped.add(`unshown ${name}`),
    newId: (prefix) => `${prefix}1`,
  })
  for (const frame of framesIn(Buffer.from(chunks.map((chunk) => `data: ${chunk}\n\n`).join('')))) reader.event(frame)
  reader.end()
  return { events, dropped: [...dropped] }
}

/** The same chunks, each with as many blanks as none before it: no two are alike. */
const different = (chunks: readonly string[]): string[] =>
  chunks.map((chunk, i) => (chunk.startsWith('{') ? `{${' '.repeat(i + 1)}${chunk.slice(1)}` : chunk))

const chunk = (delta: unknown, members: object = {}, choice: object = {}): string =>
  JSON.stringify({ id: 'a', created: 5, ...members, choices: [{ index: 0, delta, finish_reason: null, ...choice }] })
const says = (content: unknown, members: object = {}) => chunk({ content }, members)
const call = (args: string, name?: string) =>
  chunk({
    tool_calls: [{ index: 0, ...(name ? { id: 'c' } : {}), function: { ...(name ? { name } : {}), arguments: args } }],
  })

const pieces: readonly string[] = [
  says('one '),
  says('"two"\n'),
  says('保存 😀 \ud83d'),
  says(''),
  says(null),
  says([{ type: 'text', text: 'part' }]),
  says('again').replace('again', 'bad \\x escape'),
  says('first').replace('"content"', '"content":"x","content"'),
  chunk({ role: 'assistant', content: 'with a role' }),
  chunk({ role: 'assistant', content: 'of another' }, { id: 'b' }),
  says('of no id', { id: null }),
  chunk({ content: 'thought', reasoning_content: 'because' }),
  chunk({ content: '<thought>so', extra_content: { google: { thought: true } } }),
  says('end</thought>said'),
  says('counted', { usage: { prompt_tokens: 1, completion_tokens: 2 } }),
  says('cited', { citations: ['https://example.com'] }),
  chunk({ content: 'second' }, {}, { index: 1 }),
  chunk({ content: 'likely' }, {}, { logprobs: { content: [] } }),
  chunk({ content: 'last' }, {}, { finish_reason: 'stop' }),
  call('{"a":', 'run'),
  call('1}'),
  says('failed', { error: { message: 'no more' } }),
  JSON.stringify({ id: 'a', choices: [], usage: { prompt_tokens: 1, completion_tokens: 3 } }),
  'no json',
  '[DONE]',
]

describe('a stream whose chunks are alike', () => {
  it('is read as one whose chunks are not', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: pieces.length - 1 }), fc.integer({ min: 1, max: 3 })), {
          maxLength: 14,
        }),
        (drawn) => {
          const chunks = drawn.flatMap(([at, times]) => Array.from({ length: times }, () => pieces[at] ?? ''))
          expect(read(chunks)).toEqual(read(different(chunks)))
        },
      ),
      runs(400),
    )
  })

  it('is parsed no further', () => {
    const plain = plainChunks()
    const [first, second, ...others] = framesIn(
      Buffer.from(
        [
          says('one'),
          says('a "second" 保'),
          says('x', { created: 6 }),
          chunk({ content: 'x', refusal: 'no' }),
          '[DONE]',
        ]
          .map((one) => `data: ${one}\n\n`)
          .join(''),
      ),
    )
    if (!first || !second) throw new Error('no frames')
    const value = first.value() ?? {}
    expect(plain.wordsIn(first)).toBeNull()
    plain.read(first, value, (value['choices'] as Record<string, unknown>[])[0] ?? {})
    expect(plain.wordsIn(second)).toBe('a "second" 保')
    expect(others.map((frame) => plain.wordsIn(frame))).toEqual([null, null, null])
  })
})
