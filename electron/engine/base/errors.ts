const marker = Symbol.for('onward.error')

/** Options beyond code and sentence. `status` is the HTTP status where the error reaches a client. */
export interface OnwardErrorOptions {
  cause?: unknown
  retryable?: boolean
  status?: number
  details?: Readonly<Record<string, unknown>>
}

/** The engine's one error family: a stable code, a sentence a person can act on, and the cause. */
export class OnwardError extends Error {
  readonly [marker] = true
  readonly code: string
  readonly retryable: boolean
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, options: OnwardErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'OnwardError'
    this.code = code
    this.retryable = options.retryable ?? false
    this.status = options.status ?? 500
    this.details = options.details ?? {}
  }

  /** True across copies of this module (bundle and tests). */
  static isInstance(value: unknown): value is OnwardError {
    return value instanceof Error && marker in value
  }
}

/** The sentence of anything thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Describes anything thrown for a record. `otherwise`: the code of an error that is not ours */
export const problemOf = (error: unknown, otherwise: string): { code: string; message: string } => ({
  code: OnwardError.isInstance(error) ? error.code : otherwise,
  message: messageOf(error),
})

/** The `code` of a Node system error (`ENOSPC`), else null. */
export const systemCodeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
