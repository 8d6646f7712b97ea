import type { Mutable } from '../../../base/mutable.ts'
import type { HiddenNames } from '../../server-tools/types.ts'
import { asNumber, type JsonObject } from '../../values.ts'
import { callFinder, readCallEntry } from '../call-finder.ts'

interface Call {
  index: number | null
  id: string | null
  hidden: boolean
  shown: number | null
}

/** Separates hidden calls in a stream from the client's own. */
interface CallSieve {
  /**
   * the client's entries, with the indices that they have without the hidden ones; the same list when none is hidden or
   * moved
   */
  entries(list: readonly JsonObject[]): readonly JsonObject[]
  /** a hidden call has begun */
  readonly hid: boolean
  /** a call of the client's own has begun */
  readonly kept: boolean
}

export function callSieve(names: HiddenNames): CallSieve {
  const found = callFinder<Call>()
  /** indices at which the provider put hidden calls, in their order */
  const taken: number[] = []
  /** how many of them are below `index` */
  const below = (index: number): number => {
    let [from, to] = [0, taken.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((taken[middle] ?? Infinity) < index) from = middle + 1
      else to = middle
    }
    return from
  }

  function callOf(value: JsonObject): Call {
    const entry = readCallEntry(value)
    const { index, id, name } = entry
    const known = found.find(entry)
    // Some servers begin a call before they name it.
    if (known && (name === null || known.hidden || !names.has(name))) return known
    const hidden = name !== null && names.has(name)
    // An entry without a name goes on with a call that began before anything was hidden, under the index it has.
    const shown = index === null || name === null ? index : index - below(index)
    const call = known ?? { index, id, hidden, shown }
    call.hidden = hidden
    if (hidden && index !== null && taken[below(index)] !== index) taken.splice(below(index), 0, index)
    if (!known) found.add(call, entry)
    return call
  }

  const sieve: Mutable<CallSieve> = {
    hid: false,
    kept: false,
    entries(list) {
      let changed = false
      const left = list.flatMap((entry) => {
        const call = callOf(entry)
        if (call.hidden) sieve.hid = true
        else sieve.kept = true
        if (call.hidden || call.shown !== asNumber(entry['index'])) changed = true
        else return [entry]
        return call.hidden ? [] : [{ ...entry, index: call.shown }]
      })
      return changed ? left : list
    },
  }
  return sieve
}
