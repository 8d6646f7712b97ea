import { describe, expect, it } from 'vitest'
import { converted } from '../canonical/testing/converted.ts'
import { codecOf } from '../index.ts'
import { heardOf } from '../testing/heard-of.ts'
import type { JsonObject } from '../values.ts'
import { observing } from '../testing/observing.ts'

const line = (data: JsonObject): string => `data: ${JSON.stringify(data)}\n\n`
const frame = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm' }
const words = (content: string, more: JsonObject = {}): string =>
  line({ ...frame, choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more })
const usage = { usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } }
const counts = line({ ...frame, choices: [], ...usage })
const done = 'data: [DONE]\n\n'
const role = (more: JsonObject = {}): string =>
  line({ ...frame, choices: [{ index: 0, delta: { role: 'assistant', content: '' } }], ...more })

/** Streams that end without a finish reason: usage after the last word shows that they are whole. */
const streams: [string, string, boolean][] = [
  ['usage behind the words', words('one ') + words('two') + counts + done, true],
  ['usage behind the words, and again', words('one ') + words('two') + counts + counts + done, true],
  ['usage in a last delta without words', words('one ') + words('two') + words('', usage) + done, true],
  [
    'what llama.cpp measured behind the words',
    words('one') + words('', { timings: { prompt_n: 3, predicted_n: 4 } }) + done,
    false,
  ],
  ['usage in the first chunk only', role(usage) + words('one ') + words('two') + done, false],
  ['usage beside the first words only', words('one ', usage) + words('two') + done, false],
  ['usage in every chunk', words('one ', usage) + words('two ', usage) + words('three', usage) + done, false],
  ['usage in front of the last words', words('one ') + counts + words('two') + done, false],
  [
    'usage in front of words in parts',
    words('one ') +
      counts +
      line({ ...frame, choices: [{ index: 0, delta: { content: [{ type: 'text', text: 'two' }] } }] }) +
      done,
    false,
  ],
  ['no usage', words('one ') + words('two') + done, false],
]

describe.each(streams)('a stream without a finish reason, with %s', (_, bytes, whole) => {
  it(`is ${whole ? 'whole' : 'cut short'} to who reads along`, () => {
    const observer = observing(codecOf('chat'), 'text/event-stream', 200)
    observer.push(Buffer.from(bytes))
    expect(observer.finish(false).finish).toBe(whole ? 'stop' : 'incomplete')
  })

  it.each(['messages', 'responses', 'gemini'] as const)(
    `is ${whole ? 'whole' : 'an error'} for a client of %s`,
    (to) => {
      for (const wants of ['stream', 'body'] as const) {
        const { text, error } = converted('chat', to, bytes, { as: 'stream', wants })
        if (whole) expect(heardOf(to, text, wants === 'stream').end).toMatchObject({ reason: 'stop' })
        else expect(error).toContain('upstream-broke-off')
      }
    },
  )
})
