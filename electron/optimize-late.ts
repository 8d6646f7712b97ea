import { setFlagsFromString } from 'node:v8'

/** How V8 of Node 20 judges what to optimize, as it is and as it is until a start is over. */
const judging = {
  // how many times it looks at a function, at least, before it does
  '--ticks-before-optimization': { usual: 3, atStart: 24 },
  // up to this length it does when it looks first
  '--max-bytecode-size-for-early-opt': { usual: 81, atStart: 0 },
}

/**
 * V8's optimizing compiler takes 4 MB of Node's own pages with the first function that it compiles. A start just
 * reaches that by making schemas and opening files, for functions that hardly run again, so until it is over a function
 * has to run eight times as often. What is hot by then, with thousands of files, is optimized all the same.
 *
 * To be called before compiled code that is kept is read, and undone after it is written: it fits a V8 with the same
 * flags only. Later ones judge in another way.
 * @returns has V8 optimize as ever
 */
export function optimizeLate(
  v8: string = process.versions.v8,
  setFlag: (flag: string) => void = setFlagsFromString,
): () => void {
  if (!v8.startsWith('11.')) return () => undefined
  const set = (when: 'usual' | 'atStart') => {
    for (const [flag, values] of Object.entries(judging)) setFlag(`${flag}=${values[when]}`)
  }
  set('atStart')
  return () => set('usual')
}
