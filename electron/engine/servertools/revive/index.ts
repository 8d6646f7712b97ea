export { createRevive, type Revive } from './revive.ts'
