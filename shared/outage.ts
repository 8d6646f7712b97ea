/** What a person asked for while a session's turns fail; it ends by itself when one of `failed` answers again. */
export interface SessionOutage {
  /** `provider.model` of everything that was asked for the turn that failed */
  failed: readonly string[]
  since: number
  /** a notification tells of the return */
  tell: boolean
  /** `provider.model` that takes the session's turns meanwhile; null: none does */
  standIn: string | null
}

/** The provider of a target that was chosen as `provider.model`; ids of providers hold no dot. */
export const providerOfTarget = (target: string): string => target.slice(0, target.indexOf('.'))
