import type { OutsideWords } from '../../../shared/sentences/types.ts'
import type { OutsideMessage } from './types.ts'

const MOST_LINES = 10

/** Notices that came while others had to wait, as one: the title of each, the newest last. */
export function together(messages: readonly OutsideMessage[], words: OutsideWords): OutsideMessage {
  const [first] = messages
  if (!first) throw new RangeError('there is nothing to tell')
  const shown = messages.slice(-MOST_LINES)
  const left = messages.length - shown.length
  const sessions = new Set(messages.map(({ session }) => session?.id ?? null))
  return {
    ...first,
    session: sessions.size === 1 ? first.session : null,
    link: sessions.size === 1 ? first.link : (first.link?.replace(/#.*$/, '') ?? null),
    title: words.several(messages.length),
    body: [...(left > 0 ? [words.more(left)] : []), ...shown.map(({ title }) => title)].join('\n'),
    more: messages.length - 1,
  }
}
