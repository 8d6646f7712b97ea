import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { cliReference } from './testing/cli-reference.ts'

// Changes show here first; write the page anew with `npx vitest run electron/cli/cli-reference -u`.
it('docs/cli.md says what the command line takes today', async () => {
  await expect(cliReference()).toMatchFileSnapshot(resolve(import.meta.dirname, '../../docs/cli.md'))
})
