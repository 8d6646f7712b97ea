import { describe, expect, it } from 'vitest'
import { agents, readPinned } from './install.mjs'
import { reportOf } from './report.mjs'
import { wantedOf } from './wanted.mjs'
import { verified } from '../../electron/engine/terminals/agents/verified.ts'

const pinned = { claude: '2.0.0', codex: '0.1.0', opencode: '1.0.0', gemini: '0.6.0', qwen: '0.2.0', kimi: '2.1.0' }
const test = (name: string, status: string, more = {}) => ({
  fullName: `a real ${name} two at once`,
  title: 'two at once',
  ancestorTitles: [`a real ${name}`],
  status,
  ...more,
})

describe('what agents:check is asked for', () => {
  it('is the newest of each agent', () => {
    expect(wantedOf({ only: '', versions: '' }, pinned)).toEqual({
      versions: Object.fromEntries(Object.keys(agents).map((client) => [client, 'latest'])),
    })
  })
  it('may be some of them, or a version of one', () => {
    expect(wantedOf({ only: 'qwen, claude', versions: 'claude=pinned' }, pinned)).toEqual({
      versions: { claude: '2.0.0', qwen: 'latest' },
    })
    expect(wantedOf({ only: '', versions: 'codex=0.2.0' }, pinned)).toEqual({ versions: { codex: '0.2.0' } })
  })
  it('is refused where it names no agent or no version', () => {
    expect(wantedOf({ only: 'clade', versions: '' }, pinned)).toEqual({
      problem: expect.stringContaining('There is no agent "clade" here. Known: claude,'),
    })
    expect(wantedOf({ only: '', versions: 'codex' }, pinned)).toEqual({
      problem: '--versions wants name=version, such as codex=0.1.0.',
    })
  })
})

describe('what agents:check tells', () => {
  it('names what works, and where to write it down', () => {
    const told = reportOf([{ client: 'codex', version: '0.2.0', problem: null }], pinned, [test('Codex', 'passed')])
    expect(told.faults).toBe(0)
    expect(told.text).toContain('codex 0.2.0, verified: 0.1.0\n  ok      two at once\n  1 of 1 passed')
    expect(told.text).toContain('codex 0.2.0 into e2e/agents/package.json')
  })
  it('names what failed, why, and where it was seen', () => {
    const failed = test('Codex', 'failed', {
      failureMessages: ['Error: it never came\n  at x'],
      meta: { evidence: 'e2e/.artifacts/failed/x' },
    })
    const told = reportOf([{ client: 'codex', version: '0.2.0', problem: null }], pinned, [failed])
    expect(told.faults).toBe(1)
    expect(told.text).toContain('FAILED  two at once\n          Error: it never came\n          seen: e2e/.artifacts')
  })
  it('counts an agent that could not be installed, or that no test ran with', () => {
    const installed = [
      { client: 'claude', version: 'latest', problem: 'E404' },
      { client: 'codex', version: '0.1.0', problem: null },
    ]
    const told = reportOf(installed, pinned, [test('Codex', 'pending')])
    expect(told.faults).toBe(2)
    expect(told.text).toContain('could not be installed: E404')
    expect(told.text).toContain('nothing ran')
  })
})

describe('the versions that are pinned', () => {
  it('are the newest of those that were verified', () => {
    const { node: _, ...versions } = readPinned(new URL('../../e2e/agents', import.meta.url).pathname)
    for (const [client, version] of Object.entries(versions))
      expect([client, version]).toEqual([client, verified[client as keyof typeof verified].at(-1)?.version])
  })
})
