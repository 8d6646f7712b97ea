/**
 * Exempts calls to Onward from a person's HTTP proxy: Claude Code 2.1.332, Codex 0.171.0 and opencode 1.18.33 send
 * calls to this machine through it too, with the key.
 */
export function besideProxy(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const named = [env.no_proxy, env.NO_PROXY].flatMap((list) => list?.split(',') ?? []).map((host) => host.trim())
  const all = [...new Set([...named.filter(Boolean), '127.0.0.1', 'localhost', '::1'])].join(',')
  return { no_proxy: all, NO_PROXY: all }
}
