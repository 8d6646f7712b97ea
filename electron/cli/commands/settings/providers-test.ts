import type { Command } from 'commander'
import type { ProviderTest } from '../../../../shared/routing.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { exitCodes } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { engineOf, wantsJson } from '../../place.ts'

type Tested = ProviderTest & { provider: string }

export function addTest(parent: Command, cli: Cli): void {
  const command = parent
    .command('test')
    .summary('a real, small call to one, or to each')
    .description(
      'Asks a provider for a few words, with each of its keys in turn until one ' +
        'answers. It costs what such a call costs. The status is 1 when one fails; ' +
        'one that takes its clients’ own login can be asked by them only.',
    )
    .argument('[id]', 'its name in the config; left out: all')
  examples(withCommon(command), [
    ['onward providers test', 'all of them'],
    ['onward providers test glm', 'one'],
  ])
  command.action(async (id: string | undefined) => {
    const json = wantsJson(command)
    const tested = await withEngine(engineOf(command, cli), async (calls) => {
      const ids = id === undefined ? (await calls.providers.query()).map((provider) => provider.id) : [id]
      // All at once, shown in their order: the slowest decides how long it takes, not the sum.
      const running = ids.map(async (provider): Promise<Tested> => ({
        provider,
        ...(await calls.testProvider.mutate(provider)),
      }))
      for (const one of running) one.catch(() => undefined)
      const results: Tested[] = []
      for (const one of running) {
        const result = await one
        results.push(result)
        if (!json) cli.out(line(result, cli))
      }
      return results
    })
    if (json) printJson(cli, tested)
    if (tested.some((result) => result.kind === 'failed' && (id !== undefined || !isClients(result))))
      cli.exitWith(exitCodes.failed.code)
  })
}

const isClients = (result: Tested): boolean => result.kind === 'failed' && result.code === 'client-login'

function line(result: Tested, cli: Cli): string {
  const { style } = wordsOf(cli)
  const name = style.strong(oneLine(result.provider))
  if (result.kind === 'failed')
    return (
      `${isClients(result) ? style.shape('idle', '○') : style.shape('failed', '▲')}` +
      ` ${name} ${oneLine(result.message)}\n`
    )
  const key = result.key === null ? '' : ` with key ${oneLine(result.key)}`
  const what =
    result.model === ''
      ? `lists ${result.models.length} models${key}; the config names none of them`
      : `${oneLine(result.model)} answered${key}`
  return `${style.shape('done', '✓')} ${name} ${what} ${style.quiet(`${(result.tookMs / 1000).toFixed(1)} s`)}\n`
}
