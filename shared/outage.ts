/** A person's wishes for the time a session's turns fail; they end when one of `failed` answers again. */
export interface SessionOutage {
  /** `provider.model` of everything that was asked for the turn that failed */
  failed: readonly string[]
  since: number
  /** the return is announced by a notification */
  tell: boolean
  /** `provider.model` that takes the session's turns meanwhile; null: none does */
  standIn: string | null
}

/** The provider of a target that was chosen as `provider.model`; ids of providers hold no dot. */
export const providerOfTarget = (target: string): string => target.slice(0, target.indexOf('.'))
