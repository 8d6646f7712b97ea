/** What the bench decides with: the engine's own router, on the engine's own clock. */
export { configSchema } from '../../shared/config/schema.ts'
export { systemClock } from '../../electron/engine/base/clock.ts'
export { createRouter } from '../../electron/engine/router/create-router.ts'
export { readLimit } from '../../electron/engine/router/limits/read-limit.ts'
export { readQuotas } from '../../electron/engine/router/limits/read-quotas.ts'
