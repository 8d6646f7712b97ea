import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { oneLine } from '../../output/clean.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'

const which = 'session id, its beginning, its name, or a terminal id; none: everything'

export function addPause(program: Command, cli: Cli): void {
  const command = program
    .command('pause')
    .summary('type nothing until `resume`')
    .description('Stops followups and typed alarms, of one session or of all. Agents and their requests go on.')
    .argument('[session]', which)
  examples(withCommon(command), [
    ['onward pause', 'everything'],
    ['onward pause billing', 'one session'],
  ])
  command.action(async (session: string | undefined) => {
    await withEngine(placeOf(command, cli), (calls) => calls.pause.mutate(session ?? null))
    if (wantsJson(command)) return printJson(cli, { paused: session ?? 'all' })
    cli.out(
      `${wordsOf(cli).style.shape('paused', '⏸')} Paused: ` +
        `${session === undefined ? 'every session' : oneLine(session)}. Go on with ` +
        `\`onward resume${session === undefined ? '' : ` ${oneLine(session)}`}\`.\n`,
    )
  })
}

export function addResume(program: Command, cli: Cli): void {
  const command = program
    .command('resume')
    .summary('go on after `pause`')
    .description('Goes on after `pause`: what was held is typed when the agent is idle.')
    .argument('[session]', which)
  examples(withCommon(command), [
    ['onward resume', 'everything'],
    ['onward resume billing', 'one session'],
  ])
  command.action(async (session: string | undefined) => {
    await withEngine(placeOf(command, cli), (calls) => calls.resume.mutate(session ?? null))
    if (wantsJson(command)) return printJson(cli, { resumed: session ?? 'all' })
    cli.out(
      `${wordsOf(cli).style.shape('working', '●')} Going on: ` +
        `${session === undefined ? 'every session that is not paused by itself' : oneLine(session)}.\n`,
    )
  })
}
