import { InvalidArgumentError, Option, type Command } from 'commander'
import type { RouteAnswer, RouteQuestion } from '../../../../shared/routing.ts'
import type { Sentences } from '../../../../shared/sentences/index.ts'
import { entryProtocols, requestKinds, type EntryProtocol, type RequestKind } from '../../../../shared/words.ts'
import type { Cli } from '../../cli.ts'
import { examples, withCommon } from '../../common.ts'
import { withEngine } from '../../engine.ts'
import { exitCodes } from '../../exit.ts'
import { oneLine } from '../../output/clean.ts'
import { printJson, wordsOf } from '../../output/print.ts'
import { placeOf, wantsJson } from '../../place.ts'
import { targetText } from '../../../../shared/target-text.ts'

interface Options {
  tokens: number
  thinking?: boolean
  image?: boolean
  webSearch?: boolean
  entry: EntryProtocol
  kind: RequestKind
  session?: string
}

export function addRoute(program: Command, cli: Cli): void {
  const command = program
    .command('route')
    .summary('where a request would go, and why')
    .description('Where a request would go right now, and why. Nothing is sent, nothing changes.')
    .argument('[model]', 'the model the client asks for')
    .option('--tokens <n>', 'about so many input tokens', count, 0)
    .option('--thinking', 'it asks for thinking')
    .option('--image', 'an image is in the last message')
    .option('--web-search', 'it brings a web search of its vendor')
    .addOption(new Option('--entry <protocol>', 'what the client speaks').choices(entryProtocols).default('messages'))
    .addOption(new Option('--kind <kind>', 'what kind of request').choices(requestKinds).default('turn'))
    .option('--session <session>', 'its markers and its provider so far count')
  examples(withCommon(command), [
    ['onward route claude-sonnet-4-5', 'a usual turn'],
    ['onward route claude-sonnet-4-5 --tokens 82000 --image', 'a long one with a picture'],
    ['onward route --session billing', 'of this session'],
  ])
  command.action(async (model: string | undefined) => {
    const { tokens, thinking, image, webSearch, entry, kind, session } = command.opts<Options>()
    const question: RouteQuestion = {
      model: model ?? null,
      tokens,
      thinking: thinking ?? false,
      image: image ?? false,
      webSearch: webSearch ?? false,
      entry,
      kind,
      session: session ?? null,
    }
    const [answer, status] = await withEngine(placeOf(command, cli), (calls) =>
      Promise.all([calls.routeCheck.query(question), calls.status.query()]),
    )
    if (wantsJson(command)) printJson(cli, answer)
    else cli.out(answerText(answer, cli, await cli.parts.sentencesOf(status.language)))
    if (answer.kind === 'nowhere') cli.exitWith(exitCodes.failed.code)
  })
}

function answerText(answer: RouteAnswer, cli: Cli, sentences: Sentences): string {
  const { style } = wordsOf(cli)
  const now = cli.now()
  const { why, skipped } = answer.kind === 'goes' ? answer.route : answer
  const reasons = why.map((reason) => `  ${style.shape('done', '✓')} ${oneLine(sentences.routeReason(reason))}\n`)
  const passed = skipped.map(
    (one) =>
      `  ${style.quiet('○')} ${oneLine(targetText(one.candidate))} ` +
      `passed over: ${oneLine(sentences.passedOver(one.why, now))}\n`,
  )
  if (answer.kind === 'nowhere')
    return (
      `${style.shape('failed', '▲')} Goes nowhere. ` +
      `${oneLine(answer.message)}\n${reasons.join('')}${passed.join('')}`
    )
  const { provider, model, keyAlias } = answer.route
  const target = oneLine(`${provider}/${model}`)
  const takes =
    answer.contextWindow === null
      ? ''
      : `  ${style.shape('done', '✓')} ${target} takes ` +
        `${answer.contextWindow.toLocaleString('en').replaceAll(',', ' ')} tokens\n`
  return (
    `Goes to ${style.strong(target)}${keyAlias === null ? '' : `, key ${oneLine(keyAlias)}`} ` +
    `${style.quiet('(nothing is sent)')}\n${reasons.join('')}${passed.join('')}${takes}`
  )
}

function count(text: string): number {
  const found = /^\d[\d_ ]*$/.test(text) ? Number(text.replaceAll(/[_ ]/g, '')) : NaN
  if (!(found <= 100_000_000)) throw new InvalidArgumentError('It takes a number of tokens, e.g. 82000.')
  return found
}
