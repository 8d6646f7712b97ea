import { Argument, type Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { treeOf } from '../../complete/tree.ts'
import { placeOf } from '../../place.ts'

const shells = {
  bash: async () => (await import('../../complete/bash.ts')).bashCompletion,
  zsh: async () => (await import('../../complete/zsh.ts')).zshCompletion,
  fish: async () => (await import('../../complete/fish.ts')).fishCompletion,
  powershell: async () => (await import('../../complete/powershell.ts')).powershellCompletion,
}

/** It describes the program it is a part of, for which all commands have to be loaded (commands.ts). */
export function addCompletion(program: Command, cli: Cli): void {
  const command = program
    .command('completion')
    .summary('completions for bash, zsh, fish or PowerShell')
    .description('Prints a completion script, made from the commands themselves.')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(shells)))
  examples(withCommon(command), [
    ['source <(onward completion bash)', 'in ~/.bashrc'],
    ['onward completion zsh > ~/.zfunc/_onward', 'in a folder of $fpath'],
    ['onward completion fish | source', 'in config.fish'],
    ['onward completion powershell | Out-String | Invoke-Expression', 'in $PROFILE'],
  ])
  command.action(async (shell: keyof typeof shells) => {
    placeOf(command, cli)
    cli.out((await shells[shell]())(treeOf(program)))
  })
}
