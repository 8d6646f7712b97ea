export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

export interface LogLine {
  /** counts up as they come; names the line while it is shown */
  id: number
  /** epoch milliseconds; null: the line does not say */
  at: number | null
  level: LogLevel
  message: string
  /** what else stands in it */
  facts: string
  /** as it stands in the file */
  raw: string
}

/** A line of the log as a person reads it; one that is no JSON is shown as it is. */
export function readLine(raw: string, id: number): LogLine {
  const { level, time, msg, ...facts } = objectOf(raw) ?? { msg: raw }
  return {
    id,
    at: typeof time === 'number' ? time : null,
    level: levelOf(level),
    message: typeof msg === 'string' ? msg : '',
    facts: Object.entries(facts)
      .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join('  '),
    raw,
  }
}

function objectOf(raw: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** as pino numbers them */
function levelOf(level: unknown): LogLevel {
  if (typeof level !== 'number') return 'info'
  return level >= 50 ? 'error' : level >= 40 ? 'warn' : level >= 30 ? 'info' : 'debug'
}

/** @param words each must stand somewhere in the line, in any case */
export function fits(line: LogLine, least: LogLevel, words: string): boolean {
  if (logLevels.indexOf(line.level) < logLevels.indexOf(least)) return false
  const raw = line.raw.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => raw.includes(word))
}
