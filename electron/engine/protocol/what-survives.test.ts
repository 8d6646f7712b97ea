import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { wireProtocols } from './canonical/request.ts'
import { requestFeatures } from './testing/survival/request-features.ts'
import { fateOf, survivalTables } from './testing/survival/table.ts'

describe.each(requestFeatures)('$name', (feature) => {
  it('is never lost without a record', () => {
    for (const from of wireProtocols)
      for (const to of wireProtocols)
        if (from !== to) expect(`${from} to ${to}: ${fateOf(feature, from, to)}`).not.toMatch('lost')
  })
})

const page = fileURLToPath(new URL('../../../docs/protocols.md', import.meta.url))
const section = /(<!-- what survives: [^\n]* -->\n)[\s\S]*?(<!-- end -->)/

// A change shows here first; write the tables anew with `npx vitest run electron/engine/protocol/what-survives -u`.
it('docs/protocols.md says what survives today', async () => {
  const text = readFileSync(page, 'utf8')
  expect(text).toMatch(section)
  const renewed = text.replace(section, (_, begin: string, end: string) => `${begin}\n${survivalTables()}\n\n${end}`)
  await expect(renewed).toMatchFileSnapshot(page)
})
