import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { asCalled } from '../../own-lines.ts'
import { examples, withCommon } from '../../common.ts'
import { checkAgents } from '../../doctor/agents.ts'
import { checkConfigFile } from '../../doctor/config.ts'
import { checkCrash } from '../../doctor/crash.ts'
import { checkEngine } from '../../doctor/engine.ts'
import { checkHome } from '../../doctor/home.ts'
import { checkNodePty } from '../../doctor/node-pty.ts'
import { checkNode } from '../../doctor/node.ts'
import { checkTmux } from '../../doctor/tmux.ts'
import type { Check } from '../../doctor/types.ts'
import { exitCodes } from '../../exit.ts'
import { lines, oneLine } from '../../output/clean.ts'
import { plural, printJson, wordsOf } from '../../output/print.ts'
import { pad, widthOf } from '../../output/width.ts'
import { placeOf, wantsJson } from '../../place.ts'

const checks: readonly Check[] = [
  checkNode,
  checkHome,
  checkConfigFile,
  checkEngine,
  checkCrash,
  checkTmux,
  checkNodePty,
  checkAgents,
]

export function addDoctor(program: Command, cli: Cli): void {
  const command = program
    .command('doctor')
    .summary('what is wrong here, and how to mend it')
    .description(
      'Looks at this machine, the home, the engine and its providers, ' +
        'and says how to mend what is wrong. Changes nothing.',
    )
  examples(withCommon(command), [
    ['onward doctor', 'all checks'],
    ["onward doctor --json | jq '.[] | select(.ok | not)'", 'only what is wrong'],
  ])
  command.action(async () => {
    const place = placeOf(command, cli)
    const findings = (await Promise.all(checks.map((check) => check(place, cli)))).flat()
    const wrong = findings.filter(({ ok }) => !ok).length
    if (wrong > 0) cli.exitWith(exitCodes.failed.code)
    if (wantsJson(command)) return printJson(cli, findings)
    const { style } = wordsOf(cli)
    const width = Math.max(...findings.map(({ check }) => widthOf(oneLine(check))))
    for (const { check, ok, say, mend } of findings) {
      cli.out(
        `${ok ? style.shape('done', '✓') : style.shape('failed', '▲')} ` +
          `${style.quiet(pad(oneLine(check), width))}  ${oneLine(asCalled(say, cli.command()))}\n`,
      )
      for (const line of mend === null ? [] : lines(asCalled(mend, cli.command())))
        cli.out(`  ${' '.repeat(width)}  ${line}\n`)
    }
    cli.out(wrong === 0 ? '\nNothing to mend.\n' : `\n${plural(wrong, 'thing')} to mend.\n`)
  })
}
