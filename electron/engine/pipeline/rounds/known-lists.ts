import { tokenScan } from '../../protocol/server-tools.ts'

/** How many lists of tools are remembered, and how many bytes they may take together. */
const mostLists = 16
const mostBytes = 2 * 1024 * 1024

/** A list without any of these words as a string of its own. */
interface KnownList {
  list: Buffer
  words: string
}

/**
 * Returns a function that is true if a list of declared tools holds any of these words as a JSON string. Agents send
 * the same long list with every request, and searching it costs more than a comparison: lists without the words are
 * remembered.
 */
export function createKnownLists(): (list: Buffer, words: readonly string[]) => boolean {
  /** the last one first */
  let without: readonly KnownList[] = []
  return (list, words) => {
    const asked = words.join('\0')
    const known = without.find((one) => one.words === asked && one.list.equals(list))
    if (known) {
      if (known !== without[0]) without = [known, ...without.filter((one) => one !== known)]
      return false
    }
    if (tokenScan(words)(list)) return true
    // One that is too long would push all others out. A copy: the list is part of a body, which would stay in memory.
    if (list.length <= mostBytes) without = withinLimits([{ list: Buffer.from(list), words: asked }, ...without])
    return false
  }
}

function withinLimits(lists: readonly KnownList[]): readonly KnownList[] {
  let bytes = 0
  const tooMany = lists.findIndex(({ list }, i) => i === mostLists || (bytes += list.length) > mostBytes)
  return tooMany < 0 ? lists : lists.slice(0, tooMany)
}
