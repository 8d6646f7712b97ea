import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { examples, withCommon } from '../common.ts'
import { withEngine } from '../engine.ts'
import { printJson, wordsOf } from '../output/print.ts'
import { sessionRows, sorted } from '../output/session-rows.ts'
import { placeOf, wantsJson } from '../place.ts'

export function addSessions(program: Command, cli: Cli): void {
  const command = program
    .command('sessions')
    .summary('every session, those that need you first')
    .description(
      'Every session: what it does, and why. Those that need you come first.\n\nShapes: ● working, ◆ needs you, ◐ held or continuing, ○ idle, ✓ done, ▲ failed, ⏸ paused, ◌ gone',
    )
  examples(withCommon(command), [
    ['onward sessions', 'the list'],
    ["onward sessions --json | jq '.[].id'", 'their ids'],
  ])
  command.action(async () => {
    const [sessions, status] = await withEngine(placeOf(command, cli), (calls) =>
      Promise.all([calls.sessions.query(), calls.status.query()]),
    )
    if (wantsJson(command)) return printJson(cli, sessions)
    const words = wordsOf(cli)
    if (sessions.length === 0)
      return cli.out(
        `No session yet. Start an agent: ${words.style.strong('onward claude')} or ${words.style.strong('onward codex')}.\n`,
      )
    cli.out(sessionRows(sorted(sessions), words, await cli.parts.sentencesOf(status.language), cli.now()))
  })
}
