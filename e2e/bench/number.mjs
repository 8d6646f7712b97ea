// Figures as they are shown.
export const number = (x) =>
  !Number.isFinite(x) ? '–' : Math.abs(x) >= 100 ? x.toFixed(0) : Math.abs(x) >= 10 ? x.toFixed(1) : x.toFixed(2)
export const between = (range) => (range ? range.map(number).join('–') : '')
