import type { Clock } from '../base/clock.ts'
import { connectionPeers, type ConnectionPeers } from '../gateway/connection-peer.ts'
import { createPeerFinder } from '../sessions/peer.ts'
import { systemProcFiles } from '../sessions/proc-files.ts'

/** Who calls from this machine. Linux alone tells; elsewhere every call needs a key. */
export const systemPeers = (clock: Clock): ConnectionPeers =>
  connectionPeers(
    process.platform === 'linux' ? createPeerFinder({ proc: systemProcFiles() }) : null,
    process.getuid?.() ?? null,
    clock,
  )
