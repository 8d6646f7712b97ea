// What was seen, as a table and as sentences. Pure.

/** What the README may say when it was seen to work; `{desktop}` and `{electron}` are named. */
const sentences = {
  specs: 'The tests of the desktop app pass on {electron}.',
  window: 'The window opens and shows the dashboard on {electron}, {desktop}.',
  tray: 'The tray icon and its menu were seen by the panel of {desktop}.',
  'tray without a panel': 'The tray registers as a StatusNotifierItem with its menu; no panel showed it.',
  notification: 'A notification was shown by the server of {desktop}.',
  buttons: 'Notifications have buttons on {desktop}.',
  login: 'Start at login, switched in the tray, writes the entry that {desktop} reads, and takes it away.',
  link: 'An onward:// link leads a running app to its place.',
}

const said = { works: 'works', fails: 'FAILS', skipped: 'not looked at' }

/** @param found `{ electron, isDouble, desktop, rows: [{ what, result, detail }] }` */
export function reportOf({ electron, isDouble, desktop, rows }) {
  const named = rows.map(({ what, result, detail }) => [what, said[result], detail])
  const widths = [0, 1].map((at) => Math.max(...named.map((row) => row[at].length)))
  const table = named.map(([what, result, detail]) =>
    `${what.padEnd(widths[0])}  ${result.padEnd(widths[1])}  ${detail}`.trimEnd(),
  )
  const claims = isDouble
    ? ['Nothing: this is the double and no Electron.']
    : rows
        .filter(({ result, what }) => result === 'works' && what in sentences)
        .map(({ what }) => sentences[what].replaceAll('{electron}', electron).replaceAll('{desktop}', desktop))
  const works = rows.every(({ result }) => result !== 'fails')
  return {
    works,
    text: [
      `${electron} on ${desktop}`,
      '',
      ...table,
      '',
      'The README may say:',
      ...claims.map((line) => `- ${line}`),
      '',
    ].join('\n'),
  }
}
