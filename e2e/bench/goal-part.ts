/**
 * What the bench works goals with: the engine's own rooms over the engine's own disk; only the reviewing model is not
 * there.
 */
export { configSchema } from '../../shared/config/schema.ts'
export { reviewerOf } from '../../electron/engine/assembly/goals/reviewer-of.ts'
export { silentLog } from '../../electron/engine/base/log.ts'
export { systemRandom } from '../../electron/engine/base/ids.ts'
export { sessionView } from '../../electron/engine/control/views/session-view.ts'
export { excerptOf } from '../../electron/engine/pipeline/request/turn-excerpt.ts'
export { contextOf } from '../../electron/engine/servertools/review/context.ts'
export { createReview } from '../../electron/engine/servertools/review/create-review.ts'
export { createFence } from '../../electron/engine/servertools/review/fence.ts'
export {
  changeRound,
  newGoalProgress,
  openRound,
} from '../../electron/engine/servertools/stop-message/reducer/goal-progress.ts'
export { createStopMessage } from '../../electron/engine/servertools/stop-message/index.ts'
export { noChoices } from '../../electron/engine/sessions/session-state.ts'
export { createStore } from '../../electron/engine/store/create-store.ts'
export { openJournal } from '../../electron/engine/store/read-journal.ts'
export { diskFiles } from '../../electron/engine/store/disk-files.ts'
export { createOutboxes } from '../../electron/engine/terminals/outbox/outboxes.ts'
export { defaultOutboxSettings } from '../../electron/engine/terminals/outbox/settings.ts'
export { changedSince } from '../../electron/engine/workspace/changed-since.ts'
export { createChecks } from '../../electron/engine/workspace/checks/create-checks.ts'
export { createWorkspace } from '../../electron/engine/workspace/create-workspace.ts'
export { createRunProgram } from '../../electron/engine/workspace/run-program.ts'
