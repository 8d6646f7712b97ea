/** The frame of a command: its words as data, what it asks the engine, and what it prints. */
import { Argument, Option, type Command } from 'commander'
import type { CommandWords } from '../../shared/operations/operation.ts'
import type { Sentences } from '../../shared/sentences/index.ts'
import type { EngineStatus } from '../../shared/state.ts'
import type { Cli } from './cli.ts'
import type { ControlCalls } from './client.ts'
import { examples, withCommon } from './common.ts'
import { withEngine } from './engine.ts'
import { exitCodes } from './exit.ts'
import { printJson, wordsOf, type Words } from './output/print.ts'
import { engineOf, placeOf, wantsJson } from './place.ts'

export interface CommandShape extends CommandWords {
  /** flags and what they mean, in the order of `--help` */
  options?: readonly (readonly [flags: string, what: string] | Option)[]
}

export interface Telling extends Words {
  cli: Cli
  now: number
}
/** For words of the engine's language, which its status names. */
export interface TellingInWords extends Telling {
  sentences: Sentences
  status: EngineStatus
}

export interface EngineCommand<T, I> extends CommandShape {
  /** it takes more of this machine than its engine, so `--on` is refused */
  hereOnly?: true
  /** of the arguments and, last, the options, before an engine is looked for; without it the list of them */
  input?(...words: never[]): I | Promise<I>
  ask(calls: ControlCalls, input: I): Promise<T>
  /** what `--json` prints; without it the answer */
  json?(answer: T, input: I): unknown
  say?(answer: T, telling: Telling, input: I): string
  /** in the place of `say`, where it needs the engine's language */
  tell?(answer: T, telling: TellingInWords, input: I): string
  /** the answer is none that a script may go on with */
  failed?(answer: T, input: I): boolean
}

export function described(parent: Command, shape: CommandShape): Command {
  const { usage, summary, description, takes = [], options = [], examples: lines = [] } = shape
  const [name = '', ...args] = usage.slice(usage.search(/[a-z-]+( [<[].*)?$/)).split(' ')
  const command = parent.command(name).summary(summary).description(description)
  for (const [i, arg] of args.entries()) {
    const what = takes[i] ?? ''
    command.addArgument(
      typeof what === 'string' ? new Argument(arg, what) : new Argument(arg, what[0]).choices(what[1]),
    )
  }
  for (const option of options) {
    if (option instanceof Option) command.addOption(option)
    else command.option(...option)
  }
  return lines.length > 0 ? examples(withCommon(command), lines) : withCommon(command)
}

/** Adds a command that asks the engine once and prints the answer: as JSON, or in words. */
export function engineCommand<T, I>(parent: Command, cli: Cli, spec: EngineCommand<T, I>): Command {
  const command = described(parent, spec)
  return command.action(async (...given: unknown[]) => {
    const place = spec.hereOnly ? { ...placeOf(command, cli), machine: null } : engineOf(command, cli)
    // commander's last one is the command itself
    const words = given.slice(0, -1)
    const input = spec.input ? await spec.input(...(words as never[])) : (words as I)
    const json = wantsJson(command)
    const [answer, status] = await withEngine(place, async (calls) => {
      const found = await spec.ask(calls, input)
      return [found, spec.tell && !json ? await calls.status.query() : null] as const
    })
    if (spec.failed?.(answer, input)) cli.exitWith(exitCodes.failed.code)
    if (json) return printJson(cli, spec.json ? spec.json(answer, input) : answer)
    const telling = { ...wordsOf(cli), cli, now: cli.now() }
    if (spec.tell && status) {
      const sentences = await cli.parts.sentencesOf(status.language)
      cli.out(spec.tell(answer, { ...telling, status, sentences }, input))
    } else if (spec.say) cli.out(spec.say(answer, telling, input))
  })
}
