import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { askedOn } from './asked.ts'
import { agents } from './index.ts'
import { loadScreen } from './testing/load-screen.ts'

const factsOf = (name: string) => Object.values(agents).find(({ client }) => name.startsWith(client))?.screen ?? null
const read = async (name: string) => askedOn(await loadScreen(name), factsOf(name))
const labels = (asked: Awaited<ReturnType<typeof read>>) => asked?.choices.map(({ label }) => label)

/** Screens of real agents, while they ask. */
const screens = readdirSync(new URL('./fixtures', import.meta.url)).map((file) => file.replace('.screen', ''))
const dialogs = screens.filter((name) => /-dialog|-ask$|-trust$/.test(name) && name !== 'claude-dont-ask')

describe('what a dialog asks', () => {
  it.each(dialogs)('%s: is there with its choices, without the frame around it', async (name) => {
    const asked = await read(name)
    expect(asked?.choices.length).toBeGreaterThanOrEqual(2)
    expect(asked?.question).toMatch(/\S/)
    expect(JSON.stringify(asked)).not.toMatch(/[│┃─╌╭╰]/u)
    // The subject is a command in most of them, a folder or a question in the others.
    if (name.includes('-dialog'))
      expect(asked?.about).toMatch(/rm -rf|src\/x\.ts|notes\.txt|notes\.md|example\.com|tracker|touch |\/etc/)
  })

  it('is the command and the question, in the words of each agent', async () => {
    expect(await read('codex-dialog')).toEqual({
      question: 'Would you like to run the following command?',
      about: 'Environment: local\nReason: clean the build folder\n$ rm -rf build',
      choices: [
        { label: 'Yes, proceed (y)', key: '1' },
        { label: "Yes, and don't ask again for commands that start with `rm -rf build` (p)", key: '2' },
        { label: 'No, and tell Codex what to do differently (esc)', key: '3' },
      ],
      wants: { act: 'run', what: 'rm -rf build' },
    })
    expect((await read('claude-ask'))?.question).toBe('Which color should the button have?')
    expect(labels(await read('claude-ask'))).toEqual(['Green', 'Red', 'Type something.', 'Chat about this'])
    expect(await read('qwen-zh-dialog')).toMatchObject({ question: "允许执行：'rm'？" })
  })

  it.each(['claude-lines-dialog', 'claude-narrow-lines-dialog'])(
    '%s: a command of several lines is told by its first, and not by what stands below it',
    async (name) => {
      const asked = await read(name)
      expect(asked?.wants).toEqual({ act: 'run', what: 'cat > notes.txt <<EOF …' })
      expect(asked?.about).toContain('for f in a b c; do\ntouch "$f.txt"')
      expect(asked?.question).toBe('Do you want to proceed?')
    },
  )

  it('joins a choice that goes on in the next row of a narrow pane', async () => {
    expect(labels(await read('claude-narrow-dialog'))).toEqual([
      'Yes',
      'Yes, and always allow access to /home/me/work from this project',
      'Yes, and switch to auto mode · auto mode handles these prompts for you',
      'No',
    ])
  })

  it('has choices that stand beside each other, or behind a pointer', async () => {
    expect(labels(await read('opencode-dialog'))).toEqual(['Allow once', 'Allow always', 'Reject'])
    expect(labels(await read('copilot-ask'))).toEqual(['a', 'b', 'Other (type your answer)'])
    expect(await read('claude-trust')).toMatchObject({
      choices: [
        { label: 'No, exit', key: null },
        { label: 'Yes, I trust this folder', key: null },
      ],
      pointer: { at: 0, moves: 'down' },
    })
  })

  it('knows which choice is chosen, by its pointer or its background, where they have no keys', async () => {
    expect((await read('opencode-dialog'))?.pointer).toEqual({ at: 0, moves: 'across' })
    expect((await read('opencode-moved-dialog'))?.pointer).toEqual({ at: 1, moves: 'across' })
    expect((await read('opencode-always-dialog'))?.pointer).toEqual({ at: 0, moves: 'across' })
    expect((await read('kilo-dialog'))?.pointer).toEqual({ at: 0, moves: 'across' })
    expect((await read('copilot-ask'))?.pointer).toEqual({ at: 0, moves: 'down' })
    expect((await read('codex-dialog'))?.pointer).toBeUndefined()
  })

  it('leaves out what stands beside the dialog of a wide screen', async () => {
    expect(await read('opencode-wide-dialog')).toEqual({
      question: 'Permission required',
      about: '# Shell command\n$ touch a-file',
      choices: ['Allow once', 'Allow always', 'Reject'].map((label) => ({ label, key: null })),
      wants: { act: 'run', what: 'touch a-file' },
      pointer: { at: 0, moves: 'across' },
    })
  })

  it('does not take what stands below the dialog for a part of its last choice', async () => {
    expect(labels(await read('kimi-dialog'))?.at(-1)).toBe('Reject with feedback')
    expect(labels(await read('kimi-ask'))?.at(-1)).toBe('Other')
  })
})
