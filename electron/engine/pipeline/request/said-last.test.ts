import { expect, it } from 'vitest'
import { chatCodec } from '../../protocol/chat/codec.ts'
import { saidLast } from './said-last.ts'

const body = Buffer.from(
  JSON.stringify({
    model: 'm',
    messages: [
      { role: 'user', content: 'write it <**sm:on**>' },
      { role: 'user', content: "<system-reminder>\nToday's date is 2026-11-23.\n</system-reminder>" },
    ],
  }),
)

it('takes what a person said to Kimi Code for the last message, not the reminder behind it', () => {
  const lens = saidLast(chatCodec.read(body), 'kimi')
  expect(lens.lastMessage()).toEqual({ role: 'user', index: 0, texts: ['write it <**sm:on**>'] })
  expect(lens.asked()).toHaveLength(2)
})

it('changes nothing for clients that put none there', () => {
  const lens = chatCodec.read(body)
  expect(saidLast(lens, 'qwen')).toBe(lens)
  expect(saidLast(lens, null)).toBe(lens)
})
