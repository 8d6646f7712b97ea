import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../shared/config/schema.ts'
import { documents } from '../../cli/testing/documents.ts'
import { checkConfig } from './check.ts'

const blocks = documents.flatMap(({ path, text }) =>
  [...text.matchAll(/^```jsonc\n([\s\S]*?)^```$/gm)].map(([, block = '']): [path: string, block: string] => [
    path,
    block,
  ]),
)
/** Returns the blocks' values of one member at the top. */
const configsIn = (member: string): unknown[] =>
  blocks
    .map(([, block]): unknown => parse(block))
    .flatMap((value) =>
      Object.entries(value ?? {})
        .filter(([name]) => name === member)
        .map(([, told]): unknown => told),
    )

describe('the config in README and docs', () => {
  it('is shown where it is told', () => {
    const pages = ['docs/configuration.md', 'docs/alarms.md', 'docs/notifications.md', 'docs/servertools.md']
    expect(blocks.map(([path]) => path)).toEqual(expect.arrayContaining(pages))
  })

  it.each(blocks)('is taken as it stands: %s', (_path, text) => {
    const { problems } = checkConfig(text, { MY_OPENAI_KEY: 'k' })
    // an example of another subject names providers that stand elsewhere
    const whole = text.includes('"providers"')
    expect(problems.filter(({ message }) => whole || !message.endsWith('which is not configured.'))).toEqual([])
  })

  it('tells the defaults of the clock as they are', () => {
    expect(configsIn('clock')).toEqual([configSchema.parse({}).clock])
  })

  it('tells the defaults of tools as they are', () => {
    expect(configsIn('servertools')).toEqual([{ ...configSchema.parse({}).servertools, tools: { web_fetch: true } }])
  })
})
