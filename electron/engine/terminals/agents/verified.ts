import type { ClientKind } from '../../../../shared/words.ts'

export interface VerifiedVersion {
  version: string
  /** the day its screens and its runs were last looked at */
  seen: string
}

/**
 * The versions that Onward was seen working with, the newest last: those in e2e/agents/package.json and
 * docs/clients.md.
 */
export const verified: Readonly<Record<Exclude<ClientKind, 'other'>, readonly VerifiedVersion[]>> = {
  claude: [
    { version: '2.1.330', seen: '2026-11-23' },
    { version: '2.1.332', seen: '2026-11-27' },
  ],
  codex: [
    { version: '0.169.0', seen: '2026-11-23' },
    { version: '0.171.0', seen: '2026-11-27' },
  ],
  opencode: [{ version: '1.18.33', seen: '2026-11-23' }],
  gemini: [{ version: '0.61.0', seen: '2026-11-23' }],
  qwen: [{ version: '0.24.4', seen: '2026-11-23' }],
  copilot: [{ version: '1.0.102', seen: '2026-11-23' }],
  kimi: [{ version: '2.1.0', seen: '2026-11-23' }],
  kilo: [{ version: '7.7.9', seen: '2026-11-23' }],
}
