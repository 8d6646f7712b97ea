import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { savedAddress } from './saved-address.ts'

const onPort = (port: number) => JSON.stringify({ server: { port } })

it.each([
  ['without a config', {}, 5520],
  ['of the config', { 'config.json': onPort(5600) }, 5600],
  ['of the last good one where it is wrong', { 'config.json': '{', 'config.last-good.json': onPort(5601) }, 5601],
  ['of none where neither is right', { 'config.json': '{', 'config.last-good.json': '{' }, 5520],
])('the address %s', async (_what, files, port) => {
  const home = await mkdtemp(join(tmpdir(), 'onward-address-'))
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text)
    expect(await savedAddress(home, {})).toMatchObject({ host: '127.0.0.1', port })
  } finally {
    await rm(home, { recursive: true })
  }
})
