import type { DiffLine } from '../../../../shared/setup/first-run.ts'

const CONTEXT = 2

/** The lines that change, with a few around them. Files of settings are short, so the plain table is quick enough. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)]
  return withContext(shortest(a, b)).map((line) => ({ ...line, text: withoutKeys(line.text) }))
}

const linesOf = (text: string): readonly string[] => {
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** By the longest common subsequence; what begins and ends alike is left out of the table. */
export function shortest(a: readonly string[], b: readonly string[]): DiffLine[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let tail = 0
  while (tail < a.length - start && tail < b.length - start && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  const left = a.slice(start, a.length - tail)
  const right = b.slice(start, b.length - tail)
  const width = right.length + 1
  const longest = new Uint32Array((left.length + 1) * width)
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      longest[i * width + j] =
        left[i] === right[j]
          ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0)
  const same = (text: string): DiffLine => ({ kind: 'same', text })
  const out: DiffLine[] = a.slice(0, start).map(same)
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      out.push(same(left[i++] ?? ''))
      j++
    } else if (
      i < left.length &&
      (j >= right.length || (longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0))
    )
      out.push({ kind: 'removed', text: left[i++] ?? '' })
    else out.push({ kind: 'added', text: right[j++] ?? '' })
  }
  return [...out, ...a.slice(a.length - tail).map(same)]
}

function withContext(lines: readonly DiffLine[]): DiffLine[] {
  const near = lines.map((_, i) =>
    lines.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some((other) => other.kind !== 'same'),
  )
  return lines.flatMap((line, i): DiffLine[] =>
    near[i] ? [line] : near[i - 1] || i === 0 ? [{ kind: 'gap', text: '' }] : [],
  )
}

/** A person looks at lines, not at keys; a page, a picture and a log hold none of them. */
const keyName =
  /((?:key|token|secret|passw(?:or)?d|credential|authorization)[\w-]*["']?\s*[:=]\s*)(["']?)([^\s"',}\]]+(?:[^"',}\]]*[^\s"',}\]])?)/i
const plainly = /^(?:onward|\d+|true|false|null|\$.*|\{(?:env|file):.*)$/
function withoutKeys(text: string): string {
  return text
    .replace(keyName, (whole, name: string, quote: string, value: string) =>
      plainly.test(value) ? whole : `${name}${quote}••••`,
    )
    .replaceAll(/\b(?:sk|pk|xai|gsk|AIza|ghp|owk)[-_]?[A-Za-z0-9_-]{12,}/g, '••••')
}
