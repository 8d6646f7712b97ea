/** Texts as roff takes them, so that no sign of theirs is a request, an escape or a glyph of typesetting. */

const signs: Readonly<Record<string, string>> = {
  '\\': '\\(rs',
  // a plain hyphen may be printed as one that no shell knows
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '^': '\\(ha',
  '~': '\\(ti',
  '`': '\\(ga',
  '‘': '\\(oq',
  '’': '\\(cq',
  '“': '\\(lq',
  '”': '\\(rq',
  '…': '...',
}

const glyph = (sign: string): string =>
  signs[sign] ?? `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`

/** One line, which may stand at the start of one: there a dot begins a request. */
export const roff = (text: string): string =>
  text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/[\\\-'"^~`]|[^ -~]/gu, glyph)
    .replace(/^\./, '\\&.')

export const bold = (text: string): string => `\\fB${roff(text)}\\fR`

/** Words in backticks are bold. */
export const prose = (text: string): string => roff(text).replace(/\\\(ga(.+?)\\\(ga/g, '\\fB$1\\fR')
