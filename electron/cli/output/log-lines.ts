/** The engine's log (pino, one JSON object per line) for people. */
import { oneLine } from './clean.ts'
import type { Style } from './style.ts'

const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }
const notShown = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'stack'])

export function logLine(line: string, style: Style): string {
  const entry = entryOf(line)
  if (!entry) return oneLine(line)
  const level =
    typeof entry.level === 'number' ? (levels[entry.level] ?? String(entry.level)) : String(entry.level ?? '')
  const shape = level === 'error' || level === 'fatal' ? 'failed' : level === 'warn' ? 'needs' : 'idle'
  const time = typeof entry.time === 'number' ? new Date(entry.time).toISOString().slice(11, 23) : ''
  const fields = Object.entries(entry)
    .filter(([name]) => !notShown.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
  return [
    style.quiet(time),
    style.shape(shape, level.padEnd(5)),
    oneLine(String(entry.msg ?? '')),
    style.quiet(oneLine(fields)),
  ]
    .filter(Boolean)
    .join(' ')
}

function entryOf(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
