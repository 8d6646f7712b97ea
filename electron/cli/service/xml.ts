/** Values in XML, in ASCII only: how the file is encoded then makes no difference to whoever reads it. */
const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const xml = (text: string): string =>
  Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0
    return named[char] ?? (code < 0x80 ? char : `&#x${code.toString(16)};`)
  }).join('')
