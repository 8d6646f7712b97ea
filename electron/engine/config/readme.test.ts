import { describe, expect, it } from 'vitest'
import { documents } from '../../cli/testing/documents.ts'
import { checkConfig } from './check.ts'

const blocks = documents.flatMap(({ path, text }) =>
  [...text.matchAll(/^```jsonc\n([\s\S]*?)^```$/gm)].map(([, block = '']): [path: string, block: string] => [
    path,
    block,
  ]),
)

describe('the config in README and docs', () => {
  it('is shown where it is told', () => {
    const pages = ['docs/configuration.md', 'docs/goal-mode.md', 'docs/notifications.md', 'docs/servertools.md']
    expect(blocks.map(([path]) => path)).toEqual(expect.arrayContaining(pages))
  })

  it.each(blocks)('is taken as it stands: %s', (_path, text) => {
    const { problems } = checkConfig(text, { MY_OPENAI_KEY: 'k' })
    // an example of another subject names providers that stand elsewhere
    const whole = text.includes('"providers"')
    expect(problems.filter(({ message }) => whole || !message.endsWith('which is not configured.'))).toEqual([])
  })
})
