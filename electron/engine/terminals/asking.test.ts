import { describe, expect, it } from 'vitest'
import type { AskedView } from '../../../shared/state.ts'
import { agents } from './agents/index.ts'
import { askedOn } from './agents/asked.ts'
import { loadScreen } from './agents/load-screen.ts'
import { saidOf } from './asking.ts'

const on = async (name: string): Promise<AskedView | null> => {
  const facts = Object.values(agents).find(({ client }) => name.startsWith(client))
  return askedOn(await loadScreen(name), facts?.screen ?? null)
}

describe('what an agent asks, in a few words', () => {
  it.each([
    ['claude-dialog', 'permission: rm -rf build'],
    ['codex-dialog', 'permission: rm -rf build'],
    ['gemini-dialog', 'permission: rm -rf build'],
    ['qwen-zh-dialog', 'permission: rm -rf build'],
    ['opencode-dialog', 'permission: rm -rf build'],
    ['copilot-dialog', 'permission: rm -rf ./nothing-here'],
    ['claude-ask', 'question: Which color should the button have?'],
    ['kimi-ask', 'question: Which one?'],
  ])('%s: %s', async (screen, said) => {
    expect(saidOf('dialog', await on(screen))).toBe(said)
  })

  it('is what the agent says itself, where it says more than that it asks', async () => {
    expect(saidOf('permission: docker compose up', await on('codex-dialog'))).toBe('permission: docker compose up')
    expect(saidOf('vim mode', null)).toBe('vim mode')
    expect(saidOf(undefined, null)).toBe('a question')
    expect(saidOf('dialog', null)).toBe('dialog')
  })
})
