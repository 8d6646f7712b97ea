import { setMembers } from '../json-bytes/walk.ts'
import { asName, parseObject } from '../values.ts'

/** Keeps item ids distinct: some servers number them anew in every response, and clients file what they get by id. */
interface ItemNames {
  /** an item begins; `''` has no id */
  add(id: string): void
  /** returns the client's name of an item of this round */
  of(id: string): string
  /** returns an item as JSON under the client's name */
  renamed(item: Buffer): Buffer
  nextRound(): void
}

export function itemNames(): ItemNames {
  const taken = new Set<string>()
  let ofRound = new Map<string, string>()
  let round = 1

  const of = (id: string): string => ofRound.get(id) ?? id
  return {
    add(id) {
      if (id === '' || ofRound.has(id)) return
      let name = id
      for (let n = round; taken.has(name); n++) name = `${id}_${n}`
      taken.add(name)
      ofRound.set(id, name)
    },
    of,
    renamed(item) {
      const id = asName(parseObject(item)?.['id'])
      return id && of(id) !== id ? setMembers(item, { id: JSON.stringify(of(id)) }) : item
    },
    nextRound() {
      ofRound = new Map()
      round++
    },
  }
}
