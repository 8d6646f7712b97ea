import { setFlagsFromString } from 'node:v8'

/**
 * V8 of Node 24 compiles what has run some hundred times with Maglev, on threads of its own, and leaves it to them to
 * destroy what the compiler needed. What a request runs reaches that number all at once, and those threads are busy
 * with the next function: all of it stands in memory at one moment, 25 MB of an engine's RSS that the C library never
 * gives back. Destroyed where its code is taken over it costs no measurable time (docs/performance.md). V8 of Node 22
 * keeps as much either way.
 *
 * To be called before compiled code that is kept is read or written: it fits a V8 with the same flags only.
 */
export function freeCompilerAtOnce(
  v8: string = process.versions.v8,
  setFlag: (flag: string) => void = setFlagsFromString,
): void {
  if (v8.startsWith('13.')) setFlag('--no-maglev-destroy-on-background')
}
