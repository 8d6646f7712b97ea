import type { Found } from './types.ts'
import type { Confines } from './confine.ts'
import { counted, cutLine, linesThatFit, inspected, notInspected } from './found.ts'
import { readToShow } from './open-inside.ts'
import { refused, shownPath } from './relative-path.ts'

/** Bytes examined of a file. */
const mostBytes = 8 * 1024 * 1024
const mostLines = 400
/** Bytes decoded of one line; less of it is shown. */
const lineBytes = 4_096

/** Lines with their numbers. */
export async function readFile(
  confines: Confines,
  input: { path: string; from?: number; lines?: number },
): Promise<Found> {
  const file = await readToShow(confines, input.path, mostBytes)
  if (!file.ok)
    return notInspected(
      shownPath(input.path),
      file.say === 'a folder' ? { ...file, text: `${file.text} List it with list_files.` } : file,
    )
  const { bytes, size } = file
  const path = shownPath(file.path)
  if (size === 0) return inspected(path, `${path} is empty.`, 'empty')
  if (isBinary(bytes))
    return inspected(
      path,
      `${path} is a binary file of ${counted(size, 'byte')}; what is in it is not shown.`,
      `binary, ${counted(size, 'byte')}`,
    )
  const starts = lineStarts(bytes)
  const total = starts.length
  const partly = bytes.length < size
  const from = atLeastOne(input.from)
  if (from > total)
    return notInspected(
      `${path}:${from}`,
      refused(
        `${path} has ${counted(total, 'line')}` +
          `${partly ? ' in the part that is looked at' : ''}; there is no line ${from}.`,
        'no such line',
      ),
    )
  const until = Math.min(total, from - 1 + Math.min(mostLines, atLeastOne(input.lines ?? mostLines)))
  const wanted = starts
    .slice(from - 1, until)
    .map((start, i) => `${from + i}\t${lineAt(bytes, start, starts[from + i] ?? bytes.length)}`)
  const shown = linesThatFit(wanted)
  const last = from - 1 + shown.length
  const more = last < total ? [`… lines ${last + 1} to ${total} are not shown: ask with from ${last + 1}.`] : []
  const rest = partly ? [`… the file has ${size} bytes; only the first ${bytes.length} are looked at.`] : []
  const say =
    from === 1 && last === total && !partly
      ? counted(total, 'line')
      : `lines ${from}–${last} of ${total}${partly ? ' and more' : ''}`
  return inspected(`${path}:${from}-${last}`, [...shown, ...more, ...rest].join('\n'), say)
}

const atLeastOne = (n: number | undefined): number =>
  n === undefined || !Number.isFinite(n) ? 1 : Math.max(1, Math.floor(n))

/** As git decides it: a NUL among the first 8 000 bytes. */
export const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8_000).includes(0)

export function lineStarts(bytes: Buffer): number[] {
  const starts = [0]
  for (let i = bytes.indexOf(10); i >= 0 && i + 1 < bytes.length; i = bytes.indexOf(10, i + 1)) starts.push(i + 1)
  return starts
}

function lineAt(bytes: Buffer, start: number, next: number): string {
  const line = bytes
    .subarray(start, next)
    .toString('utf8', 0, lineBytes)
    .replace(/\r?\n$/, '')
  return next - start > lineBytes
    ? `${cutLine(line).replace(/ \(\d+ characters\)$/, '')} (${next - start} bytes)`
    : cutLine(line)
}
