import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describedProgram } from '../testing/cli-reference.ts'
import { bashCompletion } from '../testing/completion/bash.ts'
import { fishCompletion } from '../testing/completion/fish.ts'
import { treeOf } from '../testing/completion/tree.ts'
import { zshCompletion } from '../testing/completion/zsh.ts'

// They are a part of the program; write them anew with `npx vitest run electron/cli/complete -u`.
it.each(Object.entries({ bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }))(
  'the script of %s completes what the command line takes today',
  async (shell, make) => {
    const file = join(import.meta.dirname, 'scripts', `onward.${shell}`)
    await expect(make(treeOf(describedProgram()))).toMatchFileSnapshot(file)
  },
)
