import { describe, expect, it } from 'vitest'
import { terminalOf } from './terminals-api.ts'

const terminal = (terminalId: string, more: object = {}) => ({ terminalId, agentPid: null, pane: null, ...more })
const launched = terminal('launched')
const found = terminal('found', { agentPid: 20, pane: { panePid: 10 } })
const ended = terminal('ended', { agentPid: 30 })
const registry = {
  byKey: (key: string) => (key === 'owk_launched' ? launched : null),
  list: () => [launched, found, ended],
  alive: (one: { terminalId: string }) => one.terminalId !== 'ended',
} as unknown as Parameters<typeof terminalOf>[0]

describe('the terminal of a program', () => {
  it.each([
    ['a key', { keys: ['owk_other', 'owk_launched'], pids: [] }, 'launched'],
    ['a key before an ancestor', { keys: ['owk_launched'], pids: [20] }, 'launched'],
    ['its agent', { keys: [], pids: [25, 20, 1] }, 'found'],
    ['its pane', { keys: [], pids: [25, 10] }, 'found'],
    ['nothing of one that has ended', { keys: [], pids: [30] }, null],
    ['nothing at all', { keys: ['owk_other'], pids: [99] }, null],
  ])('is known by %s', (_, from, expected) => {
    expect(terminalOf(registry, from)).toBe(expected)
  })
})
