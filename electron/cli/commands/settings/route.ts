import { InvalidArgumentError, Option, type Command } from 'commander'
import type { RouteAnswer } from '../../../../shared/routing.ts'
import type { Sentences } from '../../../../shared/sentences/index.ts'
import { entryProtocols, requestKinds, type EntryProtocol, type RequestKind } from '../../../../shared/words.ts'
import type { Cli } from '../../cli.ts'
import { engineCommand } from '../../command.ts'
import { oneLine } from '../../output/clean.ts'
import type { Style } from '../../output/style.ts'
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
  engineCommand(program, cli, {
    usage: 'route [model]',
    takes: ['the model the client asks for'],
    summary: 'where a request would go, and why',
    description: 'Where a request would go right now, and why. Nothing is sent, nothing changes.',
    options: [
      new Option('--tokens <n>', 'about so many input tokens').argParser(count).default(0),
      ['--thinking', 'it asks for thinking'],
      ['--image', 'an image is in the last message'],
      ['--web-search', 'it brings a web search of its vendor'],
      new Option('--entry <protocol>', 'what the client speaks').choices(entryProtocols).default('messages'),
      new Option('--kind <kind>', 'what kind of request').choices(requestKinds).default('turn'),
      ['--session <session>', 'its markers and its provider so far count'],
    ],
    examples: [
      ['onward route claude-sonnet-4-5', 'a usual turn'],
      ['onward route claude-sonnet-4-5 --tokens 82000 --image', 'a long one with a picture'],
      ['onward route --session billing', 'of this session'],
    ],
    ask: (calls, [model, options]: [string | undefined, Options]) => {
      const { tokens, thinking = false, image = false, webSearch = false, entry, kind, session = null } = options
      return calls.routeCheck.query({ model: model ?? null, tokens, thinking, image, webSearch, entry, kind, session })
    },
    failed: ({ kind }) => kind === 'nowhere',
    tell: answerText,
  })
}

function answerText(
  answer: RouteAnswer,
  { style, sentences, now }: { style: Style; sentences: Sentences; now: number },
): string {
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
