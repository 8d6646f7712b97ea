import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../shared/config/schema.ts'
import { checkConfig } from './check.ts'

const readme = readFileSync(resolve(import.meta.dirname, '../../../README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```jsonc\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)

describe('the config in the README', () => {
  it.each(blocks)('is taken as it stands: %#', (text) => {
    expect(checkConfig(text, { MY_OPENAI_KEY: 'k' }).problems).toEqual([])
  })

  it('tells the defaults of the clock as they are', () => {
    const told = blocks
      .map((text): unknown => parse(text))
      .filter((value): value is { clock: unknown } => typeof value === 'object' && value !== null && 'clock' in value)
    expect(told.map(({ clock }) => clock)).toEqual([configSchema.parse({}).clock])
  })

  it('tells the defaults of tools as they are', () => {
    const told = blocks
      .map((text): unknown => parse(text))
      .filter(
        (value): value is { servertools: unknown } =>
          typeof value === 'object' && value !== null && 'servertools' in value,
      )
    expect(told.map(({ servertools }) => servertools)).toEqual([
      { ...configSchema.parse({}).servertools, tools: { web_fetch: true } },
    ])
  })
})
