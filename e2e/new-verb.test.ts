import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { cliHomes } from '../electron/cli/testing/cli-homes.ts'
import { cliReference } from '../electron/cli/testing/cli-reference.ts'
import { onward } from '../electron/cli/testing/test-cli.ts'
import { createActions } from '../renderer/control/actions.ts'
import type { ActionDeps } from '../renderer/control/action-deps.ts'
import { fakeApi } from './dashboard/fake/fake-api.ts'
import { scene } from './dashboard/fake/scene.ts'
import { operations, type ControlApi, type OperationName } from '../shared/operations/index.ts'
import { id, takes, type Handlers } from '../shared/operations/operation.ts'

/** What a person writes who adds a verb: an entry of a table, */
const entry = {
  /** says hello */
  greetSession: takes((z) => z.object({ session: id(z), word: z.string().max(5) })).mutation<{ greeted: string }>({
    undo: ({ session }) => ['greetSession', { session, word: 'bye' }],
    commands: [
      {
        usage: 'sessions greet <session> [word]',
        takes: ['its name, its id, or the beginning of it', ['the word', ['hello', 'bye', 'too-long']]],
        summary: 'say hello to it',
        description: 'Says hello.',
        examples: [['onward sessions greet billing', 'politely']],
        input: (session = '', word = 'hello') => ({ session, word }),
        say: ({ greeted }, { shape, clean }) => `${shape('done', '✓')} ${clean(greeted)}\n`,
      },
    ],
  }),
}
/** and its handler. */
const handlers: Handlers<typeof entry> = {
  greetSession: async ({ session, word }) => ({ greeted: `${word}, ${session}` }),
}

const api = handlers as Partial<ControlApi>
const { against } = cliHomes()

describe('a new verb', () => {
  beforeAll(() => void Object.assign(operations, entry))
  afterAll(() => void Reflect.deleteProperty(operations, 'greetSession'))

  it('has the types of its input and answer', () => {
    expectTypeOf(handlers.greetSession).toEqualTypeOf<
      (input: { session: string; word: string }) => Promise<{ greeted: string }>
    >()
  })
  it('is a command, whose words go over the real socket to its handler', async () => {
    expect(await against(api, ['sessions', 'greet', 'billing'])).toMatchObject({ code: 0, out: '✓ hello, billing\n' })
    expect((await against(api, ['sessions', 'greet', 'billing', 'bye', '--json'])).out).toBe(
      '{"greeted":"bye, billing"}\n',
    )
  })
  it('refuses what its input does not allow', async () => {
    expect(await against(api, ['sessions', 'greet', 'billing', 'shout'])).toMatchObject({ code: 2 })
    expect(await against(api, ['sessions', 'greet', 'billing', 'too-long'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^onward: The engine did not take that: word: /),
    })
  })
  it('is in the help, the completions and the reference', async () => {
    expect((await onward(['sessions', '--help'])).out).toMatch(/greet <session> \[word\] +say hello to it/)
    for (const shell of ['bash', 'zsh', 'fish', 'powershell'])
      expect((await onward(['completion', shell])).out).toContain('greet')
    expect(cliReference()).toContain('### sessions greet\n\n```\nonward sessions greet <session> [word]\n```')
  })
  it('is offered to be taken back in the dashboard', async () => {
    const asked: unknown[] = []
    const offered: [string, () => Promise<void>][] = []
    const mutate = async (input: Parameters<typeof handlers.greetSession>[0]) => {
      asked.push(input)
      return handlers.greetSession(input)
    }
    const { perform } = createActions({
      client: () => ({ greetSession: { mutate } }) as never,
      toasts: { undoable: (said: string, undo: () => Promise<void>) => void offered.push([said, undo]) } as never,
    } as unknown as ActionDeps)
    const said = (answer: unknown) => (answer as { greeted: string }).greeted
    await perform('greetSession' as OperationName, { session: 's', word: 'hello' } as never, said)
    expect(offered.map(([text]) => text)).toEqual(['hello, s'])
    await offered[0]?.[1]()
    expect(asked.at(-1)).toEqual({ session: 's', word: 'bye' })
  })
  it('is noted and refused by the fake engine, until that knows what to do', async () => {
    const fake = fakeApi(scene(0), () => 0)
    const asked = (fake as unknown as Handlers<typeof entry>).greetSession({ session: 's', word: 'hello' })
    await expect(asked).rejects.toMatchObject({ code: 'not-here' })
    expect(fake.calls).toEqual([{ name: 'greetSession', input: { session: 's', word: 'hello' } }])
  })
})
