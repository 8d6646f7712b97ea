import { describe, expect, it } from 'vitest'
import type { ClientKind } from '../../../../shared/words.ts'
import { isHeadless, recogniseClient } from './index.ts'

describe('recogniseClient', () => {
  it.each<[ClientKind | null, Record<string, string>]>([
    ['claude', { 'user-agent': 'claude-cli/2.1.330 (external, cli)' }],
    ['claude', { 'x-claude-code-session-id': 's' }],
    ['codex', { 'user-agent': 'codex-tui/0.169.0 (Debian 12; x86_64) tmux' }],
    ['codex', { 'user-agent': 'codex_exec/0.169.0 (Debian 12)' }],
    ['codex', { 'user-agent': 'codex_cli_rs/0.77.0', originator: 'codex_cli_rs' }],
    ['codex', { originator: 'codex-tui' }],
    ['opencode', { 'user-agent': 'opencode/1.18.33 ai-sdk/openai-compatible/1.0 runtime/bun/1.3' }],
    ['gemini', { 'user-agent': 'GeminiCLI-tui/0.61.0/gemini-x (linux; x64; terminal)' }],
    ['qwen', { 'user-agent': 'QwenCode/0.24.4 (linux; x64)' }],
    ['kimi', { 'user-agent': 'kimi-code-cli/2.1.0' }],
    ['kilo', { 'user-agent': 'Kilo-Code/7.7.9 ai-sdk/provider-utils/4.0.27 runtime/bun/1.3.14' }],
    ['copilot', { 'user-agent': 'OpenAI/JS 5.20.1', 'x-initiator': 'agent' }],
    [null, { 'user-agent': 'OpenAI/JS 6.49.0' }],
    [null, { 'x-claude-code-session-id': '' }],
    [null, {}],
  ])('says %s of %j', (client, headers) => {
    expect(recogniseClient(headers)).toBe(client)
  })

  it('tells runs without a screen from those with one', () => {
    expect(isHeadless('claude', { 'user-agent': 'claude-cli/2.1.330 (external, sdk-cli)' })).toBe(true)
    expect(isHeadless('claude', { 'user-agent': 'claude-cli/2.1.330 (external, cli)' })).toBe(false)
    expect(isHeadless('codex', { 'user-agent': 'codex_exec/0.169.0' })).toBe(true)
    expect(isHeadless('codex', { 'user-agent': 'codex-tui/0.169.0', originator: 'codex-tui' })).toBe(false)
  })
})
