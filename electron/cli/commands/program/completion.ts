import { Argument, type Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { bashCompletion } from '../../complete/bash.ts'
import { fishCompletion } from '../../complete/fish.ts'
import { treeOf, type CompletionNode } from '../../complete/tree.ts'
import { zshCompletion } from '../../complete/zsh.ts'

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } satisfies Record<
  string,
  (root: CompletionNode) => string
>

export function addCompletion(program: Command, cli: Cli): void {
  const command = program
    .command('completion')
    .summary('completions for bash, zsh or fish')
    .description('Prints a completion script, made from the commands themselves.')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(shells)))
  examples(withCommon(command), [
    ['source <(onward completion bash)', 'in ~/.bashrc'],
    ['onward completion zsh > ~/.zfunc/_onward', 'in a folder of $fpath'],
    ['onward completion fish | source', 'in config.fish'],
  ])
  command.action((shell: keyof typeof shells) => cli.out(shells[shell](treeOf(program))))
}
