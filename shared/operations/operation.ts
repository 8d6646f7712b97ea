/**
 * The verbs of the control API, each declared once: what it takes and answers, what takes it back, and the commands
 * that do nothing but ask for it. Router, client, handlers and fakes get their types from the tables beside this file.
 * Nothing here loads a validator: an input is a function of zod, which the router calls when it is needed.
 */
import type { z } from 'zod'
import type { SessionShape } from '../words.ts'

export type Zod = typeof z
type Shape = z.ZodType | null
type Kind = 'query' | 'mutation' | 'subscription'
type Given<S> = S extends z.ZodType ? z.output<S> : void

/** A command as `--help` and docs/cli.md describe it. */
export interface CommandWords {
  /** its words and arguments: `sessions archive <session>` */
  usage: string
  summary: string
  description: string
  /** what each argument is; with choices where it has some */
  takes?: readonly (string | readonly [what: string, choices: readonly string[]])[]
  examples?: readonly (readonly [line: string, what: string])[]
}

/** How words of a command's answer are painted; `clean` takes controls out of what somebody else wrote. */
export interface Paint {
  strong(text: string): string
  quiet(text: string): string
  shape(shape: SessionShape, text: string): string
  clean(text: string): string
}

/** A command that does nothing but ask for the operation. */
export interface PlainCommand<I, O> extends CommandWords {
  /** of `onward --help`, where it stands there; without one: Onward */
  heading?: string
  /** of its arguments; one that was left out is undefined */
  input(...words: readonly (string | undefined)[]): I
  /** what `--json` prints; without it the answer */
  json?(answer: O, input: I): unknown
  say(answer: O, paint: Paint, input: I): string
}

interface More<I, O> {
  readonly commands?: readonly PlainCommand<I, O>[]
  /** the operation, and its input, that takes back what was done; null: nothing was */
  undo?(input: I, answer: O): readonly [name: string, input: unknown] | null
  /** asked again with the same `key`, it is done once: so it may wait for an engine of a fleet that is away */
  readonly once?: true
}

export interface Operation<K extends Kind, S extends Shape, O> extends More<Given<S>, O> {
  readonly kind: K
  /** null: it takes none */
  readonly input: S extends z.ZodType ? (zod: Zod) => S : null
  /** never there: carries the type of its answer, or of what a subscription yields */
  readonly answer?: O
}
export type AnyOperation = Operation<Kind, Shape, unknown>
export type Operations = Readonly<Record<string, AnyOperation>>

const kinds = <S extends Shape>(input: AnyOperation['input']) => ({
  query: <O>(more: More<Given<S>, O> = {}) => ({ ...more, kind: 'query', input }) as Operation<'query', S, O>,
  mutation: <O>(more: More<Given<S>, O> = {}) => ({ ...more, kind: 'mutation', input }) as Operation<'mutation', S, O>,
  subscription: <O>() => ({ kind: 'subscription', input }) as Operation<'subscription', S, O>,
})
/** Begins one that takes nothing. */
export const call = kinds<null>(null)
/** Begins one that takes this input. */
export const takes = <S extends z.ZodType>(input: (zod: Zod) => S) => kinds<S>(input)

/** As a handler gets it: checked, with defaults. */
export type InputOf<Op> = Op extends Operation<infer _K, infer S, infer _O> ? Given<S> : never
export type AnswerOf<Op> = Op extends Operation<infer _K, infer _S, infer O> ? O : never

export type Handler<Op> =
  Op extends Operation<infer K, infer S, infer O>
    ? (
        ...args: [
          ...(S extends z.ZodType ? [input: z.output<S>] : []),
          ...(K extends 'subscription' ? [signal: AbortSignal] : []),
        ]
      ) => K extends 'subscription' ? AsyncIterable<O> : Promise<O>
    : never
/** Carries out a table of operations. */
export type Handlers<T extends Operations> = { [N in keyof T]: Handler<T[N]> }

/** The id of a session or what stands for one (index.ts), and of all else that has one. */
export const id = (zod: Zod) => zod.string().min(1).max(512)
export const switchOf = (zod: Zod) => zod.object({ session: id(zod), on: zod.boolean() })
/** the caller's own for one order: asked again with it, nothing more is done */
export const key = (zod: Zod) => zod.uuid().optional()
/** Limits: left out: as it is; null: none. */
export const whole = (zod: Zod) => zod.number().int().positive().nullable().optional()
export const some = (zod: Zod) => zod.number().positive().nullable().optional()
/** epoch milliseconds */
export const instant = (zod: Zod) => zod.number().int().min(0).max(8_640_000_000_000_000)
