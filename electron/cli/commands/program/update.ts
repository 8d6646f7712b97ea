import type { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { OnwardError, systemCodeOf } from '../../../engine/base/errors.ts'
import { isNewer } from '../../../../shared/newer-version.ts'
import { announcedAt, feedOf, newestAt } from '../../../updates/feed.ts'
import { howTo } from '../../../updates/how.ts'
import { placeOfInstall, type Install } from '../../../installed/install.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { CliError } from '../../exit.ts'
import { configFile } from '../settings/config-file.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'

export function addUpdate(program: Command, cli: Cli): void {
  const command = program
    .command('update')
    .summary('how a newer Onward is installed here')
    .description(
      'Says how this Onward was installed and how a newer one takes its place. Changes nothing. Only with --check a ' +
        'server is asked: the one that the package names, or updates.feed in the config.',
    )
    .option('--check', 'ask whether there is a newer one')
  examples(withCommon(command), [
    ['onward update', 'what to do'],
    ['onward update --check', 'and whether it is worth it'],
  ])
  command.action(async () => {
    const { check } = command.opts<{ check?: boolean }>()
    const place = placeOf(command, cli)
    const here = (await cli.parts.installed()).install
    const how = howTo(here)
    const newest = check ? await ask(here, place.home, cli) : null
    const newer = newest !== null && isNewer(newest, cli.version)
    if (wantsJson(command))
      return printJson(cli, {
        version: cli.version,
        installed: here.kind,
        at: placeOfInstall(here),
        steps: how.steps,
        ...(newest === null ? {} : { newest, newer }),
      })
    const { style } = wordsOf(cli)
    cli.out(`Onward ${cli.version}. ${how.say}\n`)
    if (newest !== null) cli.out(newer ? `Onward ${newest} is there.\n` : 'There is no newer one.\n')
    if (newest !== null && !newer) return
    cli.out(`\n${how.steps.map((step) => `  ${step.replace(/^\$ /, '')}\n`).join('')}`)
    cli.out(`\n${style.quiet('Agents live on. An engine that runs stays what it is until it is started anew.')}\n`)
    cli.out(`${style.quiet('A service: `onward service install`. Any other: `onward serve --take-over`.')}\n`)
  })
}

async function ask(here: Install, home: string, cli: Cli): Promise<string> {
  const feed = await feedFor(here, home)
  if (feed === null)
    throw new CliError(
      'failed',
      'Neither the package nor the config names a server with new versions, so none is asked.',
      {
        hint: 'Whoever publishes Onward can name one: updates.feed in the config.',
      },
    )
  try {
    return await newestAt(announcedAt(feed, cli.platform, process.arch), globalThis.fetch)
  } catch (error) {
    throw OnwardError.isInstance(error)
      ? new CliError('failed', error.message, { cause: error, code: error.code })
      : error
  }
}

/** The package's word counts more: it came from the publisher. */
async function feedFor({ feedFile }: Install, home: string): Promise<string | null> {
  const said = feedFile === null ? null : feedOf(await readFile(feedFile, 'utf8'))
  if (said !== null) return said
  const { feedInConfig } = await import('../../../updates/config-feed.ts')
  return feedInConfig(configFile(home)).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  })
}
