/**
 * The changes that Codex's `config.toml` needs: a text at its top, a switch among its features, and a table of its own
 * at its end. Everything else stays as it is, to the last byte.
 */
export interface TomlPlace {
  /** the lines before the first table */
  top: readonly string[]
  rest: readonly string[]
}

/** Arrays and texts may go on over lines, and a line of theirs may begin as a table would. */
export function splitAtTables(lines: readonly string[]): TomlPlace {
  let depth = 0
  let quote: string | null = null
  for (const [i, line] of lines.entries()) {
    if (depth === 0 && quote === null && /^\s*\[/.test(line)) return { top: lines.slice(0, i), rest: lines.slice(i) }
    for (let at = 0; at < line.length;) {
      if (quote !== null) {
        if (quote.startsWith('"') && line[at] === '\\') at += 2
        else if (line.startsWith(quote, at)) {
          at += quote.length
          quote = null
        } else at += 1
        continue
      }
      const [opens] = /^(?:"""|'''|"|')/.exec(line.slice(at)) ?? []
      if (opens !== undefined) {
        quote = opens
        at += opens.length
        continue
      }
      if (line[at] === '#') break
      if (line[at] === '[' || line[at] === '{') depth += 1
      if (line[at] === ']' || line[at] === '}') depth -= 1
      at += 1
    }
    // Only the long forms go on over a line's end.
    if (quote?.length === 1) quote = null
  }
  return { top: lines, rest: [] }
}

/** Sets `name = "value"` above all tables. */
export function setTopText(text: string, name: string, value: string): string {
  const end = lineEndOf(text)
  const { top, rest } = splitAtTables(text.split(/\r?\n/))
  const written = `${name} = ${JSON.stringify(value)}`
  const there = top.findIndex((line) => new RegExp(`^\\s*${name}\\s*=`).test(line))
  if (there >= 0) {
    const comment = /^\s*[\w-]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|'[^']*')\s*(#.*)?$/.exec(top[there] ?? '')?.[1]
    return [...top.with(there, comment === undefined ? written : `${written} ${comment}`), ...rest].join(end)
  }
  const last = top.findLastIndex((line) => line.trim() !== '')
  return [...top.slice(0, last + 1), written, ...top.slice(last + 1), ...separated(top, last, rest)].join(end)
}

/** A table right below the new line would look like a part of it. */
const separated = (top: readonly string[], last: number, rest: readonly string[]): readonly string[] =>
  rest.length > 0 && last === top.length - 1 ? ['', ...rest] : rest

/** Sets `name = true` or `false` in `[features]`, in whichever of TOML's three ways that table is written. */
export function setFeature(text: string, name: string, on: boolean): string {
  const end = lineEndOf(text)
  const lines = text.split(/\r?\n/)
  const { top, rest } = splitAtTables(lines)
  const written = `${name} = ${on}`
  const inLine = top.findIndex((line) => /^\s*features\s*=\s*\{/.test(line))
  if (inLine >= 0) {
    const line = top[inLine] ?? ''
    const there = new RegExp(`([{,]\\s*)${name}\\s*=\\s*(?:true|false)`)
    const changed = there.test(line)
      ? line.replace(there, `$1${written}`)
      : line.replace(/\{\s*(\}?)/, (_, close: string) => (close === '' ? `{ ${written}, ` : `{ ${written} }`))
    return [...top.with(inLine, changed), ...rest].join(end)
  }
  const dotted = top.findIndex((line) => /^\s*features\s*\./.test(line))
  if (dotted >= 0) {
    const own = new RegExp(`^\\s*features\\s*\\.\\s*${name}\\s*=`)
    const there = top.findIndex((line) => own.test(line))
    const now = `features.${written}`
    const changed = there >= 0 ? top.with(there, now) : top.toSpliced(dotted, 0, now)
    return [...changed, ...rest].join(end)
  }
  const head = lines.findIndex((line) => /^\s*\[\s*features\s*\]\s*(?:#.*)?$/.test(line))
  if (head < 0) return addTable(text, 'features', { [name]: on })
  const length = lines.slice(head + 1).findIndex((line) => /^\s*\[/.test(line))
  const last = length < 0 ? lines.length : head + 1 + length
  const own = new RegExp(`^\\s*${name}\\s*=`)
  const there = lines.findIndex((line, i) => i > head && i < last && own.test(line))
  return (there >= 0 ? lines.with(there, written) : lines.toSpliced(head + 1, 0, written)).join(end)
}

/** Adds a table at the end. */
export function addTable(text: string, header: string, values: Readonly<Record<string, string | boolean>>): string {
  const end = lineEndOf(text)
  const lines = [`[${header}]`, ...Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)]
  const before = text === '' ? '' : text.endsWith('\n') ? text + end : text + end + end
  return `${before}${lines.join(end)}${end}`
}

export const hasTable = (text: string, header: string): boolean =>
  text.split(/\r?\n/).some((line) => {
    const name = /^\s*\[([^[\]]+)\]/.exec(line)?.[1]?.replaceAll(/["'\s]/g, '')
    return name === header || (name?.startsWith(`${header}.`) ?? false)
  })

const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')
