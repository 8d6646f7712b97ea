import { describe, expect, it } from 'vitest'
import type { EventBody, TimelineEvent } from '../../shared/events.ts'
import { lastTools } from './last-tools.ts'
import { toolsText } from './tools-text.ts'

const event = (at: number, requestId: string, body: EventBody): TimelineEvent => ({
  id: `e${at}`,
  seq: at,
  at,
  sessionId: 's',
  scope: null,
  requestId,
  body,
})
const called = (at: number, requestId: string, tool: string) =>
  event(at, requestId, { type: 'servertool-called', tool, round: 1 })
const ran = (at: number, requestId: string, tool: string) =>
  event(at, requestId, { type: 'servertool-ran', tool, round: 1, ms: 1, bytes: 1 })
const failed = (at: number, requestId: string, tool: string) =>
  event(at, requestId, { type: 'servertool-failed', tool, round: 2, ms: 1, code: 'x', message: 'x' })
const ended = (at: number, requestId: string, turn: number) =>
  event(at, requestId, {
    type: 'turn-ended',
    turn,
    kind: 'turn',
    finish: 'stop',
    status: 200,
    usage: null,
    ttfbMs: null,
    durationMs: 1,
    route: null,
    tools: [],
    clientLeft: false,
  })

describe('tools of Onward that ran last', () => {
  it.each<[string, TimelineEvent[], ReturnType<typeof lastTools>]>([
    ['none ever', [ended(1, 'a', 1)], null],
    [
      'in a turn that has ended',
      [ran(1, 'a', 'clock'), failed(2, 'a', 'web_fetch'), ended(3, 'a', 7), ended(4, 'b', 8)],
      { tools: ['clock', 'web_fetch'], at: 2, turn: 7 },
    ],
    [
      'in the turn that runs, an older one not counted',
      [
        ran(1, 'a', 'clock'),
        ended(2, 'a', 7),
        called(3, 'b', 'web_fetch'),
        ran(4, 'b', 'web_fetch'),
        called(5, 'b', 'clock'),
      ],
      { tools: ['web_fetch'], at: 4, turn: null },
    ],
  ])('%s', (_what, events, expected) => expect(lastTools(events)).toEqual(expected))
})

describe('a list of tools', () => {
  it.each([
    [['Read', 'Edit', 'Edit', 'Read'], 'Read, Edit ×2, Read'],
    [['a', 'b', 'c', 'd', 'e', 'f', 'f', 'g'], 'a, b, c, d, e, f ×2 …'],
    [[], ''],
  ])('%j is %j', (tools, text) => expect(toolsText(tools)).toBe(text))
})
