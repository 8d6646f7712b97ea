/** The upstreams that were tried stand at the end of a failure's message, for clients that show nothing else. */
const mark = ' Tried: '

/** @param tried one phrase for each upstream, in order */
export const withTried = (message: string, tried: readonly string[]): string => `${message}${mark}${tried.join('; ')}.`

/** The message alone, where the tried upstreams are shown beside it. */
export function withoutTried(message: string): string {
  const at = message.lastIndexOf(mark)
  return at === -1 ? message : message.slice(0, at)
}
