/** What the bench sets alarms with: the engine's own alarms over the engine's own disk. */
export { silentLog } from '../../electron/engine/base/log.ts'
export { systemRandom } from '../../electron/engine/base/ids.ts'
export { createAlarms } from '../../electron/engine/clock/alarms.ts'
export { alarmsView } from '../../electron/engine/clock/views.ts'
export { createStore } from '../../electron/engine/store/create-store.ts'
export { diskFiles } from '../../electron/engine/store/disk-files.ts'
export { createOutboxes } from '../../electron/engine/terminals/outbox/outboxes.ts'
export { defaultOutboxSettings } from '../../electron/engine/terminals/outbox/settings.ts'
