/** Values in XML, in ASCII only: the encoding of the file then makes no difference to its reader. */
const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const xml = (text: string): string =>
  Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0
    return named[char] ?? (code < 0x80 ? char : `&#x${code.toString(16)};`)
  }).join('')
