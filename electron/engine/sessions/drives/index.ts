import type { ClientKind } from '../../../../shared/words.ts'
import { claudeDrives } from './claude.ts'
import { codexDrives } from './codex.ts'
import { kimiDrives } from './kimi.ts'
import type { DriveProfile } from './profile.ts'
import { qwenDrives } from './qwen.ts'

/**
 * Searched and not found: opencode 1.18.33 and Gemini CLI 0.61.0 have no goals, loops or schedules of their own. Not
 * measured: GitHub Copilot CLI, Kilo Code.
 */
const none: DriveProfile = { signs: [], jobs: null }

const byKind: Readonly<Record<ClientKind, DriveProfile>> = {
  claude: claudeDrives,
  codex: codexDrives,
  qwen: qwenDrives,
  opencode: none,
  gemini: none,
  copilot: none,
  kimi: kimiDrives,
  kilo: none,
  other: none,
}

export const drivesOf = (client: ClientKind): DriveProfile => byKind[client]
