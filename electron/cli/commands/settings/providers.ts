import { type Command, Option } from 'commander'
import type { ProviderView, ProviderTest } from '../../../../shared/routing.ts'
import { shapeGlyphs, type Sentences } from '../../../../shared/sentences/index.ts'
import type { SessionShape } from '../../../../shared/words.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { exitCodes } from '../../exit.ts'
import { rows } from '../../output/columns.ts'
import { plural, type Words, printJson, wordsOf } from '../../output/print.ts'
import { engineOf, wantsJson } from '../../place.ts'
import { addAdd } from './providers-add.ts'
import { type SecretPlace, secretPlaces } from '../../../../shared/secrets/secrets.ts'
import { lines, oneLine } from '../../output/clean.ts'

export function addProviders(program: Command, cli: Cli): void {
  const command = engineCommand(program, cli, {
    usage: 'providers',
    summary: 'who answers; add, test, remove',
    description: 'Providers, and how each does right now.',
    examples: [
      ['onward providers', 'the list'],
      ['onward providers test', 'a real, small call to each'],
      ['onward providers add deepseek --key-env DEEPSEEK_API_KEY', 'by a preset; the key stays in the environment'],
      ['onward providers remove deepseek', 'and what routes name of it'],
    ],
    ask: (calls) => Promise.all([calls.providers.query(), calls.settings.query()]),
    json: ([providers]) => providers,
    tell([providers, { settings }], { sentences, now, ...words }) {
      const order = settings.find(({ name }) => name === 'limits.order')?.value
      const atLimit = Array.isArray(order) ? `  at a limit: ${order.join(', ')} (limits.order in the config)\n` : ''
      return providerRows(providers, words, sentences, now) + words.style.quiet(atLimit)
    },
  })
  addTest(command, cli)
  addAdd(command, cli)
  addKeys(command, cli)
}

const shapes: Readonly<Record<ProviderView['health']['kind'], SessionShape>> = {
  unused: 'idle',
  healthy: 'done',
  failing: 'failed',
  'answers-again': 'done',
  resting: 'held',
  'on-trial': 'held',
  'some-keys': 'needs',
  'no-key': 'failed',
  forbidden: 'idle',
}
const shapeOf = ({ health }: ProviderView): SessionShape =>
  health.kind === 'resting' && health.rest.why === 'refused' ? 'failed' : shapes[health.kind]

function providerRows(
  providers: readonly ProviderView[],
  { style, columns }: Words,
  sentences: Sentences,
  now: number,
): string {
  const table = rows(
    providers,
    [
      { text: (p) => shapeGlyphs[shapeOf(p)], paint: (text, p) => style.shape(shapeOf(p), text), tight: true },
      { text: (p) => p.id, paint: style.strong, most: 40 },
      { text: (p) => p.type },
      {
        text: ({ baseUrl, via }) => {
          if (baseUrl === null) return via === undefined ? 'built in' : `through ${via}`
          return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl
        },
        gives: 12,
        paint: style.quiet,
      },
      { text: keysText },
      {
        text: (p) => (p.ttfbMs === null ? '' : `${(p.ttfbMs / 1000).toFixed(1)} s`),
        align: 'right',
        paint: style.quiet,
      },
      { text: (p) => sentences.health(p.health, now), gives: 20 },
    ],
    columns,
  )
  return table + providers.map((provider) => silenceLines(provider, style.quiet)).join('')
}

/** As measured: when the next provider is asked, and when an answer is given up. */
function silenceLines({ id, silence = [] }: ProviderView, quiet: (text: string) => string): string {
  const time = (ms: number) => `${Math.round(ms / 1000)} s`
  return silence
    .map(({ model, answers, silentMs, idleMs }) =>
      quiet(
        `  ${id}.${model} may be silent for ${time(silentMs)} before it speaks and ${time(idleMs)} after ` +
          `(from ${plural(answers, 'answer')})\n`,
      ),
    )
    .join('')
}

function keysText({ auth, keys, via }: ProviderView): string {
  if (via !== undefined) return 'keys there'
  if (auth === 'client') return 'client’s login'
  if (keys.length === 0) return 'no key'
  const ready = keys.filter((key) => key.state.kind === 'ready').length
  return ready === keys.length ? plural(keys.length, 'key') : `${ready} of ${plural(keys.length, 'key')}`
}

function addKeys(parent: Command, cli: Cli): void {
  engineCommand(parent, cli, {
    usage: 'keys',
    summary: 'where stored keys are kept; move them',
    description:
      'Says where the keys and addresses are that Onward stores: in the system’s ' +
      'keychain, or in a file that only you can read. --to moves all of them, and keeps ' +
      'new ones there. Each stays in its old place until it is whole in the new one.',
    options: [new Option('--to <place>', 'move all there').choices(secretPlaces)],
    examples: [
      ['onward providers keys', 'where they are'],
      ['onward providers keys --to keychain', 'none is in a file any more'],
      ['onward providers keys --to file', 'for a server without a keychain'],
    ],
    ask: (calls, [{ to }]: [{ to?: SecretPlace }]) =>
      to === undefined ? calls.secretsKept.query() : calls.moveSecrets.mutate(to),
    tell(kept, { style, sentences: { secretsKept, secretsMend } }) {
      const mend = secretsMend(kept)
      const shape = mend === null ? style.shape('done', '✓') : style.shape('failed', '▲')
      return [
        `${shape} ${oneLine(secretsKept(kept))}`,
        ...(mend === null ? [] : lines(mend).map((line) => `  ${line}`)),
        '',
      ].join('\n')
    },
  })
}

type Tested = ProviderTest & { provider: string }

function addTest(parent: Command, cli: Cli): void {
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
