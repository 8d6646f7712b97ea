import { describe, expect, it } from 'vitest'
import type { Message } from '../../canonical/request.ts'
import { noText, placeThinking, textSoFar } from './place-thinking.ts'

type AssistantPart = Extract<Message, { role: 'assistant' }>['parts'][number]

/** `text`: what had been said when it came */
const thought = (text: string, at: { text?: string; calls?: number } = {}) => ({
  part: { type: 'thinking' as const, text, seal: null },
  text: at.text === undefined ? noText : textSoFar(at.text).now(),
  calls: at.calls ?? 0,
})
const words = (text: string): AssistantPart => ({ type: 'text', text })
const call = (name: string): AssistantPart => ({
  type: 'tool-call',
  id: name,
  name,
  arguments: '{}',
  custom: false,
  seal: null,
})
const spoken = (parts: readonly AssistantPart[]): string[] =>
  parts.map((part) =>
    part.type === 'tool-call'
      ? `${part.name}()`
      : part.type === 'thinking'
        ? `<${part.text}>`
        : part.type === 'text'
          ? part.text
          : '',
  )

describe('thoughts of an answer that Chat keeps apart', () => {
  it.each([
    ['in front of everything', [thought('a'), thought('b')], [words('Hi'), call('x')], ['<a>', '<b>', 'Hi', 'x()']],
    ['between words', [thought('a'), thought('b', { text: 'One' })], [words('One.Two')], ['<a>', 'One', '<b>', '.Two']],
    ['behind the words', [thought('a', { text: 'Hi' })], [words('Hi')], ['Hi', '<a>']],
    ['between words and a call', [thought('a', { text: 'Hi' })], [words('Hi'), call('x')], ['Hi', '<a>', 'x()']],
    [
      'between calls',
      [thought('a'), thought('b', { text: 'Hi', calls: 1 }), thought('c', { text: 'Hi', calls: 2 })],
      [words('Hi'), call('x'), call('y'), call('z')],
      ['<a>', 'Hi', 'x()', '<b>', 'y()', '<c>', 'z()'],
    ],
    [
      'between a call and words behind it',
      [thought('a'), thought('b', { calls: 1 })],
      [words('Hi'), call('x')],
      ['<a>', 'x()', '<b>', 'Hi'],
    ],
    ['behind the last call', [thought('a', { calls: 1 })], [call('x')], ['x()', '<a>']],
    [
      'in front of words that a client has changed',
      [thought('a', { text: 'Hello' }), thought('b', { text: 'Hello', calls: 1 })],
      [words('Something else'), call('x')],
      ['<a>', 'Something else', 'x()', '<b>'],
    ],
    [
      'of a client that has cut what was said',
      [thought('a', { text: 'Hi, all of you' }), thought('b', { text: 'Hi, all of you', calls: 3 })],
      [words('Hi'), call('x')],
      ['<a>', 'Hi', 'x()', '<b>'],
    ],
  ])('stand again %s', (_name, thoughts, said, expected) => {
    expect(spoken(placeThinking(thoughts, said))).toEqual(expected)
  })
})
