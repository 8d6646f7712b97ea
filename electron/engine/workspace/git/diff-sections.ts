/** The part of a diff about one file. */
export interface DiffSection {
  path: string
  lines: readonly string[]
}

const header = 'diff --git '

/**
 * A diff without renames, file by file. Every line of content begins with a blank, `+`, `-` or `\`, so a header can't
 * be forged; `cut`: the beginning is missing, and lines before the first header are dropped. A section whose file name
 * can't be read is left out.
 */
export function diffSections(diff: string, cut: boolean): readonly DiffSection[] {
  const sections: { path: string | null; lines: string[] }[] = []
  // Where the beginning is missing the first line may be the end of one.
  for (const line of cut ? diff.split('\n').slice(1) : diff.split('\n')) {
    if (line.startsWith(header)) sections.push({ path: pathOf(line.slice(header.length)), lines: [line] })
    else sections.at(-1)?.lines.push(line)
  }
  return sections.flatMap(({ path, lines }) => (path === null ? [] : [{ path, lines }]))
}

/** `a/X b/X`, or both as C strings where X has a quote, a backslash or a control character. */
function pathOf(names: string): string | null {
  if (names.startsWith('"')) {
    const first = /^"a\/((?:[^"\\]|\\.)*)" "b\/\1"$/.exec(names)?.[1]
    return first === undefined ? null : unquoted(first)
  }
  const path = names.slice(2, 2 + (names.length - 5) / 2)
  return names === `a/${path} b/${path}` ? path : null
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }

function unquoted(text: string): string {
  const bytes: Buffer[] = []
  for (const [whole, octal, letter] of text.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gsu)) {
    if (octal !== undefined) bytes.push(Buffer.from([parseInt(octal, 8)]))
    else if (letter !== undefined) bytes.push(Buffer.from([escapes[letter] ?? letter.charCodeAt(0)]))
    else bytes.push(Buffer.from(whole, 'utf8'))
  }
  return Buffer.concat(bytes).toString('utf8')
}
