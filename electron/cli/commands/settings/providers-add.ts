import { Option, type Command } from 'commander'
import { presetOf, providerPresets } from '../../../../shared/config/presets.ts'
import { providerTypes, type ProviderType } from '../../../../shared/config/names.ts'
import type { Input } from '../../../../shared/operations/index.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { CliError } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { engineOf, wantsJson } from '../../place.ts'
import { confirmedKey } from './confirmed-key.ts'

interface Options {
  id?: string
  type?: ProviderType
  baseUrl?: string
  auth?: Input<'addProvider'>['auth']
  keyEnv?: string
  keyStdin?: boolean
  model?: readonly string[]
}

export function addAdd(parent: Command, cli: Cli): void {
  const command = parent
    .command('add')
    .summary('a new one, by a preset or by its address')
    .description(
      'Adds a provider to the config. A preset knows its type and address; without one give --type ' +
        `and --base-url.\n\nPresets: ${providerPresets.map((preset) => preset.id).join(', ')}`,
    )
    .argument('<preset-or-id>', 'a preset, or a name of your own')
    .option('--id <id>', 'its name in the config, where that is not the preset’s')
    .addOption(new Option('--type <type>', 'what it speaks').choices(providerTypes))
    .option('--base-url <url>', 'its address')
    .addOption(new Option('--auth <how>', 'key, the client’s own login, or none').choices(['key', 'client', 'none']))
    .addOption(
      new Option('--key-env <name>', 'the key stands in this variable of the engine’s environment').conflicts(
        'keyStdin',
      ),
    )
    .option('--key-stdin', 'read the key from stdin and keep it; asks you to confirm')
    .option('--model <model...>', 'a model it has; can be given several times')
  examples(withCommon(command), [
    ['onward providers add deepseek --key-env DEEPSEEK_API_KEY', 'by a preset'],
    [
      'pass show glm | onward providers add glm --type openai-chat --base-url https://glm.example/v1 --key-stdin',
      'by its address',
    ],
    ['onward providers add ollama --model qwen3:8b', 'one without a key'],
  ])
  command.action(async (name: string) => {
    const input = await inputOf(name, command.opts<Options>(), cli)
    const stores = input.key !== null && 'secret' in input.key
    const [kept, language] = await withEngine(engineOf(command, cli), async (calls) => {
      await calls.addProvider.mutate(input)
      return stores ? [await calls.secretsKept.query(), (await calls.status.query()).language] : [null, null]
    })
    if (wantsJson(command)) return printJson(cli, { added: input.id })
    const { style } = wordsOf(cli)
    cli.out(
      `${style.shape('done', '✓')} Added ${style.strong(input.id)}. See whether it ` +
        `answers: ${style.strong(`${cli.command()} providers test ${input.id}`)}\n`,
    )
    if (kept === null || language === null) return
    const { secretsKept } = await cli.parts.sentencesOf(language)
    cli.out(`  ${oneLine(secretsKept(kept))}\n`)
  })
}

async function inputOf(name: string, options: Options, cli: Cli): Promise<Input<'addProvider'>> {
  const preset = options.type === undefined ? presetOf(name) : null
  const type = preset?.type ?? options.type
  if (type === undefined)
    throw new CliError(
      'usage',
      `${name} is no preset: say what it speaks with --type, and where it is with --base-url.`,
      { hint: 'Presets: onward providers add --help' },
    )
  if (!preset && options.baseUrl === undefined && type !== 'simulator')
    throw new CliError('usage', `Say where ${name} is: --base-url https://…`)
  const id = options.id ?? name
  const needsKey = preset ? preset.auth !== 'none' : type !== 'simulator'
  const given = options.keyEnv !== undefined || options.keyStdin === true
  const auth = options.auth ?? (given || (preset && needsKey) ? 'key' : 'none')
  if (auth !== 'key' && given) throw new CliError('usage', `With --auth ${auth} there is no key to give.`)
  if (auth === 'key' && !given && needsKey)
    throw new CliError('usage', `${name} needs a key: --key-env ${preset?.keyEnv ?? 'NAME'}, or --key-stdin.`)
  const key =
    options.keyEnv !== undefined
      ? { env: options.keyEnv }
      : options.keyStdin
        ? {
            secret: await confirmedKey(
              cli,
              `the provider “${id}”`,
              id,
              'Name a variable of the engine’s environment instead: --key-env NAME',
            ),
          }
        : null
  return {
    id,
    preset: preset?.id ?? null,
    type,
    baseUrl: options.baseUrl ?? null,
    auth,
    key,
    models: [...(options.model ?? [])],
  }
}
