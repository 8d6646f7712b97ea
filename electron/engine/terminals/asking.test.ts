import { describe, expect, it } from 'vitest'
import type { AskedView } from '../../../shared/state.ts'
import { agents } from './agents/index.ts'
import { askedOn } from './agents/asked.ts'
import { loadScreen } from './agents/testing/load-screen.ts'
import { saidOf } from './asking.ts'

const on = async (name: string): Promise<AskedView | null> => {
  const facts = Object.values(agents).find(({ client }) => name.startsWith(client))
  return askedOn(await loadScreen(name), facts?.screen ?? null)
}

describe('what an agent asks, in a few words', () => {
  it.each([
    ['claude-dialog', 'permission: rm -rf build'],
    ['claude-lines-dialog', 'permission: cat > notes.txt <<EOF …'],
    ['codex-dialog', 'permission: rm -rf build'],
    ['gemini-dialog', 'permission: rm -rf build'],
    ['qwen-zh-dialog', 'permission: rm -rf build'],
    ['opencode-dialog', 'permission: rm -rf build'],
    ['copilot-dialog', 'permission: rm -rf ./nothing-here'],
    ['kimi-dialog', 'permission: rm -rf ./nothing-here'],
    ['kilo-dialog', 'permission: rm -rf ./nothing-here'],
    ['claude-edit-dialog', 'permission to edit: src/x.ts'],
    ['claude-write-dialog', 'permission to write: docs/notes.md'],
    ['claude-fetch-dialog', 'permission to fetch: https://example.com/guide'],
    ['claude-mcp-dialog', 'permission to use: tracker — Close Issue Tool'],
    ['codex-edit-dialog', 'permission to edit: /home/user/codex-projects/demo/src/x.ts'],
    ['codex-write-dialog', 'permission to edit: /home/user/codex-projects/demo/docs/notes.md'],
    ['opencode-edit-dialog', 'permission to edit: src/x.ts'],
    ['opencode-fetch-dialog', 'permission to fetch: https://example.com/guide'],
    ['opencode-outside-dialog', 'permission to access: /etc'],
    ['gemini-edit-dialog', 'permission to edit: src/x.ts'],
    ['gemini-write-dialog', 'permission to write: docs/notes.md'],
    ['gemini-fetch-dialog', 'permission to fetch: https://example.com/guide'],
    ['qwen-edit-dialog', 'permission to edit: src/x.ts'],
    ['qwen-write-dialog', 'permission to write: docs/notes.md'],
    ['qwen-fetch-dialog', 'permission to fetch: https://example.com/guide'],
    ['claude-ask', 'question: Which color should the button have?'],
    ['kimi-ask', 'question: Which one?'],
  ])('%s: %s', async (screen, said) => {
    expect(saidOf('dialog', await on(screen))).toBe(said)
  })

  it('is a permission and no command where nobody knows the dialog', () => {
    const choices = [
      { label: 'Yes', key: '1' },
      { label: 'No', key: '2' },
    ]
    expect(saidOf('dialog', { question: 'Apply?', about: 'Frobnicate\n2 +const b = 3', choices })).toBe('permission')
    expect(saidOf('dialog', { question: 'Go?', about: 'why\n$ rm -rf build\nnow', choices })).toBe(
      'permission: rm -rf build',
    )
  })

  it('is what the agent says itself, where it says more than that it asks', async () => {
    expect(saidOf('permission: docker compose up', await on('codex-dialog'))).toBe('permission: docker compose up')
    expect(saidOf('vim mode', null)).toBe('vim mode')
    expect(saidOf(undefined, null)).toBe('a question')
    expect(saidOf('dialog', null)).toBe('dialog')
  })
})
