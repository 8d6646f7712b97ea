/** docs/goal-mode.md: its commands, its config and its declaration are ones that Onward takes. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { configSchema } from '../../shared/config/schema.ts'
import { splitCommand } from '../../shared/commands/split-command.ts'
import { readDeclaration } from '../engine/workspace/checks/declaration.ts'
import { exitCodes } from './exit.ts'
import { cliHomes } from './testing/cli-homes.ts'
import { onward } from './testing/test-cli.ts'

const { home } = cliHomes()
const text = readFileSync(resolve(import.meta.dirname, '../../docs/goal-mode.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, block = '']) => block)
const commands = [
  ...new Set(
    [...text.matchAll(/^ {4}onward (.*?)(?: +#.*)?$/gm), ...text.matchAll(/`onward ([a-z-]+ [^`]+|doctor)`/g)].map(
      ([, words = '']) => words,
    ),
  ),
]

describe('docs/goal-mode.md', () => {
  it('has commands', () => expect(commands.length).toBeGreaterThan(10))
  // None of them gets as far as to look for an engine before its words are understood.
  it.each(commands.filter((words) => words !== 'doctor'))('onward %s', async (words) => {
    const { path } = await home()
    const { code, err } = await onward([...(splitCommand(words) ?? [])], {
      env: { ONWARD_HOME: path },
      tty: { in: true, out: false, err: true, columns: 80 },
    })
    expect({ code, err: err.split('\n')[0] }).toEqual({
      code: exitCodes.noEngine.code,
      err: `onward: No engine runs for ${path}.`,
    })
  })
  it('shows a config with the values that hold by themselves', () => {
    const [shown] = blocks('jsonc').map((block) => parse(block) as { stopMessage: { review: object } })
    expect(configSchema.safeParse(shown).error).toBeUndefined()
    expect(configSchema.parse({}).stopMessage.review).toMatchObject(shown?.stopMessage.review ?? {})
  })
  it('shows a declaration that is read as it says', () => {
    const [shown = ''] = blocks('json')
    expect(readDeclaration(shown)).toEqual({
      problem: null,
      checks: [
        { name: 'tests', argv: ['npm', 'test'], timeoutSeconds: 600 },
        { name: 'lint', argv: ['npm', 'run', 'lint'], timeoutSeconds: null },
      ],
    })
  })
})
