/**
 * True if the bytes of a JSON document can hold `<**` in one of its texts, written plainly or with escapes. A few
 * native searches, so that a request without markers is never walked; `true` only means that it is worth a look.
 */
export function mayHoldMarker(json: Buffer): boolean {
  return json.includes('<**') || holdsEscape(json, '002', isStar) || holdsEscape(json, '003', isSmallerThan)
}

/** Searches for the digits: a search for the backslash would stop at every line end and quote in a text. */
function holdsEscape(json: Buffer, digits: string, isIt: (json: Buffer, at: number) => boolean): boolean {
  for (let at = json.indexOf(digits); at >= 0; at = json.indexOf(digits, at + 3))
    if (json[at - 1] === letterU && json[at - 2] === backslash && isIt(json, at + 3)) return true
  return false
}

/** Programs that escape `<` in every JSON they write are common, ones that escape `*` are not. */
const isStar = (json: Buffer, at: number): boolean => json[at] === 0x61 || json[at] === 0x41
const isSmallerThan = (json: Buffer, at: number): boolean =>
  (json[at] === 0x63 || json[at] === 0x43) && json[at + 1] === star && json[at + 2] === star

const backslash = 0x5c
const letterU = 0x75
const star = 0x2a
