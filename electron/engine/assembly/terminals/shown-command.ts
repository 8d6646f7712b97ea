import type { EngineHost } from '../../host.ts'

/**
 * Returns how a person's shell calls this program. Their shell is asked at the first look; until it has answered, the
 * way that works without a PATH is shown. @param onFound the answer is another one now
 */
export function shownCommand(host: EngineHost, onFound: () => void): () => string | null {
  const { command, loginPath } = host
  if (!command) return () => null
  let shown: string | null = null
  return () => {
    if (shown !== null) return shown
    shown = command(null)
    void loginPath?.().then((path) => {
      shown = command(path ?? host.env.PATH ?? null)
      onFound()
    })
    return shown
  }
}
