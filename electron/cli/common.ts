/** Adds the parts that every command has: the shared options, and examples in its help. */
import type { Command } from 'commander'

/** Order in `--help`: the command's own options first, these last. */
export function withCommon(command: Command): Command {
  return command
    .option('--home <dir>', 'Onward home (or ONWARD_HOME; default ~/.onward)')
    .option('--port <number>', 'port of the engine (or ONWARD_PORT)')
    .option('--on <machine>', 'ask the engine of another machine (see `onward remote`)')
    .option('--json', 'print JSON')
}

export function examples(command: Command, lines: readonly (readonly [string, string])[]): Command {
  const width = Math.max(...lines.map(([line]) => line.length))
  const text = lines.map(([line, what]) => `  ${line.padEnd(width)}  ${what}`).join('\n')
  return command.addHelpText('after', `\nExamples:\n${text}`)
}
