/** Axes with round steps: three intervals at most, zero at the bottom. Pure. */
export interface Scale {
  top: number
  /** from the top down */
  ticks: readonly number[]
}

const mantissas = [1, 1.5, 2, 3, 5, 10]
const mostIntervals = 3

/** @param whole counts have no halves */
export function scaleOf(most: number, whole = false): Scale {
  if (!(most > 0)) return { top: 1, ticks: [0] }
  const step = stepFor(most / mostIntervals, whole)
  const intervals = Math.max(1, Math.ceil(most / step - 1e-9))
  return { top: step * intervals, ticks: Array.from({ length: intervals + 1 }, (_, i) => tidy(step * (intervals - i))) }
}

function stepFor(least: number, whole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const fits = mantissas
    .map((m) => tidy(m * power))
    .find((step) => step >= least * (1 - 1e-9) && (!whole || Number.isInteger(step)))
  return fits ?? Math.max(1, Math.ceil(least))
}

/** 3 * 0.1 is not 0.3 */
const tidy = (n: number): number => Number(n.toPrecision(12))
