import { Argument, type Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'

/** Written by a test (scripts.test.ts) from the command tree, for which all commands would have to be loaded. */
const shells = {
  bash: () => import('../../complete/scripts/onward.bash?raw'),
  zsh: () => import('../../complete/scripts/onward.zsh?raw'),
  fish: () => import('../../complete/scripts/onward.fish?raw'),
}

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
  command.action(async (shell: keyof typeof shells) => cli.out((await shells[shell]()).default))
}
