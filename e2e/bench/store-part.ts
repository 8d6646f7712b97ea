/** What the bench writes with: the engine's own disk, store, sessions and outboxes. */
export { systemClock } from '../../electron/engine/base/clock.ts'
export { silentLog } from '../../electron/engine/base/log.ts'
export { systemRandom } from '../../electron/engine/base/ids.ts'
export { createSessionStore } from '../../electron/engine/sessions/session-store.ts'
export { createStore } from '../../electron/engine/store/create-store.ts'
export { diskFiles } from '../../electron/engine/store/disk-files.ts'
export { createOutboxes } from '../../electron/engine/terminals/outbox/outboxes.ts'
export { defaultOutboxSettings } from '../../electron/engine/terminals/outbox/settings.ts'
