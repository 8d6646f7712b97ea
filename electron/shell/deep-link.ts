/** Deep links only navigate: `onward://session/<id>` or `onward://sessions|settings`. Anything else is ignored. */
export function placeOfDeepLink(argv: readonly string[]): string | null {
  const link = argv.find((a) => a.startsWith('onward://'))
  if (!link) return null
  const [, kind = '', id = ''] = /^onward:\/\/([a-z]+)(?:\/([^/?#]{1,512}))?\/?$/.exec(link) ?? []
  if (kind === 'session' && id) return `session/${id}`
  return kind === 'sessions' || kind === 'settings' ? kind : null
}
