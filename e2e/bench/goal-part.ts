/**
 * What the bench works goals with: the engine's own rooms over the engine's own disk; only the reviewing model is not
 * there.
 */
export { configSchema } from '../../shared/config/schema.ts'
export { silentLog } from '../../electron/engine/base/log.ts'
export { systemRandom } from '../../electron/engine/base/ids.ts'
export { excerptOf } from '../../electron/engine/pipeline/request/turn-excerpt.ts'
export { createReview } from '../../electron/engine/servertools/review/create-review.ts'
export {
  changeRound,
  newGoalProgress,
  openRound,
} from '../../electron/engine/servertools/stop-message/reducer/goal-progress.ts'
export { createStopMessage } from '../../electron/engine/servertools/stop-message/index.ts'
export { createStore } from '../../electron/engine/store/create-store.ts'
export { openJournal } from '../../electron/engine/store/read-journal.ts'
export { diskFiles } from '../../electron/engine/store/disk-files.ts'
export { createOutboxes } from '../../electron/engine/terminals/outbox/outboxes.ts'
export { defaultOutboxSettings } from '../../electron/engine/terminals/outbox/settings.ts'
export { changedSince } from '../../electron/engine/workspace/changed-since.ts'
export { createChecks } from '../../electron/engine/workspace/checks/create-checks.ts'
export { createWorkspace } from '../../electron/engine/workspace/create-workspace.ts'
export { createRunProgram } from '../../electron/engine/workspace/run-program.ts'
