/** A person's choice of the model that takes a session's turns while something else fails. */
export interface StandIn {
  /** `provider.model` */
  target: string
  /** what it stands in for, by `provider.model` */
  failed: readonly string[]
  /** none of them was asked for long: this request tries them first */
  tryFailed: boolean
}

/**
 * It takes the place of the first of those that failed, and others stay where they are: the failure of what a request
 * would never have asked is no reason to send it elsewhere.
 */
export function* withStandIn<T>(
  usual: Iterable<T>,
  standIn: { is: T; tryFailed: boolean },
  failed: (one: T) => boolean,
): Generator<T> {
  let after = false
  for (const one of usual) {
    if (failed(one) && !after) {
      if (!standIn.tryFailed) yield standIn.is
      after = true
      yield one
    } else yield one
  }
  if (after && standIn.tryFailed) yield standIn.is
}
