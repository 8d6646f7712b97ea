/**
 * Replies a terminal gives to queries of its program: device attributes, cursor position, colours, modes. The host
 * answers where no real terminal does; a viewer's own replies must not come on top.
 */
// oxlint-disable-next-line no-control-regex -- escape sequences are the subject here
const replies =
  /\u001b(?:\[[?>=]?[\d;]*c|\[\??\d+(?:;\d+)*[Rn]|\[\?\d+(?:;\d+)*\$y|\[\?\d+u|\](?:4|1[0-9]|52|7501);[^\u0007\u001b]*(?:\u0007|\u001b\\)|P[^\u001b]*\u001b\\)/g

/** Returns a viewer's input without replies. */
export const withoutReplies = (data: string): string => data.replace(replies, '')

/** focus that came or went, and the mouse: no key, so no word of a person's */
// oxlint-disable-next-line no-control-regex -- escape sequences are the subject here
const pointing = /\u001b\[(?:[IO]|<[\d;]+[Mm]|M[\s\S]{3})/g

/** True if a person pressed a key, as far as these bytes show. */
export const holdsKeys = (data: string): boolean => withoutReplies(data).replace(pointing, '') !== ''
