import { describe, expect, it } from 'vitest'
import { setFeature } from './toml-edit.ts'

const off = (text: string) => setFeature(text, 'daemon_auto_start', false)

describe('a feature of Codex, switched in whichever way the table is written', () => {
  it.each([
    ['no file', '', '[features]\ndaemon_auto_start = false\n'],
    [
      'a table',
      '[features] # mine\na = true\n\n[b]\nc = 1\n',
      '[features] # mine\ndaemon_auto_start = false\na = true\n\n[b]\nc = 1\n',
    ],
    [
      'a table that has it',
      '[features]\r\ndaemon_auto_start = true\r\n',
      '[features]\r\ndaemon_auto_start = false\r\n',
    ],
    [
      'another table that has it',
      '[other]\ndaemon_auto_start = true',
      '[other]\ndaemon_auto_start = true\n\n[features]\ndaemon_auto_start = false\n',
    ],
    ['dotted', 'features.a = true\n[b]\n', 'features.daemon_auto_start = false\nfeatures.a = true\n[b]\n'],
    ['dotted, and has it', 'features.daemon_auto_start = true\n', 'features.daemon_auto_start = false\n'],
    ['in a line', 'features = { a = true }\n', 'features = { daemon_auto_start = false, a = true }\n'],
    ['in an empty line', 'features = {}\n', 'features = { daemon_auto_start = false }\n'],
    [
      'in a line that has it',
      'features = { a = true, daemon_auto_start = true }',
      'features = { a = true, daemon_auto_start = false }',
    ],
  ])('%s', (_, before, after) => {
    expect(off(before)).toBe(after)
    expect(off(after)).toBe(after)
  })
})
