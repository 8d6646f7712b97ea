/** The control API as a tRPC router, made of the tables of operations: a procedure hands its checked input on. */
import {
  initTRPC,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
  type TRPCSubscriptionProcedure,
} from '@trpc/server'
import { z } from 'zod'
import type { operations } from '../operations/index.ts'
import type { AnyOperation, Operation, Operations } from '../operations/operation.ts'
import { carriesOther } from '../operations/machines.ts'
import { factsOf } from '../problems.ts'

/** Who asks: what carries a call out, and `check`, which throws where this caller may not make it. */
export interface CallContext {
  api: object
  /** `carried`: the operation that another machine is asked for by it */
  check?(operation: string, carried?: string): void
}

const t = initTRPC.context<CallContext>().create({
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    data: {
      ...shape.data,
      stack: undefined,
      onwardCode: codeOf(error.cause),
      onwardField: fieldOf(error.cause),
      onwardFacts: factsOf(detailsOf(error.cause)),
    },
  }),
})

/** as a caller writes it: what has a default may be left out */
type Written<S> = S extends z.ZodType ? z.input<S> : void
interface Def<Input, Output> {
  input: Input
  output: Output
  meta: object
}
type Procedure<Op> =
  Op extends Operation<infer K, infer S, infer O>
    ? K extends 'query'
      ? TRPCQueryProcedure<Def<Written<S>, O>>
      : K extends 'mutation'
        ? TRPCMutationProcedure<Def<Written<S>, O>>
        : TRPCSubscriptionProcedure<Def<Written<S>, AsyncIterable<O>>>
    : never

export function routerOf<T extends Operations>(table: T) {
  const procedures = Object.entries(table).map(([name, operation]) => [name, procedureOf(name, operation)])
  return t.router(Object.fromEntries(procedures) as { [N in keyof T]: Procedure<T[N]> })
}

/** Before anything of the input is read. */
const checked = t.procedure.use(async ({ ctx, path, getRawInput, next }) => {
  if (ctx.check) ctx.check(path, carriesOther(path) ? operationIn(await getRawInput()) : undefined)
  return next()
})

/** What is no text no caller with bounded rights may ask for. */
const operationIn = (input: unknown): string => {
  const named: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'operation') : null
  return typeof named === 'string' ? named : ''
}

function procedureOf(name: string, { kind, input: shape }: AnyOperation) {
  interface Call {
    ctx: { api: object }
    input?: unknown
    signal?: AbortSignal | undefined
  }
  const carryOut = ({ ctx, input }: Call, ...more: readonly AbortSignal[]): unknown => {
    const handler = Reflect.get(ctx.api, name) as (...args: readonly unknown[]) => unknown
    return Reflect.apply(handler, ctx.api, shape === null ? more : [input, ...more])
  }
  const call = shape === null ? checked : (checked.input(parserOf(shape)) as unknown as typeof checked)
  switch (kind) {
    case 'query':
      return call.query((called) => carryOut(called))
    case 'mutation':
      return call.mutation((called) => carryOut(called))
    case 'subscription':
      return call.subscription(
        (called) => carryOut(called, called.signal ?? new AbortController().signal) as AsyncIterable<unknown>,
      )
  }
}

/** Made with the first call: to make all of them takes milliseconds that an engine's start does not have. */
function parserOf(shape: NonNullable<AnyOperation['input']>): (written: unknown) => Promise<unknown> {
  let made: z.ZodType | null = null
  return (written) => (made ??= shape(z)).parseAsync(written)
}

export type ControlRouter = ReturnType<typeof routerOf<typeof operations>>

function codeOf(cause: unknown): string | null {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null
}

const detailsOf = (cause: unknown): unknown => (cause instanceof Error && 'details' in cause ? cause.details : null)

/** The setting of the config that a refusal is about, e.g. `providers.glm.baseUrl`. */
function fieldOf(cause: unknown): string | null {
  const details = detailsOf(cause)
  return typeof details === 'object' && details !== null && 'field' in details && typeof details.field === 'string'
    ? details.field
    : null
}
