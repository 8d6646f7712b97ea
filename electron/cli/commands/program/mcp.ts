import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { described } from '../../command.ts'
import { placeOf } from '../../place.ts'

export function addMcp(program: Command, cli: Cli): void {
  const command = described(program, {
    usage: 'mcp',
    summary: 'an MCP server on stdin and stdout, for other programs',
    description:
      'Serves the Model Context Protocol on stdin and stdout: programs look at sessions, send messages, set alarms ' +
      'and read the report. A goal or an answer to a dialog needs your yes. An agent that Onward started sees its ' +
      'own session only.',
    examples: [
      ['claude mcp add onward -- onward mcp', 'for Claude Code'],
      ['codex mcp add onward -- onward mcp', 'for Codex'],
    ],
  })
  command.action(async () => {
    const { serveStdio } = await import('../../mcp/serve-stdio.ts')
    const { stdin, stdout, ppid } = process
    await serveStdio(placeOf(command, cli), cli, { stdin, stdout, ppid }, cli.untilInterrupted())
  })
}
