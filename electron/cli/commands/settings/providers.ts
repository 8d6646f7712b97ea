import { type Command, Option } from 'commander'
import type { ProviderView } from '../../../../shared/routing.ts'
import { shapeGlyphs, type Sentences } from '../../../../shared/sentences/index.ts'
import type { SessionShape } from '../../../../shared/words.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { rows } from '../../output/columns.ts'
import { plural, printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'
import { addAdd } from './providers-add.ts'
import { addTest } from './providers-test.ts'
import { type SecretPlace, secretPlaces } from '../../../../shared/secrets/secret-places.ts'
import { lines, oneLine } from '../../output/clean.ts'

export function addProviders(program: Command, cli: Cli): void {
  const command = program
    .command('providers')
    .summary('who answers; add, test, remove')
    .description('Providers, and how each does right now.')
  examples(withCommon(command), [
    ['onward providers', 'the list'],
    ['onward providers test', 'a real, small call to each'],
    ['onward providers add deepseek --key-env DEEPSEEK_API_KEY', 'by a preset; the key stays in the environment'],
    ['onward providers remove deepseek', 'and what routes name of it'],
  ])
  command.action(async () => {
    const [providers, status, { settings }] = await withEngine(placeOf(command, cli), (calls) =>
      Promise.all([calls.providers.query(), calls.status.query(), calls.settings.query()]),
    )
    if (wantsJson(command)) return printJson(cli, providers)
    const order = settings.find(({ name }) => name === 'limits.order')?.value
    const atLimit = Array.isArray(order) ? `  at a limit: ${order.join(', ')} (limits.order in the config)\n` : ''
    const { style } = wordsOf(cli)
    cli.out(providerRows(providers, cli, await cli.parts.sentencesOf(status.language)) + style.quiet(atLimit))
  })
  addTest(command, cli)
  addAdd(command, cli)
  addKeys(command, cli)
  addRemove(command, cli)
}

function addRemove(parent: Command, cli: Cli): void {
  const command = parent
    .command('remove')
    .summary('take one out, of routes too')
    .description(
      'Takes a provider out of the config, with what routes and aliases name of it. ' +
        '`onward config undo` brings all of it back. A stored key stays until that can’t be done any more, at the ' +
        'latest until the next start.',
    )
    .argument('<id>', 'its name in the config')
  examples(withCommon(command), [
    ['onward providers remove deepseek', 'no turn goes there any more'],
    ['onward config undo', 'it is back'],
  ])
  command.action(async (id: string) => {
    await withEngine(placeOf(command, cli), (calls) => calls.removeProvider.mutate(id))
    if (wantsJson(command)) return printJson(cli, { removed: id })
    const { style } = wordsOf(cli)
    cli.out(
      `${style.shape('done', '✓')} Removed ${style.strong(id)}. Take it back: ${style.strong('onward config undo')}\n` +
        '  A stored key of it is removed once that can’t be done any more, at the next start at the latest.\n',
    )
  })
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
}
const shapeOf = ({ health }: ProviderView): SessionShape =>
  health.kind === 'resting' && health.rest.why === 'refused' ? 'failed' : shapes[health.kind]

function providerRows(providers: readonly ProviderView[], cli: Cli, sentences: Sentences): string {
  const { style, columns } = wordsOf(cli)
  const now = cli.now()
  const table = rows(
    providers,
    [
      { text: (p) => shapeGlyphs[shapeOf(p)], paint: (text, p) => style.shape(shapeOf(p), text), tight: true },
      { text: (p) => p.id, paint: style.strong, most: 40 },
      { text: (p) => p.type },
      {
        text: (p) => (p.baseUrl === null ? 'built in' : URL.canParse(p.baseUrl) ? new URL(p.baseUrl).host : p.baseUrl),
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

function keysText({ auth, keys }: ProviderView): string {
  if (auth === 'client') return 'client’s login'
  if (keys.length === 0) return 'no key'
  const ready = keys.filter((key) => key.state.kind === 'ready').length
  return ready === keys.length ? plural(keys.length, 'key') : `${ready} of ${plural(keys.length, 'key')}`
}

function addKeys(parent: Command, cli: Cli): void {
  const command = parent
    .command('keys')
    .summary('where stored keys are kept; move them')
    .description(
      'Says where the keys and addresses are that Onward stores: in the system’s ' +
        'keychain, or in a file that only you can read. --to moves all of them, and keeps ' +
        'new ones there. Each stays in its old place until it is whole in the new one.',
    )
    .addOption(new Option('--to <place>', 'move all there').choices(secretPlaces))
  examples(withCommon(command), [
    ['onward providers keys', 'where they are'],
    ['onward providers keys --to keychain', 'none is in a file any more'],
    ['onward providers keys --to file', 'for a server without a keychain'],
  ])
  command.action(async () => {
    const { to } = command.opts<{ to?: SecretPlace }>()
    const [kept, status] = await withEngine(placeOf(command, cli), async (calls) => [
      await (to === undefined ? calls.secretsKept.query() : calls.moveSecrets.mutate(to)),
      await calls.status.query(),
    ])
    if (wantsJson(command)) return printJson(cli, kept)
    const { secretsKept, secretsMend } = await cli.parts.sentencesOf(status.language)
    const { style } = wordsOf(cli)
    const mend = secretsMend(kept)
    cli.out(`${mend === null ? style.shape('done', '✓') : style.shape('failed', '▲')} ${oneLine(secretsKept(kept))}\n`)
    for (const line of mend === null ? [] : lines(mend)) cli.out(`  ${line}\n`)
  })
}
