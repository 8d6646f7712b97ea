import { expect, it } from 'vitest'
import { nextConversation, type TerminalConversation } from './terminal-conversation.ts'

const ask = (
  known: TerminalConversation | null,
  first: string,
  restarted: boolean,
  continues: boolean | null = null,
  failed = false,
) =>
  nextConversation(known, {
    kind: 'turn',
    first,
    restarted: () => restarted,
    continues: () => continues,
    failed: () => failed,
  })

it('a conversation that a person resumed is the earlier one of its terminal, or a new one', () => {
  const one = ask(null, 'apples', true)
  const two = ask(one, 'pears', true)
  expect([one?.n, two?.n]).toEqual([1, 2])

  const back = ask(two, 'apples', false, false)
  expect(back?.n).toBe(1)
  expect(ask(back, 'apples', false, true)?.n).toBe(1)
  expect(ask(back, 'pears', false, false)?.n).toBe(2)
  expect(ask(back, 'plums', false, false)?.n).toBe(3)
  expect(ask(ask(back, 'plums', false, false), 'cherries', true)?.n).toBe(4)
})

it('a history that was only cut off at its front is the same conversation, and so is one that can’t be told', () => {
  const one = ask(null, 'apples', true)
  expect(ask(one, 'later words', false, true)?.n).toBe(1)
  expect(ask(one, 'later words', false, null)?.n).toBe(1)
})

it('is the same after its first turn failed, which its client drops', () => {
  const one = ask(null, 'apples', true)
  const on = ask(one, 'go on', true, false, true)
  expect(on?.n).toBe(1)
  expect(ask(on, 'pears', true, false)?.n).toBe(2)
})

it('is known again after a hundred others, and no number is given twice', () => {
  const before = Array.from({ length: 100 }, (_, n) => `subject ${n}`)
  const last = before.reduce<TerminalConversation | null>((known, first) => ask(known, first, true), null)
  expect(last?.n).toBe(100)
  const back = ask(last, 'subject 4', false, false)
  expect(back?.n).toBe(5)
  const forgotten = back && { ...back, earlier: back.earlier?.slice(0, 3) }
  expect(ask(forgotten, 'something else', true)?.n).toBe(101)
})

it('is none of two that began alike, unless what was said last tells which', () => {
  const begun = ask(ask(ask(null, 'hi', true), 'apples', true), 'hi', true)
  const elsewhere = ask(begun, 'apples', false, false)
  expect([begun?.n, elsewhere?.n]).toEqual([3, 2])
  const facts = { kind: 'turn', first: 'hi', restarted: () => false, failed: () => false } as const
  expect(nextConversation(elsewhere, { ...facts, continues: (n) => n === 1 })?.n).toBe(1)
  expect(nextConversation(elsewhere, { ...facts, continues: () => false })?.n).toBe(4)
})
